//! Numbers the process variables of a clause or transition without gaps.
//!
//! Where a part of a formula vanishes (`true || exists j. ...`), so do its variables. Numbering the rest again, in order, makes
//! systems that mean the same equal.

use crate::formula::{Access, Formula, Term, Variable, VariableId};
use crate::system::{Update, Value};
use rustc_hash::FxHashMap;

/// The new numbers, given in the order in which binders are visited.
#[derive(Default)]
pub(crate) struct Numbering {
    numbers: FxHashMap<VariableId, VariableId>,
}

impl Numbering {
    /// Visits parameters: they were bound first, and keep their numbers.
    pub fn variables(&mut self, variables: &[Variable]) {
        for variable in variables {
            let number = self.next();
            debug_assert_eq!(variable.id, number, "parameters are numbered first");
            self.numbers.insert(variable.id, number);
        }
    }

    fn next(&self) -> VariableId {
        VariableId(self.numbers.len() as u32)
    }

    fn binders(&mut self, variables: &mut [Variable]) {
        for variable in variables {
            let number = self.next();
            self.numbers.insert(variable.id, number);
            variable.id = number;
        }
    }

    fn variable(&self, variable: &mut VariableId) {
        *variable = self.numbers[variable];
    }

    pub fn formula(&mut self, formula: &mut Formula) {
        match formula {
            Formula::Constant(_) => {}
            Formula::Compare(comparison) => {
                self.term(&mut comparison.left);
                self.term(&mut comparison.right);
            }
            Formula::Not(part) => self.formula(part),
            Formula::And(parts) | Formula::Or(parts) => parts.iter_mut().for_each(|part| self.formula(part)),
            Formula::Iff(parts) => parts.iter_mut().for_each(|part| self.formula(part)),
            Formula::IfThenElse(parts) => parts.iter_mut().for_each(|part| self.formula(part)),
            Formula::Quantified(quantified) => {
                quantified.different_from.iter_mut().for_each(|variable| self.variable(variable));
                self.binders(&mut quantified.variables);
                self.formula(&mut quantified.body);
            }
        }
    }

    pub fn update(&mut self, update: &mut Update) {
        self.binders(&mut update.indices);
        for branch in &mut update.branches {
            self.formula(&mut branch.condition);
            self.value(&mut branch.value);
        }
        self.value(&mut update.otherwise);
    }

    fn value(&mut self, value: &mut Value) {
        if let Value::Term(term) = value {
            self.term(term);
        }
    }

    fn term(&mut self, term: &mut Term) {
        match term {
            Term::Variable(variable) => self.variable(variable),
            Term::Process(_) | Term::Constructor(..) => {}
            Term::Access(access) => self.access(access),
            Term::Linear(linear) => {
                linear.terms.iter_mut().for_each(|(_, access)| self.access(access));
                // Accesses are sorted by their variables, which have new numbers.
                linear.normalize();
            }
        }
    }

    fn access(&mut self, access: &mut Access) {
        access.indices.iter_mut().for_each(|index| self.term(index));
    }
}
