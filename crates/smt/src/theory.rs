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
    for relation in relations {
        match relation {
            Relation::Ordered(ordered) => orders.push(ordered),
            Relation::Linear(linear) => sums.push(linear),
        }
    }
    // A core of the relations of one kind, in terms of all of them.
    let original = |core: Core, is_of_kind: fn(&Relation) -> bool| -> Core {
        let indices: Vec<usize> =
            (0..relations.len()).filter(|&index| is_of_kind(relations[index])).collect();
        core.into_iter().map(|index| indices[index]).collect()
    };
    let ordered = ordered::satisfiable(sorts, domain, &orders, budget).map_err(|unsolved| {
        unsolved.map(|core| original(core, |relation| matches!(relation, Relation::Ordered(_))))
    })?;
    let linear = linear::satisfiable(&sums, budget).map_err(|unsolved| {
        unsolved.map(|core| original(core, |relation| matches!(relation, Relation::Linear(_))))
    })?;
    Ok(TheoryModel { ordered, linear })
}
