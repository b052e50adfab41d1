//! Nodes: cubes with their history.

use std::ops::Index;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::verification::SymbolicRun;
use crate::cube::renaming::NOWHERE;
use crate::cube::show::{self, CubeFormula};
use crate::cube::store::{NodeId, TargetId};
use crate::cube::vocabulary::Vocabulary;
use crate::cube::{Cube, allocated};
use crate::symbolic::preimage::Predecessor;

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub cube: Arc<Cube>,
    pub target: TargetId,
    /// How many steps lead from it to a property, approximations not counted.
    pub depth: u32,
    /// The first step from it to its target; none if it is part of the target itself.
    pub step: Option<Edge>,
}

/// The step from a node to the one whose predecessor it is.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub parent: NodeId,
    pub transition: u32,
    /// Its arguments, see [`Predecessor::arguments`].
    pub arguments: Box<[u8]>,
    /// What its processes are called in the node, see [`Predecessor::names`].
    pub names: Box<[u8]>,
    pub weakened: bool,
}

impl Node {
    pub fn root(cube: Arc<Cube>, target: TargetId, depth: u32) -> Node {
        Node { cube, target, depth, step: None }
    }

    pub fn before(parent_id: NodeId, parent: &Node, predecessor: Predecessor) -> Node {
        let Predecessor { cube, transition, arguments, names, weakened } = predecessor;
        let transition = u32::try_from(transition).expect("transitions fit into memory");
        Node {
            cube: Arc::new(cube),
            target: parent.target,
            depth: parent.depth + 1,
            step: Some(Edge { parent: parent_id, transition, arguments, names, weakened }),
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

/// All nodes that were found. A node never changes, and is never taken away.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    /// For each cube that is known, the latest node with it.
    latest: FxHashMap<Arc<Cube>, NodeId>,
    heap_bytes: usize,
}

impl Index<NodeId> for Nodes {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
}

impl Nodes {
    pub fn push(&mut self, node: Node) -> NodeId {
        let id = NodeId::new(self.nodes.len());
        self.heap_bytes += node.heap_bytes();
        self.nodes.push(node);
        id
    }

    /// Adds a node whose cube is to be known from now on.
    pub fn push_known(&mut self, node: Node) -> NodeId {
        let cube = Arc::clone(&node.cube);
        let id = self.push(node);
        self.latest.insert(cube, id);
        id
    }

    pub fn is_known(&self, cube: &Cube, target: TargetId) -> bool {
        self.latest.get(cube).is_some_and(|&other| self[other].target == target)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter()
    }

    /// Those that were found last, the last one first: many, but not all of a long search.
    pub fn latest(&self) -> impl Iterator<Item = &Node> {
        const LATEST: usize = 10_000;
        self.nodes.iter().rev().take(LATEST)
    }

    /// No cube is known any more.
    pub fn forget(&mut self) {
        self.latest.clear();
    }

    /// The steps from a node to its target, the first one first.
    pub fn steps(&self, from: NodeId) -> impl Iterator<Item = &Edge> {
        let step = move |id: NodeId| self[id].step.as_ref();
        std::iter::successors(step(from), move |last| step(last.parent))
    }

    pub fn bytes(&self) -> usize {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.heap_bytes;
        // One byte for each entry says whether there is something.
        nodes + self.latest.capacity() * 8 / 7 * (size_of::<(Arc<Cube>, NodeId)>() + 1)
    }
}

/// The run of a node, with one name for each process from the first step to the last.
pub(super) fn symbolic_run(vocabulary: &Vocabulary<'_>, nodes: &Nodes, from: NodeId) -> SymbolicRun {
    let state = |id: NodeId, names: &[u32]| -> CubeFormula {
        let names: Vec<String> = names.iter().map(|name| format!("#{name}")).collect();
        show::formula(vocabulary, &nodes[id].cube, &names)
    };
    let mut last = u32::from(nodes[from].cube.named);
    let mut names: Vec<u32> = (1..=last).collect();
    let mut run = SymbolicRun { steps: Vec::new(), processes: 0, states: vec![state(from, &names)] };
    for step in nodes.steps(from) {
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
        names = all[..usize::from(nodes[step.parent].cube.named)].to_vec();
        run.states.push(state(step.parent, &names));
    }
    run.processes = last;
    run
}
