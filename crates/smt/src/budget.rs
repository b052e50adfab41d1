//! Budgets: how much work may be done before a question is given up.

use std::sync::atomic::{AtomicBool, Ordering};

/// A number of steps that is used up. A step is a small piece of work: a pivot, a branch, a round of
/// propagation; where many relations make it larger, it counts as several. Counting steps instead of time
/// makes every answer repeatable.
#[derive(Clone, Debug)]
pub struct Budget<'i> {
    steps: u64,
    /// Set by the caller, it uses up all steps.
    interrupt: Option<&'i AtomicBool>,
}

/// There are no steps left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UsedUp;

impl<'i> Budget<'i> {
    /// The flag is asked after this many small steps.
    const INTERVAL: u64 = 64;

    pub fn new(steps: u64) -> Budget<'i> {
        Budget { steps, interrupt: None }
    }

    /// The same, but none of them is left when the flag is set.
    #[must_use]
    pub fn until(self, interrupt: &'i AtomicBool) -> Budget<'i> {
        Budget { interrupt: Some(interrupt), ..self }
    }

    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), UsedUp> {
        self.spend(1)
    }

    /// Takes several steps, if there are this many left.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), UsedUp> {
        self.steps = self.steps.checked_sub(steps).ok_or(UsedUp)?;
        if steps > 1 || self.steps.is_multiple_of(Budget::INTERVAL) { self.check() } else { Ok(()) }
    }

    /// Whether work may go on: not if the flag is set.
    pub(crate) fn check(&mut self) -> Result<(), UsedUp> {
        if self.interrupt.is_some_and(|interrupt| interrupt.load(Ordering::Relaxed)) {
            self.steps = 0;
            return Err(UsedUp);
        }
        Ok(())
    }
}
