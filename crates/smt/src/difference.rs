//! The frequent small case of linear relations: each bounds a variable, or the difference of two, by a small
//! integer.
//!
//! `x - y <= c` is an edge from y to x with weight c. All such relations can hold at once if and only if
//! there is no cycle with a negative sum of weights (Bellman and Ford), and distances are values of the
//! variables. Over integers the distances are integers.
//!
//! Nothing here is needed: [`crate::simplex`] finds the same answers, some ten times slower.

use crate::branch::unite;
use crate::rational::Rational;
use crate::relation::{Comparison, Linear, NumberKind, Variable};
use crate::simplex::{Conflict, Reason};

/// Values of the variables, or why there are none. `None` if the relations have another form, if there are
/// too many of them, or if splitting a disequality just once on either side does not help.
pub(crate) fn solve(
    kind: NumberKind,
    relations: &[&Linear],
) -> Option<Result<Vec<(Variable, Rational)>, Conflict>> {
    let mut graph = Graph::new(kind);
    for (index, relation) in relations.iter().enumerate().filter(|(_, relation)| relation.kind == kind) {
        match graph.add(relation, Reason::try_from(index).ok()?)? {
            Added::Consistent => {}
            Added::NeverHolds(reason) => return Some(Err(vec![reason])),
        }
    }
    Some(match graph.solve()? {
        Ok(()) => Ok(graph.values()),
        Err(conflict) => Err(conflict),
    })
}

/// Nodes that fit: the variables, and zero.
const MAX_NODES: usize = 16;
/// Edges that fit.
const MAX_EDGES: usize = 40;
const MAX_DISEQUALITIES: usize = 16;

/// Weights count these parts of one. `<` over rationals is one part less: on a cycle there are fewer edges
/// than parts, so that a sum of weights is negative if and only if the sum of the bounds is, or is zero with
/// a `<` among them.
const PARTS: i64 = 64;

/// Constants up to this size are small: no sum of weights overflows.
const MAX_CONSTANT: u64 = 1 << 40;

/// The reason of an edge that comes from splitting a disequality.
const SPLIT: Reason = Reason::MAX;

/// The node that stands for zero.
const ZERO: usize = 0;

/// `to - from <= weight`
#[derive(Clone, Copy, Default)]
struct Edge {
    from: usize,
    to: usize,
    weight: i64,
    reason: Reason,
}

/// `to - from <> weight`
#[derive(Clone, Copy, Default)]
struct Disequality {
    from: usize,
    to: usize,
    weight: i64,
    reason: Reason,
}

struct Graph {
    kind: NumberKind,
    variables: [Variable; MAX_NODES],
    nodes: usize,
    edges: [Edge; MAX_EDGES],
    edge_count: usize,
    disequalities: [Disequality; MAX_DISEQUALITIES],
    disequality_count: usize,
    distances: [i64; MAX_NODES],
}

/// What a relation is on its own.
enum Added {
    Consistent,
    NeverHolds(Reason),
}

impl Graph {
    fn new(kind: NumberKind) -> Graph {
        Graph {
            kind,
            variables: [Variable(0); MAX_NODES],
            nodes: 1,
            edges: [Edge::default(); MAX_EDGES],
            edge_count: 0,
            disequalities: [Disequality::default(); MAX_DISEQUALITIES],
            disequality_count: 0,
            distances: [0; MAX_NODES],
        }
    }

    /// Adds a relation; `None` if it does not fit.
    fn add(&mut self, relation: &Linear, reason: Reason) -> Option<Added> {
        let constant =
            relation.constant.to_i64().filter(|constant| constant.unsigned_abs() <= MAX_CONSTANT)?;
        let (to, from) = match relation.terms.as_slice() {
            [] => {
                let holds = relation.comparison.holds(constant.cmp(&0));
                return Some(if holds { Added::Consistent } else { Added::NeverHolds(reason) });
            }
            [(variable, coefficient)] => match coefficient.to_i64()? {
                1 => (self.node(*variable)?, ZERO),
                -1 => (ZERO, self.node(*variable)?),
                _ => return None,
            },
            [(left, left_coefficient), (right, right_coefficient)] => {
                match (left_coefficient.to_i64()?, right_coefficient.to_i64()?) {
                    (1, -1) => (self.node(*left)?, self.node(*right)?),
                    (-1, 1) => (self.node(*right)?, self.node(*left)?),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let weight = -constant * PARTS;
        match relation.comparison {
            Comparison::LessEqual => self.add_edge(Edge { from, to, weight, reason })?,
            Comparison::Less => self.add_edge(Edge { from, to, weight: weight - self.step(), reason })?,
            Comparison::Equal => {
                self.add_edge(Edge { from, to, weight, reason })?;
                self.add_edge(Edge { from: to, to: from, weight: -weight, reason })?;
            }
            Comparison::NotEqual => {
                *self.disequalities.get_mut(self.disequality_count)? =
                    Disequality { from, to, weight, reason };
                self.disequality_count += 1;
            }
        }
        Some(Added::Consistent)
    }

    fn add_edge(&mut self, edge: Edge) -> Option<()> {
        *self.edges.get_mut(self.edge_count)? = edge;
        self.edge_count += 1;
        Some(())
    }

    fn node(&mut self, variable: Variable) -> Option<usize> {
        if let Some(place) = self.variables[1..self.nodes].iter().position(|&other| other == variable) {
            return Some(place + 1);
        }
        *self.variables.get_mut(self.nodes)? = variable;
        self.nodes += 1;
        Some(self.nodes - 1)
    }

    /// What is left between a number and the next that is strictly below.
    fn step(&self) -> i64 {
        match self.kind {
            NumberKind::Integer => PARTS,
            NumberKind::Real => 1,
        }
    }

    /// Distances that satisfy all edges and disequalities, or a conflict. `None` if they are not found.
    fn solve(&mut self) -> Option<Result<(), Conflict>> {
        if let Err(conflict) = self.find_distances()? {
            return Some(Err(conflict));
        }
        while let Some(disequality) = self.violated() {
            if let Err(mut conflict) = self.split(disequality)? {
                // Over integers, the other side of an earlier split would have to be tried. Over rationals,
                // no split matters: see `linear`.
                if self.kind == NumberKind::Integer && conflict.contains(&SPLIT) {
                    return None;
                }
                conflict.retain(|&reason| reason != SPLIT);
                return Some(Err(conflict));
            }
        }
        Some(Ok(()))
    }

    /// Adds an edge for the first side of a disequality on which there are distances, or says why there are
    /// none on either.
    fn split(&mut self, disequality: Disequality) -> Option<Result<(), Conflict>> {
        let Disequality { from, to, weight, reason } = disequality;
        let below = Edge { from, to, weight: weight - self.step(), reason };
        let above = Edge { from: to, to: from, weight: -weight - self.step(), reason };
        let mut conflict = vec![reason];
        for edge in [below, above] {
            self.add_edge(edge)?;
            match self.find_distances()? {
                Ok(()) => {
                    self.edges[self.edge_count - 1].reason = SPLIT;
                    return Some(Ok(()));
                }
                Err(other) => unite(&mut conflict, other),
            }
            self.edge_count -= 1;
        }
        Some(Err(conflict))
    }

    fn violated(&self) -> Option<Disequality> {
        let is_violated = |disequality: &&Disequality| {
            self.distances[disequality.to] - self.distances[disequality.from] == disequality.weight
        };
        self.disequalities[..self.disequality_count].iter().find(is_violated).copied()
    }

    /// Distances that satisfy all edges, or the reasons of a negative cycle.
    fn find_distances(&mut self) -> Option<Result<(), Conflict>> {
        // Any numbers will do to begin with. With these, few differences are equal, and few disequalities
        // violated.
        for (node, distance) in (0i64..).zip(&mut self.distances) {
            *distance = node * node * PARTS;
        }
        let mut parents = [usize::MAX; MAX_NODES];
        for _ in 0..=self.nodes {
            let mut changed = None;
            for (place, edge) in self.edges[..self.edge_count].iter().enumerate() {
                let distance = self.distances[edge.from] + edge.weight;
                if distance < self.distances[edge.to] {
                    self.distances[edge.to] = distance;
                    parents[edge.to] = place;
                    changed = Some(edge.to);
                }
            }
            let Some(node) = changed else { return Some(Ok(())) };
            if let Some(conflict) = self.cycle(&parents, node) {
                return Some(Err(conflict));
            }
        }
        None
    }

    /// The reasons of a negative cycle among the edges that gave the nodes their distances, behind a node.
    fn cycle(&self, parents: &[usize; MAX_NODES], start: usize) -> Option<Conflict> {
        let parent = |node: usize| self.edges[..self.edge_count].get(parents[node]);
        let mut node = start;
        for _ in 0..self.nodes {
            node = parent(node)?.from;
        }
        let (mut conflict, mut sum, end) = (Conflict::new(), 0, node);
        loop {
            let edge = parent(node)?;
            sum += edge.weight;
            if !conflict.contains(&edge.reason) {
                conflict.push(edge.reason);
            }
            node = edge.from;
            if node == end {
                break;
            }
        }
        (sum < 0).then_some(conflict)
    }

    /// The values of the variables: their distances from zero, in increasing order of the variables.
    fn values(&self) -> Vec<(Variable, Rational)> {
        let value = |node: usize| {
            let parts = self.distances[node] - self.distances[ZERO];
            let number = Rational::new(i128::from(parts), i128::from(PARTS));
            (self.variables[node], number)
        };
        let mut values: Vec<(Variable, Rational)> = (1..self.nodes).map(value).collect();
        values.sort_unstable_by_key(|&(variable, _)| variable);
        values
    }
}
