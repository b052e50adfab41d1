//! Why something holds: a set of relations, and of choices that were made during a search.

use std::ops::BitOr;

/// Relations of a list and choices of a search, as two sets of 64 bits. If there are more than 64 relations,
/// neighbours share a bit; choices from depth 64 on have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Why {
    relations: u64,
    choices: u64,
}

impl Why {
    /// Because of the relation with this index, in a list of `count`.
    pub(crate) fn relation(index: usize, count: usize) -> Why {
        Why { relations: relation_bit(index, count), choices: 0 }
    }

    /// Because of the choice at this depth. From 64 on, choices have no bit: see [`Why::may_depend_on`].
    pub(crate) fn choice(depth: u32) -> Why {
        Why { relations: 0, choices: 1u64.checked_shl(depth).unwrap_or(0) }
    }

    /// Whether the choice at this depth may be among the reasons. Always true for a choice without a bit: the
    /// search then tries all its alternatives, so the result does not depend on it.
    pub(crate) fn may_depend_on(self, depth: u32) -> bool {
        depth >= 64 || self.choices & Why::choice(depth).choices != 0
    }

    pub(crate) fn without(self, other: Why) -> Why {
        Why { relations: self.relations & !other.relations, choices: self.choices & !other.choices }
    }

    /// The indices of the relations, in a list of `count`.
    pub(crate) fn core(self, count: usize) -> Vec<usize> {
        (0..count).filter(|&index| self.relations & relation_bit(index, count) != 0).collect()
    }
}

/// Above 64 relations, several neighbours share a bit: a core contains all of them or none.
fn relation_bit(index: usize, count: usize) -> u64 {
    if count <= 64 { 1 << index } else { 1 << (index * 64 / count) }
}

impl BitOr for Why {
    type Output = Why;

    fn bitor(self, other: Why) -> Why {
        Why { relations: self.relations | other.relations, choices: self.choices | other.choices }
    }
}
