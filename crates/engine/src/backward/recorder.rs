//! An observer of what becomes of the nodes of a search, which draws the graph.

use super::graph::{Graph, GraphNode, GraphState, GraphTarget};
use super::node::Nodes;
use super::target::Targets;
use crate::cube::show;
use crate::cube::store::NodeId;
use crate::cube::vocabulary::Vocabulary;

/// Observes what becomes of nodes, if a graph is wanted. The search never asks it anything.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    /// What became of each node so far.
    states: Option<Vec<GraphState>>,
}

impl Recorder {
    pub fn new(is_wanted: bool) -> Recorder {
        Recorder { states: is_wanted.then(Vec::new) }
    }

    pub fn became(&mut self, id: NodeId, state: impl FnOnce() -> GraphState) {
        let Some(states) = &mut self.states else { return };
        states.resize(states.len().max(id.index() + 1), GraphState::Queued);
        let (before, state) = (&mut states[id.index()], state());
        // A spurious one also waits, and is visited.
        let is_routine = matches!(state, GraphState::Queued | GraphState::Visited);
        if !(is_routine && *before == GraphState::Spurious) {
            *before = state;
        }
    }

    /// The graph, if it is wanted.
    pub fn graph(&self, vocabulary: &Vocabulary<'_>, nodes: &Nodes, targets: &Targets) -> Option<Graph> {
        let rest = std::iter::repeat(&GraphState::Queued);
        let nodes = nodes.iter().zip(self.states.as_ref()?.iter().chain(rest)).map(|(node, state)| {
            let parent = node.step.as_ref().map(|step| {
                let name = vocabulary.system.transitions[step.transition as usize].name.clone();
                let argument = |&argument: &u8| {
                    let name = step.names[usize::from(argument)];
                    (name < node.cube.named).then_some(usize::from(name))
                };
                (step.parent.index(), name, step.arguments.iter().map(argument).collect())
            });
            // What leads to a target that has fallen waits in vain.
            let is_dropped = *state == GraphState::Queued && targets[node.target].has_fallen();
            GraphNode {
                cube: show::formula(vocabulary, &node.cube, &[]),
                target: match targets.is_property(node.target) {
                    true => GraphTarget::Property(node.target.index()),
                    false => GraphTarget::Approximation,
                },
                parent,
                state: if is_dropped { GraphState::Dropped } else { state.clone() },
            }
        });
        Some(Graph { nodes: nodes.collect() })
    }
}
