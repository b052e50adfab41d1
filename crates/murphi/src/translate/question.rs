//! Rules whose body asks about all processes: a transition for each answer.
//!
//! Whatever such a rule writes depends on the answer, so the same quantifier is in the conditions of many updates. As a
//! guard it is there once, which is easier to read and far easier to verify. That is exact: in every state, one of the two
//! guards holds, and under it the conditions mean what they meant.

use polycube_language::System;
use polycube_language::formula::{Formula, Term, VariableId, ids};
use polycube_language::system::{Branch, Transition, Update, Value};

use super::value::cell_of;
use super::writes::under;
use super::{MAX_DEPTH, Translator};

/// How many questions a rule is split by: each may double the number of its transitions.
const MAX_QUESTIONS: usize = 3;

impl Translator<'_> {
    /// Takes the questions out of the updates of all transitions.
    pub(super) fn answer_questions(&mut self) {
        for transition in std::mem::take(&mut self.system.transitions) {
            let Transition { name, parameters, guard, updates, origin } = transition;
            for (at, (guard, updates)) in answered(&self.system, guard, updates).into_iter().enumerate() {
                let own = if at == 0 { name.clone() } else { self.names.transition(&name) };
                let words = &mut self.system.words.transitions;
                if let Some(called) = words.get(&name).cloned() {
                    words.insert(own.clone(), called);
                }
                let parameters = parameters.clone();
                self.system.transitions.push(Transition { name: own, parameters, guard, updates, origin });
            }
        }
    }
}

/// A guard, and what happens under it.
type Step = (Formula, Vec<Update>);

/// The steps of a rule, one for each answer to what its updates ask about all processes.
fn answered(system: &System, guard: Formula, updates: Vec<Update>) -> Vec<Step> {
    let mut steps = vec![(guard, updates)];
    for _ in 0..MAX_QUESTIONS {
        steps = steps.into_iter().flat_map(|step| one_answered(system, step)).collect();
    }
    steps
}

fn one_answered(system: &System, (guard, updates): Step) -> Vec<Step> {
    let Some(question) = updates.iter().find_map(question) else { return vec![(guard, updates)] };
    // A guard nests no deeper than any other formula may.
    if Formula::and([guard.clone(), Formula::not(question.clone())]).depth() > MAX_DEPTH {
        return vec![(guard, updates)];
    }
    [question.clone(), Formula::not(question)]
        .into_iter()
        .map(|answer| {
            let updates =
                updates.iter().filter_map(|update| where_it_holds(system, &answer, update)).collect();
            (Formula::and([guard.clone(), answer]), updates)
        })
        .collect()
}

/// What the conditions of an update ask about all processes, whatever its indices are.
fn question(update: &Update) -> Option<Formula> {
    let indices = ids(&update.indices);
    update.branches.iter().find_map(|branch| question_of(&branch.condition, &indices))
}

fn question_of(formula: &Formula, indices: &[VariableId]) -> Option<Formula> {
    match formula {
        Formula::Quantified(_) => {
            let mut is_closed = true;
            formula.for_each_mentioned(&mut |variable| is_closed &= !indices.contains(&variable));
            is_closed.then(|| formula.clone())
        }
        _ => formula.parts().iter().find_map(|part| question_of(part, indices)),
    }
}

/// An update where something is known; none if it changes nothing then.
fn where_it_holds(system: &System, known: &Formula, update: &Update) -> Option<Update> {
    let mut update = update.clone();
    let mut branches = Vec::new();
    for Branch { condition, value, origin } in std::mem::take(&mut update.branches) {
        match under(known, condition) {
            Formula::FALSE => {}
            Formula::TRUE => {
                update.otherwise = value;
                break;
            }
            condition => branches.push(Branch { condition, value, origin }),
        }
    }
    update.branches = branches;
    let here: Vec<Term> = update.indices.iter().map(|index| Term::Variable(index.id)).collect();
    let is_idle =
        update.branches.is_empty() && update.otherwise == Value::Term(cell_of(system, update.symbol, &here));
    (!is_idle).then_some(update)
}
