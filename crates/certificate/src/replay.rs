//! Replaying a trace: each step is executed by the definition, and nothing is believed.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::{self, Display, Formatter};

use polycube_language::System;

use crate::clauses::{NotInitial, is_initial, violates};
use crate::fact::numbers;
use crate::fit::{Misfit, cell_fits, counted};
use crate::instance::{Instance, NoInstance};
use crate::state::State;
use crate::step::{StepRejected, check_step};
use crate::trace::{Step, Trace};

/// What a trace does, where it is a run of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The states: the initial one, and one after each step.
    pub states: Vec<State>,
    /// The transition of each step: its index in the system.
    pub transitions: Vec<usize>,
    /// The properties that the last state violates.
    pub violations: Vec<Violation>,
    /// The properties that the states before it violate.
    pub earlier_violations: Vec<Violation>,
}

/// A state that must not be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The index of the state in the run: 0 is the initial state.
    pub state: usize,
    /// The index of the property in the system.
    pub property: usize,
    /// Processes in place of the property's parameters for which it holds: the first that [`violates`] finds.
    pub processes: Vec<u32>,
}

/// A trace that is no run of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The step, from 1; 0 stands for the initial state.
    pub step: usize,
    /// What is wrong.
    pub reason: Rejection,
}

/// What is wrong with a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The system has no such instance.
    NoInstance(NoInstance),
    /// What should be the initial state is no state.
    NoState(Misfit),
    /// The initial state is not initial.
    NotInitial(NotInitial),
    /// No transition has this name.
    UnknownTransition(String),
    /// A change names a cell or a value that does not exist.
    NoChange(Misfit),
    /// Two changes name this cell.
    ChangedTwice(String),
    /// No transition of this name allows the step; for each of them, why.
    NoStep {
        /// The name.
        transition: String,
        /// Why not, in the order of the system.
        rejections: Vec<StepRejected>,
    },
}

/// Executes the trace, step by step. The trace may say anything: the result is the run that it describes, or
/// the first thing that is wrong with it.
pub fn replay(system: &System, trace: &Trace) -> Result<Run, Rejected> {
    let initially = |reason| Rejected { step: 0, reason };
    let instance = Instance::new(system, trace.processes, trace.orders.clone())
        .map_err(|none| initially(Rejection::NoInstance(none)))?;
    let initial =
        counted(&instance, trace.initial.clone()).map_err(|misfit| initially(Rejection::NoState(misfit)))?;
    is_initial(&instance, &initial).map_err(|clause| initially(Rejection::NotInitial(clause)))?;

    let mut states = vec![initial];
    let mut transitions = Vec::new();
    for (at, step) in trace.steps.iter().enumerate() {
        let rejected = |reason| Rejected { step: at + 1, reason };
        let before = &states[at];
        let after = changed(&instance, before, step).map_err(rejected)?;
        transitions.push(transition_of(&instance, before, step, &after).map_err(rejected)?);
        states.push(after);
    }

    let found = states.iter().enumerate().flat_map(|(at, state)| violations(&instance, state, at));
    let (violations, earlier_violations) = found.partition(|violation| violation.state == trace.steps.len());
    Ok(Run { states, transitions, violations, earlier_violations })
}

fn changed(instance: &Instance<'_>, before: &State, step: &Step) -> Result<State, Rejection> {
    let mut after = before.clone();
    let mut named = BTreeSet::new();
    for (cell, value) in &step.changes {
        cell_fits(instance, cell, value).map_err(Rejection::NoChange)?;
        if !named.insert(cell) {
            return Err(Rejection::ChangedTwice(cell.in_words(instance.system())));
        }
        after.set(cell.clone(), value.clone());
    }
    // A trace need not say how many processes there are in a situation: that follows from the rest.
    for (cell, number) in numbers(instance, &after) {
        if !named.contains(&cell) {
            after.set(cell, number);
        }
    }
    Ok(after)
}

/// The index of the first transition of the step's name that leads from one state to the other.
fn transition_of(
    instance: &Instance<'_>,
    before: &State,
    step: &Step,
    after: &State,
) -> Result<usize, Rejection> {
    let mut rejections = Vec::new();
    let transitions = instance.system().transitions.iter().enumerate();
    for (index, transition) in transitions.filter(|(_, transition)| transition.name == step.transition) {
        match check_step(instance, before, transition, &step.arguments, after) {
            Ok(()) => return Ok(index),
            Err(rejection) => rejections.push(rejection),
        }
    }
    let transition = step.transition.clone();
    Err(match rejections.is_empty() {
        true => Rejection::UnknownTransition(transition),
        false => Rejection::NoStep { transition, rejections },
    })
}

/// The properties that the state with this index violates.
fn violations(instance: &Instance<'_>, state: &State, at: usize) -> Vec<Violation> {
    let violation = |(property, clause)| {
        let processes = violates(instance, clause, state)?;
        Some(Violation { state: at, property, processes })
    };
    instance.system().properties.iter().enumerate().filter_map(violation).collect()
}

impl Display for Rejected {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.step {
            0 => write!(out, "initial state: {}", self.reason),
            step => write!(out, "step {step}: {}", self.reason),
        }
    }
}

impl Display for Rejection {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::NoInstance(none) => write!(out, "{none}"),
            Rejection::NoState(misfit) | Rejection::NoChange(misfit) => write!(out, "{misfit}"),
            Rejection::NotInitial(clause) => write!(out, "{clause}"),
            Rejection::UnknownTransition(name) => write!(out, "there is no transition `{name}`"),
            Rejection::ChangedTwice(cell) => write!(out, "`{cell}` is changed twice"),
            Rejection::NoStep { transition, rejections } => {
                let rejections: Vec<String> = rejections.iter().map(StepRejected::to_string).collect();
                write!(out, "transition `{transition}` does not allow this: {}", rejections.join("; or "))
            }
        }
    }
}

impl Error for Rejected {}
