//! Breadth-first search, layer by layer.
//!
//! A layer is worked off in rounds. In a round, *lanes* compute the successors of a slice of the layer each,
//! and sort them by shard; then each shard takes in what the lanes have for it, lane after lane. Threads only
//! decide who works on which lane or shard: the slices, the order of everything, and so all results are the
//! same for any number of threads.
//!
//! Several processes may share a search, each with the states that it owns (`exchange.rs`). No predecessors are stored: runs are
//! found backwards (`runs.rs`).

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};

use polycube_language::System;

use super::agree::Halt;
use super::exchange::Share;
use super::expand::{self, SearchError, for_each_successor, for_each_waking_successor};
use super::exploration::{Deadlocks, Options};
use super::hash::hash;
use super::peers::Peers;
use super::sleep::{Arrival, Sleep};
use super::symmetry::{self, Symmetry};
use super::visited::{Batch, Packing, SHARDS, Shard, shard_of};
use crate::compile::Instance;
use crate::compile::filter::members;
use crate::compile::program::Unfit;

/// How many slices a round is cut into.
pub(super) const LANES: usize = 16;
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

/// Asked now and then whether to give up: by any thread.
pub type Stop<'s> = &'s (dyn Fn() -> bool + Sync);

/// A state that is worth a run: the least one of the first layer that has any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found<const W: usize> {
    pub depth: usize,
    pub state: [u64; W],
}

/// What is found on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings<const W: usize> {
    /// How many steps there are from the states that were expanded, those of sleeping rules among them.
    pub fired: u64,
    /// Which transitions they belong to.
    pub fired_transitions: Vec<bool>,
    /// How many states have no successor, and the first of them.
    pub deadlocks: u64,
    pub first_deadlock: Option<Found<W>>,
    /// For each property of the system, the first state that it describes.
    pub violations: Vec<Option<Found<W>>>,
}

impl<const W: usize> Findings<W> {
    pub(super) fn none(system: &System) -> Self {
        Findings {
            fired: 0,
            fired_transitions: vec![false; system.transitions.len()],
            deadlocks: 0,
            first_deadlock: None,
            violations: vec![None; system.properties.len()],
        }
    }

    fn clear(&mut self) {
        (self.fired, self.deadlocks, self.first_deadlock) = (0, 0, None);
        self.fired_transitions.fill(false);
        self.violations.fill(None);
    }

    pub(super) fn add(&mut self, other: &Findings<W>) {
        self.fired += other.fired;
        for (all, fired) in self.fired_transitions.iter_mut().zip(&other.fired_transitions) {
            *all |= fired;
        }
        self.deadlocks += other.deadlocks;
        self.first_deadlock = self.first_deadlock.into_iter().chain(other.first_deadlock).min();
        for (first, found) in self.violations.iter_mut().zip(&other.violations) {
            *first = first.iter().chain(found).min().copied();
        }
    }
}

pub struct Search<'i, const W: usize> {
    pub(super) instance: &'i Instance<'i>,
    pub symmetry: Option<Symmetry>,
    pub(super) sleep: Sleep,
    pub(super) share: Share,
    pub(super) packing: Packing,
    threads: usize,
    /// Set from outside, it ends the current round early.
    interrupt: &'i AtomicBool,
    deadlocks: Deadlocks,
    pub(super) shards: Vec<RwLock<Shard<W>>>,
    pub(super) lanes: Vec<RwLock<Lane<W>>>,
    /// What has arrived from others. Without others there are none.
    pub(super) incoming: Vec<RwLock<Lane<W>>>,
    /// Room for sorting what a shard takes in: for each thread that does.
    rooms: Mutex<Vec<Batch<W>>>,
    /// How many successors such a room had to take at most.
    room: usize,
    /// For each layer and shard, the number of the first state of the layer in the shard.
    pub(super) layers: Vec<[u32; SHARDS]>,
    pub states: u64,
    pub bytes: usize,
    /// How many states the next round may expand.
    pace: usize,
    /// How many successors a slice of a round may give, roughly.
    most_generated: usize,
    pub findings: Findings<W>,
}

/// What one slice of a round gives.
pub(super) struct Lane<const W: usize> {
    /// The layer that it is a slice of.
    layer: usize,
    /// For each shard, the states that are ours; behind them for each process, the states that are its own:
    /// see [`Share::place`].
    pub(super) successors: Vec<Batch<W>>,
    generated: usize,
    /// How many bytes the successors take, and those before them took.
    bytes: usize,
    /// The position behind the last state that was looked at.
    end: usize,
    pub(super) expand: expand::Scratch,
    pub(super) symmetry: symmetry::Scratch,
    arguments: Vec<u32>,
    findings: Findings<W>,
    error: Option<SearchError>,
}

impl<'i, const W: usize> Search<'i, W> {
    pub fn new(
        instance: &'i Instance<'i>,
        symmetry: Option<Symmetry>,
        options: &'i Options,
        share: Share,
    ) -> Self {
        let limits = &options.limits;
        let packing = Packing::new(&instance.layout);
        let lane = || Lane {
            layer: 0,
            successors: vec![Batch::default(); share.places()],
            generated: 0,
            bytes: 0,
            end: 0,
            expand: expand::Scratch::new(limits.choices),
            symmetry: symmetry::Scratch::default(),
            arguments: Vec::new(),
            findings: Findings::none(instance.system),
            error: None,
        };
        // Few, so that each has long lists for the shards; what is in which makes no difference.
        let incoming = if share.count > 1 { options.threads.min(LANES) } else { 0 };
        let sleep = Sleep::new(instance, symmetry.as_ref().is_some_and(Symmetry::renames_processes));
        Search {
            instance,
            symmetry,
            sleep,
            share,
            packing,
            threads: options.threads,
            interrupt: &options.interrupt,
            deadlocks: options.deadlocks,
            shards: (0..SHARDS).map(|_| RwLock::new(Shard::new(packing))).collect(),
            lanes: (0..LANES).map(|_| RwLock::new(lane())).collect(),
            incoming: (0..incoming).map(|_| RwLock::new(lane())).collect(),
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
            findings: Findings::none(instance.system),
        }
    }

    /// How many layers are complete; the layer behind them may be growing.
    pub fn layers(&self) -> usize {
        self.layers.len() - 1
    }

    pub fn layer_len(&self, layer: usize) -> usize {
        self.starts(layer)[SHARDS]
    }

    pub fn growing(&self) -> u64 {
        let complete: u64 = self.layers[self.layers()].iter().map(|&count| u64::from(count)).sum();
        self.states - complete
    }

    /// Adds those of the initial states that are ours, which may be known already.
    pub fn add_initial(&mut self, states: &[[u64; W]]) -> Result<(), SearchError> {
        {
            let lane = &mut *write(&self.lanes[0]);
            lane.successors.iter_mut().for_each(Batch::clear);
            for state in states.iter().take_while(|_| !self.interrupt.load(Ordering::Relaxed)) {
                let state = self.representative(state, &mut lane.symmetry);
                let hash = hash(&state, self.instance.layout.words);
                if self.share.is_mine(hash) {
                    lane.successors[shard_of(hash)].push(state, self.sleep.none());
                }
            }
            lane.weigh();
        }
        self.take_in(1, 0)
    }

    /// Completes the layer that has been growing.
    pub fn close_layer(&mut self) {
        let starts = self.layers[self.layers()];
        for (shard, start) in self.shards.iter().zip(starts) {
            write(shard).forget_arrivals(start);
        }
        let ends: Vec<u32> = self.shards.iter().map(|shard| read(shard).len()).collect();
        self.layers.push(ends.try_into().expect("as many as there are shards"));
    }

    /// Looks at every state of a complete layer for properties that describe it, until told to stop; how many
    /// states were looked at.
    pub fn inspect(&mut self, layer: usize, stop: Stop<'_>) -> usize {
        let total = self.layer_len(layer);
        let slices = slices(0..total, MIN_SLICE);
        self.in_parallel(slices.len(), total, &|number| {
            let lane = &mut *write(&self.lanes[number]);
            lane.begin(layer);
            lane.end = self.for_each_state(layer, slices[number].clone(), |shard, state| {
                lane.inspect(self, &shard.get(state));
                !stop()
            });
        });
        let mut inspected = 0;
        for (lane, slice) in self.lanes.iter().zip(slices) {
            let lane = read(lane);
            self.findings.add(&lane.findings);
            inspected += lane.end - slice.start;
        }
        inspected
    }

    /// Computes the successors of a part of the last complete layer, from a position on; the position where
    /// the next part starts. `most` states at most are expanded.
    ///
    /// What others have found meanwhile is taken in together with what is found here: the more at once, the better memory is
    /// used (`visited.rs`).
    pub fn expand(&mut self, from: usize, most: usize, peers: &mut dyn Peers) -> Result<usize, Halt> {
        let layer = self.layers() - 1;
        // Rounds are small beside what is known, so that successors take little memory beside the states.
        let known = usize::try_from(self.states / self.share.rounds()).unwrap_or(usize::MAX).max(SMALL_LAYER);
        let size = (self.layer_len(layer) - from).min(most.clamp(1, self.pace)).min(known);
        let slices = slices(from..from + size, MIN_SLICE);
        self.in_parallel(slices.len(), size, &|number| {
            let lane = &mut *write(&self.lanes[number]);
            lane.begin(layer);
            lane.end = self.for_each_state(layer, slices[number].clone(), |shard, state| {
                lane.expand(self, &shard.get(state), shard.arrival(state));
                lane.generated < self.most_generated
                    && lane.error.is_none()
                    && !self.interrupt.load(Ordering::Relaxed)
            });
            lane.weigh();
        });
        let (mut end, mut used, mut error) = (from, 0, None);
        for (lane, slice) in self.lanes.iter().zip(slices) {
            let lane = read(lane);
            self.findings.add(&lane.findings);
            (end, used, error) = (lane.end, used + 1, lane.error);
            if error.is_some() || end < slice.end {
                break;
            }
        }
        self.pace = if end == from + size { (self.pace * 2).min(LANES * SLICE) } else { end - from };
        // What was found before an error is no less true.
        self.send(used, peers);
        peers.end_round()?;
        let arrived = self.read_arrived(peers);
        self.take_in(used, arrived)?;
        error.map_or(Ok(end), |error| Err(error.into()))
    }

    /// The least of the numbers that do not fit after a step from a state of a layer.
    pub fn least_unfit(&self, layer: usize) -> Option<Unfit> {
        let lane = &mut *write(&self.lanes[0]);
        let mut least: Option<Unfit> = None;
        self.for_each_state(layer, 0..self.layer_len(layer), |shard, state| {
            let state = shard.get(state);
            let interrupt = self.interrupt;
            let ended = for_each_successor(self.instance, &state, &mut lane.expand, |_, _| {
                !interrupt.load(Ordering::Relaxed)
            });
            if let Err(SearchError::Unfit(unfit)) = ended {
                least = least.into_iter().chain([unfit]).min();
            }
            !interrupt.load(Ordering::Relaxed)
        });
        least
    }

    /// Calls `visit` with every state, in a fixed order.
    pub fn for_each(&self, mut visit: impl FnMut(&[u64; W])) {
        for shard in &self.shards {
            let shard = read(shard);
            (0..shard.len()).for_each(|number| visit(&shard.get(number)));
        }
    }

    pub(super) fn representative(&self, state: &[u64; W], scratch: &mut symmetry::Scratch) -> [u64; W] {
        match &self.symmetry {
            None => *state,
            Some(symmetry) => symmetry.representative(state, &mut [], scratch),
        }
    }

    /// Lets every shard take in what the first lanes have for it, and what some lanes have that has arrived.
    pub(super) fn take_in(&mut self, lanes: usize, arrived: usize) -> Result<(), SearchError> {
        let filled = self.lanes[..lanes].iter().chain(&self.incoming[..arrived]);
        let filled: Vec<_> = filled.map(read).collect();
        let count = |number: usize| filled.iter().map(|lane| lane.successors[number].len()).sum::<usize>();
        let (full, largest) = (AtomicBool::new(false), AtomicUsize::new(0));
        self.in_parallel(SHARDS, (0..SHARDS).map(count).sum(), &|number| {
            let count = count(number);
            // There may be millions. Whoever interrupts does not want to wait for them. And in a small layer, most shards
            // have nothing to take in.
            if count == 0 || self.interrupt.load(Ordering::Relaxed) {
                return;
            }
            largest.fetch_max(count, Ordering::Relaxed);
            let mut room = self.rooms.lock().expect("no thread panicked").pop().unwrap_or_default();
            let lists = filled.iter().map(|lane| &lane.successors[number]);
            if write(&self.shards[number]).insert(lists, &mut room).is_err() {
                full.store(true, Ordering::Relaxed);
            }
            self.rooms.lock().expect("no thread panicked").push(room);
        });
        drop(filled);
        (self.states, self.bytes) = (0, 0);
        for shard in &self.shards {
            let shard = read(shard);
            self.states += u64::from(shard.len());
            self.bytes += shard.bytes();
        }
        self.bytes += self.lanes.iter().chain(&self.incoming).map(|lane| read(lane).bytes).sum::<usize>();
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

    /// Calls `visit` with some states of a layer, each by its shard and its number there, until it returns
    /// false; the position behind the last one.
    #[inline]
    pub(super) fn for_each_state(
        &self,
        layer: usize,
        slice: Range<usize>,
        mut visit: impl FnMut(&Shard<W>, u32) -> bool,
    ) -> usize {
        let starts = self.starts(layer);
        for (number, shard) in self.shards.iter().enumerate() {
            let (from, to) = (slice.start.max(starts[number]), slice.end.min(starts[number + 1]));
            if from < to {
                let shard = read(shard);
                let skipped =
                    u32::try_from(from - starts[number]).expect("a shard counts its states in 32 bits");
                for (position, number) in (from..to).zip(self.layers[layer][number] + skipped..) {
                    if !visit(&shard, number) {
                        return position + 1;
                    }
                }
            }
        }
        slice.end
    }

    /// Does numbered pieces of work that concern this many states in all.
    ///
    /// The threads are its own, not those of [`crate::parallel`]: these have one kind of work and a state that
    /// nobody changes meanwhile, whereas here every piece changes its lane or shard, and rounds are so large
    /// that starting threads for each costs nothing.
    pub(super) fn in_parallel(&self, pieces: usize, states: usize, work: &(dyn Fn(usize) + Sync)) {
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
    fn begin(&mut self, layer: usize) {
        self.successors.iter_mut().for_each(Batch::clear);
        self.findings.clear();
        (self.layer, self.generated, self.error) = (layer, 0, None);
    }

    /// Counts how many bytes it has, when that has changed.
    pub(super) fn weigh(&mut self) {
        self.bytes = self.successors.iter().map(Batch::bytes).sum();
    }

    fn inspect(&mut self, search: &Search<'_, W>, state: &[u64; W]) {
        let (instance, known) = (search.instance, &search.findings.violations);
        for word in 0..instance.property_filter.words() {
            for number in members(word, instance.property_filter.candidates(state, word)) {
                let (property, check) = &instance.properties[number];
                let first = &mut self.findings.violations[*property];
                if known[*property].is_none()
                    && check.holds(state, &instance.program)
                    && first.is_none_or(|first| *state < first.state)
                {
                    *first = Some(Found { depth: self.layer, state: *state });
                }
            }
        }
    }

    #[inline]
    fn expand(&mut self, search: &Search<'_, W>, state: &[u64; W], arrival: Arrival) {
        let (instance, sleep) = (search.instance, &search.sleep);
        let generated = self.generated;
        let waking = (sleep, arrival);
        // Whether a step leads to another state, or any step counts.
        let is_any_step_one = search.deadlocks == Deadlocks::NoStep;
        let mut goes_on = false;
        let result = for_each_waking_successor(instance, waking, state, &mut self.expand, |number, after| {
            self.generated += 1;
            goes_on |= is_any_step_one || after != *state;
            let rule = &instance.rules[number];
            self.findings.fired_transitions[rule.transition as usize] = true;
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
            let hash = hash(&after, instance.layout.words);
            self.successors[search.share.place(hash)].push(after, arrival);
            !search.interrupt.load(Ordering::Relaxed)
        });
        let fired = (self.generated - generated) as u64;
        match result {
            // What was found of the steps is no less true.
            Err(error) => {
                self.findings.fired += fired;
                self.error = Some(error).filter(|error| *error != SearchError::Stopped);
            }
            Ok(sleeping) => {
                self.findings.fired += fired + sleeping;
                if sleeping > 0 && !goes_on {
                    goes_on = is_any_step_one || self.leads_elsewhere(instance, state);
                }
                if !goes_on {
                    self.findings.deadlocks += 1;
                    let first = &mut self.findings.first_deadlock;
                    if first.is_none_or(|first| *state < first.state) {
                        *first = Some(Found { depth: self.layer, state: *state });
                    }
                }
            }
        }
    }

    /// Whether a step, one that sleeps included, leads from a state to another one.
    fn leads_elsewhere(&mut self, instance: &Instance<'_>, state: &[u64; W]) -> bool {
        let mut found = false;
        let ended = for_each_successor(instance, state, &mut self.expand, |_, after| {
            found |= after != *state;
            !found
        });
        // What cannot be found out is not said to be a deadlock.
        found || ended.is_err()
    }
}

/// Cuts positions into slices of at least this length, if there are as many: one for each lane at most.
fn slices(positions: Range<usize>, least: usize) -> Vec<Range<usize>> {
    let length = positions.len().div_ceil(LANES).max(least);
    let end = positions.end;
    positions.step_by(length).map(|start| start..(start + length).min(end)).collect()
}

pub(super) fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().expect("no thread panicked")
}

pub(super) fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().expect("no thread panicked")
}
