//! How large scripts may become.
//!
//! What is said of all processes is written once for each choice of them, and how many choices there are is
//! decided by the model and the invariant, which may come from anybody.

use std::cell::Cell;

/// `goes_on` is called once per this many calls of `take`.
const INTERVAL: u32 = 256;

/// Why there are no scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoScripts {
    /// They would be larger than allowed.
    TooLarge,
    /// Cancelled by the caller.
    Stopped,
}

/// What scripts may take, together.
pub struct Room<'r> {
    /// How many bytes are left.
    left: Cell<usize>,
    goes_on: &'r dyn Fn() -> bool,
    steps: Cell<u32>,
    ended: Cell<Option<NoScripts>>,
}

impl<'r> Room<'r> {
    /// So many bytes, as long as the caller wants to go on.
    pub fn new(bytes: usize, goes_on: &'r dyn Fn() -> bool) -> Room<'r> {
        Room { left: Cell::new(bytes), goes_on, steps: Cell::new(0), ended: Cell::new(None) }
    }

    /// Takes this many bytes. False if fewer are left, or the caller has cancelled. Loops then end early and
    /// goals may be missing. That would be unsound, so `complete` rejects the whole script.
    pub(super) fn take(&self, bytes: usize) -> bool {
        let steps = self.steps.get();
        self.steps.set((steps + 1) % INTERVAL);
        if self.ended.get().is_none() {
            match self.left.get().checked_sub(bytes) {
                Some(left) => self.left.set(left),
                None => self.ended.set(Some(NoScripts::TooLarge)),
            }
            if steps == 0 && !(self.goes_on)() {
                self.ended.set(Some(NoScripts::Stopped));
            }
        }
        self.ended.get().is_none()
    }

    /// What was written, if there was room for all of it.
    pub(super) fn complete<T>(&self, written: T) -> Result<T, NoScripts> {
        self.ended.get().map_or(Ok(written), Err)
    }
}
