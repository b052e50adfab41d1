//! Propagation: what follows about the values of single variables.

use super::{Domain, Node, Problem};
use crate::budget::Budget;
use crate::relation::Comparison;
use crate::unsolved::{Solved, Unsolved};
use crate::why::Why;

/// The third power of how many relations a round may have that is one step.
const SMALL_ROUND: u64 = 1 << 18;

/// `from` is not above `to`, or strictly below.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: Node,
    pub(super) to: Node,
    is_strict: bool,
    /// Whether the same holds in the other direction.
    is_equality: bool,
    why: Why,
}

impl Problem<'_> {
    /// Takes away values that variables cannot have, until there is no more to be seen.
    pub(super) fn propagate(&self, domains: &mut [Domain], budget: &mut Budget<'_>) -> Solved<(), Why> {
        loop {
            // With many relations, a round is much more than a step: paths are looked for from each of them.
            budget.spend(1 + (self.relations.len() as u64).saturating_pow(3) / SMALL_ROUND)?;
            if !self.propagate_values(domains)? && !self.propagate_cycles(domains, budget)? {
                return Ok(());
            }
        }
    }

    /// What single relations say. Whether there is something new.
    fn propagate_values(&self, domains: &mut [Domain]) -> Solved<bool, Why> {
        let mut is_changed = false;
        for (index, &(left, comparison, right)) in self.relations.iter().enumerate() {
            let why = self.why(index);
            match comparison {
                Comparison::Equal => is_changed |= self.equate(domains, left, right, why)?,
                Comparison::NotEqual if left == right => return Err(Unsolved::Conflict(why)),
                Comparison::NotEqual => {
                    for (one, other) in [(left, right), (right, left)] {
                        let (value, because) = self.values(domains, one);
                        if self.is_point(one, value) {
                            is_changed |= self.restrict(domains, other, !value, because | why)?;
                        }
                    }
                }
                Comparison::Less | Comparison::LessEqual => {}
            }
        }
        Ok(is_changed)
    }

    /// What cycles say: those on them are equal. Whether there is something new.
    fn propagate_cycles(&self, domains: &mut [Domain], budget: &mut Budget<'_>) -> Solved<bool, Why> {
        let edges = &self.edges(domains);
        let mut is_changed = false;
        for edge in edges.iter().filter(|edge| !edge.is_equality) {
            budget.check()?;
            if let Some(back) = Self::path(edges, edge.to, edge.from) {
                if edge.is_strict {
                    return Err(Unsolved::Conflict(edge.why | back));
                }
                is_changed |= self.equate(domains, edge.from, edge.to, edge.why | back)?;
            }
        }
        for (index, &(left, comparison, right)) in self.relations.iter().enumerate() {
            budget.check()?;
            if comparison == Comparison::NotEqual
                && let Some(there) = Self::path(edges, left, right)
                && let Some(back) = Self::path(edges, right, left)
            {
                return Err(Unsolved::Conflict(self.why(index) | there | back));
            }
        }
        Ok(is_changed)
    }

    fn equate(&self, domains: &mut [Domain], left: Node, right: Node, why: Why) -> Solved<bool, Why> {
        let ((left_values, because_left), (right_values, because_right)) =
            (self.values(domains, left), self.values(domains, right));
        let is_changed_left = self.restrict(domains, left, right_values, because_right | why)?;
        let is_changed_right = self.restrict(domains, right, left_values, because_left | why)?;
        Ok(is_changed_left | is_changed_right)
    }

    /// Takes all values from a node but these. Whether that changes anything.
    fn restrict(&self, domains: &mut [Domain], node: Node, values: u64, why: Why) -> Solved<bool, Why> {
        let (before, because) = self.values(domains, node);
        if before & values == before {
            return Ok(false);
        }
        if before & values == 0 {
            return Err(Unsolved::Conflict(because | why));
        }
        domains[node] = (before & values, because | why);
        Ok(true)
    }

    /// What the relations say about the order, and that variables with one value are that point.
    pub(super) fn edges(&self, domains: &[Domain]) -> Vec<Edge> {
        let mut edges = Vec::with_capacity(2 * self.relations.len() + 2 * self.variables.len());
        let mut add_equality = |from: Node, to: Node, why: Why| {
            let edge = Edge { from, to, is_strict: false, is_equality: true, why };
            edges.extend([edge, Edge { from: to, to: from, ..edge }]);
        };
        for (node, &(values, why)) in domains.iter().enumerate() {
            if self.is_point(node, values) {
                add_equality(node, self.point_node(self.variables[node].1, values), why);
            }
        }
        for (index, &(left, comparison, right)) in self.relations.iter().enumerate() {
            if comparison == Comparison::Equal {
                add_equality(left, right, self.why(index));
            }
        }
        for (index, &(from, comparison, to)) in self.relations.iter().enumerate() {
            if let Comparison::Less | Comparison::LessEqual = comparison {
                let (is_strict, why) = (comparison == Comparison::Less, self.why(index));
                edges.push(Edge { from, to, is_strict, is_equality: false, why });
            }
        }
        edges
    }

    /// Why one node is not above another: the reasons of a shortest path, if there is one.
    pub(super) fn path(edges: &[Edge], from: Node, to: Node) -> Option<Why> {
        if from == to {
            return Some(Why::default());
        }
        if edges.iter().all(|edge| edge.to != to) {
            return None;
        }
        let mut reached = vec![(from, Why::default())];
        let mut next = 0;
        while let Some(&(node, why)) = reached.get(next) {
            next += 1;
            for edge in edges.iter().filter(|edge| edge.from == node) {
                if edge.to == to {
                    return Some(why | edge.why);
                }
                if reached.iter().all(|&(other, _)| other != edge.to) {
                    reached.push((edge.to, why | edge.why));
                }
            }
        }
        None
    }
}
