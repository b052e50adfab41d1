//! Real solvers.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use polycube_solver::Answer::{Satisfiable, TimedOut, Unsatisfiable};
use polycube_solver::{Cause, Failure, Kind, Limits, Solver};
use tempfile::TempDir;

use crate::ending::PROMPT;
use crate::{generous, run};

const UNSAT: &str = "(assert false)";
const SAT: &str = "(assert true)";

/// Nobody knows a solution, and nobody knows that there is none. Solvers search until their time is up.
const HARD: &str = "(declare-const x Int) (declare-const y Int) (declare-const z Int)
    (assert (= (+ (* x x x) (* y y y) (* z z z)) 114))";

/// Takes gigabytes, before anybody looks at the clock.
const LARGE: &str = "(declare-const a (_ BitVec 1500)) (declare-const b (_ BitVec 1500))
    (assert (= (bvmul a b) (bvadd (bvmul a a b) (bvnot b)))) (assert (bvugt a b))";

/// Those that are installed.
fn installed() -> Vec<Solver> {
    let find = |kind| {
        let found = Solver::find(kind);
        found.inspect_err(|error| polycube_testing::skip_without_solver(&error.to_string())).ok()
    };
    Kind::ALL.into_iter().filter_map(find).collect()
}

/// A script that checks one after the other.
fn script(checks: &[&str]) -> (TempDir, PathBuf) {
    let mut text = "(set-logic ALL)\n".to_owned();
    for check in checks {
        writeln!(text, "(push 1)\n{check}\n(check-sat)\n(pop 1)").expect("a string takes everything");
    }
    file("script.smt2", &text)
}

fn file(name: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("a new file can be written");
    (folder, path)
}

#[test]
fn they_say_who_they_are() {
    for solver in installed() {
        let parts: Vec<&str> = solver.version().split('.').collect();
        assert!(parts.len() >= 3 && parts[0].parse::<u32>().is_ok(), "{solver}");
        assert_eq!(solver.program().to_str(), Some(solver.kind().program()));
    }
}

#[test]
fn one_answer_for_each_check() {
    let (_folder, path) = script(&[UNSAT, SAT, UNSAT]);
    for solver in installed() {
        let (answers, end) = run(&solver, &path, 3, &generous());
        end.unwrap_or_else(|failure| panic!("{solver}: {failure}"));
        assert_eq!(answers, [Unsatisfiable, Satisfiable, Unsatisfiable], "{solver}");
    }
}

#[test]
fn names_of_files_may_be_strange() {
    for name in ["a=b.smt2", "-t.smt2", "two words.smt2", "no-extension", "it's \"$quoted\".smt2", "ä.smt2"]
    {
        let (_folder, path) = file(name, "(set-logic ALL)\n(check-sat)\n");
        for solver in installed() {
            let (answers, end) = run(&solver, &path, 1, &generous());
            end.unwrap_or_else(|failure| panic!("{solver} on {name}: {failure}"));
            assert_eq!(answers, [Satisfiable], "{solver}");
        }
    }
}

#[test]
fn a_check_that_takes_too_long_does_not_harm_the_others() {
    let (_folder, path) = script(&[UNSAT, HARD, SAT, HARD, UNSAT]);
    let limits = Limits::new(Duration::from_millis(500), 2 << 30);
    for solver in installed() {
        let (answers, end) = run(&solver, &path, 5, &limits);
        end.unwrap_or_else(|failure| panic!("{solver}: {failure}"));
        assert_eq!(answers, [Unsatisfiable, TimedOut, Satisfiable, TimedOut, Unsatisfiable], "{solver}");
    }
}

#[test]
fn answers_are_reported_as_they_arrive() {
    let (_folder, path) = script(&[UNSAT, HARD]);
    let limits = Limits::new(Duration::from_secs(60), 2 << 30);
    for solver in installed() {
        let stop = AtomicBool::new(false);
        let start = Instant::now();
        // If the first answer came with the second, this would take a minute.
        let end = solver.run(&path, 2, &limits, &stop, &mut |_, _| stop.store(true, Ordering::Relaxed));
        assert!(matches!(end, Err(Failure { answered: 1, cause: Cause::Interrupted })), "{solver}: {end:?}");
        assert!(start.elapsed() < Duration::from_secs(20), "{solver}");
    }
}

#[test]
fn stopping_is_prompt() {
    let (_folder, path) = script(&[HARD]);
    for solver in installed() {
        let stop = AtomicBool::new(false);
        let took = thread::scope(|scope| {
            let run = scope.spawn(|| solver.run(&path, 1, &generous(), &stop, &mut |_, _| {}));
            thread::sleep(Duration::from_millis(300));
            let stopped = Instant::now();
            stop.store(true, Ordering::Relaxed);
            let end = run.join().expect("nothing panics");
            assert!(
                matches!(end, Err(Failure { answered: 0, cause: Cause::Interrupted })),
                "{solver}: {end:?}"
            );
            stopped.elapsed()
        });
        assert!(took < PROMPT, "{solver}: {took:?}");
    }
}

#[test]
fn a_solver_that_does_not_look_at_the_clock_is_killed() {
    let (_folder, path) = script(&[UNSAT, LARGE, UNSAT]);
    let limits =
        Limits { per_check: Duration::from_millis(200), grace: Duration::from_millis(800), memory: 8 << 30 };
    for solver in installed() {
        let (answers, end) = run(&solver, &path, 3, &limits);
        assert_eq!(answers, [Unsatisfiable], "{solver}");
        assert!(matches!(end, Err(Failure { cause: Cause::TimedOut { .. }, .. })), "{solver}: {end:?}");
    }
}

#[test]
fn the_memory_is_limited() {
    let (_folder, path) = script(&[UNSAT, LARGE, UNSAT]);
    for solver in installed() {
        let (answers, end) = run(&solver, &path, 3, &Limits { memory: 150 << 20, ..generous() });
        assert_eq!(answers, [Unsatisfiable], "{solver}");
        assert!(matches!(end, Err(Failure { cause: Cause::OutOfMemory, .. })), "{solver}: {end:?}");
    }
}

#[test]
fn extreme_limits() {
    let (_folder, path) = script(&[UNSAT, SAT]);
    for solver in installed() {
        let none = Limits::new(Duration::MAX, u64::MAX);
        let (answers, end) = run(&solver, &path, 2, &none);
        end.unwrap_or_else(|failure| panic!("{solver}: {failure}"));
        assert_eq!(answers, [Unsatisfiable, Satisfiable], "{solver}");
        let nothing = Limits { per_check: Duration::ZERO, grace: Duration::ZERO, memory: 0 };
        run(&solver, &path, 2, &nothing).1.expect_err("nobody can do that");
    }
}

#[test]
fn mistakes_in_scripts_are_failures() {
    let mistake = "(assert (= undeclared 1))";
    let (_folder, path) = script(&[UNSAT, mistake, UNSAT]);
    for solver in installed() {
        let (answers, end) = run(&solver, &path, 3, &generous());
        assert_eq!(answers, [Unsatisfiable], "{solver}");
        let Err(Failure { cause: Cause::Error(message), .. }) = end else { panic!("{solver}: {end:?}") };
        assert!(message.contains("undeclared"), "{solver}: {message}");
    }
}

#[test]
fn a_mistake_after_the_last_check_is_a_failure() {
    let (_folder, path) = file("script.smt2", "(set-logic ALL)\n(check-sat)\n(assert");
    for solver in installed() {
        let (answers, end) = run(&solver, &path, 1, &generous());
        assert_eq!(answers, [Satisfiable], "{solver}");
        assert!(matches!(end, Err(Failure { cause: Cause::Error { .. }, .. })), "{solver}: {end:?}");
    }
}

#[test]
fn what_is_no_answer_is_a_failure() {
    let (_folder, path) =
        file("script.smt2", "(set-logic ALL)\n(check-sat)\n(echo \"unsat or so\")\n(check-sat)\n");
    for solver in installed() {
        let (answers, end) = run(&solver, &path, 2, &generous());
        assert_eq!(answers, [Satisfiable], "{solver}");
        assert!(matches!(end, Err(Failure { cause: Cause::Rubbish { .. }, .. })), "{solver}: {end:?}");
    }
}

#[test]
fn the_number_of_checks_matters() {
    let (_folder, path) = script(&[UNSAT, UNSAT]);
    for solver in installed() {
        let end = run(&solver, &path, 3, &generous()).1;
        assert!(matches!(end, Err(Failure { cause: Cause::TooFewAnswers { expected: 3 }, .. })), "{end:?}");
        let end = run(&solver, &path, 1, &generous()).1;
        assert!(matches!(end, Err(Failure { cause: Cause::TooManyAnswers { expected: 1 }, .. })), "{end:?}");
    }
}

#[test]
fn a_script_that_does_not_exist() {
    let (folder, _path) = script(&[]);
    for solver in installed() {
        let end = run(&solver, &folder.path().join("missing.smt2"), 1, &generous()).1;
        assert!(matches!(end, Err(Failure { cause: Cause::Error { .. }, .. })), "{solver}: {end:?}");
    }
}
