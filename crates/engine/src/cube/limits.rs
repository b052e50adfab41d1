//! What cubes can speak about, and what is too large for them.

use std::fmt::{self, Display, Formatter};

use polycube_language::System;
use polycube_language::system::Processes;

use super::vocabulary::{MAX_CELLS, MAX_DIMENSIONS, MAX_NAMED, MAX_TYPES, MAX_VALUES, Universe, tuples};

/// Why a system cannot be treated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// An enumeration has too many values.
    Values {
        name: String,
        given: usize,
    },
    Types(usize),
    /// An array has too many dimensions.
    Dimensions {
        name: String,
        given: usize,
    },
    /// `number_procs` is too large.
    Processes(u32),
    /// There are too many cells.
    Cells {
        processes: u8,
        given: usize,
    },
}

impl std::error::Error for Unsupported {}

impl Display for Unsupported {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Values { name, given } => {
                write!(out, "the type `{name}` has {given} values: at most {MAX_VALUES} are supported")
            }
            Unsupported::Types(given) => {
                write!(out, "the model has {given} types: at most {MAX_TYPES} are supported")
            }
            Unsupported::Dimensions { name, given } => {
                write!(out, "the array `{name}` has {given} indices: at most {MAX_DIMENSIONS} are supported")
            }
            Unsupported::Processes(count) => {
                write!(out, "`number_procs {count}` is too large: at most {MAX_NAMED} are supported")
            }
            Unsupported::Cells { processes, given } => {
                let s = if *processes == 1 { "" } else { "es" };
                let limit = format!("at most {MAX_CELLS} are supported");
                write!(out, "a state of {processes} process{s} has {given} cells: {limit}")
            }
        }
    }
}

/// Whether a system can be verified. That takes next to no time.
pub fn check_supported(system: &System) -> Result<(), Unsupported> {
    check_limits(system, universe_of(system)?)
}

pub(crate) fn universe_of(system: &System) -> Result<Universe, Unsupported> {
    match system.processes {
        Processes::Any => Ok(Universe::Open),
        Processes::Exactly(size) => match u8::try_from(size) {
            Ok(size) if size <= MAX_NAMED => Ok(Universe::Closed(size)),
            _ => Err(Unsupported::Processes(size)),
        },
    }
}

/// Whether cubes can speak about this many processes of a system.
pub(super) fn check_limits(system: &System, universe: Universe) -> Result<(), Unsupported> {
    for enumeration in &system.enumerations {
        let given = enumeration.constructors.len();
        if given > MAX_VALUES {
            return Err(Unsupported::Values { name: enumeration.name.clone(), given });
        }
    }
    let types = 1 + system.enumerations.len() + system.abstract_types.len();
    if types > MAX_TYPES {
        return Err(Unsupported::Types(types));
    }
    for symbol in &system.symbols {
        let given = symbol.dimensions();
        if given > MAX_DIMENSIONS {
            return Err(Unsupported::Dimensions { name: symbol.name.clone(), given });
        }
    }
    let processes = least_named(universe);
    if processes > MAX_NAMED {
        return Err(Unsupported::Processes(processes.into()));
    }
    let given = cells_of(system, processes);
    if given > MAX_CELLS { Err(Unsupported::Cells { processes, given }) } else { Ok(()) }
}

/// How many processes have to fit into a cube: there is always one, and in a closed universe a cube names
/// all.
pub(super) fn least_named(universe: Universe) -> u8 {
    match universe {
        Universe::Open => 1,
        Universe::Closed(size) => size.max(1),
    }
}

/// How many cells this many processes have.
pub(super) fn cells_of(system: &System, processes: u8) -> usize {
    system.symbols.iter().map(|symbol| tuples(processes, symbol.dimensions())).sum()
}
