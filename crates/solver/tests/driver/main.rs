//! Tests of the driver: with real solvers, and with programs that behave as badly as a solver can.

#![cfg(unix)]

mod ending;
mod fake;
mod misbehaviour;
mod not_a_solver;
mod real;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use polycube_solver::{Answer, Failure, Limits, Solver};

/// Enough for everything but the tests of limits.
fn generous() -> Limits {
    Limits::new(Duration::from_secs(60), 4 << 30)
}

/// Runs a solver that nobody stops: the answers, and the end.
fn run(solver: &Solver, script: &Path, checks: usize, limits: &Limits) -> (Vec<Answer>, Result<(), Failure>) {
    let mut answers = Vec::new();
    let end = solver.run(script, checks, limits, &AtomicBool::new(false), &mut |number, answer| {
        assert_eq!(number, answers.len(), "answers are numbered in order");
        answers.push(answer);
    });
    let answered = end.as_ref().map_or_else(|failure| failure.answered, |()| checks);
    assert_eq!(answered, answers.len());
    (answers, end)
}
