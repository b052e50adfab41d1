//! Several threads that process nodes while nobody changes the search.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, RwLock, RwLockWriteGuard};

use super::search::{Processed, Search};
use super::visited::Calls;
use crate::cube::store::NodeId;

/// What the threads share.
pub struct Shared<T> {
    state: RwLock<T>,
    workers: Option<Workers>,
}

/// The other threads wait at the barrier for work; they meet again when it is done.
struct Workers {
    barrier: Barrier,
    work: Mutex<Vec<NodeId>>,
    next: AtomicUsize,
    results: Mutex<Vec<Option<Outcome>>>,
    end: AtomicBool,
}

/// What processing gave, or the panic that it ended in.
type Outcome = std::thread::Result<(Processed, Calls)>;

impl Workers {
    /// Lets the other threads go, which all wait for work.
    fn dismiss(&self) {
        self.end.store(true, Ordering::Relaxed);
        self.barrier.wait();
    }
}

impl<'o, 'v, 's> Shared<Search<'o, 'v, 's>> {
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
        workers.barrier.wait();
        self.work(workers);
        workers.barrier.wait();
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
        loop {
            workers.barrier.wait();
            if workers.end.load(Ordering::Relaxed) {
                return;
            }
            self.work(workers);
            workers.barrier.wait();
        }
    }
}

/// Calls `run` with so many threads, this one included, at its service.
pub fn with_workers<'o, 'v, 's, R>(
    search: Search<'o, 'v, 's>,
    threads: usize,
    run: impl FnOnce(&Shared<Search<'o, 'v, 's>>) -> R,
) -> (Search<'o, 'v, 's>, R) {
    let workers = (threads > 1).then(|| Workers {
        barrier: Barrier::new(threads),
        work: Mutex::new(Vec::new()),
        next: AtomicUsize::new(0),
        results: Mutex::new(Vec::new()),
        end: AtomicBool::new(false),
    });
    let shared = Shared { state: RwLock::new(search), workers };
    let result = std::thread::scope(|scope| {
        if let Some(workers) = &shared.workers {
            for _ in 1..threads {
                scope.spawn(|| shared.serve(workers));
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
