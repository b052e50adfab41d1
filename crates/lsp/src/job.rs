//! A search that was asked for, in a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use lsp_server::RequestId;
use lsp_types::ProgressToken;

use crate::host::{Findings, Host, Work};

/// How often the client is told how far a search has come.
const INTERVAL: Duration = Duration::from_millis(250);

/// A search that has not been answered.
pub(crate) struct Job {
    pub(crate) number: u32,
    pub(crate) request: RequestId,
    /// The document.
    pub(crate) uri: String,
    pub(crate) progress: Option<ProgressToken>,
    stop: Arc<AtomicBool>,
}

/// What a search says, with its number.
pub(crate) enum Event {
    Progress(u32, String),
    Finished(u32, Result<Findings, String>),
}

impl Job {
    pub(crate) fn start(
        host: Arc<dyn Host>,
        work: Work,
        job: (u32, RequestId, String, Option<ProgressToken>),
        events: Sender<Event>,
    ) -> Job {
        let (number, request, uri, progress) = job;
        let stop: Arc<AtomicBool> = Arc::default();
        let flag = stop.clone();
        std::thread::spawn(move || {
            let mut said = Instant::now();
            // Nobody listens any more when the server has ended.
            let findings = host.run(work, &flag, &mut |text| {
                if said.elapsed() >= INTERVAL {
                    said = Instant::now();
                    let _ = events.send(Event::Progress(number, text));
                }
            });
            let _ = events.send(Event::Finished(number, findings));
        });
        Job { number, request, uri, progress, stop }
    }
}

/// A job that nobody waits for ends.
impl Drop for Job {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
