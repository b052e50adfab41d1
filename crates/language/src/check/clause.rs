//! `init`, `unsafe` and `invariant` clauses.

use crate::formula::{Formula, Quantifier, Variable, VariableId};
use crate::span::{Origin, Span};
use crate::syntax::{Clause, Name};
use crate::system::{Init, Property};
use crate::uses::Binder;

use super::Checker;
use super::scope::Scope;

impl<'s> Checker<'s, '_> {
    pub(super) fn clause(&mut self, clause: &Clause<'s>, span: Span) {
        self.scope = Scope::default();
        let mark = self.scope.mark();
        let binder = match clause.property {
            None => Binder::InitParameter,
            Some(_) => Binder::PropertyParameter,
        };
        let names = [&clause.parameters[..], &clause.others].concat();
        let mut parameters = self.parameters(&names, binder, span);
        let others = parameters.split_off(parameters.len().saturating_sub(clause.others.len()));
        let formula = self.whole_formula(&clause.formula);
        let formula = formula.map(|formula| of_others(&parameters, &others, formula, clause.formula.span));
        let entries = self.scope.leave(&mark);
        let Some(formula) = formula else { return };
        self.unused_names(&entries);
        let origin = Origin(span);
        match clause.property {
            None => {
                self.init_formulas.push(clause.formula.span);
                self.system.init.push(Init { parameters, formula, origin });
            }
            Some(kind) => {
                self.property_is_plausible(clause, &parameters, &formula);
                self.system.properties.push(Property { kind, parameters, formula, origin });
            }
        }
    }

    /// Binds the parameters of a clause or transition, which are visible in all of it.
    pub(super) fn parameters(&mut self, names: &[Name<'s>], binder: Binder, scope: Span) -> Vec<Variable> {
        let mut variables = Vec::with_capacity(names.len());
        for (position, &name) in names.iter().enumerate() {
            self.define_local(name, binder, scope);
            match names[..position].iter().find(|other| other.text == name.text) {
                Some(first) => self.duplicate("parameter", name, Some(first.span)),
                None => variables.push(self.scope.bind_process(name, binder)),
            }
        }
        variables
    }
}

/// A formula of which the conjuncts that mention `others` hold for all processes in place of these, different
/// from each other and from the parameters. (The rest holds also where there are no other processes.)
fn of_others(parameters: &[Variable], others: &[Variable], formula: Formula, span: Span) -> Formula {
    if others.is_empty() {
        return formula;
    }
    let conjuncts = match formula {
        Formula::And(parts) => parts,
        formula => vec![formula],
    };
    let mentions = |part: &Formula| {
        let mut found = false;
        part.clone().rename(&mut |variable| {
            found |= others.iter().any(|other| other.id == variable);
            variable
        });
        found
    };
    let (of_others, mut rest): (Vec<Formula>, Vec<Formula>) = conjuncts.into_iter().partition(mentions);
    let mut said = Formula::and(of_others);
    for (at, other) in others.iter().enumerate().rev() {
        let excluded: Vec<VariableId> = parameters.iter().chain(&others[..at]).map(|one| one.id).collect();
        said = Formula::quantified(Quantifier::Forall, other.clone(), &excluded, said, Origin(span));
    }
    rest.push(said);
    Formula::and(rest)
}
