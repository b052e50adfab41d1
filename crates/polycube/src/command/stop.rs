//! What ends a search from outside: signals and a timeout.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Who asked for the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The user, by Ctrl-C or another signal.
    User,
    /// The time is up.
    Timeout,
}

/// Watches for signals and for the end of the time.
pub(super) struct Stop {
    stop: Arc<AtomicBool>,
    timeout: Arc<AtomicBool>,
}

impl Stop {
    /// Starts watching.
    pub(super) fn new(timeout: Option<Duration>) -> Stop {
        let stop = Stop { stop: Arc::default(), timeout: Arc::default() };
        stop.watch_signals();
        if let Some(duration) = timeout {
            let (flag, timeout) = (stop.stop.clone(), stop.timeout.clone());
            std::thread::spawn(move || {
                std::thread::sleep(duration);
                if !flag.load(Ordering::Relaxed) {
                    timeout.store(true, Ordering::Relaxed);
                    flag.store(true, Ordering::Relaxed);
                }
            });
        }
        stop
    }

    /// Ctrl-C and SIGTERM. If there is no handler, they just end the program: nothing is lost but the report.
    fn watch_signals(&self) {
        // The second does not wait for the report. It is signals that count: after a timeout, the first is
        // still the first.
        let signalled: Arc<AtomicBool> = Arc::default();
        for signal in [SIGINT, SIGTERM] {
            let _ = flag::register_conditional_shutdown(signal, 130, signalled.clone());
            let _ = flag::register(signal, signalled.clone());
            let _ = flag::register(signal, self.stop.clone());
        }
    }

    /// Set when the search has to end.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Whether it has to end.
    pub(super) fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Who asked for the end, if somebody did.
    pub(super) fn reason(&self) -> Reason {
        if self.timeout.load(Ordering::Relaxed) { Reason::Timeout } else { Reason::User }
    }
}
