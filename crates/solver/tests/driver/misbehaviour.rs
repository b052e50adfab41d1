//! Solvers that crash, talk nonsense, or say too little or too much.

use std::time::{Duration, Instant};

use polycube_solver::Answer::{self, Satisfiable, TimedOut, Unknown, Unsatisfiable};
use polycube_solver::{Cause, Failure, Limits};

use crate::fake::Fake;
use crate::generous;

/// Runs a program on three checks.
fn run(body: &str) -> (Vec<Answer>, Result<(), Failure>) {
    Fake::new(body).run(3, &generous())
}

/// Runs a program on three checks, which fails after that many answers.
fn cause(body: &str, answered: usize) -> Cause {
    let (_, end) = run(body);
    let failure = end.expect_err("this program fails");
    assert_eq!(failure.answered, answered, "{failure}");
    failure.cause
}

#[test]
fn a_program_that_behaves() {
    let (answers, end) = run("echo sat; echo unsat; echo 'a warning' >&2; echo unknown");
    assert_eq!(answers, [Satisfiable, Unsatisfiable, Unknown]);
    end.expect("nothing is wrong with it");
}

#[test]
fn a_script_without_checks() {
    let (answers, end) = Fake::new("").run(0, &generous());
    assert!(answers.is_empty());
    end.expect("it had nothing to say");
}

#[test]
fn arguments_are_those_of_the_command_line() {
    let fake = Fake::new("echo \"$0 $*\" > \"$folder/arguments\"");
    let limits = generous();
    fake.run(0, &limits).1.expect("it does nothing else");
    let said = std::fs::read_to_string(fake.file("arguments")).expect("it was written");
    assert_eq!(said.trim(), fake.solver.command_line("script.smt2".as_ref(), &limits));
}

#[test]
fn giving_up_late_means_that_the_time_was_up() {
    let fake = Fake::new("echo unknown; sleep 1; echo unknown; echo unknown");
    let limits =
        Limits { per_check: Duration::from_millis(900), grace: Duration::from_secs(30), memory: 1 << 30 };
    let (answers, end) = fake.run(3, &limits);
    end.expect("nothing is wrong with it");
    assert_eq!(answers[1..], [TimedOut, Unknown]);
}

#[test]
fn crashes() {
    let Cause::Crashed { status, stderr } = cause("echo unsat; echo 'oh no' >&2; exit 3", 1) else {
        panic!("it ended with a bad exit code");
    };
    assert_eq!((status.code(), stderr.as_str()), (Some(3), "oh no"));
    assert!(matches!(
        cause("echo unsat; echo unsat; kill -SEGV $$", 2),
        Cause::Crashed { status, .. } if status.code().is_none()
    ));
    assert!(matches!(cause("kill -KILL $$", 0), Cause::Crashed { .. }));
}

#[test]
fn a_crash_after_the_last_answer() {
    assert!(matches!(cause("echo unsat; echo unsat; echo unsat; exit 1", 3), Cause::Crashed { .. }));
}

#[test]
fn the_end_of_what_it_complained_about() {
    let Cause::Crashed { stderr, .. } = cause("yes complaint | head -n 100000 >&2; echo last >&2; exit 1", 0)
    else {
        panic!("it ended with a bad exit code");
    };
    assert!(stderr.ends_with("complaint\nlast") && stderr.len() < 200, "{stderr}");
}

#[test]
fn errors_are_failures_whatever_comes_then() {
    let message = |body, answered| match cause(body, answered) {
        Cause::Error(message) => message,
        other => panic!("{other:?}"),
    };
    let body = "echo unsat; echo '(error \"line 3: unknown constant x\")'; echo unsat; echo unsat";
    assert_eq!(message(body, 1), "line 3: unknown constant x");
    let late = "echo unsat; echo unsat; echo unsat; echo '(error \"too late\")'";
    assert_eq!(message(late, 3), "too late");
    let elsewhere = "echo unsat; echo unsat; echo unsat; echo '(error \"on stderr\")' >&2";
    assert_eq!(message(elsewhere, 3), "on stderr");
    assert_eq!(message("printf '(error \"two\\nlines\")\\n'", 0), "two");
}

#[test]
fn out_of_memory() {
    for body in [
        "echo unsat; echo '(error \"out of memory\")' >&2; exit 101",
        "echo unsat; echo '(error \"std::bad_alloc\")'; exit 1",
        "echo unsat; echo \"terminate called after throwing an instance of 'std::bad_alloc'\" >&2; kill -ABRT $$",
    ] {
        assert!(matches!(cause(body, 1), Cause::OutOfMemory), "{body}");
    }
}

#[test]
fn rubbish() {
    let line = |body, answered| match cause(body, answered) {
        Cause::Rubbish(line) => line,
        other => panic!("{other:?}"),
    };
    assert_eq!(line("echo unsat; echo success", 1), "success");
    assert_eq!(line("echo unsat; echo; echo unsat", 1), "");
    assert_eq!(line("echo ' unsat'", 0), " unsat");
    assert_eq!(line("printf 'unsat\\nuns'", 1), "uns");
    assert_eq!(line("printf '\\377\\376 unsat\\n'", 0), "\u{fffd}\u{fffd} unsat");
    assert_eq!(line("printf 'unsat\\0\\n'", 0), "unsat\u{fffd}");
    assert_eq!(line("printf '%0300d\\n' 0", 0), format!("{}…", "0".repeat(200)));
}

#[test]
fn endless_output() {
    let start = Instant::now();
    assert!(matches!(cause("yes", 0), Cause::Rubbish(line) if line == "y"));
    assert!(matches!(cause("yes unsat", 3), Cause::TooManyAnswers { expected: 3 }));
    assert!(matches!(cause("tr '\\0' x < /dev/zero", 0), Cause::Rubbish(line) if line.starts_with("xxx")));
    assert!(start.elapsed() < Duration::from_secs(20), "it should be noticed at once");
}

#[test]
fn endless_complaints_do_not_fill_the_memory_or_hide_the_clock() {
    let limits =
        Limits { per_check: Duration::from_millis(100), grace: Duration::from_millis(200), memory: 1 << 30 };
    for body in ["yes >&2", "tr '\\0' x < /dev/zero >&2"] {
        let (_, end) = Fake::new(body).run(1, &limits);
        assert!(matches!(end, Err(Failure { answered: 0, cause: Cause::TimedOut { .. } })), "{end:?}");
    }
}

#[test]
fn too_few_answers() {
    assert!(matches!(cause("echo unsat; echo unsat", 2), Cause::TooFewAnswers { expected: 3 }));
    assert!(matches!(cause("", 0), Cause::TooFewAnswers { expected: 3 }));
    // That is how Z3 ends when all its time is up.
    assert!(matches!(cause("echo unsat; echo timeout", 2), Cause::TooFewAnswers { expected: 3 }));
}

#[test]
fn too_many_answers() {
    let (answers, end) = run("for check in 1 2 3 4; do echo unsat; done");
    assert_eq!(answers, [Unsatisfiable; 3]);
    assert!(matches!(end, Err(Failure { answered: 3, cause: Cause::TooManyAnswers { expected: 3 } })));
}

#[test]
fn a_program_that_is_gone_when_it_is_needed() {
    let fake = Fake::new("");
    std::fs::remove_file(fake.solver.program()).expect("it is ours");
    let failure = fake.run(1, &generous()).1.expect_err("there is nothing to run");
    assert!(matches!(failure.cause, Cause::CannotRun(_)), "{failure:?}");
}

#[test]
fn the_memory_is_limited() {
    let fake = Fake::new("ulimit -v >&2; exit 1");
    let limits = Limits { memory: 1 << 30, ..generous() };
    let failure = fake.run(1, &limits).1.expect_err("it never answers");
    let Cause::Crashed { stderr, .. } = failure.cause else { panic!("{failure}") };
    if cfg!(target_os = "linux") {
        assert_eq!(stderr, (1 << 20).to_string());
    }
}

#[test]
fn failures_in_words() {
    let text = |body| run(body).1.expect_err("this program fails").to_string();
    assert_eq!(text("echo unsat; exit 3"), "it crashed (exit status: 3), after 1 answer");
    assert_eq!(text("echo oh >&2; echo no >&2; exit 3"), "it crashed (exit status: 3, saying `oh no`)");
    assert_eq!(text("echo unsat; echo unsat"), "it ended without answering all 3 checks, after 2 answers");
    assert_eq!(text("echo maybe"), "it wrote `maybe`, which is no answer");
    assert_eq!(text("echo '(error \"line 1\")'"), "it reported an error (`line 1`)");
}
