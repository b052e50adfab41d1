//! Branch and bound (Land and Doig, *An automatic method of solving discrete programming problems*, 1960):
//! integer values for the variables of a [`Simplex`].
//!
//! A variable whose value `v` is not an integer is at most `floor(v)` or at least `floor(v) + 1`: one after
//! the other is tried. It terminates when the variables are bounded; [`crate::lattice`] makes them so.

use crate::budget::Budget;
use crate::perturbed::Perturbed;
use crate::rational::Rational;
use crate::simplex::{Bound, Conflict, Mark, Premise, Quantity, Side, Simplex, unite};
use crate::unsolved::{Solved, Unsolved};

/// The premise of the first choice, and the next ones follow: above all indices of relations, and far from
/// the premises that stand for none.
const FIRST_CHOICE: Premise = Premise::MAX / 2;

/// One choice that was made: below or above a value that is not an integer.
struct Branch {
    variable: Quantity,
    floor: Rational,
    before: Mark,
    /// The side that is tried at present, and why the other one failed, if it was tried before.
    side: Side,
    failed: Option<Conflict>,
}

/// Looks for integer values of the variables within all bounds; `None` if they are not found after this many
/// branches.
///
/// Afterwards the bounds are as before.
pub(crate) fn branch_and_bound(
    simplex: &mut Simplex,
    branches: u64,
    budget: &mut Budget<'_>,
) -> Solved<Option<Vec<Rational>>, Conflict> {
    let start = simplex.mark();
    let result = search(simplex, branches, budget);
    simplex.undo(start);
    result
}

/// An explicit stack: the depth is limited by nothing but the budget.
fn search(
    simplex: &mut Simplex,
    mut branches: u64,
    budget: &mut Budget<'_>,
) -> Solved<Option<Vec<Rational>>, Conflict> {
    let mut stack: Vec<Branch> = Vec::new();
    loop {
        match simplex.check(budget) {
            Ok(()) => {}
            Err(Unsolved::GaveUp) => return Err(Unsolved::GaveUp),
            Err(Unsolved::Conflict(conflict)) => {
                turn_back(simplex, &mut stack, conflict)?;
                continue;
            }
        }
        let mut variables = 0..simplex.variables();
        let Some(variable) = variables.find(|&variable| !is_integer(simplex.value(variable))) else {
            let value = |variable| simplex.value(variable).number.clone();
            return Ok(Some((0..simplex.variables()).map(value).collect()));
        };
        if branches == 0 {
            return Ok(None);
        }
        branches -= 1;
        budget.step()?;
        let value = &simplex.value(variable).number;
        let floor = value.floor();
        let is_nearer_above = value - &floor > Rational::new(1, 2);
        let side = if is_nearer_above { Side::Lower } else { Side::Upper };
        let branch = Branch { variable, floor, before: simplex.mark(), side, failed: None };
        let taken = branch.take(simplex, premise_at(stack.len()));
        stack.push(branch);
        if let Err(conflict) = taken {
            turn_back(simplex, &mut stack, conflict)?;
        }
    }
}

/// Takes the other side of the last choice that a conflict is due to. What was tried on both sides is a
/// conflict of what was there before: the premises of both, without the choice. If no choice is left, the
/// conflict is due to the bounds that were there at the beginning.
fn turn_back(simplex: &mut Simplex, stack: &mut Vec<Branch>, mut conflict: Conflict) -> Result<(), Conflict> {
    while let Some(mut branch) = stack.pop() {
        simplex.undo(branch.before);
        let premise = premise_at(stack.len());
        let Some(place) = conflict.iter().position(|&other| other == premise) else {
            // The choice has nothing to do with it.
            continue;
        };
        conflict.swap_remove(place);
        match branch.failed.take() {
            Some(other) => unite(&mut conflict, other),
            None => {
                branch.failed = Some(conflict);
                branch.side = branch.side.opposite();
                let taken = branch.take(simplex, premise);
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

impl Branch {
    fn take(&self, simplex: &mut Simplex, premise: Premise) -> Result<(), Conflict> {
        let value = match self.side {
            Side::Upper => self.floor.clone(),
            Side::Lower => &self.floor + &Rational::ONE,
        };
        simplex.bound(self.variable, self.side, Bound { value: Perturbed::exact(value), premise })
    }
}

fn premise_at(depth: usize) -> Premise {
    FIRST_CHOICE + Premise::try_from(depth).expect("the stack of choices fits into memory")
}

fn is_integer(value: &Perturbed) -> bool {
    value.epsilon.is_zero() && value.number.is_integer()
}
