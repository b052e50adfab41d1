//! What to explore, how far, and what is found.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use polycube_certificate::Trace;
use polycube_language::System;
use polycube_language::system::{PropertyKind, SymbolId};

use super::journal::Fault;
use super::peers::Traffic;
use crate::compile::Cut;
use crate::compile::domain::Bounds;

/// What to explore, and how far.
#[derive(Clone, Debug)]
pub struct Options {
    pub processes: u32,
    /// What bounds the types with infinitely many values.
    pub bounds: Bounds,
    /// Whether one state stands for all its renamings.
    pub reduction: Reduction,
    /// Constants of which one process stands for all, and that process: every other choice gives the same runs up to
    /// renaming. (With symmetry, they would have to be processes that renaming leaves alone.)
    pub fixed: Vec<(SymbolId, u32)>,
    /// Which states are looked at.
    pub extent: Extent,
    /// How many threads work on it. The result does not depend on it.
    pub threads: usize,
    /// When to stop.
    pub goal: Goal,
    /// Which states are deadlocks.
    pub deadlocks: Deadlocks,
    /// Whether runs to bad states and deadlocks are wanted. Otherwise it is only said which properties describe
    /// reachable states.
    pub runs: bool,
    /// How far to go.
    pub limits: Limits,
    /// Set by the caller, it ends the exploration at once, with what was found until then.
    pub interrupt: Arc<AtomicBool>,
    /// With a clock, an exploration that is ended like this still takes a moment to check the last states, and
    /// to look for runs.
    pub clock: Option<Clock>,
}

/// Says how late it is: the time since any moment. The engine itself reads no clock, so that it also runs where
/// there is none.
pub type Clock = fn() -> Duration;

impl Options {
    /// Everything at its default.
    pub fn new(processes: u32) -> Options {
        Options {
            processes,
            bounds: Bounds::default(),
            reduction: Reduction::Symmetry,
            fixed: Vec::new(),
            extent: Extent::Everything,
            threads: 1,
            goal: Goal::FirstUnsafe,
            deadlocks: Deadlocks::NoStep,
            runs: true,
            limits: Limits::default(),
            interrupt: Arc::default(),
            clock: None,
        }
    }
}

/// Which states are deadlocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadlocks {
    /// Those in which no step is possible.
    NoStep,
    /// Those in which no step leads to another state.
    NoChange,
}

/// Whether one state stands for all its renamings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Yes, wherever that is sound.
    Symmetry,
    None,
}

/// Which states are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Everything,
    /// Some, so that the search gets far from the initial states.
    Sample {
        /// How many initial states, if there are more: chosen at random, but always the same.
        starts: usize,
        /// Of how many states of a layer the successors are looked at.
        width: usize,
    },
}

/// When to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// When a state is found that an `unsafe` clause describes: the layer in which it lies is completed, no
    /// other is begun.
    FirstUnsafe,
    /// When a state was found for each of these properties, or is not within so many steps.
    Each(Vec<(usize, usize)>),
    /// When each of these transitions was possible, and a state was found for each of these properties.
    Seen { transitions: Vec<usize>, properties: Vec<usize> },
    /// When there is nothing more to find.
    Everything,
}

impl Goal {
    /// After how many steps it is reached, if each property is first found after so many.
    pub(super) fn steps(&self, system: &System, first: &dyn Fn(usize) -> Option<usize>) -> Option<usize> {
        match self {
            Goal::FirstUnsafe => {
                let is_unsafe = |at: &usize| system.properties[*at].kind == PropertyKind::Unsafe;
                (0..system.properties.len()).filter(is_unsafe).filter_map(first).min()
            }
            Goal::Each(properties) => {
                let steps: Option<Vec<usize>> =
                    properties.iter().map(|&(property, _)| first(property)).collect();
                steps?.into_iter().max()
            }
            // After how many steps a transition was possible is not known.
            Goal::Seen { .. } | Goal::Everything => None,
        }
    }

    /// Whether all that is still to be found would be too many steps away.
    pub(super) fn is_out_of_reach(&self, depth: usize, first: &dyn Fn(usize) -> Option<usize>) -> bool {
        match self {
            Goal::Each(properties) => {
                properties.iter().all(|&(property, most)| first(property).is_some() || depth >= most)
            }
            Goal::FirstUnsafe | Goal::Seen { .. } | Goal::Everything => false,
        }
    }
}

/// How far to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// How many steps from the initial states.
    pub depth: Option<usize>,
    /// How many states, of all orders together, more or less: a search stops between two rounds.
    pub states: Option<u64>,
    /// How many bytes of memory.
    pub bytes: Option<usize>,
    /// How many parts formulas may have that are written out for the processes, if that is less than what is
    /// possible at all.
    pub parts: Option<u64>,
    /// Among how many states the steps from one state may choose, if that is less than what is possible at
    /// all.
    pub choices: Option<u64>,
    /// How many instructions there may be for all states together, if each meets all of the program of the instance: the
    /// longer the rules, the fewer the states.
    pub instructions: Option<u64>,
}

impl Limits {
    /// The same for an instance whose program has so many instructions: as a limit on states.
    pub fn with_program(&self, size: u64) -> Limits {
        let affordable = self.instructions.map(|most| most / size.max(1));
        Limits { states: self.states.into_iter().chain(affordable).min(), instructions: None, ..*self }
    }
}

/// How an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// There are no other states.
    Complete,
    /// The bad states that were looked for were found.
    Unsafe,
    /// The limit on the depth was reached.
    Depth,
    /// The limit on the number of states was reached.
    States,
    /// There are no other states that were to be looked at.
    Sampled,
    /// The limit on memory was reached.
    Memory,
    /// More states than can be numbered.
    Full,
    /// The connection to another process was lost.
    Lost,
    /// What was found could not be kept.
    Unkept,
    /// Cancelled by the caller.
    Interrupted,
    /// A number for this symbol is too large, or between too many others.
    Overflow(SymbolId),
    /// The choices of a state, up to those of this transition, lead to too many states.
    Choices(usize),
}

/// How far an exploration has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many states were found.
    pub states: u64,
    /// How many of them are still to be expanded.
    pub queue: u64,
    /// How many steps were taken.
    pub transitions: u64,
    /// How many steps from the initial states.
    pub depth: usize,
    /// How many bytes of memory are in use.
    pub bytes: usize,
}

/// Watches an exploration.
pub trait Observer {
    /// Called between two rounds: some ten times a second, or more often.
    fn progress(&mut self, progress: &Progress);
}

/// Looks away.
impl Observer for () {
    fn progress(&mut self, _: &Progress) {}
}

/// A property that describes a reachable state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Its index in the system.
    pub property: usize,
    /// Processes for its parameters for which it holds in the last state of the run, from 1.
    pub processes: Vec<u32>,
    /// A shortest run to such a state, accepted by the judge.
    pub trace: Trace,
}

/// The part of an exploration that one process has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub states: u64,
    /// How many bytes of memory they took at most.
    pub bytes: usize,
    pub traffic: Traffic,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    pub end: End,
    pub states: u64,
    /// How many of them were looked at for bad states: all, unless the search was interrupted.
    pub inspected: u64,
    pub initial_states: u64,
    /// How many steps there are from them.
    pub transitions: u64,
    /// The largest number of steps to any of them.
    pub depth: usize,
    /// For each property of the system, whether it describes a state that was looked at.
    pub reached: Vec<bool>,
    /// The properties that describe reachable states, in the order of the system, with runs.
    pub violations: Vec<Violation>,
    /// How many states have no successor.
    pub deadlocks: u64,
    /// A shortest run to one of them, accepted by the judge; unless the search was interrupted, and it takes
    /// long to find.
    pub deadlock: Option<Trace>,
    /// The transitions that were never possible.
    pub never_fired: Vec<usize>,
    /// What the bounds cut off.
    pub cuts: Vec<Cut>,
    /// Whether one state stands for all its renamings.
    pub reduction: Reduction,
    /// How many choices of orders there are.
    pub orders: usize,
    /// How many of them were looked at: all, unless something ended the search.
    pub explored_orders: usize,
    /// How many bits a packed state has.
    pub state_bits: u64,
    /// How many bytes of memory the states took at most, in all processes.
    pub bytes: usize,
    /// What each of the processes has that share the exploration.
    pub parts: Vec<Part>,
    /// Why something could not be kept, or not be read again.
    pub fault: Option<Fault>,
}

impl End {
    /// Of several ends, the heaviest is the end of all.
    fn weight(self) -> u32 {
        match self {
            End::Complete => 0,
            End::Depth | End::Sampled => 1,
            End::Unsafe => 2,
            _ => 3,
        }
    }
}

impl Exploration {
    /// Whether there are no other states, also beyond all bounds.
    pub fn is_complete(&self) -> bool {
        self.end == End::Complete && self.cuts.is_empty()
    }

    /// What is known if the end comes before anything was found.
    pub fn nothing(system: &System) -> Exploration {
        Exploration {
            end: End::Interrupted,
            states: 0,
            inspected: 0,
            initial_states: 0,
            transitions: 0,
            depth: 0,
            reached: vec![false; system.properties.len()],
            violations: Vec::new(),
            deadlocks: 0,
            deadlock: None,
            never_fired: (0..system.transitions.len()).collect(),
            cuts: Vec::new(),
            reduction: Reduction::None,
            orders: 1,
            explored_orders: 0,
            state_bits: 0,
            bytes: 0,
            parts: Vec::new(),
            fault: None,
        }
    }

    /// After how many steps the goal was reached, if it was.
    pub(super) fn steps_to(&self, goal: &Goal, system: &System) -> Option<usize> {
        let steps = |property: usize| {
            let violation = self.violations.iter().find(|violation| violation.property == property);
            violation.map(|violation| violation.trace.steps.len())
        };
        goal.steps(system, &steps)
    }

    /// Adds what was found for another choice of orders, none of whose states is one of these.
    pub(super) fn merge(&mut self, other: Exploration) {
        self.end = std::cmp::max_by_key(self.end, other.end, |end| end.weight());
        self.states += other.states;
        self.inspected += other.inspected;
        self.initial_states += other.initial_states;
        self.transitions += other.transitions;
        self.depth = self.depth.max(other.depth);
        for (reached, also) in self.reached.iter_mut().zip(other.reached) {
            *reached |= also;
        }
        for violation in other.violations {
            match self.violations.iter_mut().find(|known| known.property == violation.property) {
                None => self.violations.push(violation),
                Some(known) if violation.trace.steps.len() < known.trace.steps.len() => *known = violation,
                Some(_) => {}
            }
        }
        self.violations.sort_by_key(|violation| violation.property);
        self.deadlocks += other.deadlocks;
        self.deadlock = match (self.deadlock.take(), other.deadlock) {
            (Some(known), Some(new)) if new.steps.len() < known.steps.len() => Some(new),
            (known, new) => known.or(new),
        };
        self.never_fired.retain(|transition| other.never_fired.contains(transition));
        for cut in other.cuts {
            if !self.cuts.contains(&cut) {
                self.cuts.push(cut);
            }
        }
        self.explored_orders += other.explored_orders;
        self.state_bits = self.state_bits.max(other.state_bits);
        self.bytes = self.bytes.max(other.bytes);
        for (part, other) in self.parts.iter_mut().zip(&other.parts) {
            part.states += other.states;
            part.bytes = part.bytes.max(other.bytes);
            // It is that of all orders until now.
            part.traffic = other.traffic;
        }
        self.fault = self.fault.take().or(other.fault);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rules_leave_fewer_states() {
        let limits = Limits { states: Some(10), instructions: Some(100), ..Limits::default() };
        assert_eq!([0, 9, 20, 200].map(|size| limits.with_program(size).states), [10, 10, 5, 0].map(Some));
        assert_eq!(Limits::default().with_program(20), Limits::default());
    }
}
