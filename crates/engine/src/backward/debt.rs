//! What nodes are not needed for, and what brings them back.

use super::search::Search;
use super::verification::GraphState;
use crate::cube::store::NodeId;

/// A node that is not needed as long as other origins stand.
pub(super) struct Debt {
    node: NodeId,
    /// The other origins.
    origins: Box<[u32]>,
}

impl Search<'_, '_, '_> {
    /// Notes that a node is not needed as long as these origins stand.
    pub(super) fn owe(&mut self, node: NodeId, mut origins: Vec<u32>) {
        let own = self.node(node).origin;
        origins.retain(|&origin| origin != own);
        origins.sort_unstable();
        origins.dedup();
        if !origins.is_empty() {
            self.debts.push(Debt { node, origins: origins.into_boxed_slice() });
        }
    }

    /// There is a symbolic run to this origin. Its cubes do not count for others any more: what they covered comes back.
    /// If the run is real, they are not needed at all.
    pub(super) fn retract(&mut self, origin: u32) {
        if !self.is_open(origin) {
            for entry in self.visited.remove(|entry| entry.origin == origin) {
                self.set_fate(entry.node, GraphState::Dropped);
            }
        }
        for debt in std::mem::take(&mut self.debts) {
            if !debt.origins.contains(&origin) {
                self.debts.push(debt);
            } else if self.is_open(self.node(debt.node).origin) {
                self.enqueue(debt.node);
            }
        }
    }
}
