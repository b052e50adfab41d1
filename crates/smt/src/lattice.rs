//! Integer points of a polyhedron that need not be bounded.
//!
//! Branch and bound alone can go on forever: between `3x - 3y >= 1` and `3x - 3y <= 2` there are points with
//! ever larger coordinates, and none of them is an integer point. Two steps make it finite, after Bromberger,
//! *A reduction from unbounded linear mixed arithmetic problems into bounded problems* (IJCAR 2018).
//!
//! 1. *Only bounded sums matter.* Let `d` be an integer direction in which every point stays in the
//!    polyhedron, that moves as many sums strictly away from their bounds as possible. A sum that it does not
//!    move is bounded on both sides. An integer point that satisfies the bounds of those sums only can be
//!    moved along `d` until it satisfies all others too. So the other bounds can be left out.
//! 2. *Other coordinates.* The coefficients of those sums form a matrix `A`. There is an invertible change of
//!    integer coordinates, `x = U y`, after which as many columns of `A U` as its rank say everything, and
//!    the others are zero. As each sum is bounded, so are the coordinates of those columns; the others are
//!    free. Of all such changes, one is taken that leaves few values for each coordinate: see
//!    [`crate::basis`].

use crate::basis::Basis;
use crate::branch::branch_and_bound;
use crate::budget::Budget;
use crate::perturbed::Perturbed;
use crate::rational::Rational;
use crate::simplex::{Bound, Bounds, Conflict, Premise, Quantity, Side, Simplex, Sum, value_at};
use crate::unsolved::{Solved, Unsolved};

/// The premise of a bound whose premise is not needed.
const NO_PREMISE: Premise = 0;

/// Even a quantity that has only one value has a finite weight.
const SMALLEST_WIDTH: f64 = 1.0 / 16.0;

/// Widths above it make no difference.
const LARGEST_WIDTH: f64 = 1e36;

/// Integer values of the variables with which all quantities are within the bounds that `simplex` has, which
/// are integers. `sums` are the quantities behind the variables, with coprime integer coefficients.
pub(crate) fn integer_point(
    simplex: &mut Simplex,
    sums: &[Sum],
    budget: &mut Budget<'_>,
) -> Solved<Vec<Rational>, Conflict> {
    let variables = simplex.variables();
    let direction = Direction::find(simplex, sums, budget)?;
    let mut bounded = bounded_quantities(simplex, &direction.movable);
    bounded.sort_by_key(|&quantity| !is_fixed(&simplex.bounds()[quantity]));
    let fixed = bounded.partition_point(|&quantity| is_fixed(&simplex.bounds()[quantity]));
    let mut weights = Vec::new();
    for &quantity in &bounded {
        weights.push(1.0 / width(simplex, quantity, budget)?.clamp(SMALLEST_WIDTH, LARGEST_WIDTH));
    }
    let rows = bounded.iter().map(|&quantity| coefficients(quantity, variables, sums)).collect();
    let basis = Basis::new(rows, fixed, variables, &weights);

    let mut search = Simplex::with_rows(basis.rank, bounded.len(), basis.sums().flatten().cloned().collect());
    for (row, &quantity) in bounded.iter().enumerate() {
        for side in Side::BOTH {
            if let Some(bound) = &simplex.bounds()[quantity][side as usize] {
                search.bound(basis.rank + row, side, bound.clone())?;
            }
        }
    }
    let point = branch_and_bound(&mut search, u64::MAX, budget)?.ok_or(Unsolved::GaveUp)?;
    let mut values = basis.old_coordinates(&point);
    direction.move_within_bounds(&mut values, simplex.bounds(), sums);
    Ok(values)
}

/// A direction that stays in the polyhedron, and what it moves away from its bounds.
struct Direction {
    /// One integer for each variable.
    step: Vec<Rational>,
    /// Quantities that have only one bound, on this side, and move away from it.
    movable: Vec<(Quantity, Side)>,
}

impl Direction {
    /// A direction that moves as much as possible.
    ///
    /// Directions are the solutions of the same inequalities with all bounds zero. For each quantity with one
    /// bound, one that moves it is looked for; the sum of all that are found moves everything that each of
    /// them does, since none moves anything towards a bound.
    fn find(simplex: &Simplex, sums: &[Sum], budget: &mut Budget<'_>) -> Solved<Direction, Conflict> {
        let mut cone = Simplex::new(simplex.variables(), sums);
        let mut one_sided = Vec::new();
        for (quantity, bounds) in simplex.bounds().iter().enumerate() {
            for side in Side::BOTH.into_iter().filter(|&side| bounds[side as usize].is_some()) {
                cone.bound(quantity, side, Bound { value: Perturbed::ZERO, premise: NO_PREMISE })?;
                if bounds[side.opposite() as usize].is_none() {
                    one_sided.push((quantity, side));
                }
            }
        }
        let mut step = vec![Rational::ZERO; simplex.variables()];
        for &(quantity, side) in &one_sided {
            if value_at(&step, quantity, sums).is_zero()
                && can_reach(&mut cone, quantity, side, side.inwards(), budget)?
            {
                for (variable, coordinate) in step.iter_mut().enumerate() {
                    *coordinate = &*coordinate + &cone.value(variable).number;
                }
            }
        }
        let divisor = step.iter().fold(Rational::ZERO, |divisor, coordinate| divisor.gcd(coordinate));
        if !divisor.is_zero() {
            step.iter_mut().for_each(|coordinate| *coordinate = &*coordinate / &divisor);
        }
        one_sided.retain(|&(quantity, _)| !value_at(&step, quantity, sums).is_zero());
        Ok(Direction { step, movable: one_sided })
    }

    /// Moves a point along the direction until everything that it moves is within its bounds.
    fn move_within_bounds(&self, point: &mut [Rational], bounds: &[Bounds], sums: &[Sum]) {
        let mut steps = Rational::ZERO;
        for &(quantity, side) in &self.movable {
            let bound = bounds[quantity][side as usize].as_ref().expect("a quantity moves away from a bound");
            let missing = &bound.value.number - &value_at(point, quantity, sums);
            // Negative where the point is within the bound already.
            steps = steps.max((&missing / &value_at(&self.step, quantity, sums)).ceil());
        }
        for (coordinate, step) in point.iter_mut().zip(&self.step) {
            *coordinate = &*coordinate + &(&steps * step);
        }
    }
}

/// The quantities that have bounds and cannot be moved away from them.
fn bounded_quantities(simplex: &Simplex, movable: &[(Quantity, Side)]) -> Vec<Quantity> {
    let has_bounds = |&quantity: &Quantity| simplex.bounds()[quantity].iter().any(Option::is_some);
    let stays = |&quantity: &Quantity| movable.iter().all(|&(other, _)| other != quantity);
    (0..simplex.bounds().len()).filter(has_bounds).filter(stays).collect()
}

/// Whether there is only one value between the bounds.
fn is_fixed(bounds: &Bounds) -> bool {
    matches!(bounds, [Some(lower), Some(upper)] if lower.value == upper.value)
}

fn coefficients(quantity: Quantity, variables: usize, sums: &[Sum]) -> Vec<Rational> {
    let mut coefficients = vec![Rational::ZERO; variables];
    match quantity.checked_sub(variables) {
        None => coefficients[quantity] = Rational::ONE,
        Some(sum) => {
            for (variable, coefficient) in &sums[sum] {
                coefficients[*variable] = coefficient.clone();
            }
        }
    }
    coefficients
}

/// How far a bounded quantity can go between its bounds, roughly: small widths up to a factor of two.
fn width(simplex: &mut Simplex, quantity: Quantity, budget: &mut Budget<'_>) -> Solved<f64, Conflict> {
    let (side, bound) = match &simplex.bounds()[quantity] {
        [Some(lower), Some(upper)] => {
            return Ok((&upper.value.number - &lower.value.number).to_nearby_f64());
        }
        [Some(lower), None] => (Side::Lower, lower),
        [None, Some(upper)] => (Side::Upper, upper),
        [None, None] => unreachable!("a bounded quantity has a bound"),
    };
    let (start, direction) = (bound.value.number.clone(), side.inwards());
    let goal = |width| &start + &(&direction * &Rational::new(width, 1));
    let mut width = 1i128;
    while (width as f64) < LARGEST_WIDTH && can_reach(simplex, quantity, side, goal(width), budget)? {
        width *= if width < 4096 { 2 } else { 256 };
    }
    Ok(width as f64)
}

/// Whether there are values within a tighter bound. The values are kept, the bound is not.
fn can_reach(
    simplex: &mut Simplex,
    quantity: Quantity,
    side: Side,
    goal: Rational,
    budget: &mut Budget<'_>,
) -> Solved<bool, Conflict> {
    let mark = simplex.mark();
    let bound = Bound { value: Perturbed::exact(goal), premise: NO_PREMISE };
    let reached = simplex.bound_and_check(quantity, side, bound, budget);
    simplex.undo(mark);
    match reached {
        Ok(()) => Ok(true),
        Err(Unsolved::Conflict(_)) => Ok(false),
        Err(Unsolved::GaveUp) => Err(Unsolved::GaveUp),
    }
}
