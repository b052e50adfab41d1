//! Whether something is a state of an instance at all: the right cells, with values of the right types.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use polycube_language::system::Type;

use crate::fact::numbers;
use crate::instance::Instance;
use crate::state::{Cell, State, cells};
use crate::value::Value;

/// Why something is no state of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The instance has no such cell.
    NoSuchCell(String),
    /// The cell has no value.
    NoValue(String),
    /// The cell has a value that is not one of its type.
    OtherType {
        /// The cell.
        cell: String,
        /// Its value.
        value: String,
        /// Its type.
        ty: String,
    },
    /// The cell counts processes, and holds another number.
    Miscounted {
        /// The cell.
        cell: String,
        /// How many there are.
        number: String,
    },
}

/// Every cell of the instance has a value of its type, those that count have the right one, and there are no
/// other cells.
pub fn fits(instance: &Instance<'_>, state: &State) -> Result<(), Misfit> {
    has_values(instance, state, instance.system().symbols.len())?;
    has_numbers(instance, state)
}

/// A state with what its cells say about numbers of processes, if it [fits](fits()) then.
pub fn counted(instance: &Instance<'_>, mut state: State) -> Result<State, Misfit> {
    has_values(instance, &state, instance.system().declared())?;
    for (cell, number) in numbers(instance, &state) {
        if state.get(&cell).is_none() {
            state.set(cell, number);
        }
    }
    has_numbers(instance, &state)?;
    Ok(state)
}

/// All cells of the first symbols have a value, and all that have one have one of their type.
fn has_values(instance: &Instance<'_>, state: &State, symbols: usize) -> Result<(), Misfit> {
    state.iter().try_for_each(|(cell, value)| cell_fits(instance, cell, value))?;
    let is_missing = |cell: &Cell| (cell.symbol.0 as usize) < symbols && state.get(cell).is_none();
    let missing = cells(instance.system(), instance.processes()).find(is_missing);
    missing.map_or(Ok(()), |cell| Err(Misfit::NoValue(cell.in_words(instance.system()))))
}

/// Cells that count hold the right number.
fn has_numbers(instance: &Instance<'_>, state: &State) -> Result<(), Misfit> {
    let is_wrong = |(cell, number): &(Cell, Value)| state.get(cell) != Some(number);
    numbers(instance, state).into_iter().find(is_wrong).map_or(Ok(()), |(cell, number)| {
        let system = instance.system();
        let (cell, number) = (cell.in_words(system), number.in_words(system));
        Err(Misfit::Miscounted { cell, number })
    })
}

/// The instance has this cell, and the value is one of its type.
pub(crate) fn cell_fits(instance: &Instance<'_>, cell: &Cell, value: &Value) -> Result<(), Misfit> {
    let system = instance.system();
    let name = || cell.in_words(system);
    let in_range = cell.indices.iter().all(|&process| instance.has_process(process));
    let symbol = system.symbols.get(cell.symbol.0 as usize);
    let symbol = symbol.filter(|symbol| in_range && cell.indices.len() == symbol.dimensions());
    let Some(symbol) = symbol else { return Err(Misfit::NoSuchCell(name())) };
    if !has_type(instance, value, symbol.ty) {
        let (value, ty) = (value.in_words(system), system.type_name(symbol.ty).to_owned());
        return Err(Misfit::OtherType { cell: name(), value, ty });
    }
    Ok(())
}

/// Whether the instance has this value in this type.
pub fn has_type(instance: &Instance<'_>, value: &Value, ty: Type) -> bool {
    match (value, ty) {
        (Value::Process(process), Type::Process) => instance.has_process(*process),
        (Value::Constructor(id, index), Type::Enumeration(wanted)) => {
            *id == wanted && (*index as usize) < instance.system().enumeration(wanted).constructors.len()
        }
        (Value::Number(number), Type::Integer) => number.is_integer(),
        (Value::Number(_), Type::Real) => true,
        (Value::Abstract(id, number), Type::Abstract(wanted)) => *id == wanted && *number >= 1,
        _ => false,
    }
}

impl Display for Misfit {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::NoSuchCell(cell) => write!(out, "there is no `{cell}`"),
            Misfit::NoValue(cell) => write!(out, "`{cell}` has no value"),
            Misfit::Miscounted { cell, number } => write!(out, "`{cell}` is {number}"),
            Misfit::OtherType { cell, value, ty } => {
                write!(out, "`{cell}` cannot be `{value}`, which is not a value of type `{ty}`")
            }
        }
    }
}

impl Error for Misfit {}
