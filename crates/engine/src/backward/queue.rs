//! The nodes that wait, and in which order.

use std::cmp::Reverse;
use std::sync::Arc;

use super::node::Node;
use super::search::Search;
use super::verification::{GraphState, SearchOrder};
use crate::cube::Cube;
use crate::cube::store::{NodeId, Store};

/// How many nodes are claimed at once, at least. Of nodes that are claimed together, none can cover another before it
/// is expanded: with more of them more are expanded in vain, with fewer the threads wait for each other more often.
const LEAST_BATCH: usize = 8;

/// How many nodes are claimed at once, at most.
const LARGEST_BATCH: usize = 64;

impl Search<'_, '_, '_> {
    /// Takes the next nodes from the queue.
    pub(super) fn claim(&mut self) -> Vec<NodeId> {
        self.recent = Store::default();
        // Few compared with those that are visited, so that little is missed: with a 16th of them, 1 to 3 % more nodes
        // are expanded on most models than with a 64th, but two threads are busy 94 % of the time instead of 90.
        let count = (self.visited.len() / 16).clamp(LEAST_BATCH, LARGEST_BATCH);
        let mut claimed = Vec::with_capacity(count);
        while claimed.len() < count
            && let Some(Reverse((_, node))) = self.queue.pop()
        {
            if self.is_open(self.node(node).origin) {
                claimed.push(node);
            }
        }
        claimed
    }

    /// Adds a new node to the queue, unless an equal one is known.
    pub(super) fn add(&mut self, node: Node, initial: bool) {
        if self.is_known(&node.cube, node.origin) {
            self.statistics.equal += 1;
            return;
        }
        let origin = node.origin;
        let id = self.push(node);
        self.known.insert(Arc::clone(&self.node(id).cube), id);
        if initial {
            self.try_run(id);
        }
        if self.is_open(origin) {
            self.enqueue(id);
        }
    }

    /// Whether there is a node of the same origin with an equal cube.
    pub(super) fn is_known(&self, cube: &Cube, origin: u32) -> bool {
        let same_origin = |&other: &NodeId| self.node(other).origin == origin;
        self.options.checks.equal && self.known.get(cube).is_some_and(same_origin)
    }

    pub(super) fn push(&mut self, node: Node) -> NodeId {
        let id = NodeId::new(self.nodes.len());
        self.heap_bytes += node.heap_bytes();
        self.nodes.push(node);
        if self.options.graph {
            self.fates.push(GraphState::Queued);
        }
        id
    }

    pub(super) fn enqueue(&mut self, id: NodeId) {
        self.queue.push(Reverse((self.key(id), id)));
        self.set_fate(id, GraphState::Queued);
    }

    /// Where a node stands in the queue.
    fn key(&self, id: NodeId) -> u64 {
        let node = self.node(id);
        let (depth, processes) = (u64::from(node.depth), u64::from(node.cube.named));
        // What comes from approximations goes first: the sooner a wrong one is found out, the less was done in vain.
        let last = u64::from(self.is_property(node.origin)) << 63;
        last | match self.options.order {
            SearchOrder::BreadthFirst => depth,
            SearchOrder::DepthFirst => u64::MAX >> 1 & !u64::from(id.0),
            SearchOrder::FewProcesses => processes << 32 | depth,
            SearchOrder::FewLiterals => {
                // Beyond these 16 bits, the order does not matter.
                let literals = u16::try_from(node.cube.literals(self.vocabulary)).unwrap_or(u16::MAX);
                processes << 48 | u64::from(literals) << 32 | depth
            }
        }
    }
}
