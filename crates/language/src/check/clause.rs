//! `init`, `unsafe` and `invariant` clauses.

use crate::formula::Variable;
use crate::span::{Origin, Span};
use crate::syntax::{Clause, Name};
use crate::system::{Init, Property};

use super::Checker;
use super::scope::{Binder, Scope};

impl<'s> Checker<'s, '_> {
    pub(super) fn clause(&mut self, clause: &Clause<'s>, span: Span) {
        self.scope = Scope::default();
        let mark = self.scope.mark();
        let binder = match clause.property {
            None => Binder::InitParameter,
            Some(_) => Binder::PropertyParameter,
        };
        let parameters = self.parameters(&clause.parameters, binder);
        let formula = self.whole_formula(&clause.formula);
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

    pub(super) fn parameters(&mut self, names: &[Name<'s>], binder: Binder) -> Vec<Variable> {
        let mut variables = Vec::with_capacity(names.len());
        for (position, &name) in names.iter().enumerate() {
            match names[..position].iter().find(|other| other.text == name.text) {
                Some(first) => self.duplicate("parameter", name, Some(first.span)),
                None => variables.push(self.scope.bind_process(name, binder)),
            }
        }
        variables
    }
}
