//! The line that shows how far an exploration has come, on a terminal.

use std::time::{Duration, Instant};

use polycube_engine::forward::{Observer, Progress};

use crate::console::Console;
use crate::report::number::{bytes, grouped, rate};

/// How often the line changes.
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
}

impl Observer for ProgressLine<'_> {
    fn progress(&mut self, progress: &Progress) {
        if self.shown.elapsed() < INTERVAL {
            return;
        }
        self.shown = Instant::now();
        self.visible = true;
        self.console.progress(&format!(
            "{} states, {} waiting, depth {}, {}, {}",
            grouped(progress.states),
            grouped(progress.queue),
            progress.depth,
            rate(progress.states, self.start.elapsed().as_secs_f64()),
            bytes(progress.bytes as u64),
        ));
    }
}

impl Drop for ProgressLine<'_> {
    fn drop(&mut self) {
        if self.visible {
            self.console.progress("");
        }
    }
}
