//! What `init` leaves open: values of an initial state that could be others.

use polycube_certificate::{Cell, Instance, State, Trace, Value, counted, is_initial};
use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::system::Type;

/// In larger states nothing is said: each cell takes another look at `init`.
const MOST: usize = 500;

/// The cells that could have another value in the initial state of a run, if all others stay as they are.
///
/// A value that `init` ties to others only, as in `X = Y`, is not among them.
pub(super) fn cells(system: &System, trace: &Trace) -> Vec<Cell> {
    let Ok(instance) = Instance::new(system, trace.processes, trace.orders.clone()) else {
        return Vec::new();
    };
    if trace.initial.iter().count() > MOST {
        return Vec::new();
    }
    // How many processes there are in a situation follows from the rest.
    let follows = |cell: &Cell| system.count(cell.symbol).is_some();
    let is_open = |cell: &Cell, value: &Value| {
        let ty = system.symbol(cell.symbol).ty;
        others(system, ty, value, trace.processes).into_iter().any(|other| {
            let rest = trace.initial.iter().filter(|(cell, _)| !follows(cell));
            let mut state: State = rest.map(|(cell, value)| (cell.clone(), value.clone())).collect();
            state.set(cell.clone(), other);
            counted(&instance, state).is_ok_and(|state| is_initial(&instance, &state).is_ok())
        })
    };
    let cells = trace.initial.iter().filter(|(cell, value)| !follows(cell) && is_open(cell, value));
    cells.map(|(cell, _)| cell.clone()).collect()
}

/// Some other values of a type: all, if there are few.
fn others(system: &System, ty: Type, value: &Value, processes: u32) -> Vec<Value> {
    let all: Vec<Value> = match ty {
        Type::Process => (1..=processes).map(Value::Process).collect(),
        Type::Enumeration(id) => {
            let count = system.enumeration(id).constructors.len() as u32;
            (0..count).map(|index| Value::Constructor(id, index)).collect()
        }
        Type::Abstract(id) => (1..=2).map(|number| Value::Abstract(id, number)).collect(),
        Type::Integer | Type::Real => match value {
            Value::Number(number) => [1, -1].map(|by| Value::Number(Number::from(by) + number)).to_vec(),
            _ => Vec::new(),
        },
    };
    all.into_iter().filter(|other| other != value).collect()
}
