//! A minimal inductive invariant: of the visited cubes, those that are needed.
//!
//! The visited cubes contain the properties and their own predecessors; each of these is an *obligation*,
//! which some of the cubes meet. A cube that meets none is not needed, and one is not needed either if its
//! obligations can be met by others. What is left is inductive by itself, whatever was dropped. (No part of
//! the papers: there, the invariant is the negation of all visited cubes.)

use std::sync::Arc;

use super::calls::Calls;
use super::coverage::{Coverage, coverage};
use super::task::Task;
use super::verification::Statistics;
use crate::cube::Cube;
use crate::cube::store::{NodeId, Store, Stored};

struct Obligation {
    cube: Cube,
    /// The cube whose predecessor it is; none if it is part of a property.
    of: Option<usize>,
    by: Vec<NodeId>,
}

/// The visited cubes, and which of them are part of the invariant.
struct Minimal<'m, 'o, 'v, 's> {
    task: &'m Task<'o, 'v, 's>,
    cubes: Vec<Arc<Cube>>,
    store: Store<'v, 's>,
    kept: Vec<bool>,
    obligations: Vec<Obligation>,
    /// The obligations that each cube has met at some time.
    met: Vec<Vec<usize>>,
    calls: Calls,
    computed: u64,
    budget: u64,
}

/// Visited cubes that form an inductive invariant: as few as can be found with so much
/// [work](super::meter::Meter::work), those first that say the least. `is_trusted` says which cubes were
/// believed to be unreachable: they have no obligations.
pub(super) fn minimal_invariant<'e>(
    task: &Task<'_, '_, '_>,
    visited: impl Iterator<Item = &'e Stored>,
    is_trusted: impl Fn(&Stored) -> bool,
    statistics: Statistics,
    budget: u64,
) -> Vec<Arc<Cube>> {
    let mut store = Store::new(task.vocabulary);
    let mut cubes = Vec::new();
    let mut has_none = Vec::new();
    for stored in visited {
        store.insert(NodeId::new(cubes.len()), stored.target, Arc::clone(&stored.cube));
        cubes.push(Arc::clone(&stored.cube));
        has_none.push(is_trusted(stored));
    }
    let mut minimal = Minimal {
        task,
        kept: vec![false; cubes.len()],
        met: vec![Vec::new(); cubes.len()],
        cubes,
        store,
        obligations: Vec::new(),
        calls: Calls::default(),
        computed: 0,
        budget,
    };
    // If most cubes are needed, most of their predecessors have to be computed once more.
    let Statistics { computed, nodes, kept, .. } = statistics;
    let is_hopeless = computed * kept > nodes * budget;
    if !is_hopeless && minimal.collect(&has_none) {
        minimal.reduce();
    } else {
        // There are too many, or the solver gave up where it did not before: all may be needed.
        minimal.kept.fill(true);
    }
    let mut order: Vec<usize> = (0..minimal.cubes.len()).filter(|&at| minimal.kept[at]).collect();
    order.sort_by_key(|&at| minimal.weight(at));
    order.into_iter().map(|at| Arc::clone(&minimal.cubes[at])).collect()
}

impl Minimal<'_, '_, '_, '_> {
    fn weight(&self, at: usize) -> (u8, usize) {
        let cube = &self.cubes[at];
        (cube.named, cube.literals(self.task.vocabulary))
    }

    fn is_exhausted(&self) -> bool {
        self.computed + self.calls.work() >= self.budget || self.task.is_interrupted()
    }

    /// Finds the cubes that are needed, beginning with those that contain the properties, and their
    /// obligations. Whether all obligations are met.
    fn collect(&mut self, has_none: &[bool]) -> bool {
        let mut waiting = Vec::new();
        for property in &self.task.system().properties {
            let Ok(cubes) = self.task.property_cubes(property) else { return false };
            waiting.extend(cubes.into_iter().map(|cube| (cube, None)));
        }
        let all = vec![true; self.cubes.len()];
        while let Some((cube, of)) = waiting.pop() {
            if self.is_exhausted() {
                return false;
            }
            let Some(by) = self.cover(&cube, &all) else { return false };
            for node in &by {
                let at = node.index();
                self.met[at].push(self.obligations.len());
                if std::mem::replace(&mut self.kept[at], true) || has_none[at] {
                    continue;
                }
                let before = waiting.len();
                let missing = self.task.predecessors(&self.cubes[at], |predecessor| {
                    waiting.push((predecessor.cube, Some(at)));
                });
                self.computed += (waiting.len() - before) as u64;
                if missing.is_some() || self.task.is_interrupted() {
                    return false;
                }
            }
            self.obligations.push(Obligation { cube, of, by });
        }
        true
    }

    /// Drops cubes that are not needed, those first that say the most.
    fn reduce(&mut self) {
        let mut order: Vec<usize> = (0..self.cubes.len()).filter(|&at| self.kept[at]).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(self.weight(at)));
        loop {
            let before = order.len();
            order.retain(|&at| !self.drop_one(at));
            if order.len() == before || self.is_exhausted() {
                return;
            }
        }
    }

    /// Drops a cube if its obligations can be met by others.
    fn drop_one(&mut self, dropped: usize) -> bool {
        let mut kept = std::mem::take(&mut self.kept);
        kept[dropped] = false;
        let covers = self.without(dropped, &kept);
        kept[dropped] = covers.is_none();
        self.kept = kept;
        let Some(covers) = covers else { return false };
        for (at, by) in covers {
            by.iter().for_each(|node| self.met[node.index()].push(at));
            self.obligations[at].by = by;
        }
        true
    }

    /// How others meet the obligations that a cube has met, if they do.
    fn without(&mut self, dropped: usize, kept: &[bool]) -> Option<Vec<(usize, Vec<NodeId>)>> {
        let mut covers = Vec::new();
        for at in self.met[dropped].clone() {
            let Obligation { cube, of, by } = &self.obligations[at];
            let counts = of.is_none_or(|of| kept[of]);
            if !counts || !by.iter().any(|node| node.index() == dropped) {
                continue;
            }
            if self.is_exhausted() {
                return None;
            }
            let cube = cube.clone();
            covers.push((at, self.cover(&cube, kept)?));
        }
        Some(covers)
    }

    fn cover(&mut self, cube: &Cube, allowed: &[bool]) -> Option<Vec<NodeId>> {
        let allowed = |stored: &Stored| allowed[stored.node.index()];
        match coverage(&self.store, cube, self.task.options.checks, &mut self.calls, &allowed) {
            Coverage::None { .. } => None,
            covered => Some(covered.nodes().to_vec()),
        }
    }
}
