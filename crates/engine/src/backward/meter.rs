//! How much a search has done, and how much it may do.

use super::calls::Calls;
use super::coverage::Coverage;
use super::guess::Guess;
use super::node::Node;
use super::verification::{Limits, Reason, Statistics};

/// As many states are explored in the time for one predecessor, or one question to the solver.
const STATES_PER_WORK: u64 = 20;

/// The least work that is done, besides as much as was done before, to decide properties after a violation.
const WORK_AFTER_VIOLATION: u64 = 5_000;

/// Counts what a search does.
///
/// *Work* measures time in the same way on all machines and for any number of threads; it never decreases.
#[derive(Debug, Default)]
pub(super) struct Meter {
    statistics: Statistics,
    /// Work that the statistics do not count.
    effort: u64,
    /// After how much work to end, since a property is violated.
    last_work: Option<u64>,
}

impl Meter {
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// How much was done so far. `explored`: how many states were explored for it.
    pub fn work(&self, explored: u64) -> u64 {
        let Statistics { computed, solver_calls, .. } = self.statistics;
        computed + solver_calls + self.effort + explored / STATES_PER_WORK
    }

    pub fn asked(&mut self, calls: Calls) {
        self.statistics.solver_calls += calls.solver_calls();
        self.statistics.questions += calls.questions;
        self.effort += calls.effort();
    }

    pub fn covered(&mut self, coverage: &Coverage) {
        match coverage {
            Coverage::One(_) => self.statistics.contained += 1,
            Coverage::Several(_) => self.statistics.covered += 1,
            Coverage::None { .. } => panic!("a covered node is covered by something"),
        }
    }

    pub fn visited(&mut self, node: &Node) {
        self.statistics.depth = self.statistics.depth.max(node.depth as usize);
        self.statistics.processes = self.statistics.processes.max(node.cube.named.into());
    }

    pub fn gave_up(&mut self) {
        self.statistics.gave_up += 1;
    }

    pub fn expanded(&mut self) {
        self.statistics.nodes += 1;
    }

    pub fn deleted(&mut self) {
        self.statistics.deleted += 1;
    }

    pub fn approximated(&mut self, guess: Guess) {
        self.statistics.approximations += 1;
        self.statistics.absorptions += u64::from(guess == Guess::Universal);
    }

    pub fn refuted(&mut self, guess: Guess) {
        self.statistics.refuted += 1;
        self.statistics.absorptions_refuted += u64::from(guess == Guess::Universal);
    }

    /// The search begins again, and does without an approximation.
    pub fn restarted(&mut self) {
        self.statistics.restarts += 1;
    }

    /// This many predecessors were computed, of which this many are known already.
    pub fn computed(&mut self, all: u64, equal: u64) {
        self.statistics.computed += all;
        self.statistics.equal += equal;
    }

    pub fn measured(&mut self, bytes: usize) {
        self.statistics.bytes = bytes;
    }

    /// What is left in the end.
    pub fn ended(&mut self, kept: usize, queue: usize) {
        self.statistics.kept = kept as u64;
        self.statistics.queue = queue as u64;
    }

    /// From now on, the search should not go on for much longer than it did until now.
    pub fn end_soon(&mut self, explored: u64) {
        let work = self.work(explored);
        self.last_work.get_or_insert(2 * work + WORK_AFTER_VIOLATION);
    }

    /// The limit that is reached, while something waits or not.
    pub fn reached(&self, limits: &Limits, explored: u64, is_waiting: bool) -> Option<Reason> {
        if limits.bytes.is_some_and(|bytes| self.statistics.bytes >= bytes) {
            Some(Reason::Memory)
        } else if limits.nodes.is_some_and(|nodes| self.statistics.nodes >= nodes) && is_waiting {
            Some(Reason::Nodes)
        } else if self.last_work.is_some_and(|work| self.work(explored) >= work) && is_waiting {
            Some(Reason::Violated)
        } else {
            None
        }
    }
}
