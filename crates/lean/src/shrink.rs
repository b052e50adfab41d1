//! An invariant becomes smaller: clauses go, and literals of those that stay.

use std::collections::BTreeSet;

use polycube_certificate::{Clause, Invariant};
use polycube_engine::backward::Witnesses;
use polycube_induction::{Effort, Induction};
use polycube_language::System;
use polycube_language::formula::Formula;

use crate::literal::{literals, size, variables};
use crate::merge::merged;
use crate::proof::Proof;
use crate::values::Values;

/// How much may be tried in a row without success.
#[derive(Clone, Copy)]
struct Patience {
    /// To leave out literals: how many obligations may be looked at.
    literals: usize,
    /// To leave out clauses: how many may not be.
    clauses: usize,
}

impl Patience {
    const ENDLESS: Patience = Patience { literals: usize::MAX, clauses: usize::MAX };

    /// Of 90 models, 11 have a clause that says more without a literal, and most of these are found by the third
    /// attempt; 13 have a clause that is not needed.
    const SHORT: Patience = Patience { literals: 40, clauses: 5 };
}

/// An inductive invariant that excludes all properties, as the given one does, with fewer and shorter
/// clauses. As far as the effort goes; nothing if the given one is not proved to be one.
///
/// A clause with a literal less claims more, and may make others unnecessary. A wrong claim is never
/// inductive, so it need not be feared that one claims too much: that only costs the attempt.
pub fn shrink(system: &System, invariant: &Invariant, effort: &Effort<'_>) -> Option<Invariant> {
    Some(smaller(system, Proof::new(system, tidied(system, invariant), effort)?, Patience::ENDLESS, effort))
}

/// The same for an invariant whose proof is known, with hints, and only so long as at most so many obligations
/// are proved again, and it seems to lead somewhere.
///
/// The proof is that of the given clauses. It is one of the tidied clauses too, since each of them says the same
/// as the one with its number.
pub(crate) fn shrink_a_bit(
    system: &System,
    invariant: &Invariant,
    induction: Induction,
    questions: usize,
    witnesses: &Witnesses<'_>,
    effort: &Effort<'_>,
) -> Option<Invariant> {
    let proof = Proof::found(system, tidied(system, invariant), induction, questions)?;
    Some(smaller(system, proof.with(witnesses), Patience::SHORT, effort))
}

/// The invariant with one literal for each cell.
fn tidied(system: &System, invariant: &Invariant) -> Invariant {
    let tidy = |clause: &Clause| {
        let never = Formula::and(Values::combined(system, literals(clause).iter().cloned()));
        Clause { parameters: clause.parameters.clone(), never }
    };
    Invariant { clauses: invariant.clauses.iter().map(tidy).collect() }
}

fn smaller(system: &System, mut proof: Proof<'_>, patience: Patience, effort: &Effort<'_>) -> Invariant {
    proof.keep_what_is_needed();
    loop {
        let is_stronger = generalize(&mut proof, patience.literals, effort);
        drop_clauses(&mut proof, patience.clauses, effort);
        // What does not follow from some clauses does not follow from fewer of them: it is tried again only if one
        // says more than before.
        if !is_stronger || proof.is_exhausted() || !(effort.goes_on)() {
            break;
        }
    }
    let (invariant, _) = proof.into_parts();
    Invariant { clauses: merged(system, invariant.clauses) }
}

/// Leaves literals out of clauses, as long as what they say then is inductive together with the rest, until so many
/// obligations in a row were looked at in vain. Whether any clause says more now.
fn generalize(proof: &mut Proof<'_>, patience: usize, effort: &Effort<'_>) -> bool {
    let (mut is_stronger, mut in_vain) = (false, 0);
    for number in 0..proof.clauses().len() {
        let mut at = 0;
        while at < size(&proof.clauses()[number])
            && in_vain < patience
            && !proof.is_exhausted()
            && (effort.goes_on)()
        {
            let Some(stronger) = without_literal(&proof.clauses()[number], at) else { break };
            let before = proof.questions();
            if proof.strengthen(number, stronger, effort) {
                (is_stronger, in_vain) = (true, 0);
            } else {
                at += 1;
                in_vain += before - proof.questions();
            }
        }
        if let Some(stronger) = without_idle_parameters(&proof.clauses()[number]) {
            is_stronger |= proof.strengthen(number, stronger, effort);
        }
    }
    is_stronger
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

/// Leaves out clauses where the others are enough, until so many attempts in a row have failed: first those from which
/// the least follows, and of these the longest.
fn drop_clauses(proof: &mut Proof<'_>, patience: usize, effort: &Effort<'_>) {
    let mut order: Vec<usize> = (0..proof.clauses().len()).collect();
    let uses = proof.uses();
    order.sort_by_key(|&clause| (uses[clause], std::cmp::Reverse(size(&proof.clauses()[clause]))));
    let (mut gone, mut failed): (Vec<usize>, usize) = (Vec::new(), 0);
    for original in order {
        if failed >= patience || proof.is_exhausted() || !(effort.goes_on)() {
            return;
        }
        let number = original - gone.iter().filter(|&&before| before < original).count();
        if proof.without(&BTreeSet::from([number]), effort) {
            gone.push(original);
            failed = 0;
        } else {
            failed += 1;
        }
    }
}
