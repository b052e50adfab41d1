//! Which rules do not concern each other.

use super::condition::Condition;
use super::slot::SlotId;
use super::unroll::{Source, Updates};

/// The sets take at most this many bytes: beyond that they would not stay in the cache.
const MAX_BYTES: usize = 1 << 19;

/// The slots that a rule has to do with.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    reads: Vec<SlotId>,
    writes: Vec<SlotId>,
}

impl Footprint {
    /// What a rule reads in its guard and its updates, and what it writes.
    pub fn new(guard: &[Condition], updates: &Updates) -> Footprint {
        let mut footprint = Footprint::default();
        let mut read = |slot: SlotId| footprint.reads.push(slot);
        guard.iter().for_each(|conjunct| conjunct.for_each_slot(&mut read));
        for (condition, source) in updates.iter().flat_map(|(_, cases)| cases) {
            condition.for_each_slot(&mut read);
            match source {
                Source::Slot(slot) => read(*slot),
                Source::Linear(linear) => linear.terms.iter().for_each(|&(_, slot)| read(slot)),
                Source::Code(_) | Source::Any => {}
            }
        }
        footprint.writes.extend(updates.iter().map(|(slot, _)| slot));
        footprint
    }
}

/// For each rule, the rules that are independent of it: neither writes what the other one reads or writes.
///
/// So if two such rules are possible in a state, each stays possible after the other; if one is possible
/// after the other, it is before; and both orders lead to the same state.
#[derive(Clone, Debug)]
pub struct Independence {
    /// How many words a set of rules takes.
    words: usize,
    sets: Vec<u64>,
}

impl Independence {
    /// What is independent; none if there are too many rules.
    pub fn new(footprints: &[Footprint], slots: usize) -> Option<Independence> {
        let words = footprints.len().div_ceil(64);
        if words * footprints.len().max(slots) * 8 > MAX_BYTES {
            return None;
        }
        // For each slot, the rules that write it, and those that read or write it.
        let (mut writers, mut users) = (vec![0u64; slots * words], vec![0u64; slots * words]);
        for (rule, footprint) in footprints.iter().enumerate() {
            let add = |sets: &mut [u64], slot: &SlotId| {
                sets[slot.0 as usize * words + rule / 64] |= 1 << (rule % 64);
            };
            footprint.reads.iter().for_each(|slot| add(&mut users, slot));
            footprint.writes.iter().for_each(|slot| add(&mut users, slot));
            footprint.writes.iter().for_each(|slot| add(&mut writers, slot));
        }
        let mut sets = vec![u64::MAX; footprints.len() * words];
        for (footprint, set) in footprints.iter().zip(sets.chunks_exact_mut(words.max(1))) {
            let mut remove = |sets: &[u64], slot: &SlotId| {
                let first = slot.0 as usize * words;
                set.iter_mut().zip(&sets[first..first + words]).for_each(|(set, other)| *set &= !other);
            };
            footprint.reads.iter().for_each(|slot| remove(&writers, slot));
            footprint.writes.iter().for_each(|slot| remove(&users, slot));
        }
        Some(Independence { words, sets })
    }

    /// The rules that are independent of a rule; bits beyond the last rule mean nothing.
    pub fn of(&self, rule: usize) -> &[u64] {
        &self.sets[rule * self.words..(rule + 1) * self.words]
    }
}
