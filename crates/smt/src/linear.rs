//! Satisfiability of linear relations over integers and over rationals, exactly.
//!
//! Relations other than `<>` become bounds on sums (`simplex.rs`); over integers, integer points are looked
//! for (`branch.rs`, `lattice.rs`). Each `<>` that the values at hand violate is split into `<` and `>`: over
//! integers as in any search, over rationals without ever going back.

use crate::branch::branch_and_bound;
use crate::budget::Budget;
use crate::difference;
use crate::lattice;
use crate::perturbed::Perturbed;
use crate::rational::Rational;
use crate::relation::{Comparison, Linear, NumberKind, Variable, find};
use crate::simplex::{Bound, Conflict, Premise, Quantity, Side, Simplex, Sum, unite, value_at};
use crate::unsolved::{Core, Solved, Unsolved};

/// Values for the variables that occur, sorted by the variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinearModel(Vec<(Variable, Rational)>);

impl LinearModel {
    /// The value of a variable; `None` if it does not occur.
    pub fn value(&self, variable: Variable) -> Option<&Rational> {
        find(&self.0, variable)
    }
}

/// Whether all relations can hold at once. No variable occurs in relations of both kinds.
pub fn satisfiable(relations: &[&Linear], budget: &mut Budget<'_>) -> Solved<LinearModel> {
    let core = |conflict: Conflict| -> Core {
        let mut core: Core = conflict.into_iter().map(|premise| premise as usize).collect();
        core.sort_unstable();
        core
    };
    let mut values = Vec::new();
    for kind in [NumberKind::Integer, NumberKind::Real] {
        if relations.iter().any(|relation| relation.kind == kind) {
            values.extend(solve(kind, relations, budget).map_err(|unsolved| unsolved.map(core))?);
        }
    }
    values.sort_unstable_by_key(|&(variable, _)| variable);
    let model = LinearModel(values);
    debug_assert!(
        relations.iter().all(|relation| relation.holds(&|variable| {
            model.value(variable).expect("a model has a value for each variable").clone()
        })),
        "a model satisfies all relations"
    );
    Ok(model)
}

/// The relations of one kind.
fn solve(
    kind: NumberKind,
    relations: &[&Linear],
    budget: &mut Budget<'_>,
) -> Solved<Vec<(Variable, Rational)>, Conflict> {
    budget.step()?;
    match difference::solve(kind, relations) {
        Err(Unsolved::GaveUp) => {}
        decided => return decided,
    }
    let mut problem = Problem::new(kind, relations)?;
    let (rows, columns) = (problem.sums.len(), problem.variables.len());
    if rows.saturating_mul(columns) > MAX_TABLE {
        return Err(Unsolved::GaveUp);
    }
    // Looking for integers may change all coordinates by each other.
    let size = (rows + columns) as u64;
    budget.spend(size.saturating_pow(3) / SMALL_PROBLEM)?;
    let mut simplex = Simplex::new(problem.variables.len(), &problem.sums);
    for (quantity, side, bound) in problem.bounds.drain(..) {
        simplex.bound(quantity, side, bound)?;
    }
    let values = match kind {
        NumberKind::Integer => problem.integer_values(&mut simplex, budget)?,
        NumberKind::Real => problem.real_values(&mut simplex, budget)?,
    };
    Ok(problem.variables.into_iter().zip(values).collect())
}

/// Relations as bounds on quantities. The premise of a bound is the index of its relation.
struct Problem {
    /// The variables, in increasing order: the first quantities.
    variables: Vec<Variable>,
    /// Sums of several variables, by their indices, with coprime integer coefficients of which the first is
    /// positive: the other quantities.
    sums: Vec<Sum>,
    bounds: Vec<(Quantity, Side, Bound)>,
    disequalities: Vec<Disequality>,
}

/// The quantity has not this value.
struct Disequality {
    quantity: Quantity,
    value: Rational,
    premise: Premise,
}

/// The premise of a bound that is not to be mentioned in a core.
const SILENT: Premise = Premise::MAX;

/// How many coefficients a table may have.
const MAX_TABLE: usize = 1 << 18;

/// One step of the budget pays for this much of (rows + columns)³. A smaller problem costs nothing extra.
const SMALL_PROBLEM: u64 = 1 << 18;

/// After this many branches on the variables as they are, integers are looked for in other coordinates.
const FIRST_BRANCHES: u64 = 12;

impl Problem {
    /// The relations of one kind. One that never holds is a conflict on its own.
    fn new(kind: NumberKind, relations: &[&Linear]) -> Result<Problem, Conflict> {
        let mut problem = Problem {
            variables: Vec::new(),
            sums: Vec::new(),
            bounds: Vec::with_capacity(relations.len()),
            disequalities: Vec::new(),
        };
        let of_kind = || relations.iter().enumerate().filter(|(_, relation)| relation.kind == kind);
        problem.variables.extend(of_kind().flat_map(|(_, relation)| relation.variables()));
        problem.variables.sort_unstable();
        problem.variables.dedup();
        for (index, relation) in of_kind() {
            problem.add(relation, Premise::try_from(index).expect("relations fit into memory"))?;
        }
        Ok(problem)
    }

    fn add(&mut self, relation: &Linear, premise: Premise) -> Result<(), Conflict> {
        let Some((_, first)) = relation.terms.first() else {
            let holds = relation.comparison.holds(relation.constant.cmp(&Rational::ZERO));
            return if holds { Ok(()) } else { Err(vec![premise]) };
        };
        let is_reversed = first.is_negative();
        let divisor = if is_reversed { -relation.divisor() } else { relation.divisor() };
        let quantity = self.quantity(relation, &divisor);
        // divisor * quantity + constant, compared with zero, is the quantity compared with this.
        let value = &-&relation.constant / &divisor;
        let is_possible = relation.kind == NumberKind::Real || value.is_integer();
        match relation.comparison {
            Comparison::Equal if is_possible => {
                for side in Side::BOTH {
                    let value = Perturbed::exact(value.clone());
                    self.bounds.push((quantity, side, Bound { value, premise }));
                }
            }
            Comparison::NotEqual if is_possible => {
                self.disequalities.push(Disequality { quantity, value, premise });
            }
            Comparison::Equal => return Err(vec![premise]),
            Comparison::NotEqual => {}
            Comparison::Less | Comparison::LessEqual => {
                let side = if is_reversed { Side::Lower } else { Side::Upper };
                let value = bound(relation.kind, side, value, relation.comparison);
                self.bounds.push((quantity, side, Bound { value, premise }));
            }
        }
        Ok(())
    }

    /// The quantity that times the divisor is the sum of a relation.
    fn quantity(&mut self, relation: &Linear, divisor: &Rational) -> Quantity {
        let index = |variable| self.variables.binary_search(&variable).expect("all variables were collected");
        if let [(variable, _)] = relation.terms.as_slice() {
            return index(*variable);
        }
        let terms = relation.terms.iter();
        let sum: Sum =
            terms.map(|(variable, coefficient)| (index(*variable), coefficient / divisor)).collect();
        let place = self.sums.iter().position(|other| *other == sum).unwrap_or_else(|| {
            self.sums.push(sum);
            self.sums.len() - 1
        });
        self.variables.len() + place
    }

    /// Integer values that satisfy the bounds and the disequalities. Not all of the latter have been split.
    fn integer_values(
        &self,
        simplex: &mut Simplex,
        budget: &mut Budget<'_>,
    ) -> Solved<Vec<Rational>, Conflict> {
        let values = match branch_and_bound(simplex, FIRST_BRANCHES, budget)? {
            Some(values) => values,
            None => lattice::integer_point(simplex, &self.sums, budget)?,
        };
        let is_violated = |disequality: &&Disequality| {
            value_at(&values, disequality.quantity, &self.sums) == disequality.value
        };
        let Some(Disequality { quantity, value, premise }) = self.disequalities.iter().find(is_violated)
        else {
            return Ok(values);
        };
        // Its depth is at most the number of disequalities: behind a split, one is never violated.
        let mut conflict = Conflict::new();
        for side in [Side::Upper, Side::Lower] {
            let mark = simplex.mark();
            let bound = Bound { value: Perturbed::exact(value + &side.inwards()), premise: *premise };
            let added = simplex.bound(*quantity, side, bound).map_err(Unsolved::Conflict);
            let result = added.and_then(|()| self.integer_values(simplex, budget));
            simplex.undo(mark);
            match result {
                Err(Unsolved::Conflict(other)) if other.contains(premise) => unite(&mut conflict, other),
                // A model, the end, or a conflict that has nothing to do with the split.
                _ => return result,
            }
        }
        Err(Unsolved::Conflict(conflict))
    }

    /// Rational values that satisfy the bounds and the disequalities.
    ///
    /// A disequality `s <> 0` is split on the side that is found first, for good. Why that loses nothing: the
    /// set P of points within the bounds is convex. Where it is not empty, its part with `s < 0` is open in
    /// P, so it spans the same affine space as P. If some `t` is zero on that part, it is zero on that space,
    /// and `t <> 0` cannot hold anywhere in P. For the same reason, earlier splits belong to no core.
    fn real_values(&self, simplex: &mut Simplex, budget: &mut Budget<'_>) -> Solved<Vec<Rational>, Conflict> {
        simplex.check(budget)?;
        let is_violated = |simplex: &Simplex, disequality: &&Disequality| {
            let value = simplex.value(disequality.quantity);
            value.epsilon.is_zero() && value.number == disequality.value
        };
        while let Some(disequality) =
            self.disequalities.iter().find(|disequality| is_violated(simplex, disequality))
        {
            budget.step()?;
            split(simplex, disequality, budget)?;
        }
        let epsilon = self.small_enough(simplex);
        Ok((0..self.variables.len()).map(|variable| simplex.value(variable).at(&epsilon)).collect())
    }

    /// A value of ε with which all values stay within their bounds, and satisfy the disequalities.
    fn small_enough(&self, simplex: &Simplex) -> Rational {
        let mut epsilon = Rational::ONE;
        let mut at_most = |limit: Option<Rational>| {
            if let Some(limit) = limit.filter(|limit| *limit < epsilon) {
                epsilon = limit;
            }
        };
        for (quantity, [lower, upper]) in simplex.bounds().iter().enumerate() {
            let value = simplex.value(quantity);
            at_most(lower.as_ref().and_then(|bound| bound.value.stays_below(value)));
            at_most(upper.as_ref().and_then(|bound| value.stays_below(&bound.value)));
        }
        for Disequality { quantity, value, .. } in &self.disequalities {
            let Perturbed { number, epsilon } = simplex.value(*quantity);
            if !epsilon.is_zero() {
                // There both are equal; half of the way, and before, they are not.
                let meeting = &(value - number) / epsilon;
                at_most(meeting.is_positive().then(|| &meeting / &Rational::from(2)));
            }
        }
        epsilon
    }
}

/// Adds a bound on the first side of a disequality of rationals on which there are values, if there are any.
fn split(simplex: &mut Simplex, disequality: &Disequality, budget: &mut Budget<'_>) -> Solved<(), Conflict> {
    let Disequality { quantity, value, premise } = disequality;
    let mut conflict = vec![*premise];
    for side in [Side::Upper, Side::Lower] {
        let mark = simplex.mark();
        let bound = Bound { value: side.strictly(value.clone()), premise: SILENT };
        match simplex.bound_and_check(*quantity, side, bound, budget) {
            Err(Unsolved::Conflict(other)) => unite(&mut conflict, other),
            result => return result,
        }
        simplex.undo(mark);
    }
    conflict.retain(|&premise| premise != SILENT);
    Err(Unsolved::Conflict(conflict))
}

/// The bound of a quantity that is below or above a value, strictly for `<`. Over integers, the quantity is
/// an integer.
fn bound(kind: NumberKind, side: Side, value: Rational, comparison: Comparison) -> Perturbed {
    let is_strict = comparison == Comparison::Less;
    match (kind, side) {
        (NumberKind::Integer, Side::Upper) if is_strict => Perturbed::exact(&value.ceil() - &Rational::ONE),
        (NumberKind::Integer, Side::Upper) => Perturbed::exact(value.floor()),
        (NumberKind::Integer, Side::Lower) if is_strict => Perturbed::exact(&value.floor() + &Rational::ONE),
        (NumberKind::Integer, Side::Lower) => Perturbed::exact(value.ceil()),
        (NumberKind::Real, _) if is_strict => side.strictly(value),
        (NumberKind::Real, _) => Perturbed::exact(value),
    }
}
