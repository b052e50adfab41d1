//! Symbolic runs, and what falls because of them: properties that are violated, and approximations that are
//! refuted. That is the backtracking of the BRAB paper (FMCAD 2013, section III-B), without restarts: see
//! [`Targets`](super::Targets).

use std::sync::Arc;

use polycube_certificate::Trace;

use super::Search;
use crate::backward::concrete::concrete_run;
use crate::backward::graph::GraphState;
use crate::backward::node::Node;
use crate::backward::target::{Approximation, Standing};
use crate::backward::verification::{Observer, Rest};
use crate::backward::visited::Visited;
use crate::cube::Cube;
use crate::cube::store::{NodeId, Stored, TargetId};
use crate::forward::Violation;
use crate::symbolic::others::Universal;

/// How many symbolic runs of one property are tried.
const MAX_ATTEMPTS: usize = 100;

impl Search<'_, '_, '_> {
    /// A node contains initial states, as far as cubes tell: is there a run?
    pub(super) fn try_run(&mut self, id: NodeId) {
        let target = self.nodes[id].target;
        if !self.targets.is_property(target) {
            return self.refute_by(id);
        }
        if self.targets.attempt(target) <= MAX_ATTEMPTS
            && let Some(trace) = concrete_run(&self.task, &self.nodes, id)
        {
            self.recorder.became(id, || GraphState::Initial);
            self.violate(target, trace);
        } else if self.targets[target].spurious().is_none() {
            let is_forgetting = self.task.exactness.universal == Universal::Forgotten;
            self.needs_others |= is_forgetting && self.forgets_others(id);
            self.targets.set_spurious(target, id);
            self.recorder.became(id, || GraphState::Spurious);
            self.retract(target);
        }
    }

    /// Whether what a guard says of all processes was forgotten in some step of a symbolic run.
    pub(super) fn forgets_others(&self, id: NodeId) -> bool {
        let rules = &self.task.rules;
        self.nodes.steps(id).any(|step| step.weakened && rules[step.transition as usize].universal)
    }

    fn violate(&mut self, property: TargetId, trace: Trace) {
        self.targets.decide(property, Standing::Violated(trace));
        self.retract(property);
        // A helper that does not hold is no bug: what the model is about is still to be decided.
        let is_bug = self.task.system().is_main(property.0 as usize);
        if self.task.options.rest == Rest::Try && is_bug {
            self.meter.end_soon(self.guesses.explored());
        }
    }

    /// Exploring an instance has found runs to properties.
    pub fn are_violated(&mut self, violations: &[Violation]) {
        for Violation { property, trace, .. } in violations {
            let target = TargetId::new(*property);
            if self.targets[target].is_open() {
                self.violate(target, trace.clone());
            }
        }
    }

    /// There is a symbolic run to this target. Its cubes do not count for others any more: what they covered
    /// comes back. If the run is real, they are not needed at all.
    fn retract(&mut self, target: TargetId) {
        if !self.targets[target].is_open() {
            for node in self.visited.remove(target) {
                self.recorder.became(node, || GraphState::Dropped);
            }
        }
        for node in self.targets.retract(target, &self.nodes) {
            self.enqueue(node);
        }
    }

    /// There is a symbolic run to an approximation, real or not, or one of its states is known.
    pub(super) fn refute(&mut self, target: TargetId) {
        let Approximation { root, guess } = self.targets.approximation(target);
        self.targets.decide(target, Standing::Refuted);
        self.meter.refuted(guess);
        self.guesses.was_wrong(guess);
        self.guesses.is_reached(root, target, Arc::clone(&self.nodes[root].cube));
        self.retract(target);
        self.recorder.became(root, || GraphState::Refuted);
        if !self.task.options.checks.dependencies {
            self.begin_again();
        }
    }

    /// A node of an approximation contains initial states, or a state that is known. So the approximation is
    /// refuted, and with it every other one that contains a cube on the way from that node.
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
            self.guesses.is_reached(node, target, cube);
        }
    }

    /// An approximation of which a node subsumes the cube.
    fn guess_subsuming(&self, cube: &Cube) -> Option<TargetId> {
        let is_guess = |stored: &Stored| {
            !self.targets.is_property(stored.target) && self.targets[stored.target].is_open()
        };
        let node = self.visited.all().subsuming(cube, &mut 0, &is_guess)?;
        Some(self.nodes[node].target)
    }

    /// Forgets everything but what was refuted or violated: only to measure what that would cost.
    fn begin_again(&mut self) {
        self.targets.refute_all();
        self.visited = Visited::new(self.task.vocabulary);
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
        let violations = self.guesses.find_states(threads, progress, observer);
        self.are_violated(&violations);
        self.refute_reached();
        self.guesses.have_states(self.meter.statistics());
    }

    /// Refutes all approximations of which, or of whose predecessors, a state is known.
    fn refute_reached(&mut self) {
        let mut reached: Vec<TargetId> = Vec::new();
        for stored in self.visited.all().iter() {
            if !self.targets.is_property(stored.target)
                && !reached.contains(&stored.target)
                && self.guesses.knows_state(&stored.cube)
            {
                reached.push(stored.target);
            }
        }
        for target in reached {
            if self.targets[target].is_open() {
                self.refute(target);
            }
        }
    }
}
