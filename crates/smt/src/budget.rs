//! Budgets: how much work may be done before a question is given up.

/// A number of steps that is used up. A step is a small piece of work: a pivot, a branch, a round of
/// propagation. Counting steps instead of time makes every answer repeatable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    steps: u64,
}

/// There are no steps left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsedUp;

impl Budget {
    /// This many steps.
    pub fn new(steps: u64) -> Budget {
        Budget { steps }
    }

    /// How many steps are left.
    pub fn left(&self) -> u64 {
        self.steps
    }

    /// Takes one step.
    ///
    /// # Errors
    ///
    /// If none is left.
    #[inline]
    pub fn step(&mut self) -> Result<(), UsedUp> {
        self.steps = self.steps.checked_sub(1).ok_or(UsedUp)?;
        Ok(())
    }
}
