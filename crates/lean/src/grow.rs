//! An invariant from nothing: the properties, and then whatever excludes the steps that lead out of them.
//!
//! That is what a designer does (CHARME 2005), without the designer. Among the claims that exclude a step and
//! that no known state violates, it is the one that speaks of least new things; so what comes out uses few
//! predicates, where a search that wants to end soon takes what is most general.

use polycube_certificate::{Clause, Invariant, Obligation};
use polycube_engine::backward::Suggester;
use polycube_induction::Effort;
use polycube_language::System;

use crate::claim::{as_clause, candidates, clause_of, leaves, novelty, property_of};
use crate::induct::{BadState, Verdict, verdict};
use crate::literal::size;

/// An invariant with more clauses will not be lean.
const MOST: usize = 80;

/// So many claims may turn out to be wrong.
const WRONG: usize = 20;

/// How many claims are compared.
const COMPARED: usize = 8;

/// Clauses that every step preserves together, the properties among them; if it finds them. It is not a proof:
/// whether initial states satisfy them is not asked, and whoever uses them proves all of it ([`shrink`]).
///
/// [`shrink`]: crate::shrink()
pub fn grow(system: &System, suggester: &Suggester<'_>, effort: &Effort<'_>) -> Option<Invariant> {
    let clauses: Vec<Clause> = system.properties.iter().map(clause_of).collect();
    // For each clause, the one because of which it is claimed.
    let mut reasons = vec![None; clauses.len()];
    let mut invariant = Invariant { clauses };
    let mut wrong: Vec<Clause> = Vec::new();
    let mut next = 0;
    // What was preserved is preserved if more is claimed: so each clause is looked at once.
    while next < invariant.clauses.len() {
        let mut transition = 0;
        while transition < system.transitions.len() {
            let obligation = Obligation::Preserved { transition, clause: next };
            let bad = match verdict(system, &invariant, obligation, effort) {
                Verdict::Holds(_) => {
                    transition += 1;
                    continue;
                }
                Verdict::Fails(bad) => bad,
                Verdict::Unknown => return None,
            };
            if invariant.clauses.len() > MOST || wrong.len() > WRONG || !(effort.goes_on)() {
                return None;
            }
            match choose(system, suggester, &invariant, next, transition, &bad, &wrong, effort) {
                Some(clause) => {
                    invariant.clauses.push(clause);
                    reasons.push(Some(next));
                }
                // A step from states that are reachable, for all that is known, leads out of the clause. What
                // was claimed later may have been preserved because of it, but not what was claimed before.
                None => {
                    wrong.push(invariant.clauses[next].clone());
                    let reason = reasons[next]?;
                    invariant.clauses.truncate(next);
                    reasons.truncate(next);
                    (next, transition) = (reason, 0);
                }
            }
        }
        next += 1;
    }
    Some(invariant)
}

/// What to claim because of a counterexample: what has least literals that were not there, then what most
/// transitions preserve.
#[expect(clippy::too_many_arguments, reason = "a step of the loop above, which has all of them at hand")]
fn choose(
    system: &System,
    suggester: &Suggester<'_>,
    invariant: &Invariant,
    clause: usize,
    transition: usize,
    bad: &BadState,
    wrong: &[Clause],
    effort: &Effort<'_>,
) -> Option<Clause> {
    let property = property_of(&invariant.clauses[clause]);
    let found = candidates(system, suggester, &property, transition, bad, COMPARED, false);
    let mut found: Vec<Clause> =
        found.open.iter().map(as_clause).filter(|one| !wrong.contains(one)).collect();
    let least = found.iter().map(|one| novelty(&invariant.clauses, one)).min()?;
    found.retain(|one| novelty(&invariant.clauses, one) == least);
    if found.len() == 1 {
        return found.pop();
    }
    let cost = |one: &Clause| leaves(system, &invariant.clauses, one, effort);
    found.into_iter().min_by_key(|one| (cost(one), one.parameters.len(), size(one)))
}
