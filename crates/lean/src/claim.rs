//! What one may claim in addition to clauses: what it brings, and what it costs.

use std::collections::BTreeSet;

use polycube_certificate::clauses::first_distinct;
use polycube_certificate::{Clause, Instance, Invariant, Obligation};
use polycube_engine::backward::{CubeFormula, Suggester, Suggestions};
use polycube_induction::{Effort, Induction};
use polycube_language::System;
use polycube_language::formula::Formula;
use polycube_language::system::{Property, PropertyKind};

use crate::induct::BadState;
use crate::literal::{anonymous, literals};

/// What a property excludes, as a clause.
pub fn clause_of(property: &Property) -> Clause {
    Clause { parameters: property.parameters.clone(), never: property.formula.clone() }
}

/// What a clause excludes, as a property.
pub(crate) fn property_of(clause: &Clause) -> Property {
    Property {
        kind: PropertyKind::Invariant,
        parameters: clause.parameters.clone(),
        formula: clause.never.clone(),
        origin: clause.parameters.first().map(|parameter| parameter.origin).unwrap_or_default(),
    }
}

/// What excludes the state in which a counterexample of a transition to a property begins: `most` or more that
/// no known reachable state violates, for each way in which the step violates the property; and some that are
/// refuted, if `all` is set.
pub(crate) fn candidates(
    system: &System,
    suggester: &Suggester<'_>,
    property: &Property,
    transition: usize,
    bad: &BadState,
    most: usize,
    all: bool,
) -> Suggestions {
    let wanted = |formula: &CubeFormula| removes(system, &as_clause(formula), bad);
    let mut found = suggester.suggest(property, transition, most, all, &wanted);
    // The state may have a value that no cell ever has: then cubes do not speak of it.
    let impossible = suggester.impossible_values().into_iter().filter(|formula| wanted(formula));
    found.open.splice(0..0, impossible);
    found
}

pub(crate) fn as_clause(formula: &CubeFormula) -> Clause {
    Clause { parameters: formula.parameters.clone(), never: formula.formula.clone() }
}

/// Whether a clause is violated where a counterexample begins: then it is none any more.
pub(crate) fn removes(system: &System, clause: &Clause, bad: &BadState) -> bool {
    Instance::new(system, bad.processes, bad.orders.clone()).is_ok_and(|instance| {
        bad.step.is_some()
            && first_distinct(&instance, &clause.never, &clause.parameters, &bad.before).is_some()
    })
}

/// How many literals of a clause no other clause has, whatever the processes are called: of how much more one
/// has to think.
pub(crate) fn novelty(clauses: &[Clause], clause: &Clause) -> usize {
    let known: Vec<Formula> = clauses.iter().flat_map(|one| literals(one).iter().map(anonymous)).collect();
    literals(clause).iter().filter(|literal| !known.contains(&anonymous(literal))).count()
}

/// How many transitions do not preserve a clause, if all others and it itself hold before: of how much more
/// has to be proved.
pub(crate) fn leaves(system: &System, clauses: &[Clause], clause: &Clause, effort: &Effort<'_>) -> usize {
    let invariant = Invariant { clauses: [clauses, std::slice::from_ref(clause)].concat() };
    let is_left = |&transition: &usize| {
        let obligation = Obligation::Preserved { transition, clause: clauses.len() };
        Induction::proof(system, &invariant, &BTreeSet::from([obligation]), effort).is_none()
    };
    (0..system.transitions.len()).filter(is_left).count()
}
