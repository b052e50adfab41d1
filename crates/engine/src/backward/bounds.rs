//! How much a search has done, and how much it may do.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::debt::Debt;
use super::node::Node;
use super::search::Search;
use super::verification::{Progress, Reason, Statistics};
use super::visited::Calls;
use crate::cube::Cube;
use crate::cube::store::NodeId;

/// As many states are explored in the time for one predecessor, or one question to the solver.
const STATES_PER_WORK: u64 = 20;

/// Cubes are compared as often in that time.
pub(super) const LOOKS_PER_WORK: u64 = 100;

/// The oracle looks at as many words of 64 states in that time.
const WORDS_PER_WORK: u64 = 5_000;

impl Search<'_, '_, '_> {
    /// How much was done so far: a measure of the time, but the same on all machines.
    pub(super) fn work(&self) -> u64 {
        let Statistics { computed, solver_calls, .. } = self.statistics;
        let explored: u64 = self.guide.iter().flat_map(|guide| guide.instances()).map(|one| one.states).sum();
        computed + solver_calls + self.effort + explored / STATES_PER_WORK
    }

    /// Adds what processing a node has taken.
    pub(super) fn count(&mut self, calls: Calls) {
        self.statistics.solver_calls += calls.covers + calls.theory;
        self.statistics.questions += calls.questions;
        self.effort += calls.looks / LOOKS_PER_WORK + calls.words / WORDS_PER_WORK;
    }

    pub(super) fn progress(&self) -> Progress {
        Progress { statistics: self.statistics, queue: self.queue.len() as u64, exploring: None }
    }

    /// Roughly how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.heap_bytes;
        let queue = self.queue.capacity() * size_of::<Reverse<(u64, NodeId)>>();
        // One byte for each entry says whether there is something.
        let known = self.known.capacity() * 8 / 7 * (size_of::<(Arc<Cube>, NodeId)>() + 1);
        let debts = self.debts.capacity() * size_of::<Debt>();
        let explored = self.guide.as_ref().map_or(0, |guide| guide.bytes());
        nodes + queue + known + debts + self.visited.bytes() + explored
    }

    /// Whether the search is to end at once.
    pub(super) fn is_interrupted(&self) -> bool {
        self.options.interrupt.load(Ordering::Relaxed) || self.abandoned.load(Ordering::Relaxed)
    }

    /// Why the search should end now.
    pub(super) fn limit(&self) -> Option<Reason> {
        let limits = &self.options.limits;
        if self.is_interrupted() {
            Some(Reason::Interrupted)
        } else if limits.bytes.is_some_and(|bytes| self.statistics.bytes >= bytes) {
            Some(Reason::Memory)
        } else if limits.nodes.is_some_and(|nodes| self.statistics.nodes >= nodes) && !self.queue.is_empty() {
            Some(Reason::Nodes)
        } else if self.last_work.is_some_and(|work| self.work() >= work) && !self.queue.is_empty() {
            Some(Reason::Violated)
        } else {
            None
        }
    }
}
