//! What a system and its invariant say of one state.

use polycube_certificate::invariant::Clause;
use polycube_language::formula::{Formula, Quantifier};
use polycube_language::system::{Property, Transition};

use crate::formula::{Level, Scope, all, conjuncts, distinct, for_all, mentions, quantified};
use crate::layout::Layout;
use crate::vocabulary::Vocabulary;

impl Vocabulary<'_> {
    /// That the state is an initial one.
    pub(crate) fn initial(&self) -> Layout {
        let mut parts = Vec::new();
        for init in &self.system.init {
            let (scope, names) = self.scope(&init.parameters);
            let conjuncts = conjuncts(&init.formula).iter();
            // What is said of no process need not be said of all: there is at least one. Provers do not
            // always think of it.
            let (of_all, of_none): (Vec<&Formula>, Vec<&Formula>) =
                conjuncts.partition(|part| mentions(part, &init.parameters));
            parts.extend(self.operands(of_none, &scope));
            if !of_all.is_empty() {
                parts.push(for_all(&names, all(self.operands(of_all, &scope))));
            }
        }
        all(parts)
    }

    /// That the state is one of a property.
    pub(crate) fn property(&self, property: &Property) -> Layout {
        let (scope, names) = self.scope(&property.parameters);
        let operands = self.operands(conjuncts(&property.formula), &scope);
        let formula = all(distinct(&names).into_iter().chain(operands).collect());
        quantified(Quantifier::Exists, &names, formula)
    }

    /// That the state satisfies a clause.
    pub(crate) fn clause(&self, Clause { parameters, never }: &Clause) -> Layout {
        let (scope, names) = self.scope(parameters);
        let mut formula = self.formula(&Formula::not(never.clone()), &scope, Level::Disjunction);
        if names.len() > 1 {
            formula = Layout::Chain("->", vec![all(distinct(&names)), formula]);
        }
        for_all(&names, formula)
    }

    /// When a step is possible; nothing if it always is.
    pub(crate) fn guard(&self, transition: &Transition, scope: &Scope, names: &[String]) -> Option<Layout> {
        let mut parts = distinct(names);
        if transition.guard != Formula::TRUE {
            parts.extend(self.operands(conjuncts(&transition.guard), scope));
        }
        (!parts.is_empty()).then(|| all(parts))
    }
}
