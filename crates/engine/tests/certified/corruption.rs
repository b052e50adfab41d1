//! What can happen to an invariant.

use polycube_certificate::{Clause, Invariant};
use polycube_language::System;
use polycube_language::formula::{Comparison, Formula, Quantified, Term, VariableId};
use polycube_testing::generate::Random;

/// How many conjuncts of other clauses are added to each clause.
const ADDED: usize = 3;

/// Added conjuncts have numbers of their own for the variables that they bind.
const BOUND: u32 = 1000;

/// How an invariant was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// A clause is missing.
    Dropped,
    /// A conjunct of what a clause excludes is negated.
    Flipped,
    /// A clause claims more: what it excludes has a conjunct less.
    Strengthened,
    /// A clause claims less: what it excludes has a conjunct more.
    Weakened,
    /// A constructor of an enumeration is another one.
    Swapped,
}

/// An invariant that differs from another one in one place.
#[derive(Clone, Debug)]
pub struct Corrupted {
    pub change: Change,
    /// The number of the clause.
    pub clause: usize,
    pub invariant: Invariant,
}

/// The ways to change an invariant in one place, in a random order; of those that add something, some.
pub fn corruptions(system: &System, invariant: &Invariant, random: &mut Random) -> Vec<Corrupted> {
    let mut found: Vec<Corrupted> = Vec::new();
    for (number, clause) in invariant.clauses.iter().enumerate() {
        let mut add = |change, replacement: Option<Formula>| {
            let mut clauses = invariant.clauses.clone();
            match replacement {
                Some(never) => clauses[number].never = never,
                None => drop(clauses.remove(number)),
            }
            let is_new = |known: &Corrupted| known.invariant.clauses != clauses;
            if clauses != invariant.clauses && found.iter().all(is_new) {
                found.push(Corrupted { change, clause: number, invariant: Invariant { clauses } });
            }
        };
        add(Change::Dropped, None);
        let conjuncts = conjuncts(&clause.never);
        for at in 0..conjuncts.len() {
            let with = |replacement: Option<Formula>| {
                let mut changed = conjuncts.clone();
                changed.splice(at..=at, replacement);
                Some(Formula::and(changed))
            };
            add(Change::Flipped, with(Some(Formula::not(conjuncts[at].clone()))));
            add(Change::Strengthened, with(None));
            for swapped in swapped(system, &conjuncts[at]) {
                add(Change::Swapped, with(Some(swapped)));
            }
        }
        for _ in 0..ADDED {
            let other = random.pick(&invariant.clauses);
            let Some(added) = conjunct_for(clause, other, random) else { continue };
            let more = conjuncts.iter().cloned().chain([added]).collect::<Vec<_>>();
            add(Change::Weakened, Some(Formula::and(more)));
        }
    }
    for last in (1..found.len()).rev() {
        found.swap(last, random.below(last + 1));
    }
    found
}

fn conjuncts(formula: &Formula) -> Vec<Formula> {
    match formula {
        Formula::And(parts) => parts.clone(),
        Formula::Constant(true) => Vec::new(),
        other => vec![other.clone()],
    }
}

/// A conjunct of another clause, maybe negated, said of parameters of this one.
fn conjunct_for(clause: &Clause, other: &Clause, random: &mut Random) -> Option<Formula> {
    let candidates = conjuncts(&other.never);
    if candidates.is_empty() || other.parameters.len() > clause.parameters.len() {
        return None;
    }
    let mut conjunct = random.pick(&candidates).clone();
    let offset = random.below(clause.parameters.len().max(1));
    conjunct.rename(&mut |variable: VariableId| {
        let at = other.parameters.iter().position(|parameter| parameter.id == variable);
        // A variable that is bound inside gets a number that no clause has.
        let bound = VariableId(variable.0 + BOUND);
        at.map_or(bound, |at| clause.parameters[(at + offset) % clause.parameters.len()].id)
    });
    Some(if random.percent(50) { Formula::not(conjunct) } else { conjunct })
}

/// The formula with another constructor in one place, in all ways.
fn swapped(system: &System, formula: &Formula) -> Vec<Formula> {
    match formula {
        Formula::Compare(comparison) => swapped_in(system, comparison),
        Formula::Not(part) => swapped(system, part).into_iter().map(Formula::not).collect(),
        Formula::And(parts) => swapped_parts(system, parts).into_iter().map(Formula::and).collect(),
        Formula::Or(parts) => swapped_parts(system, parts).into_iter().map(Formula::or).collect(),
        Formula::Quantified(quantified) => (swapped(system, &quantified.body).into_iter())
            .map(|body| Formula::Quantified(Quantified { body: Box::new(body), ..quantified.clone() }))
            .collect(),
        Formula::Constant(_) | Formula::Iff(_) | Formula::IfThenElse(_) => Vec::new(),
    }
}

fn swapped_parts(system: &System, parts: &[Formula]) -> Vec<Vec<Formula>> {
    let at = |at: usize| {
        swapped(system, &parts[at]).into_iter().map(move |swapped| {
            let mut parts = parts.to_vec();
            parts[at] = swapped;
            parts
        })
    };
    (0..parts.len()).flat_map(at).collect()
}

fn swapped_in(system: &System, comparison: &Comparison) -> Vec<Formula> {
    let mut found = Vec::new();
    let mut change = |term: &Term, put: &dyn Fn(Term) -> Comparison| {
        if let Term::Constructor(id, index) = term {
            let count = system.enumeration(*id).constructors.len() as u32;
            let others = (0..count).filter(|other| other != index);
            found.extend(others.map(|other| Formula::Compare(put(Term::Constructor(*id, other)))));
        }
    };
    change(&comparison.left, &|left| Comparison { left, ..comparison.clone() });
    change(&comparison.right, &|right| Comparison { right, ..comparison.clone() });
    found
}
