//! Processes that nobody stands for: `init (p) { Home <> p && ... }`.
//!
//! Where `init` says of a variable that never changes that it is different from every process, no instance
//! would have an initial state: the variable holds a process. What is meant is a process apart, one that no
//! parameter and no quantifier stands for. So that is what is understood: they range over all processes but
//! this one. What else `init` says of all processes, it says of this one too.

use crate::formula::{Access, Formula, Relation, Term, Variable};
use crate::span::Origin;
use crate::system::{SymbolId, System, Type};

/// Lets parameters and quantifiers range over all processes but those apart.
pub(super) fn leave_out_processes_apart(system: &mut System) {
    let apart = processes_apart(system);
    if apart.is_empty() {
        return;
    }
    for init in &mut system.init {
        let said = |conjunct: &Formula| difference(conjunct).is_some_and(|symbol| apart.contains(&symbol));
        let rest = init.formula.conjuncts().iter().filter(|conjunct| !said(conjunct)).cloned();
        init.formula = Formula::and(rest.map(|conjunct| relativized(&apart, conjunct)));
    }
    for count in &mut system.counts {
        count.formula = Formula::and([is_none_of(&apart, &count.variable), count.formula.take()]);
    }
    for property in &mut system.properties {
        property.formula = restricted(&apart, &property.parameters, property.formula.take());
    }
    for transition in &mut system.transitions {
        transition.guard = restricted(&apart, &transition.parameters, transition.guard.take());
        for branch in transition.updates.iter_mut().flat_map(|update| &mut update.branches) {
            branch.condition = relativized(&apart, branch.condition.take());
        }
    }
}

fn processes_apart(system: &System) -> Vec<SymbolId> {
    let mut apart = Vec::new();
    for init in &system.init {
        for symbol in init.formula.conjuncts().iter().filter_map(difference) {
            if !apart.contains(&symbol) && system.updates().all(|update| update.symbol != symbol) {
                apart.push(symbol);
            }
        }
    }
    apart
}

/// The variable or constant X, for `X <> p` and `p <> X`.
fn difference(formula: &Formula) -> Option<SymbolId> {
    let Formula::Compare(comparison) = formula else { return None };
    match (&comparison.left, &comparison.right) {
        (Term::Access(access), Term::Variable(_)) | (Term::Variable(_), Term::Access(access))
            if comparison.relation == Relation::NotEqual && access.indices.is_empty() =>
        {
            Some(access.symbol)
        }
        _ => None,
    }
}

/// A formula that holds, for parameters that are not apart.
fn restricted(apart: &[SymbolId], parameters: &[Variable], formula: Formula) -> Formula {
    let parameters = parameters.iter().map(|parameter| is_none_of(apart, parameter));
    Formula::and(parameters.chain([relativized(apart, formula)]))
}

/// A formula whose quantifiers leave out the processes apart.
fn relativized(apart: &[SymbolId], formula: Formula) -> Formula {
    formula.relativized(&|variable| is_none_of(apart, variable))
}

fn is_none_of(apart: &[SymbolId], variable: &Variable) -> Formula {
    Formula::and(apart.iter().map(|&symbol| {
        let access = Term::access(Access { symbol, indices: Vec::new() }, Type::Process);
        let left = Term::Variable(variable.id);
        Formula::compare_processes(left, Relation::NotEqual, access, Origin::default())
    }))
}
