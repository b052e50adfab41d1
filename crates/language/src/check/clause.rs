//! `init`, `unsafe` and `invariant` clauses.

use crate::diagnostic::{Code, Diagnostic};
use crate::formula::{Formula, Variable};
use crate::span::Origin;
use crate::syntax::{Clause, ClauseKeyword, Name};
use crate::system::{Init, Property, PropertyKind};

use super::Checker;
use super::contradiction::{Parameters, never_holds};
use super::numbering::Numbering;
use super::scope::{Binder, Scope};

impl<'s> Checker<'s, '_> {
    pub(super) fn clause(&mut self, clause: &Clause<'s>) {
        let mut scope = self.new_scope();
        let mark = scope.mark();
        let binder = match clause.keyword {
            ClauseKeyword::Init => Binder::InitParameter,
            ClauseKeyword::Unsafe | ClauseKeyword::Invariant => Binder::PropertyParameter,
        };
        let parameters = self.parameters(&mut scope, &clause.parameters, binder);
        let formula = self.whole_formula(&mut scope, &clause.formula);
        let entries = scope.leave(&mark);
        let Some(mut formula) = formula else { return };
        self.unused_names(&entries);
        self.warn_of_contradiction(clause, &parameters, &formula);
        let origin = Origin(clause.span);
        let mut numbering = Numbering::default();
        numbering.variables(&parameters);
        numbering.formula(&mut formula);
        let kind = match clause.keyword {
            ClauseKeyword::Init => {
                self.system.init.push(Init { parameters, formula, origin });
                return;
            }
            ClauseKeyword::Unsafe => PropertyKind::Unsafe,
            ClauseKeyword::Invariant => PropertyKind::Invariant,
        };
        self.system.properties.push(Property { kind, parameters, formula, origin });
    }

    /// Binds the parameters of a clause or transition.
    pub(super) fn parameters(
        &mut self,
        scope: &mut Scope<'s>,
        names: &[Name<'s>],
        binder: Binder,
    ) -> Vec<Variable> {
        let mut variables = Vec::with_capacity(names.len());
        for (position, &name) in names.iter().enumerate() {
            match names[..position].iter().find(|other| other.text == name.text) {
                Some(first) => self.duplicate("parameter", name, Some(first.span)),
                None => variables.push(scope.bind_process(name, binder)),
            }
        }
        variables
    }

    fn warn_of_contradiction(&mut self, clause: &Clause<'s>, parameters: &[Variable], formula: &Formula) {
        let keyword = self.text(clause.keyword_span);
        let warning = |message: String| {
            Diagnostic::warning(Code::NeverHolds, clause.formula.span, message).label("this cannot be true")
        };
        match clause.keyword {
            ClauseKeyword::Init => {
                // The parameters may be the same process: where that instance has no model, there is no initial state.
                if never_holds(&self.system, &[formula], Parameters::Same(parameters)) {
                    let warning = warning("no state is initial: this `init` can never hold".to_owned())
                        .note("without initial states nothing is reachable, and every property holds");
                    let warning = if parameters.len() > 1
                        && !never_holds(&self.system, &[formula], Parameters::Distinct(parameters))
                    {
                        let (x, y) = (&parameters[0].name, &parameters[1].name);
                        warning.help(format!(
                            "the parameters of `init` range over all processes and may be the same one: write `{x} = {y} || ...`"
                        ))
                    } else {
                        warning
                    };
                    self.warning(warning);
                }
            }
            ClauseKeyword::Unsafe | ClauseKeyword::Invariant => {
                if never_holds(&self.system, &[formula], Parameters::Distinct(parameters)) {
                    let warning = warning(format!("this `{keyword}` can never hold")).note(
                        "no state satisfies it, so it will be found unreachable whatever the transitions do",
                    );
                    self.warning(warning);
                }
            }
        }
    }
}
