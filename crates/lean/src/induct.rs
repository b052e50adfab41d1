//! Are clauses inductive together? For each that is not, a counterexample: a state in which all of them hold, and a step to one
//! in which it does not.

use std::collections::BTreeSet;

use polycube_certificate::clauses::first_distinct;
use polycube_certificate::interpreter::{Assignment, holds};
use polycube_certificate::{Cell, Clause, Instance, Invariant, Obligation, Orders, State, Value};
use polycube_induction::{Counterexample, Effort, Finding, Induction};
use polycube_language::System;
use polycube_language::system::Processes;

use crate::essential::{BadStep, violating};
use crate::literal::{conclusion, literals};
use crate::proof::clauses_of;

/// What is known of one obligation of a clause.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds, because of the clauses with these numbers.
    Holds(BTreeSet<usize>),
    /// It does not.
    Fails(Box<BadState>),
    /// Neither was found.
    Unknown,
}

/// A counterexample to induction, or an initial state that violates a clause.
#[derive(Clone, Debug)]
pub struct BadState {
    /// How many processes there are.
    pub processes: u32,
    /// What `<` means.
    pub orders: Orders,
    /// The state, in which all clauses hold unless it is initial.
    pub before: State,
    /// The values of it that matter.
    pub matters: State,
    /// The step, if it is no initial state.
    pub step: Option<BadMove>,
    /// For which processes the clause is violated.
    pub violated_for: Vec<u32>,
}

/// A step that violates a clause.
#[derive(Clone, Debug)]
pub struct BadMove {
    /// The number of the transition.
    pub transition: usize,
    /// The processes in place of its parameters.
    pub arguments: Vec<u32>,
    /// The state after it.
    pub after: State,
    /// What it changes, as far as that follows from what matters before.
    pub changes: Vec<(Cell, Value)>,
    /// The values of that state that violate the clause.
    pub violating: State,
    /// How it violates the clause.
    pub case: Case,
}

/// How a step violates a clause, read as `premise => conclusion`: the failure cases of Pandav, Slind and Gopalakrishnan (CHARME
/// 2005), section 2.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// I: the premise held, and the step made the conclusion false.
    Conclusion,
    /// II: the conclusion was false, and the step made the premise true.
    Premise,
    /// III: neither the premise held nor the conclusion failed; the step changed both.
    Both,
}

/// What is known of a clause.
#[derive(Clone, Debug)]
pub struct ClauseVerdicts {
    /// Whether all initial states satisfy it.
    pub initially: Verdict,
    /// For each transition, whether its steps preserve it.
    pub preserved: Vec<Verdict>,
}

impl ClauseVerdicts {
    /// What is known of each obligation: initially, and for each transition.
    pub fn all(&self) -> impl Iterator<Item = &Verdict> {
        [&self.initially].into_iter().chain(&self.preserved)
    }

    /// Whether it holds initially, and every step preserves it.
    pub fn is_proved(&self) -> bool {
        self.all().all(|verdict| matches!(verdict, Verdict::Holds(_)))
    }
}

/// Looks at each obligation of clauses by itself: all of them are assumed before a step.
pub fn induct(system: &System, clauses: &[Clause], effort: &Effort<'_>) -> Vec<ClauseVerdicts> {
    let invariant = Invariant { clauses: clauses.to_vec() };
    let ask = |obligation| smallest(system, &invariant, obligation, effort);
    (0..clauses.len())
        .map(|clause| ClauseVerdicts {
            initially: ask(Obligation::Initially { clause }),
            preserved: (0..system.transitions.len())
                .map(|transition| ask(Obligation::Preserved { transition, clause }))
                .collect(),
        })
        .collect()
}

/// The same as [`verdict`], but a counterexample is looked for with few processes first: one that is found with
/// exactly so many is one of the system, since any number of processes is allowed.
fn smallest(system: &System, invariant: &Invariant, obligation: Obligation, effort: &Effort<'_>) -> Verdict {
    let found = verdict(system, invariant, obligation, effort);
    let Verdict::Fails(bad) = &found else { return found };
    let fewer = if system.processes == Processes::Any { 1..bad.processes } else { 0..0 };
    let with_fewer = fewer.into_iter().find_map(|count| {
        let system = System { processes: Processes::Exactly(count), ..system.clone() };
        let found = verdict(&system, invariant, obligation, effort);
        matches!(found, Verdict::Fails(_)).then_some(found)
    });
    with_fewer.unwrap_or(found)
}

pub(crate) fn verdict(
    system: &System,
    invariant: &Invariant,
    obligation: Obligation,
    effort: &Effort<'_>,
) -> Verdict {
    let clause = match obligation {
        Obligation::Initially { clause } | Obligation::Preserved { clause, .. } => &invariant.clauses[clause],
        Obligation::Excludes { .. } => return Verdict::Unknown,
    };
    let found = Induction::of_some(system, invariant, &BTreeSet::from([obligation]), effort);
    match found.findings.get(&obligation) {
        Some(Finding::Proved(hints)) => Verdict::Holds(clauses_of(hints, invariant)),
        // What a step does not change is not listed.
        None if found.is_proved() => Verdict::Holds(BTreeSet::new()),
        Some(Finding::Refuted(counterexample)) => bad_state(system, clause, obligation, counterexample)
            .map_or(Verdict::Unknown, |bad| Verdict::Fails(Box::new(bad))),
        Some(Finding::Open(_)) | None => Verdict::Unknown,
    }
}

fn bad_state(
    system: &System,
    clause: &Clause,
    obligation: Obligation,
    counterexample: &Counterexample,
) -> Option<BadState> {
    let Counterexample { processes, orders, state, step } = counterexample.clone();
    let instance = &Instance::new(system, processes, orders.clone()).ok()?;
    let last = step.as_ref().map_or(&state, |(_, after)| after);
    let violated_for = first_distinct(instance, &clause.never, &clause.parameters, last)?;
    let (matters, step) = match (obligation, step) {
        (Obligation::Preserved { transition, .. }, Some((arguments, after))) => {
            let bad = BadStep {
                instance,
                transition: &system.transitions[transition],
                arguments: &arguments,
                after: &after,
                clause,
                processes: &violated_for,
            };
            let matters = bad.essential(&state);
            let is_change = |(cell, value): &(Cell, Value)| matters.get(cell) != Some(value);
            let changes = bad.known_after(&matters).into_iter().filter(is_change).collect();
            let case = case(instance, clause, &violated_for, &state);
            let violating = violating(instance, clause, &violated_for, &after);
            (matters, Some(BadMove { transition, arguments, after, changes, violating, case }))
        }
        _ => (violating(instance, clause, &violated_for, &state), None),
    };
    Some(BadState { processes, orders, before: state, matters, step, violated_for })
}

fn case(instance: &Instance<'_>, clause: &Clause, processes: &[u32], before: &State) -> Case {
    let assignment = Assignment::of(&clause.parameters, processes);
    let holds = |literal| holds(instance, literal, before, &assignment);
    let literals = literals(clause);
    let conclusion = conclusion(literals);
    let premise = literals.iter().enumerate().filter(|(at, _)| *at != conclusion);
    match (premise.into_iter().all(|(_, literal)| holds(literal)), holds(&literals[conclusion])) {
        (true, _) => Case::Conclusion,
        (false, true) => Case::Premise,
        (false, false) => Case::Both,
    }
}

#[cfg(test)]
mod tests {
    use polycube_induction::Wanted;
    use polycube_testing::models;

    use super::*;

    /// The paper's section 3: coherence alone is violated by the steps that receive a grant, and by no others.
    #[test]
    fn coherence_of_german_alone() {
        let models = models("safe");
        let model = models.iter().find(|model| model.name() == "german").expect("there is such a model");
        let system = polycube_language::check(&model.text).system.expect("a correct model");
        let clauses: Vec<Clause> = (system.properties.iter())
            .map(|one| Clause { parameters: one.parameters.clone(), never: one.formula.clone() })
            .collect();
        let effort = Effort { goes_on: &|| true, threads: 1, wanted: Wanted::Hints };
        let found = induct(&system, &clauses, &effort);
        assert_eq!(found.len(), 1);
        assert!(matches!(found[0].initially, Verdict::Holds(_)));
        let failing: Vec<(&str, &BadState)> = (found[0].preserved.iter().zip(&system.transitions))
            .filter_map(|(verdict, transition)| match verdict {
                Verdict::Fails(bad) => Some((transition.name.as_str(), &**bad)),
                Verdict::Holds(_) | Verdict::Unknown => None,
            })
            .collect();
        let names: Vec<&str> = failing.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["receive_shared", "receive_exclusive"]);
        for (name, bad) in failing {
            // Two processes, the grant of one of them and the copy of the other.
            assert_eq!((bad.processes, bad.matters.iter().count()), (2, 2), "{name}: {:?}", bad.matters);
        }
    }
}
