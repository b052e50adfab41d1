//! The graph of a search, for people.

use crate::cube::show::CubeFormula;

/// The graph of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The cubes, in the order in which they were found.
    pub nodes: Vec<GraphNode>,
}

/// A cube of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    pub cube: CubeFormula,
    pub target: GraphTarget,
    /// The cube whose predecessor it is, the name of the transition, and its arguments as parameters of this
    /// cube, where it speaks about them.
    pub parent: Option<(usize, String, Vec<Option<usize>>)>,
    pub state: GraphState,
}

/// What a cube leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphTarget {
    /// A property: its index in the system.
    Property(usize),
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
