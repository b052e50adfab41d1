//! The visited states, packed, each stored once, and in full: no state is ever taken for another, as hash
//! compaction would.
//!
//! The states are split over [`SHARDS`] by the top bits of their hash. Within a shard they lie one behind the
//! other, in as many bytes as a state needs, in the order in which they were found; so the list is the queue
//! of the search, too, and a layer of the search is an interval of it. Beside it lies an open-addressing
//! table of their numbers with a few bits of the hash, which takes 5.3 to 7 bytes for each state.
//!
//! A search inserts states in large batches, shard by shard and roughly in the order of the table, so that
//! memory is used in a way that caches like; and looking up is done in stages for several states at once, so
//! that the processor waits for several memory accesses at a time.

use std::ops::Range;

use super::hash::hash;
use super::sleep::Arrival;
use crate::compile::layout::Layout;

/// How many parts the states are split into.
pub const SHARDS: usize = 1 << SHARD_BITS;
const SHARD_BITS: u32 = 6;

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
    bytes: usize,
    /// A chunk has 2 to the power of this states.
    chunk_bits: u32,
}

/// In so many bytes there is room for a word and a rule.
const PIECE_BYTES: usize = size_of::<u128>();

/// How many bytes a chunk of states has, more or less.
const CHUNK_BYTES: usize = 1024;

impl Packing {
    pub fn new(layout: &Layout) -> Packing {
        let bytes = layout.bytes();
        let full = layout.words - 1;
        let last_mask = u64::MAX >> (64 - (bytes - full * 8) * 8);
        Packing { full, last_mask, bytes, chunk_bits: (CHUNK_BYTES / bytes).max(1).ilog2() }
    }

    #[inline]
    pub fn words(&self) -> usize {
        self.full + 1
    }

    /// How many bytes a state takes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many bytes a state takes that is [written](Packing::write) with the rule by which it was found.
    pub fn record(&self) -> usize {
        self.bytes + size_of::<Arrival>()
    }

    /// Writes states, each with the rule by which it was found, as one record behind the other.
    #[inline]
    pub fn write<const W: usize>(&self, states: &[[u64; W]], rules: &[Arrival], to: &mut Vec<u8>) {
        if W > 1 {
            for (state, rule) in states.iter().zip(rules) {
                self.write_state(state, to);
                to.extend_from_slice(&rule.to_le_bytes());
            }
            return;
        }
        // Most states are so short that each is written with its rule in one piece: what is too much is written over by the next
        // one, or cut off. No state has bits behind its bytes.
        let (start, record) = (to.len(), self.record());
        let end = start + states.len() * record;
        to.resize(end + PIECE_BYTES, 0);
        for ((state, rule), at) in states.iter().zip(rules).zip((start..).step_by(record)) {
            let piece = u128::from(state[0]) | u128::from(*rule) << (8 * self.bytes);
            to[at..at + PIECE_BYTES].copy_from_slice(&piece.to_le_bytes());
        }
        to.truncate(end);
    }

    /// Writes a state.
    #[inline]
    pub fn write_state<const W: usize>(&self, state: &[u64; W], to: &mut Vec<u8>) {
        let end = to.len() + self.bytes;
        for word in &state[..self.words()] {
            to.extend_from_slice(&word.to_le_bytes());
        }
        to.truncate(end);
    }

    /// Reads a state: it takes the first of the bytes. If others are behind it, whole words can be read.
    #[inline]
    pub fn read_state<const W: usize>(&self, from: &[u8]) -> [u64; W] {
        let word = |at: usize| {
            let bytes = &from[at * 8..];
            bytes.first_chunk().map_or_else(|| short_word(bytes), |bytes| u64::from_le_bytes(*bytes))
        };
        let mut state = [0; W];
        let full = if W == 1 { 0 } else { self.full };
        state.iter_mut().enumerate().take(full).for_each(|(at, to)| *to = word(at));
        state[full] = word(full) & self.last_mask;
        state
    }

    /// Reads what was [written](Packing::write).
    #[inline]
    pub fn for_each_record<const W: usize>(&self, mut from: &[u8], mut visit: impl FnMut([u64; W], Arrival)) {
        let record = self.record();
        if W == 1 {
            // As long as there is something behind it, a record is read in one piece, too.
            while let Some(bytes) = from.first_chunk::<PIECE_BYTES>() {
                let piece = u128::from_le_bytes(*bytes);
                #[expect(clippy::cast_possible_truncation, reason = "what is cut off is no part of it")]
                let (state, rule) = (piece as u64 & self.last_mask, (piece >> (8 * self.bytes)) as Arrival);
                visit([state; W], rule);
                from = &from[record..];
            }
        }
        while !from.is_empty() {
            let rule = from[self.bytes..].first_chunk().expect("a record has the rule behind the state");
            visit(self.read_state(from), Arrival::from_le_bytes(*rule));
            from = &from[record..];
        }
    }

    /// How many bytes a chunk of states takes: behind them are 8 that mean nothing, so that whole words can
    /// be read and written everywhere.
    fn chunk_bytes(&self) -> usize {
        (self.bytes << self.chunk_bits) + 8
    }

    /// Where a state lies in its chunk.
    #[inline]
    fn offset(&self, number: u32) -> usize {
        (number & ((1 << self.chunk_bits) - 1)) as usize * self.bytes
    }
}

/// The last bytes of what was written, which are no whole word.
#[cold]
fn short_word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// States that were found, each with the rule by which, not yet compared with those that are known.
#[derive(Clone, Debug, Default)]
pub struct Batch<const W: usize> {
    states: Vec<[u64; W]>,
    rules: Vec<Arrival>,
}

impl<const W: usize> Batch<W> {
    pub const SIZE: usize = size_of::<[u64; W]>() + size_of::<Arrival>();

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<[u64; W]>() + self.rules.capacity() * size_of::<Arrival>()
    }

    pub fn clear(&mut self) {
        self.states.clear();
        self.rules.clear();
    }

    #[inline]
    pub fn push(&mut self, state: [u64; W], rule: Arrival) {
        self.states.push(state);
        self.rules.push(rule);
    }

    /// What was pushed, so many at a time.
    pub fn pieces(&self, length: usize) -> impl Iterator<Item = (&[[u64; W]], &[Arrival])> {
        self.states.chunks(length).zip(self.rules.chunks(length))
    }
}

/// A part of the visited states.
#[derive(Clone, Debug)]
pub struct Shard<const W: usize> {
    packing: Packing,
    /// The states, in chunks, so that they never move. There is one chunk at least, so that the first state
    /// can always be looked at.
    chunks: Vec<Box<[u8]>>,
    count: u32,
    /// By which rule the last states were found.
    arrivals: Vec<Arrival>,
    /// The table: 0 is an empty place; otherwise the number of a state plus 1, and [`TAG_BITS`] bits of its
    /// hash on top.
    table: Vec<u32>,
}

const TAG_BITS: u32 = 6;
const NUMBER_BITS: u32 = 32 - TAG_BITS;
const NUMBER_MASK: u32 = (1 << NUMBER_BITS) - 1;

/// How many states are looked up at a time.
const STAGE: usize = 16;

/// How many states a group has, roughly, in which they are sorted by hash.
const GROUP: usize = 64;

/// The number of the state is beyond what the table can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl<const W: usize> Shard<W> {
    pub fn new(packing: Packing) -> Self {
        let chunks = vec![vec![0; packing.chunk_bytes()].into()];
        Shard { packing, chunks, count: 0, arrivals: Vec::new(), table: vec![0; 16] }
    }

    pub fn len(&self) -> u32 {
        self.count
    }

    pub fn bytes(&self) -> usize {
        self.chunks.len() * self.packing.chunk_bytes()
            + self.chunks.capacity() * size_of::<Box<[u8]>>()
            + self.table.capacity() * 4
            + self.arrivals.capacity() * size_of::<Arrival>()
    }

    /// By which rule a state was found that is not older than those whose arrivals were forgotten.
    #[inline]
    pub fn arrival(&self, number: u32) -> Arrival {
        self.arrivals[self.arrivals.len() - (self.count - number) as usize]
    }

    /// Forgets by which rules the states before this one were found.
    pub fn forget_arrivals(&mut self, number: u32) {
        if self.arrivals.capacity() == 0 {
            return;
        }
        let kept = (self.count - number) as usize;
        self.arrivals.drain(..self.arrivals.len() - kept);
        self.arrivals.shrink_to(kept * 2);
    }

    #[inline]
    pub fn get(&self, number: u32) -> [u64; W] {
        let chunk = &self.chunks[(number >> self.packing.chunk_bits) as usize][self.packing.offset(number)..];
        let word = |at: usize| u64::from_le_bytes(chunk[at * 8..at * 8 + 8].try_into().expect("eight bytes"));
        let mut state = [0; W];
        let (full, last) = if W == 1 { (0, 0) } else { (self.packing.full, self.packing.full) };
        state.iter_mut().enumerate().take(full).for_each(|(at, to)| *to = word(at));
        state[last] = word(last) & self.packing.last_mask;
        state
    }

    /// Adds the states of some lists that are not there yet, with the rules by which they were found.
    ///
    /// First sorts them roughly by their hash: then the places of the table are visited in their order, and
    /// so are the states that were added in one call before, which most repetitions are among. `sorted` is
    /// room for that; what it contains does not matter.
    pub fn insert<'l>(
        &mut self,
        lists: impl Iterator<Item = &'l Batch<W>> + Clone,
        sorted: &mut Batch<W>,
    ) -> Result<(), Full> {
        let count: usize = lists.clone().map(Batch::len).sum();
        let words = self.packing.words();
        if count < 2 * GROUP {
            return lists.into_iter().try_for_each(|list| self.insert_list(&list.states, &list.rules));
        }
        // By the bits of the hash behind those of the shard, 8 at most.
        let bits = (count / GROUP).ilog2().min(8);
        let group = |state: &[u64; W]| (hash(state, words) << SHARD_BITS >> 56) as usize >> (8 - bits);
        let mut ends = vec![0; 1 << bits];
        for state in lists.clone().flat_map(|list| &list.states) {
            ends[group(state)] += 1;
        }
        let mut end = 0;
        for group in &mut ends {
            end += std::mem::replace(group, end);
        }
        if sorted.len() < count {
            sorted.states.resize(count, [0; W]);
            sorted.rules.resize(count, 0);
        }
        for list in lists {
            for (state, rule) in list.states.iter().zip(&list.rules) {
                let end = &mut ends[group(state)];
                sorted.states[*end] = *state;
                sorted.rules[*end] = *rule;
                *end += 1;
            }
        }
        let mut kept = 0;
        let mut start = 0;
        for end in ends {
            kept = drop_repetitions(sorted, words, start..end, kept);
            start = end;
        }
        self.insert_list(&sorted.states[..kept], &sorted.rules[..kept])
    }

    fn insert_list(&mut self, states: &[[u64; W]], rules: &[Arrival]) -> Result<(), Full> {
        let mut stages = states.chunks(STAGE).zip(rules.chunks(STAGE));
        stages.try_for_each(|(states, rules)| self.insert_stage(states, rules))
    }

    /// Adds the states of a short list that are not there yet.
    fn insert_stage(&mut self, stage: &[[u64; W]], rules: &[Arrival]) -> Result<(), Full> {
        self.reserve(stage.len())?;
        // No branch in the first and in the third of these loops depends on what memory holds, so that their
        // accesses do not wait for each other.
        let mut hashes = [0; STAGE];
        let mut places = [0; STAGE];
        let mut entries = [0; STAGE];
        for (at, state) in stage.iter().enumerate() {
            hashes[at] = hash(state, self.packing.words());
            places[at] = self.place(hashes[at]);
            entries[at] = self.table[places[at]];
        }
        for at in 0..stage.len() {
            if !ends(entries[at], tag(hashes[at])) {
                places[at] = self.find(self.after(places[at]), tag(hashes[at]));
            }
        }
        let mut found = [false; STAGE];
        for (at, state) in stage.iter().enumerate() {
            // Where the place is empty, the first state is looked at, which is in the cache.
            let entry = self.table[places[at]];
            let number = if entry == 0 { 1 } else { entry & NUMBER_MASK };
            found[at] = (entry != 0) & same(&self.get(number - 1), state);
        }
        for (at, (state, rule)) in stage.iter().zip(rules).enumerate() {
            if !found[at] {
                self.insert_one(state, hashes[at], places[at], *rule);
            }
        }
        Ok(())
    }

    /// The first place from some place on that is empty or has this tag.
    #[inline]
    fn find(&self, mut place: usize, tag: u32) -> usize {
        while !ends(self.table[place], tag) {
            place = self.after(place);
        }
        place
    }

    #[inline]
    fn after(&self, place: usize) -> usize {
        if place + 1 == self.table.len() { 0 } else { place + 1 }
    }

    /// Adds a state, if it is not there yet: it is not before this place.
    fn insert_one(&mut self, state: &[u64; W], hash: u64, mut place: usize, rule: Arrival) {
        loop {
            place = self.find(place, tag(hash));
            let entry = self.table[place];
            if entry == 0 {
                break;
            }
            if self.get((entry & NUMBER_MASK) - 1) == *state {
                return;
            }
            place = self.after(place);
        }
        self.table[place] = tag(hash) << NUMBER_BITS | (self.count + 1);
        self.append(state);
        self.arrivals.push(rule);
    }

    fn append(&mut self, state: &[u64; W]) {
        let number = (self.count >> self.packing.chunk_bits) as usize;
        if number == self.chunks.len() {
            self.chunks.push(vec![0; self.packing.chunk_bytes()].into());
        }
        let chunk = &mut self.chunks[number][self.packing.offset(self.count)..];
        for (at, word) in state.iter().enumerate().take(self.packing.words()) {
            chunk[at * 8..at * 8 + 8].copy_from_slice(&word.to_le_bytes());
        }
        self.count += 1;
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        let position = (hash >> (32 - SHARD_BITS)) & 0xFFFF_FFFF;
        ((position * self.table.len() as u64) >> 32) as usize
    }

    /// Makes room in the table for this many states more: at most three quarters of it are taken, and after
    /// growing four sevenths at least.
    fn reserve(&mut self, more: usize) -> Result<(), Full> {
        let wanted = self.count as usize + more;
        if wanted >= NUMBER_MASK as usize {
            return Err(Full);
        }
        if wanted * 4 <= self.table.len() * 3 {
            return Ok(());
        }
        let larger = (self.table.len() + self.table.len() * 5 / 16).max(wanted * 4 / 3 + 1);
        self.table = Vec::new();
        // Written at once: pages that are read first would be made twice, and the second time all threads
        // have to stop (2 % of an exploration).
        self.table = Vec::with_capacity(larger);
        self.table.resize(larger, 0);
        let mut places = [0; STAGE];
        let mut entries = [0; STAGE];
        for first in (0..self.count).step_by(STAGE) {
            // First the places, so that the accesses to the table do not wait for each other.
            let mut touched = 0;
            for (at, number) in (first..self.count).take(STAGE).enumerate() {
                let hash = hash(&self.get(number), self.packing.words());
                entries[at] = tag(hash) << NUMBER_BITS | (number + 1);
                places[at] = self.place(hash);
                touched |= self.table[places[at]];
            }
            std::hint::black_box(touched);
            for (&entry, &place) in entries.iter().zip(&places).take((self.count - first) as usize) {
                let mut place = place;
                while self.table[place] != 0 {
                    place = self.after(place);
                }
                self.table[place] = entry;
            }
        }
        Ok(())
    }
}

/// Moves the states of a range down to `kept`, each once; where the next may go. Most repetitions are
/// generated at about the same time: they are found here, in the cache, and not in the large table.
fn drop_repetitions<const W: usize>(
    list: &mut Batch<W>,
    words: usize,
    range: Range<usize>,
    mut kept: usize,
) -> usize {
    const PLACES: usize = 512;
    let first = kept;
    let mut places = [0u16; PLACES];
    for at in range {
        let state = list.states[at];
        let mut place = (hash(&state, words) >> TAG_BITS) as usize % PLACES;
        loop {
            let number = usize::from(places[place]);
            if number == 0 {
                // Beyond half of the places, looking gets slow: the rest is left to the large table.
                if kept - first < PLACES / 2 {
                    places[place] = u16::try_from(kept - first + 1).expect("there are few places");
                }
                list.states[kept] = state;
                list.rules[kept] = list.rules[at];
                kept += 1;
                break;
            }
            if same(&list.states[first + number - 1], &state) {
                break;
            }
            place = (place + 1) % PLACES;
        }
    }
    kept
}

/// Whether a search for a state with this tag can end at an entry: it is empty, or has the tag.
#[inline]
fn ends(entry: u32, wanted: u32) -> bool {
    (entry == 0) | (entry >> NUMBER_BITS == wanted)
}

#[inline]
fn tag(hash: u64) -> u32 {
    (hash & ((1 << TAG_BITS) - 1)) as u32
}

/// Whether two states are the same, without a branch.
#[inline]
fn same<const W: usize>(left: &[u64; W], right: &[u64; W]) -> bool {
    let differences = left.iter().zip(right).map(|(left, right)| left ^ right);
    differences.fold(0, |all, difference| all | difference) == 0
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// That of states with so many words and bits.
    fn packing_of(words: usize, bits: u32) -> Packing {
        let bytes = bits.div_ceil(8) as usize;
        let full = words - 1;
        Packing { full, last_mask: u64::MAX >> (64 - (bytes - full * 8) * 8), bytes, chunk_bits: 3 }
    }

    /// States of some bits, many of them repeated, in lists of all sizes: each is stored once, with the rule
    /// that came with it first.
    fn inserted_states_are_stored_once<const W: usize>(bits: u32) {
        let packing = packing_of(W, bits);
        let mut shard = Shard::<W>::new(packing);
        let mut expected: HashMap<[u64; W], Arrival> = HashMap::new();
        let mut room = Batch::default();
        let mut seed = 1;
        for round in 0..60 {
            let mut lists = vec![Batch::default(); 3];
            for number in 0..(round * round) as u64 {
                seed = hash(&[seed + number], 1);
                let mut state = [0; W];
                state[W - 1] = seed % 5000;
                state[0] |= seed % 5000 % 7;
                let rule = (seed >> 32) as Arrival;
                lists[(number % 3) as usize].push(state, rule);
            }
            for list in &lists {
                for (state, rule) in list.states.iter().zip(&list.rules) {
                    expected.entry(*state).or_insert(*rule);
                }
            }
            shard.insert(lists.iter(), &mut room).expect("room for all");
        }
        assert_eq!(shard.len() as usize, expected.len());
        assert!(expected.len() > 1000);
        for number in 0..shard.len() {
            assert_eq!(expected.remove(&shard.get(number)), Some(shard.arrival(number)));
        }
    }

    #[test]
    fn states_are_stored_once() {
        inserted_states_are_stored_once::<1>(13);
        inserted_states_are_stored_once::<1>(64);
        inserted_states_are_stored_once::<2>(64 + 13);
        inserted_states_are_stored_once::<3>(192);
    }

    /// What is written one behind the other is read again, the last with nothing behind it.
    fn records_are_read_as_written<const W: usize>(bits: u32) {
        let packing = packing_of(W, bits);
        let mut records = Vec::new();
        let random = |number: u64| {
            let mut state: [u64; W] = std::array::from_fn(|word| hash(&[number, word as u64], 2));
            state[W - 1] &= packing.last_mask;
            (state, (hash(&[number], 1) >> 40) as Arrival)
        };
        for count in [0, 1, 2, 3, 50] {
            let (states, rules): (Vec<[u64; W]>, Vec<Arrival>) = (0..count).map(random).unzip();
            records.clear();
            let (first, rest) = states.split_at(states.len() / 2);
            packing.write(first, &rules[..first.len()], &mut records);
            packing.write(rest, &rules[first.len()..], &mut records);
            assert_eq!(records.len(), states.len() * packing.record());
            let (mut read, mut read_rules) = (Vec::new(), Vec::new());
            packing.for_each_record(&records, |state, rule| {
                read.push(state);
                read_rules.push(rule);
            });
            assert_eq!((&read, &read_rules), (&states, &rules));
            for (at, state) in states.iter().enumerate() {
                let record = &records[at * packing.record()..];
                assert_eq!(packing.read_state(record), *state);
                assert_eq!(packing.read_state(&record[..packing.bytes()]), *state);
            }
        }
    }

    #[test]
    fn states_travel_unchanged() {
        for bits in [1, 8, 41, 51, 56, 57, 64] {
            records_are_read_as_written::<1>(bits);
            records_are_read_as_written::<2>(64 + bits);
            records_are_read_as_written::<4>(192 + bits);
        }
    }

    /// At most a quarter more than the packed size, and 8 bytes, with the table: from some thousand states in a shard
    /// on, at any moment. By which rules the last states were found is not counted.
    #[test]
    fn states_take_little_room() {
        for bits in [41, 51, 60, 64] {
            let bytes = u32::div_ceil(bits, 8) as usize;
            let packing = Packing {
                full: 0,
                last_mask: if bytes == 8 { u64::MAX } else { (1 << (bytes * 8)) - 1 },
                bytes,
                chunk_bits: (CHUNK_BYTES / bytes).ilog2(),
            };
            let mut shard = Shard::<1>::new(packing);
            let mut room = Batch::default();
            for number in 0..40_000u64 {
                let mut batch = Batch::default();
                // Only states of this shard come, so the table sees the whole range of its part of the hash.
                batch.push([number & packing.last_mask], 0);
                shard.insert([batch].iter(), &mut room).expect("room for all");
                let taken = shard.bytes() - shard.arrivals.capacity() * size_of::<Arrival>();
                let bound = (1.25 * f64::from(bits) / 8.0 + 8.0) * f64::from(shard.len());
                assert!(
                    shard.len() < 1500 || taken as f64 <= bound,
                    "{taken} bytes for {} states",
                    shard.len()
                );
            }
        }
    }
}
