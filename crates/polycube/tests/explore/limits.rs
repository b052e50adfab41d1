//! Limits, interruptions, and what cannot be explored.

use super::*;

#[test]
fn limits() {
    let (root, folder) = (repository(), models());
    let german = "models/safe/german.cub";
    let cases: [(&Path, &[&str], &str, &str); 9] = [
        (&root, &[german, "--depth", "3"], "depth", "the search ended 3 steps from the start (--depth)"),
        (&root, &[german, "--depth", "0"], "depth", "the search ended 0 steps from the start (--depth)"),
        (
            &root,
            &[german, "--max-states", "1000"],
            "states",
            "the limit of 1,000 states was reached (--max-states)",
        ),
        (
            &root,
            &[german, "-n6", "--max-memory", "1M"],
            "memory",
            "the limit of 1.0 MB of memory was reached (--max-memory)",
        ),
        (
            &root,
            &[german, "-n6", "--no-symmetry", "--timeout", "0.2"],
            "timeout",
            "the time of 0.20 s was up (--timeout)",
        ),
        (folder.path(), &["double.cub"], "overflow", "a number for `X` is too large to be stored"),
        (folder.path(), &["halve.cub"], "overflow", "a number for `X` is too large or too fine to be stored"),
        (
            folder.path(),
            &["mix.cub", "-n21"],
            "choices",
            "the choices of one state, those of `mix` among them, lead to more than a million states",
        ),
        (
            &root,
            &["models/safe/bakery.cub", "--max-states", "0"],
            "states",
            "the limit of 0 states was reached (--max-states)",
        ),
    ];
    for (place, arguments, end, sentence) in cases {
        let (code, found) = report(place, arguments);
        assert_eq!(
            (code, &found["end"], &found["complete"]),
            (3, &json!(end), &json!(false)),
            "{arguments:?}"
        );
        assert!(found["states"].as_u64().is_some_and(|states| states > 0), "{found}");
        let output = explore(place, arguments);
        assert_eq!(program::code(&output), 3);
        let expected = format!("Incomplete: {sentence}. No bad state is among those that were found.");
        assert_eq!(last_words(out(&output)), expected);
    }
    let (_, found) = report(&root, &[german, "-n5", "--max-states", "2000"]);
    assert!(found["states"].as_u64().is_some_and(|states| (2000..3000).contains(&states)), "{found}");
    let (_, found) = report(&root, &[german, "-n6", "--max-memory", "1M"]);
    assert!(found["bytes"].as_u64().is_some_and(|bytes| bytes < 2 << 20), "{found}");
}

#[test]
fn a_bad_state_before_the_limit() {
    let folder = models();
    let output = explore(folder.path(), &["door.cub", "-n3", "--depth", "2", "--keep-going"]);
    assert_eq!(code(&output), 1);
    assert_eq!(
        last_words(out(&output)),
        "Bad states are reachable with 3 processes. Incomplete: the search ended 2 steps from the start (--depth)."
    );
}

/// Ctrl-C asks for what was found until then.
#[cfg(unix)]
#[test]
fn interrupted() {
    use std::process::{Command, Stdio};
    for format in ["human", "json"] {
        let child = Command::new(env!("CARGO_BIN_EXE_polycube"))
            .current_dir(repository())
            .args(["explore", "models/safe/bakery.cub", "--timeout", "60", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(std::time::Duration::from_secs(1));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!((code(&output), err(&output)), (3, ""));
        if format == "human" {
            let expected =
                "Incomplete: the search was interrupted. No bad state is among those that were found.";
            assert_eq!(last_words(out(&output)), expected);
        } else {
            let found: Value = serde_json::from_str(out(&output)).expect("JSON");
            assert_eq!((&found["end"], &found["complete"]), (&json!("interrupted"), &json!(false)));
            assert!(found["states"].as_u64().is_some_and(|states| states > 0), "{found}");
        }
    }
}

#[test]
fn what_cannot_be_explored() {
    let folder = models();
    let cases: [(&[&str], &str); 12] = [
        (&["door.cub", "-n", "0"], "there is at least one process"),
        (&["door.cub", "-n", "65"], "65 processes are too many: at most 64 are supported"),
        (&["orders.cub", "-n", "2"], "exactly 3 processes (`number_procs 3`), not 2"),
        (&["cube.cub", "-n", "40"], "a state would take 64000 bits; at most 4096 are supported"),
        (&["cube.cub", "-n", "41"], "a state would have 68921 cells; at most 65536 are supported"),
        (&["door.cub", "--timeout", "nan"], "is no number of seconds"),
        (
            &["any.cub", "--int-range", "9223372036854775800..9223372036854775807"],
            "the number 9223372036854775807 is too large",
        ),
        (&["wrong.cub"], "unknown name `Y`"),
        (&["missing.cub"], "`missing.cub` cannot be read: there is no such file"),
        (&["dor.cub"], "`dor.cub` cannot be read: there is no such file"),
        (&["."], "`.` cannot be read: it is a directory"),
        (&["-"], "this file contains no model"),
    ];
    for (arguments, expected) in cases {
        let output = explore(folder.path(), arguments);
        assert_eq!((code(&output), out(&output)), (2, ""), "{arguments:?}");
        assert!(err(&output).contains(expected), "{arguments:?}: {}", err(&output));
        let (code, failure) = report(folder.path(), arguments);
        assert_eq!(code, 2);
        assert!(failure["error"].as_str().is_some_and(|text| text.contains(expected)), "{failure}");
    }
}

#[test]
fn wrong_command_lines() {
    let folder = models();
    let cases: [(&[&str], &str); 14] = [
        (&[], "<FILE>"),
        (&["door.cub", "lift.cub"], "unexpected argument 'lift.cub'"),
        (&["door.cub", "-n", "two"], "invalid value 'two' for '--processes <N>'"),
        (&["door.cub", "-n", "-1"], "invalid value '-1' for '--processes <N>'"),
        (&["door.cub", "--int-range", "0..99999999"], "that is 100000000 numbers; at most 1048576 are tried"),
        (&["door.cub", "--int-range", "3..1"], "no number is between 3 and 1"),
        (&["door.cub", "--int-range", "3"], "expected LO..HI, for example 0..3 or -2..2"),
        (&["door.cub", "--values", "0"], "0 is not in 1..=64"),
        (&["door.cub", "--values", "65"], "65 is not in 1..=64"),
        (&["door.cub", "--max-memory", "much"], "expected a number of bytes, for example 500M or 8G"),
        (&["door.cub", "--deadlock", "fatal"], "possible values: warn, error, ignore"),
        (&["door.cub", "--timeout", "soon"], "invalid value 'soon' for '--timeout <SECONDS>'"),
        (&["door.cub", "-j", "0"], "0 is not in 1..=256"),
        (&["door.cub", "--depth", "1.5"], "invalid value '1.5' for '--depth <STEPS>'"),
    ];
    for (arguments, expected) in cases {
        let output = explore(folder.path(), arguments);
        assert_eq!((code(&output), out(&output)), (2, ""), "{arguments:?}");
        assert!(err(&output).contains(expected), "{arguments:?}: {}", err(&output));
    }
}
