//! Which of many conditions can hold in a state, found by table look-up for all of them at once.
//!
//! The fields of a packed state are cut into chunks of a few bits. A conjunct about slots of one chunk is
//! decided by the value of that chunk; so for every chunk and every value there is a bitset of the conditions
//! of which no conjunct about that chunk fails. The intersection over all chunks leaves the conditions whose
//! conjuncts about single chunks all hold; the other conjuncts are tested one by one, elsewhere.

use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;

use super::condition::Condition;
use super::layout::{Field, Layout};
use super::slot::{SlotId, Slots};

const CHUNK_BITS: u8 = 8;

/// The most bytes that all tables of a filter take together, so that they stay in the cache. The sets of
/// independent rules have the same limit.
pub const MAX_BYTES: usize = 1 << 19;

#[derive(Clone, Debug)]
pub struct Filter {
    /// The chunks; `bits` of each is at most [`CHUNK_BITS`].
    chunks: Vec<Field>,
    /// The bitsets: for each chunk and value one, of `words` words.
    rows: Vec<u64>,
    /// Where the rows of each chunk start.
    first_rows: Vec<usize>,
    /// How many words a set of conditions takes.
    words: usize,
    count: usize,
}

impl Filter {
    /// Builds the tables, and removes from each condition the conjuncts that they decide. If the tables would
    /// be too large, there are none and the conditions stay as they are. If `interrupt` is set meanwhile, the
    /// result is meaningless.
    pub fn new(
        layout: &Layout,
        slots: &Slots,
        conditions: &mut [Vec<Condition>],
        interrupt: &AtomicBool,
    ) -> Filter {
        let count = conditions.len();
        let words = count.div_ceil(64);
        let mut chunks = cut(layout);
        if chunks.iter().map(|chunk| words << (chunk.bits + 3)).sum::<usize>() > MAX_BYTES {
            chunks.clear();
        }
        let chunk_of = |slot: SlotId| {
            let field = layout.field(slot);
            chunks.iter().position(|chunk| {
                field.word == chunk.word
                    && chunk.shift <= field.shift
                    && field.shift + field.bits <= chunk.shift + chunk.bits
            })
        };
        let chunk_numbers: Vec<Option<usize>> = slots.iter().map(chunk_of).collect();
        // Many conditions share a conjunct: for each, the set of those that it decides.
        let mut decided: Vec<FxHashMap<Condition, Vec<u64>>> = vec![FxHashMap::default(); chunks.len()];
        for (number, conjuncts) in conditions.iter_mut().enumerate() {
            let mut rest = Vec::new();
            for conjunct in conjuncts.drain(..) {
                let mut places = Vec::new();
                conjunct.for_each_slot(&mut |slot| places.push(chunk_numbers[slot.0 as usize]));
                places.dedup();
                match places[..] {
                    [Some(chunk)] => {
                        let set = decided[chunk].entry(conjunct).or_insert_with(|| vec![0; words]);
                        set[number / 64] |= 1 << (number % 64);
                    }
                    _ => rest.push(conjunct),
                }
            }
            *conjuncts = rest;
        }

        // Chunks about which nothing is said are not looked at.
        let (chunks, decided): (Vec<Field>, Vec<_>) =
            chunks.into_iter().zip(decided).filter(|(_, decided)| !decided.is_empty()).unzip();
        let mut filter = Filter { chunks, rows: Vec::new(), first_rows: Vec::new(), words, count };
        for (chunk, decided) in filter.chunks.iter().zip(decided) {
            let first = filter.rows.len();
            filter.first_rows.push(first);
            let values = 0..1u64 << chunk.bits;
            filter.rows.extend(values.clone().flat_map(|_| (0..words).map(|word| ones(count - word * 64))));
            // Once the compilation is cancelled, nobody uses the table: it need not be complete.
            // In any order: each only takes conditions away.
            for (conjunct, set) in decided.iter().take_while(|_| !interrupt.load(Ordering::Relaxed)) {
                // Most are about one slot: what the rest of the chunk says makes no difference then.
                let mut asked = 0;
                conjunct.for_each_slot(&mut |slot| {
                    let field = layout.field(slot);
                    asked |= field.low_mask() << (field.shift - chunk.shift);
                });
                let mut fails = vec![None; 1 << chunk.bits];
                for value in values.clone() {
                    let code = |slot: SlotId| {
                        let field = layout.field(slot);
                        Some(value >> (field.shift - chunk.shift) & field.low_mask())
                    };
                    let fails = *fails[index(value & asked)].get_or_insert_with(|| {
                        conjunct.evaluate(&code, &|slot| slots.domain(slot).low()) == Some(false)
                    });
                    if fails {
                        let row = first + index(value) * words;
                        filter.rows[row..].iter_mut().zip(set).for_each(|(row, set)| *row &= !set);
                    }
                }
            }
        }
        filter
    }

    #[inline]
    pub fn words(&self) -> usize {
        self.words
    }

    /// A word of the set of conditions that the tables do not exclude.
    #[inline]
    pub fn candidates<const W: usize>(&self, state: &[u64; W], word: usize) -> u64 {
        let mut left = ones(self.count - word * 64);
        for (chunk, first) in self.chunks.iter().zip(&self.first_rows) {
            left &= self.rows[first + chunk.index(state) * self.words + word];
        }
        left
    }
}

/// The numbers in a word of a set, in increasing order.
#[inline]
pub fn members(word: usize, mut members: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (members != 0).then(|| word * 64 + members.trailing_zeros() as usize);
        members &= members.wrapping_sub(1);
        first
    })
}

/// The place of a value of a chunk in a table.
fn index(value: u64) -> usize {
    value.try_into().expect("a chunk has few bits")
}

/// A word with its lowest `count` bits set; all of them from 64 on.
fn ones(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Chunks that contain whole fields.
fn cut(layout: &Layout) -> Vec<Field> {
    let mut fields = layout.fields.clone();
    fields.retain(|field| (1..=CHUNK_BITS).contains(&field.bits));
    fields.sort();
    let mut chunks: Vec<Field> = Vec::new();
    for field in fields {
        match chunks.last_mut() {
            Some(chunk)
                if chunk.word == field.word && field.shift + field.bits <= chunk.shift + CHUNK_BITS =>
            {
                chunk.bits = field.shift + field.bits - chunk.shift;
            }
            _ => chunks.push(field),
        }
    }
    chunks
}
