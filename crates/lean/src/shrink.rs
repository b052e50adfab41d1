//! An invariant becomes smaller: clauses go, and literals of those that stay.

use std::collections::BTreeSet;

use polycube_certificate::{Clause, Invariant};
use polycube_induction::{Effort, Induction};
use polycube_language::System;
use polycube_language::formula::Formula;

use crate::literal::{literals, size, variables};
use crate::merge::merged;
use crate::proof::Proof;
use crate::values::Values;

/// An inductive invariant that excludes all properties, as the given one does, with fewer and shorter
/// clauses. As far as the effort goes; nothing if the given one is not proved to be one.
///
/// A clause with a literal less claims more, and may make others unnecessary. A wrong claim is never
/// inductive, so it need not be feared that one claims too much: that only costs the attempt.
pub fn shrink(system: &System, invariant: &Invariant, effort: &Effort<'_>) -> Option<Invariant> {
    Some(smaller(system, Proof::new(system, tidied(system, invariant), effort)?, effort))
}

/// The same for an invariant whose proof is known, with hints, and only so long as at most so many obligations
/// are proved again.
///
/// The proof is that of the given clauses. It is one of the tidied clauses too, since each of them says the same
/// as the one with its number.
pub(crate) fn shrink_a_bit(
    system: &System,
    invariant: &Invariant,
    induction: Induction,
    questions: usize,
    effort: &Effort<'_>,
) -> Option<Invariant> {
    Some(smaller(system, Proof::found(system, tidied(system, invariant), induction, questions)?, effort))
}

/// The invariant with one literal for each cell.
fn tidied(system: &System, invariant: &Invariant) -> Invariant {
    let tidy = |clause: &Clause| {
        let never = Formula::and(Values::combined(system, literals(clause).iter().cloned()));
        Clause { parameters: clause.parameters.clone(), never }
    };
    Invariant { clauses: invariant.clauses.iter().map(tidy).collect() }
}

fn smaller(system: &System, mut proof: Proof<'_>, effort: &Effort<'_>) -> Invariant {
    proof.keep_what_is_needed();
    loop {
        let before = measure(&proof);
        generalize(&mut proof, effort);
        drop_clauses(&mut proof, effort);
        if measure(&proof) == before || proof.is_exhausted() || !(effort.goes_on)() {
            break;
        }
    }
    let (invariant, _) = proof.into_parts();
    Invariant { clauses: merged(system, invariant.clauses) }
}

/// How many clauses and literals there are.
fn measure(proof: &Proof<'_>) -> (usize, usize) {
    (proof.clauses().len(), proof.clauses().iter().map(size).sum())
}

/// Leaves literals out of clauses, as long as what they say then is inductive together with the rest.
fn generalize(proof: &mut Proof<'_>, effort: &Effort<'_>) {
    for number in 0..proof.clauses().len() {
        let mut at = 0;
        while at < size(&proof.clauses()[number]) && !proof.is_exhausted() && (effort.goes_on)() {
            let clause = &proof.clauses()[number];
            let stronger = without_literal(clause, at);
            if stronger.is_none_or(|stronger| !proof.strengthen(number, stronger, effort)) {
                at += 1;
            }
        }
        if let Some(stronger) = without_idle_parameters(&proof.clauses()[number]) {
            proof.strengthen(number, stronger, effort);
        }
    }
}

/// The clause without a literal; nothing if it says nothing else.
fn without_literal(clause: &Clause, dropped: usize) -> Option<Clause> {
    let literals = literals(clause);
    let rest =
        literals.iter().enumerate().filter(|(at, _)| *at != dropped).map(|(_, literal)| literal.clone());
    let never = Formula::and(rest);
    (literals.len() > 1).then(|| Clause { parameters: clause.parameters.clone(), never })
}

/// The clause without parameters that it does not mention, if it has some: so it also speaks of instances
/// with fewer processes.
fn without_idle_parameters(clause: &Clause) -> Option<Clause> {
    let spoken_of = variables(&clause.never);
    let parameters: Vec<_> =
        clause.parameters.iter().filter(|parameter| spoken_of.contains(&parameter.id)).cloned().collect();
    let is_shorter = parameters.len() < clause.parameters.len();
    is_shorter.then(|| Clause { parameters, never: clause.never.clone() })
}

/// Leaves out clauses, the longest first, where the others are enough.
fn drop_clauses(proof: &mut Proof<'_>, effort: &Effort<'_>) {
    let mut order: Vec<usize> = (0..proof.clauses().len()).collect();
    order.sort_by_key(|&clause| std::cmp::Reverse(size(&proof.clauses()[clause])));
    let mut gone: Vec<usize> = Vec::new();
    for original in order {
        if proof.is_exhausted() || !(effort.goes_on)() {
            return;
        }
        let number = original - gone.iter().filter(|&&before| before < original).count();
        if proof.without(&BTreeSet::from([number]), effort) {
            gone.push(original);
        }
    }
}
