//! Breadth-first search, layer by layer.
//!
//! A layer is worked off in rounds. In a round, *lanes* compute the successors of a slice of the layer each,
//! and sort them by shard; then each shard takes in what the lanes have for it, lane after lane. Threads only
//! decide who works on which lane or shard: the slices, the order of everything, and so all results are the
//! same for any number of threads.
//!
//! No predecessors are stored. A run to a state is found backwards: a state of the layer before that has the
//! state among its successors, and so on.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};

use super::expand::{self, StepError, for_each_successor, for_each_waking_successor};
use super::exploration::Limits;
use super::hash::hash;
use super::sleep::{Arrival, Sleep};
use super::symmetry::{self, Symmetry};
use super::visited::{Batch, Full, Packing, SHARDS, Shard, shard_of};
use crate::compile::Instance;
use crate::compile::filter::for_each_member;

/// How many slices a round is cut into.
const LANES: usize = 16;
/// How many states a slice has at most.
const SLICE: usize = 16384;
/// How many states a slice has at least, if there are as many.
const MIN_SLICE: usize = 64;
/// A lane stops when its successors take this many bytes: the rest of its slice, and those of the lanes behind
/// it, are left to the next round.
const LANE_BYTES: usize = 16 << 20;
/// A round has as many states at least, if there are as many and no limit is near.
const SMALL_LAYER: usize = 2048;
/// A round of fewer states is not worth waking other threads; tests wake them.
const SMALL_ROUND: usize = if cfg!(debug_assertions) { 16 } else { 512 };

/// Why a search ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchError {
    /// A step cannot be computed.
    Step(StepError),
    /// There are more states than can be numbered.
    Full,
}

impl From<StepError> for SearchError {
    fn from(error: StepError) -> Self {
        SearchError::Step(error)
    }
}

impl From<Full> for SearchError {
    fn from(_: Full) -> Self {
        SearchError::Full
    }
}

/// A state that is worth a run: the least one of the first layer that has any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<const W: usize> {
    /// In which layer it is.
    pub depth: usize,
    /// The state.
    pub state: [u64; W],
}

/// The states found so far.
pub struct Search<'i, const W: usize> {
    instance: &'i Instance<'i>,
    symmetry: Option<Symmetry>,
    sleep: Sleep,
    threads: usize,
    /// Set from outside, it ends the current round early.
    interrupt: &'i AtomicBool,
    shards: Vec<RwLock<Shard<W>>>,
    lanes: Vec<RwLock<Lane<W>>>,
    /// Room for sorting what a shard takes in: for each thread that does.
    rooms: Mutex<Vec<Batch<W>>>,
    /// How many successors such a room had to take at most.
    room: usize,
    /// For each layer and shard, the number of the first state of the layer in the shard.
    layers: Vec<[u32; SHARDS]>,
    states: u64,
    bytes: usize,
    /// How many states the next round may expand.
    pace: usize,
    /// How many successors a slice of a round may give, roughly.
    most_generated: usize,
    /// How many steps there are from the states that were expanded.
    fired: u64,
    /// Which transitions they belong to.
    fired_transitions: Vec<bool>,
    deadlocks: u64,
    first_deadlock: Option<Found<W>>,
    /// For each property of the system, the first state that it describes.
    violations: Vec<Option<Found<W>>>,
}

/// What one slice of a round gives.
struct Lane<const W: usize> {
    /// The successors, by shard.
    successors: Vec<Batch<W>>,
    /// How many there are.
    generated: usize,
    /// The position behind the last state that was expanded.
    end: usize,
    expand: expand::Scratch,
    symmetry: symmetry::Scratch,
    arguments: Vec<u32>,
    /// How many steps there are, those of sleeping rules among them.
    fired: u64,
    fired_transitions: Vec<bool>,
    deadlocks: u64,
    first_deadlock: Option<[u64; W]>,
    violations: Vec<Option<[u64; W]>>,
    error: Option<StepError>,
}

impl<'i, const W: usize> Search<'i, W> {
    /// Nothing found yet.
    pub fn new(
        instance: &'i Instance<'i>,
        symmetry: Option<Symmetry>,
        threads: usize,
        limits: &Limits,
        interrupt: &'i AtomicBool,
    ) -> Self {
        let packing = Packing::new(&instance.layout);
        let (transitions, properties) = (instance.system.transitions.len(), instance.system.properties.len());
        let lane = || Lane {
            successors: vec![Batch::default(); SHARDS],
            generated: 0,
            end: 0,
            expand: expand::Scratch::new(limits.choices),
            symmetry: symmetry::Scratch::default(),
            arguments: Vec::new(),
            fired: 0,
            fired_transitions: vec![false; transitions],
            deadlocks: 0,
            first_deadlock: None,
            violations: vec![None; properties],
            error: None,
        };
        let sleep = Sleep::new(instance, symmetry.as_ref().is_some_and(Symmetry::renames_processes));
        Search {
            instance,
            symmetry,
            sleep,
            threads,
            interrupt,
            shards: (0..SHARDS).map(|_| RwLock::new(Shard::new(packing))).collect(),
            lanes: (0..LANES).map(|_| RwLock::new(lane())).collect(),
            rooms: Mutex::new(Vec::new()),
            room: 0,
            layers: vec![[0; SHARDS]],
            states: 0,
            bytes: 0,
            pace: LANES * SLICE,
            most_generated: limits
                .states
                .map_or(usize::MAX, |states| usize::try_from(states).unwrap_or(usize::MAX))
                .clamp(SLICE, LANE_BYTES / size_of::<[u64; W]>()),
            fired: 0,
            fired_transitions: vec![false; transitions],
            deadlocks: 0,
            first_deadlock: None,
            violations: vec![None; properties],
        }
    }

    /// How many states were found.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many steps there are from the states that were expanded.
    pub fn fired(&self) -> u64 {
        self.fired
    }

    /// Which transitions they belong to.
    pub fn fired_transitions(&self) -> &[bool] {
        &self.fired_transitions
    }

    /// How many states have no successor, and the first of them.
    pub fn deadlocks(&self) -> (u64, Option<Found<W>>) {
        (self.deadlocks, self.first_deadlock)
    }

    /// For each property of the system, the first state that it describes.
    pub fn violations(&self) -> &[Option<Found<W>>] {
        &self.violations
    }

    /// How many layers are complete; the layer behind them may be growing.
    pub fn layers(&self) -> usize {
        self.layers.len() - 1
    }

    /// How many states a complete layer has.
    pub fn layer_len(&self, layer: usize) -> usize {
        self.starts(layer)[SHARDS]
    }

    /// How many states the growing layer has.
    pub fn growing(&self) -> u64 {
        let complete: u64 = self.layers[self.layers()].iter().map(|&count| u64::from(count)).sum();
        self.states - complete
    }

    /// Adds initial states, which may be known already.
    pub fn add_initial(&mut self, states: &[[u64; W]]) -> Result<(), SearchError> {
        {
            let mut lane = self.lanes[0].write().expect("no thread panicked");
            let lane = &mut *lane;
            lane.successors.iter_mut().for_each(Batch::clear);
            for state in states.iter().take_while(|_| !self.interrupt.load(Ordering::Relaxed)) {
                let state = self.representative(state, &mut lane.symmetry);
                lane.successors[shard_of(hash(&state, self.instance.layout.words))]
                    .push(state, self.sleep.none());
            }
        }
        self.take_in(1)
    }

    /// Completes the layer that has been growing.
    pub fn close_layer(&mut self) {
        let starts = self.layers[self.layers()];
        for (shard, start) in self.shards.iter().zip(starts) {
            shard.write().expect("no thread panicked").forget_arrivals(start);
        }
        let ends: Vec<u32> = self.shards.iter().map(|shard| read(shard).len()).collect();
        self.layers.push(ends.try_into().expect("as many as there are shards"));
    }

    /// Looks at every state of a complete layer for properties that describe it, until told to stop; how many
    /// states were looked at.
    pub fn inspect(&mut self, layer: usize, stop: &(dyn Fn() -> bool + Sync)) -> usize {
        let starts = self.starts(layer);
        let open: Vec<bool> = self.violations.iter().map(Option::is_none).collect();
        let total = starts[SHARDS];
        let slice = total.div_ceil(LANES).max(MIN_SLICE);
        let lanes = total.div_ceil(slice);
        let inspected = AtomicUsize::new(0);
        self.in_parallel(lanes, total, &|number| {
            let slice = number * slice..((number + 1) * slice).min(total);
            let mut lane = self.lanes[number].write().expect("no thread panicked");
            let mut count = 0;
            self.for_each_state(layer, &starts, slice, |_, shard, state| {
                lane.inspect(self.instance, &shard.get(state), &open);
                count += 1;
                !stop()
            });
            inspected.fetch_add(count, Ordering::Relaxed);
        });
        for lane in &self.lanes[..lanes] {
            let mut lane = lane.write().expect("no thread panicked");
            for (first, violation) in self.violations.iter_mut().zip(&mut lane.violations) {
                let found = violation.take().map(|state| Found { depth: layer, state });
                *first = least(*first, found);
            }
        }
        inspected.into_inner()
    }

    /// Computes the successors of a part of the last complete layer, from a position on; the position where
    /// the next part starts. `most` states at most are expanded.
    pub fn expand(&mut self, from: usize, most: usize) -> Result<usize, SearchError> {
        let layer = self.layers() - 1;
        let starts = self.starts(layer);
        // Rounds are small beside what is known, so that successors take little memory beside the states.
        let known = usize::try_from(self.states / 64).unwrap_or(usize::MAX).max(SMALL_LAYER);
        let size = (starts[SHARDS] - from).min(most.clamp(1, self.pace)).min(known);
        let slice = size.div_ceil(LANES).max(MIN_SLICE);
        let lanes = size.div_ceil(slice);
        self.in_parallel(lanes, size, &|lane| {
            let slice = from + lane * slice..from + ((lane + 1) * slice).min(size);
            let mut lane = self.lanes[lane].write().expect("no thread panicked");
            lane.begin(slice.end);
            self.for_each_state(layer, &starts, slice, |position, shard, number| {
                lane.expand(self, &shard.get(number), shard.arrival(number));
                let goes_on = lane.generated < self.most_generated
                    && lane.error.is_none()
                    && !self.interrupt.load(Ordering::Relaxed);
                if !goes_on {
                    lane.end = position + 1;
                }
                goes_on
            });
        });
        let (mut end, mut used, mut error) = (from, 0, None);
        for (number, lane) in self.lanes[..lanes].iter().enumerate() {
            let mut lane = lane.write().expect("no thread panicked");
            error = lane.error.take();
            self.fired += lane.fired;
            for (all, fired) in self.fired_transitions.iter_mut().zip(&lane.fired_transitions) {
                *all |= fired;
            }
            self.deadlocks += lane.deadlocks;
            let found = lane.first_deadlock.take().map(|state| Found { depth: layer, state });
            self.first_deadlock = least(self.first_deadlock, found);
            (end, used) = (lane.end, number + 1);
            if error.is_some() || lane.end < from + ((number + 1) * slice).min(size) {
                break;
            }
        }
        self.pace = if end == from + size { (self.pace * 2).min(LANES * SLICE) } else { end - from };
        // What was found before an error is no less true.
        self.take_in(used)?;
        error.map_or(Ok(end), |error| Err(error.into()))
    }

    /// The states on a run to a state: the first is initial, the last the state itself. With symmetry, each
    /// is the representative of its class. None if told to stop before it is found.
    pub fn run_to(&self, target: Found<W>, stop: &(dyn Fn() -> bool + Sync)) -> Option<Vec<[u64; W]>> {
        let mut run = vec![target.state];
        for layer in (0..target.depth).rev() {
            let next = run[run.len() - 1];
            match self.predecessor(layer, &next, stop) {
                Some(predecessor) => run.push(predecessor),
                None if stop() => return None,
                None => panic!("a state has a predecessor one layer before"),
            }
        }
        run.reverse();
        Some(run)
    }

    /// A step from a state to a state with this representative: the rule, and the state after it. None if there is none, or
    /// told to stop before it is found.
    pub fn step(
        &self,
        state: &[u64; W],
        target: &[u64; W],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<(usize, [u64; W])> {
        let mut lane = self.lanes[0].write().expect("no thread panicked");
        let lane = &mut *lane;
        let mut found = None;
        let (expand, scratch) = (&mut lane.expand, &mut lane.symmetry);
        let _ = for_each_successor(self.instance, state, expand, |rule, after| {
            if self.representative(&after, scratch) == *target {
                found = Some((rule, after));
            }
            found.is_none() && !stop()
        });
        found
    }

    /// Calls `visit` with every state, in a fixed order.
    pub fn for_each(&self, mut visit: impl FnMut(&[u64; W])) {
        for shard in &self.shards {
            let shard = read(shard);
            (0..shard.len()).for_each(|number| visit(&shard.get(number)));
        }
    }

    fn representative(&self, state: &[u64; W], scratch: &mut symmetry::Scratch) -> [u64; W] {
        match &self.symmetry {
            None => *state,
            Some(symmetry) => symmetry.representative(state, &mut [], scratch),
        }
    }

    fn predecessor(
        &self,
        layer: usize,
        target: &[u64; W],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<[u64; W]> {
        let starts = self.starts(layer);
        let total = starts[SHARDS];
        for first in (0..total).step_by(SLICE * LANES) {
            let lanes = (total - first).div_ceil(SLICE).min(LANES);
            let found: Vec<RwLock<Option<[u64; W]>>> = (0..lanes).map(|_| RwLock::new(None)).collect();
            self.in_parallel(lanes, total - first, &|number| {
                let slice = first + number * SLICE..(first + (number + 1) * SLICE).min(total);
                let mut lane = self.lanes[number].write().expect("no thread panicked");
                let lane = &mut *lane;
                self.for_each_state(layer, &starts, slice, |_, shard, state| {
                    let state = shard.get(state);
                    let mut leads = false;
                    // The state was expanded before: an error, if there is one, comes behind all steps that
                    // were found then.
                    let _ = for_each_successor(self.instance, &state, &mut lane.expand, |_, after| {
                        leads = self.representative(&after, &mut lane.symmetry) == *target;
                        !leads && !stop()
                    });
                    if leads {
                        *found[number].write().expect("no thread panicked") = Some(state);
                    }
                    !leads && !stop()
                });
            });
            let found = found.into_iter().find_map(|found| found.into_inner().expect("no thread panicked"));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Lets every shard take in what the first lanes have for it.
    fn take_in(&mut self, lanes: usize) -> Result<(), SearchError> {
        let size: usize = {
            let lanes = self.lanes[..lanes]
                .iter()
                .map(|lane| read(lane).successors.iter().map(Batch::len).sum::<usize>());
            lanes.sum()
        };
        let (full, largest) = (AtomicBool::new(false), AtomicUsize::new(0));
        self.in_parallel(SHARDS, size, &|number| {
            // There may be millions. Whoever interrupts does not want to wait for them.
            if self.interrupt.load(Ordering::Relaxed) {
                return;
            }
            let mut shard = self.shards[number].write().expect("no thread panicked");
            let lanes: Vec<_> = self.lanes[..lanes].iter().map(read).collect();
            let count = lanes.iter().map(|lane| lane.successors[number].len()).sum();
            largest.fetch_max(count, Ordering::Relaxed);
            let mut room = self.rooms.lock().expect("no thread panicked").pop().unwrap_or_default();
            if shard.insert(lanes.iter().map(|lane| &lane.successors[number]), &mut room).is_err() {
                full.store(true, Ordering::Relaxed);
            }
            self.rooms.lock().expect("no thread panicked").push(room);
        });
        self.states = 0;
        self.bytes = 0;
        for shard in &self.shards {
            let shard = read(shard);
            self.states += u64::from(shard.len());
            self.bytes += shard.bytes();
        }
        for lane in &self.lanes {
            let lane = read(lane);
            self.bytes += lane.successors.iter().map(Batch::bytes).sum::<usize>();
        }
        // Threads have one room each: that is little, and counted as one, so that no limit depends on the
        // number of threads.
        self.room = self.room.max(largest.into_inner());
        self.bytes += self.room * Batch::<W>::SIZE;
        self.bytes += self.layers.capacity() * size_of::<[u32; SHARDS]>();
        if full.into_inner() { Err(SearchError::Full) } else { Ok(()) }
    }

    /// The positions at which the shards start within a layer, and its length.
    fn starts(&self, layer: usize) -> [usize; SHARDS + 1] {
        let mut starts = [0; SHARDS + 1];
        for shard in 0..SHARDS {
            let len = self.layers[layer + 1][shard] - self.layers[layer][shard];
            starts[shard + 1] = starts[shard] + len as usize;
        }
        starts
    }

    /// Calls `visit` with some positions of a layer, each with the shard and the number of the state there,
    /// until it returns false.
    #[inline]
    fn for_each_state(
        &self,
        layer: usize,
        starts: &[usize; SHARDS + 1],
        slice: std::ops::Range<usize>,
        mut visit: impl FnMut(usize, &Shard<W>, u32) -> bool,
    ) {
        for (number, shard) in self.shards.iter().enumerate() {
            let (from, to) = (slice.start.max(starts[number]), slice.end.min(starts[number + 1]));
            if from < to {
                let shard = read(shard);
                let skipped =
                    u32::try_from(from - starts[number]).expect("a shard counts its states in 32 bits");
                for (position, number) in (from..to).zip(self.layers[layer][number] + skipped..) {
                    if !visit(position, &shard, number) {
                        return;
                    }
                }
            }
        }
    }

    /// Does numbered pieces of work that concern this many states in all.
    fn in_parallel(&self, pieces: usize, states: usize, work: &(dyn Fn(usize) + Sync)) {
        let threads = self.threads.min(pieces);
        if threads <= 1 || states < SMALL_ROUND {
            (0..pieces).for_each(work);
            return;
        }
        let next = AtomicUsize::new(0);
        let run = || {
            loop {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece >= pieces {
                    break;
                }
                work(piece);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(run);
            }
            run();
        });
    }
}

impl<const W: usize> Lane<W> {
    /// Forgets the round before; the slice of this one ends at `end`.
    fn begin(&mut self, end: usize) {
        self.successors.iter_mut().for_each(Batch::clear);
        self.fired_transitions.fill(false);
        (self.end, self.generated, self.fired, self.deadlocks) = (end, 0, 0, 0);
        (self.first_deadlock, self.error) = (None, None);
    }

    fn inspect(&mut self, instance: &Instance<'_>, state: &[u64; W], open: &[bool]) {
        for word in 0..instance.property_filter.words() {
            let candidates = instance.property_filter.candidates(state, word);
            let Ok(()) = for_each_member(word, candidates, |number| {
                let (property, check) = &instance.properties[number];
                if open[*property] && check.holds(state, &instance.program) {
                    let first = &mut self.violations[*property];
                    if first.is_none_or(|first| *state < first) {
                        *first = Some(*state);
                    }
                }
                Ok::<(), Infallible>(())
            });
        }
    }

    #[inline]
    fn expand(&mut self, search: &Search<'_, W>, state: &[u64; W], arrival: Arrival) {
        let (instance, sleep) = (search.instance, &search.sleep);
        let generated = self.generated;
        let result = for_each_waking_successor(
            instance,
            (sleep, arrival),
            state,
            &mut self.expand,
            |number, after| {
                self.generated += 1;
                let rule = &instance.rules[number];
                self.fired_transitions[rule.transition as usize] = true;
                self.arguments.clear();
                let after = match &search.symmetry {
                    None => after,
                    Some(symmetry) => {
                        if sleep.is_of_use() {
                            self.arguments.extend_from_slice(&rule.arguments);
                        }
                        symmetry.representative(&after, &mut self.arguments, &mut self.symmetry)
                    }
                };
                let arrival = sleep.arrival(number, rule, &self.arguments);
                self.successors[shard_of(hash(&after, instance.layout.words))].push(after, arrival);
                !search.interrupt.load(Ordering::Relaxed)
            },
        );
        match result {
            // What was found of the steps is no less true.
            Err(error) => {
                self.fired += (self.generated - generated) as u64;
                self.error = Some(error).filter(|error| *error != StepError::Stopped);
            }
            Ok(sleeping) => {
                let fired = (self.generated - generated) as u64 + sleeping;
                self.fired += fired;
                if fired == 0 {
                    self.deadlocks += 1;
                    if self.first_deadlock.is_none_or(|first| *state < first) {
                        self.first_deadlock = Some(*state);
                    }
                }
            }
        }
    }
}

/// The one that is in an earlier layer; in the same layer, the lesser.
fn least<const W: usize>(known: Option<Found<W>>, new: Option<Found<W>>) -> Option<Found<W>> {
    match (known, new) {
        (Some(known), Some(new)) if (new.depth, new.state) < (known.depth, known.state) => Some(new),
        (known, new) => known.or(new),
    }
}

fn read<T>(lock: &RwLock<T>) -> std::sync::RwLockReadGuard<'_, T> {
    lock.read().expect("no thread panicked")
}
