//! Invariants that are not the ones that were found: they are rejected, or happen to be inductive too.

use std::collections::BTreeMap;
use std::sync::Mutex;

use polycube_certificate::Invariant;
use polycube_language::System;
use polycube_solver::{Answer, Solver};
use polycube_testing::for_seeds;
use polycube_testing::generate::Random;

use crate::ask::{all_solvers, hints_for, unproved, unproved_from_all};
use crate::corruption::{Change, Corrupted, corruptions};
use crate::{Subject, induction};

/// How many invariants are tried.
const CORRUPTED: u64 = 60;
const CORRUPTED_WITH_WITNESSES: u64 = 50;

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

/// Those whose clauses say that a process exists.
const WITH_WITNESSES: [&str; 7] = [
    "agreement",
    "gate_barrier",
    "lookout_readers_writers",
    "replicated_write",
    "splitter",
    "two_locks",
    "unanimous_commit",
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
        let unproved = unproved(solver, system, invariant, &induction.hints());
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

/// A random change of a random model's invariant.
#[test]
fn random_changes_of_invariants_are_rejected() {
    let subjects = Subject::models(&|name| MODELS.contains(&name));
    let totals = Totals::default();
    if let Some(tried) = for_seeds!(CORRUPTED, |seed| reject(&all_solvers(), &subjects, seed, &totals)) {
        are_mostly_rejected(&totals, tried);
    }
}

/// The same, where clauses say that a process exists.
#[test]
fn random_changes_of_invariants_with_witnesses_are_rejected() {
    let subjects = Subject::models(&|name| WITH_WITNESSES.contains(&name));
    for Subject { name, invariant, .. } in &subjects {
        assert!(invariant.clauses.iter().any(|clause| !clause.promised().is_empty()), "{name}");
    }
    let totals = Totals::default();
    if let Some(tried) =
        for_seeds!(CORRUPTED_WITH_WITNESSES, |seed| reject(&all_solvers(), &subjects, seed, &totals))
    {
        are_mostly_rejected(&totals, tried);
    }
}

/// How often each change had each fate.
type Totals = Mutex<BTreeMap<(Change, Fate), u64>>;

fn reject(solvers: &[Solver], subjects: &[Subject], seed: u64, totals: &Totals) {
    let mut random = Random::new(seed);
    let Subject { name, system, invariant } = random.pick(subjects);
    let Corrupted { change, clause, invariant } =
        corruptions(system, invariant, &mut random).pop().expect("every invariant can be changed");
    let fate = fate(solvers, system, &invariant)
        .unwrap_or_else(|wrong| panic!("{name}, clause {clause} {change:?}: {wrong}"));
    // What the judge leaves open, a solver rejects: where there is none, only how often that is needed can be tested.
    let is_decided = solvers.is_empty() || !matches!(fate, Fate::Unknown | Fate::Open);
    assert!(is_decided, "{name}, clause {clause} {change:?}: {fate:?}");
    *totals.lock().expect("not poisoned").entry((change, fate)).or_default() += 1;
}

fn are_mostly_rejected(totals: &Totals, tried: u64) {
    let totals = totals.lock().expect("not poisoned");
    let count = |wanted: Fate| -> u64 {
        totals.iter().filter(|((_, fate), _)| *fate == wanted).map(|(_, count)| count).sum()
    };
    // The test would mean little if nothing was rejected; and it is the judge who rejects.
    assert!(count(Fate::Refuted) > tried / 2, "{totals:?}");
    assert!(count(Fate::Satisfiable) + count(Fate::Open) <= 3 + tried / 50, "{totals:?}");
    assert!(count(Fate::Inductive) > 0, "{totals:?}");
}
