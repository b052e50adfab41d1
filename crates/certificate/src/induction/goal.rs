//! Which questions an obligation consists of.
//!
//! A clause is violated after a step for some different processes. Some of these are processes that the transition names, the
//! others are not: there is a question for each number of others (a *level*), and in it a goal for each way in which
//! the parameters of the clause can be those of the transition, or others.

use std::collections::BTreeMap;

use polycube_language::System;
use polycube_language::formula::VariableId;
use polycube_language::system::{Processes, Transition};

use super::counterexample::confirm;
use super::ground::Ground;
use super::meaning::{Meaning, When};
use super::place::{Names, Place, PlaceId, Universe};
use super::question::{Outcome, Question};
use super::{Finding, Induction, Instance, Open};
use crate::cases::{arrangements, witnesses};
use crate::invariant::{Invariant, Obligation};
use crate::tuples::{distinct_tuples, tuples};

/// Looks at all obligations.
pub(super) fn decide(system: &System, invariant: &Invariant, goes_on: &mut dyn FnMut() -> bool) -> Induction {
    let mut judgement =
        Judgement { system, invariant, goes_on, begun: BTreeMap::new(), induction: Induction::default() };
    // Whatever is done is done in this order until something is refuted, or it has to end.
    let is_complete = judgement.excluded() && judgement.initially() && judgement.preserved();
    if !is_complete {
        // What was proved until now of an obligation is not all of it.
        for finding in judgement.begun.values_mut().filter(|finding| matches!(finding, Finding::Proved(_))) {
            *finding = Finding::Open(Open::Stopped);
        }
        judgement.publish();
    }
    judgement.induction
}

struct Judgement<'j> {
    system: &'j System,
    invariant: &'j Invariant,
    goes_on: &'j mut dyn FnMut() -> bool,
    /// What is known so far about obligations of which not all questions were asked.
    begun: BTreeMap<Obligation, Finding>,
    induction: Induction,
}

impl<'j> Judgement<'j> {
    /// The processes of a question: those that are named, and others. There is at least one in any system.
    fn universe(&self, named: usize, others: u32, witnesses: usize) -> Option<Universe> {
        let places = match self.system.processes {
            Processes::Exactly(count) => (1..=count).map(Place::Number).collect(),
            Processes::Any => {
                let others = if named == 0 { others.max(1) } else { others };
                let named = (0..named).map(Place::Parameter);
                named.chain((0..others as usize).map(Place::Other)).collect()
            }
        };
        Universe::new(self.system, places, witnesses)
    }

    fn ask(
        &mut self,
        obligation: Obligation,
        question: &mut Question<'_>,
        goal: Ground,
        first: Option<(usize, &[PlaceId])>,
        arguments: &[PlaceId],
    ) -> bool {
        let use_invariant = !matches!(obligation, Obligation::Initially { .. });
        let outcome = question.ask(goal, first, use_invariant, self.goes_on);
        let finding = match outcome {
            Outcome::Impossible(instances) => Finding::Proved(instances),
            Outcome::Stopped => Finding::Open(Open::Stopped),
            Outcome::Open => Finding::Open(Open::Incomplete),
            Outcome::Possible(model) => {
                match confirm(self.invariant, obligation, &question.meaning, &model, arguments) {
                    Some(counterexample) => Finding::Refuted(Box::new(counterexample)),
                    None => Finding::Open(Open::Incomplete),
                }
            }
        };
        self.note(obligation, finding)
    }

    /// An obligation is proved if all of its questions are. Whether there is anything left to do.
    fn note(&mut self, obligation: Obligation, finding: Finding) -> bool {
        let goes_on = !matches!(finding, Finding::Refuted(_) | Finding::Open(Open::Stopped));
        match (self.begun.get_mut(&obligation), finding) {
            (Some(Finding::Proved(known)), Finding::Proved(more)) => {
                let new: Vec<Instance> =
                    more.into_iter().filter(|instance| !known.contains(instance)).collect();
                known.extend(new);
            }
            (Some(Finding::Open(_)), Finding::Proved(_)) => {}
            (_, finding) => {
                self.begun.insert(obligation, finding);
            }
        }
        goes_on
    }

    /// All questions about what was begun have been asked.
    fn publish(&mut self) -> bool {
        self.induction.findings.append(&mut self.begun);
        true
    }

    fn too_large(&mut self, obligations: impl IntoIterator<Item = Obligation>) -> bool {
        for obligation in obligations {
            self.note(obligation, Finding::Open(Open::Incomplete));
        }
        true
    }

    fn excluded(&mut self) -> bool {
        let system = self.system;
        system.properties.iter().enumerate().all(|(number, property)| {
            let obligation = Obligation::Excludes { property: number };
            let count = property.parameters.len();
            let variables: Vec<VariableId> =
                witnesses(&property.formula).iter().map(|variable| variable.id).collect();
            let Some(universe) = self.universe(count, 0, variables.len()) else {
                return self.too_large([obligation]);
            };
            let arguments = self.arguments(count);
            let meaning = Meaning::new(system, universe, variables);
            let mut question = Question::new(meaning, self.invariant);
            let goals: Vec<Ground> = (arguments.iter())
                .map(|places| {
                    let names = Names::of(&property.parameters, places);
                    question.meaning.implied(&property.formula, &names, When::Now)
                })
                .collect();
            // Numbers of variables mean something else in the clauses.
            question.meaning.set_witnesses(Vec::new());
            let mut goals = goals.into_iter().zip(&arguments);
            goals.all(|(goal, places)| self.ask(obligation, &mut question, goal, None, places))
                && self.note(obligation, Finding::Proved(Vec::new()))
                && self.publish()
        })
    }

    /// The places that parameters of a transition or property stand for. If there are no more processes than the system names, all
    /// of them are different; otherwise it does not matter which they are.
    fn arguments(&self, count: usize) -> Vec<Vec<PlaceId>> {
        match self.system.processes {
            Processes::Any => vec![(0..count as PlaceId).collect()],
            Processes::Exactly(processes) => places(processes, count),
        }
    }

    fn most(&self) -> u32 {
        self.invariant.clauses.iter().map(|clause| clause.parameters.len() as u32).max().unwrap_or(0)
    }

    fn initially(&mut self) -> bool {
        let system = self.system;
        let levels = match system.processes {
            Processes::Any => 0..=self.most(),
            Processes::Exactly(_) => 0..=0,
        };
        for level in levels {
            let obligations: Vec<usize> = (0..self.invariant.clauses.len())
                .filter(|&clause| {
                    let parameters = self.invariant.clauses[clause].parameters.len() as u32;
                    matches!(system.processes, Processes::Exactly(_)) || parameters == level
                })
                .collect();
            if obligations.is_empty() {
                continue;
            }
            // Only clauses without parameters say that some process exists.
            let simple = system.init.iter().filter(|init| init.parameters.is_empty());
            let count = simple.map(|init| witnesses(&init.formula).len()).sum();
            let Some(universe) = self.universe(0, level, count) else {
                self.too_large(obligations.into_iter().map(|clause| Obligation::Initially { clause }));
                continue;
            };
            let mut question = Question::new(Meaning::new(system, universe, Vec::new()), self.invariant);
            for init in &system.init {
                let variables = match init.parameters[..] {
                    [] => witnesses(&init.formula).iter().map(|variable| variable.id).collect(),
                    _ => Vec::new(),
                };
                question.meaning.set_witnesses(variables);
                let count = question.meaning.universe.len();
                for tuple in tuples(count, init.parameters.len()) {
                    let places: Vec<PlaceId> = tuple.iter().map(|process| process - 1).collect();
                    let names = Names::of(&init.parameters, &places);
                    let said = question.meaning.implied(&init.formula, &names, When::Now);
                    let exist: Vec<Ground> =
                        places.iter().map(|&place| question.meaning.exists(place)).collect();
                    let formulas = &mut question.meaning.formulas;
                    let exist = formulas.and(exist);
                    let assumed = formulas.implies(exist, said);
                    question.assume(assumed);
                }
            }
            question.meaning.set_witnesses(Vec::new());
            for clause in obligations {
                let parameters = &self.invariant.clauses[clause].parameters;
                let tuples = match system.processes {
                    Processes::Any => vec![(0..level).collect()],
                    Processes::Exactly(count) => places(count, parameters.len()),
                };
                for places in tuples {
                    let names = Names::of(parameters, &places);
                    let goal =
                        question.meaning.implied(&self.invariant.clauses[clause].never, &names, When::Now);
                    if !self.ask(Obligation::Initially { clause }, &mut question, goal, None, &[]) {
                        return false;
                    }
                }
                self.note(Obligation::Initially { clause }, Finding::Proved(Vec::new()));
            }
            self.publish();
        }
        true
    }

    fn preserved(&mut self) -> bool {
        let system = self.system;
        for (number, transition) in system.transitions.iter().enumerate() {
            let mut touched = Vec::new();
            for (clause, claimed) in self.invariant.clauses.iter().enumerate() {
                let obligation = Obligation::Preserved { transition: number, clause };
                if claimed.is_untouched_by(transition) {
                    self.note(obligation, Finding::Proved(Vec::new()));
                } else {
                    touched.push(clause);
                }
            }
            let levels = match system.processes {
                Processes::Any => 0..=self.most(),
                Processes::Exactly(_) => 0..=0,
            };
            for level in levels {
                for arguments in self.arguments(transition.parameters.len()) {
                    if !self.steps(number, transition, &touched, level, &arguments) {
                        return false;
                    }
                }
            }
            for clause in touched {
                self.note(Obligation::Preserved { transition: number, clause }, Finding::Proved(Vec::new()));
            }
            self.publish();
        }
        true
    }

    /// The questions of one level of a transition.
    fn steps(
        &mut self,
        number: usize,
        transition: &'j Transition,
        clauses: &[usize],
        level: u32,
        arguments: &[PlaceId],
    ) -> bool {
        let named = arguments.len() as u32;
        let variables: Vec<VariableId> =
            witnesses(&transition.guard).iter().map(|variable| variable.id).collect();
        let obligation = |clause: usize| Obligation::Preserved { transition: number, clause };
        let Some(universe) = self.universe(arguments.len(), level, variables.len()) else {
            return self.too_large(clauses.iter().map(|&clause| obligation(clause)));
        };
        let mut question: Option<Question<'_>> = None;
        let mut universe = Some(universe);
        for &clause in clauses {
            let claimed = &self.invariant.clauses[clause];
            let tuples = match self.system.processes {
                Processes::Any => arrangements(claimed.parameters.len(), named, level),
                Processes::Exactly(count) => places(count, claimed.parameters.len()),
            };
            for places in tuples {
                let question = question.get_or_insert_with(|| {
                    let universe = universe.take().expect("it is used once");
                    let mut meaning = Meaning::new(self.system, universe, variables.clone());
                    let names = Names::of(&transition.parameters, arguments);
                    meaning.set_step(transition, names.clone());
                    let guard = meaning.implied(&transition.guard, &names, When::Now);
                    // Numbers of variables mean something else in the clauses.
                    meaning.set_witnesses(Vec::new());
                    let mut question = Question::new(meaning, self.invariant);
                    question.assume(guard);
                    question
                });
                let names = Names::of(&claimed.parameters, &places);
                let goal = question.meaning.implied(&claimed.never, &names, When::Next);
                let before = question.meaning.implied(&claimed.never, &names, When::Now);
                let goes_on = if goal == before && !claimed.never.has_quantifier() {
                    // Nothing changes that the clause speaks of. (Where it speaks of all processes, both sides say it of some
                    // only, and what is the same of these may be different of others.)
                    let instance = question.meaning.universe.instance(clause, &places);
                    self.note(obligation(clause), Finding::Proved(vec![instance]))
                } else {
                    self.ask(obligation(clause), question, goal, Some((clause, &places)), arguments)
                };
                if !goes_on {
                    return false;
                }
            }
        }
        true
    }
}

/// All tuples of different places.
fn places(count: u32, length: usize) -> Vec<Vec<PlaceId>> {
    distinct_tuples(count, length).map(|tuple| tuple.iter().map(|process| process - 1).collect()).collect()
}
