//! A walk: a run that grows by one step at a time. The judge says which steps there are.

use polycube_certificate::{
    Cell, Instance, NewValue, State, Step, Trace, Value, Violation, cells, enabled, new_value, replay,
    violates,
};
use polycube_engine::compile::domain::Bounds;
use polycube_engine::forward::initial_state;
use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::system::{Transition, Type};

use crate::input::Impossible;
use crate::random::Random;
use crate::report;

/// A run so far. Others read it; only a walk changes it.
pub(super) struct Walk<'s> {
    pub instance: Instance<'s>,
    pub bounds: &'s Bounds,
    pub trace: Trace,
    /// The state after the last step.
    pub state: State,
    /// For each step, what the cells held before that it changed.
    before: Vec<Vec<(Cell, Value)>>,
    /// The steps that were undone, the last one first.
    undone: Vec<Step>,
}

/// A transition, and processes for which it is possible.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// The index of the transition in the system.
    pub transition: usize,
    pub arguments: Vec<u32>,
}

pub(super) struct Destination {
    /// The state, in which the open cells still have their old values.
    pub state: State,
    /// The cells that may have any value.
    pub open: Vec<Cell>,
}

impl<'s> Walk<'s> {
    /// A walk that starts in a random initial state.
    pub fn start(
        system: &'s System,
        processes: u32,
        bounds: &'s Bounds,
        random: &mut Random,
    ) -> Result<Walk<'s>, Impossible> {
        let found = initial_state(system, processes, bounds, &mut |bound| random.below(bound));
        let Some((state, orders)) = found.map_err(|large| Impossible::new(large.to_string()))? else {
            let reason = format!("no state with {} is initial", report::trace::processes(processes));
            return Err(Impossible { reason, help: bounds_help(system, bounds) });
        };
        let instance = Instance::new(system, processes, orders.clone())
            .map_err(|none| Impossible::new(none.to_string()))?;
        let trace = Trace { processes, orders, initial: state.clone(), steps: Vec::new() };
        Ok(Walk { instance, bounds, trace, state, before: Vec::new(), undone: Vec::new() })
    }

    /// A walk that has made this run.
    pub fn resume(system: &'s System, trace: &Trace, bounds: &'s Bounds) -> Result<Walk<'s>, Impossible> {
        let run = replay(system, trace).map_err(|rejected| Impossible::new(rejected.to_string()))?;
        let Trace { processes, ref orders, ref steps, .. } = *trace;
        let instance = Instance::new(system, processes, orders.clone())
            .map_err(|none| Impossible::new(none.to_string()))?;
        let mut states = run.states.into_iter();
        let state = states.next().expect("a run has an initial state");
        let trace = Trace { processes, orders: orders.clone(), initial: state.clone(), steps: Vec::new() };
        let mut walk = Walk { instance, bounds, trace, state, before: Vec::new(), undone: Vec::new() };
        for (step, after) in steps.iter().zip(states) {
            walk.push(step.transition.clone(), step.arguments.clone(), after);
        }
        Ok(walk)
    }

    pub fn system(&self) -> &'s System {
        self.instance.system()
    }

    pub fn len(&self) -> usize {
        self.trace.steps.len()
    }

    pub fn transition(&self, chosen: &Move) -> &'s Transition {
        &self.system().transitions[chosen.transition]
    }

    pub fn moves(&self) -> Vec<Move> {
        let transitions = self.system().transitions.iter().enumerate();
        let moves = transitions.flat_map(|(index, transition)| {
            let choices = enabled(&self.instance, transition, &self.state).into_iter();
            choices.map(move |arguments| Move { transition: index, arguments })
        });
        moves.collect()
    }

    pub fn destination(&self, chosen: &Move) -> Destination {
        let transition = self.transition(chosen);
        let mut destination = Destination { state: self.state.clone(), open: Vec::new() };
        for cell in cells(self.system(), self.instance.processes()) {
            match new_value(&self.instance, transition, &chosen.arguments, &cell, &self.state) {
                NewValue::Unchanged(_) => {}
                NewValue::Exactly(value) => {
                    destination.state.set(cell, value);
                }
                NewValue::Any => destination.open.push(cell),
            }
        }
        destination
    }

    /// Goes to a state to which the move leads.
    pub fn take(&mut self, chosen: &Move, after: State) {
        self.undone.clear();
        self.push(self.transition(chosen).name.clone(), chosen.arguments.clone(), after);
    }

    fn push(&mut self, transition: String, arguments: Vec<u32>, after: State) {
        let changes = self.state.changes_to(&after);
        self.before.push(after.changes_to(&self.state));
        self.trace.steps.push(Step { transition, arguments, changes });
        self.state = after;
    }

    /// Makes a random move, if any is possible, with random values for the open cells.
    pub fn step_at_random(&mut self, random: &mut Random) -> Option<()> {
        let moves = self.moves();
        let chosen = moves.get(random.below(moves.len().max(1)))?;
        let Destination { mut state, open } = self.destination(chosen);
        for cell in open {
            let value = self.any_value(&cell, random);
            state.set(cell, value);
        }
        self.take(chosen, state);
        Some(())
    }

    pub fn undo(&mut self) -> Option<()> {
        self.undone.push(self.trace.steps.pop()?);
        for (cell, value) in self.before.pop()? {
            self.state.set(cell, value);
        }
        Some(())
    }

    /// Takes the step again that was undone last.
    pub fn redo(&mut self) -> Option<()> {
        let step = self.undone.pop()?;
        let mut after = self.state.clone();
        for (cell, value) in step.changes {
            after.set(cell, value);
        }
        self.push(step.transition, step.arguments, after);
        Some(())
    }

    /// How many steps can be taken again.
    pub fn undone(&self) -> usize {
        self.undone.len()
    }

    pub fn violations(&self) -> Vec<Violation> {
        let violation = |(property, clause)| {
            let processes = violates(&self.instance, clause, &self.state)?;
            Some(Violation { state: self.len(), property, processes })
        };
        self.system().properties.iter().enumerate().filter_map(violation).collect()
    }

    /// The values of a type, within the bounds; none of a number, which could be any.
    pub fn values(&self, ty: Type) -> Vec<Value> {
        match ty {
            Type::Process => (1..=self.instance.processes()).map(Value::Process).collect(),
            Type::Enumeration(id) => {
                let count = self.system().enumeration(id).constructors.len() as u32;
                (0..count).map(|index| Value::Constructor(id, index)).collect()
            }
            Type::Abstract(id) => {
                (1..=self.bounds.values).map(|number| Value::Abstract(id, number)).collect()
            }
            Type::Integer | Type::Real => Vec::new(),
        }
    }

    /// A random value for a cell, within the bounds.
    pub fn any_value(&self, cell: &Cell, random: &mut Random) -> Value {
        let mut values = self.values(self.system().symbol(cell.symbol).ty);
        if values.is_empty() {
            let (low, high) = self.bounds.numbers.clone().into_inner();
            // At most `Bounds::MAX_RANGE` numbers.
            let offset = random.below(high.abs_diff(low) as usize + 1);
            return Value::Number(Number::from(low + offset as i64));
        }
        values.swap_remove(random.below(values.len()))
    }
}

/// What was tried, where that is not everything.
fn bounds_help(system: &System, bounds: &Bounds) -> Option<String> {
    let bounded = |ty: Type| ty.is_numeric() || matches!(ty, Type::Abstract(_));
    system.symbols.iter().any(|symbol| bounded(symbol.ty)).then(|| {
        let (low, high) = (bounds.numbers.start(), bounds.numbers.end());
        format!(
            "numbers that `init` leaves open are tried from {low} to {high}, and abstract types with {} values: \
             --int-range and --values change that",
            bounds.values
        )
    })
}
