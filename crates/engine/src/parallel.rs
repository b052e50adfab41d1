//! Several threads that process items of one state, while it does not change.
//!
//! The state belongs to one thread, which changes it between rounds. In a round, all threads take items and
//! process them, reading the state; the results come in the order of the items, whatever the number of
//! threads.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, RwLock, RwLockWriteGuard};

/// What the threads share: a state, and how an item of it is processed.
pub(crate) struct Shared<'p, S, I, R> {
    state: RwLock<S>,
    process: &'p (dyn Fn(&S, I) -> R + Sync),
    workers: Option<Workers<I, R>>,
}

/// The other threads: they wait for work, round by round.
struct Workers<I, R> {
    /// How many have come: from then on they take part in every round. Changed while `start` is locked.
    present: AtomicUsize,
    /// Opened when there is work.
    start: Gate,
    /// How many of the others have not finished the round.
    working: AtomicUsize,
    /// Opened when all have.
    done: Gate,
    items: Mutex<Vec<I>>,
    next: AtomicUsize,
    /// What processing gave, or the panic that it ended in.
    results: Mutex<Vec<Option<std::thread::Result<R>>>>,
    end: AtomicBool,
}

/// Opens once in each round. Whoever waits is mostly let through within some microseconds, but would need
/// tens of them to wake up: so one looks for a while before one sleeps.
#[derive(Default)]
struct Gate {
    round: AtomicUsize,
    sleepers: Mutex<()>,
    opened: Condvar,
}

impl Gate {
    const LOOKS: usize = 200;

    /// Lets everybody through who waits for the end of this round, after something is prepared.
    fn open(&self, prepare: impl FnOnce()) {
        let sleepers = self.sleepers.lock().expect("no thread panicked");
        prepare();
        self.round.fetch_add(1, Ordering::Release);
        drop(sleepers);
        self.opened.notify_all();
    }

    /// Waits until the gate has been opened more than this many times.
    fn wait(&self, round: usize) {
        for _ in 0..Gate::LOOKS {
            if self.round.load(Ordering::Acquire) != round {
                return;
            }
            // With more threads than cores, another one may have something to do.
            std::thread::yield_now();
        }
        let sleepers = self.sleepers.lock().expect("no thread panicked");
        let closed = |_: &mut ()| self.round.load(Ordering::Acquire) == round;
        drop(self.opened.wait_while(sleepers, closed).expect("no thread panicked"));
    }
}

impl<I, R> Workers<I, R> {
    fn new() -> Workers<I, R> {
        Workers {
            present: AtomicUsize::new(0),
            start: Gate::default(),
            working: AtomicUsize::new(0),
            done: Gate::default(),
            items: Mutex::new(Vec::new()),
            next: AtomicUsize::new(0),
            results: Mutex::new(Vec::new()),
            end: AtomicBool::new(false),
        }
    }

    /// A thread comes. The round in which it will take part, unless there is none any more.
    fn join(&self) -> Option<usize> {
        let _locked = self.start.sleepers.lock().expect("no thread panicked");
        self.present.fetch_add(1, Ordering::Relaxed);
        (!self.end.load(Ordering::Relaxed)).then(|| self.start.round.load(Ordering::Relaxed))
    }

    /// Lets the other threads go, which wait for work or have not come yet.
    fn dismiss(&self) {
        self.start.open(|| self.end.store(true, Ordering::Relaxed));
    }
}

impl<S, I: Copy, R> Shared<'_, S, I, R> {
    pub(crate) fn threads(&self) -> usize {
        1 + self.workers.as_ref().map_or(0, |workers| workers.present.load(Ordering::Relaxed))
    }

    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, S> {
        self.state.write().expect("no thread panicked")
    }

    /// Processes all items: the results, in their order.
    pub(crate) fn map(&self, items: &[I]) -> Vec<R> {
        let Some(workers) = self.workers.as_ref().filter(|_| items.len() > 1) else {
            let state = self.state.read().expect("no thread panicked");
            return items.iter().map(|&item| (self.process)(&state, item)).collect();
        };
        *workers.items.lock().expect("no thread panicked") = items.to_vec();
        workers.next.store(0, Ordering::Relaxed);
        *workers.results.lock().expect("no thread panicked") = items.iter().map(|_| None).collect();
        let round = workers.done.round.load(Ordering::Relaxed);
        let mut others = 0;
        workers.start.open(|| {
            others = workers.present.load(Ordering::Relaxed);
            workers.working.store(others, Ordering::Relaxed);
        });
        self.work(workers);
        if others > 0 {
            workers.done.wait(round);
        }
        let results = std::mem::take(&mut *workers.results.lock().expect("no thread panicked"));
        let results = results.into_iter().map(|result| result.expect("every item was processed"));
        results.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    }

    fn work(&self, workers: &Workers<I, R>) {
        let state = self.state.read().expect("no thread panicked");
        let items = workers.items.lock().expect("no thread panicked").clone();
        loop {
            let at = workers.next.fetch_add(1, Ordering::Relaxed);
            let Some(&item) = items.get(at) else { return };
            // A panic is passed on by the first thread, when all have come back.
            let result = catch_unwind(AssertUnwindSafe(|| (self.process)(&state, item)));
            workers.results.lock().expect("no thread panicked")[at] = Some(result);
        }
    }

    fn serve(&self, workers: &Workers<I, R>) {
        let Some(first) = workers.join() else { return };
        for round in first.. {
            workers.start.wait(round);
            if workers.end.load(Ordering::Relaxed) {
                return;
            }
            self.work(workers);
            if workers.working.fetch_sub(1, Ordering::AcqRel) == 1 {
                workers.done.open(|| ());
            }
        }
    }
}

/// Calls `run` with n threads, this one included, at its service. One of them runs an errand first. The state
/// as it is in the end, and what `run` gave.
pub(crate) fn with_workers<'p, S: Send + Sync, I: Copy + Send, R: Send, T>(
    state: S,
    threads: usize,
    errand: Option<&(dyn Fn() + Sync)>,
    process: &'p (dyn Fn(&S, I) -> R + Sync),
    run: impl FnOnce(&Shared<'p, S, I, R>) -> T,
) -> (S, T) {
    let shared = Shared { state: RwLock::new(state), process, workers: (threads > 1).then(Workers::new) };
    let result = std::thread::scope(|scope| {
        if let Some(workers) = &shared.workers {
            for number in 1..threads {
                let errand = errand.filter(|_| number == 1);
                let shared = &shared;
                scope.spawn(move || {
                    errand.inspect(|errand| errand());
                    shared.serve(workers);
                });
            }
        }
        let result = catch_unwind(AssertUnwindSafe(|| run(&shared)));
        if let Some(workers) = &shared.workers {
            workers.dismiss();
        }
        result.unwrap_or_else(|panic| resume_unwind(panic))
    });
    (shared.state.into_inner().expect("no thread panicked"), result)
}
