//! What a search has found in the end.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::initial::Meeting;
use super::node::{steps, symbolic_run};
use super::origin::{Origin, Standing};
use super::preimage::{TooMany, predecessors};
use super::root::property_cubes;
use super::search::Search;
use super::verification::{Answer, Graph, GraphNode, GraphOrigin, GraphState, Reason, Verification};
use super::visited::{Calls, Coverage, coverage};
use crate::cube::store::{Scratch, Store};
use crate::cube::{Cube, show};

/// How many cubes an invariant has at most that is checked once more, where assertions are checked.
const CHECKED: usize = 100;

impl Search<'_, '_, '_> {
    /// The answers. `reason`: why something is left to be done.
    pub(super) fn finish(&mut self, reason: Option<&Reason>) -> Verification {
        self.statistics.bytes = self.bytes();
        self.statistics.kept = self.visited.len() as u64;
        self.statistics.queue = self.queue.len() as u64;
        let answer = |origin: &Origin| match (&origin.standing, reason, origin.spurious) {
            (Standing::Violated(trace), _, _) => Answer::Unsafe(trace.clone()),
            (Standing::Trusted, _, _) => Answer::Trusted,
            (Standing::Open, Some(reason), _) => Answer::Unknown(reason.clone()),
            (Standing::Open, None, Some(node)) => {
                let run = symbolic_run(self.vocabulary, &self.nodes, node);
                // Other reasons why a step may not be possible have nothing to do with crashes.
                let weakened = steps(&self.nodes, node)
                    .any(|step| step.weakened && self.rules[step.transition as usize].universal);
                // Whether there are initial states was perhaps too long a question.
                let unclear = || matches!(self.initial.meeting(&self.node(node).cube), Meeting::Unclear);
                Answer::Unknown(if weakened {
                    Reason::Crashing(run)
                } else if unclear() {
                    Reason::Cases
                } else {
                    Reason::Unconfirmed(run)
                })
            }
            (Standing::Open, None, None) => Answer::Safe,
            (Standing::Refuted, _, _) => panic!("only approximations are refuted"),
        };
        let properties = self.system.properties.len();
        let answers: Vec<Answer> = self.origins.iter().take(properties).map(answer).collect();
        let safe = answers.iter().all(|answer| matches!(answer, Answer::Safe | Answer::Trusted));
        let mut invariant = Vec::new();
        if safe {
            let trusted = |origin: u32| matches!(self.origins[origin as usize].standing, Standing::Trusted);
            let cubes = self.minimal_invariant(&trusted);
            debug_assert!(
                cubes.len() > CHECKED || self.is_inductive(&cubes) || self.is_interrupted(),
                "the invariant is inductive, unless that could not be found out"
            );
            invariant.extend(cubes.iter().map(|cube| show::orbit(self.vocabulary, cube)));
            invariant.extend(show::subtype_formulas(self.vocabulary));
        }
        let graph = self.options.graph.then(|| self.graph());
        let instances = self.guide.as_ref().map_or(Vec::new(), |guide| guide.instances().to_vec());
        Verification { answers, invariant, statistics: self.statistics, instances, graph }
    }

    fn graph(&self) -> Graph {
        let nodes = self.nodes.iter().zip(&self.fates).map(|(node, fate)| {
            let parent = node.step.as_ref().map(|step| {
                let name = self.system.transitions[step.transition as usize].name.clone();
                let arguments = step.arguments_in_node();
                let argument = |name: u8| (name < node.cube.named).then_some(usize::from(name));
                (step.parent.index(), name, arguments.map(argument).collect())
            });
            let cube = show::formula(self.vocabulary, &node.cube, &[]);
            let is_property = self.is_property(node.origin);
            let origin = match is_property {
                true => GraphOrigin::Property(node.origin as usize),
                false => GraphOrigin::Approximation,
            };
            // What waits in vain.
            let is_dropped = *fate == GraphState::Queued && !self.is_open(node.origin);
            let state = if is_dropped { GraphState::Dropped } else { fate.clone() };
            GraphNode { cube, origin, parent, state }
        });
        Graph { nodes: nodes.collect() }
    }

    /// Whether cubes are what they are said to be: they contain the properties and their own predecessors, and no initial
    /// state.
    fn is_inductive(&self, cubes: &[Arc<Cube>]) -> bool {
        let mut store = Store::default();
        for entry in self.visited.iter().filter(|entry| cubes.contains(&entry.cube)) {
            store.insert(self.vocabulary, entry.node, entry.origin, Arc::clone(&entry.cube));
        }
        let is_covered = |cube: &Cube| {
            let (mut scratch, mut calls) = (Scratch::default(), Calls::default());
            let checks = Default::default();
            let found = coverage(self.vocabulary, &store, cube, checks, &mut scratch, &mut calls, &|_| true);
            !matches!(found, Coverage::None { gave_up: false })
        };
        let properties = self.system.properties.iter().all(|property| {
            property_cubes(self.vocabulary, property).is_ok_and(|cubes| cubes.iter().all(is_covered))
        });
        properties
            && store.iter().all(|entry| {
                let trusted = matches!(self.origins[entry.origin as usize].standing, Standing::Trusted);
                let mut closed = trusted || !self.initial.meets(&entry.cube);
                for rule in self.rules.iter().filter(|_| !trusted) {
                    let done = predecessors(
                        self.vocabulary,
                        rule,
                        &entry.cube,
                        self.constants,
                        &mut |predecessor| {
                            closed &= predecessor.is_none_or(|predecessor| is_covered(&predecessor.cube));
                            ControlFlow::Continue(())
                        },
                    );
                    closed &= done.is_ok();
                }
                closed
            })
    }
}

impl From<TooMany> for Reason {
    fn from(error: TooMany) -> Reason {
        match error {
            TooMany::Processes => Reason::Processes,
            TooMany::Cases => Reason::Cases,
        }
    }
}
