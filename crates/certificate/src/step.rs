//! Steps: what a transition does to a state, as [`polycube_language::system`] defines it.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use polycube_language::system::{self, Transition, Type};

use crate::explain::{Explanation, joined, why_not};
use crate::fit::{Misfit, fits};
use crate::instance::Instance;
use crate::interpreter::{Assignment, Context, holds, value};
use crate::state::{Cell, State, cells};
use crate::tuples::distinct_tuples;
use crate::value::Value;

/// Why a step is not one of the transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepRejected {
    /// The transition has another number of parameters.
    NumberOfArguments {
        /// How many parameters it has.
        parameters: usize,
        /// How many arguments were given.
        arguments: usize,
    },
    /// There is no such process.
    NoSuchProcess(u32),
    /// The same process stands for two parameters.
    SameProcessTwice(u32),
    /// What is given as the state before is not a state of the instance.
    Before(Misfit),
    /// The state after is none.
    After(Misfit),
    /// The guard does not hold in the state before.
    GuardFails(Vec<Explanation>),
    /// A cell that the transition changes should have another value afterwards.
    OtherValue {
        /// The cell.
        cell: String,
        /// The value that it should have.
        expected: String,
        /// The value that it has.
        found: String,
    },
    /// A cell has changed that the transition leaves alone.
    ShouldNotChange {
        /// The cell.
        cell: String,
        /// The value before.
        before: String,
        /// The value after.
        after: String,
    },
}

/// What a cell holds after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewValue {
    /// The transition has no update for it: the value that it held before.
    Unchanged(Value),
    /// This value.
    Exactly(Value),
    /// Any value of its type.
    Any,
}

/// The processes for which a transition is possible: pairwise distinct ones for which the guard holds.
pub fn enabled(instance: &Instance<'_>, transition: &Transition, state: &State) -> Vec<Vec<u32>> {
    distinct_tuples(instance.processes(), transition.parameters.len())
        .filter(|arguments| guard_holds(instance, transition, arguments, state))
        .collect()
}

/// Whether the transition, with these processes in place of its parameters, leads from one state to the
/// other.
pub fn check_step(
    instance: &Instance<'_>,
    before: &State,
    transition: &Transition,
    arguments: &[u32],
    after: &State,
) -> Result<(), StepRejected> {
    check_arguments(instance, transition, arguments)?;
    fits(instance, before).map_err(StepRejected::Before)?;
    fits(instance, after).map_err(StepRejected::After)?;
    if !guard_holds(instance, transition, arguments, before) {
        return Err(StepRejected::GuardFails(why_not(instance, transition, arguments, before)));
    }
    for (cell, found) in after.iter() {
        let name = || cell.in_words(instance.system());
        let text = |value: &Value| value.in_words(instance.system());
        match new_value(instance, transition, arguments, cell, before) {
            NewValue::Unchanged(value) if value != *found => {
                let (before, after) = (text(&value), text(found));
                return Err(StepRejected::ShouldNotChange { cell: name(), before, after });
            }
            NewValue::Exactly(value) if value != *found => {
                let (expected, found) = (text(&value), text(found));
                return Err(StepRejected::OtherValue { cell: name(), expected, found });
            }
            // The right value; or any of the right type, which every value of a state that fits is.
            NewValue::Unchanged(_) | NewValue::Exactly(_) | NewValue::Any => {}
        }
    }
    Ok(())
}

/// All states to which the transition leads, with these processes in place of its parameters: none if it is
/// not possible. Each `?` ranges over `choices` of its type, which should list values of that type, for each
/// cell independently.
pub fn successors(
    instance: &Instance<'_>,
    transition: &Transition,
    arguments: &[u32],
    state: &State,
    choices: &dyn Fn(Type) -> Vec<Value>,
) -> Vec<State> {
    if check_arguments(instance, transition, arguments).is_err()
        || !guard_holds(instance, transition, arguments, state)
    {
        return Vec::new();
    }
    let mut determined = state.clone();
    let mut open = Vec::new();
    for cell in cells(instance.system(), instance.processes()) {
        match new_value(instance, transition, arguments, &cell, state) {
            NewValue::Unchanged(_) => {}
            NewValue::Exactly(value) => {
                determined.set(cell, value);
            }
            NewValue::Any => open.push(cell),
        }
    }
    let mut successors = vec![determined];
    for cell in open {
        let values = choices(instance.system().symbol(cell.symbol).ty);
        successors = successors.iter().flat_map(|successor| variants(successor, &cell, &values)).collect();
    }
    successors
}

/// What a cell holds after the transition, computed from the state before. Expects arguments that the
/// transition can have.
pub fn new_value(
    instance: &Instance<'_>,
    transition: &Transition,
    arguments: &[u32],
    cell: &Cell,
    before: &State,
) -> NewValue {
    let Some(update) = transition.updates.iter().find(|update| update.symbol == cell.symbol) else {
        let value = before.get(cell).expect("a state that fits has a value for every cell");
        return NewValue::Unchanged(value.clone());
    };
    let variables = transition.parameters.iter().chain(&update.indices);
    let assignment = Assignment::of(variables, &[arguments, &cell.indices].concat());
    let branch =
        update.branches.iter().find(|branch| holds(instance, &branch.condition, before, &assignment));
    match branch.map_or(&update.otherwise, |branch| &branch.value) {
        system::Value::Any => NewValue::Any,
        system::Value::Term(term) => NewValue::Exactly(value(instance, term, before, &assignment)),
    }
}

/// What a cell holds after a step, if that follows from the values that the state before it has, whatever the other cells
/// hold. Where the step may choose, it is what `after` has.
pub fn known_value(
    instance: &Instance<'_>,
    transition: &Transition,
    arguments: &[u32],
    cell: &Cell,
    before: &State,
    after: &State,
) -> Option<Value> {
    let Some(update) = transition.updates.iter().find(|update| update.symbol == cell.symbol) else {
        return before.get(cell).cloned();
    };
    let variables = transition.parameters.iter().chain(&update.indices);
    let assignment = &Assignment::of(variables, &[arguments, &cell.indices].concat());
    let context = Context { instance, state: before, assignment };
    for branch in &update.branches {
        if context.truth(&branch.condition)? {
            return chosen_value(&context, &branch.value, cell, after);
        }
    }
    chosen_value(&context, &update.otherwise, cell, after)
}

fn chosen_value(context: &Context<'_>, value: &system::Value, cell: &Cell, after: &State) -> Option<Value> {
    match value {
        system::Value::Any => after.get(cell).cloned(),
        system::Value::Term(term) => context.value(term),
    }
}

fn check_arguments(
    instance: &Instance<'_>,
    transition: &Transition,
    arguments: &[u32],
) -> Result<(), StepRejected> {
    let parameters = transition.parameters.len();
    if arguments.len() != parameters {
        return Err(StepRejected::NumberOfArguments { parameters, arguments: arguments.len() });
    }
    for (at, &process) in arguments.iter().enumerate() {
        if !instance.has_process(process) {
            return Err(StepRejected::NoSuchProcess(process));
        }
        if arguments[..at].contains(&process) {
            return Err(StepRejected::SameProcessTwice(process));
        }
    }
    Ok(())
}

fn guard_holds(instance: &Instance<'_>, transition: &Transition, arguments: &[u32], state: &State) -> bool {
    holds(instance, &transition.guard, state, &Assignment::of(&transition.parameters, arguments))
}

/// The same state, once for every value of one cell.
fn variants(state: &State, cell: &Cell, values: &[Value]) -> Vec<State> {
    let with = |value: &Value| {
        let mut variant = state.clone();
        variant.set(cell.clone(), value.clone());
        variant
    };
    values.iter().map(with).collect()
}

impl Display for StepRejected {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            StepRejected::NumberOfArguments { parameters, arguments } => {
                write!(out, "wrong number of arguments: {arguments} given, {parameters} expected")
            }
            StepRejected::NoSuchProcess(process) => write!(out, "there is no process #{process}"),
            StepRejected::SameProcessTwice(process) => {
                write!(out, "#{process} stands for two of its parameters, which are different processes")
            }
            StepRejected::Before(misfit) => write!(out, "before the step, {misfit}"),
            StepRejected::After(misfit) => write!(out, "after the step, {misfit}"),
            StepRejected::GuardFails(reasons) => write!(out, "its guard does not hold: {}", joined(reasons)),
            StepRejected::OtherValue { cell, expected, found } => {
                write!(out, "`{cell}` becomes `{expected}`, not `{found}`")
            }
            StepRejected::ShouldNotChange { cell, before, after } => {
                write!(out, "`{cell}` stays `{before}`, it does not become `{after}`")
            }
        }
    }
}

impl Error for StepRejected {}
