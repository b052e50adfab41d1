//! The search: claim nodes, process them, commit the results.
//!
//! It follows the loop of the Cubicle paper (CAV 2012, section 3) and, with [guesses](super::guess), that of
//! the BRAB paper (FMCAD 2013, section III). *Claiming* takes some nodes from the queue. *Processing* a node
//! finds out whether visited cubes cover it, and otherwise computes its predecessors; it changes nothing, so
//! several threads can do it for different nodes. *Committing* makes the results part of the search, one node
//! after the other, in the order in which they were claimed. How many nodes are claimed at once does not
//! depend on the number of threads; hence neither does the result.
//!
//! In the end, the visited cubes contain the states of all properties that are not violated, they contain
//! their own predecessors, and none of them meets the initial states. (*Covered* nodes are contained in the
//! union of visited cubes; visited cubes are only taken away when a larger one takes their place, see
//! [`Search::delete`], or when their target is retracted, see [`retract`]; for approximations, see
//! [`Search::adopt`].) So none of their states can be reached.

mod outcome;
mod retract;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use polycube_language::system::PropertyKind;

use super::calls::Calls;
use super::coverage::{Coverage, coverage};
use super::divergence::{Divergence, divergence};
use super::graph::GraphState;
use super::guess::{Generalization, Guess, Guesses};
use super::meter::Meter;
use super::node::{Node, Nodes};
use super::queue::{Priority, Queue, batch};
use super::recorder::Recorder;
use super::target::{Approximation, Standing, Targets};
use super::task::Task;
use super::tighten::{narrowed, tightened};
use super::verification::{Invariants, Observer, Progress, Reason};
use super::visited::Visited;
use crate::cube::Cube;
use crate::cube::store::{NodeId, Stored, TargetId};
use crate::oracle::Guide;
use crate::parallel::Shared;
use crate::symbolic::effort::TooMany;
use crate::symbolic::preimage::Predecessor;

pub(super) enum Processed {
    Covered(Coverage),
    Expanded {
        /// The new ones, each with whether it meets the initial states, as far as cubes tell.
        found: Vec<(Predecessor, bool)>,
        equal: u64,
        missing: Option<TooMany>,
        subsumed: Vec<NodeId>,
        /// Whether the solver gave up on the question whether the node is covered.
        gave_up: bool,
    },
    /// This larger cube takes its place, but for a part that these nodes cover.
    Approximated(Cube, Guess, Vec<NodeId>),
    /// It leads to an approximation, and contains states that are known to be reached.
    Reached,
    Interrupted,
}

/// The state of a search. What waits in the queue, the visited cubes, and what depends on targets that still
/// stand: together they contain the states of all properties that are not decided, and all their predecessors
/// that were found.
pub(super) struct Search<'o, 'v, 's> {
    task: Task<'o, 'v, 's>,
    nodes: Nodes,
    queue: Queue,
    visited: Visited<'v, 's>,
    targets: Targets,
    guesses: Guesses<'o, 'v, 's>,
    meter: Meter,
    /// Why something is missing, although the queue is empty.
    missing: Option<Reason>,
    /// Whether a property has a symbolic run that may not be real because what guards say of all processes
    /// was forgotten.
    needs_others: bool,
    recorder: Recorder,
    /// A property whose search does not seem to end, and after how many nodes to look for one again.
    diverging: Option<usize>,
    notice_after: u64,
}

/// How many nodes are expanded between two looks at whether the search seems to end.
const NOTICE: u64 = 500;

fn is_without_numbers(found: &Generalization) -> bool {
    matches!(found, Generalization::Larger(larger, _) if !larger.has_numbers())
}

pub(super) enum Ended {
    Completed,
    /// Something is left to be done, and this is why.
    Incomplete(Reason),
    /// What was forgotten of universal guards is needed.
    Inexact,
    Paused,
}

pub(super) type SharedSearch<'p, 'o, 'v, 's> = Shared<'p, Search<'o, 'v, 's>, NodeId, (Processed, Calls)>;

/// The main loop. Pauses when so much [work](Meter::work) is done.
pub(super) fn run(shared: &SharedSearch<'_, '_, '_, '_>, work: u64, observer: &mut dyn Observer) -> Ended {
    loop {
        let mut search = shared.write();
        let bytes = search.bytes();
        search.meter.measured(bytes);
        search.notice_divergence();
        observer.progress(&search.progress());
        if let Some(reason) = search.limit() {
            return Ended::Incomplete(reason);
        }
        if search.needs_others {
            return Ended::Inexact;
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
        let processed = shared.map(&claimed);
        let mut search = shared.write();
        for (&node, (processed, calls)) in claimed.iter().zip(processed) {
            search.commit(node, processed, calls);
        }
    }
}

impl<'o, 'v, 's> Search<'o, 'v, 's> {
    pub fn new(task: Task<'o, 'v, 's>, guide: Option<Box<dyn Guide + 'o>>) -> Search<'o, 'v, 's> {
        let mut search = Search {
            nodes: Nodes::default(),
            queue: Queue::new(task.options.order, task.system().properties.len()),
            visited: Visited::new(task.vocabulary),
            targets: Targets::new(task.system().properties.len()),
            guesses: Guesses::new(task.vocabulary, guide),
            meter: Meter::default(),
            missing: None,
            needs_others: false,
            recorder: Recorder::new(task.options.graph),
            diverging: None,
            notice_after: NOTICE,
            task,
        };
        search.start();
        search
    }

    /// A search that begins after another one that had forgotten too much.
    pub fn again(task: Task<'o, 'v, 's>, guide: Option<Box<dyn Guide + 'o>>) -> Search<'o, 'v, 's> {
        let mut search = Search::new(task, guide);
        search.meter.restarted();
        search
    }

    pub fn task(&self) -> &Task<'o, 'v, 's> {
        &self.task
    }

    pub fn into_guide(self) -> Option<Box<dyn Guide + 'o>> {
        self.guesses.into_guide()
    }

    /// The search begins at the properties: invariants first, since what they exclude helps with the rest.
    fn start(&mut self) {
        let system = self.task.system();
        let background = Arc::clone(&self.task.background);
        if !background.is_empty() {
            let target = self.targets.add_known();
            for cube in background.cubes() {
                let node = self.nodes.push(Node::root(Arc::clone(cube), target, 0));
                self.visit(node);
            }
        }
        if self.guesses.are_made() {
            for cube in &background.open {
                if !self.task.is_initial(cube) {
                    self.guess(Arc::clone(cube), Guess::Relation, 0, 0);
                }
            }
        }
        for kind in [PropertyKind::Invariant, PropertyKind::Unsafe] {
            for (at, property) in system.properties.iter().enumerate() {
                if property.kind != kind {
                    continue;
                }
                // Then the search does not begin: see [`Search::limit`].
                if self.task.is_interrupted() {
                    return;
                }
                let cubes = match self.task.property_cubes(property) {
                    Ok(cubes) => cubes,
                    Err(error) => {
                        self.missing = Some(error.into());
                        continue;
                    }
                };
                let target = TargetId::new(at);
                let trusted =
                    kind == PropertyKind::Invariant && self.task.options.invariants == Invariants::Trust;
                if trusted {
                    self.targets.decide(target, Standing::Trusted);
                }
                for cube in cubes {
                    let initial = !trusted && self.task.is_initial(&cube);
                    let root = Node::root(Arc::new(cube), target, 0);
                    if trusted {
                        let node = self.nodes.push(root);
                        self.visit(node);
                    } else {
                        self.add(root, initial);
                    }
                }
                self.targets.set_begun(target);
            }
        }
    }

    fn work(&self) -> u64 {
        self.meter.work(self.guesses.explored())
    }

    pub fn progress(&self) -> Progress {
        let (statistics, queue) = (self.meter.statistics(), self.queue.len() as u64);
        let properties = self.targets.properties();
        Progress {
            statistics,
            queue,
            exploring: None,
            diverging: self.diverging,
            open: properties.iter().filter(|property| property.is_open()).count(),
            properties: properties.len(),
        }
    }

    /// The largest family among the latest nodes that were found because of each of these properties, if it has one.
    fn divergences(&self, properties: &BTreeSet<usize>) -> Vec<Divergence> {
        let mut latest: BTreeMap<usize, Vec<&Node>> = BTreeMap::new();
        for node in self.nodes.latest() {
            let target = &self.targets[node.target];
            if target.is_open() && properties.contains(&target.property()) {
                latest.entry(target.property()).or_default().push(node);
            }
        }
        let family = |(property, mut nodes): (usize, Vec<&Node>)| {
            nodes.reverse();
            divergence(self.task.vocabulary, property, &nodes)
        };
        latest.into_iter().filter_map(family).collect()
    }

    /// Looks now and then whether the search seems to end.
    fn notice_divergence(&mut self) {
        let nodes = self.meter.statistics().nodes;
        if nodes < self.notice_after {
            return;
        }
        self.notice_after = nodes + NOTICE;
        let open = self.targets.properties().iter().enumerate().filter(|(_, one)| one.is_open());
        let open = open.map(|(property, _)| property).collect();
        self.diverging = self.divergences(&open).first().map(|one| one.property);
    }

    pub fn bytes(&self) -> usize {
        let visited = self.visited.all().bytes();
        self.nodes.bytes() + self.queue.bytes() + visited + self.targets.bytes() + self.guesses.bytes()
    }

    fn limit(&self) -> Option<Reason> {
        if self.task.is_interrupted() {
            return Some(Reason::Interrupted);
        }
        self.meter.reached(&self.task.options.limits, self.guesses.explored(), !self.queue.is_empty())
    }

    fn claim(&mut self) -> Vec<NodeId> {
        self.visited.begin_round();
        let count = batch(self.visited.all().len());
        let mut claimed = Vec::with_capacity(count);
        while claimed.len() < count
            && let Some(node) = self.queue.pop()
        {
            if self.targets[self.nodes[node].target].is_open() {
                claimed.push(node);
            }
        }
        claimed
    }

    /// Whether a node is covered, and otherwise its predecessors.
    pub fn process(&self, id: NodeId) -> (Processed, Calls) {
        let mut calls = Calls::default();
        (self.process_with(id, &mut calls), calls)
    }

    fn process_with(&self, id: NodeId, calls: &mut Calls) -> Processed {
        let task = &self.task;
        let Node { cube, target, .. } = &self.nodes[id];
        let usable = |stored: &Stored| self.targets.may_cover(stored.target, *target);
        let checks = task.options.checks;
        let mut gave_up = false;
        if !self.is_visited_approximation(id) {
            match coverage(self.visited.all(), cube, checks, calls, &usable) {
                Coverage::None { gave_up: unclear } => gave_up = unclear,
                covered => return Processed::Covered(covered),
            }
        }
        // An approximation is not approximated again.
        if !self.is_approximation(id) {
            // What is left of it may have more to say about numbers.
            if self.guesses.are_made()
                && let Some((left, nodes)) = tightened(self.visited.all(), cube, calls, &usable)
                && let Generalization::Larger(larger, guess) = self.guesses.generalize(task, &left, calls)
            {
                return Processed::Approximated(larger, guess, nodes);
            }
            let found = self.guesses.generalize(task, cube, calls);
            // Or there are numbers in what is said of it, and a part of it can do without: because of what is counted.
            if self.guesses.are_made()
                && !task.system().counts.is_empty()
                && !is_without_numbers(&found)
                && let Some((left, nodes)) = narrowed(self.visited.all(), cube, calls, &usable)
                && let found = self.guesses.generalize(task, &left, calls)
                && is_without_numbers(&found)
                && let Generalization::Larger(larger, guess) = found
            {
                return Processed::Approximated(larger, guess, nodes);
            }
            match found {
                Generalization::Larger(larger, guess) => {
                    return Processed::Approximated(larger, guess, Vec::new());
                }
                Generalization::Reached if !self.targets.is_property(*target) => return Processed::Reached,
                Generalization::Reached | Generalization::None => {}
            }
        }
        let subsumed = match checks.deletion {
            true => self.visited.all().subsumed(cube, &mut calls.looks),
            false => Vec::new(),
        };
        let (mut found, mut equal) = (Vec::new(), 0);
        let missing = task.predecessors(cube, |predecessor| {
            if self.is_known(&predecessor.cube, *target) {
                equal += 1;
            } else {
                let initial = task.is_initial(&predecessor.cube);
                found.push((predecessor, initial));
            }
        });
        if task.is_interrupted() {
            return Processed::Interrupted;
        }
        Processed::Expanded { found, equal, missing, subsumed, gave_up }
    }

    fn is_approximation(&self, id: NodeId) -> bool {
        let node = &self.nodes[id];
        node.step.is_none() && !self.targets.is_property(node.target)
    }

    /// Whether a node is an approximation that counts as visited: until a larger cube takes its place.
    fn is_visited_approximation(&self, id: NodeId) -> bool {
        self.is_approximation(id) && self.visited.all().has(id, &self.nodes[id].cube)
    }

    /// Makes the result of processing a node part of the search.
    fn commit(&mut self, id: NodeId, processed: Processed, calls: Calls) {
        self.meter.asked(calls);
        let target = self.nodes[id].target;
        if !self.targets[target].is_open() {
            return;
        }
        match processed {
            Processed::Interrupted => self.enqueue(id),
            Processed::Reached => self.refute_by(id),
            Processed::Approximated(cube, guess, nodes) => match self.covered_since(id) {
                Some(one) => self.cover(id, &Coverage::One(one)),
                None if !nodes.iter().all(|&other| self.may_cover(other, target)) => self.enqueue(id),
                None => self.adopt(id, cube, guess, &nodes),
            },
            Processed::Covered(coverage) => {
                // What was committed since may have retracted what covers it.
                if coverage.nodes().iter().all(|&other| self.may_cover(other, target)) {
                    self.cover(id, &coverage);
                } else {
                    self.enqueue(id);
                }
            }
            Processed::Expanded { found, equal, missing, mut subsumed, gave_up } => {
                if gave_up {
                    self.meter.gave_up();
                }
                let is_visited = self.is_visited_approximation(id);
                if !is_visited && let Some(one) = self.covered_since(id) {
                    self.cover(id, &Coverage::One(one));
                    return;
                }
                // A complicated approximation is not worth the trouble: its node is still there.
                if missing.is_some() && !self.targets.is_property(target) {
                    return self.refute(target);
                }
                self.meter.expanded();
                if self.task.options.checks.deletion {
                    subsumed.extend(self.visited.recent().subsumed(&self.nodes[id].cube, &mut 0));
                }
                subsumed.retain(|&other| other != id);
                self.delete(&subsumed, id);
                if is_visited {
                    self.recorder.became(id, || GraphState::Visited);
                } else {
                    self.visit(id);
                }
                if let Some(error) = missing {
                    self.missing = Some(error.into());
                    self.targets.set_incomplete(target);
                }
                let depth = self.nodes[id].depth as usize;
                if self.task.options.limits.depth.is_some_and(|limit| depth >= limit) {
                    self.missing = Some(Reason::Depth);
                    self.targets.set_incomplete(target);
                    return;
                }
                self.meter.computed(equal, equal);
                for (predecessor, initial) in found {
                    self.meter.computed(1, 0);
                    self.add(Node::before(id, &self.nodes[id], predecessor), initial);
                    if !self.targets[target].is_open() {
                        return;
                    }
                }
            }
        }
    }

    fn add(&mut self, node: Node, initial: bool) {
        let target = node.target;
        if self.is_known(&node.cube, target) {
            self.meter.computed(0, 1);
            return;
        }
        let id = self.nodes.push_known(node);
        if initial {
            self.try_run(id);
        }
        if self.targets[target].is_open() {
            self.enqueue(id);
        }
    }

    fn is_known(&self, cube: &Cube, target: TargetId) -> bool {
        self.task.options.checks.equal && self.nodes.is_known(cube, target)
    }

    fn enqueue(&mut self, id: NodeId) {
        let node = &self.nodes[id];
        let is_property = self.targets.is_property(node.target);
        let priority = if is_property { Priority::Last } else { Priority::First };
        let property = self.targets[node.target].property();
        self.queue.push(self.task.vocabulary, id, node, priority, property);
        self.recorder.became(id, || GraphState::Queued);
    }

    fn may_cover(&self, node: NodeId, covered: TargetId) -> bool {
        self.targets.may_cover(self.nodes[node].target, covered)
    }

    /// A node that was visited since another one was claimed, and subsumes it.
    fn covered_since(&self, id: NodeId) -> Option<NodeId> {
        let Node { cube, target, .. } = &self.nodes[id];
        let usable = |stored: &Stored| self.targets.may_cover(stored.target, *target);
        self.visited.recent().subsuming(cube, &mut 0, &usable)
    }

    fn cover(&mut self, id: NodeId, coverage: &Coverage) {
        self.meter.covered(coverage);
        let covering = coverage.nodes();
        let targets = covering.iter().map(|&other| self.nodes[other].target).collect();
        self.targets.depend(id, self.nodes[id].target, targets);
        self.recorder
            .became(id, || GraphState::Covered(covering.iter().map(|other| other.index()).collect()));
    }

    /// Takes away visited nodes that a new one subsumes.
    ///
    /// Sound: what a smaller cube covers, the larger one covers; and the predecessors of the larger one,
    /// which go into the queue now, contain those of the smaller one.
    fn delete(&mut self, subsumed: &[NodeId], larger: NodeId) {
        let target = self.nodes[larger].target;
        // A node of a target with a symbolic run may replace only nodes of the same target.
        let trusted = self.targets[target].spurious().is_none();
        for &smaller in subsumed {
            let node = &self.nodes[smaller];
            if self.targets[node.target].is_trusted() {
                continue;
            }
            // Another one may have taken it away.
            if (trusted || node.target == target) && self.visited.take(smaller, &node.cube) {
                self.meter.deleted();
                self.targets.depend(smaller, node.target, vec![target]);
                self.recorder.became(smaller, || GraphState::Deleted(larger.index()));
            }
        }
    }

    fn visit(&mut self, id: NodeId) {
        let node = &self.nodes[id];
        self.meter.visited(node);
        self.visited.insert(id, node.target, Arc::clone(&node.cube));
        self.recorder.became(id, || GraphState::Visited);
    }

    /// Puts an approximation in the place of a node.
    ///
    /// Sound, although it counts as visited before it is expanded: it is in the queue, so the search does not
    /// end before its predecessors are treated like all others; it contains no initial states, as
    /// [`Guesses::generalize`] has made sure; and the node, which it contains but for what other nodes cover, comes back if
    /// it is refuted, or if they fall.
    fn adopt(&mut self, id: NodeId, cube: Cube, guess: Guess, covering: &[NodeId]) {
        let target = match self.guesses.target(&cube) {
            Some(target) if self.targets[target].is_open() => target,
            // It was refuted in the meantime.
            Some(_) => return self.enqueue(id),
            None => {
                let Node { depth, target, .. } = self.nodes[id];
                self.guess(Arc::new(cube), guess, depth, self.targets[target].property())
            }
        };
        let others = covering.iter().map(|&other| self.nodes[other].target);
        self.targets.depend(id, self.nodes[id].target, others.chain([target]).collect());
        let root = self.targets.approximation(target).root;
        self.recorder.became(id, || GraphState::Approximated(root.index()));
    }

    /// A new approximation, because of a property.
    fn guess(&mut self, cube: Arc<Cube>, guess: Guess, depth: u32, property: usize) -> TargetId {
        let target = self.targets.next();
        let root = self.nodes.push(Node::root(Arc::clone(&cube), target, depth));
        self.targets.add(Approximation { root, guess }, property);
        self.guesses.make(cube, guess, target);
        self.meter.approximated(guess);
        self.visit(root);
        self.enqueue(root);
        target
    }
}
