//! Explores all reachable states of an instance, for every order that the system leaves open.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use polycube_certificate::{Trace, replay};
use polycube_language::System;
use polycube_language::system::{PropertyKind, SymbolId};

use super::expand::StepError;
use super::search::{Found, Search, SearchError};
use super::symmetry::Symmetry;
use super::trace::trace_to;
use crate::compile::domain::{Bounds, Precision};
use crate::compile::order::Orders;
use crate::compile::program::Unfit;
use crate::compile::{Cut, Initial, Instance, Next, TooLarge};

/// How long a search that was ended may still look at states for bad ones.
const PATIENCE: Duration = Duration::from_secs(1);

/// What to explore, and how far.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of processes.
    pub processes: u32,
    /// What bounds the types with infinitely many values.
    pub bounds: Bounds,
    /// Whether one state stands for all its renamings.
    pub reduction: Reduction,
    /// How many threads work on it. The result does not depend on it.
    pub threads: usize,
    /// When to stop.
    pub goal: Goal,
    /// How far to go.
    pub limits: Limits,
    /// Set by somebody else, it ends the exploration at once, with what was found until then.
    pub interrupt: Arc<AtomicBool>,
}

impl Options {
    /// Everything at its default.
    pub fn new(processes: u32) -> Options {
        Options {
            processes,
            bounds: Bounds::default(),
            reduction: Reduction::Symmetry,
            threads: 1,
            goal: Goal::FirstUnsafe,
            limits: Limits::default(),
            interrupt: Arc::default(),
        }
    }
}

/// Whether one state stands for all its renamings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Yes, wherever that is sound.
    Symmetry,
    /// No.
    None,
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// When a state is found that an `unsafe` clause describes: the layer in which it lies is completed, no other is begun.
    FirstUnsafe,
    /// When there is nothing more to find.
    Everything,
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
}

/// How an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// There are no other states.
    Complete,
    /// An unsafe state was found.
    Unsafe,
    /// The limit on the depth was reached.
    Depth,
    /// The limit on the number of states was reached.
    States,
    /// The limit on memory was reached.
    Memory,
    /// More states than can be numbered.
    Full,
    /// Somebody asked for it.
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

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// How it ended.
    pub end: End,
    /// How many states.
    pub states: u64,
    /// How many of them were looked at for bad states: all, unless the search was interrupted.
    pub inspected: u64,
    /// How many of them are initial.
    pub initial_states: u64,
    /// How many steps were taken from them.
    pub transitions: u64,
    /// The largest number of steps to any of them.
    pub depth: usize,
    /// The properties that describe reachable states, in the order of the system.
    pub violations: Vec<Violation>,
    /// How many states have no successor.
    pub deadlocks: u64,
    /// A shortest run to one of them, accepted by the judge.
    pub deadlock: Option<Trace>,
    /// The transitions that were never possible.
    pub never_fired: Vec<usize>,
    /// What the bounds cut off.
    pub cuts: Vec<Cut>,
    /// Whether one state stands for all its renamings.
    pub reduction: Reduction,
    /// How many choices of orders there are; each was explored.
    pub orders: usize,
    /// How many bits a packed state has.
    pub state_bits: u64,
    /// How many bytes of memory the states took at most.
    pub bytes: usize,
}

/// Explores an instance.
pub fn explore(
    system: &System,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Exploration, TooLarge> {
    explore_states(system, options, observer, &mut |_, _| {})
}

/// Explores an instance, and calls `visit` with every packed state at the end, in a fixed order, together with the compiled instance that it is a state of: one
/// for each choice of orders.
pub fn explore_states(
    system: &System,
    options: &Options,
    observer: &mut dyn Observer,
    visit: &mut dyn FnMut(&Instance<'_>, &[u64]),
) -> Result<Exploration, TooLarge> {
    let (mut precision, choices) = Instance::prepare(system, options.processes, &options.bounds)?;
    let mut total: Option<Exploration> = None;
    let count = choices.len();
    let mut options = options.clone();
    for orders in choices {
        let mut one = explore_order(system, &options, &orders, &mut precision, observer, visit)?;
        options.limits.states = options.limits.states.map(|limit| limit.saturating_sub(one.states));
        one.orders = count;
        let total = match &mut total {
            None => total.insert(one),
            Some(total) => {
                total.merge(one);
                total
            }
        };
        if !matches!(total.end, End::Complete | End::Unsafe | End::Depth) {
            break;
        }
    }
    Ok(total.expect("there is one order at least"))
}

/// Explores an instance with one choice of orders. Widens numbers until they fit.
fn explore_order(
    system: &System,
    options: &Options,
    orders: &Orders,
    precision: &mut Precision,
    observer: &mut dyn Observer,
    visit: &mut dyn FnMut(&Instance<'_>, &[u64]),
) -> Result<Exploration, TooLarge> {
    loop {
        let compiled = Instance::new(
            system,
            options.processes,
            &options.bounds,
            precision,
            orders.clone(),
            &options.interrupt,
        );
        let instance = match compiled {
            Err(TooLarge::Interrupted) => return Ok(Exploration::nothing()),
            compiled => compiled?,
        };
        let Unfit { symbol, why } =
            match explore_instance(&instance, options, observer, visit, Overflow::Return) {
                Ok(exploration) => return Ok(exploration),
                Err(unfit) => unfit,
            };
        match precision.widened(system.symbol(symbol).ty, why) {
            Some(wider) => *precision = wider,
            None => {
                // Nothing wider: once more, to report what there is.
                return Ok(explore_instance(&instance, options, observer, visit, Overflow::Report)
                    .expect("an overflow ends this exploration like a limit"));
            }
        }
    }
}

/// What to do when a number cannot be stored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overflow {
    /// Give up, so that numbers can be widened.
    Return,
    /// End, with what was found.
    Report,
}

fn explore_instance(
    instance: &Instance<'_>,
    options: &Options,
    observer: &mut dyn Observer,
    visit: &mut dyn FnMut(&Instance<'_>, &[u64]),
    overflow: Overflow,
) -> Result<Exploration, Unfit> {
    macro_rules! by_words {
        ($($words:literal),*) => {
            match instance.layout.words {
                $(words if words <= $words => {
                    Explorer::<$words>::new(instance, options).run(observer, visit, overflow)
                })*
                words => unreachable!("a state has at most 64 words, not {words}"),
            }
        };
    }
    by_words!(1, 2, 3, 4, 8, 16, 64)
}

/// One exploration.
struct Explorer<'i, const W: usize> {
    instance: &'i Instance<'i>,
    options: &'i Options,
    search: Search<'i, W>,
    reduction: Reduction,
    initial_states: u64,
    start_cuts: Vec<Cut>,
    /// How many layers were looked at for bad states, and how many states in all.
    inspected_layers: usize,
    inspected: u64,
    bytes: usize,
}

impl<'i, const W: usize> Explorer<'i, W> {
    fn new(instance: &'i Instance<'i>, options: &'i Options) -> Self {
        let symmetry = match options.reduction {
            Reduction::Symmetry => Symmetry::new(instance),
            Reduction::None => None,
        };
        let reduction = if symmetry.is_some() { Reduction::Symmetry } else { Reduction::None };
        let search = Search::new(instance, symmetry, options.threads, &options.interrupt);
        Explorer {
            instance,
            options,
            search,
            reduction,
            initial_states: 0,
            start_cuts: Vec::new(),
            inspected_layers: 0,
            inspected: 0,
            bytes: 0,
        }
    }

    fn run(
        mut self,
        observer: &mut dyn Observer,
        visit: &mut dyn FnMut(&Instance<'_>, &[u64]),
        overflow: Overflow,
    ) -> Result<Exploration, Unfit> {
        let end = match self.explore(observer) {
            Ok(end) => end,
            Err(SearchError::Step(StepError::Unfit(unfit))) if overflow == Overflow::Return => {
                return Err(unfit);
            }
            Err(SearchError::Step(StepError::Unfit(unfit))) => End::Overflow(unfit.symbol),
            Err(SearchError::Step(StepError::Choices(transition))) => End::Choices(transition as usize),
            Err(SearchError::Step(StepError::Stopped)) => End::Interrupted,
            Err(SearchError::Full) => End::Full,
        };
        if !matches!(end, End::Complete | End::Unsafe | End::Depth) {
            self.inspect_rest();
        }
        self.search.for_each(|state| visit(self.instance, state));
        Ok(self.report(end))
    }

    /// The search: layer after layer, until there is no other or something ends it.
    fn explore(&mut self, observer: &mut dyn Observer) -> Result<End, SearchError> {
        if let Some(end) = self.initial(observer)? {
            return Ok(end);
        }
        loop {
            self.search.close_layer();
            let layer = self.search.layers() - 1;
            let size = self.search.layer_len(layer);
            if size == 0 {
                return Ok(End::Complete);
            }
            let stop = || self.options.interrupt.load(Ordering::Relaxed);
            let inspected = self.search.inspect(layer, &stop);
            if inspected < size {
                return Ok(End::Interrupted);
            }
            self.inspected_layers = layer + 1;
            self.inspected += inspected as u64;
            if self.options.goal == Goal::FirstUnsafe && self.found_unsafe() {
                return Ok(End::Unsafe);
            }
            if self.options.limits.depth.is_some_and(|depth| layer >= depth) {
                return Ok(End::Depth);
            }
            let mut position = 0;
            while position < size {
                position = self.search.expand(position, self.affordable())?;
                if let Some(end) = self.limit(size - position, layer, observer) {
                    return Ok(end);
                }
            }
        }
    }

    fn initial(&mut self, observer: &mut dyn Observer) -> Result<Option<End>, SearchError> {
        let unfit = |unfit| SearchError::Step(StepError::Unfit(unfit));
        let fields = &self.instance.layout.fields;
        let mut initial = Initial::new(self.instance, &self.options.bounds).map_err(unfit)?;
        self.start_cuts = initial.cuts().to_vec();
        let mut batch: Vec<[u64; W]> = Vec::new();
        loop {
            let most = self.affordable();
            let mut finished = false;
            while batch.len() < most {
                let codes = match initial.next_state().map_err(unfit)? {
                    Next::State(codes) => codes,
                    Next::Working => break,
                    Next::End => {
                        finished = true;
                        break;
                    }
                };
                let mut state = [0; W];
                for (field, &code) in fields.iter().zip(codes) {
                    field.set(&mut state, code);
                }
                batch.push(state);
            }
            self.search.add_initial(&batch)?;
            self.initial_states = self.search.states();
            batch.clear();
            if finished {
                return Ok(None);
            }
            if let Some(end) = self.limit(0, 0, observer) {
                return Ok(Some(end));
            }
        }
    }

    /// After an end before its time, looks at the states that were found but not looked at. Somebody who interrupts does not want to wait: what is not
    /// done soon is left out then, and the report says so.
    fn inspect_rest(&mut self) {
        self.search.close_layer();
        let start = Instant::now();
        let interrupt = &self.options.interrupt;
        let stop = || interrupt.load(Ordering::Relaxed) && start.elapsed() > PATIENCE;
        for layer in self.inspected_layers..self.search.layers() {
            let inspected = self.search.inspect(layer, &stop);
            self.inspected += inspected as u64;
            if inspected < self.search.layer_len(layer) {
                break;
            }
        }
    }

    /// How many states to expand before looking at the limits again: fewer where a limit is near.
    fn affordable(&self) -> usize {
        let states = self
            .options
            .limits
            .states
            .map_or(usize::MAX, |limit| limit.saturating_sub(self.search.states()) as usize / 4);
        let bytes = self.options.limits.bytes.map_or(usize::MAX, |limit| {
            limit.saturating_sub(self.search.bytes()) / (64 * size_of::<[u64; W]>())
        });
        states.min(bytes).clamp(64, 1 << 18)
    }

    /// Whether to stop between two rounds.
    fn limit(&mut self, left: usize, layer: usize, observer: &mut dyn Observer) -> Option<End> {
        self.bytes = self.bytes.max(self.search.bytes());
        let limits = &self.options.limits;
        let progress = Progress {
            states: self.search.states(),
            queue: self.search.growing() + left as u64,
            transitions: self.search.fired(),
            depth: layer,
            bytes: self.search.bytes(),
        };
        observer.progress(&progress);
        if self.options.interrupt.load(Ordering::Relaxed) {
            Some(End::Interrupted)
        } else if limits.states.is_some_and(|limit| progress.states >= limit) {
            Some(End::States)
        } else if limits.bytes.is_some_and(|limit| progress.bytes >= limit) {
            Some(End::Memory)
        } else {
            None
        }
    }

    fn found_unsafe(&self) -> bool {
        let properties = self.instance.system.properties.iter().zip(self.search.violations());
        properties
            .into_iter()
            .any(|(property, found)| property.kind == PropertyKind::Unsafe && found.is_some())
    }

    fn report(&self, end: End) -> Exploration {
        let system = self.instance.system;
        let violations = self.search.violations().iter().enumerate().filter_map(|(property, found)| {
            let trace = self.trace_to((*found)?);
            let run = replay(system, &trace).expect("the judge accepts the run");
            let last = run.violations.into_iter().find(|violation| violation.property == property);
            let last = last.expect("the last state of the run is the one that was looked for");
            Some(Violation { property, processes: last.processes, trace })
        });
        let violations = violations.collect();
        let (deadlocks, deadlock) = self.search.deadlocks();
        let fired = self.search.fired_transitions().iter().enumerate();
        let layers = self.search.layers();
        let last_is_empty = layers > 0 && self.search.layer_len(layers - 1) == 0;
        Exploration {
            end,
            states: self.search.states(),
            inspected: self.inspected,
            initial_states: self.initial_states,
            transitions: self.search.fired(),
            depth: layers.saturating_sub(1 + usize::from(last_is_empty)),
            violations,
            deadlocks,
            deadlock: deadlock.map(|found| {
                let trace = self.trace_to(found);
                replay(system, &trace).expect("the judge accepts the run");
                trace
            }),
            never_fired: fired.filter(|(_, fired)| !**fired).map(|(at, _)| at).collect(),
            cuts: self.start_cuts.iter().chain(&self.instance.cuts).copied().collect(),
            reduction: self.reduction,
            orders: 1,
            state_bits: self.instance.layout.slot_bits,
            bytes: self.bytes.max(self.search.bytes()),
        }
    }

    fn trace_to(&self, found: Found<W>) -> Trace {
        trace_to(self.instance, &self.search, found)
    }
}

impl End {
    /// Of several ends, the heaviest is the end of all.
    fn weight(self) -> u32 {
        match self {
            End::Complete => 0,
            End::Depth => 1,
            End::Unsafe => 2,
            _ => 3,
        }
    }
}

impl Exploration {
    /// What is found if the end comes before the instance is compiled.
    fn nothing() -> Exploration {
        Exploration {
            end: End::Interrupted,
            states: 0,
            inspected: 0,
            initial_states: 0,
            transitions: 0,
            depth: 0,
            violations: Vec::new(),
            deadlocks: 0,
            deadlock: None,
            never_fired: Vec::new(),
            cuts: Vec::new(),
            reduction: Reduction::None,
            orders: 1,
            state_bits: 0,
            bytes: 0,
        }
    }

    /// Adds what was found for another choice of orders, none of whose states is one of these.
    fn merge(&mut self, other: Exploration) {
        self.end = std::cmp::max_by_key(self.end, other.end, |end| end.weight());
        self.states += other.states;
        self.inspected += other.inspected;
        self.initial_states += other.initial_states;
        self.transitions += other.transitions;
        self.depth = self.depth.max(other.depth);
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
        self.bytes = self.bytes.max(other.bytes);
    }
}
