//! The visited states, packed, each stored once.
//!
//! The states are split over [`SHARDS`] by the top bits of their hash. Within a shard they lie one behind the other, in as many bytes as a
//! state needs, in the order in which they were found; so the list is the queue of the search, too, and a layer of the search is an interval of
//! it. Beside it lies an open-addressing table of their numbers with a few bits of the hash, which takes 5.3 to 6.7 bytes for each state.
//!
//! A search inserts states in large batches, shard by shard and roughly in the order of the table, so that memory is used in a way that caches like; and looking up is
//! done in stages for several states at once, so that the processor waits for several memory accesses at a time.

use std::ops::Range;

use super::hash::hash;
use crate::compile::layout::Layout;

/// How many parts the states are split into.
pub const SHARDS: usize = 1 << SHARD_BITS;
const SHARD_BITS: u32 = 6;

/// The shard of a state with this hash.
#[inline]
pub fn shard_of(hash: u64) -> usize {
    (hash >> (64 - SHARD_BITS)) as usize
}

/// How a packed state is stored in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Packing {
    /// How many words are stored in full.
    full: usize,
    /// The bits of the next word that are stored.
    last_mask: u64,
    /// How many bytes a state takes.
    bytes: usize,
}

impl Packing {
    /// How states of a layout are stored.
    pub fn new(layout: &Layout) -> Packing {
        let bytes = layout.bytes();
        let full = layout.words - 1;
        let last = (bytes - full * 8) as u32 * 8;
        Packing { full, last_mask: if last == 64 { u64::MAX } else { (1 << last) - 1 }, bytes }
    }
}

/// A part of the visited states.
#[derive(Clone, Debug)]
pub struct Shard<const W: usize> {
    packing: Packing,
    /// The states, and behind them 8 bytes that mean nothing, so that whole words can be read and written everywhere.
    states: Vec<u8>,
    count: u32,
    /// The table: 0 is an empty place; otherwise the number of a state plus 1, and [`TAG_BITS`] bits of its hash on top.
    table: Vec<u32>,
}

const TAG_BITS: u32 = 6;
const NUMBER_BITS: u32 = 32 - TAG_BITS;
const NUMBER_MASK: u32 = (1 << NUMBER_BITS) - 1;

/// How many states are looked up at a time.
const STAGE: usize = 16;

/// The number of the state is beyond what the table can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl<const W: usize> Shard<W> {
    /// An empty shard.
    pub fn new(packing: Packing) -> Self {
        // Room for one state, so that the first one can always be looked at.
        Shard { packing, states: vec![0; packing.bytes + 8], count: 0, table: vec![0; 16] }
    }

    /// How many states there are.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.states.capacity() + self.table.capacity() * 4
    }

    /// The state with this number.
    #[inline]
    pub fn get(&self, number: u32) -> [u64; W] {
        let start = number as usize * self.packing.bytes;
        let mut state = [0; W];
        let (full, last) = if W == 1 { (0, 0) } else { (self.packing.full, self.packing.full) };
        for (at, word) in state.iter_mut().enumerate().take(full) {
            *word = self.word(start + at * 8);
        }
        state[last] = self.word(start + last * 8) & self.packing.last_mask;
        state
    }

    #[inline]
    fn word(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.states[at..at + 8].try_into().expect("eight bytes"))
    }

    /// Adds the states of some lists that are not there yet.
    ///
    /// First sorts them roughly by their hash: then the places of the table are visited in their order, and so are the states that were added in
    /// one call before, which most repetitions are among.
    pub fn insert<'l>(&mut self, lists: impl Iterator<Item = &'l [[u64; W]]> + Clone) -> Result<(), Full> {
        let count: usize = lists.clone().map(<[_]>::len).sum();
        if count < GROUPS {
            // Not worth sorting.
            let mut stages = lists.flat_map(|list| list.chunks(STAGE));
            return stages.try_for_each(|stage| self.insert_stage(stage));
        }
        let mut sorted = vec![[0; W]; count];
        let mut ends = [0; GROUPS];
        for state in lists.clone().flatten() {
            ends[group_of(hash(state))] += 1;
        }
        let mut end = 0;
        for group in &mut ends {
            end += std::mem::replace(group, end);
        }
        for state in lists.flatten() {
            let end = &mut ends[group_of(hash(state))];
            sorted[*end] = *state;
            *end += 1;
        }
        let mut kept = 0;
        let mut start = 0;
        for end in ends {
            kept = drop_repetitions(&mut sorted, start..end, kept);
            start = end;
        }
        sorted[..kept].chunks(STAGE).try_for_each(|stage| self.insert_stage(stage))
    }

    /// Adds the states of a short list that are not there yet.
    fn insert_stage(&mut self, stage: &[[u64; W]]) -> Result<(), Full> {
        self.reserve(stage.len() as u32)?;
        let mut hashes = [0; STAGE];
        let mut entries = [0; STAGE];
        for (at, state) in stage.iter().enumerate() {
            hashes[at] = hash(state);
            entries[at] = self.table[self.place(hashes[at])];
        }
        // The first place decides for most states. No branch here depends on what memory holds, so these accesses do not wait for each other.
        let mut found = [false; STAGE];
        for (at, state) in stage.iter().enumerate() {
            // Where the tags differ, the first state is looked at, which is in the cache.
            let matches = (entries[at] != 0) & (entries[at] >> NUMBER_BITS == tag(hashes[at]));
            let number = if matches { entries[at] & NUMBER_MASK } else { 1 };
            found[at] = matches & same(&self.get(number - 1), state);
        }
        for (at, state) in stage.iter().enumerate() {
            if !found[at] {
                self.insert_one(state, hashes[at]);
            }
        }
        Ok(())
    }

    fn insert_one(&mut self, state: &[u64; W], hash: u64) {
        let mut place = self.place(hash);
        loop {
            let entry = self.table[place];
            if entry == 0 {
                break;
            }
            if entry >> NUMBER_BITS == tag(hash) && self.get((entry & NUMBER_MASK) - 1) == *state {
                return;
            }
            place += 1;
            if place == self.table.len() {
                place = 0;
            }
        }
        self.table[place] = tag(hash) << NUMBER_BITS | (self.count + 1);
        self.append(state);
    }

    fn append(&mut self, state: &[u64; W]) {
        let bytes = self.packing.bytes;
        let start = self.count as usize * bytes;
        if self.states.capacity() < start + bytes + 8 {
            // A sixth more, so that little room stays unused: see the bound on memory in the documentation.
            let more =
                if self.states.len() < 1 << 14 { self.states.len() + 64 } else { self.states.len() / 6 };
            self.states.reserve_exact(more.max(bytes));
        }
        self.states.resize((start + bytes + 8).max(self.states.len()), 0);
        for (at, word) in state.iter().enumerate().take(self.packing.full + 1) {
            self.states[start + at * 8..start + at * 8 + 8].copy_from_slice(&word.to_le_bytes());
        }
        self.count += 1;
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        let position = (hash >> (32 - SHARD_BITS)) & 0xFFFF_FFFF;
        ((position * self.table.len() as u64) >> 32) as usize
    }

    /// Makes room in the table for so many states more: at most three quarters of it are taken, and after growing three fifths at least.
    fn reserve(&mut self, more: u32) -> Result<(), Full> {
        let wanted = self.count as usize + more as usize;
        if wanted >= NUMBER_MASK as usize {
            return Err(Full);
        }
        if wanted * 4 <= self.table.len() * 3 {
            return Ok(());
        }
        let larger = (self.table.len() + self.table.len() / 4).max(wanted * 4 / 3 + 1);
        self.table = Vec::new();
        self.table = vec![0; larger];
        for number in 0..self.count {
            let hash = hash(&self.get(number));
            let mut place = self.place(hash);
            while self.table[place] != 0 {
                place += 1;
                if place == larger {
                    place = 0;
                }
            }
            self.table[place] = tag(hash) << NUMBER_BITS | (number + 1);
        }
        Ok(())
    }
}

/// Moves the states of a range down to `kept`, each once; where the next may go. Most repetitions are generated at about the same time: they
/// are found here, in the cache, and not in the large table.
fn drop_repetitions<const W: usize>(states: &mut [[u64; W]], range: Range<usize>, mut kept: usize) -> usize {
    const PLACES: usize = 512;
    let first = kept;
    let mut places = [0u16; PLACES];
    for at in range {
        let state = states[at];
        let mut place = (hash(&state) >> TAG_BITS) as usize % PLACES;
        loop {
            let number = usize::from(places[place]);
            if number == 0 {
                // Beyond half of the places, looking gets slow: the rest is left to the large table.
                if kept - first < PLACES / 2 {
                    places[place] = (kept - first + 1) as u16;
                }
                states[kept] = state;
                kept += 1;
                break;
            }
            if same(&states[first + number - 1], &state) {
                break;
            }
            place = (place + 1) % PLACES;
        }
    }
    kept
}

/// States are sorted into so many groups, by the bits of the hash behind those of the shard.
const GROUPS: usize = 1 << GROUP_BITS;
const GROUP_BITS: u32 = 8;

#[inline]
fn group_of(hash: u64) -> usize {
    (hash >> (64 - SHARD_BITS - GROUP_BITS)) as usize % GROUPS
}

#[inline]
fn tag(hash: u64) -> u32 {
    hash as u32 & ((1 << TAG_BITS) - 1)
}

/// Whether two states are the same, without a branch.
#[inline]
fn same<const W: usize>(left: &[u64; W], right: &[u64; W]) -> bool {
    let differences = left.iter().zip(right).map(|(left, right)| left ^ right);
    differences.fold(0, |all, difference| all | difference) == 0
}
