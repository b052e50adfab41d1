//! Several threads that process nodes while nobody changes the search.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, RwLock, RwLockWriteGuard};

use super::search::{Processed, Search};
use super::visited::Calls;
use crate::cube::store::NodeId;

/// What the threads share.
pub struct Shared<T> {
    state: RwLock<T>,
    workers: Option<Workers>,
}

/// The other threads: they wait for work, round by round.
struct Workers {
    /// How many have come: from then on they take part in every round. Changed while `start` is locked.
    present: AtomicUsize,
    /// Opened when there is work.
    start: Gate,
    /// How many of the others have not finished the round.
    working: AtomicUsize,
    /// Opened when all have.
    done: Gate,
    work: Mutex<Vec<NodeId>>,
    next: AtomicUsize,
    results: Mutex<Vec<Option<Outcome>>>,
    end: AtomicBool,
}

/// Opens once in each round. Whoever waits is mostly let through within some microseconds, but would need tens of
/// them to wake up: so one looks for a while before one sleeps.
#[derive(Default)]
struct Gate {
    round: AtomicUsize,
    sleepers: Mutex<()>,
    opened: Condvar,
}

impl Gate {
    /// How often one looks before one sleeps.
    const LOOKS: usize = 200;

    /// Lets everybody through who waits for the end of this round, after something is `prepared`.
    fn open(&self, prepare: impl FnOnce()) {
        let sleepers = self.sleepers.lock().expect("no thread panicked");
        prepare();
        self.round.fetch_add(1, Ordering::Release);
        drop(sleepers);
        self.opened.notify_all();
    }

    /// Waits until the gate has been opened more than so many times.
    fn wait(&self, round: usize) {
        for _ in 0..Gate::LOOKS {
            if self.round.load(Ordering::Acquire) != round {
                return;
            }
            // With more threads than cores, somebody else may have something to do.
            std::thread::yield_now();
        }
        let sleepers = self.sleepers.lock().expect("no thread panicked");
        let closed = |_: &mut ()| self.round.load(Ordering::Acquire) == round;
        drop(self.opened.wait_while(sleepers, closed).expect("no thread panicked"));
    }
}

/// What processing gave, or the panic that it ended in.
type Outcome = std::thread::Result<(Processed, Calls)>;

impl Workers {
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

impl<'o, 'v, 's> Shared<Search<'o, 'v, 's>> {
    /// How many threads have nothing else to do.
    pub fn threads(&self) -> usize {
        1 + self.workers.as_ref().map_or(0, |workers| workers.present.load(Ordering::Relaxed))
    }

    /// For whoever changes the search.
    pub fn write(&self) -> RwLockWriteGuard<'_, Search<'o, 'v, 's>> {
        self.state.write().expect("no thread panicked")
    }

    /// The results for all nodes, in order.
    pub fn map(
        &self,
        nodes: &[NodeId],
        process: impl Fn(&Search<'o, 'v, 's>, NodeId) -> (Processed, Calls),
    ) -> Vec<(Processed, Calls)> {
        let Some(workers) = self.workers.as_ref().filter(|_| nodes.len() > 1) else {
            let search = self.state.read().expect("no thread panicked");
            return nodes.iter().map(|&node| process(&search, node)).collect();
        };
        *workers.work.lock().expect("no thread panicked") = nodes.to_vec();
        workers.next.store(0, Ordering::Relaxed);
        *workers.results.lock().expect("no thread panicked") = nodes.iter().map(|_| None).collect();
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
        let outcomes = results.into_iter().map(|result| result.expect("every node was processed"));
        outcomes.map(|outcome| outcome.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    }

    /// Processes nodes until none is left.
    fn work(&self, workers: &Workers) {
        let search = self.state.read().expect("no thread panicked");
        let nodes = workers.work.lock().expect("no thread panicked").clone();
        loop {
            let at = workers.next.fetch_add(1, Ordering::Relaxed);
            let Some(&node) = nodes.get(at) else { return };
            // A panic is passed on by the first thread, when all have come back.
            let result = catch_unwind(AssertUnwindSafe(|| search.process(node)));
            workers.results.lock().expect("no thread panicked")[at] = Some(result);
        }
    }

    fn serve(&self, workers: &Workers) {
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

/// Calls `run` with so many threads, this one included, at its service. One of them does something else first.
pub fn with_workers<'o, 'v, 's, R>(
    search: Search<'o, 'v, 's>,
    threads: usize,
    errand: Option<&(dyn Fn() + Sync)>,
    run: impl FnOnce(&Shared<Search<'o, 'v, 's>>) -> R,
) -> (Search<'o, 'v, 's>, R) {
    let workers = (threads > 1).then(|| Workers {
        present: AtomicUsize::new(0),
        start: Gate::default(),
        working: AtomicUsize::new(0),
        done: Gate::default(),
        work: Mutex::new(Vec::new()),
        next: AtomicUsize::new(0),
        results: Mutex::new(Vec::new()),
        end: AtomicBool::new(false),
    });
    let shared = Shared { state: RwLock::new(search), workers };
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
