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
            "the choices of one state, those of `mix` among them, lead to too many states",
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

/// What was typed is what is shown.
#[test]
fn sizes() {
    let folder = models();
    let cases = [
        ("1234", "1.2 kB"),
        ("1234B", "1.2 kB"),
        ("20K", "20.0 kB"),
        ("20kb", "20.0 kB"),
        ("20KiB", "20.5 kB"),
        ("1.5m", "1.5 MB"),
        ("2MB", "2.0 MB"),
        ("1MiB", "1.0 MB"),
    ];
    for (typed, shown) in cases {
        let output = explore(&repository(), &["models/safe/bakery.cub", "--max-memory", typed]);
        let expected = format!("Incomplete: the limit of {shown} of memory was reached (--max-memory).");
        assert!(last_words(out(&output)).starts_with(&expected), "{typed}: {}", out(&output));
    }
    for typed in ["3G", "3GiB", "2T", "2TiB"] {
        assert_eq!(code(&explore(folder.path(), &["lift.cub", "--max-memory", typed])), 0, "{typed}");
    }
}

#[cfg(unix)]
mod signals {
    use super::*;
    use crate::program::signal::{send, send_later, start, when_it_writes};

    /// A signal asks for what was found until then.
    #[test]
    fn the_first_asks_for_the_report() {
        for (signal, format) in [("-INT", "human"), ("-INT", "json"), ("-TERM", "json")] {
            let arguments = ["models/safe/bakery.cub", "--timeout", "60", "--format", format];
            let child = start("", &repository(), &[&["explore"], &arguments[..]].concat());
            send(signal, &child);
            let output = child.wait_with_output().expect("the program ends");
            assert_eq!((code(&output), err(&output)), (3, ""), "{signal}");
            if format == "human" {
                let expected =
                    "Incomplete: the search was interrupted. No bad state is among those that were found.";
                assert_eq!(last_words(out(&output)), expected);
            } else {
                let found: Value = serde_json::from_str(out(&output)).expect("JSON");
                assert_eq!((&found["end"], &found["complete"]), (&json!("interrupted"), &json!(false)));
                assert!(found["states"].as_u64().is_some_and(|states| states > 0), "{found}");
                assert!(found["inspected"].as_u64() <= found["states"].as_u64(), "{found}");
            }
        }
    }

    /// The second does not wait for the report. A timeout is no signal. The report has a long run in it,
    /// longer than what a pipe takes: as long as nobody reads, the program is writing it.
    #[test]
    fn the_second_ends_it_at_once() {
        let folder = models();
        let arguments = ["explore", "ever.cub", "--keep-going", "--timeout", "2", "--format", "json"];
        let child = start("", folder.path(), &arguments);
        let output = when_it_writes(child, |child| send("-INT", child));
        assert_eq!((code(&output), err(&output)), (1, ""));
        let found: Value = serde_json::from_str(out(&output)).expect("JSON");
        assert_eq!((&found["end"], &found["violations"][0]["steps"]), (&json!("timeout"), &json!(2000)));

        let arguments = ["explore", "ever.cub", "--keep-going", "--depth", "2500", "--format", "json"];
        let child = start("", folder.path(), &arguments);
        let output = when_it_writes(child, |child| {
            send("-INT", child);
            send_later("-TERM", child);
        });
        assert_eq!((code(&output), err(&output)), (130, ""));
    }

    /// As with `nohup`: the terminal goes away, and the search goes on.
    #[test]
    fn what_is_to_be_ignored_is_ignored() {
        let child =
            start("trap '' HUP;", &repository(), &["explore", "models/safe/bakery.cub", "--timeout", "2"]);
        send("-HUP", &child);
        let output = child.wait_with_output().expect("the program ends");
        assert!(last_words(out(&output)).contains("the time of 2.0 s was up"), "{}", out(&output));
    }
}

/// The line that shows progress never goes on in the next line, and needs a terminal that can replace it.
#[cfg(target_os = "linux")]
#[test]
fn progress() {
    let program = env!("CARGO_BIN_EXE_polycube");
    let explore = format!("'{program}' explore models/safe/bakery.cub --timeout 1 > /dev/null");
    let shown = |before: &str| -> Vec<String> {
        let script = format!("stty rows 24 cols 30; {before} {explore}");
        let output = run_program("script", &repository(), &["-qec", &script, "/dev/null"], b"");
        out(&output).split("\r\x1b[K").map(str::to_owned).collect()
    };
    let lines = shown("TERM=xterm");
    assert!(lines.len() > 2, "{lines:?}");
    let (first, last) = (&lines[0], &lines[lines.len() - 1]);
    assert_eq!((first.as_str(), last.as_str()), ("", ""), "it is taken away");
    for line in &lines[1..lines.len() - 1] {
        assert_eq!(line.len(), 29, "{line}");
        assert!(line.contains(" states, "), "{line}");
    }
    assert_eq!(shown("TERM=dumb"), [""]);
    assert_eq!(shown("unset TERM;"), [""]);
}

#[test]
fn what_cannot_be_explored() {
    let folder = models();
    let cases: [(&[&str], &str); 11] = [
        (&["door.cub", "-n", "0"], "there is at least one process"),
        (&["door.cub", "-n", "65"], "65 processes are too many: at most 64 are supported"),
        (&["orders.cub", "-n", "2"], "exactly 3 processes (`number_procs 3`), not 2"),
        (&["cube.cub", "-n", "40"], "a state would take 64000 bits; at most 4096 are supported"),
        (&["cube.cub", "-n", "41"], "a state would have 68921 cells; at most 65536 are supported"),
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
    let cases: [(&[&str], &str); 25] = [
        (&[], "<FILE>"),
        (&["door.cub", "lift.cub"], "unexpected argument 'lift.cub'"),
        (&["door.cub", "-n", "two"], "invalid value 'two' for '--processes <N>'"),
        (
            &["door.cub", "-n", "-1"],
            "invalid value '-1' for '--processes <N>': expected a number of processes, 1 to 64",
        ),
        (&["door.cub", "--int-range", "0..99999999"], "that is 100000000 numbers; at most 65536 are tried"),
        (&["door.cub", "--int-range", "3..1"], "no number is between 3 and 1"),
        (&["door.cub", "--int-range", "3"], "expected LO..HI, for example 0..3 or -2..2"),
        (&["door.cub", "--values", "0"], "'0' for '--values <N>': expected a number from 1 to 64"),
        (&["door.cub", "--values", "65"], "expected a number from 1 to 64"),
        (&["door.cub", "--max-memory", "much"], "expected a number of bytes, for example 500M or 8G"),
        (&["door.cub", "--max-memory", "5iii"], "expected a number of bytes"),
        (&["door.cub", "--max-memory", "5KK"], "expected a number of bytes"),
        (&["door.cub", "--max-memory", "-5"], "expected a number of bytes"),
        (&["door.cub", "--max-memory", "nan"], "expected a number of bytes"),
        (&["door.cub", "--deadlock", "fatal"], "possible values: warn, error, ignore"),
        (&["door.cub", "--timeout", "soon"], "invalid value 'soon' for '--timeout <SECONDS>'"),
        (&["door.cub", "--timeout", "-1"], "expected a positive number of seconds"),
        (&["door.cub", "--timeout", "0"], "expected a positive number of seconds"),
        (&["door.cub", "--timeout=nan"], "expected a positive number of seconds"),
        (&["door.cub", "--timeout=1e30"], "expected a positive number of seconds"),
        (&["door.cub", "-j", "0"], "'0' for '--threads <N>': expected a number from 1 to 256"),
        (&["door.cub", "-j", "-1"], "'-1' for '--threads <N>': expected a number from 1 to 256"),
        (&["door.cub", "--depth", "1.5"], "invalid value '1.5' for '--depth <STEPS>'"),
        (&["door.cub", "--depth", "-1"], "expected a number of steps, 0 or more"),
        (&["door.cub", "--max-states", "-5"], "expected a number of states, 0 or more"),
    ];
    for (arguments, expected) in cases {
        let output = explore(folder.path(), arguments);
        assert_eq!((code(&output), out(&output)), (2, ""), "{arguments:?}");
        assert!(err(&output).contains(expected), "{arguments:?}: {}", err(&output));
        assert!(!err(&output).contains("use '--"), "a misleading tip: {}", err(&output));
    }
}
