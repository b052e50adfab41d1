//! Solvers that are missing, that fail, and that do not agree.

use std::time::{Duration, Instant};

use super::*;
use fake::{SECOND_TIME, are_installed};

/// A certificate of a small model.
fn small() -> TempDir {
    let folder = models();
    write_certificate(folder.path(), "mutex.cub", "c");
    folder
}

fn check(programs: &Programs, folder: &Path, arguments: &[&str]) -> Output {
    run_with(programs, folder, &[&["check-certificate", "c"], arguments].concat())
}

/// That is known before the search.
#[test]
fn missing() {
    let folder = models();
    let before = names(folder.path());
    let only_z3 = Programs::agreeing();
    let cases: [(&Programs, &[&str]); 3] = [
        (&Programs::none(), &["certify", "mutex.cub", "c"]),
        (&Programs::none(), &["certify", "mutex.cub", "c", "--solver", "z3"]),
        (&only_z3, &["certify", "mutex.cub", "c", "--solver", "cvc5"]),
    ];
    let said = cases.map(|(programs, arguments)| {
        let output = run_with(programs, folder.path(), arguments);
        assert_eq!(names(folder.path()), before, "nothing is written");
        let refused = run_with(programs, folder.path(), &[arguments, &["--format", "json"]].concat());
        assert_eq!(code(&refused), 2);
        let error = object(&refused)["error"].take();
        assert!(err(&output).contains(error.as_str().expect("a message")), "{error}");
        answer(&output)
    });
    insta::assert_snapshot!("missing", said.join("\n"));
    // To write a certificate, nobody is needed.
    let verify = ["verify", "mutex.cub", "--certificate", "c"];
    assert_eq!(code(&run_with(&Programs::none(), folder.path(), &verify)), 0);
    let output = check(&Programs::none(), folder.path(), &[]);
    assert_eq!((code(&output), out(&output)), (2, ""));
    assert!(err(&output).contains("neither z3 nor cvc5 is found"), "{}", err(&output));
}

/// Programs with the name of a solver.
#[test]
fn not_a_solver() {
    let folder = small();
    let cases = [
        ("echo 'z3 is my name'", "`z3` is not z3: asked for its version, it says `z3 is my name`"),
        ("exit 1", "`z3` is not z3: it does not say its version"),
        (
            "echo 'no such library' >&2; exit 127",
            "`z3` is not z3: asked for its version, it says `no such library`",
        ),
    ];
    for (body, expected) in cases {
        let programs = Programs::none().with_program("z3", body);
        for arguments in [&[][..], &["--solver", "z3"]] {
            let output = check(&programs, folder.path(), arguments);
            assert_eq!((code(&output), out(&output)), (2, ""), "{body}");
            assert!(err(&output).contains(expected), "{body}: {}", err(&output));
        }
    }
}

/// Who fails proves nothing, whatever was said before; and a counterexample is one.
#[test]
fn failures() {
    let folder = small();
    let cases: [(&str, i32, &str); 9] = [
        ("it crashes", 3, "kill -SEGV $$"),
        ("it crashes in the end", 3, "says unsat; exit 7"),
        ("it says why", 3, "echo 'assertion violated' >&2; exit 134"),
        ("it writes rubbish", 3, "echo Hello"),
        ("it reports an error and goes on", 3, "echo '(error \"line 4: unknown function\")'; says unsat"),
        ("it answers too little", 3, "echo unsat"),
        ("it answers too much", 3, "says unsat; echo unsat"),
        ("it does not know", 3, "says unknown"),
        ("it finds counterexamples", 1, "says sat"),
    ];
    let mut said = String::new();
    for (what, expected, body) in cases {
        let programs = Programs::none().with("z3", body);
        let output = check(&programs, folder.path(), &[]);
        assert_eq!(code(&output), expected, "{what}");
        said += &format!("{what}\n\n{}\n", answer(&output));
    }
    insta::assert_snapshot!("failures", said);
}

/// All of them as JSON.
#[test]
fn failures_as_json() {
    let folder = small();
    let cases: [(&str, i32, &str); 4] = [
        ("says unknown", 3, "unknown"),
        ("says sat", 1, "sat"),
        ("echo Hello", 3, "failed"),
        ("kill -KILL $$", 3, "failed"),
    ];
    for (body, expected, reason) in cases {
        let output = check(&Programs::none().with("z3", body), folder.path(), &["--format", "json"]);
        let found = object(&output);
        assert_eq!((code(&output), &found["certified"]), (expected, &json!(false)), "{body}");
        let (solver, open) = (&found["solvers"][0], &found["solvers"][0]["open"]);
        assert_eq!((&solver["proved"], &found["obligations"]), (&json!(0), &json!(9)), "{body}");
        assert_eq!(open.as_array().map(Vec::len), Some(9), "{body}");
        assert_eq!(
            (&open[4]["obligation"], &open[4]["file"], &open[4]["reason"]),
            (&json!("transition `enter` preserves clause 1"), &json!("step-02-enter.smt2"), &json!(reason)),
            "{body}"
        );
        assert_eq!(open[4]["message"].is_string(), reason == "failed", "{body}");
    }
}

/// One obligation that is not proved is enough. The first ten are shown.
#[test]
fn only_some_are_open() {
    let folder = models();
    write_certificate(folder.path(), "german.cub", "c");
    let but =
        |file: &str, word: &str| format!("case $script in */{file}) says {word};; *) says unsat;; esac");
    let one = Programs::none().with("z3", &but("property-1.smt2", "unknown"));
    let step = Programs::none().with("z3", &but("step-03-*.smt2", "unknown"));
    let shown = [&one, &step].map(|programs| answer(&check(programs, folder.path(), &[])));
    insta::assert_snapshot!("open", shown.join("\n"));
}

/// Ten thousand obligations that fail are reported as soon as they have failed.
#[test]
fn many_are_open() {
    let folder = models();
    let model = repository().join("models/safe/flash_data.cub");
    write_certificate(folder.path(), model.to_str().expect("the names of our models are text"), "c");
    let start = Instant::now();
    let output = check(&Programs::none().with("z3", "exit 1"), folder.path(), &["--format", "json"]);
    let found = object(&output);
    let open = found["solvers"][0]["open"].as_array().map_or(0, Vec::len);
    assert!(open > 1000 && found["obligations"] == open, "{open}");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// A solver that gives up when its time is up, and one that does not react at all.
#[test]
fn too_slow() {
    let folder = small();
    let slow = Programs::none()
        .with("z3", "case $script in */property-1.smt2) sleep 1; says unknown;; *) says unsat;; esac");
    let output = check(&slow, folder.path(), &["--solver-timeout", "1"]);
    assert_eq!(code(&output), 3);
    let expected =
        "  the invariant excludes property 1 (`unsafe`): not within 1.0 s\n      (--solver-timeout)\n";
    assert!(out(&output).contains(expected), "{}", out(&output));
    let output = check(&slow, folder.path(), &["--solver-timeout", "1", "--format", "json"]);
    assert_eq!(object(&output)["solvers"][0]["open"][0]["reason"], "timeout");

    let start = Instant::now();
    let asleep =
        Programs::none().with("z3", "case $script in */property-1.smt2) sleep 1000;; *) says unsat;; esac");
    let output = check(&asleep, folder.path(), &["--solver-timeout", "1"]);
    assert_eq!(code(&output), 3);
    assert!(
        out(&output).contains("property 1 (`unsafe`): it did not react for 6.0 s and"),
        "{}",
        out(&output)
    );
    assert!(start.elapsed() < Duration::from_secs(30));
}

/// A solver that denies what our own check has proved: one of us has a bug, and that is not the model's fault.
#[test]
fn contradictions() {
    let folder = small();
    let denying = Programs::none().with("z3", "says sat");
    for format in ["human", "json"] {
        let arguments = ["certify", "mutex.cub", "new", "--force", "--format", format];
        let output = run_with(&denying, folder.path(), &arguments);
        assert_eq!(code(&output), 101, "{}", out(&output));
        assert!(err(&output).contains(" has a bug, or z3 4.8.12 has: it denies that "), "{}", err(&output));
        assert!(err(&output).contains("\nPlease report this, with the file "), "{}", err(&output));
    }
    let reports = names(folder.path()).into_iter().filter(|name| name.starts_with("polycube-bug-"));
    let reports: Vec<String> = reports.collect();
    assert_eq!(reports.len(), 2);
    let report = fs::read_to_string(folder.path().join(&reports[0])).expect("a report");
    assert!(report.contains("z3 4.8.12 denies, and the second check proves, that transition `"), "{report}");
    // A certificate from somewhere else is judged, not defended.
    assert_eq!(code(&check(&denying, folder.path(), &[])), 1);
}

/// `--timeout` limits everything together.
#[test]
fn all_together_too_slow() {
    let folder = small();
    let asleep = Programs::none().with("z3", "sleep 1000");
    for command in [
        &["certify", "mutex.cub", "new", "--timeout", "1"][..],
        &["check-certificate", "c", "--timeout", "1"],
    ] {
        let output = run_with(&asleep, folder.path(), command);
        assert_eq!((code(&output), err(&output)), (3, ""), "{command:?}");
        let expected = "\nNot certified: the time of 1.0 s was up (--timeout).\n";
        assert!(out(&output).ends_with(expected), "{}", out(&output));
    }
}

/// One solver is enough, as long as the other one does not say that it is wrong.
#[test]
fn two_solvers() {
    if !are_installed() {
        return;
    }
    let folder = small();
    let with = |body: &str| Programs::none().with_real("z3").with("cvc5", body);
    let unknown = check(&with("says unknown"), folder.path(), &[]);
    assert_eq!(code(&unknown), 0);
    let text = out(&unknown);
    assert!(text.contains("\ncvc5 1.0.3 does not prove 9 obligations:\n"), "{text}");
    assert!(text.contains("\n  transition `ask` preserves clause 1: it does not know\n"), "{text}");
    let last = text.lines().last().expect("an answer");
    assert!(last.starts_with("Safe, certified by z3 ") && last.ends_with(": 9 obligations"), "{last}");
    assert!(!last.contains("cvc5"), "{last}");

    let crashing = check(&with("exit 1"), folder.path(), &["--format", "json"]);
    let found = object(&crashing);
    assert_eq!((code(&crashing), &found["certified"]), (0, &json!(true)));
    assert_eq!((&found["solvers"][0]["proved"], &found["solvers"][1]["proved"]), (&json!(9), &json!(0)));

    let refuting = check(&with("says sat"), folder.path(), &[]);
    assert_eq!(code(&refuting), 1);
    let text = out(&refuting);
    assert!(text.contains("\ncvc5 1.0.3 does not prove 9 obligations:\n"), "{text}");
    assert!(text.contains("\nNot certified: a solver denies it."), "{text}");
}

/// Real solvers find a counterexample where there is one: here in a script that lacks a part of the guard, and that they get in
/// place of the right one.
#[test]
fn real_solvers_refute() {
    if !are_installed() {
        return;
    }
    let folder = models();
    let path = folder.path();
    write_certificate(path, "mutex.cub", "c");
    let script = path.join("c/step-02-enter.smt2");
    let text = fs::read_to_string(&script).expect("a script");
    let wrong = text.replace("(= s.Turn p.p)", "true");
    assert_ne!(text, wrong);
    fs::write(path.join("wrong.smt2"), wrong).expect("a file is written");
    let wrong = path.join("wrong.smt2");
    let path_of_ours = std::env::var("PATH").expect("the path is text");
    for (solver, arguments) in [("z3", "-smt2"), ("cvc5", "--lang=smt2 --incremental")] {
        let body = format!(
            "PATH='{path_of_ours}'; case $script in */step-02-enter.smt2) script='{}';; esac; {solver} {arguments} \"$script\"",
            wrong.display()
        );
        let output = check(&Programs::none().with(solver, &body), path, &[]);
        assert_eq!(code(&output), 1, "{}", out(&output));
        let expected = "transition `enter` preserves clause 1: it says that there is a counterexample";
        assert!(out(&output).replace("\n    ", " ").contains(expected), "{}", out(&output));
    }
}

/// What is proved with the whole invariant only is written down that way, so that the next one who checks it is not asked
/// twice.
#[test]
fn hints_that_do_not_help() {
    let folder = models();
    let path = folder.path();
    let programs = Programs::none().with("z3", SECOND_TIME);
    let output = run_with(&programs, path, &["certify", "mutex.cub", "c", "--format", "json"]);
    let found = object(&output);
    assert_eq!((code(&output), &found["certified"]), (0, &json!(true)), "{found}");
    assert_eq!((&found["solvers"][0]["proved"], &found["solvers"][0]["retried"]), (&json!(9), &json!(0)));
    let has_hints = |one: &Value| one.get("from").is_some();
    assert!(!manifest(&path.join("c"))["obligations"].as_array().expect("a list").iter().any(has_hints));
    assert_eq!(names(path).iter().filter(|name| name.starts_with('.')).count(), 0);
    let checked = check(&Programs::agreeing(), path, &["--format", "json"]);
    let found = object(&checked);
    assert_eq!((code(&checked), &found["solvers"][0]["retried"]), (0, &json!(0)));
    if are_installed() {
        assert_eq!(code(&run(path, &["check-certificate", "c"], b"")), 0);
    }
}

/// Solvers read copies of the scripts, which have to be somewhere.
#[test]
fn no_place_to_ask() {
    let (folder, programs) = (small(), Programs::none().with("z3", "says unknown"));
    let temporary = folder.path().join("nowhere");
    let program = env!("CARGO_BIN_EXE_polycube");
    let limit = "trap '' XFSZ; ulimit -f 0;";
    for (before, temporary) in [("", &temporary), (limit, &std::env::temp_dir())] {
        let script = format!(
            "{before} PATH='{}' TMPDIR='{}' exec '{program}' check-certificate c",
            programs.path().display(),
            temporary.display()
        );
        let output = program::run_program("/bin/sh", folder.path(), &["-c", &script], b"");
        assert_eq!(code(&output), 2, "{before}");
        let expected = "the scripts cannot be written where temporary files are";
        assert!(err(&output).contains(expected), "{}", err(&output));
    }
}

/// The line that shows progress is taken away in the end.
#[cfg(target_os = "linux")]
#[test]
fn progress() {
    let (folder, program) = (small(), env!("CARGO_BIN_EXE_polycube"));
    let programs = Programs::none().with("z3", "sleep 0.3; says unsat");
    let command = format!(
        "stty rows 24 cols 90; TERM=xterm PATH='{}' '{program}' check-certificate c -j 1 > /dev/null",
        programs.path().display()
    );
    let output = program::run_program("script", folder.path(), &["-qec", &command, "/dev/null"], b"");
    let lines: Vec<&str> = out(&output).split("\r\x1b[K").collect();
    assert!(lines.len() > 2, "{lines:?}");
    assert_eq!((lines[0], lines[lines.len() - 1]), ("", ""), "it is taken away");
    for line in &lines[1..lines.len() - 1] {
        assert!(line.starts_with("z3 4.8.12: ") && line.contains(" of 13 answers, "), "{line}");
    }
}
