//! The exploration of one instance, stored in one way: layer after layer, up to the limits; alone, or as one of
//! several processes that do the same.

use std::sync::atomic::Ordering;
use std::time::Duration;

use polycube_certificate::{Trace, replay};
use polycube_language::system::Type;

use super::agree::{Agreed, Halt, Said, Totals};
use super::exchange::Share;
use super::expand::SearchError;
use super::exploration::{
    End, Exploration, Extent, Goal, Observer, Options, Part, Progress, Reduction, Violation,
};
use super::explore::{Company, Overflow};
use super::journal::Fault;
use super::peers::Lost;
use super::search::{Findings, Found, Search, Stop};
use super::symmetry::Symmetry;
use super::trace::trace_to;
use super::word::{Reader, Writer};
use crate::compile::program::Unfit;
use crate::compile::{Cut, Initial, Instance, MAX_ATTEMPTS, Next};

/// How long a cancelled search may still check states, and how long it may look for runs to bad states and
/// deadlocks.
const PATIENCE: Duration = Duration::from_millis(200);

pub struct Explorer<'i, 'c, 'p, const W: usize> {
    pub(super) instance: &'i Instance<'i>,
    pub(super) options: &'i Options,
    pub(super) search: Search<'i, W>,
    pub(super) company: &'c mut Company<'p>,
    /// What all processes have found, when they last told each other.
    totals: Totals<W>,
    parts: Vec<Part>,
    /// Whether it is time to keep what was found.
    is_due: bool,
    /// What is to be kept of each layer that is not kept yet.
    pub(super) words: Vec<Vec<u64>>,
    /// How many layers are kept.
    pub(super) kept: usize,
    /// Why something could not be kept.
    fault: Option<Fault>,
    /// The layer that is being expanded, by all processes.
    expanding: Option<usize>,
    /// Whether some states were left out on purpose.
    is_sample: bool,
    pub(super) start_cuts: Vec<Cut>,
    /// How many layers were looked at for bad states, and how many states in all.
    pub(super) inspected_layers: usize,
    pub(super) inspected: u64,
    bytes: usize,
    /// How often the search for an initial state may pause before it gives up, if choices are limited.
    pauses: u64,
}

/// How often it may pause at least, however low the limit on choices is.
const LEAST_PAUSES: u64 = 16;

impl<'i, 'c, 'p, const W: usize> Explorer<'i, 'c, 'p, W> {
    pub fn new(instance: &'i Instance<'i>, options: &'i Options, company: &'c mut Company<'p>) -> Self {
        let symmetry = match options.reduction {
            Reduction::Symmetry => Symmetry::new(instance),
            Reduction::None => None,
        };
        let pauses = options.limits.choices.map(|choices| LEAST_PAUSES + choices / MAX_ATTEMPTS as u64);
        let search = Search::new(instance, symmetry, options, Share::of(company.peers));
        Explorer {
            instance,
            options,
            search,
            company,
            totals: Totals::none(instance.system),
            parts: Vec::new(),
            is_due: false,
            words: Vec::new(),
            kept: 0,
            fault: None,
            expanding: None,
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

    pub fn run(
        mut self,
        observer: &mut dyn Observer,
        visit: &mut dyn FnMut(&Instance<'_>, &[u64]),
        overflow: Overflow,
        layers: usize,
    ) -> Result<Exploration, Unfit> {
        let mut end = match self.explore(observer, layers) {
            Ok(end) => end,
            Err(Halt::Search(SearchError::Unfit(unfit))) if overflow == Overflow::Return => {
                match self.least_unfit(unfit) {
                    Ok(unfit) => return Err(unfit),
                    Err(Lost) => End::Lost,
                }
            }
            Err(halt) => {
                let end = halt.end();
                if let Halt::Fault(fault) = halt {
                    self.fault = Some(fault);
                }
                end
            }
        };
        if !matches!(end, End::Complete | End::Sampled | End::Unsafe | End::Depth | End::Lost) {
            self.inspect_rest();
            if self.agree(None) == Err(Halt::Lost) {
                end = End::Lost;
            }
        }
        self.keep_rest(&mut end);
        self.search.for_each(|state| visit(self.instance, state));
        Ok(self.report(end))
    }

    /// The search: layer after layer, until there is no other or something ends it. The first layers are those that were
    /// kept.
    fn explore(&mut self, observer: &mut dyn Observer, layers: usize) -> Result<End, Halt> {
        if layers > 0 {
            let restored = self.restore(layers);
            self.agree(restored.err())?;
        } else {
            let part = self.initial(observer);
            self.complete_layer(part)?;
        }
        loop {
            let layer = self.search.layers() - 1;
            if self.totals.last == 0 {
                return Ok(if self.is_sample { End::Sampled } else { End::Complete });
            }
            if self.is_goal_reached() {
                return Ok(End::Unsafe);
            }
            let found = &self.totals.findings.violations;
            let first = |property: usize| found[property].map(|found| found.depth);
            if self.options.limits.depth.is_some_and(|depth| layer >= depth)
                || self.options.goal.is_out_of_reach(layer, &first)
            {
                return Ok(End::Depth);
            }
            self.expanding = Some(layer);
            let kept = if self.is_due { self.keep() } else { Ok(()) };
            let part = kept.map_err(Halt::from).and_then(|()| self.expand(layer, observer));
            self.complete_layer(part)?;
        }
    }

    /// Expands our part of a layer.
    fn expand(&mut self, layer: usize, observer: &mut dyn Observer) -> Result<(), Halt> {
        let width = match self.options.extent {
            Extent::Everything => usize::MAX,
            Extent::Sample { width, .. } => width,
        };
        // The states of a layer are ordered by hashes, more or less, so the first ones are a fair sample.
        let size = self.search.layer_len(layer);
        self.is_sample |= size > width;
        let size = size.min(width);
        let mut position = 0;
        while position < size {
            let most = self.affordable().min(size - position);
            position = self.search.expand(position, most, self.company.peers)?;
            if let Some(end) = self.limit(size - position, layer, observer) {
                return Err(Halt::Limit(end));
            }
        }
        Ok(())
    }

    /// Completes the layer that has been growing, when all processes have done their parts, and looks for bad states in
    /// it.
    fn complete_layer(&mut self, part: Result<(), Halt>) -> Result<(), Halt> {
        let mut halt = part.err();
        if halt == Some(Halt::Lost) {
            return Err(Halt::Lost);
        }
        self.hasten(halt.as_ref());
        while !self.company.peers.end_layer()? {
            if halt.is_none()
                && let Err(error) = self.search.receive(self.company.peers)
            {
                halt = Some(error.into());
                self.hasten(halt.as_ref());
            }
            // Where the search ends, what else is found is not wanted.
            while halt.is_some() && self.company.peers.arrived().is_some() {}
        }
        if halt.is_none() {
            self.search.close_layer();
            let layer = self.search.layers() - 1;
            let size = self.search.layer_len(layer);
            let inspected = self.search.inspect(layer, &|| is_interrupted(self.options));
            if inspected < size {
                halt = Some(Halt::Limit(End::Interrupted));
            } else {
                self.inspected_layers = layer + 1;
                self.inspected += inspected as u64;
            }
        }
        self.agree(halt)?;
        if self.company.journal.is_some() {
            let word = self.word();
            self.words.push(word);
        }
        Ok(())
    }

    /// Keeps what was found when the search has ended. The answer stands even if it cannot be kept.
    fn keep_rest(&mut self, end: &mut End) {
        if self.company.journal.is_none() || self.fault.is_some() {
            return;
        }
        // Who is lost has kept nothing more: all go on from the last layer that each of them has.
        if *end == End::Lost {
            return;
        }
        let kept = self.keep();
        match self.agree(kept.err().map(Halt::Fault)) {
            Err(Halt::Fault(fault)) => self.fault = Some(fault),
            Err(Halt::Lost) => *end = End::Lost,
            _ => {}
        }
    }

    /// Others need not go on where this process ends; but where numbers do not fit, all begin again.
    fn hasten(&mut self, halt: Option<&Halt>) {
        if halt.is_some_and(|halt| !matches!(halt, Halt::Search(SearchError::Unfit(_)))) {
            self.company.peers.stop();
        }
    }

    /// What was found here.
    pub(super) fn own_totals(&self) -> Totals<W> {
        let layers = self.search.layers();
        let last = layers.checked_sub(1).map_or(0, |last| self.search.layer_len(last));
        Totals {
            states: self.search.states,
            inspected: self.inspected,
            initial_states: if layers == 0 { 0 } else { self.search.layer_len(0) as u64 },
            depth: (0..layers).rposition(|layer| self.search.layer_len(layer) > 0).unwrap_or(0),
            last: last as u64,
            findings: self.search.findings.clone(),
        }
    }

    /// All processes tell each other what they have found, and whether something ends the search. If so for any of them, it
    /// is an error for all.
    fn agree(&mut self, halt: Option<Halt>) -> Result<(), Halt> {
        let words = self.instance.layout.words;
        let is_due = self.company.journal.as_mut().is_some_and(|journal| journal.is_due());
        let bytes = self.bytes.max(self.search.bytes);
        let traffic = self.company.peers.traffic();
        let said = Said { halt, is_due, bytes, traffic, totals: self.own_totals() };
        let said = self.company.peers.gather(&said.to_word(words))?;
        let agreed = Agreed::from_words(&said, self.instance.system, words).ok_or(Lost)?;
        (self.totals, self.parts, self.is_due) = (agreed.totals, agreed.parts, agreed.is_due);
        agreed.halt.map_or(Ok(()), Err)
    }

    /// A number does not fit: of the ones in the layer that was being expanded, the one that all processes begin again
    /// with. There may be several kinds of them, and which is met first depends on who looks where.
    fn least_unfit(&mut self, met: Unfit) -> Result<Unfit, Lost> {
        let system = self.instance.system;
        // Who has met none has completed the next layer already.
        let Some(layer) = self.expanding else { return Ok(met) };
        // Integers can be widened in one way only.
        if !system.symbols.iter().any(|symbol| symbol.ty == Type::Real) {
            return Ok(met);
        }
        let mut word = Writer::default();
        let own = self.search.least_unfit(layer);
        own.into_iter().for_each(|unfit| word.unfit(unfit));
        let mut least = Some(met).filter(|_| own.is_none());
        for word in self.company.peers.gather(&word.0)? {
            let unfit = Reader(&word).unfit();
            least = least.into_iter().chain(unfit).min();
        }
        Ok(least.unwrap_or(met))
    }

    fn initial(&mut self, observer: &mut dyn Observer) -> Result<(), Halt> {
        let mut initial = Initial::new(self.instance, &self.options.bounds).map_err(SearchError::from)?;
        let enough = match self.options.extent {
            Extent::Everything => usize::MAX,
            Extent::Sample { starts, .. } => starts.saturating_add(1),
        };
        let mut batch: Vec<[u64; W]> = Vec::new();
        loop {
            let most = self.affordable().min(enough);
            let mut finished = false;
            while batch.len() < most && !self.is_interrupted() {
                let codes = match initial.next_state().map_err(SearchError::from)? {
                    Next::State(codes) => codes,
                    // Only the initial states found so far are inspected.
                    Next::Working if !self.goes_on() => {
                        self.start_cuts = initial.cuts().to_vec();
                        self.search.add_initial(&batch)?;
                        return Err(Halt::Limit(End::States));
                    }
                    Next::Working => break,
                    Next::End => {
                        finished = true;
                        break;
                    }
                };
                if self.is_representative(codes) {
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
                return Err(Halt::Limit(End::Interrupted));
            }
            if finished {
                return Ok(());
            }
            if let Some(end) = self.limit(0, 0, observer) {
                return Err(Halt::Limit(end));
            }
        }
    }

    /// Initial states that are drawn at random, this many: some of them may be the same.
    fn draw_initial(&mut self, count: usize) -> Result<(), Halt> {
        // Any sequence of numbers that looks random (Knuth's MMIX).
        let mut number = 1u64;
        let mut below = |bound: usize| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (number >> 33) as usize % bound
        };
        let mut drawn = Vec::new();
        let ordered = Initial::new(self.instance, &self.options.bounds).map_err(SearchError::from)?;
        let mut initial = Initial::new(self.instance, &self.options.bounds).map_err(SearchError::from)?;
        for _ in 0..count {
            initial.begin_again(&ordered);
            initial.shuffle(&mut below);
            while !self.is_interrupted() {
                match initial.next_state().map_err(SearchError::from)? {
                    Next::Working if self.goes_on() => continue,
                    Next::Working | Next::End => {}
                    Next::State(codes) => drawn.push(pack(self.instance, codes)),
                }
                break;
            }
        }
        self.search.add_initial(&drawn)?;
        if self.is_interrupted() { Err(Halt::Limit(End::Interrupted)) } else { Ok(()) }
    }

    /// Whether the constants of which one process stands for all are these.
    fn is_representative(&self, codes: &[u64]) -> bool {
        self.options.fixed.iter().all(|&(symbol, process)| {
            codes[self.instance.slots.slot(symbol, &[]).0 as usize] + 1 == u64::from(process)
        })
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
        let bytes = self.search.bytes + self.company.peers.bytes();
        self.bytes = self.bytes.max(bytes);
        let limits = &self.options.limits;
        // Each process may have its share.
        let most_states = limits.states.map(|limit| limit.div_ceil(self.company.peers.count() as u64));
        let progress = Progress {
            states: self.search.states,
            queue: self.search.growing() + left as u64,
            transitions: self.search.findings.fired,
            depth: layer,
            bytes,
        };
        observer.progress(&progress);
        if self.is_interrupted() {
            Some(End::Interrupted)
        } else if most_states.is_some_and(|limit| progress.states >= limit) {
            Some(End::States)
        } else if limits.bytes.is_some_and(|limit| progress.bytes >= limit) {
            Some(End::Memory)
        } else {
            None
        }
    }

    fn is_goal_reached(&self) -> bool {
        let Findings { violations, fired_transitions, .. } = &self.totals.findings;
        let first = |property: usize| violations[property].map(|found| found.depth);
        match &self.options.goal {
            Goal::Seen { transitions, properties } => {
                transitions.iter().all(|&transition| fired_transitions[transition])
                    && properties.iter().all(|&property| first(property).is_some())
            }
            goal => goal.steps(self.instance.system, &first).is_some(),
        }
    }

    /// A run to a state; none if told to stop before it is found, or another process is lost, or was before.
    fn run_to(&mut self, found: Found<W>, end: &mut End, stop: Stop<'_>) -> Option<Trace> {
        if *end == End::Lost {
            return None;
        }
        let run = trace_to(self.instance, &self.search, found, stop, self.company.peers);
        run.unwrap_or_else(|Lost| {
            *end = End::Lost;
            None
        })
    }

    fn report(&mut self, mut end: End) -> Exploration {
        let system = self.instance.system;
        let stop = out_of_patience(self.options);
        let (mut violations, mut unshown) = (Vec::new(), false);
        let found = self.totals.findings.clone();
        for (property, found) in found.violations.into_iter().enumerate() {
            let Some(found) = found.filter(|_| self.options.runs) else { continue };
            let Some(trace) = self.run_to(found, &mut end, &stop) else {
                unshown = true;
                continue;
            };
            let run = replay(system, &trace).expect("the judge accepts the run");
            let last = run.violations.into_iter().find(|violation| violation.property == property);
            let last = last.expect("the last state of the run is the one that was looked for");
            violations.push(Violation { property, processes: last.processes, trace });
        }
        let deadlock = found.first_deadlock.filter(|_| self.options.runs).and_then(|found| {
            let trace = self.run_to(found, &mut end, &stop)?;
            replay(system, &trace).expect("the judge accepts the run");
            Some(trace)
        });
        let Totals { states, inspected, initial_states, depth, ref findings, .. } = self.totals;
        let fired = findings.fired_transitions.iter().enumerate();
        let reduction = if self.search.symmetry.is_some() { Reduction::Symmetry } else { Reduction::None };
        Exploration {
            // Where there was no time left to show what is bad, nothing is said about any state.
            end: if unshown && end != End::Lost { End::Interrupted } else { end },
            states,
            inspected: if unshown { 0 } else { inspected },
            initial_states,
            transitions: findings.fired,
            depth,
            reached: findings.violations.iter().map(Option::is_some).collect(),
            violations,
            deadlocks: findings.deadlocks,
            deadlock,
            never_fired: fired.filter(|(_, fired)| !**fired).map(|(at, _)| at).collect(),
            cuts: self.start_cuts.iter().chain(&self.instance.cuts).copied().collect(),
            reduction,
            orders: 1,
            explored_orders: 1,
            state_bits: self.instance.layout.slot_bits,
            bytes: self.parts.iter().map(|part| part.bytes).sum(),
            parts: self.parts.clone(),
            fault: self.fault.clone(),
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
