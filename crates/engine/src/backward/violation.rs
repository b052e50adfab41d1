//! From a node that contains initial states to a run that executes, if there is one.

use polycube_certificate::Trace;

use super::concrete::concretize;
use super::node::{Node, steps};
use super::origin::Standing;
use super::search::Search;
use super::verification::{GraphState, Others};
use crate::cube::store::NodeId;
use crate::cube::vocabulary::{MAX_NAMED, Universe};

/// How many more processes than a symbolic run names are tried for a real one.
const SPARE_PROCESSES: u8 = 2;

/// How many symbolic runs of one property are tried.
const MAX_ATTEMPTS: usize = 100;

/// How much work is done at least, besides as much as was done before, to decide other properties than a violated one.
const WORK_AFTER_VIOLATION: u64 = 5_000;

impl Search<'_, '_, '_> {
    /// A node contains initial states, as far as cubes tell: is there a run?
    pub(super) fn try_run(&mut self, id: NodeId) {
        let origin = self.node(id).origin;
        if !self.is_property(origin) {
            return self.refute_by(id);
        }
        self.origins[origin as usize].attempts += 1;
        if self.origins[origin as usize].attempts <= MAX_ATTEMPTS
            && let Some(trace) = self.concrete_run(id)
        {
            self.set_fate(id, GraphState::Initial);
            self.violate(origin, trace);
        } else if self.origins[origin as usize].spurious.is_none() {
            self.origins[origin as usize].spurious = Some(id);
            self.set_fate(id, GraphState::Spurious);
            self.retract(origin);
        }
    }

    /// This run violates a property.
    pub(super) fn violate(&mut self, property: u32, trace: Trace) {
        self.origins[property as usize].standing = Standing::Violated(trace);
        self.retract(property);
        if self.options.others == Others::Try && self.last_work.is_none() {
            self.last_work = Some(2 * self.work() + WORK_AFTER_VIOLATION);
        }
    }

    fn concrete_run(&self, id: NodeId) -> Option<Trace> {
        let transitions: Vec<usize> = steps(&self.nodes, id).map(|step| step.transition as usize).collect();
        let Node { cube, origin, .. } = self.node(id);
        let least = cube.at_least.max(1);
        let sizes = match self.vocabulary.universe {
            Universe::Closed(size) => size..=size,
            Universe::Open => least..=(least + SPARE_PROCESSES).min(MAX_NAMED),
        };
        sizes.into_iter().find_map(|processes| {
            let is_interrupted = || self.is_interrupted();
            let (property, interrupt) = (*origin as usize, &self.options.interrupt);
            let rules = &self.rules;
            concretize(self.system, rules, property, &transitions, processes, interrupt, &is_interrupted)
        })
    }
}
