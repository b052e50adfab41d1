//! The visited cubes.

use std::sync::Arc;

use super::calls::Calls;
use super::coverage::{Coverage, coverage};
use super::verification::Checks;
use crate::cube::Cube;
use crate::cube::store::{Entry, NodeId, Scratch, Store, TargetId};
use crate::cube::vocabulary::Vocabulary;

/// The visited cubes, and apart from them those of the round: what a thread saw when it processed a node, and what was
/// added since.
///
/// Every cube of the round is or was one of all.
#[derive(Default)]
pub(super) struct Visited {
    all: Store,
    /// Those that were added since nodes were claimed.
    recent: Store,
}

impl Visited {
    /// Nodes are claimed: nothing was added since.
    pub fn begin_round(&mut self) {
        self.recent = Store::default();
    }

    pub fn insert(&mut self, vocabulary: &Vocabulary<'_>, node: NodeId, target: TargetId, cube: Arc<Cube>) {
        self.recent.insert(vocabulary, node, target, Arc::clone(&cube));
        self.all.insert(vocabulary, node, target, cube);
    }

    /// Whether those that are allowed cover a cube.
    pub fn coverage(
        &self,
        vocabulary: &Vocabulary<'_>,
        cube: &Cube,
        checks: Checks,
        scratch: &mut Scratch,
        calls: &mut Calls,
        allowed: &dyn Fn(&Entry) -> bool,
    ) -> Coverage {
        coverage(vocabulary, &self.all, cube, checks, scratch, calls, allowed)
    }

    /// One that subsumes a cube, among those that are allowed.
    pub fn subsuming(
        &self,
        vocabulary: &Vocabulary<'_>,
        cube: &Cube,
        allowed: &dyn Fn(&Entry) -> bool,
    ) -> Option<NodeId> {
        self.all.subsuming(vocabulary, cube, &mut Scratch::default(), allowed)
    }

    /// The same, among those that were added in this round.
    pub fn recently_subsuming(
        &self,
        vocabulary: &Vocabulary<'_>,
        cube: &Cube,
        allowed: &dyn Fn(&Entry) -> bool,
    ) -> Option<NodeId> {
        self.recent.subsuming(vocabulary, cube, &mut Scratch::default(), allowed)
    }

    /// Those that a cube subsumes.
    pub fn subsumed(&self, vocabulary: &Vocabulary<'_>, cube: &Cube, scratch: &mut Scratch) -> Vec<NodeId> {
        let mut found = Vec::new();
        self.all.subsumed(vocabulary, cube, scratch, &mut found);
        found
    }

    /// Adds those that a cube subsumes and that were added in this round.
    pub fn recently_subsumed(&self, vocabulary: &Vocabulary<'_>, cube: &Cube, found: &mut Vec<NodeId>) {
        self.recent.subsumed(vocabulary, cube, &mut Scratch::default(), found);
    }

    pub fn has(&self, vocabulary: &Vocabulary<'_>, node: NodeId, cube: &Cube) -> bool {
        self.all.has(vocabulary, node, cube)
    }

    /// Takes a cube out, if it is there. In this round it may still cover others. That is sound: a larger one has taken its
    /// place, and when that one falls, it comes back.
    pub fn take(&mut self, vocabulary: &Vocabulary<'_>, node: NodeId, cube: &Cube) -> Option<Entry> {
        self.all.take(vocabulary, node, cube)
    }

    /// Takes out all that lead to a target.
    pub fn remove(&mut self, target: TargetId) -> Vec<Entry> {
        self.all.remove(|entry| entry.target == target)
    }

    pub fn clear(&mut self) {
        *self = Visited::default();
    }

    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.all.iter()
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn bytes(&self) -> usize {
        self.all.bytes()
    }
}
