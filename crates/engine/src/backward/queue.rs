//! The nodes that wait, and in which order: generic cubes first, as the Cubicle paper has it (CAV 2012,
//! section 3). Nodes are taken in batches that several threads share, where the paper (section 4) has a
//! barrier at each level. What leads to approximations goes first (BRAB paper, FMCAD 2013, section IV).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::node::Node;
use super::verification::SearchOrder;
use crate::cube::store::NodeId;
use crate::cube::vocabulary::Vocabulary;

/// How many nodes are claimed at once, at least. Of nodes that are claimed together, none can cover another
/// before it is expanded: with more of them more are expanded in vain, with fewer the threads wait more
/// often.
const LEAST_BATCH: usize = 8;

const LARGEST_BATCH: usize = 64;

/// How many nodes are claimed at once. Few compared with those that are visited, so that little is missed:
/// with a 16th of them, 1 to 3 % more nodes are expanded on most models than with a 64th, but two threads are
/// busy 94 % of the time instead of 90.
pub(super) fn batch(visited: usize) -> usize {
    (visited / 16).clamp(LEAST_BATCH, LARGEST_BATCH)
}

/// Which nodes go first, whatever the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Priority {
    /// What leads to approximations: the sooner a wrong one is found out, the less was done in vain.
    First,
    Last,
}

/// After so many nodes, every so many-th turn is that of the property that had the fewest: one whose search does not
/// end must not keep the others from being decided.
const PATIENCE: u64 = 500;
const TURN: u64 = 4;

/// Nodes with their keys, the smallest on top.
type Heap = BinaryHeap<Reverse<(u64, NodeId)>>;

/// How many properties are told apart, at most.
const GROUPS: usize = 16;

/// The nodes that wait: smallest key first, then oldest first; but see [`TURN`]. Whoever takes one looks whether it still
/// matters.
#[derive(Debug)]
pub(super) struct Queue {
    order: SearchOrder,
    /// For each property, or group of them, those that were found because of it, and how many of these were taken.
    waiting: Vec<(Heap, u64)>,
    taken: u64,
}

impl Queue {
    pub fn new(order: SearchOrder, properties: usize) -> Queue {
        let groups = properties.clamp(1, GROUPS);
        Queue { order, waiting: (0..groups).map(|_| Default::default()).collect(), taken: 0 }
    }

    pub fn push(
        &mut self,
        vocabulary: &Vocabulary<'_>,
        id: NodeId,
        node: &Node,
        priority: Priority,
        property: usize,
    ) {
        let (depth, processes) = (u64::from(node.depth), u64::from(node.cube.named));
        let key = match self.order {
            SearchOrder::BreadthFirst => depth,
            SearchOrder::DepthFirst => u64::MAX >> 1 & !u64::from(id.0),
            SearchOrder::FewProcesses => processes << 32 | depth,
            SearchOrder::FewLiterals => {
                // Beyond these 16 bits, the order does not matter.
                let literals = u16::try_from(node.cube.literals(vocabulary)).unwrap_or(u16::MAX);
                processes << 48 | u64::from(literals) << 32 | depth
            }
        };
        let last = u64::from(priority == Priority::Last) << 63;
        let group = property % self.waiting.len();
        self.waiting[group].0.push(Reverse((last | key, id)));
    }

    pub fn pop(&mut self) -> Option<NodeId> {
        let is_turn = self.taken >= PATIENCE && self.taken.is_multiple_of(TURN);
        let waiting = self.waiting.iter_mut().filter(|(heap, _)| !heap.is_empty());
        let (heap, taken) = match is_turn {
            true => waiting.min_by_key(|(_, taken)| *taken)?,
            false => waiting.min_by_key(|(heap, _)| heap.peek().map(|Reverse(first)| *first))?,
        };
        *taken += 1;
        self.taken += 1;
        heap.pop().map(|Reverse((_, id))| id)
    }

    pub fn iter(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.waiting.iter().flat_map(|(heap, _)| heap.iter().map(|Reverse((_, id))| *id))
    }

    pub fn clear(&mut self) {
        self.waiting.iter_mut().for_each(|(heap, _)| heap.clear());
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.iter().all(|(heap, _)| heap.is_empty())
    }

    pub fn len(&self) -> usize {
        self.waiting.iter().map(|(heap, _)| heap.len()).sum()
    }

    pub fn bytes(&self) -> usize {
        let capacity: usize = self.waiting.iter().map(|(heap, _)| heap.capacity()).sum();
        capacity * size_of::<Reverse<(u64, NodeId)>>()
    }
}
