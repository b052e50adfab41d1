//! What ends an exploration from outside: Ctrl-C and a timeout.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Who asked for the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The user, by Ctrl-C.
    User,
    /// The time is up.
    Timeout,
}

/// Watches for Ctrl-C and for the end of the time.
pub(super) struct Stop {
    stop: Arc<AtomicBool>,
    timeout: Arc<AtomicBool>,
}

impl Stop {
    /// Starts watching.
    pub(super) fn new(seconds: Option<f64>) -> Result<Stop, String> {
        let stop = Stop { stop: Arc::default(), timeout: Arc::default() };
        let flag = stop.stop.clone();
        // A second Ctrl-C does not wait for the report. If there is no handler, Ctrl-C just ends the program: nothing is lost but the report.
        let _ = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        if let Some(seconds) = seconds {
            let duration = Duration::try_from_secs_f64(seconds)
                .map_err(|_| format!("{seconds} is no number of seconds to stop after"))?;
            let (flag, timeout) = (stop.stop.clone(), stop.timeout.clone());
            std::thread::spawn(move || {
                std::thread::sleep(duration);
                if !flag.load(Ordering::Relaxed) {
                    timeout.store(true, Ordering::Relaxed);
                    flag.store(true, Ordering::Relaxed);
                }
            });
        }
        Ok(stop)
    }

    /// Set when the exploration has to end.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Who asked for the end, if somebody did.
    pub(super) fn reason(&self) -> Reason {
        if self.timeout.load(Ordering::Relaxed) { Reason::Timeout } else { Reason::User }
    }
}
