//! `--graph`: files with pictures of the search.

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
    assert_eq!(code(&verify(folder.path(), &["pair.cub", "--graph", "search.dot"])), 0);
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
        &["german.cub", "--engine", "backward", "--max-nodes", "200", "--graph", "search.dot"],
    );
    assert_eq!((code(&output), err(&output)), (3, ""));
    let text = fs::read_to_string(folder.path().join("search.dot")).expect("a graph");
    assert!(
        text.contains(", style=\"rounded,dashed\"];") && text.contains(" [style=dotted, color=gray60"),
        "{text}"
    );
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
        let folder = small_models();
        let programs = folder.path().join("programs");
        fs::create_dir(&programs).expect("a folder");
        if let Some(script) = script {
            let dot = programs.join("dot");
            fs::write(&dot, format!("#!/bin/sh\n{script}\n")).expect("a program is written");
            fs::set_permissions(&dot, fs::Permissions::from_mode(0o755)).expect("permissions are set");
        }
        let program = env!("CARGO_BIN_EXE_polycube");
        let command = format!("PATH='{}' '{program}' verify door.cub --graph door.svg", programs.display());
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
}
