//! Invariants that are not the ones that were found: they are rejected, or happen to be inductive too.

use std::collections::BTreeMap;

use polycube_certificate::Invariant;
use polycube_certificate::smtlib;
use polycube_language::System;
use polycube_language::generate::Random;
use polycube_solver::{Answer, Solver};

use crate::ask::{all_solvers, hints_for, unproved, unproved_from_all};
use crate::corruption::{Change, Corrupted, corruptions};
use crate::{Subject, induction, on_all_cores};

/// How many invariants are tried.
const CORRUPTED: usize = 1_000;

/// The models whose invariants are changed.
const MODELS: [&str; 14] = [
    "burns",
    "dekker_n",
    "german",
    "germanish",
    "illinois",
    "msi",
    "mutex",
    "peterson_two",
    "readers_writers",
    "ricart_agrawala",
    "szymanski_atomic",
    "szymanski_nonatomic",
    "two_phase_commit",
    "two_semaphores",
];

/// What becomes of an invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It is rejected, with a counterexample that the judge has executed.
    Refuted,
    /// It is rejected, with a counterexample of a solver.
    Satisfiable,
    /// It is inductive, as all say.
    Inductive,
    /// It is inductive, as all solvers say; the judge does not know.
    Open,
    /// Nobody knows.
    Unknown,
}

/// What becomes of an invariant.
///
/// # Errors
///
/// If the judge and the solvers contradict each other.
pub fn fate(solvers: &[Solver], system: &System, invariant: &Invariant) -> Result<Fate, String> {
    let induction = induction(system, invariant);
    if let Some((refuted, counterexample)) = induction.refuted() {
        let obligations = [refuted].into();
        let hints = hints_for(system, invariant, &obligations);
        // One of them is enough to see that the question does not assume too much.
        for solver in solvers.iter().take(1) {
            let unproved = unproved_from_all(solver, system, invariant, &hints, &obligations);
            if !unproved.contains_key(&refuted) {
                let why = counterexample.display(system);
                return Err(format!("{solver} proves {refuted:?}, which is refuted: {why}"));
            }
        }
        return Ok(Fate::Refuted);
    }
    let is_proved = induction.is_proved();
    let mut fate = if is_proved { Fate::Inductive } else { Fate::Open };
    for solver in solvers {
        let unproved = unproved(solver, system, invariant, &smtlib::hints(&induction));
        if is_proved && !unproved.is_empty() {
            return Err(format!("the judge proves what {solver} does not: {unproved:?}"));
        }
        if unproved.values().any(|answer| *answer == Answer::Satisfiable) {
            return Ok(Fate::Satisfiable);
        }
        if !unproved.is_empty() {
            fate = Fate::Unknown;
        }
    }
    Ok(fate)
}

#[test]
fn corrupted_invariants_are_rejected() {
    let solvers = all_solvers();
    let subjects = Subject::models(&|name| MODELS.contains(&name));
    let mut random = Random::new(0);
    let mut pools: Vec<(&Subject, Vec<Corrupted>)> = subjects
        .iter()
        .map(|subject| (subject, corruptions(&subject.system, &subject.invariant, &mut random)))
        .collect();
    // As many of each model as there are, and of the larger ones as many as it takes.
    let mut chosen = Vec::new();
    while chosen.len() < CORRUPTED {
        for (subject, pool) in &mut pools {
            chosen.extend(pool.pop().map(|corrupted| (*subject, corrupted)));
        }
    }
    chosen.truncate(CORRUPTED);
    let fates = on_all_cores(&chosen, &|(subject, corrupted)| {
        let Corrupted { change, clause, invariant } = corrupted;
        let about = format!("{}, clause {clause} {change:?}", subject.name);
        fate(&solvers, &subject.system, invariant).unwrap_or_else(|wrong| panic!("{about}: {wrong}"))
    });
    let mut totals: BTreeMap<(Change, Fate), usize> = BTreeMap::new();
    for ((_, corrupted), fate) in chosen.iter().zip(&fates) {
        *totals.entry((corrupted.change, *fate)).or_default() += 1;
    }
    let count = |fate: Fate| fates.iter().filter(|found| **found == fate).count();
    assert_eq!(count(Fate::Unknown), 0, "{totals:?}");
    // The test would mean little if nothing was rejected; and it is the judge who rejects.
    assert!(count(Fate::Refuted) > CORRUPTED * 6 / 10, "{totals:?}");
    assert_eq!(count(Fate::Open), 0, "{totals:?}");
    assert!(count(Fate::Satisfiable) < CORRUPTED / 100, "{totals:?}");
    assert!(count(Fate::Inductive) > 0, "{totals:?}");
}
