//! Nodes: cubes with their history.

use std::sync::Arc;

use super::preimage::Predecessor;
use super::verification::SymbolicRun;
use crate::cube::renaming::NOWHERE;
use crate::cube::show::{self, CubeFormula};
use crate::cube::store::NodeId;
use crate::cube::vocabulary::Vocabulary;
use crate::cube::{Cube, allocated};

/// A cube with its history.
#[derive(Clone, Debug)]
pub struct Node {
    /// The cube.
    pub cube: Arc<Cube>,
    /// What it comes from: the index of its [`Origin`](super::origin::Origin).
    pub origin: u32,
    /// How many steps lead from it to a property, approximations not counted.
    pub depth: u32,
    /// The first step from it to its origin; none if it is part of the origin itself.
    pub step: Option<Step>,
}

/// The step from a node to the one whose predecessor it is.
#[derive(Clone, Debug)]
pub struct Step {
    /// The other node.
    pub parent: NodeId,
    /// The index of the transition in the system.
    pub transition: u32,
    /// Its arguments, see [`Predecessor::arguments`].
    pub arguments: Box<[u8]>,
    /// What its processes are called in the node, see [`Predecessor::names`].
    pub names: Box<[u8]>,
    /// Whether some states of the node may have no such step.
    pub weakened: bool,
}

impl Node {
    /// A cube of an origin.
    pub fn root(cube: Cube, origin: u32, depth: u32) -> Node {
        Node { cube: Arc::new(cube), origin, depth, step: None }
    }

    /// A predecessor of another node.
    pub fn before(parent_id: NodeId, parent: &Node, predecessor: Predecessor) -> Node {
        let Predecessor { cube, transition, arguments, names, weakened } = predecessor;
        let transition = u32::try_from(transition).expect("transitions fit into memory");
        Node {
            cube: Arc::new(cube),
            origin: parent.origin,
            depth: parent.depth + 1,
            step: Some(Step { parent: parent_id, transition, arguments, names, weakened }),
        }
    }

    /// Roughly how many bytes it takes on the heap, apart from its own size.
    pub fn heap_bytes(&self) -> usize {
        let step = self.step.as_ref();
        let step = step.map_or(0, |step| allocated(step.arguments.len()) + allocated(step.names.len()));
        // The cube is preceded by two counters.
        allocated(2 * size_of::<usize>() + size_of::<Cube>()) + self.cube.heap_bytes() + step
    }
}

impl Step {
    /// The arguments, as processes of the node; [`NOWHERE`] for those it does not mention.
    pub fn arguments_in_node(&self) -> impl Iterator<Item = u8> + '_ {
        self.arguments.iter().map(|&argument| self.names[usize::from(argument)])
    }
}

/// The steps from a node to its origin, the first one first.
pub fn steps(nodes: &[Node], from: NodeId) -> impl Iterator<Item = &Step> {
    let step = move |id: NodeId| nodes[id.index()].step.as_ref();
    std::iter::successors(step(from), move |last| step(last.parent))
}

/// The run of a node, with one name for each process from the first step to the last.
pub fn symbolic_run(vocabulary: &Vocabulary<'_>, nodes: &[Node], from: NodeId) -> SymbolicRun {
    let state = |id: NodeId, names: &[u32]| -> CubeFormula {
        let names: Vec<String> = names.iter().map(|name| format!("#{name}")).collect();
        show::formula(vocabulary, &nodes[id.index()].cube, &names)
    };
    let mut last = u32::from(nodes[from.index()].cube.named);
    let mut names: Vec<u32> = (1..=last).collect();
    let mut run = SymbolicRun { steps: Vec::new(), processes: 0, states: vec![state(from, &names)] };
    for step in steps(nodes, from) {
        // A process that the node does not mention may be any: it gets a new name.
        let all: Vec<u32> = (step.names.iter())
            .map(|&name| {
                if name == NOWHERE {
                    last += 1;
                    last
                } else {
                    names[usize::from(name)]
                }
            })
            .collect();
        let transition = &vocabulary.system.transitions[step.transition as usize];
        let arguments = step.arguments.iter().map(|&argument| all[usize::from(argument)]).collect();
        run.steps.push((transition.name.clone(), arguments));
        names = all[..usize::from(nodes[step.parent.index()].cube.named)].to_vec();
        run.states.push(state(step.parent, &names));
    }
    run.processes = last;
    run
}
