//! Satisfiability of relations of all kinds.

use crate::answer::Answer;
use crate::budget::Budget;
use crate::relation::{Relation, Sort, Variable};
use crate::{linear, ordered};

/// Values for the variables that occur.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// Values without arithmetic, and their order.
    pub ordered: ordered::Model,
    /// Numbers.
    pub linear: linear::Model,
}

/// Whether all relations can hold at once: see [`ordered::satisfiable`] and [`linear::satisfiable`]. No
/// variable occurs in relations of both kinds, so each kind is decided on its own.
pub fn satisfiable(
    sorts: &[Sort],
    domain: &dyn Fn(Variable) -> u64,
    relations: &[&Relation],
    budget: &mut Budget<'_>,
) -> Answer<Model> {
    let (mut orders, mut sums) = (Vec::new(), Vec::new());
    let (mut order_indices, mut sum_indices) = (Vec::new(), Vec::new());
    for (index, relation) in relations.iter().enumerate() {
        match relation {
            Relation::Ordered(ordered) => {
                orders.push(ordered);
                order_indices.push(index);
            }
            Relation::Linear(linear) => {
                sums.push(linear);
                sum_indices.push(index);
            }
        }
    }
    let ordered = match ordered::satisfiable(sorts, domain, &orders, budget) {
        Answer::Satisfiable(model) => model,
        Answer::Unsatisfiable(core) => return Answer::Unsatisfiable(original(&core, &order_indices)),
        Answer::GaveUp => return Answer::GaveUp,
    };
    match linear::satisfiable(&sums, budget) {
        Answer::Satisfiable(linear) => Answer::Satisfiable(Model { ordered, linear }),
        Answer::Unsatisfiable(core) => Answer::Unsatisfiable(original(&core, &sum_indices)),
        Answer::GaveUp => Answer::GaveUp,
    }
}

/// A core in terms of the list from which some were taken.
fn original(core: &[usize], indices: &[usize]) -> Vec<usize> {
    core.iter().map(|&index| indices[index]).collect()
}
