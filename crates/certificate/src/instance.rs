//! Instances: a system with a number of processes, and with the orders that the system leaves open.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{self, Display, Formatter};

use polycube_language::System;
use polycube_language::system::{EnumerationId, Processes};

use crate::value::Value;

/// How many processes an instance has at most.
pub const MAX_PROCESSES: u32 = 64;

/// How many cells an instance has at most: an array of many dimensions would have more than there is memory.
pub const MAX_CELLS: u64 = 1 << 20;

/// What `<` means on processes and enumerations: the system says only that it is some total order, which
/// stays the same along a run. An order lists all values from the smallest to the largest.
///
/// The default is the natural order everywhere: `#1 < #2 < ...`, and constructors as they are declared. The
/// values of an abstract type are always ordered by their numbers, since they are interchangeable otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// The processes; natural order where there is none.
    pub processes: Option<Vec<u32>>,
    /// The constructors of enumerations, `bool` included; natural order for those that are absent.
    pub enumerations: BTreeMap<EnumerationId, Vec<u32>>,
}

/// A system with a number of processes and with orders.
#[derive(Clone, Debug)]
pub struct Instance<'s> {
    system: &'s System,
    processes: u32,
    orders: Orders,
}

/// Why there is no such instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoInstance {
    /// An instance has at least one process.
    NoProcesses,
    /// The system fixes another number.
    OtherNumber {
        /// The number that the system fixes.
        fixed: u32,
        /// The number that was asked for.
        given: u32,
    },
    /// More processes than [`MAX_PROCESSES`].
    TooManyProcesses(u32),
    /// More cells than [`MAX_CELLS`].
    TooManyCells,
    /// The order of processes is not one of all processes.
    ProcessOrder,
    /// The order of this enumeration is not one of all its constructors.
    EnumerationOrder(String),
    /// There is an order for an enumeration that does not exist.
    UnknownEnumeration(EnumerationId),
}

impl<'s> Instance<'s> {
    /// The instance with this many processes and these orders.
    pub fn new(system: &'s System, processes: u32, orders: Orders) -> Result<Instance<'s>, NoInstance> {
        if processes == 0 {
            return Err(NoInstance::NoProcesses);
        }
        if let Processes::Exactly(fixed) = system.processes
            && fixed != processes
        {
            return Err(NoInstance::OtherNumber { fixed, given: processes });
        }
        if processes > MAX_PROCESSES {
            return Err(NoInstance::TooManyProcesses(processes));
        }
        if number_of_cells(system, processes).is_none_or(|cells| cells > MAX_CELLS) {
            return Err(NoInstance::TooManyCells);
        }
        if let Some(order) = &orders.processes
            && !lists_each_once(order, 1..=processes)
        {
            return Err(NoInstance::ProcessOrder);
        }
        for (&id, order) in &orders.enumerations {
            let Some(enumeration) = system.enumerations.get(id.0 as usize) else {
                return Err(NoInstance::UnknownEnumeration(id));
            };
            let values = u32::try_from(enumeration.constructors.len());
            if !lists_each_once(order, 0..values.expect("constructors are counted in 32 bits")) {
                return Err(NoInstance::EnumerationOrder(enumeration.name.clone()));
            }
        }
        Ok(Instance { system, processes, orders })
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// The number of processes.
    pub fn processes(&self) -> u32 {
        self.processes
    }

    /// Whether this is a process of the instance.
    pub fn has_process(&self, process: u32) -> bool {
        (1..=self.processes).contains(&process)
    }

    /// Whether `left < right`, for two values of one type.
    ///
    /// # Panics
    /// If the types differ.
    pub fn is_less(&self, left: &Value, right: &Value) -> bool {
        match (left, right) {
            (Value::Process(left), Value::Process(right)) => {
                stands_before(self.orders.processes.as_ref(), *left, *right)
            }
            (Value::Constructor(ty, left), Value::Constructor(other, right)) if ty == other => {
                stands_before(self.orders.enumerations.get(ty), *left, *right)
            }
            (Value::Number(left), Value::Number(right)) => left < right,
            (Value::Abstract(ty, left), Value::Abstract(other, right)) if ty == other => left < right,
            _ => panic!("only values of one type are compared, not {left:?} and {right:?}"),
        }
    }
}

/// Whether the order lists `left` before `right`; without one, the smaller number stands first.
fn stands_before(order: Option<&Vec<u32>>, left: u32, right: u32) -> bool {
    match order {
        None => left < right,
        Some(order) => {
            let place = |wanted: u32| order.iter().position(|&value| value == wanted);
            place(left) < place(right)
        }
    }
}

fn lists_each_once(order: &[u32], values: impl Iterator<Item = u32>) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(values)
}

/// None where the number is larger than any limit.
fn number_of_cells(system: &System, processes: u32) -> Option<u64> {
    system.symbols.iter().try_fold(0u64, |sum, symbol| {
        let dimensions = u32::try_from(symbol.dimensions()).ok()?;
        sum.checked_add(u64::from(processes).checked_pow(dimensions)?)
    })
}

impl Display for NoInstance {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            NoInstance::NoProcesses => write!(out, "there must be at least one process"),
            NoInstance::OtherNumber { fixed, given } => {
                write!(out, "the number of processes must be {fixed} (`number_procs {fixed}`), not {given}")
            }
            NoInstance::TooManyProcesses(given) => {
                write!(out, "{given} processes are too many: at most {MAX_PROCESSES} can be treated")
            }
            NoInstance::TooManyCells => {
                write!(out, "the arrays have too many cells: at most {MAX_CELLS} can be treated")
            }
            NoInstance::ProcessOrder => {
                write!(out, "the order of processes does not list each process exactly once")
            }
            NoInstance::EnumerationOrder(name) => {
                write!(out, "the order of `{name}` does not list each of its constructors exactly once")
            }
            NoInstance::UnknownEnumeration(id) => {
                write!(out, "there is an order for enumeration {}, which does not exist", id.0)
            }
        }
    }
}

impl Error for NoInstance {}
