//! Which rules do not concern each other: independence in the sense of Godefroid, decided by the slots that
//! they mention (what it is for: `forward/sleep.rs`).

use super::condition::Condition;
use super::filter::MAX_BYTES;
use super::slot::SlotId;
use super::unroll::{Source, Updates};

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
    /// What is independent of the rules with these guards and updates; none if there are too many rules.
    pub fn new<'r>(
        rules: impl ExactSizeIterator<Item = (&'r Vec<Condition>, &'r Updates)> + Clone,
        slots: usize,
    ) -> Option<Independence> {
        let words = rules.len().div_ceil(64);
        if words * rules.len().max(slots) * 8 > MAX_BYTES {
            return None;
        }
        let of_slot = |slot: SlotId| slot.0 as usize * words..(slot.0 as usize + 1) * words;
        // For each slot, the rules that write it, and those that read or write it.
        let (mut writers, mut users) = (vec![0u64; slots * words], vec![0u64; slots * words]);
        for (rule, (guard, updates)) in rules.clone().enumerate() {
            let add = |sets: &mut [u64], slot: SlotId| sets[of_slot(slot)][rule / 64] |= 1 << (rule % 64);
            for_each_read(guard, updates, &mut |slot| add(&mut users, slot));
            for &(slot, _) in updates {
                add(&mut users, slot);
                add(&mut writers, slot);
            }
        }
        let mut sets = vec![u64::MAX; rules.len() * words];
        for ((guard, updates), set) in rules.zip(sets.chunks_exact_mut(words.max(1))) {
            let mut remove =
                |others: &[u64]| set.iter_mut().zip(others).for_each(|(set, other)| *set &= !other);
            for_each_read(guard, updates, &mut |slot| remove(&writers[of_slot(slot)]));
            updates.iter().for_each(|&(slot, _)| remove(&users[of_slot(slot)]));
        }
        Some(Independence { words, sets })
    }

    /// The rules that are independent of a rule; bits beyond the last rule mean nothing.
    pub fn of(&self, rule: usize) -> &[u64] {
        &self.sets[rule * self.words..(rule + 1) * self.words]
    }
}

/// Calls `visit` with what a rule reads in its guard and its updates.
fn for_each_read(guard: &[Condition], updates: &Updates, visit: &mut dyn FnMut(SlotId)) {
    guard.iter().for_each(|conjunct| conjunct.for_each_slot(visit));
    for (condition, source) in updates.iter().flat_map(|(_, cases)| cases) {
        condition.for_each_slot(visit);
        match source {
            Source::Slot(slot) => visit(*slot),
            Source::Linear(linear) => linear.terms.iter().for_each(|&(_, slot)| visit(slot)),
            Source::Code(_) | Source::Any => {}
        }
    }
}
