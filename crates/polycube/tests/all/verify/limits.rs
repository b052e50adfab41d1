//! Limits, interruptions, and what cannot be verified.

use super::*;

#[test]
fn limits() {
    let (folder, german) = (small_models(), "german.cub");
    let cases: [(&[&str], &str, &str); 6] = [
        (&[german, "--max-nodes", "10"], "nodes", "the limit of 10 nodes was reached (--max-nodes)"),
        (&[german, "--max-nodes", "0"], "nodes", "the limit of 0 nodes was reached (--max-nodes)"),
        (
            &[german, "--engine", "backward", "--max-depth", "3"],
            "depth",
            "the search ended 3 steps before the bad states (--max-depth)",
        ),
        (
            &[german, "--engine", "backward", "--max-depth", "1"],
            "depth",
            "the search ended 1 step before the bad states (--max-depth)",
        ),
        (
            &[german, "--max-memory", "20K"],
            "memory",
            "the limit of 20.0 kB of memory was reached (--max-memory)",
        ),
        (&["ever.cub", "--timeout", "0.2"], "timeout", "the time of 0.20 s was up (--timeout)"),
    ];
    for (arguments, reason, sentence) in cases {
        let (code, found) = report(folder.path(), arguments);
        assert_eq!(
            (code, &found["verdict"], &found["reason"]),
            (3, &json!("unknown"), &json!(reason)),
            "{arguments:?}"
        );
        assert_eq!((&found["properties"][0]["reason"], &found["invariants"]), (&json!(reason), &json!([])));
        let output = verify(folder.path(), arguments);
        assert_eq!(program::code(&output), 3);
        let text = out(&output).replace('\n', " ");
        let advice = if reason == "timeout" { "more time" } else { "a higher limit" };
        assert!(text.starts_with(&format!("Unknown: {sentence}.  ")), "{text}");
        assert!(text.contains(&format!("  What to try: {advice}, or another order (--search). ")), "{text}");
    }
    let (_, found) = report(folder.path(), &[german, "--engine", "backward", "--max-nodes", "100"]);
    let nodes = found["statistics"]["nodes"].as_u64();
    assert!(nodes.is_some_and(|nodes| (100..150).contains(&nodes)), "{found}");
}

/// What is decided before a limit is reached stays decided.
#[test]
fn a_violation_before_the_limit() {
    let folder = small_models();
    let (code, found) = report(folder.path(), &["door.cub", "--max-depth", "1"]);
    assert_eq!((code, &found["verdict"], found.get("reason")), (1, &json!("unsafe"), None));
    assert_eq!(verdicts(&found)[2], "unsafe", "{found}");
}

#[cfg(unix)]
mod signals {
    use super::*;
    use crate::program::signal::{send, send_later, start, when_it_writes};

    /// A signal asks for what was found until then; and two at once are one, as `timeout` sends them.
    #[test]
    fn the_first_asks_for_the_report() {
        let folder = small_models();
        for (signals, format) in [
            (vec!["-INT"], "human"),
            (vec!["-INT"], "json"),
            (vec!["-TERM"; 2], "json"),
            (vec!["-TERM", "-INT"], "json"),
        ] {
            let arguments = ["verify", "ever.cub", "--timeout", "60", "--format", format];
            let child = start("", folder.path(), &arguments);
            signals.iter().for_each(|signal| send(signal, &child));
            let output = child.wait_with_output().expect("the program ends");
            assert_eq!((code(&output), err(&output)), (3, ""), "{signals:?}");
            if format == "human" {
                assert!(
                    out(&output).starts_with("Unknown: the search was interrupted.\n"),
                    "{}",
                    out(&output)
                );
            } else {
                let found: Value = serde_json::from_str(out(&output)).expect("JSON");
                assert_eq!((&found["verdict"], &found["reason"]), (&json!("unknown"), &json!("interrupted")));
                assert!(found["statistics"]["nodes"].as_u64().is_some_and(|nodes| nodes > 0), "{found}");
            }
        }
    }

    /// The second does not wait for the report. It is about so many clauses that a pipe does not take it: as
    /// long as nobody reads, the program is writing it.
    #[test]
    fn the_second_ends_it_at_once() {
        let clauses: String =
            (0..1500).map(|at| format!("unsafe {{ X = {at} && Y = {} }}\n", at + 1)).collect();
        let folder = folder(&[("ever.cub", &format!("{EVER}{clauses}"))]);
        let child = start("", folder.path(), &["verify", "ever.cub", "--format", "json"]);
        send("-INT", &child);
        let output = when_it_writes(child, |child| send_later("-TERM", child));
        assert_eq!((code(&output), err(&output)), (130, ""));
    }
}

/// The line that shows progress is taken away in the end, and needs a terminal that can replace it.
#[cfg(target_os = "linux")]
#[test]
fn progress() {
    let (folder, program) = (small_models(), env!("CARGO_BIN_EXE_polycube"));
    let verify = format!("'{program}' verify ever.cub --timeout 1 > /dev/null");
    let shown = |before: &str| -> Vec<String> {
        let script = format!("stty rows 24 cols 120; {before} {verify}");
        let output = run_program("script", folder.path(), &["-qec", &script, "/dev/null"], b"");
        out(&output).split("\r\x1b[K").map(str::to_owned).collect()
    };
    let lines = shown("TERM=xterm");
    assert!(lines.len() > 2, "{lines:?}");
    let (first, last) = (&lines[0], &lines[lines.len() - 1]);
    assert_eq!((first.as_str(), last.as_str()), ("", ""), "it is taken away");
    // It is taken away behind the search, and again behind the look at what may help.
    for line in lines[1..lines.len() - 1].iter().filter(|line| !line.is_empty()) {
        let words = [" s: ", " node", " waiting, depth ", " process", " covered, ", " nodes/s"];
        let is_of_search = words.iter().all(|word| line.contains(word));
        assert!(is_of_search || line.contains(" states, ") && line.contains(" waiting, depth "), "{line}");
    }
    assert_eq!(shown("TERM=dumb"), [""]);
}

#[test]
fn what_cannot_be_verified() {
    let folder = small_models();
    let cases: [(&[&str], &str); 6] = [
        (&["nothing.cub"], "there is nothing to verify: the model has no `unsafe` clause"),
        (
            &["invariant.cub", "--trust-invariants"],
            "there is nothing to verify: the model has no `unsafe` clause, and its invariants are trusted",
        ),
        (&["wrong.cub"], "unknown name `Y`"),
        (&["missing.cub"], "`missing.cub` cannot be read: there is no such file"),
        (&["."], "`.` cannot be read: it is a directory"),
        (&["-"], "this file contains no model"),
    ];
    for (arguments, expected) in cases {
        let output = verify(folder.path(), arguments);
        assert_eq!((code(&output), out(&output)), (2, ""), "{arguments:?}");
        assert!(err(&output).contains(expected), "{arguments:?}: {}", err(&output));
        let (code, failure) = report(folder.path(), arguments);
        assert_eq!(code, 2);
        assert!(failure["error"].as_str().is_some_and(|text| text.contains(expected)), "{failure}");
    }
}

/// What is not supported is shown where it stands.
#[test]
fn places() {
    let values: Vec<String> = (0..100).map(|at| format!("V{at}")).collect();
    let large =
        format!("type t = {}\nvar X : t\ninit {{ X = V0 }}\nunsafe {{ X = V1 }}\n", values.join(" | "));
    let deep =
        "array A[proc, proc, proc, proc, proc] : bool\ninit { true }\nunsafe (p) { A[p, p, p, p, p] }\n";
    let many = "number_procs 40\nvar X : proc\ninit { X = #1 }\nunsafe { X = #2 }\n";
    let folder = folder(&[("large.cub", &large), ("deep.cub", deep), ("many.cub", many)]);
    let shown = ["large.cub", "deep.cub", "many.cub"].map(|file| answer(folder.path(), &[file]));
    insta::assert_snapshot!("unsupported", shown.join("\n"));
    let (_, failure) = report(folder.path(), &["large.cub"]);
    assert_eq!(
        (&failure["place"]["start"]["line"], &failure["place"]["start"]["column"]),
        (&json!(1), &json!(1))
    );
}

#[test]
fn wrong_command_lines() {
    let folder = small_models();
    let cases: [(&[&str], &str); 19] = [
        (&[], "<FILE>"),
        (&["door.cub", "pair.cub", "--graph", "door.dot"], "files are written for one model at a time"),
        (&["door.cub", "-n", "2"], "unexpected argument '-n'"),
        (&["door.cub", "--engine", "magic"], "possible values: auto, backward, brab"),
        (&["door.cub", "--procs", "0"], "expected a number of processes, 1 to 64"),
        (&["door.cub", "--procs", "65"], "expected a number of processes, 1 to 64"),
        (&["door.cub", "--forward-depth", "-1"], "expected a number of steps, 0 or more"),
        (&["door.cub", "--max-candidates", "many"], "expected a number of guesses, 0 or more"),
        (&["door.cub", "--search", "best"], "possible values: bfs, dfs, few-processes, few-literals"),
        (&["door.cub", "--max-nodes", "-5"], "expected a number of nodes, 0 or more"),
        (&["door.cub", "--max-depth", "1.5"], "invalid value '1.5' for '--max-depth <STEPS>'"),
        (&["door.cub", "--max-memory", "much"], "expected a number of bytes, for example 500M or 8G"),
        (&["door.cub", "--timeout", "0"], "expected a positive number of seconds"),
        (&["door.cub", "-j", "0"], "'0' for '--threads <N>': expected a number from 1 to 256"),
        (&["door.cub", "--format", "xml"], "possible values: human, json, github, sarif, junit"),
        (&["door.cub", "--force"], "--graph <FILE>"),
        (&["door.cub", "--graph"], "a value is required for '--graph <FILE>'"),
        (&["door.cub", "--graph", "door.png"], "expected a file name that ends in .dot or .svg"),
        (&["door.cub", "--graph", "-"], "expected a file name that ends in .dot or .svg"),
    ];
    for (arguments, expected) in cases {
        let output = verify(folder.path(), arguments);
        assert_eq!((code(&output), out(&output)), (2, ""), "{arguments:?}");
        assert!(err(&output).contains(expected), "{arguments:?}: {}", err(&output));
    }
}
