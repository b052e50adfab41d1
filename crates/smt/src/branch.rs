//! Branch and bound: integer values for the variables of a [`Simplex`].
//!
//! A variable whose value `v` is not an integer is at most `floor(v)` or at least `floor(v) + 1`: one after
//! the other is tried. It terminates when the variables are bounded; [`crate::lattice`] makes them so.

use crate::answer::Stop;
use crate::budget::Budget;
use crate::perturbed::Perturbed;
use crate::rational::Rational;
use crate::simplex::{Conflict, Mark, Quantity, Reason, Side, Simplex};

/// What came out.
#[derive(Debug)]
pub(crate) enum Branched {
    /// Values of the variables, all integers, within all bounds.
    Point(Vec<Rational>),
    /// There are none, for these reasons.
    Conflict(Conflict),
    /// Nothing, after as many branches as were allowed.
    TooMany,
}

/// One choice that was made: below or above a value that is not an integer.
struct Branch {
    variable: Quantity,
    floor: Rational,
    before: Mark,
    /// The side that is tried at present, and why the other one failed, if it was tried before.
    side: Side,
    failed: Option<Conflict>,
}

/// Looks for integer values of the first `variables` quantities, with at most this many branches. Reasons from
/// `first_free` on are not used by any bound yet.
///
/// Afterwards the bounds are as before.
pub(crate) fn branch_and_bound(
    simplex: &mut Simplex,
    variables: usize,
    first_free: Reason,
    branches: u64,
    budget: &mut Budget<'_>,
) -> Result<Branched, Stop<Conflict>> {
    let start = simplex.mark();
    let result = search(simplex, variables, first_free, branches, budget);
    simplex.undo(start);
    result
}

/// An explicit stack: the depth is limited by nothing but the budget.
fn search(
    simplex: &mut Simplex,
    variables: usize,
    first_free: Reason,
    mut branches: u64,
    budget: &mut Budget<'_>,
) -> Result<Branched, Stop<Conflict>> {
    let mut stack: Vec<Branch> = Vec::new();
    loop {
        let conflict = match simplex.check(budget) {
            Ok(()) => {
                let Some(variable) = (0..variables).find(|&variable| !is_integer(simplex.value(variable)))
                else {
                    let value = |variable| simplex.value(variable).number.clone();
                    return Ok(Branched::Point((0..variables).map(value).collect()));
                };
                if branches == 0 {
                    return Ok(Branched::TooMany);
                }
                branches -= 1;
                budget.step()?;
                let value = &simplex.value(variable).number;
                let floor = value.floor();
                let is_nearer_above = value - &floor > Rational::new(1, 2);
                let side = if is_nearer_above { Side::Lower } else { Side::Upper };
                let branch = Branch { variable, floor, before: simplex.mark(), side, failed: None };
                let taken = take(simplex, &branch, reason_at(first_free, stack.len()));
                stack.push(branch);
                match taken {
                    Ok(()) => continue,
                    Err(conflict) => conflict,
                }
            }
            Err(Stop::Conflict(conflict)) => conflict,
            Err(Stop::UsedUp) => return Err(Stop::UsedUp),
        };
        if let Err(conflict) = turn_back(simplex, &mut stack, first_free, conflict) {
            return Ok(Branched::Conflict(conflict));
        }
    }
}

/// Takes the other side of the last choice that a conflict is due to. What was tried on both sides is a
/// conflict of what was there before: the reasons of both, without the choice.
///
/// # Errors
///
/// If no choice is left: then the conflict is due to the bounds that were there at the beginning.
fn turn_back(
    simplex: &mut Simplex,
    stack: &mut Vec<Branch>,
    first_free: Reason,
    mut conflict: Conflict,
) -> Result<(), Conflict> {
    while let Some(mut branch) = stack.pop() {
        simplex.undo(branch.before);
        let reason = reason_at(first_free, stack.len());
        let Some(place) = conflict.iter().position(|&other| other == reason) else {
            // The choice has nothing to do with it.
            continue;
        };
        conflict.swap_remove(place);
        match branch.failed.take() {
            Some(other) => unite(&mut conflict, other),
            None => {
                branch.failed = Some(conflict);
                branch.side = branch.side.opposite();
                let taken = take(simplex, &branch, reason);
                stack.push(branch);
                match taken {
                    Ok(()) => return Ok(()),
                    Err(next) => conflict = next,
                }
            }
        }
    }
    Err(conflict)
}

/// Adds the bound of a choice.
fn take(simplex: &mut Simplex, branch: &Branch, reason: Reason) -> Result<(), Conflict> {
    let value = match branch.side {
        Side::Upper => branch.floor.clone(),
        Side::Lower => &branch.floor + &Rational::ONE,
    };
    simplex.bound(branch.variable, branch.side, Perturbed::exact(value), reason)
}

/// The reason of the choice at a depth.
fn reason_at(first_free: Reason, depth: usize) -> Reason {
    first_free + Reason::try_from(depth).expect("the stack of choices fits into memory")
}

/// Adds the reasons of another conflict.
pub(crate) fn unite(conflict: &mut Conflict, other: Conflict) {
    for reason in other {
        if !conflict.contains(&reason) {
            conflict.push(reason);
        }
    }
}

fn is_integer(value: &Perturbed) -> bool {
    value.epsilon.is_zero() && value.number.is_integer()
}
