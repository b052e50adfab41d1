//! How much work one question may take, and whether the search is cancelled.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMany {
    /// A cube would name more processes than there is room for.
    Processes,
    /// A step or a property has more cases than can be treated.
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
    /// Units of work for one question: about as many nodes of conditions are looked at.
    pub const MOST: u64 = 20_000_000;

    /// What it takes to make one node of a condition: there may be a hundred thousand or two.
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

    /// Does so much work. Fails if that was too much, or the flag is set; from then on, always.
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

    /// Whether it was too much. Then what came out of it means nothing.
    pub fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    pub fn interrupt(&self) -> &'i AtomicBool {
        self.interrupt
    }
}
