//! The line that shows how far a search has come, on a terminal.
//!
//! What it says is up to each command, which implements the observer of its engine for it.

use std::time::{Duration, Instant};

use crate::console::Console;

const INTERVAL: Duration = Duration::from_millis(200);

/// Shows progress, and takes the line away at the end.
pub(super) struct ProgressLine<'c> {
    console: &'c mut Console,
    start: Instant,
    shown: Instant,
    visible: bool,
}

impl<'c> ProgressLine<'c> {
    pub(super) fn new(console: &'c mut Console) -> Self {
        let now = Instant::now();
        ProgressLine { console, start: now, shown: now, visible: false }
    }

    /// Shows a text, if it is time for a new one: it is made from the seconds since the start.
    pub(super) fn show(&mut self, text: impl FnOnce(f64) -> String) {
        if self.shown.elapsed() >= INTERVAL {
            self.shown = Instant::now();
            self.visible = true;
            self.console.progress(&text(self.start.elapsed().as_secs_f64()));
        }
    }
}

impl Drop for ProgressLine<'_> {
    fn drop(&mut self) {
        if self.visible {
            self.console.progress("");
        }
    }
}
