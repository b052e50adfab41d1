//! What ends a search from outside: signals, a timeout, and the memory that the process takes.
//!
//! All of them set one flag, which the work polls. Work that does not poll it in time
//! is [cut off](Stop::guard): so the limits hold whatever a model makes the program do.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;

use super::cut_off;

/// How often time and memory are looked at.
const INTERVAL: Duration = Duration::from_millis(5);

/// How many bytes the process may take above the limit. Engines count what they keep, and end by themselves;
/// the program, its stacks and what it needs for a moment come on top.
const ALLOWANCE: usize = 64 << 20;

/// How long a search may take to end and to say what it has found.
pub const GRACE: Duration = Duration::from_millis(600);

/// Signals within such a time are one: `timeout` of the GNU project sends one to the program, and the same to its group.
const TOGETHER: Duration = Duration::from_millis(200);

/// The same as [`GRACE`], where memory is short.
const MEMORY_GRACE: Duration = Duration::from_millis(300);

/// Who asked for the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The user, by Ctrl-C or another signal.
    User,
    /// The time is up.
    Timeout,
    /// The process takes too much memory.
    Memory,
    /// Another process that shares the work is lost.
    Peer,
}

/// Ends a search, from any thread.
#[derive(Clone)]
pub struct Handle {
    stop: Arc<AtomicBool>,
    reason: Arc<OnceLock<Cause>>,
}

impl Handle {
    /// The search has to end, because of this if of nothing else.
    pub fn set(&self, cause: Cause) {
        if !self.stop.load(Ordering::Relaxed) {
            let _ = self.reason.set(cause);
        }
        self.stop.store(true, Ordering::Release);
    }

    /// Why the work has to end.
    pub fn reason(&self) -> Cause {
        self.reason.get().copied().unwrap_or(Cause::User)
    }
}

/// Watches for signals, for the end of the time, and for the memory that the process takes.
pub struct Stop {
    stop: Arc<AtomicBool>,
    /// None for the user.
    reason: Arc<OnceLock<Cause>>,
    timeout: Option<Duration>,
    bytes: Option<usize>,
}

impl Stop {
    /// Watches time and memory; signals end the program, until they are watched too.
    pub fn limited(timeout: Option<Duration>, bytes: Option<usize>) -> Stop {
        let stop = Stop { stop: Arc::default(), reason: Arc::default(), timeout, bytes };
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let memory = bytes.and_then(|bytes| Memory::new(bytes.saturating_add(ALLOWANCE)));
        if deadline.is_some() || memory.is_some() {
            let (flag, reason) = (stop.stop.clone(), stop.reason.clone());
            std::thread::spawn(move || watch(deadline, memory.as_ref(), &flag, &reason));
        }
        stop
    }

    /// Ctrl-C and SIGTERM. If there is no handler, they just end the program: nothing is lost but the report.
    pub fn watch_signals(&self) {
        for signal in [SIGINT, SIGTERM] {
            let _ = flag::register(signal, self.stop.clone());
        }
        // A second signal does not wait for the report. Only signals count: after a timeout, the first is
        // still the first.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        std::thread::spawn(move || {
            let mut first = None;
            for _ in signals.forever() {
                if first.get_or_insert_with(Instant::now).elapsed() > TOGETHER {
                    std::process::exit(130);
                }
            }
        });
    }

    /// Set when the search has to end.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// The same flag, with the reason.
    pub fn handle(&self) -> Handle {
        Handle { stop: self.stop.clone(), reason: self.reason.clone() }
    }

    /// Whether it has to end.
    pub fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Why the work has to end.
    pub fn reason(&self) -> Cause {
        self.handle().reason()
    }

    /// The same, for people.
    pub(super) fn describe(&self) -> String {
        cut_off::describe(self.reason(), self.timeout, self.bytes)
    }

    /// Does some work that should end when the flag is set. If it goes on for longer than the grace,
    /// `cut_off` is called, by another thread: it should end the program, and has to say why.
    ///
    /// Never both: while `cut_off` is at work, this does not return; and when this has returned, `cut_off` is
    /// not called.
    pub fn guard<R>(
        &self,
        grace: Duration,
        cut_off: impl FnOnce(Cause) + Send,
        work: impl FnOnce() -> R,
    ) -> R {
        let (working, ended) = channel();
        std::thread::scope(|scope| {
            scope.spawn(move || self.wait(&ended, grace, cut_off));
            // Hangs up at the end of the work, also by a panic.
            let _working: Sender<Infallible> = working;
            work()
        })
    }

    /// Waits for the end of some work, or cuts it off.
    fn wait(&self, ended: &Receiver<Infallible>, grace: Duration, cut_off: impl FnOnce(Cause)) {
        let mut since = None;
        while ended.recv_timeout(grace.clamp(INTERVAL, 4 * INTERVAL)) == Err(RecvTimeoutError::Timeout) {
            if !self.is_set() {
                continue;
            }
            let grace = if self.reason() == Cause::Memory { grace.min(MEMORY_GRACE) } else { grace };
            if since.get_or_insert_with(Instant::now).elapsed() >= grace {
                // Work that ends in this moment waits in its scope.
                cut_off(self.reason());
                return;
            }
        }
    }
}

/// Sets the flag when a limit is reached.
fn watch(deadline: Option<Instant>, memory: Option<&Memory>, flag: &AtomicBool, reason: &OnceLock<Cause>) {
    while !flag.load(Ordering::Relaxed) {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let reached = if left == Some(Duration::ZERO) {
            Some(Cause::Timeout)
        } else {
            memory.filter(|memory| memory.is_exceeded()).map(|_| Cause::Memory)
        };
        if let Some(reached) = reached {
            let _ = reason.set(reached);
            flag.store(true, Ordering::Release);
            return;
        }
        // Without a limit on memory there is nothing to look at before the time is up.
        let pause = if memory.is_some() { INTERVAL } else { left.unwrap_or(INTERVAL) };
        std::thread::sleep(left.map_or(pause, |left| left.min(pause)));
    }
}

/// The memory of this process, where the system says how much that is.
struct Memory {
    /// In pages.
    most: usize,
    #[cfg(unix)]
    file: std::fs::File,
}

impl Memory {
    #[cfg(unix)]
    fn new(most: usize) -> Option<Memory> {
        Some(Memory { most: most / page_size()?, file: std::fs::File::open("/proc/self/statm").ok()? })
    }

    #[cfg(not(unix))]
    fn new(_: usize) -> Option<Memory> {
        None
    }

    #[cfg(unix)]
    fn is_exceeded(&self) -> bool {
        use std::os::unix::fs::FileExt as _;
        let mut text = [0; 128];
        let length = self.file.read_at(&mut text, 0).unwrap_or(0);
        // The second number counts the pages that are in memory.
        let resident = std::str::from_utf8(&text[..length]).ok().and_then(|text| text.split(' ').nth(1));
        let pages: Option<usize> = resident.and_then(|pages| pages.parse().ok());
        pages.is_some_and(|pages| pages > self.most)
    }

    #[cfg(not(unix))]
    fn is_exceeded(&self) -> bool {
        self.most == 0
    }
}

/// How many bytes a page of memory has, as the system tells every process: pairs of numbers, the first of
/// which says what the second is.
#[cfg(unix)]
fn page_size() -> Option<usize> {
    const PAGE_SIZE: usize = 6;
    let told = std::fs::read("/proc/self/auxv").ok()?;
    let mut numbers =
        told.chunks_exact(size_of::<usize>()).map(|bytes| bytes.try_into().map(usize::from_ne_bytes));
    while let (Some(Ok(what)), Some(Ok(value))) = (numbers.next(), numbers.next()) {
        if what == PAGE_SIZE {
            return Some(value).filter(|&size| size > 0);
        }
    }
    None
}
