//! Larger cubes that take the place of nodes, until they are refuted.

use std::cell::RefCell;
use std::sync::Arc;

use super::node::Node;
use super::origin::{Origin, Standing};
use super::search::Search;
use crate::brab::candidate::generalize;
use crate::cube::Cube;
use crate::cube::store::{NodeId, Scratch};

impl Search<'_, '_, '_> {
    /// Whether a node is an approximation, and not a predecessor of one.
    pub(super) fn is_approximation(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.step.is_none() && node.origin as usize >= self.system.properties.len()
    }

    /// Whether a node is an approximation that counts as visited, as it does from the beginning; until a larger cube takes
    /// its place.
    pub(super) fn is_counted_approximation(&self, id: NodeId) -> bool {
        self.is_approximation(id) && self.visited.has(self.vocabulary, id, &self.node(id).cube)
    }

    /// A larger cube that may take the place of another.
    pub(super) fn approximate(&self, cube: &Cube, scratch: &mut Scratch) -> Option<Cube> {
        let scratch = RefCell::new(scratch);
        generalize(self.vocabulary, cube, self.oracle?, &|candidate| {
            let mut known = Vec::new();
            // What contains something that is reached is reached.
            self.refuted.contained(self.vocabulary, candidate, &mut scratch.borrow_mut(), &mut known);
            !known.is_empty() || self.initial.meets(candidate)
        })
    }

    /// Puts an approximation in the place of a node.
    ///
    /// Sound, although it counts as visited before it is expanded: it is in the queue, so the search does not end before its
    /// predecessors are treated like all others; it contains no initial states, as [`Search::approximate`] has made sure;
    /// and the node, which it contains, comes back if it is refuted.
    pub(super) fn adopt(&mut self, id: NodeId, cube: Cube) {
        let cube = Arc::new(cube);
        let origin = match self.approximations.get(&cube) {
            Some(&origin) if self.is_open(origin) => origin,
            // It was refuted in the meantime.
            Some(_) => return self.enqueue(id),
            None => {
                let origin = self.origins.len() as u32;
                self.origins.push(Origin::default());
                self.approximations.insert(Arc::clone(&cube), origin);
                self.statistics.approximations += 1;
                let depth = self.node(id).depth;
                let root = self.push(Node { cube, origin, depth, step: None });
                self.visit(root);
                self.enqueue(root);
                origin
            }
        };
        self.owe(id, vec![origin]);
    }

    /// There is a symbolic run to an approximation, real or not: so it cannot be excluded.
    pub(super) fn refute(&mut self, origin: u32, first: NodeId) {
        self.origins[origin as usize].standing = Standing::Refuted;
        self.statistics.refuted += 1;
        let mut root = first;
        while let Some(step) = &self.node(root).step {
            root = step.parent;
        }
        let cube = Arc::clone(&self.node(root).cube);
        self.refuted.insert(self.vocabulary, root, origin, cube);
        self.retract(origin);
    }
}
