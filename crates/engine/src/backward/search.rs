//! The search: claim nodes, process them, commit the results.
//!
//! *Claiming* takes some nodes from the queue. *Processing* a node finds out whether visited cubes cover it, and
//! otherwise computes its predecessors; it changes nothing, so several threads can do it for different nodes.
//! *Committing* makes the results part of the search, one node after the other, in the order in which they were claimed.
//! How many nodes are claimed at once does not depend on the number of threads; hence neither does the result.
//!
//! In the end, the visited cubes contain the states of all properties that are not violated, they contain their own
//! predecessors, and none of them meets the initial states. (*Covered* nodes are contained in the union of visited cubes;
//! visited cubes are only taken away when a larger one takes their place, see [`Search::delete`], or when their property
//! is violated, see [`Search::retract`]; approximations, see [`Search::adopt`].) So none of their states can be reached.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use polycube_language::System;
use polycube_language::system::PropertyKind;
use rustc_hash::FxHashMap;

use super::approximation::Learnt;
use super::debt::Debt;
use super::initial::Initial;
use super::node::Node;
use super::origin::{Origin, Standing};
use super::parallel::Shared;
use super::preimage::{Constants, Predecessor, TooMany, predecessors};
use super::root::property_cubes;
use super::rule::Rule;
use super::verification::{GraphState, Invariants, Observer, Options, Reason, Statistics};
use super::verifier::Ended;
use super::visited::{Calls, Coverage, coverage};
use crate::brab::candidate::Generalization;
use crate::brab::guide::Guide;
use crate::brab::record::{Guess, Record};
use crate::cube::Cube;
use crate::cube::store::{Entry, NodeId, Scratch, Store};
use crate::cube::vocabulary::Vocabulary;

/// What processing a node gave.
pub enum Processed {
    /// Visited cubes cover it.
    Covered(Coverage),
    /// Its predecessors.
    Expanded {
        /// Each with whether it meets the initial states, as far as cubes tell; without those that are known.
        found: Vec<(Predecessor, bool)>,
        /// How many are known.
        equal: u64,
        /// Why some are missing.
        missing: Option<TooMany>,
        /// The visited cubes that it contains.
        contained: Vec<NodeId>,
        /// Whether the solver gave up on the question whether the node is covered.
        gave_up: bool,
    },
    /// This larger cube takes its place.
    Approximated(Cube, Guess),
    /// It comes from an approximation, and contains states that are known to be reached.
    Reached,
    /// The search is to end.
    Interrupted,
}

/// The state of a search.
pub struct Search<'o, 'v, 's> {
    pub(super) system: &'s System,
    pub(super) vocabulary: &'v Vocabulary<'s>,
    pub(super) rules: Vec<Rule<'s>>,
    pub(super) initial: Initial<'v, 's>,
    pub(super) options: &'o Options,
    /// Set when nobody waits for the result any more.
    pub(super) abandoned: Arc<AtomicBool>,
    /// Who rejects approximations, if there are to be any.
    pub(super) guide: Option<Box<dyn Guide + 'o>>,
    /// How good guesses were so far.
    pub(super) record: Record,
    /// How things stood when it last found states.
    pub(super) learnt: Learnt,
    pub(super) constants: Constants,
    pub(super) nodes: Vec<Node>,
    /// The nodes that wait, smallest key first, then oldest first.
    pub(super) queue: BinaryHeap<Reverse<(u64, NodeId)>>,
    pub(super) visited: Store,
    /// Those that were visited since nodes were claimed.
    pub(super) recent: Store,
    /// The nodes by their cubes: the latest one of each.
    pub(super) known: FxHashMap<Arc<Cube>, NodeId>,
    /// What nodes come from: the properties, in their order, and then approximations.
    pub(super) origins: Vec<Origin>,
    /// The approximations: the origin of each.
    pub(super) approximations: FxHashMap<Arc<Cube>, u32>,
    /// Those that were refuted.
    pub(super) refuted: Store,
    pub(super) debts: Vec<Debt>,
    pub(super) statistics: Statistics,
    /// What the nodes take on the heap.
    pub(super) heap_bytes: usize,
    /// What was done besides what the statistics count, as [work](Search::work).
    pub(super) effort: u64,
    /// After how much work to end, since a property is violated.
    pub(super) last_work: Option<u64>,
    /// Why something is missing, although the queue is empty.
    pub(super) missing: Option<Reason>,
    /// What became of each node, if that is to be kept.
    pub(super) fates: Vec<GraphState>,
}

/// The main loop. Pauses when so much [work](Search::work) is done.
pub fn run(shared: &Shared<Search<'_, '_, '_>>, work: u64, observer: &mut dyn Observer) -> Ended {
    loop {
        let mut search = shared.write();
        search.statistics.bytes = search.bytes();
        observer.progress(&search.progress());
        if let Some(reason) = search.limit() {
            return Ended::Incomplete(reason);
        }
        if search.work() >= work {
            return Ended::Paused;
        }
        search.learn(shared.threads(), observer);
        let claimed = search.claim();
        if claimed.is_empty() {
            return search.missing.take().map_or(Ended::Completed, Ended::Incomplete);
        }
        drop(search);
        let processed = shared.map(&claimed, Search::process);
        let mut search = shared.write();
        for (&node, (processed, calls)) in claimed.iter().zip(processed) {
            search.commit(node, processed, calls);
        }
    }
}

impl<'o, 'v, 's> Search<'o, 'v, 's> {
    /// A search in which the properties wait.
    pub fn new(
        vocabulary: &'v Vocabulary<'s>,
        options: &'o Options,
        abandoned: Arc<AtomicBool>,
        guide: Option<Box<dyn Guide + 'o>>,
        constants: Constants,
    ) -> Search<'o, 'v, 's> {
        let system = vocabulary.system;
        let mut search = Search {
            system,
            vocabulary,
            rules: Rule::all(system),
            initial: Initial::new(vocabulary),
            options,
            abandoned,
            guide,
            record: Record::default(),
            learnt: Learnt::default(),
            constants,
            nodes: Vec::new(),
            queue: BinaryHeap::new(),
            visited: Store::default(),
            recent: Store::default(),
            known: FxHashMap::default(),
            origins: system.properties.iter().map(|_| Origin::default()).collect(),
            approximations: FxHashMap::default(),
            refuted: Store::default(),
            debts: Vec::new(),
            statistics: Statistics::default(),
            heap_bytes: 0,
            effort: 0,
            last_work: None,
            missing: None,
            fates: Vec::new(),
        };
        search.start();
        search
    }

    /// The properties are where the search begins: invariants first, since what they exclude helps with the rest.
    pub(super) fn start(&mut self) {
        for kind in [PropertyKind::Invariant, PropertyKind::Unsafe] {
            for (property, origin) in self.system.properties.iter().zip(0..) {
                if property.kind != kind {
                    continue;
                }
                // Then the search does not begin: see [`Search::limit`].
                if self.is_interrupted() {
                    return;
                }
                let cubes = match property_cubes(self.vocabulary, property) {
                    Ok(cubes) => cubes,
                    Err(error) => {
                        self.missing = Some(error.into());
                        continue;
                    }
                };
                let trusted = kind == PropertyKind::Invariant && self.options.invariants == Invariants::Trust;
                if trusted {
                    self.origins[origin as usize].standing = Standing::Trusted;
                }
                for cube in cubes {
                    let initial = !trusted && self.initial.meets(&cube);
                    let root = Node::root(cube, origin, 0);
                    if trusted {
                        let node = self.push(root);
                        self.visit(node);
                    } else {
                        self.add(root, initial);
                    }
                }
            }
        }
    }

    /// Whether something about an origin is to be found out.
    pub(super) fn is_open(&self, origin: u32) -> bool {
        matches!(self.origins[origin as usize].standing, Standing::Open)
    }

    /// Whether an origin is a property, and not an approximation.
    pub(super) fn is_property(&self, origin: u32) -> bool {
        (origin as usize) < self.system.properties.len()
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Whether a node is covered, and otherwise its predecessors.
    pub fn process(&self, id: NodeId) -> (Processed, Calls) {
        let (mut calls, mut scratch) = (Calls::default(), Scratch::default());
        let processed = self.process_with(id, &mut calls, &mut scratch);
        calls.looks = scratch.looks;
        (processed, calls)
    }

    fn process_with(&self, id: NodeId, calls: &mut Calls, scratch: &mut Scratch) -> Processed {
        let Node { cube, origin, .. } = self.node(id);
        let usable = |entry: &Entry| self.may_cover(entry.origin, *origin);
        let checks = self.options.checks;
        let mut gave_up = false;
        if !self.is_counted_approximation(id) {
            match coverage(self.vocabulary, &self.visited, cube, checks, scratch, calls, &usable) {
                Coverage::None { gave_up: unclear } => gave_up = unclear,
                covered => return Processed::Covered(covered),
            }
        }
        // An approximation is not approximated again.
        if !self.is_approximation(id) {
            match self.approximate(cube, scratch, calls) {
                Generalization::Larger(larger, kind) => return Processed::Approximated(larger, kind),
                Generalization::Reached if !self.is_property(*origin) => return Processed::Reached,
                Generalization::Reached | Generalization::None => {}
            }
        }
        let mut contained = Vec::new();
        if checks.deletion {
            self.visited.contained(self.vocabulary, cube, scratch, &mut contained);
        }
        let (mut found, mut equal) = (Vec::new(), 0);
        let mut missing = None;
        for rule in &self.rules {
            let done = predecessors(self.vocabulary, rule, cube, self.constants, &mut |predecessor| {
                if self.is_interrupted() {
                    return ControlFlow::Break(());
                }
                if let Some(predecessor) = predecessor {
                    if self.is_known(&predecessor.cube, *origin) {
                        equal += 1;
                        return ControlFlow::Continue(());
                    }
                    let initial = self.initial.meets(&predecessor.cube);
                    found.push((predecessor, initial));
                }
                ControlFlow::Continue(())
            });
            missing = missing.or(done.err());
            if self.is_interrupted() {
                return Processed::Interrupted;
            }
        }
        Processed::Expanded { found, equal, missing, contained, gave_up }
    }

    /// Whether visited cubes of one origin may cover nodes of another: not if there is a symbolic run to it, real or not.
    fn may_cover(&self, covering: u32, origin: u32) -> bool {
        self.origins[covering as usize].may_cover(covering == origin)
    }

    /// Makes the result of processing a node part of the search.
    fn commit(&mut self, id: NodeId, processed: Processed, calls: Calls) {
        self.count(calls);
        let origin = self.node(id).origin;
        if !self.is_open(origin) {
            return;
        }
        match processed {
            Processed::Interrupted => self.enqueue(id),
            Processed::Reached => self.refute_by(id),
            Processed::Approximated(cube, kind) => match self.covered_since(id) {
                Some(one) => self.cover(id, &Coverage::One(one)),
                None => self.adopt(id, cube, kind),
            },
            Processed::Covered(coverage) => {
                // What was committed since may have retracted what covers it.
                if coverage.nodes().iter().all(|&other| self.may_cover(self.node(other).origin, origin)) {
                    self.cover(id, &coverage);
                } else {
                    self.enqueue(id);
                }
            }
            Processed::Expanded { found, equal, missing, mut contained, gave_up } => {
                self.statistics.gave_up += u64::from(gave_up);
                let counted = self.is_counted_approximation(id);
                if !counted && let Some(one) = self.covered_since(id) {
                    self.cover(id, &Coverage::One(one));
                    return;
                }
                // An approximation that is too complicated is not worth the trouble: there is something to fall back on.
                if missing.is_some() && !self.is_property(origin) {
                    return self.refute(origin);
                }
                self.statistics.nodes += 1;
                self.recently_contained(id, &mut contained);
                contained.retain(|&other| other != id);
                self.delete(&contained, id);
                if counted {
                    self.set_fate(id, GraphState::Visited);
                } else {
                    self.visit(id);
                }
                if let Some(error) = missing {
                    self.missing = Some(error.into());
                }
                if self.options.limits.depth.is_some_and(|limit| self.node(id).depth as usize >= limit) {
                    self.missing = Some(Reason::Depth);
                    return;
                }
                self.statistics.computed += equal;
                self.statistics.equal += equal;
                for (predecessor, initial) in found {
                    self.statistics.computed += 1;
                    self.add(Node::before(id, self.node(id), predecessor), initial);
                    if !self.is_open(origin) {
                        return;
                    }
                }
            }
        }
    }

    /// A node that was visited since another one was claimed, and contains it.
    fn covered_since(&self, id: NodeId) -> Option<NodeId> {
        let Node { cube, origin, .. } = self.node(id);
        let usable = |entry: &Entry| self.may_cover(entry.origin, *origin);
        self.recent.containing(self.vocabulary, cube, &mut Scratch::default(), &usable)
    }

    /// Notes that a node is covered.
    fn cover(&mut self, id: NodeId, coverage: &Coverage) {
        match coverage {
            Coverage::One(_) => self.statistics.contained += 1,
            Coverage::Several(_) => self.statistics.covered += 1,
            Coverage::None { .. } => panic!("a covered node is covered by something"),
        }
        let covering = coverage.nodes();
        self.owe(id, covering.iter().map(|&other| self.node(other).origin).collect());
        self.set_fate(id, GraphState::Covered(covering.iter().map(|other| other.index()).collect()));
    }

    /// Adds the nodes that a node contains and that were visited since it was claimed.
    fn recently_contained(&self, id: NodeId, contained: &mut Vec<NodeId>) {
        if self.options.checks.deletion {
            self.recent.contained(self.vocabulary, &self.node(id).cube, &mut Scratch::default(), contained);
        }
    }

    /// Takes away visited nodes that a new one contains.
    ///
    /// Sound: what a smaller cube covers, the larger one covers; and the predecessors of the larger one, which go into the
    /// queue now, contain those of the smaller one.
    fn delete(&mut self, contained: &[NodeId], larger: NodeId) {
        let origin = self.node(larger).origin;
        // What comes from an origin with a symbolic run stands for nothing but itself.
        let trusted = self.origins[origin as usize].spurious.is_none();
        for &smaller in contained {
            let node = &self.nodes[smaller.index()];
            // Another one may have taken it away.
            if (trusted || node.origin == origin)
                && self.visited.take(self.vocabulary, smaller, &node.cube).is_some()
            {
                self.statistics.deleted += 1;
                self.owe(smaller, vec![origin]);
                self.set_fate(smaller, GraphState::Deleted(larger.index()));
            }
        }
    }

    /// Adds a node to the visited ones.
    pub(super) fn visit(&mut self, id: NodeId) {
        let Node { cube, origin, depth, .. } = self.node(id);
        let (cube, origin) = (Arc::clone(cube), *origin);
        self.statistics.depth = self.statistics.depth.max(*depth as usize);
        self.statistics.processes = self.statistics.processes.max(cube.named.into());
        self.recent.insert(self.vocabulary, id, origin, Arc::clone(&cube));
        self.visited.insert(self.vocabulary, id, origin, cube);
        self.set_fate(id, GraphState::Visited);
    }

    pub(super) fn set_fate(&mut self, id: NodeId, fate: GraphState) {
        let is_routine = matches!(fate, GraphState::Queued | GraphState::Visited);
        if self.options.graph && !(is_routine && self.fates[id.index()] == GraphState::Spurious) {
            self.fates[id.index()] = fate;
        }
    }
}
