//! Whoever knows reachable states, and finds more of them when the search asks for it.

use std::fmt::Debug;

use serde::Serialize;

use super::{Known, Oracle};
use crate::forward::{Exploration, Observer, Violation};

/// Knows reachable states, and may find more: unless it says otherwise, it does not.
pub trait Guide: Debug + Send + Sync {
    /// What it knows so far.
    fn oracle(&self) -> &dyn Oracle;

    /// How many states it would look at next; none if it does not find any more.
    fn next_states(&self) -> Option<u64> {
        None
    }

    /// Looks at them, with this many threads. Properties that it finds to be violated.
    fn grow(&mut self, _threads: usize, _observer: &mut dyn Observer) -> Vec<Violation> {
        Vec::new()
    }

    /// The states that it has found, to be kept.
    fn known(&self) -> Known {
        Known::default()
    }

    /// The instances that it looked at.
    fn instances(&self) -> &[Explored] {
        &[]
    }

    /// How many bytes it takes.
    fn bytes(&self) -> usize {
        0
    }
}

/// An instance that was looked at. (As JSON: a part of the report of `verify`.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Explored {
    pub processes: u32,
    /// How many states were found.
    pub states: u64,
    /// The largest number of steps to any of them.
    pub depth: usize,
    pub complete: bool,
}

impl Explored {
    pub fn of(processes: u32, exploration: &Exploration) -> Explored {
        let &Exploration { states, depth, .. } = exploration;
        Explored { processes, states, depth, complete: exploration.is_complete() }
    }
}

/// Knows what it knows.
#[derive(Debug)]
pub struct Fixed<'o>(pub &'o dyn Oracle);

impl Guide for Fixed<'_> {
    fn oracle(&self) -> &dyn Oracle {
        self.0
    }
}
