//! The graph of a search, drawn by an observer of what becomes of its nodes.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::node::{Node, Step};
use crate::cube::Cube;
use crate::cube::show::{self, CubeFormula};
use crate::cube::store::{NodeId, TargetId};
use crate::cube::vocabulary::Vocabulary;

/// The graph of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The cubes, in the order in which they were found.
    pub nodes: Vec<GraphNode>,
}

/// A cube of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    /// The cube.
    pub cube: CubeFormula,
    /// What it leads to.
    pub target: GraphTarget,
    /// The cube whose predecessor it is, the name of the transition, and its arguments as parameters of this cube, where
    /// it speaks about them.
    pub parent: Option<(usize, String, Vec<Option<usize>>)>,
    /// What became of it.
    pub state: GraphState,
}

/// What a cube leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphTarget {
    /// A property: its index in the system.
    Property(usize),
    /// An approximation.
    Approximation,
}

/// What became of a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphState {
    /// It was expanded, and is part of the invariant.
    Visited,
    /// It waits.
    Queued,
    /// These cubes cover it.
    Covered(Vec<usize>),
    /// It was expanded, and later this larger cube was found.
    Deleted(usize),
    /// This approximation takes its place.
    Approximated(usize),
    /// It is an approximation that states were found to reach.
    Refuted,
    /// It contains initial states: the end of a run.
    Initial,
    /// It contains initial states, but no run was found.
    Spurious,
    /// It led to a property that is known to be violated, or to an approximation that was refuted.
    Dropped,
}

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
