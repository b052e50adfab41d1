//! A minimal inductive invariant: of the visited cubes, those that are needed.
//!
//! The visited cubes contain the properties and their own predecessors; each of these is an *obligation*, which some of
//! the cubes meet. A cube that meets none is not needed, and one is not needed either if its obligations can be met by
//! others. What is left is inductive by itself, whatever was dropped.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::preimage::predecessors;
use super::root::property_cubes;
use super::search::Search;
use super::visited::{Calls, Coverage, coverage};
use crate::cube::Cube;
use crate::cube::store::{NodeId, Scratch, Store};

/// How many obligations are looked at, at least, and how many for each one that the invariant has.
const LOOKS: usize = 2_000;
const LOOKS_PER_OBLIGATION: usize = 3;

/// A cube that has to be covered.
struct Obligation {
    cube: Cube,
    /// The cube whose predecessor it is; none if it is part of a property.
    of: Option<usize>,
    /// The cubes that cover it.
    by: Vec<NodeId>,
}

/// The visited cubes, and which of them are part of the invariant.
struct Minimal<'m, 'o, 'v, 's> {
    search: &'m Search<'o, 'v, 's>,
    cubes: Vec<Arc<Cube>>,
    store: Store,
    kept: Vec<bool>,
    obligations: Vec<Obligation>,
    scratch: Scratch,
}

impl Search<'_, '_, '_> {
    /// Visited cubes that form an inductive invariant: as few as can be found, those first that say the least. `trusted`
    /// says which origins were believed: their cubes have no obligations.
    pub(super) fn minimal_invariant(&self, trusted: &dyn Fn(u32) -> bool) -> Vec<Arc<Cube>> {
        let mut store = Store::default();
        let mut cubes = Vec::new();
        let mut has_none = Vec::new();
        for entry in self.visited.iter() {
            let number = NodeId(cubes.len() as u32);
            store.insert(self.vocabulary, number, entry.origin, Arc::clone(&entry.cube));
            cubes.push(Arc::clone(&entry.cube));
            has_none.push(trusted(entry.origin));
        }
        let kept = vec![false; cubes.len()];
        let mut minimal = Minimal {
            search: self,
            cubes,
            store,
            kept,
            obligations: Vec::new(),
            scratch: Scratch::default(),
        };
        if minimal.collect(&has_none) {
            minimal.reduce();
        } else {
            // The solver gave up where it did not before: all of it is needed, as far as one can tell.
            minimal.kept.fill(true);
        }
        let mut order: Vec<usize> = (0..minimal.cubes.len()).filter(|&at| minimal.kept[at]).collect();
        order.sort_by_key(|&at| minimal.weight(at));
        order.into_iter().map(|at| Arc::clone(&minimal.cubes[at])).collect()
    }
}

impl Minimal<'_, '_, '_, '_> {
    /// How much a cube says.
    fn weight(&self, at: usize) -> (u8, usize) {
        let cube = &self.cubes[at];
        (cube.named, cube.literals(self.search.vocabulary))
    }

    /// Finds the cubes that are needed, beginning with those that contain the properties, and their obligations. Whether
    /// all obligations are met.
    fn collect(&mut self, has_none: &[bool]) -> bool {
        let vocabulary = self.search.vocabulary;
        let mut waiting = Vec::new();
        for property in &self.search.system.properties {
            let Ok(cubes) = property_cubes(vocabulary, property) else { return false };
            waiting.extend(cubes.into_iter().map(|cube| (cube, None)));
        }
        let all = vec![true; self.cubes.len()];
        while let Some((cube, of)) = waiting.pop() {
            let Some(by) = self.cover(&cube, &all) else { return false };
            for node in &by {
                let at = node.index();
                if std::mem::replace(&mut self.kept[at], true) || has_none[at] {
                    continue;
                }
                for rule in &self.search.rules {
                    let (cube, constants) = (&self.cubes[at], self.search.constants);
                    let done = predecessors(vocabulary, rule, cube, constants, &mut |predecessor| {
                        waiting.extend(predecessor.map(|predecessor| (predecessor.cube, Some(at))));
                        ControlFlow::Continue(())
                    });
                    if done.is_err() {
                        return false;
                    }
                }
            }
            self.obligations.push(Obligation { cube, of, by });
        }
        true
    }

    /// Drops cubes that are not needed, those first that say the most.
    fn reduce(&mut self) {
        let mut looks = LOOKS.max(LOOKS_PER_OBLIGATION * self.obligations.len());
        let mut order: Vec<usize> = (0..self.cubes.len()).filter(|&at| self.kept[at]).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(self.weight(at)));
        loop {
            let before = order.len();
            order.retain(|&at| !self.drop_one(at, &mut looks));
            if order.len() == before || looks == 0 {
                return;
            }
        }
    }

    /// Drops a cube if its obligations can be met by others.
    fn drop_one(&mut self, dropped: usize, looks: &mut usize) -> bool {
        self.kept[dropped] = false;
        let mut covers = Vec::new();
        for at in 0..self.obligations.len() {
            let Obligation { cube, of, by } = &self.obligations[at];
            let counts = of.is_none_or(|of| self.kept[of]);
            if !counts || !by.iter().any(|node| node.index() == dropped) {
                continue;
            }
            let cube = cube.clone();
            let found = match looks.checked_sub(1) {
                None => None,
                Some(left) => {
                    *looks = left;
                    let kept = std::mem::take(&mut self.kept);
                    let found = self.cover(&cube, &kept);
                    self.kept = kept;
                    found
                }
            };
            let Some(by) = found else {
                self.kept[dropped] = true;
                return false;
            };
            covers.push((at, by));
        }
        for (at, by) in covers {
            self.obligations[at].by = by;
        }
        true
    }

    /// Which of the allowed cubes cover another one.
    fn cover(&mut self, cube: &Cube, allowed: &[bool]) -> Option<Vec<NodeId>> {
        let found = coverage(
            self.search.vocabulary,
            &self.store,
            cube,
            self.search.options.checks,
            &mut self.scratch,
            &mut Calls::default(),
            &|entry| allowed[entry.node.index()],
        );
        match found {
            Coverage::None { .. } => None,
            covered => Some(covered.nodes().to_vec()),
        }
    }
}
