//! Larger cubes that take the place of nodes, until they are refuted.

use std::cell::RefCell;
use std::sync::Arc;

use super::node::{Node, steps};
use super::origin::{Origin, Standing};
use super::search::Search;
use super::verification::{GraphState, Observer, Progress, Statistics};
use super::visited::Calls;
use crate::brab::candidate::{Generalization, generalize, is_reached};
use crate::brab::record::Guess;
use crate::cube::Cube;
use crate::cube::store::{Entry, NodeId, Scratch, Store};
use crate::forward::{self, Violation};

/// How many wrong guesses are a reason to look for more states.
const MAX_WRONG: u64 = 10;

/// When so many instances were explored, wrong guesses are no reason any more: it may be that more states do not help.
const MANY_INSTANCES: usize = 4;

/// As many states are explored in the time for one node.
const STATES_PER_NODE: u64 = 250;

/// How things stood when the guide last found states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Learnt {
    nodes: u64,
    refuted: u64,
}

/// Tells whoever watches the search how far an exploration has come.
struct Exploring<'w> {
    statistics: Statistics,
    queue: u64,
    observer: &'w mut dyn Observer,
}

impl forward::Observer for Exploring<'_> {
    fn progress(&mut self, progress: &forward::Progress) {
        let Exploring { statistics, queue, .. } = *self;
        self.observer.progress(&Progress { statistics, queue, exploring: Some(progress.states) });
    }
}

impl Search<'_, '_, '_> {
    /// Whether a node is an approximation, and not a predecessor of one.
    pub(super) fn is_approximation(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.step.is_none() && !self.is_property(node.origin)
    }

    /// Whether a node is an approximation that counts as visited, as it does from the beginning; until a larger cube takes
    /// its place.
    pub(super) fn is_counted_approximation(&self, id: NodeId) -> bool {
        self.is_approximation(id) && self.visited.has(self.vocabulary, id, &self.node(id).cube)
    }

    /// A larger cube that may take the place of another.
    pub(super) fn approximate(
        &self,
        cube: &Cube,
        scratch: &mut Scratch,
        calls: &mut Calls,
    ) -> Generalization {
        let Some(oracle) = self.guide.as_ref().map(|guide| guide.oracle()) else {
            return Generalization::None;
        };
        // Who knows no states has no reason to reject anything.
        if oracle.processes() == 0 {
            return Generalization::None;
        }
        let scratch = RefCell::new(scratch);
        let is_hopeless = |candidate: &Cube| {
            let mut known = Vec::new();
            // What contains something that is reached is reached.
            self.refuted.contained(self.vocabulary, candidate, &mut scratch.borrow_mut(), &mut known);
            !known.is_empty() || self.initial.meets(candidate)
        };
        generalize(self.vocabulary, cube, oracle, self.options.candidates, &self.record, &is_hopeless, calls)
    }

    /// Puts an approximation in the place of a node.
    ///
    /// Sound, although it counts as visited before it is expanded: it is in the queue, so the search does not end before its
    /// predecessors are treated like all others; it contains no initial states, as [`Search::approximate`] has made sure;
    /// and the node, which it contains, comes back if it is refuted.
    pub(super) fn adopt(&mut self, id: NodeId, cube: Cube, kind: Guess) {
        let cube = Arc::new(cube);
        let origin = match self.approximations.get(&cube) {
            Some(&origin) if self.is_open(origin) => origin,
            // It was refuted in the meantime.
            Some(_) => return self.enqueue(id),
            None => {
                let origin = u32::try_from(self.origins.len()).expect("origins fit into memory");
                self.origins.push(Origin { guess: Some(kind), ..Origin::default() });
                self.approximations.insert(Arc::clone(&cube), origin);
                self.statistics.approximations += 1;
                self.record.made(kind);
                let depth = self.node(id).depth;
                let root = self.push(Node { cube, origin, depth, step: None });
                self.origins[origin as usize].root = Some(root);
                self.visit(root);
                self.enqueue(root);
                origin
            }
        };
        self.owe(id, vec![origin]);
        let root = self.origins[origin as usize].root.expect("an approximation has a root");
        self.set_fate(id, GraphState::Approximated(root.index()));
    }

    /// There is a symbolic run to an approximation, real or not, or a state of it is known: so it cannot be excluded.
    pub(super) fn refute(&mut self, origin: u32) {
        self.origins[origin as usize].standing = Standing::Refuted;
        self.statistics.refuted += 1;
        let root = self.origins[origin as usize].root.expect("an approximation has a root");
        let cube = Arc::clone(&self.node(root).cube);
        let kind = self.origins[origin as usize].guess.expect("an approximation is a guess");
        self.record.was_wrong(kind);
        self.refuted.insert(self.vocabulary, root, origin, cube);
        self.retract(origin);
        self.set_fate(root, GraphState::Refuted);
        if !self.options.checks.dependencies {
            self.begin_again();
        }
    }

    /// A node of an approximation contains initial states, or a state that is known. So the approximation is refuted, and with
    /// it every other one that contains a cube on the way from that node: all of these are reached.
    ///
    /// (As far as cubes tell; but nothing goes wrong if too many are refuted.)
    pub(super) fn refute_by(&mut self, id: NodeId) {
        let root = self.origins[self.node(id).origin as usize].root.expect("an approximation has a root");
        let parents = steps(&self.nodes, id).map(|step| step.parent);
        let run: Vec<NodeId> = std::iter::once(id).chain(parents).filter(|&node| node != root).collect();
        self.refute(self.node(id).origin);
        for node in run {
            let Node { cube, origin, .. } = self.node(node);
            let (cube, origin) = (Arc::clone(cube), *origin);
            while let Some(larger) = self.guess_containing(&cube) {
                self.refute(larger);
            }
            self.refuted.insert(self.vocabulary, node, origin, cube);
        }
    }

    /// An approximation of which a node contains the cube.
    fn guess_containing(&self, cube: &Cube) -> Option<u32> {
        let is_guess = |entry: &Entry| !self.is_property(entry.origin) && self.is_open(entry.origin);
        let node = self.visited.containing(self.vocabulary, cube, &mut Scratch::default(), &is_guess)?;
        Some(self.node(node).origin)
    }

    /// Forgets everything but what was refuted or violated: only to measure what that would cost.
    fn begin_again(&mut self) {
        let properties = self.system.properties.len();
        for origin in self.origins.iter_mut().skip(properties) {
            origin.standing = Standing::Refuted;
        }
        self.visited = Store::default();
        self.recent = Store::default();
        self.queue.clear();
        self.known.clear();
        self.approximations.clear();
        self.debts.clear();
        self.start();
    }

    /// Has the guide find states: at first, and more of them if many guesses were wrong, or the search takes longer than that would.
    pub(super) fn learn(&mut self, threads: usize, observer: &mut dyn Observer) {
        let (statistics, queue) = (self.statistics, self.queue.len() as u64);
        let Some(guide) = &mut self.guide else { return };
        let Some(states) = guide.next_states() else { return };
        let Statistics { nodes, refuted, .. } = self.statistics;
        let too_few = match guide.instances() {
            [] => true,
            [one] => !one.complete,
            _ => false,
        };
        let takes_long = too_few || (nodes - self.learnt.nodes) * STATES_PER_NODE >= states;
        let often_wrong =
            refuted - self.learnt.refuted >= MAX_WRONG && guide.instances().len() < MANY_INSTANCES;
        if !takes_long && !often_wrong {
            return;
        }
        let mut observer = Exploring { statistics, queue, observer };
        let violations = guide.grow(threads, &mut observer);
        for Violation { property, trace, .. } in violations {
            let origin = u32::try_from(property).expect("properties fit into memory");
            if self.is_open(origin) {
                self.violate(origin, trace);
            }
        }
        self.refute_reached();
        self.learnt = Learnt { nodes: self.statistics.nodes, refuted: self.statistics.refuted };
    }

    /// Refutes all approximations of which, or of whose predecessors, a state is known.
    fn refute_reached(&mut self) {
        let Some(guide) = &self.guide else { return };
        let mut reached: Vec<u32> = Vec::new();
        for entry in self.visited.iter() {
            if !self.is_property(entry.origin)
                && !reached.contains(&entry.origin)
                && is_reached(self.vocabulary, &entry.cube, guide.oracle())
            {
                reached.push(entry.origin);
            }
        }
        for origin in reached {
            if self.is_open(origin) {
                self.refute(origin);
            }
        }
    }
}
