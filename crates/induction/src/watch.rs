//! Whether anybody still waits for an answer.

use std::cell::Cell;

/// How many steps of work lie between two questions to the clock.
const INTERVAL: u32 = 256;

/// Asked at every step of a loop whose length the model decides, and cheap enough for that.
pub(crate) struct Watch<'w> {
    goes_on: &'w (dyn Fn() -> bool + Sync),
    steps: Cell<u32>,
    ended: Cell<bool>,
}

impl<'w> Watch<'w> {
    pub(crate) fn new(goes_on: &'w (dyn Fn() -> bool + Sync)) -> Watch<'w> {
        Watch { goes_on, steps: Cell::new(0), ended: Cell::new(false) }
    }

    /// Whether it is time to end. Once it is, it remains so.
    pub(crate) fn has_ended(&self) -> bool {
        let steps = self.steps.get();
        self.steps.set((steps + 1) % INTERVAL);
        if steps == 0 && !self.ended.get() {
            self.ended.set(!(self.goes_on)());
        }
        self.ended.get()
    }
}
