//! Explores all reachable states of an instance, for every order that the system leaves open.

use std::sync::atomic::Ordering;
use std::time::Duration;

use polycube_certificate::replay;
use polycube_language::System;

use super::expand::SearchError;
use super::exploration::{End, Exploration, Extent, Goal, Observer, Options, Progress, Reduction, Violation};
use super::search::{Findings, Search};
use super::symmetry::Symmetry;
use super::trace::trace_to;
use crate::compile::domain::Precision;
use crate::compile::order::Orders;
use crate::compile::program::Unfit;
use crate::compile::{Cut, Initial, Instance, MAX_ATTEMPTS, Next, TooLarge};

/// How long a cancelled search may still check states, and how long it may look for runs to bad states and
/// deadlocks.
const PATIENCE: Duration = Duration::from_millis(200);

/// Explores an instance.
pub fn explore(
    system: &System,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Exploration, TooLarge> {
    explore_states(system, options, observer, &mut |_, _| {})
}

/// Explores an instance, and calls `visit` with every packed state at the end, in a fixed order, together
/// with the compiled instance that it is a state of: one for each choice of orders.
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
    let mut all_is_known = false;
    for orders in choices {
        let mut one = explore_order(system, &options, &orders, &mut precision, observer, visit)?;
        options.limits.states = options.limits.states.map(|limit| limit.saturating_sub(one.states));
        one.orders = count;
        if let Some(steps) = one.steps_to(&options.goal, system) {
            // Of the other orders, only shorter runs are of interest.
            options.limits.depth = Some(steps.saturating_sub(1));
            all_is_known = steps == 0;
        }
        let total = match &mut total {
            None => total.insert(one),
            Some(total) => {
                total.merge(one);
                total
            }
        };
        if all_is_known || !matches!(total.end, End::Complete | End::Sampled | End::Unsafe | End::Depth) {
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
    let compile = |precision: &Precision| {
        let (processes, bounds) = (options.processes, &options.bounds);
        let parts = options.limits.parts;
        Instance::new(system, processes, bounds, precision, orders.clone(), parts, &options.interrupt)
    };
    let mut narrower = None;
    let mut overflow = Overflow::Return;
    loop {
        let instance = match compile(precision) {
            Ok(instance) => instance,
            Err(TooLarge::Interrupted) => return Ok(Exploration::nothing(system)),
            Err(too_large) => match narrower.take() {
                None => return Err(too_large),
                // Wider numbers do not fit into a state: once more with those before, to report what there
                // is.
                Some(before) => {
                    (*precision, overflow) = (before, Overflow::Report);
                    continue;
                }
            },
        };
        let Unfit { symbol, why } = match explore_instance(&instance, options, observer, visit, overflow) {
            Ok(exploration) => return Ok(exploration),
            Err(unfit) => unfit,
        };
        match precision.widened(system.symbol(symbol).ty, why) {
            Some(wider) => narrower = Some(std::mem::replace(precision, wider)),
            // Nothing is wider: once more, to report what there is.
            None => overflow = Overflow::Report,
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
    // Each is a program of its own. Without optimisation, fewer of them are as good, and built in a third of
    // the time.
    #[cfg(debug_assertions)]
    return by_words!(1, 4, 64);
    #[cfg(not(debug_assertions))]
    by_words!(1, 2, 4, 8, 64)
}

struct Explorer<'i, const W: usize> {
    instance: &'i Instance<'i>,
    options: &'i Options,
    search: Search<'i, W>,
    /// Whether some states were left out on purpose.
    is_sample: bool,
    start_cuts: Vec<Cut>,
    /// How many layers were looked at for bad states, and how many states in all.
    inspected_layers: usize,
    inspected: u64,
    bytes: usize,
    /// How often the search for an initial state may pause before it gives up, if choices are limited.
    pauses: u64,
}

/// How often it may pause at least, however low the limit on choices is.
const LEAST_PAUSES: u64 = 16;

impl<'i, const W: usize> Explorer<'i, W> {
    fn new(instance: &'i Instance<'i>, options: &'i Options) -> Self {
        let symmetry = match options.reduction {
            Reduction::Symmetry => Symmetry::new(instance),
            Reduction::None => None,
        };
        let pauses = options.limits.choices.map(|choices| LEAST_PAUSES + choices / MAX_ATTEMPTS as u64);
        let search = Search::new(instance, symmetry, options);
        Explorer {
            instance,
            options,
            search,
            is_sample: false,
            start_cuts: Vec::new(),
            inspected_layers: 0,
            inspected: 0,
            bytes: 0,
            pauses: pauses.unwrap_or(u64::MAX),
        }
    }

    /// Whether the search for an initial state may go on after a pause.
    fn goes_on(&mut self) -> bool {
        self.pauses = self.pauses.saturating_sub(1);
        self.pauses > 0
    }

    fn run(
        mut self,
        observer: &mut dyn Observer,
        visit: &mut dyn FnMut(&Instance<'_>, &[u64]),
        overflow: Overflow,
    ) -> Result<Exploration, Unfit> {
        let end = match self.explore(observer) {
            Ok(end) => end,
            Err(SearchError::Unfit(unfit)) if overflow == Overflow::Return => return Err(unfit),
            Err(SearchError::Unfit(unfit)) => End::Overflow(unfit.symbol),
            Err(SearchError::Choices(transition)) => End::Choices(transition as usize),
            Err(SearchError::Stopped) => End::Interrupted,
            Err(SearchError::Full) => End::Full,
        };
        if !matches!(end, End::Complete | End::Sampled | End::Unsafe | End::Depth) {
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
        let width = match self.options.extent {
            Extent::Everything => usize::MAX,
            Extent::Sample { width, .. } => width,
        };
        loop {
            self.search.close_layer();
            let layer = self.search.layers() - 1;
            let size = self.search.layer_len(layer);
            if size == 0 {
                return Ok(if self.is_sample { End::Sampled } else { End::Complete });
            }
            let inspected = self.search.inspect(layer, &|| is_interrupted(self.options));
            if inspected < size {
                return Ok(End::Interrupted);
            }
            self.inspected_layers = layer + 1;
            self.inspected += inspected as u64;
            if self.is_goal_reached() {
                return Ok(End::Unsafe);
            }
            let found = &self.search.findings.violations;
            let first = |property: usize| found[property].map(|found| found.depth);
            if self.options.limits.depth.is_some_and(|depth| layer >= depth)
                || self.options.goal.is_out_of_reach(layer, &first)
            {
                return Ok(End::Depth);
            }
            // The states of a layer are ordered by hashes, more or less, so the first ones are a fair sample.
            self.is_sample |= size > width;
            let size = size.min(width);
            let mut position = 0;
            while position < size {
                position = self.search.expand(position, self.affordable().min(size - position))?;
                if let Some(end) = self.limit(size - position, layer, observer) {
                    return Ok(end);
                }
            }
        }
    }

    fn initial(&mut self, observer: &mut dyn Observer) -> Result<Option<End>, SearchError> {
        let mut initial = Initial::new(self.instance, &self.options.bounds)?;
        let enough = match self.options.extent {
            Extent::Everything => usize::MAX,
            Extent::Sample { starts, .. } => starts.saturating_add(1),
        };
        let mut batch: Vec<[u64; W]> = Vec::new();
        loop {
            let most = self.affordable().min(enough);
            let mut finished = false;
            while batch.len() < most && !self.is_interrupted() {
                let codes = match initial.next_state()? {
                    Next::State(codes) => codes,
                    // Only the initial states found so far are inspected.
                    Next::Working if !self.goes_on() => {
                        self.start_cuts = initial.cuts().to_vec();
                        self.search.add_initial(&batch)?;
                        return Ok(Some(End::States));
                    }
                    Next::Working => break,
                    Next::End => {
                        finished = true;
                        break;
                    }
                };
                if self.is_first_of_its_kind(codes) {
                    batch.push(pack(self.instance, codes));
                }
            }
            self.start_cuts = initial.cuts().to_vec();
            let states = usize::try_from(self.search.states).unwrap_or(usize::MAX);
            if states.saturating_add(batch.len()) >= enough {
                self.is_sample = true;
                return self.draw_initial(enough);
            }
            self.search.add_initial(&batch)?;
            batch.clear();
            if self.is_interrupted() {
                // Some of the batch may be left out.
                return Ok(Some(End::Interrupted));
            }
            if finished {
                return Ok(None);
            }
            if let Some(end) = self.limit(0, 0, observer) {
                return Ok(Some(end));
            }
        }
    }

    /// Initial states that are drawn at random, this many: some of them may be the same.
    fn draw_initial(&mut self, count: usize) -> Result<Option<End>, SearchError> {
        // Any sequence of numbers that looks random (Knuth's MMIX).
        let mut number = 1u64;
        let mut below = |bound: usize| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (number >> 33) as usize % bound
        };
        let mut drawn = Vec::new();
        let ordered = Initial::new(self.instance, &self.options.bounds)?;
        let mut initial = Initial::new(self.instance, &self.options.bounds)?;
        for _ in 0..count {
            initial.begin_again(&ordered);
            initial.shuffle(&mut below);
            while !self.is_interrupted() {
                match initial.next_state()? {
                    Next::Working if self.goes_on() => continue,
                    Next::Working | Next::End => {}
                    Next::State(codes) => drawn.push(pack(self.instance, codes)),
                }
                break;
            }
        }
        self.search.add_initial(&drawn)?;
        Ok(self.is_interrupted().then_some(End::Interrupted))
    }

    /// Whether constants that nothing depends on have the first of their values.
    fn is_first_of_its_kind(&self, codes: &[u64]) -> bool {
        self.options.idle.iter().all(|&symbol| codes[self.instance.slots.slot(symbol, &[]).0 as usize] == 0)
    }

    /// After an early end, inspects the states that were found but not inspected.
    fn inspect_rest(&mut self) {
        self.search.close_layer();
        let stop = out_of_patience(self.options);
        for layer in self.inspected_layers..self.search.layers() {
            let inspected = self.search.inspect(layer, &stop);
            self.inspected += inspected as u64;
            if inspected < self.search.layer_len(layer) {
                break;
            }
        }
    }

    fn is_interrupted(&self) -> bool {
        is_interrupted(self.options)
    }

    /// How many states to expand before looking at the limits again: fewer where a limit is near.
    fn affordable(&self) -> usize {
        let left = self.options.limits.states.map(|limit| limit.saturating_sub(self.search.states) / 4);
        let states = left.and_then(|left| usize::try_from(left).ok()).unwrap_or(usize::MAX);
        let bytes = self.options.limits.bytes.map_or(usize::MAX, |limit| {
            limit.saturating_sub(self.search.bytes) / (64 * size_of::<[u64; W]>())
        });
        states.min(bytes).clamp(64, 1 << 18)
    }

    /// Whether to stop between two rounds.
    fn limit(&mut self, left: usize, layer: usize, observer: &mut dyn Observer) -> Option<End> {
        self.bytes = self.bytes.max(self.search.bytes);
        let limits = &self.options.limits;
        let progress = Progress {
            states: self.search.states,
            queue: self.search.growing() + left as u64,
            transitions: self.search.findings.fired,
            depth: layer,
            bytes: self.search.bytes,
        };
        observer.progress(&progress);
        if self.is_interrupted() {
            Some(End::Interrupted)
        } else if limits.states.is_some_and(|limit| progress.states >= limit) {
            Some(End::States)
        } else if limits.bytes.is_some_and(|limit| progress.bytes >= limit) {
            Some(End::Memory)
        } else {
            None
        }
    }

    fn is_goal_reached(&self) -> bool {
        let Findings { violations, fired_transitions, .. } = &self.search.findings;
        let first = |property: usize| violations[property].map(|found| found.depth);
        match &self.options.goal {
            Goal::Seen { transitions, properties } => {
                transitions.iter().all(|&transition| fired_transitions[transition])
                    && properties.iter().all(|&property| first(property).is_some())
            }
            goal => goal.steps(self.instance.system, &first).is_some(),
        }
    }

    fn report(&self, end: End) -> Exploration {
        let system = self.instance.system;
        let stop = out_of_patience(self.options);
        let findings = &self.search.findings;
        let (mut violations, mut unshown) = (Vec::new(), false);
        for (property, found) in findings.violations.iter().enumerate() {
            let Some(found) = found.filter(|_| self.options.runs) else { continue };
            let Some(trace) = trace_to(self.instance, &self.search, found, &stop) else {
                unshown = true;
                continue;
            };
            let run = replay(system, &trace).expect("the judge accepts the run");
            let last = run.violations.into_iter().find(|violation| violation.property == property);
            let last = last.expect("the last state of the run is the one that was looked for");
            violations.push(Violation { property, processes: last.processes, trace });
        }
        let fired = findings.fired_transitions.iter().enumerate();
        let layers = self.search.layers();
        let reduction = if self.search.symmetry.is_some() { Reduction::Symmetry } else { Reduction::None };
        let last_is_empty = self.search.layer_len(layers - 1) == 0;
        Exploration {
            // Where there was no time left to show what is bad, nothing is said about any state.
            end: if unshown { End::Interrupted } else { end },
            states: self.search.states,
            inspected: if unshown { 0 } else { self.inspected },
            initial_states: self.search.layer_len(0) as u64,
            transitions: findings.fired,
            depth: layers.saturating_sub(1 + usize::from(last_is_empty)),
            reached: findings.violations.iter().map(Option::is_some).collect(),
            violations,
            deadlocks: findings.deadlocks,
            deadlock: findings.first_deadlock.filter(|_| self.options.runs).and_then(|found| {
                let trace = trace_to(self.instance, &self.search, found, &stop)?;
                replay(system, &trace).expect("the judge accepts the run");
                Some(trace)
            }),
            never_fired: fired.filter(|(_, fired)| !**fired).map(|(at, _)| at).collect(),
            cuts: self.start_cuts.iter().chain(&self.instance.cuts).copied().collect(),
            reduction,
            orders: 1,
            explored_orders: 1,
            state_bits: self.instance.layout.slot_bits,
            bytes: self.bytes.max(self.search.bytes),
        }
    }
}

fn pack<const W: usize>(instance: &Instance<'_>, codes: &[u64]) -> [u64; W] {
    let mut state = [0; W];
    for (field, &code) in instance.layout.fields.iter().zip(codes) {
        field.set(&mut state, code);
    }
    state
}

fn is_interrupted(options: &Options) -> bool {
    options.interrupt.load(Ordering::Relaxed)
}

/// Whether work that begins now has to be given up. A user who interrupts does not want to wait: what takes
/// too long is left out, and the report says so. Without a clock, everything does.
fn out_of_patience(options: &Options) -> impl Fn() -> bool + Sync {
    let start = options.clock.map(|now| now());
    let is_late = move || options.clock.zip(start).is_none_or(|(now, start)| now() > start + PATIENCE);
    move || is_interrupted(options) && is_late()
}
