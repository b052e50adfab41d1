//! An observer of a search, which draws its graph.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::graph::{Graph, GraphNode, GraphState, GraphTarget};
use super::node::{Node, Step};
use crate::cube::store::{NodeId, TargetId};
use crate::cube::vocabulary::Vocabulary;
use crate::cube::{Cube, show};

/// What happens in a search.
#[derive(Debug)]
pub(super) enum Event {
    /// A node is found. The nodes come in the order of their numbers.
    Found { cube: Arc<Cube>, target: TargetId, step: Option<Step> },
    /// This becomes of a node.
    Became(NodeId, GraphState),
    /// A target falls: what leads to it waits in vain.
    Fell(TargetId),
}

impl Event {
    pub fn found(node: &Node) -> Event {
        Event::Found { cube: Arc::clone(&node.cube), target: node.target, step: node.step.clone() }
    }
}

/// Observes a search, to draw its graph.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    found: Vec<(Arc<Cube>, TargetId, Option<Step>)>,
    /// What became of each of these.
    states: Vec<GraphState>,
    fallen: FxHashSet<TargetId>,
}

impl Recorder {
    pub fn observe(&mut self, event: Event) {
        match event {
            Event::Found { cube, target, step } => {
                self.found.push((cube, target, step));
                self.states.push(GraphState::Queued);
            }
            Event::Became(node, state) => {
                let is_routine = matches!(state, GraphState::Queued | GraphState::Visited);
                let before = &mut self.states[node.index()];
                if !(is_routine && *before == GraphState::Spurious) {
                    *before = state;
                }
            }
            Event::Fell(target) => {
                self.fallen.insert(target);
            }
        }
    }

    pub fn graph(&self, vocabulary: &Vocabulary<'_>) -> Graph {
        let system = vocabulary.system;
        let nodes = self.found.iter().zip(&self.states).map(|((cube, target, step), state)| {
            let parent = step.as_ref().map(|step| {
                let name = system.transitions[step.transition as usize].name.clone();
                let argument = |name: u8| (name < cube.named).then_some(usize::from(name));
                (step.parent.index(), name, step.arguments_in_node().map(argument).collect())
            });
            let is_dropped = *state == GraphState::Queued && self.fallen.contains(target);
            GraphNode {
                cube: show::formula(vocabulary, cube, &[]),
                target: match target.index() < system.properties.len() {
                    true => GraphTarget::Property(target.index()),
                    false => GraphTarget::Approximation,
                },
                parent,
                state: if is_dropped { GraphState::Dropped } else { state.clone() },
            }
        });
        Graph { nodes: nodes.collect() }
    }
}
