//! Traces: the claim that a system has a certain run. A trace is data; [`replay`](crate::replay()) says
//! whether the claim is true.

use crate::instance::Orders;
use crate::state::{Cell, State};
use crate::value::Value;

/// A claimed run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The number of processes.
    pub processes: u32,
    /// What `<` means where the system leaves it open.
    pub orders: Orders,
    /// The state in which it starts.
    pub initial: State,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// One step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The name of the transition. Where several have this name, any of them.
    pub transition: String,
    /// The processes in place of the transition's parameters.
    pub arguments: Vec<u32>,
    /// The cells that have another value afterwards, and that value. To name a cell that keeps its value is
    /// allowed; to name one twice is not.
    pub changes: Vec<(Cell, Value)>,
}
