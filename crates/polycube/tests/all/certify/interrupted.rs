//! Ctrl-C, at any time.

use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use polycube_testing::measure::cpu_at_end;

use super::*;
use crate::program::signal::{begin, send, start};

/// A Z3 that never answers, and the numbers of its processes in the file `pids`.
fn asleep(folder: &Path) -> Programs {
    let pids = folder.join("pids");
    Programs::none().with("z3", &format!("sleep 1000 & echo $$ $! >> '{}'; wait", pids.display()))
}

/// Seconds of CPU time until everything has ended, from the start of the program.
const MOST_CPU: f64 = 2.0;

/// Begins our program where these programs are found.
fn begin_with(programs: &Programs, folder: &Path, arguments: &[&str]) -> Child {
    begin(&found_in(programs), folder, arguments)
}

fn found_in(programs: &Programs) -> String {
    format!("export PATH='{}';", programs.path().display())
}

/// The processes that the solvers started.
fn processes(folder: &Path) -> Vec<String> {
    let begin = Instant::now();
    loop {
        let text = fs::read_to_string(folder.join("pids")).unwrap_or_default();
        if text.ends_with('\n') {
            return text.split_whitespace().map(str::to_owned).collect();
        }
        assert!(begin.elapsed() < Duration::from_secs(300), "no solver is started");
        sleep(Duration::from_millis(10));
    }
}

/// Whether a process is there, and not only waited for.
fn is_alive(process: &str) -> bool {
    // Behind the name of the program, which may have any character in it.
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    state.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

/// Whether these end, as what was killed does in its next turn on a processor.
fn are_gone(processes: &[String]) -> bool {
    let begin = Instant::now();
    while processes.iter().any(|process| is_alive(process)) {
        if begin.elapsed() > Duration::from_secs(60) {
            return false;
        }
        sleep(Duration::from_millis(10));
    }
    true
}

/// The check ends soon, and so do the solvers.
#[test]
fn the_check() {
    let folder = models();
    let path = folder.path();
    let programs = asleep(path);
    for (signal, format) in [("-INT", "human"), ("-TERM", "json")] {
        let arguments = ["certify", "mutex.cub", "c", "--force", "--format", format];
        let child = begin_with(&programs, path, &arguments);
        let processes = processes(path);
        assert!(processes.iter().any(|process| is_alive(process)), "{processes:?}");
        let begin = Instant::now();
        send(signal, &child);
        let cpu = cpu_at_end(&child);
        let output = child.wait_with_output().expect("the program ends");
        // Its solver would have slept for much longer. How long this takes on a machine that does other things too, nobody
        // knows; but the program does next to nothing.
        assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
        assert!(cpu < MOST_CPU, "{cpu} s of CPU time");
        assert_eq!((code(&output), err(&output)), (3, ""), "{signal}");
        assert!(are_gone(&processes), "{signal}: a solver is left");
        if format == "human" {
            let text = out(&output);
            assert!(text.starts_with("The certificate is in c: "), "{text}");
            assert!(text.ends_with("\n\nNot certified: the check was interrupted.\n"), "{text}");
        } else {
            let found = object(&output);
            assert_eq!((&found["certified"], &found["interrupted"]), (&json!(false), &json!(true)));
            assert_eq!(found["solvers"], json!([]));
        }
        fs::remove_file(path.join("pids")).expect("it is removed");
        // The certificate is there, and can be checked later.
        let checked = run_with(&Programs::agreeing(), path, &["check-certificate", "c"]);
        assert_eq!((code(&checked), err(&checked)), (0, ""));
    }
    assert!(!names(path).iter().any(|name| name.starts_with('.')), "nothing is left behind");
}

/// The same for `check-certificate`.
#[test]
fn the_check_alone() {
    let folder = models();
    let path = folder.path();
    write_certificate(path, "mutex.cub", "c");
    let programs = asleep(path);
    let child = begin_with(&programs, path, &["check-certificate", "c"]);
    let processes = processes(path);
    send("-INT", &child);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((code(&output), err(&output)), (3, ""));
    assert!(out(&output).ends_with("\nNot certified: the check was interrupted.\n"), "{}", out(&output));
    assert!(are_gone(&processes), "a solver is left");
}

/// While solvers are asked again.
#[test]
fn the_second_attempt() {
    let folder = models();
    let path = folder.path();
    write_certificate(path, "mutex.cub", "c");
    let pids = path.join("pids");
    let programs = Programs::none().with(
        "z3",
        &format!(
            "case $script in c/*) says unknown;; *) sleep 1000 & echo $$ $! >> '{}'; wait;; esac",
            pids.display()
        ),
    );
    let child = begin_with(&programs, path, &["check-certificate", "c"]);
    let processes = processes(path);
    send("-INT", &child);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((code(&output), err(&output)), (3, ""));
    assert!(out(&output).ends_with("\nNot certified: the check was interrupted.\n"), "{}", out(&output));
    assert!(are_gone(&processes), "a solver is left");
}

/// The search ends with a report, and nothing is written.
#[test]
fn the_search() {
    let folder = models();
    let path = folder.path();
    let before = names(path);
    let programs = Programs::agreeing();
    for arguments in [&["certify", "ever.cub", "c"][..], &["verify", "ever.cub", "--certificate", "c"]] {
        let child = start(&found_in(&programs), path, arguments);
        send("-INT", &child);
        let cpu = cpu_at_end(&child);
        let output = child.wait_with_output().expect("the program ends");
        assert!(cpu < MOST_CPU, "{cpu} s of CPU time");
        assert_eq!((code(&output), err(&output)), (3, ""), "{arguments:?}");
        assert!(out(&output).starts_with("Unknown: the search was interrupted.\n"), "{}", out(&output));
        assert_eq!(names(path), before, "{arguments:?}");
    }
}
