//! How much work one question may take, and whether the search is cancelled.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMany {
    /// A cube would name more processes than there is room for.
    Processes,
    /// There are too many cases, or the search was cancelled: see [`Effort::spend`].
    Cases,
}

/// Work that is left for one question: a step, a property, or whether a cube meets the initial states. What
/// is written out can multiply with each level of a formula, in time and in memory; so it is counted, and
/// given up where it is too much. Counting work instead of time makes that repeatable.
#[derive(Debug)]
pub struct Effort<'i> {
    left: Cell<u64>,
    interrupt: &'i AtomicBool,
}

impl<'i> Effort<'i> {
    /// Units of work for one question. Visiting a node of a condition costs about one.
    pub const MOST: u64 = 20_000_000;

    /// Units of work to create a node of a condition: `MOST` allows 200,000 nodes.
    pub const NODE: u64 = 100;

    /// The flag is asked whenever so much work was done: a power of two.
    const INTERVAL: u64 = 1 << 14;

    pub fn new(interrupt: &'i AtomicBool) -> Effort<'i> {
        Effort::times(1, interrupt)
    }

    pub fn times(factor: u64, interrupt: &'i AtomicBool) -> Effort<'i> {
        Effort { left: Cell::new(factor * Effort::MOST), interrupt }
    }

    /// What is left of it, for a part of the question; nothing is left here, until it is given back.
    #[must_use]
    pub fn take(&self) -> Effort<'i> {
        Effort { left: Cell::new(self.left.take()), interrupt: self.interrupt }
    }

    /// Spends `work` units. Fails once none are left or the flag is seen set, and always from then on.
    #[inline]
    pub fn spend(&self, work: u64) -> Result<(), TooMany> {
        let before = self.left.get();
        let after = before.saturating_sub(work);
        let is_due = (before ^ after) >= Effort::INTERVAL;
        if after == 0 || is_due && self.interrupt.load(Ordering::Relaxed) {
            self.left.set(0);
            return Err(TooMany::Cases);
        }
        self.left.set(after);
        Ok(())
    }

    /// Whether `spend` has failed. The result of the question is then meaningless.
    pub fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    pub fn interrupt(&self) -> &'i AtomicBool {
        self.interrupt
    }
}
