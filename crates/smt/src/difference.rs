//! The frequent small case of linear relations: each bounds a variable, or the difference of two, by a small
//! integer.
//!
//! `x - y <= c` is an edge from y to x with weight c. All such relations can hold at once if and only if
//! there is no cycle with a negative sum of weights, and distances are values of the variables: the algorithm
//! of Bellman and Ford (Cormen, Leiserson, Rivest and Stein, *Introduction to Algorithms*, third edition,
//! section 24.4). Over integers the distances are integers.
//!
//! Nothing here is needed: [`crate::simplex`] finds the same answers, some ten times slower.

use crate::rational::Rational;
use crate::relation::{Comparison, Linear, NumberKind, Variable};
use crate::simplex::{Conflict, Premise, unite};
use crate::unsolved::{Solved, Unsolved};

/// Values of the variables. [`Unsolved::GaveUp`] if the relations have another form, if there are too many of
/// them, or if splitting a disequality just once on either side does not help.
pub(crate) fn solve(kind: NumberKind, relations: &[&Linear]) -> Solved<Vec<(Variable, Rational)>, Conflict> {
    let mut graph = Graph {
        kind,
        variables: Vec::with_capacity(MAX_NODES),
        edges: Vec::with_capacity(2 * relations.len()),
        disequalities: Vec::new(),
        distances: [0; MAX_NODES],
    };
    for (index, relation) in relations.iter().enumerate().filter(|(_, relation)| relation.kind == kind) {
        let premise = Premise::try_from(index).expect("relations fit into memory");
        if !relation.terms.is_empty() {
            graph.add(relation, premise).ok_or(Unsolved::GaveUp)?;
        } else if !relation.comparison.holds(relation.constant.cmp(&Rational::ZERO)) {
            return Err(Unsolved::Conflict(vec![premise]));
        }
    }
    graph.find_distances()?;
    while let Some(disequality) = graph.violated() {
        graph.split(disequality)?;
    }
    Ok(graph.values())
}

/// Nodes that fit: the variables, and zero.
const MAX_NODES: usize = 16;
const MAX_EDGES: usize = 40;
const MAX_DISEQUALITIES: usize = 16;

/// Weights count these parts of one. `<` over rationals is one part less: on a cycle there are fewer edges
/// than parts, so that a sum of weights is negative if and only if the sum of the bounds is, or is zero with
/// a `<` among them.
const PARTS: i64 = 64;

/// Constants up to this size are small: no sum of weights overflows.
const MAX_CONSTANT: u64 = 1 << 40;

/// The premise of an edge that comes from splitting a disequality.
const SPLIT: Premise = Premise::MAX;

/// The node that stands for zero.
const ZERO: usize = 0;

/// `to - from <= weight`, or, as a disequality, `to - from <> weight`
#[derive(Clone, Copy)]
struct Edge {
    from: usize,
    to: usize,
    weight: i64,
    premise: Premise,
}

struct Graph {
    kind: NumberKind,
    /// Those of the nodes behind the first one.
    variables: Vec<Variable>,
    edges: Vec<Edge>,
    disequalities: Vec<Edge>,
    distances: [i64; MAX_NODES],
}

impl Graph {
    /// Adds a relation; `None` if it does not fit.
    fn add(&mut self, relation: &Linear, premise: Premise) -> Option<()> {
        let constant =
            relation.constant.to_i64().filter(|constant| constant.unsigned_abs() <= MAX_CONSTANT)?;
        let (mut to, mut from) = (None, None);
        for (variable, coefficient) in &relation.terms {
            let end = match coefficient.to_i64()? {
                1 => &mut to,
                -1 => &mut from,
                _ => return None,
            };
            if end.replace(*variable).is_some() {
                return None;
            }
        }
        let [to, from] = [to, from].map(|end| end.map_or(Some(ZERO), |variable| self.node(variable)));
        let edge = Edge { from: from?, to: to?, weight: -constant * PARTS, premise };
        match relation.comparison {
            Comparison::LessEqual => self.edges.push(edge),
            Comparison::Less => self.edges.push(self.strict(edge)),
            Comparison::Equal => self.edges.extend([edge, reversed(edge)]),
            Comparison::NotEqual => self.disequalities.push(edge),
        }
        (self.edges.len() <= MAX_EDGES && self.disequalities.len() <= MAX_DISEQUALITIES).then_some(())
    }

    fn node(&mut self, variable: Variable) -> Option<usize> {
        if let Some(place) = self.variables.iter().position(|&other| other == variable) {
            return Some(place + 1);
        }
        self.variables.push(variable);
        (self.nodes() <= MAX_NODES).then_some(self.variables.len())
    }

    fn nodes(&self) -> usize {
        1 + self.variables.len()
    }

    fn strict(&self, edge: Edge) -> Edge {
        let step = match self.kind {
            NumberKind::Integer => PARTS,
            NumberKind::Real => 1,
        };
        Edge { weight: edge.weight - step, ..edge }
    }

    /// Adds an edge for the first side of a disequality on which there are distances, or says why there are
    /// none on either.
    fn split(&mut self, disequality: Edge) -> Solved<(), Conflict> {
        if self.edges.len() == MAX_EDGES {
            return Err(Unsolved::GaveUp);
        }
        let mut conflict = vec![disequality.premise];
        for side in [disequality, reversed(disequality)] {
            self.edges.push(self.strict(side));
            match self.find_distances() {
                Err(Unsolved::Conflict(other)) => unite(&mut conflict, other),
                result => {
                    self.edges.last_mut().expect("it was added").premise = SPLIT;
                    return result;
                }
            }
            self.edges.pop();
        }
        // Over integers, the other side of an earlier split would have to be tried. Over rationals, no split
        // matters: see `linear`.
        if self.kind == NumberKind::Integer && conflict.contains(&SPLIT) {
            return Err(Unsolved::GaveUp);
        }
        conflict.retain(|&premise| premise != SPLIT);
        Err(Unsolved::Conflict(conflict))
    }

    fn violated(&self) -> Option<Edge> {
        let is_violated = |edge: &&Edge| self.distances[edge.to] - self.distances[edge.from] == edge.weight;
        self.disequalities.iter().find(is_violated).copied()
    }

    /// Distances that satisfy all edges, or the premises of a negative cycle.
    fn find_distances(&mut self) -> Solved<(), Conflict> {
        // Any numbers will do to begin with. With these, few differences are equal, and few disequalities
        // violated.
        for (node, distance) in (0i64..).zip(&mut self.distances) {
            *distance = node * node * PARTS;
        }
        let mut parents = [usize::MAX; MAX_NODES];
        for _ in 0..=self.nodes() {
            let mut changed = None;
            for (place, edge) in self.edges.iter().enumerate() {
                let distance = self.distances[edge.from] + edge.weight;
                if distance < self.distances[edge.to] {
                    self.distances[edge.to] = distance;
                    parents[edge.to] = place;
                    changed = Some(edge.to);
                }
            }
            let Some(node) = changed else { return Ok(()) };
            if let Some(conflict) = self.cycle(&parents, node) {
                return Err(Unsolved::Conflict(conflict));
            }
        }
        Err(Unsolved::GaveUp)
    }

    /// The premises of a negative cycle among the edges that gave the nodes their distances, behind a node.
    fn cycle(&self, parents: &[usize; MAX_NODES], start: usize) -> Option<Conflict> {
        let parent = |node: usize| self.edges.get(parents[node]);
        let mut node = start;
        for _ in 0..self.nodes() {
            node = parent(node)?.from;
        }
        let (mut conflict, mut sum, end) = (Conflict::new(), 0, node);
        loop {
            let edge = parent(node)?;
            sum += edge.weight;
            unite(&mut conflict, [edge.premise]);
            node = edge.from;
            if node == end {
                break;
            }
        }
        (sum < 0).then_some(conflict)
    }

    /// The values of the variables: their distances from zero.
    fn values(&self) -> Vec<(Variable, Rational)> {
        let value = |(&variable, distance): (&Variable, &i64)| {
            let parts = distance - self.distances[ZERO];
            (variable, Rational::new(i128::from(parts), i128::from(PARTS)))
        };
        self.variables.iter().zip(&self.distances[1..]).map(value).collect()
    }
}

/// The same edge, seen from its other end.
fn reversed(edge: Edge) -> Edge {
    Edge { from: edge.to, to: edge.from, weight: -edge.weight, ..edge }
}
