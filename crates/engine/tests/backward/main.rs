//! Backward reachability: known answers, and random systems against exploration.

use polycube_engine::backward::{Answer, Options, Verification};

mod metamorphic;
mod published;
mod quirks;
mod random;
mod threads;

/// The answer for all properties together.
fn answer_of(verification: &Verification) -> &'static str {
    let any = |is: fn(&Answer) -> bool| verification.answers.iter().any(is);
    if any(|answer| matches!(answer, Answer::Unsafe(_))) {
        "unsafe"
    } else if any(|answer| matches!(answer, Answer::Unknown(_))) {
        "unknown"
    } else {
        "safe"
    }
}

fn two_threads() -> Options {
    Options { threads: 2, ..Options::default() }
}
