//! The leaner of two invariants: the one that a search has found, made smaller, and one from nothing.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use polycube_certificate::Invariant;
use polycube_engine::backward::Suggester;
use polycube_engine::oracle::Plan;
use polycube_induction::Effort;
use polycube_language::System;

use crate::formulas::Formulas;
use crate::grow::grow;
use crate::literal::literals_of;
use crate::shrink::shrink;

/// How many states are enough to refute what is wrong: about so many.
pub(crate) const STATES: u64 = 32_000;

/// An invariant with so many times as many clauses as another one is not made smaller: that takes long, and
/// what comes out is not that small.
const LARGER: usize = 4;

/// An inductive invariant that excludes all properties, as the given one does, in as few formulas and literals
/// as were found. As far as the effort goes: the given one, if that is nowhere.
pub fn discover(
    system: &System,
    found: &Invariant,
    max_bytes: Option<usize>,
    interrupt: &Arc<AtomicBool>,
    effort: &Effort<'_>,
) -> Invariant {
    let suggester = Suggester::new(system, Plan::default(), max_bytes, interrupt).ok();
    let grown = suggester.and_then(|mut suggester| {
        let violations = suggester.explore(STATES, effort.threads, &mut ());
        // The given one would not be an invariant.
        assert!(violations.is_empty(), "a run violates a property that is proved");
        shrink(system, &grow(system, &suggester, effort)?, effort)
    });
    let is_enough = |grown: &Invariant| grown.clauses.len() * LARGER < found.clauses.len();
    let shrunk = match &grown {
        Some(grown) if is_enough(grown) => None,
        _ => shrink(system, found, effort),
    };
    let is_stopped = !(effort.goes_on)();
    let size = |invariant: &Invariant| match Formulas::of(system, invariant, effort) {
        Some(formulas) if !is_stopped => (formulas.formulas.len(), formulas.literals()),
        // There is no time to put it into words.
        _ => (invariant.clauses.len(), literals_of(invariant)),
    };
    shrunk.into_iter().chain(grown).min_by_key(size).unwrap_or_else(|| found.clone())
}
