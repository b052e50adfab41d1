//! What ends a search from outside: signals, a timeout, and the memory that the process takes.
//!
//! All of them set one flag, which the work polls. Work that does not poll it in time
//! is [cut off](Stop::guard): so the limits hold whatever a model makes the program do.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

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
pub struct Handle(Arc<Shared>);

impl Handle {
    /// The search has to end, because of this if of nothing else.
    pub fn set(&self, cause: Cause) {
        self.0.end(cause);
    }

    /// Why the work has to end.
    pub fn reason(&self) -> Cause {
        self.0.reason()
    }
}

/// Watches for signals, for the end of the time, and for the memory that the process takes.
pub struct Stop {
    shared: Arc<Shared>,
    timeout: Option<Duration>,
    bytes: Option<usize>,
}

/// What the thread that watches shares with all others.
struct Shared {
    stop: Arc<AtomicBool>,
    /// None for the user.
    reason: OnceLock<Cause>,
    deadline: Option<Instant>,
    memory: Option<Memory>,
    /// Set by the first signal, if signals are watched.
    signalled: Arc<AtomicBool>,
    /// Set when one more signal is a second one: it ends the program, and does not wait for the report.
    is_second: Arc<AtomicBool>,
    /// Whether there is a thread that watches.
    is_watched: AtomicBool,
    /// How to cut off [what is at work](Stop::guard_alone).
    cut_off: Mutex<Option<CutOff>>,
}

type CutOff = Box<dyn FnOnce(Cause) + Send>;

impl Shared {
    fn end(&self, cause: Cause) {
        if !self.stop.load(Ordering::Relaxed) {
            let _ = self.reason.set(cause);
        }
        self.stop.store(true, Ordering::Release);
    }

    /// The limit that is reached, if one is.
    fn reached(&self) -> Option<Cause> {
        if self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return Some(Cause::Timeout);
        }
        self.memory.as_ref().is_some_and(Memory::is_exceeded).then_some(Cause::Memory)
    }

    fn reason(&self) -> Cause {
        self.reason.get().copied().unwrap_or(Cause::User)
    }

    fn cut_off(&self) -> MutexGuard<'_, Option<CutOff>> {
        self.cut_off.lock().expect("nobody panics who holds it")
    }
}

impl Stop {
    /// Watches time and memory; signals end the program, until they are watched too.
    pub fn limited(timeout: Option<Duration>, bytes: Option<usize>) -> Stop {
        let shared = Shared {
            stop: Arc::default(),
            reason: OnceLock::new(),
            deadline: timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
            memory: bytes.and_then(|bytes| Memory::new(bytes.saturating_add(ALLOWANCE))),
            signalled: Arc::default(),
            is_second: Arc::default(),
            is_watched: AtomicBool::new(false),
            cut_off: Mutex::new(None),
        };
        let stop = Stop { shared: Arc::new(shared), timeout, bytes };
        if stop.shared.deadline.is_some() || stop.shared.memory.is_some() {
            stop.watch();
        }
        stop
    }

    /// Ctrl-C and SIGTERM. If there is no handler, they just end the program: nothing is lost but the report.
    pub fn watch_signals(&self) {
        for signal in [SIGINT, SIGTERM] {
            let _ = flag::register_conditional_shutdown(signal, 130, Arc::clone(&self.shared.is_second));
            let _ = flag::register(signal, self.flag());
            let _ = flag::register(signal, Arc::clone(&self.shared.signalled));
        }
        self.watch();
    }

    /// Begins to watch, in a thread that ends with this, and its handles.
    fn watch(&self) {
        if !self.shared.is_watched.swap(true, Ordering::Relaxed) {
            let shared = Arc::downgrade(&self.shared);
            std::thread::spawn(move || watch(&shared));
        }
    }

    /// Set when the search has to end.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.shared.stop)
    }

    /// The same flag, with the reason.
    pub fn handle(&self) -> Handle {
        Handle(Arc::clone(&self.shared))
    }

    /// Whether it has to end.
    pub fn is_set(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// Why the work has to end.
    pub fn reason(&self) -> Cause {
        self.shared.reason()
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

    /// The same, without grace, for a `cut_off` that borrows nothing: that needs no thread of its own. Only one piece of
    /// work is guarded so at a time.
    pub fn guard_alone<R>(
        &self,
        cut_off: impl FnOnce(Cause) + Send + 'static,
        work: impl FnOnce() -> R,
    ) -> R {
        *self.shared.cut_off() = Some(Box::new(cut_off));
        let _at_work = AtWork(&self.shared);
        work()
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

/// As long as this lives, work may be cut off: until it has ended, also by a panic.
struct AtWork<'s>(&'s Shared);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        // While `cut_off` is at work, this waits.
        *self.0.cut_off() = None;
    }
}

/// Sets the flag when a limit is reached, and tells the first signal from the second.
fn watch(shared: &Weak<Shared>) {
    let mut first = None;
    while let Some(shared) = shared.upgrade() {
        // Only signals count: after a timeout, the first is still the first.
        if shared.signalled.load(Ordering::Relaxed)
            && first.get_or_insert_with(Instant::now).elapsed() > TOGETHER
        {
            shared.is_second.store(true, Ordering::Relaxed);
        }
        if !shared.stop.load(Ordering::Relaxed)
            && let Some(cause) = shared.reached()
        {
            shared.end(cause);
        }
        if shared.stop.load(Ordering::Relaxed) {
            let mut at_work = shared.cut_off();
            if let Some(cut_off) = at_work.take() {
                cut_off(shared.reason());
            }
        }
        drop(shared);
        std::thread::sleep(INTERVAL);
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
