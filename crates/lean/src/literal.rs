//! What a clause says is never true, as a conjunction of literals.

use std::collections::BTreeSet;

use polycube_certificate::{Clause, Invariant};
use polycube_language::formula::{Formula, Term, VariableId};

/// The conjuncts of what a clause excludes.
pub(crate) fn literals(clause: &Clause) -> &[Formula] {
    match &clause.never {
        Formula::And(parts) => parts,
        one => std::slice::from_ref(one),
    }
}

/// Which of the literals that are not all true is called the conclusion, negated, if the others are called
/// the premise: that somebody exists, or else the last simple one.
pub fn conclusion(literals: &[Formula]) -> usize {
    let last = |is: fn(&Formula) -> bool| literals.iter().rposition(is);
    let universal = last(|literal| matches!(literal, Formula::Quantified(_)));
    let simple = || last(|literal| matches!(literal, Formula::Compare(_)));
    universal.or_else(simple).unwrap_or(literals.len().saturating_sub(1))
}

/// Bound variables have numbers from here on, where formulas of several clauses come together.
const BOUND: u32 = 1000;

/// Gives bound variables numbers that no parameter has.
pub(crate) fn bound_apart(formula: &mut Formula) {
    let free = variables(formula);
    formula.rename(&mut |variable| {
        if free.contains(&variable) || variable.0 >= BOUND {
            variable
        } else {
            VariableId(variable.0 + BOUND)
        }
    });
}

/// How many literals a clause has.
pub(crate) fn size(clause: &Clause) -> usize {
    literals(clause).len()
}

/// How many literals the clauses of an invariant have.
pub fn literals_of(invariant: &Invariant) -> usize {
    invariant.clauses.iter().map(size).sum()
}

/// The free variables of a formula, in the order of its text.
pub(crate) fn variables(formula: &Formula) -> Vec<VariableId> {
    fn add(formula: &Formula, bound: &mut BTreeSet<VariableId>, found: &mut Vec<VariableId>) {
        if let Formula::Quantified(quantified) = formula {
            bound.insert(quantified.variable.id);
        }
        if let Formula::Compare(comparison) = formula {
            for term in [&comparison.left, &comparison.right] {
                of_term(term, found);
            }
        }
        formula.parts().iter().for_each(|part| add(part, bound, found));
    }
    fn of_term(term: &Term, found: &mut Vec<VariableId>) {
        term.for_each_part(&mut |part| match part {
            Term::Variable(variable) if !found.contains(variable) => found.push(*variable),
            _ => {}
        });
    }
    let (mut bound, mut found) = (BTreeSet::new(), Vec::new());
    add(formula, &mut bound, &mut found);
    // The variables of a clause have numbers of their own.
    found.retain(|variable| !bound.contains(variable));
    found
}

/// A literal with variables that are numbered in the order of its text.
pub(crate) fn anonymous(literal: &Formula) -> Formula {
    let names = variables(literal);
    let mut literal = literal.clone();
    literal.rename(&mut |variable| {
        let at = names.iter().position(|name| *name == variable);
        at.map_or(variable, numbered)
    });
    literal
}

pub(crate) fn numbered(at: usize) -> VariableId {
    VariableId(u32::try_from(at).expect("there are few variables"))
}
