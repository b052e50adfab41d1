//! Satisfiability of relations of all kinds.

use crate::budget::Budget;
use crate::linear::LinearModel;
use crate::ordered::OrderModel;
use crate::relation::{Relation, Sort, Variable};
use crate::unsolved::{Core, Solved};
use crate::{linear, ordered};

/// Values for the variables that occur.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TheoryModel {
    /// Values without arithmetic, and their order.
    pub ordered: OrderModel,
    /// Numbers.
    pub linear: LinearModel,
}

/// Whether all relations can hold at once: see [`ordered::satisfiable`] and [`linear::satisfiable`]. No
/// variable occurs in relations of both kinds, so each kind is decided on its own.
pub fn satisfiable(
    sorts: &[Sort],
    domain: &dyn Fn(Variable) -> u64,
    relations: &[&Relation],
    budget: &mut Budget<'_>,
) -> Solved<TheoryModel> {
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
    // A core in terms of all relations.
    let original = |indices: &[usize], core: Core| core.into_iter().map(|index| indices[index]).collect();
    let ordered = ordered::satisfiable(sorts, domain, &orders, budget)
        .map_err(|unsolved| unsolved.map(|core| original(&order_indices, core)))?;
    let linear = linear::satisfiable(&sums, budget)
        .map_err(|unsolved| unsolved.map(|core| original(&sum_indices, core)))?;
    Ok(TheoryModel { ordered, linear })
}
