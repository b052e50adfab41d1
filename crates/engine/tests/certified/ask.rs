//! Asking outside solvers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use polycube_certificate::hint::Hints;
use polycube_certificate::smtlib::Script;
use polycube_certificate::{Invariant, Obligation};
use polycube_language::System;
use polycube_language::system::Processes;
use polycube_solver::{Answer, Failure, Kind, Limits, Solver};

/// How long a solver may think about one question.
const PATIENCE: Duration = Duration::from_secs(20);

/// How much memory it may take.
const MEMORY: u64 = 4 << 30;

/// The solver of a kind, where it is installed. Where it is not, this says so, unless the environment says that it has to be.
pub fn installed(kind: Kind) -> Option<Solver> {
    let found = Solver::find(kind);
    found.inspect_err(|error| polycube_testing::skip_without_solver(&error.to_string())).ok()
}

/// All solvers that are installed.
pub fn all_solvers() -> Vec<Solver> {
    Kind::ALL.into_iter().filter_map(installed).collect()
}

/// The obligations that a solver does not prove, with an answer that is not `unsat`; `sat` if there is such a one.
pub type Unproved = BTreeMap<Obligation, Answer>;

/// Which obligations a solver does not prove: first from what the hints say, and what it does not prove from that from the
/// whole invariant.
pub fn unproved(solver: &Solver, system: &System, invariant: &Invariant, hints: &Hints) -> Unproved {
    let scripts = crate::scripts(system, invariant, hints);
    are_complete(system, invariant, &scripts);
    let first = unproved_in(solver, &scripts);
    let hinted = |obligation: &&Obligation| hints.contains_key(obligation);
    let again: BTreeSet<Obligation> = first.keys().filter(hinted).copied().collect();
    let mut second = unproved_from_all(solver, system, invariant, hints, &again);
    second.extend(first.into_iter().filter(|(obligation, _)| !again.contains(obligation)));
    second
}

/// Which of these obligations a solver does not prove from the whole invariant.
pub fn unproved_from_all(
    solver: &Solver,
    system: &System,
    invariant: &Invariant,
    hints: &Hints,
    obligations: &BTreeSet<Obligation>,
) -> Unproved {
    let mut fewer = hints.clone();
    fewer.retain(|obligation, _| !obligations.contains(obligation));
    let concerned = |script: &Script| script.checks.iter().flatten().any(|one| obligations.contains(one));
    let mut scripts = crate::scripts(system, invariant, &fewer);
    scripts.retain(concerned);
    let mut unproved = unproved_in(solver, &scripts);
    unproved.retain(|obligation, _| obligations.contains(obligation));
    unproved
}

/// Hints that make everything short that is not about one of these obligations: they need not be proved.
pub fn hints_for(system: &System, invariant: &Invariant, obligations: &BTreeSet<Obligation>) -> Hints {
    let all = Obligation::all(system, invariant).into_iter();
    all.filter(|obligation| !obligations.contains(obligation))
        .map(|obligation| (obligation, Vec::new()))
        .collect()
}

/// The obligations that have a question whose answer is not `unsat`.
pub fn unproved_in(solver: &Solver, scripts: &[Script]) -> Unproved {
    let checks = scripts.iter().flat_map(|script| &script.checks);
    let mut unproved = Unproved::new();
    for (obligations, answer) in checks.zip(answers(solver, scripts)) {
        for &obligation in obligations {
            match answer {
                Answer::Unsatisfiable => {}
                Answer::Satisfiable => {
                    unproved.insert(obligation, answer);
                }
                Answer::Unknown | Answer::TimedOut => {
                    unproved.entry(obligation).or_insert(answer);
                }
            }
        }
    }
    unproved
}

/// The answers to all checks of scripts, asked of one process.
pub fn answers(solver: &Solver, scripts: &[Script]) -> Vec<Answer> {
    let together = scripts.iter().map(|script| script.text.as_str()).collect::<Vec<_>>().join("(reset)\n");
    let count = |script: &Script| script.checks.len();
    ask(solver, &together, scripts.iter().map(count).sum()).unwrap_or_else(|_| {
        // A failure of one should not concern the others.
        let one = |script: &Script| {
            ask(solver, &script.text, count(script)).unwrap_or_else(|_| vec![Answer::Unknown; count(script)])
        };
        scripts.iter().flat_map(one).collect()
    })
}

/// The answers to a text with this many checks.
pub fn ask(solver: &Solver, text: &str, checks: usize) -> Result<Vec<Answer>, Failure> {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let path = folder.path().join("script.smt2");
    fs::write(&path, text).expect("a new file can be written");
    let limits = Limits::new(PATIENCE, MEMORY);
    let mut answers = Vec::new();
    let mut listen = |_, answer| answers.push(answer);
    solver.run(&path, checks, &limits, &AtomicBool::new(false), &mut listen)?;
    Ok(answers)
}

/// Every obligation has a question; unless there are not enough processes for it.
fn are_complete(system: &System, invariant: &Invariant, scripts: &[Script]) {
    let asked: BTreeSet<&Obligation> = scripts.iter().flat_map(|script| &script.checks).flatten().collect();
    for obligation in Obligation::all(system, invariant) {
        let processes = match obligation {
            Obligation::Initially { clause } | Obligation::Preserved { clause, .. } => {
                invariant.clauses[clause].parameters.len()
            }
            Obligation::Excludes { .. } => 0,
        };
        let exists = match system.processes {
            Processes::Any => true,
            Processes::Exactly(count) => processes <= count as usize,
        };
        assert!(!exists || asked.contains(&obligation), "nobody asks about {obligation:?}");
    }
}
