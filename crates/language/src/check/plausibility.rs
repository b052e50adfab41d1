//! Warnings about formulas that have a meaning, but say nothing, or more than anybody can mean.

use crate::diagnostic::{Code, Diagnostic};
use crate::formula::{Formula, Variable, VariableId, ids};
use crate::span::Span;
use crate::syntax::{self, Clause};
use crate::system::{Branch, Init, Processes};

use super::Checker;
use super::contradiction::never_holds;

/// Of clauses with more parameters, not all instances are tried.
const MAX_PARAMETERS: usize = 4;

/// Longer cases are not searched for branches that are never taken.
const MAX_BRANCHES: usize = 60;

impl<'s> Checker<'s, '_> {
    /// Warns where there can be no initial state. `formulas` are the places of the formulas of the `init`
    /// clauses.
    pub(super) fn initial_states_exist(&mut self, formulas: &[Span]) {
        let alone = |checker: &Self, count: u32| {
            (0..formulas.len()).find(|&at| checker.init_contradicts(at..at + 1, count))
        };
        let all = 0..self.system.init.len();
        if self.init_contradicts(all.clone(), 1) {
            let warning = match alone(self, 1) {
                Some(at) => {
                    let message = "no state is initial: this `init` can never hold";
                    let warning = Diagnostic::warning(Code::NeverHolds, formulas[at], message)
                        .label("this cannot be true");
                    let Init { parameters, formula, .. } = &self.system.init[at];
                    match &parameters[..] {
                        [one, two, ..] if !never_holds(&self.system, &[formula], &ids(parameters)) => warning
                            .help(format!(
                                "the parameters of `init` range over all processes and may be the same one: write \
                                 `{} = {} || ...`",
                                one.name, two.name
                            )),
                        _ => warning,
                    }
                }
                None => self.contradicting_clauses(formulas, "no state is initial"),
            };
            let note = "without initial states nothing is reachable, and every property holds";
            self.warning(warning.note(note));
            return;
        }
        if self.system.processes != Processes::Exactly(1) && self.init_contradicts(all, 2) {
            let message = "no state with two or more processes is initial";
            let warning = match alone(self, 2) {
                Some(at) => Diagnostic::warning(Code::NeverHolds, formulas[at], message)
                    .label("this cannot be true of two processes at once"),
                None => self.contradicting_clauses(formulas, message),
            };
            self.warning(warning.note("`init` holds for all processes in place of its parameters").help(
                "leave out what is true of one process only, as `Turn = p`: then it starts with any value",
            ));
        }
    }

    fn contradicting_clauses(&self, formulas: &[Span], message: &str) -> Diagnostic {
        let last = formulas.len() - 1;
        let message = format!("{message}: the `init` clauses contradict each other");
        let warning = Diagnostic::warning(Code::NeverHolds, formulas[last], message)
            .label("not together with the others");
        formulas[..last].iter().fold(warning, |warning, &span| warning.also(span, "another `init`"))
    }

    /// Whether the clauses in `range` have no common model with `count` (1 or 2) processes, as far as can be
    /// seen.
    fn init_contradicts(&self, range: std::ops::Range<usize>, count: u32) -> bool {
        let processes: Vec<VariableId> = (0..count).map(VariableId).collect();
        let mut next = count;
        let mut instances: Vec<Formula> = Vec::new();
        for clause in &self.system.init[range] {
            let parameters = ids(&clause.parameters);
            if parameters.len() > MAX_PARAMETERS {
                continue;
            }
            // Each choice of processes for the parameters; whatever else is bound gets numbers of its own.
            for choice in 0..count.pow(parameters.len() as u32) {
                let mut instance = clause.formula.clone();
                let offset = next;
                instance.rename(&mut |variable| match parameters
                    .iter()
                    .position(|&parameter| parameter == variable)
                {
                    Some(at) => processes[(choice / count.pow(at as u32) % count) as usize],
                    None => {
                        next = next.max(offset + variable.0 + 1);
                        VariableId(offset + variable.0)
                    }
                });
                instances.push(instance);
            }
        }
        let instances: Vec<&Formula> = instances.iter().collect();
        never_holds(&self.system, &instances, &processes)
    }

    /// Warns of an `unsafe` or `invariant` that no state satisfies, or every state.
    pub(super) fn property_is_plausible(
        &mut self,
        clause: &Clause<'s>,
        parameters: &[Variable],
        formula: &Formula,
    ) {
        let keyword = clause.keyword.text;
        let distinct = ids(parameters);
        if self.too_many_parameters(clause.keyword.span, parameters.len()) {
            return;
        }
        if never_holds(&self.system, &[formula], &distinct) {
            let message = format!("this `{keyword}` can never hold");
            let warning = Diagnostic::warning(Code::NeverHolds, clause.formula.span, message)
                .label("this cannot be true")
                .note("no state satisfies it, so it will be found unreachable whatever the transitions do");
            self.warning(self.because_of_distinctness(warning, formula, parameters));
        } else if never_holds(&self.system, &[&Formula::not(formula.clone())], &distinct) {
            let message = match parameters.len() {
                0 | 1 => format!("this `{keyword}` holds in every state"),
                count => format!("this `{keyword}` holds in every state with {count} or more processes"),
            };
            self.warning(
                Diagnostic::warning(Code::AlwaysHolds, clause.formula.span, message)
                    .label("this is always true")
                    .note(format!("`{keyword}` describes the states that must not be reached"))
                    .help("did you mean its negation?"),
            );
        }
    }

    /// Warns of a transition that can never be taken.
    pub(super) fn guard_is_plausible(
        &mut self,
        transition: &syntax::Transition<'s>,
        parameters: &[Variable],
        guard: &Formula,
    ) {
        let name = transition.name;
        if self.too_many_parameters(name.span, parameters.len()) {
            return;
        }
        let Some(written) = &transition.guard else { return };
        if never_holds(&self.system, &[guard], &ids(parameters)) {
            let message = format!("the transition `{}` can never be taken", name.text);
            let warning = Diagnostic::warning(Code::NeverHolds, written.span, message)
                .label("this guard cannot be true")
                .also(name.span, "this transition");
            self.warning(self.because_of_distinctness(warning, guard, parameters));
        }
    }

    /// Says that parameters are different processes, where that is the reason.
    fn because_of_distinctness(
        &self,
        warning: Diagnostic,
        formula: &Formula,
        parameters: &[Variable],
    ) -> Diagnostic {
        if parameters.len() > 1 && !never_holds(&self.system, &[formula], &[]) {
            return warning.note("the parameters stand for different processes");
        }
        warning
    }

    fn too_many_parameters(&mut self, span: Span, count: usize) -> bool {
        let Processes::Exactly(processes) = self.system.processes else { return false };
        let too_many = count > processes as usize;
        if too_many {
            let declared = self.number_procs.unwrap_or(span);
            let message = format!("this needs {count} different processes");
            let warning = Diagnostic::warning(Code::NeverHolds, span, message);
            self.warning(warning.label("never possible").also(declared, "there are fewer"));
        }
        too_many
    }

    /// Warns of branches that are never taken because the ones before leave nothing for them.
    pub(super) fn branches_are_plausible(&mut self, branches: &[Branch], parameters: &[Variable]) {
        if branches.len() > MAX_BRANCHES {
            return;
        }
        let distinct = ids(parameters);
        let earlier: Vec<Formula> =
            branches.iter().map(|branch| Formula::not(branch.condition.clone())).collect();
        for (at, branch) in branches.iter().enumerate() {
            let mut conditions = vec![&branch.condition];
            conditions.extend(&earlier[..at]);
            if !never_holds(&self.system, &conditions, &distinct) {
                continue;
            }
            let alone = never_holds(&self.system, &[&branch.condition], &distinct);
            let label = if alone {
                "its condition cannot be true"
            } else {
                "the branches before leave nothing for it"
            };
            self.warning(
                Diagnostic::warning(Code::Unreachable, branch.origin.0, "this branch is never taken")
                    .label(label)
                    .help("remove it, or correct its condition"),
            );
        }
    }
}
