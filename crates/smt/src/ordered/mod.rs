//! Satisfiability of relations between values without arithmetic, for some order of them.
//!
//! Each variable has a set of values that it can have. Propagation shrinks these sets as far as equalities,
//! disequalities and cycles of `<=` allow; then one variable after the other is given a value, on trial. When
//! every variable is a certain point or one of the others, what is left is a graph: an edge for each relation
//! that says "not above". Its cycles are equal values. If no cycle contains a `<`, or two values that are
//! different, then an order of the values exists: any that extends the graph, because others can be put
//! wherever one is needed.

mod model;
mod propagate;

pub use model::{Model, Value};

use crate::answer::{Answer, Stop};
use crate::budget::Budget;
use crate::relation::{Comparison, Ordered, Sort, SortId, Term, Variable};
use crate::why::{Relations, Why};

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
) -> Answer<Model> {
    let (problem, state) = Problem::new(sorts, domain, relations);
    if let Some(index) = problem.relation_about_nothing(&state) {
        return Answer::Unsatisfiable(vec![index]);
    }
    match problem.search(state, 0, budget) {
        Ok(state) => {
            let model = problem.model(&state);
            debug_assert!(relations.iter().all(|relation| model.satisfies(relation)), "{model:?}");
            Answer::Satisfiable(model)
        }
        Err(Stop::Conflict(why)) => Answer::Unsatisfiable(why.core(problem.reasons)),
        Err(Stop::UsedUp) => Answer::GaveUp,
    }
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
    reasons: Relations,
}

/// What is known at some moment.
#[derive(Clone)]
struct State {
    /// For each variable, the values that it can have, and why it cannot have any others of its domain.
    domains: Vec<(u64, Why)>,
}

impl<'a> Problem<'a> {
    fn new(
        sorts: &'a [Sort],
        domain: &dyn Fn(Variable) -> u64,
        relations: &[&Ordered],
    ) -> (Problem<'a>, State) {
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
        let state = State { domains: domains.collect() };
        let reasons = Relations::new(relations.len());
        (Problem { sorts, variables, first_points, relations, reasons }, state)
    }

    /// The index of a relation about a variable that can have no value.
    fn relation_about_nothing(&self, state: &State) -> Option<usize> {
        let has_no_value = |node: Node| self.values(state, node).0 == 0;
        self.relations.iter().position(|&(left, _, right)| has_no_value(left) || has_no_value(right))
    }

    /// Values with which all relations hold: a state in which every variable is a certain point or one of the
    /// others.
    ///
    /// The depth is at most the number of variables.
    fn search(&self, mut state: State, depth: u32, budget: &mut Budget<'_>) -> Result<State, Stop<Why>> {
        self.propagate(&mut state, budget)?;
        let open = (0..self.variables.len()).filter(|&node| !state.domains[node].0.is_power_of_two());
        let Some(node) = open.min_by_key(|&node| state.domains[node].0.count_ones()) else {
            return Ok(state);
        };
        let (values, mut conflict) = state.domains[node];
        let choice = Why::choice(depth);
        // The others first: they are the least likely to be in the way of anything.
        let others = self.sort(node).others();
        for value in bits(values & others).chain(bits(values & !others)) {
            let mut next = state.clone();
            next.domains[node] = (value, choice);
            match self.search(next, depth + 1, budget) {
                Err(Stop::Conflict(why)) if why.may_depend_on(depth) => conflict |= why.without(choice),
                result => return result,
            }
        }
        Err(Stop::Conflict(conflict))
    }

    /// The sort of a variable.
    fn sort(&self, variable: Node) -> Sort {
        self.sorts[usize::from(self.variables[variable].1.0)]
    }

    /// The values that a node can have, and why not more of them.
    fn values(&self, state: &State, node: Node) -> (u64, Why) {
        match state.domains.get(node) {
            Some(&domain) => domain,
            None => (1 << self.point(node), Why::default()),
        }
    }

    /// The number of the point that a node is.
    fn point(&self, node: Node) -> usize {
        let sort = self.first_points.partition_point(|&first| first <= node) - 1;
        node - self.first_points[sort]
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
