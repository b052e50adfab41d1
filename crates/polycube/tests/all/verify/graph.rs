//! `--graph`: files with pictures of the search.

use std::collections::BTreeSet;
use std::fs;

use super::*;

#[test]
fn a_safe_search() {
    let folder = small_models();
    let model = repository().join("models/safe/mutex.cub");
    fs::copy(model, folder.path().join("mutex.cub")).expect("a copy");
    let output = verify(folder.path(), &["mutex.cub", "--graph", "search.dot"]);
    assert_eq!((code(&output), err(&output)), (0, ""));
    assert!(
        out(&output).ends_with("\nThe graph of the search, 5 nodes, is in search.dot.\n"),
        "{}",
        out(&output)
    );
    insta::assert_snapshot!(
        "graph_safe",
        fs::read_to_string(folder.path().join("search.dot")).expect("a graph")
    );
}

#[test]
fn an_unsafe_search() {
    let folder = small_models();
    let arguments = ["door.cub", "--graph", "search.DOT", "--format", "json"];
    let output = verify(folder.path(), &arguments);
    assert_eq!((code(&output), err(&output)), (1, ""));
    serde_json::from_str::<Value>(out(&output)).expect("JSON, and nothing else");
    insta::assert_snapshot!(
        "graph_unsafe",
        fs::read_to_string(folder.path().join("search.DOT")).expect("a graph")
    );
}

/// With a fixed number of processes, they have their own names.
#[test]
fn processes_with_names() {
    let folder = small_models();
    let arguments = ["pair.cub", "--engine", "backward", "--graph", "search.dot"];
    assert_eq!(code(&verify(folder.path(), &arguments)), 0);
    let text = fs::read_to_string(folder.path().join("search.dot")).expect("a graph");
    assert!(text.contains("label=\" enter(#1)\"") && text.contains("label=\" enter(#2)\""), "{text}");
}

/// Whatever a file is called, the text stays one that Graphviz can read.
#[cfg(unix)]
#[test]
fn names_are_escaped() {
    let folder = folder(&[("a \"b\" \\N\n}.cub", DOOR)]);
    let output = verify(folder.path(), &["a \"b\" \\N\n}.cub", "--graph", "search.dot"]);
    assert_eq!(code(&output), 1);
    let text = fs::read_to_string(folder.path().join("search.dot")).expect("a graph");
    assert!(text.contains("label=\"a \\\"b\\\" \\\\N }.cub\""), "{text}");
}

/// What waits, and what is covered.
#[test]
fn an_unfinished_search() {
    let folder = small_models();
    let output = verify(
        folder.path(),
        &["german.cub", "--engine", "backward", "--max-nodes", "200", "--graph", "search.dot", "--graph-all"],
    );
    assert_eq!((code(&output), err(&output)), (3, ""));
    let text = fs::read_to_string(folder.path().join("search.dot")).expect("a graph");
    assert!(
        text.contains(", style=\"rounded,dashed\"];") && text.contains(" [style=dotted, color=gray60"),
        "{text}"
    );
}

/// A run that was found by exploring a small instance is not in the graph of the search: its states are.
#[test]
fn a_run_that_was_found_forwards() {
    let folder = small_models();
    let model = repository().join("models/unsafe/mutex_no_turn_check.cub");
    fs::copy(model, folder.path().join("mutex.cub")).expect("a copy");
    let output = verify(folder.path(), &["mutex.cub", "--graph", "search.dot"]);
    assert_eq!((code(&output), err(&output)), (1, ""));
    insta::assert_snapshot!(
        "graph_forwards",
        fs::read_to_string(folder.path().join("search.dot")).expect("a graph")
    );
}

/// Each violated clause has its run, in whatever way it was found; and what is drawn is consistent.
#[test]
fn all_runs_are_drawn() {
    let folder = small_models();
    for model in models("unsafe") {
        let path = model.path.to_str().expect("text");
        let output = verify(folder.path(), &[path, "--graph", "search.dot", "--force", "--format", "json"]);
        let report: Value = serde_json::from_str(out(&output)).expect("JSON");
        let properties = report["properties"].as_array().expect("properties");
        let violated = properties.iter().filter(|property| property["verdict"] == "unsafe").count();
        assert!(violated > 0, "{}", model.name());
        let text = fs::read_to_string(folder.path().join("search.dot")).expect("a graph");
        let reached = text.matches("shape=octagon, color=red3").count();
        assert!(reached >= violated, "{}: {text}", model.name());
        // Forwards, and backwards.
        let starts = text.matches("[label=\"initially, with ").count()
            + text.matches("(some of these states are initial)\", peripheries=2, color=red3").count();
        assert!(starts >= violated, "{}: {text}", model.name());
        names_are_declared(&text);
    }
}

/// Every node that an arrow leads to or from is there.
fn names_are_declared(text: &str) {
    let lines = || text.lines().map(str::trim);
    let declared: BTreeSet<&str> =
        lines().filter_map(|line| line.split_once(" [")).map(|(name, _)| name).collect();
    for line in lines().filter(|line| line.contains(" -> ") && !line.contains("label=\"after")) {
        let Some((arrow, _)) = line.split_once(" [") else { continue };
        for name in arrow.split(" -> ") {
            assert!(declared.contains(name), "{name}: {text}");
        }
    }
}

/// Of a large graph, what people can read.
#[test]
fn large_graphs_are_folded() {
    let folder = small_models();
    let folded = verify(folder.path(), &["german.cub", "--graph", "folded.dot"]);
    assert_eq!((code(&folded), err(&folded)), (0, ""));
    let all = verify(folder.path(), &["german.cub", "--graph", "all.dot", "--graph-all"]);
    assert!(!out(&all).contains("--graph-all"), "{}", out(&all));
    let [folded_text, all_text] = ["folded.dot", "all.dot"].map(|name| {
        let text = fs::read_to_string(folder.path().join(name)).expect("a graph");
        names_are_declared(&text);
        text
    });
    let nodes = |text: &str| {
        text.lines()
            .filter(|line| line.starts_with("  n") && line.contains(" [label=") && !line.contains("->"))
            .count()
    };
    let (few, many) = (nodes(&folded_text), nodes(&all_text));
    assert!(few <= 100 && few < many, "{few} of {many}");
    let said = out(&folded).replace('\n', " ");
    let expected = format!(
        "{many} nodes, is in folded.dot. It shows {few} of them and counts the others; --graph-all shows all."
    );
    assert!(said.contains(&expected), "{said}");
    // What is not drawn is counted, and nothing is lost.
    let counted: usize = folded_text
        .lines()
        .filter(|line| line.starts_with("  f") || line.starts_with("  rest"))
        .filter_map(|line| line.split_once("label=\"")?.1.split('"').next())
        .flat_map(|label| label.split("\\n"))
        .filter_map(|count| count.split(' ').next()?.parse::<usize>().ok())
        .sum();
    assert_eq!(few + counted, many);
}

#[test]
fn nothing_is_overwritten_by_mistake() {
    let folder = small_models();
    let file = folder.path().join("search.dot");
    fs::write(&file, "precious").expect("a file is written");
    let refused = verify(folder.path(), &["door.cub", "--graph", "search.dot"]);
    assert_eq!((code(&refused), out(&refused)), (2, ""), "before the search");
    assert!(
        err(&refused).contains("`search.dot` exists already; it is not overwritten"),
        "{}",
        err(&refused)
    );
    assert!(err(&refused).contains("--force"), "{}", err(&refused));
    assert_eq!(fs::read_to_string(&file).expect("a file"), "precious");
    let (code, failure) = report(folder.path(), &["door.cub", "--graph", "search.dot"]);
    assert_eq!((code, failure["error"].is_string()), (2, true));
    let forced = verify(folder.path(), &["door.cub", "--graph", "search.dot", "--force"]);
    assert_eq!(program::code(&forced), 1);
    assert!(fs::read_to_string(&file).expect("a file").starts_with("digraph"));
}

#[test]
fn files_that_cannot_be_written() {
    let folder = small_models();
    fs::create_dir(folder.path().join("folder.dot")).expect("a folder");
    let cases = [
        ("none/search.dot", "`none/search.dot` cannot be written: there is no such folder"),
        ("folder.dot", "`folder.dot` cannot be written: it is a directory"),
    ];
    for (file, expected) in cases {
        let output = verify(folder.path(), &["door.cub", "--graph", file]);
        assert_eq!((code(&output), out(&output)), (2, ""), "{file}");
        assert!(err(&output).contains(expected), "{file}: {}", err(&output));
    }
}

/// Graphviz, or something in its place that does this.
#[cfg(unix)]
mod graphviz {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn verify_with(script: Option<&str>) -> (TempDir, Output) {
        verify_within(script, "")
    }

    fn verify_within(script: Option<&str>, options: &str) -> (TempDir, Output) {
        let folder = small_models();
        let programs = folder.path().join("programs");
        fs::create_dir(&programs).expect("a folder");
        if let Some(script) = script {
            let dot = programs.join("dot");
            fs::write(&dot, format!("#!/bin/sh\n{script}\n")).expect("a program is written");
            fs::set_permissions(&dot, fs::Permissions::from_mode(0o755)).expect("permissions are set");
        }
        let program = env!("CARGO_BIN_EXE_polycube");
        let command =
            format!("PATH='{}' '{program}' verify door.cub --graph door.svg {options}", programs.display());
        let output = run_program("/bin/sh", folder.path(), &["-c", &command], b"");
        (folder, output)
    }

    #[test]
    fn it_draws() {
        let (folder, output) = verify_with(Some(
            "[ \"$1\" = -V ] || { echo \"$1\"; while read -r line; do echo \"$line\"; done; }",
        ));
        assert_eq!((code(&output), err(&output)), (1, ""));
        let picture = fs::read_to_string(folder.path().join("door.svg")).expect("a picture");
        assert!(picture.starts_with("-Tsvg\ndigraph search {\n"), "{picture}");
    }

    #[test]
    fn it_is_missing() {
        let (_, output) = verify_with(None);
        assert_eq!((code(&output), out(&output)), (2, ""), "before the search");
        let expected = "`door.svg` cannot be drawn: the program `dot` of Graphviz is not installed";
        assert!(err(&output).contains(expected), "{}", err(&output));
        assert!(
            err(&output).contains("help: install graphviz, or name a file that ends in .dot"),
            "{}",
            err(&output)
        );
    }

    /// The report is there all the same.
    #[test]
    fn it_fails() {
        let (folder, output) = verify_with(Some("[ \"$1\" = -V ] || { echo 'out of ink' >&2; exit 3; }"));
        assert_eq!(code(&output), 2);
        assert!(out(&output).starts_with("Unsafe: "), "{}", out(&output));
        assert!(
            err(&output).contains("`door.svg` cannot be written: Graphviz failed: out of ink"),
            "{}",
            err(&output)
        );
        assert!(!folder.path().join("door.svg").exists());
    }

    /// What it could not draw is kept, and it is not left behind.
    #[test]
    fn it_takes_too_long() {
        let slow = "[ \"$1\" = -V ] || { echo $$ > pid; exec /bin/sleep 100; }";
        let start = std::time::Instant::now();
        let (folder, output) = verify_within(Some(slow), "--graph-timeout 0.2");
        assert!(start.elapsed().as_secs() < 60);
        assert_eq!(code(&output), 2);
        assert!(out(&output).starts_with("Unsafe: "), "{}", out(&output));
        let said = err(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("`door.svg` cannot be written: Graphviz took more than 0.2 seconds"), "{said}");
        assert!(
            said.contains("is in `door.dot`") && said.contains("dot -Tsvg 'door.dot' -o 'door.svg'"),
            "{said}"
        );
        assert!(!folder.path().join("door.svg").exists());
        let text = fs::read_to_string(folder.path().join("door.dot")).expect("the text");
        assert!(text.starts_with("digraph search {\n"), "{text}");
        if cfg!(target_os = "linux") {
            let pid = fs::read_to_string(folder.path().join("pid")).expect("a number");
            assert!(!Path::new("/proc").join(pid.trim()).exists(), "it was killed");
        }
    }

    /// Something else that has that name stays as it is.
    #[test]
    fn what_is_kept_overwrites_nothing() {
        let script = "[ \"$1\" = -V ] && echo precious > door.dot || exit 1";
        let (folder, output) = verify_with(Some(script));
        assert_eq!(code(&output), 2);
        assert!(err(&output).contains("name a file that ends in .dot"), "{}", err(&output));
        assert_eq!(fs::read_to_string(folder.path().join("door.dot")).expect("a file"), "precious\n");
    }
}
