//! The visited cubes: the set V of the Cubicle paper (CAV 2012, section 3).

use std::sync::Arc;

use crate::cube::Cube;
use crate::cube::store::{NodeId, Store, TargetId};
use crate::cube::vocabulary::Vocabulary;

/// The visited cubes, and apart from them those that were added since the nodes of this round were claimed.
///
/// Every cube of the round is or was one of all. One that was taken out of these may still cover others in
/// this round. That is sound: a larger one has taken its place, and when that one falls, it comes back.
pub(super) struct Visited<'v, 's> {
    all: Store<'v, 's>,
    recent: Store<'v, 's>,
}

impl<'v, 's> Visited<'v, 's> {
    pub fn new(vocabulary: &'v Vocabulary<'s>) -> Visited<'v, 's> {
        Visited { all: Store::new(vocabulary), recent: Store::new(vocabulary) }
    }

    /// Nodes are claimed: nothing was added since.
    pub fn begin_round(&mut self) {
        self.recent = Store::new(self.all.vocabulary);
    }

    pub fn insert(&mut self, node: NodeId, target: TargetId, cube: Arc<Cube>) {
        self.recent.insert(node, target, Arc::clone(&cube));
        self.all.insert(node, target, cube);
    }

    pub fn all(&self) -> &Store<'v, 's> {
        &self.all
    }

    /// Those that were added in this round.
    pub fn recent(&self) -> &Store<'v, 's> {
        &self.recent
    }

    /// Takes a cube out. Says whether it was there.
    pub fn take(&mut self, node: NodeId, cube: &Cube) -> bool {
        self.all.take(node, cube).is_some()
    }

    /// Takes out all that lead to a target: their nodes.
    pub fn remove(&mut self, target: TargetId) -> impl Iterator<Item = NodeId> {
        self.all.remove(|stored| stored.target == target).into_iter().map(|stored| stored.node)
    }
}
