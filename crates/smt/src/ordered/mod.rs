//! Satisfiability of relations between values without arithmetic, for some order of them.
//!
//! Each variable has a set of values that it can have. Propagation shrinks these sets as far as equalities,
//! disequalities and cycles of `<=` allow; then one variable after the other is given a value, on trial. When
//! every variable is a certain point or one of the others, what is left is a graph: an edge for each relation
//! that says "not above". Its cycles are equal values. If no cycle contains a `<`, or two values that are
//! different, then an order of the values exists: any that extends the graph, because others can be put
//! wherever one is needed. This is how van Beek, *Reasoning about qualitative temporal information*
//! (Artificial Intelligence 58, 1992), decides networks of the point algebra.
//!
//! The search is conflict-directed backjumping (Prosser, *Hybrid algorithms for the constraint satisfaction
//! problem*, 1993): where the refutation of a value does not use its choice, the others are not tried.

mod model;
mod propagate;

pub use model::{OrderModel, Value};

use crate::budget::Budget;
use crate::relation::{Comparison, Ordered, Sort, SortId, Term, Variable};
use crate::unsolved::{Solved, Unsolved};
use crate::why::Why;

/// Whether all relations can hold at once, for some order of the values of each sort, and values of the
/// variables out of the sets that `domain` gives them.
///
/// A core is one for these sets: its relations cannot hold at once as long as the variables that occur in
/// them have their values from there.
pub fn satisfiable(
    sorts: &[Sort],
    domain: &dyn Fn(Variable) -> u64,
    relations: &[&Ordered],
    budget: &mut Budget<'_>,
) -> Solved<OrderModel> {
    let (problem, domains) = Problem::new(sorts, domain, relations);
    if let Some(index) = problem.relation_about_nothing(&domains) {
        return Err(Unsolved::Conflict(vec![index]));
    }
    let domains = problem
        .search(domains, 0, budget)
        .map_err(|unsolved| unsolved.map(|why| why.core(relations.len())))?;
    let model = problem.model(&domains);
    debug_assert!(relations.iter().all(|relation| model.satisfies(relation)), "{model:?}");
    Ok(model)
}

/// A variable or a point: variables come first, and then the points of one sort after the other.
type Node = usize;

/// What does not change during the search.
struct Problem<'a> {
    sorts: &'a [Sort],
    /// The variables that occur, in increasing order, with their sorts.
    variables: Vec<(Variable, SortId)>,
    /// For each sort, the node of its first point.
    first_points: Vec<Node>,
    relations: Vec<(Node, Comparison, Node)>,
}

/// The values that a variable can have, and why it cannot have any others of those it had at first.
type Domain = (u64, Why);

impl<'a> Problem<'a> {
    fn new(
        sorts: &'a [Sort],
        domain: &dyn Fn(Variable) -> u64,
        relations: &[&Ordered],
    ) -> (Problem<'a>, Vec<Domain>) {
        let mut variables: Vec<(Variable, SortId)> = relations
            .iter()
            .flat_map(|relation| relation.variables().map(|variable| (variable, relation.sort)))
            .collect();
        variables.sort_unstable();
        variables.dedup();
        let mut next = variables.len();
        let mut first_points = Vec::with_capacity(sorts.len());
        for sort in sorts {
            first_points.push(next);
            next += usize::from(sort.points);
        }
        let node = |sort: SortId, term| match term {
            Term::Point(point) => first_points[usize::from(sort.0)] + usize::from(point),
            Term::Variable(variable) => {
                variables.binary_search(&(variable, sort)).expect("all variables were collected")
            }
        };
        let between = |relation: &&Ordered| {
            (node(relation.sort, relation.left), relation.comparison, node(relation.sort, relation.right))
        };
        let relations: Vec<(Node, Comparison, Node)> = relations.iter().map(between).collect();
        let domains = variables.iter().map(|&(variable, sort)| {
            (domain(variable) & sorts[usize::from(sort.0)].values(), Why::default())
        });
        let domains = domains.collect();
        (Problem { sorts, variables, first_points, relations }, domains)
    }

    /// The index of a relation about a variable that can have no value.
    fn relation_about_nothing(&self, domains: &[Domain]) -> Option<usize> {
        let has_no_value = |node: Node| self.values(domains, node).0 == 0;
        self.relations.iter().position(|&(left, _, right)| has_no_value(left) || has_no_value(right))
    }

    /// Values with which all relations hold: every variable is a certain point or one of the others.
    ///
    /// The depth is at most the number of variables.
    fn search(
        &self,
        mut domains: Vec<Domain>,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Solved<Vec<Domain>, Why> {
        self.propagate(&mut domains, budget)?;
        let open = (0..self.variables.len()).filter(|&node| !domains[node].0.is_power_of_two());
        let Some(node) = open.min_by_key(|&node| domains[node].0.count_ones()) else { return Ok(domains) };
        let (values, mut conflict) = domains[node];
        let choice = Why::choice(depth);
        // The others first: they are the least likely to be in the way of anything.
        let others = self.sort(node).others();
        for value in bits(values & others).chain(bits(values & !others)) {
            let mut next = domains.clone();
            next[node] = (value, choice);
            match self.search(next, depth + 1, budget) {
                Err(Unsolved::Conflict(why)) if why.may_depend_on(depth) => {
                    conflict = conflict | why.without(choice);
                }
                result => return result,
            }
        }
        Err(Unsolved::Conflict(conflict))
    }

    fn why(&self, index: usize) -> Why {
        Why::relation(index, self.relations.len())
    }

    fn sort(&self, variable: Node) -> Sort {
        self.sorts[usize::from(self.variables[variable].1.0)]
    }

    /// The values that a node can have, and why not more of them.
    fn values(&self, domains: &[Domain], node: Node) -> (u64, Why) {
        domains.get(node).copied().unwrap_or_else(|| {
            let sort = self.first_points.partition_point(|&first| first <= node) - 1;
            (1 << (node - self.first_points[sort]), Why::default())
        })
    }

    /// The node of the point that a set consists of.
    fn point_node(&self, sort: SortId, values: u64) -> Node {
        self.first_points[usize::from(sort.0)] + values.trailing_zeros() as usize
    }

    /// Whether a set of values of a node is one point.
    fn is_point(&self, node: Node, values: u64) -> bool {
        values.is_power_of_two() && (node >= self.variables.len() || values & self.sort(node).others() == 0)
    }
}

/// The sets of one value each that make up a set.
fn bits(set: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(set), |rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|&rest| rest != 0)
        .map(|rest| rest & rest.wrapping_neg())
}
