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

use crate::answer::Stop;
use crate::basis::Basis;
use crate::branch::{Branched, branch_and_bound};
use crate::budget::Budget;
use crate::perturbed::Perturbed;
use crate::rational::Rational;
use crate::simplex::{Bounds, Conflict, Quantity, Reason, Side, Simplex, value_at};

/// The reason of a bound whose reason is not needed.
const NO_REASON: Reason = 0;

/// Even a quantity that has only one value has a finite weight.
const SMALLEST_WIDTH: f64 = 1.0 / 16.0;

/// Widths above it make no difference.
const LARGEST_WIDTH: f64 = 1e36;

/// Integer values of the variables with which all quantities are within the bounds that `simplex` has, which
/// are integers. `sums` are the quantities behind the variables, with coprime integer coefficients. Reasons
/// from `first_free` on are not used yet.
///
/// # Errors
///
/// If there are none, or the budget is used up.
pub(crate) fn integer_point(
    simplex: &mut Simplex,
    variables: usize,
    sums: &[Vec<(usize, Rational)>],
    first_free: Reason,
    budget: &mut Budget<'_>,
) -> Result<Vec<Rational>, Stop<Conflict>> {
    let direction = Direction::find(simplex, variables, sums, budget)?;
    let mut bounded = bounded_quantities(simplex, &direction.movable);
    bounded.sort_by_key(|&quantity| !is_fixed(&simplex.bounds()[quantity]));
    let fixed = bounded.partition_point(|&quantity| is_fixed(&simplex.bounds()[quantity]));
    let mut weights = Vec::new();
    for &quantity in &bounded {
        weights.push(1.0 / width(simplex, quantity, budget)?.clamp(SMALLEST_WIDTH, LARGEST_WIDTH));
    }
    let rows = bounded.iter().map(|&quantity| coefficients(quantity, variables, sums)).collect();
    let basis = Basis::new(rows, fixed, variables, &weights);

    let mut search =
        Simplex::with_rows(basis.rank(), bounded.len(), basis.sums().flatten().cloned().collect());
    for (row, &quantity) in bounded.iter().enumerate() {
        let bounds = &simplex.bounds()[quantity];
        for side in Side::BOTH {
            if let Some(bound) = bounds.on(side) {
                let (quantity, value) = (basis.rank() + row, bound.value.clone());
                search.bound(quantity, side, value, bound.reason).map_err(Stop::Conflict)?;
            }
        }
    }
    match branch_and_bound(&mut search, basis.rank(), first_free, u64::MAX, budget)? {
        Branched::Point(point) => {
            let mut values = basis.old_coordinates(&point);
            direction.move_within_bounds(&mut values, simplex.bounds(), sums);
            Ok(values)
        }
        Branched::Conflict(conflict) => Err(Stop::Conflict(conflict)),
        Branched::TooMany => Err(Stop::UsedUp),
    }
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
    fn find(
        simplex: &Simplex,
        variables: usize,
        sums: &[Vec<(usize, Rational)>],
        budget: &mut Budget<'_>,
    ) -> Result<Direction, Stop<Conflict>> {
        let mut cone = Simplex::new(variables, sums);
        let mut one_sided = Vec::new();
        for (quantity, bounds) in simplex.bounds().iter().enumerate() {
            for side in Side::BOTH.into_iter().filter(|&side| bounds.on(side).is_some()) {
                cone.bound(quantity, side, Perturbed::ZERO, NO_REASON).map_err(Stop::Conflict)?;
                if bounds.on(side.opposite()).is_none() {
                    one_sided.push((quantity, side));
                }
            }
        }
        let mut step = vec![Rational::ZERO; variables];
        for &(quantity, side) in &one_sided {
            if !value_at(&step, quantity, sums).is_zero() {
                continue;
            }
            let mark = cone.mark();
            let away = Perturbed::exact(Rational::from(away_from(side)));
            match cone.bound_and_check(quantity, side, away, NO_REASON, budget) {
                Ok(()) => {
                    for (variable, coordinate) in step.iter_mut().enumerate() {
                        *coordinate = &*coordinate + &cone.value(variable).number;
                    }
                }
                Err(Stop::Conflict(_)) => {}
                Err(Stop::UsedUp) => return Err(Stop::UsedUp),
            }
            cone.undo(mark);
        }
        let divisor = step.iter().fold(Rational::ZERO, |divisor, coordinate| divisor.gcd(coordinate));
        if !divisor.is_zero() {
            step.iter_mut().for_each(|coordinate| *coordinate = &*coordinate / &divisor);
        }
        one_sided.retain(|&(quantity, _)| !value_at(&step, quantity, sums).is_zero());
        Ok(Direction { step, movable: one_sided })
    }

    /// Moves a point along the direction until everything that it moves is within its bounds.
    fn move_within_bounds(&self, point: &mut [Rational], bounds: &[Bounds], sums: &[Vec<(usize, Rational)>]) {
        let mut steps = Rational::ZERO;
        for &(quantity, side) in &self.movable {
            let bound = &bounds[quantity].on(side).expect("a quantity moves away from a bound").value.number;
            let missing = bound - &value_at(point, quantity, sums);
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
    let mut quantities = Vec::new();
    for (quantity, bounds) in simplex.bounds().iter().enumerate() {
        let has_bounds = bounds.lower.is_some() || bounds.upper.is_some();
        if has_bounds && movable.iter().all(|&(other, _)| other != quantity) {
            quantities.push(quantity);
        }
    }
    quantities
}

/// Whether there is only one value between the bounds.
fn is_fixed(bounds: &Bounds) -> bool {
    match (&bounds.lower, &bounds.upper) {
        (Some(lower), Some(upper)) => lower.value == upper.value,
        _ => false,
    }
}

/// The coefficients of all variables in a quantity.
fn coefficients(quantity: Quantity, variables: usize, sums: &[Vec<(usize, Rational)>]) -> Vec<Rational> {
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

/// How far a bounded quantity can go from one bound to the other, roughly: small widths up to a factor of two.
fn width(simplex: &mut Simplex, quantity: Quantity, budget: &mut Budget<'_>) -> Result<f64, Stop<Conflict>> {
    let bounds = &simplex.bounds()[quantity];
    if let (Some(lower), Some(upper)) = (&bounds.lower, &bounds.upper) {
        return Ok((&upper.value.number - &lower.value.number).to_nearby_f64());
    }
    let side = if bounds.lower.is_some() { Side::Lower } else { Side::Upper };
    let start = bounds.on(side).expect("a bounded quantity has a bound").value.number.clone();
    let mut width = 1i128;
    while (width as f64) < LARGEST_WIDTH {
        let mark = simplex.mark();
        let goal = Perturbed::exact(&start + &Rational::new(i128::from(away_from(side)) * width, 1));
        let reached = simplex.bound_and_check(quantity, side, goal, NO_REASON, budget);
        simplex.undo(mark);
        match reached {
            Ok(()) if width < 4096 => width *= 2,
            Ok(()) => width *= 256,
            Err(Stop::Conflict(_)) => break,
            Err(Stop::UsedUp) => return Err(Stop::UsedUp),
        }
    }
    Ok(width as f64)
}

/// The direction away from a bound on this side.
fn away_from(side: Side) -> i64 {
    match side {
        Side::Lower => 1,
        Side::Upper => -1,
    }
}
