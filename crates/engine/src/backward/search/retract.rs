//! Symbolic runs, and what falls because of them: properties that are violated, and approximations that are refuted.

use std::sync::Arc;

use polycube_certificate::Trace;

use super::Search;
use crate::backward::concrete::concrete_run;
use crate::backward::graph::GraphState;
use crate::backward::node::Node;
use crate::backward::recorder::Event;
use crate::backward::target::Approximation;
use crate::backward::verification::{Observer, Others};
use crate::cube::Cube;
use crate::cube::store::{Entry, NodeId, TargetId};
use crate::forward::Violation;

/// How many symbolic runs of one property are tried.
const MAX_ATTEMPTS: usize = 100;

impl Search<'_, '_, '_> {
    /// A node contains initial states, as far as cubes tell: is there a run?
    pub(super) fn try_run(&mut self, id: NodeId) {
        let target = self.nodes[id].target;
        if !self.targets.is_property(target) {
            return self.refute_by(id);
        }
        if self.targets.count_attempt(target) <= MAX_ATTEMPTS
            && let Some(trace) = concrete_run(&self.task, &self.nodes, id)
        {
            self.became(id, || GraphState::Initial);
            self.violate(target, trace);
        } else if !self.targets.is_spurious(target) {
            self.targets.set_spurious(target, id);
            self.became(id, || GraphState::Spurious);
            self.retract(target);
        }
    }

    /// This run violates a property.
    fn violate(&mut self, property: TargetId, trace: Trace) {
        self.targets.violate(property, trace);
        self.retract(property);
        if self.task.options.others == Others::Try {
            self.meter.end_soon(self.guesses.explored());
        }
    }

    /// There is a symbolic run to this target. Its cubes do not count for others any more: what they covered comes back.
    /// If the run is real, they are not needed at all.
    fn retract(&mut self, target: TargetId) {
        if !self.targets.is_open(target) {
            self.observe(|| Event::Fell(target));
            for entry in self.visited.remove(target) {
                self.became(entry.node, || GraphState::Dropped);
            }
        }
        for node in self.targets.retract(target, &self.nodes) {
            self.enqueue(node);
        }
    }

    /// There is a symbolic run to an approximation, real or not, or a state of it is known: so it cannot be excluded.
    pub(super) fn refute(&mut self, target: TargetId) {
        let Approximation { root, guess } = self.targets.approximation(target);
        self.targets.refute(target);
        self.meter.refuted();
        self.guesses.was_wrong(guess);
        self.guesses.is_reached(self.task.vocabulary, root, target, &self.nodes[root].cube);
        self.retract(target);
        self.became(root, || GraphState::Refuted);
        if !self.task.options.checks.dependencies {
            self.begin_again();
        }
    }

    /// A node of an approximation contains initial states, or a state that is known. So the approximation is refuted, and with
    /// it every other one that contains a cube on the way from that node: all of these are reached.
    ///
    /// (As far as cubes tell; but nothing goes wrong if too many are refuted.)
    pub(super) fn refute_by(&mut self, id: NodeId) {
        let target = self.nodes[id].target;
        let root = self.targets.approximation(target).root;
        let parents = self.nodes.steps(id).map(|step| step.parent);
        let run: Vec<NodeId> = std::iter::once(id).chain(parents).filter(|&node| node != root).collect();
        self.refute(target);
        for node in run {
            let Node { cube, target, .. } = &self.nodes[node];
            let (cube, target) = (Arc::clone(cube), *target);
            while let Some(larger) = self.guess_subsuming(&cube) {
                self.refute(larger);
            }
            self.guesses.is_reached(self.task.vocabulary, node, target, &cube);
        }
    }

    /// An approximation of which a node subsumes the cube.
    fn guess_subsuming(&self, cube: &Cube) -> Option<TargetId> {
        let is_guess =
            |entry: &Entry| !self.targets.is_property(entry.target) && self.targets.is_open(entry.target);
        let node = self.visited.subsuming(self.task.vocabulary, cube, &is_guess)?;
        Some(self.nodes[node].target)
    }

    /// Forgets everything but what was refuted or violated: only to measure what that would cost.
    fn begin_again(&mut self) {
        for target in self.targets.refute_all() {
            self.observe(|| Event::Fell(target));
        }
        self.visited.clear();
        self.queue.clear();
        self.nodes.forget();
        self.guesses.forget();
        self.start();
    }

    /// Has the guide find states, where that is worth the time.
    pub(super) fn learn(&mut self, threads: usize, observer: &mut dyn Observer) {
        if !self.guesses.need_states(&self.meter.statistics()) {
            return;
        }
        let progress = self.progress();
        for Violation { property, trace, .. } in self.guesses.find_states(threads, progress, observer) {
            let target = TargetId::new(property);
            if self.targets.is_open(target) {
                self.violate(target, trace);
            }
        }
        self.refute_reached();
        self.guesses.have_states(&self.meter.statistics());
    }

    /// Refutes all approximations of which, or of whose predecessors, a state is known.
    fn refute_reached(&mut self) {
        let mut reached: Vec<TargetId> = Vec::new();
        for entry in self.visited.iter() {
            if !self.targets.is_property(entry.target)
                && !reached.contains(&entry.target)
                && self.guesses.knows_state(self.task.vocabulary, &entry.cube)
            {
                reached.push(entry.target);
            }
        }
        for target in reached {
            if self.targets.is_open(target) {
                self.refute(target);
            }
        }
    }
}
