//! The instances that are explored to know states: small ones first, larger ones when the search asks.
//!
//! An instance is not explored breadth first, but by sample: of each layer, only some states are looked at
//! further. So many states are known that are far from the initial ones, and it is there that guesses go
//! wrong which no state near the beginning contradicts. (The BRAB paper, FMCAD 2013, section III-B, explores
//! one instance to a given depth: `FWD`.)

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use polycube_language::System;
use polycube_language::system::{Processes, SymbolId, Type, Update, Value};

use super::guide::{Explored, Guide};
use super::{Known, Oracle, Reached};
use crate::compile::TooLarge;
use crate::forward::states::States;
use crate::forward::{Clock, End, Exploration, Extent, Goal, Limits, Observer, Options, Violation};

/// How many states the first instance may have. Each further one may have [`FACTOR`] times as many.
const FIRST_STATES: u64 = 2_000;

const FACTOR: u64 = 4;

/// How many instances are explored. With the last one, it is some eight million states.
const MAX_STAGES: u32 = 7;

/// How many more processes an instance has than steps and properties speak of, if these are few.
const MAX_SPARE: u32 = 2;

/// An instance with more processes has at most one to spare: there are too many ways to choose some of them.
const MANY: u32 = 5;

/// How many parts the formulas of an instance may have: with more, exploring it takes longer than the search.
const MAX_PARTS: u64 = 1_000_000;

/// The steps from one state may choose among this many times as many states as the instance may have.
const CHOICES: u64 = 16;

const STARTS: usize = 64;

/// Of each layer, this part of all states that an instance may have is looked at further.
const LAYERS: u64 = 64;

#[derive(Clone, Copy, Debug, Default)]
pub struct Plan {
    /// The number of processes; otherwise more and more.
    pub processes: Option<u32>,
    /// All states up to this depth, at once; otherwise more and more samples.
    pub depth: Option<usize>,
    /// For explorations that are interrupted.
    pub clock: Option<Clock>,
}

/// More and more instances of a system.
#[derive(Debug)]
pub struct Instances<'s> {
    system: &'s System,
    plan: Plan,
    interrupt: Arc<AtomicBool>,
    max_bytes: Option<usize>,
    states: Known,
    explored: Vec<Explored>,
    /// How often instances were explored, or could not be.
    stage: u32,
    /// How many processes the next instance has at least.
    processes: u32,
    bytes: usize,
    violated: bool,
}

impl<'s> Instances<'s> {
    /// None explored yet.
    pub fn new(system: &'s System, plan: Plan, max_bytes: Option<usize>, interrupt: Arc<AtomicBool>) -> Self {
        Instances {
            system,
            plan,
            interrupt,
            max_bytes,
            states: Known::default(),
            explored: Vec::new(),
            stage: 0,
            processes: least_processes(system),
            bytes: 0,
            violated: false,
        }
    }

    /// How many processes the next instance has.
    pub fn next_processes(&self) -> u32 {
        match (self.system.processes, self.plan.processes) {
            (Processes::Exactly(count), _) | (Processes::Any, Some(count)) => count,
            (Processes::Any, None) => {
                let least = least_processes(self.system);
                let most = (least + 1).max((least + MAX_SPARE).min(MANY));
                self.processes.max(least + self.stage.div_ceil(2)).min(most)
            }
        }
    }

    fn learn(&mut self, states: Reached) {
        self.bytes += states.states.bytes();
        self.states.add(states);
    }

    fn states_of_stage(&self) -> u64 {
        FIRST_STATES * FACTOR.pow(self.stage)
    }

    fn options(&self, threads: usize) -> Options {
        let states = self.states_of_stage();
        let (extent, limits) = match self.plan.depth {
            Some(depth) => (Extent::Everything, Limits { depth: Some(depth), ..Limits::default() }),
            None => {
                let extent = Extent::Sample { starts: STARTS, width: (states / LAYERS) as usize };
                (extent, Limits { states: Some(states), ..Limits::default() })
            }
        };
        let bytes = self.max_bytes.map(|most| most.saturating_sub(self.bytes) / 2);
        Options {
            extent,
            threads,
            // When one violation is known, another one is wanted.
            goal: if self.violated { Goal::Everything } else { Goal::FirstUnsafe },
            limits: Limits { bytes, parts: Some(MAX_PARTS), choices: Some(states * CHOICES), ..limits },
            interrupt: Arc::clone(&self.interrupt),
            clock: self.plan.clock,
            ..Options::new(self.next_processes())
        }
    }
}

impl Guide for Instances<'_> {
    fn oracle(&self) -> &dyn Oracle {
        &self.states
    }

    fn next_states(&self) -> Option<u64> {
        let stages = if self.plan.depth.is_some() { 1 } else { MAX_STAGES };
        // With a fixed number of processes, all may be known.
        let fixed = self.plan.processes.is_some() || self.system.processes != Processes::Any;
        let all = fixed && self.states.knows_all();
        (self.stage < stages && !all).then(|| self.states_of_stage())
    }

    fn grow(&mut self, threads: usize, observer: &mut dyn Observer) -> Vec<Violation> {
        let options = self.options(threads);
        self.stage += 1;
        // An instance that is too large for exploration says nothing.
        let Ok((states, exploration)) = explore(self.system, &options, observer) else { return Vec::new() };
        let (processes, complete) = (options.processes, exploration.end == End::Complete);
        if complete {
            self.processes = processes + 1;
        }
        self.explored.push(Explored::of(processes, &exploration));
        let Exploration { never_fired, violations, .. } = exploration;
        self.learn(Reached { states, complete, never_fired });
        self.violated |= !violations.is_empty();
        violations
    }

    fn known(&self) -> Known {
        self.states.clone()
    }

    fn instances(&self) -> &[Explored] {
        &self.explored
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Explores an instance as the options say; a small one is explored in full if it is small enough.
fn explore(
    system: &System,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<(States, Exploration), TooLarge> {
    if options.limits.states == Some(FIRST_STATES) {
        let all = Options { extent: Extent::Everything, ..options.clone() };
        let found = States::explore(system, &all, observer)?;
        if found.1.end == End::Complete || !found.1.violations.is_empty() {
            return Ok(found);
        }
    }
    States::explore(system, options, observer)
}

/// How many processes an instance needs so that each step is possible and each property can be violated, also
/// besides processes that have a name of their own.
pub(crate) fn least_processes(system: &System) -> u32 {
    let transitions = system.transitions.iter().map(|transition| transition.parameters.len());
    let properties = system.properties.iter().map(|property| property.parameters.len());
    let most = transitions.chain(properties).max().unwrap_or(0);
    let is_changed = |id: SymbolId| system.updates().any(|update| update.symbol == id);
    let asked = asked(system);
    let named = system.symbols.iter().zip((0..).map(SymbolId)).filter(|(symbol, id)| {
        let is_name = symbol.ty == Type::Process && symbol.dimensions() == 0;
        is_name && !is_changed(*id) && asked.contains(id)
    });
    // Where it does not fit, no instance is small enough anyway.
    u32::try_from(most.max(2) + named.count()).unwrap_or(u32::MAX / 2)
}

/// The symbols that anything depends on. (A process that is only written somewhere may as well be another one.)
fn asked(system: &System) -> BTreeSet<SymbolId> {
    let mut asked = BTreeSet::new();
    let guards = system.transitions.iter().map(|transition| &transition.guard);
    let properties = system.properties.iter().map(|property| &property.formula);
    let conditions = system.updates().flat_map(|update| &update.branches).map(|branch| &branch.condition);
    for formula in guards.chain(properties).chain(conditions) {
        formula.for_each_access(&mut |access| {
            asked.insert(access.symbol);
        });
    }
    for value in system.updates().flat_map(Update::values) {
        if let Value::Term(term) = value {
            term.for_each_access(&mut |access| {
                for index in &access.indices {
                    index.for_each_access(&mut |access| {
                        asked.insert(access.symbol);
                    });
                }
            });
        }
    }
    asked
}
