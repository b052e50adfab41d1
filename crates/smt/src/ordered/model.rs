//! Models: values, and an order of them.

use super::propagate::Edge;
use super::{Domain, Node, Problem};
use crate::relation::{Ordered, SortId, Term, Variable, find};

/// A value of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The point with this number.
    Point(u8),
    /// A value that is not a point. The numbers count such values of a sort from the least on.
    Other(u16),
}

/// Values for the variables that occur, and an order of the values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderModel {
    /// Sorted by the variable.
    values: Vec<(Variable, Value)>,
    orders: Vec<Vec<Value>>,
}

impl OrderModel {
    /// The value of a variable; `None` if it does not occur.
    pub fn value(&self, variable: Variable) -> Option<Value> {
        find(&self.values, variable).copied()
    }

    /// All points of a sort and all others that are values of variables, from the least to the greatest.
    pub fn order(&self, sort: SortId) -> &[Value] {
        &self.orders[usize::from(sort.0)]
    }

    /// Whether a relation holds whose variables occur in the model.
    pub fn satisfies(&self, relation: &Ordered) -> bool {
        let order = self.order(relation.sort);
        let place = |term: Term| {
            let value = match term {
                Term::Point(point) => Value::Point(point),
                Term::Variable(variable) => self.value(variable).expect("the variable occurs in the model"),
            };
            order.iter().position(|&other| other == value).expect("the order contains all values")
        };
        relation.comparison.holds(place(relation.left).cmp(&place(relation.right)))
    }
}

impl Problem<'_> {
    /// The model where propagation found nothing more to do and every variable is a certain point or one of
    /// the others.
    pub(super) fn model(&self, domains: &[Domain]) -> OrderModel {
        let edges = self.edges(domains);
        let equal_nodes = self.equal_nodes(domains, &edges);
        let mut values: Vec<(Variable, Value)> =
            self.variables.iter().map(|&(variable, _)| (variable, Value::Other(0))).collect();
        let mut orders = Vec::with_capacity(self.sorts.len());
        for sort in 0..self.sorts.len() {
            let mut order = Vec::new();
            let mut others = 0;
            for node in self.arranged(sort, &edges, &equal_nodes) {
                let value = if node >= self.variables.len() {
                    let point = u8::try_from(node - self.first_points[sort]);
                    Value::Point(point.expect("a sort counts its points in 8 bits"))
                } else {
                    others += 1;
                    Value::Other(others - 1)
                };
                order.push(value);
                for (variable, _) in equal_nodes.iter().enumerate().filter(|&(_, &equal)| equal == node) {
                    values[variable].1 = value;
                }
            }
            orders.push(order);
        }
        OrderModel { values, orders }
    }

    /// For each variable, the node that stands for all that are equal to it: the point, or else the first
    /// variable.
    fn equal_nodes(&self, domains: &[Domain], edges: &[Edge]) -> Vec<Node> {
        let equal_node = |node: Node| {
            let (values, _) = self.values(domains, node);
            if self.is_point(node, values) {
                return self.point_node(self.variables[node].1, values);
            }
            let is_equal = |&other: &Node| {
                Self::path(edges, node, other).is_some() && Self::path(edges, other, node).is_some()
            };
            (0..node).find(is_equal).unwrap_or(node)
        };
        (0..self.variables.len()).map(equal_node).collect()
    }

    /// The points of a sort, and the variables that stand for others, in an order that agrees with all edges.
    fn arranged(&self, sort: usize, edges: &[Edge], equal_nodes: &[Node]) -> Vec<Node> {
        let points = self.first_points[sort]..self.first_points[sort] + usize::from(self.sorts[sort].points);
        let is_other =
            |&node: &Node| usize::from(self.variables[node].1.0) == sort && equal_nodes[node] == node;
        let mut waiting: Vec<Node> = points.chain((0..self.variables.len()).filter(is_other)).collect();
        let mut arranged = Vec::with_capacity(waiting.len());
        let equal = |node: Node| equal_nodes.get(node).copied().unwrap_or(node);
        while !waiting.is_empty() {
            let is_least = |&node: &Node| {
                edges.iter().all(|edge| {
                    let from = equal(edge.from);
                    equal(edge.to) != node || from == node || !waiting.contains(&from)
                })
            };
            let place = waiting.iter().position(is_least).expect("propagation leaves no cycle");
            arranged.push(waiting.remove(place));
        }
        arranged
    }
}
