//! Whether the clauses of a model are an inductive invariant as they are: then there is nothing to search for.
//!
//! Who has written `invariant` clauses may have written all that a proof needs; and what they say may be more than sets of
//! states with a few named processes do. The routine that checks what a search has found is asked about them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use polycube_certificate::{Clause, Invariant, Obligation};
use polycube_engine::backward::{Answer, CubeFormula, Reason, Verification};
use polycube_induction::{Effort, Induction, Wanted};
use polycube_language::System;
use polycube_language::formula::Formula;
use polycube_language::system::Property;

/// How many obligations are looked at.
const OBLIGATIONS: usize = 5_000;

/// How much is done for them: so often it is asked whether to go on. (With one thread, that does not depend on the
/// machine.)
const QUESTIONS: u64 = 20_000;

/// Whether it is worth the time to ask before a search: who writes `invariant` clauses means them to be inductive; and if a clause
/// says something of all processes, then a search may have to know more of them than it can say.
pub(crate) fn is_promising(system: &System) -> bool {
    let mut properties = system.properties.iter();
    system.invariant_clauses().next().is_some()
        || properties.any(|property| property.formula.has_quantifier())
}

/// That all properties hold, because none of them is true of an initial state, and no step leads from a state in which none
/// is to one in which one is. Nothing where that is not so, or was not found out with little effort.
pub(crate) fn inductive(system: &System, interrupt: &AtomicBool) -> Option<Verification> {
    let invariant = Invariant { clauses: system.properties.iter().flat_map(clauses).collect() };
    if Obligation::count(system, &invariant) > OBLIGATIONS {
        return None;
    }
    let asked = AtomicU64::new(0);
    let goes_on = || asked.fetch_add(1, Ordering::Relaxed) < QUESTIONS && !interrupt.load(Ordering::Relaxed);
    let effort = Effort { goes_on: &goes_on, threads: 1, wanted: Wanted::Answers };
    let all: BTreeSet<Obligation> = Obligation::all(system, &invariant).into_iter().collect();
    Induction::proof(system, &invariant, &all, &effort)?;
    let clauses = invariant.clauses.into_iter();
    let cube = |Clause { parameters, never }| CubeFormula { parameters, formula: never };
    Some(Verification {
        answers: vec![Answer::Safe; system.properties.len()],
        invariant: clauses.map(cube).collect(),
        // The reason is that of no answer.
        ..Verification::nothing(system, &Reason::Interrupted)
    })
}

/// That a property never holds; if it is one thing or another, a clause for each.
fn clauses(property: &Property) -> Vec<Clause> {
    let parts = match &property.formula {
        Formula::Or(parts) => &parts[..],
        formula => std::slice::from_ref(formula),
    };
    let clause = |never: &Formula| Clause { parameters: property.parameters.clone(), never: never.clone() };
    parts.iter().map(clause).collect()
}

#[cfg(test)]
mod tests {
    use polycube_engine::forward::{Goal, Options, explore};
    use polycube_language::system::Processes;
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, random_system};

    use super::*;

    /// What is said to be inductive is never reached with up to 3 processes.
    #[test]
    fn random_clauses_that_are_inductive_are_not_reached() {
        for_seeds!(300, |seed: u64| {
            let system = random_system(seed, &Profile { places: seed % 2 == 1, ..Profile::FINITE });
            if inductive(&system, &AtomicBool::new(false)).is_none() {
                return;
            }
            let sizes = match system.processes {
                Processes::Exactly(count) => count..=count,
                Processes::Any => 1..=3,
            };
            for processes in sizes {
                let mut options = Options { goal: Goal::Everything, ..Options::new(processes) };
                options.limits.states = Some(2_000);
                let Ok(found) = explore(&system, &options, &mut ()) else { return };
                assert!(found.violations.is_empty(), "{processes} processes\n{}", system.to_source());
            }
        });
    }
}
