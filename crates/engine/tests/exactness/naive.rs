//! A plain breadth-first search with the judge's interpreter: no packing, no symmetry, no cleverness.

use std::collections::BTreeSet;

use polycube_certificate::{Cell, Instance, State, Value, cells, enabled, is_initial, successors, violates};
use polycube_engine::compile::domain::Bounds;
use polycube_language::number::Number;
use polycube_language::system::Type;

/// What the search found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// The states, by layer.
    pub layers: Vec<BTreeSet<State>>,
    /// For each state that was expanded.
    pub steps: Vec<(State, Steps)>,
    /// The transitions that were possible.
    pub fired: BTreeSet<usize>,
    /// For each property that holds somewhere, the first layer where it does.
    pub violations: Vec<(usize, usize)>,
}

/// How many steps lead from a state, the same for all its renamings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    pub all: u64,
    /// Those to another state.
    pub away: u64,
}

impl Reached {
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.layers.iter().flatten()
    }
}

/// The values that `?` gives.
pub fn choices(instance: &Instance<'_>, bounds: &Bounds, ty: Type) -> Vec<Value> {
    match ty {
        Type::Process => (1..=instance.processes()).map(Value::Process).collect(),
        Type::Integer | Type::Real => {
            bounds.numbers.clone().map(|number| Value::Number(Number::from(number))).collect()
        }
        Type::Enumeration(id) => {
            let count = instance.system().enumeration(id).constructors.len() as u32;
            (0..count).map(|value| Value::Constructor(id, value)).collect()
        }
        Type::Abstract(id) => (1..=bounds.values).map(|value| Value::Abstract(id, value)).collect(),
    }
}

/// All states whose cells have such values, and that are initial; none if there are too many to try.
pub fn initial_states(instance: &Instance<'_>, bounds: &Bounds, most: usize) -> Option<BTreeSet<State>> {
    let cells: Vec<(Cell, Vec<Value>)> = cells(instance.system(), instance.processes())
        .map(|cell| {
            let values = choices(instance, bounds, instance.system().symbol(cell.symbol).ty);
            (cell, values)
        })
        .collect();
    let count = cells.iter().try_fold(1usize, |count, (_, values)| count.checked_mul(values.len()))?;
    if count > most {
        return None;
    }
    let mut states = vec![State::default()];
    for (cell, values) in cells {
        states = states
            .iter()
            .flat_map(|state| {
                values.iter().map(|value| {
                    let mut longer = state.clone();
                    longer.set(cell.clone(), value.clone());
                    longer
                })
            })
            .collect();
    }
    Some(states.into_iter().filter(|state| is_initial(instance, state).is_ok()).collect())
}

/// Everything that can be reached from some states in this many steps.
pub fn search(instance: &Instance<'_>, initial: BTreeSet<State>, bounds: &Bounds, depth: usize) -> Reached {
    let system = instance.system();
    let mut reached = Reached::default();
    let mut known = initial.clone();
    let mut layer = initial;
    while !layer.is_empty() {
        let mut next = BTreeSet::new();
        for state in &layer {
            for (at, property) in system.properties.iter().enumerate() {
                if reached.violations.iter().all(|&(known, _)| known != at)
                    && violates(instance, property, state).is_some()
                {
                    reached.violations.push((at, reached.layers.len()));
                }
            }
            if reached.layers.len() == depth {
                continue;
            }
            let mut steps = Steps::default();
            for (at, transition) in system.transitions.iter().enumerate() {
                for arguments in enabled(instance, transition, state) {
                    let after = successors(instance, transition, &arguments, state, &|ty| {
                        choices(instance, bounds, ty)
                    });
                    steps.all += after.len() as u64;
                    steps.away += after.iter().filter(|after| *after != state).count() as u64;
                    reached.fired.insert(at);
                    next.extend(after.into_iter().filter(|state| known.insert(state.clone())));
                }
            }
            reached.steps.push((state.clone(), steps));
        }
        reached.layers.push(layer);
        layer = next;
    }
    reached.violations.sort_unstable();
    reached
}
