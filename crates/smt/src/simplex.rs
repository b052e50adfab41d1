//! Feasibility of bounds on linear sums: the general simplex method of Dutertre and de Moura, *A fast
//! linear-arithmetic solver for DPLL(T)* (CAV 2006), sections 3 and 4.
//!
//! Some *quantities* are free: the variables. Others are sums of variables. Each may have a lower and an
//! upper bound, and each bound has a *premise*. The question is whether there are values for the variables
//! with which every quantity lies within its bounds; if not, the premises of some bounds that contradict each
//! other are wanted. Bland's rule (the least quantity that can be taken, always) makes it terminate.

use crate::budget::Budget;
use crate::perturbed::Perturbed;
use crate::rational::Rational;
use crate::unsolved::{Solved, Unsolved};

/// A pivot in a table with fewer coefficients is one step.
const SMALL_TABLE: u64 = 1 << 12;

/// A variable or a sum, by its number: variables come first.
pub(crate) type Quantity = usize;

/// A sum of variables with coefficients.
pub(crate) type Sum = Vec<(Quantity, Rational)>;

/// Why a bound is there: a number that the caller chooses.
pub(crate) type Premise = u32;

/// Premises of bounds that contradict each other; without repetition.
pub(crate) type Conflict = Vec<Premise>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Lower,
    Upper,
}

#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) value: Perturbed,
    pub(crate) premise: Premise,
}

/// The bounds of a quantity, by their [`Side`].
pub(crate) type Bounds = [Option<Bound>; 2];

impl Side {
    pub(crate) const BOTH: [Side; 2] = [Side::Lower, Side::Upper];

    pub(crate) fn opposite(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }

    /// The direction away from a bound on this side.
    pub(crate) fn inwards(self) -> Rational {
        match self {
            Side::Lower => Rational::ONE,
            Side::Upper => Rational::from(-1),
        }
    }

    /// The bound on this side that leaves out a number, and nothing else inside.
    pub(crate) fn strictly(self, number: Rational) -> Perturbed {
        Perturbed { number, epsilon: self.inwards() }
    }

    /// Whether a value is strictly outside of a bound on this side.
    fn excludes(self, bound: &Perturbed, value: &Perturbed) -> bool {
        match self {
            Side::Lower => value < bound,
            Side::Upper => value > bound,
        }
    }
}

impl From<Conflict> for Unsolved<Conflict> {
    fn from(conflict: Conflict) -> Unsolved<Conflict> {
        Unsolved::Conflict(conflict)
    }
}

/// Quantities, the bounds that they have at present, and values for all of them.
///
/// Between calls: every quantity in a row has the value that its row says, and every quantity in a column is
/// within its bounds.
#[derive(Clone, Debug)]
pub(crate) struct Simplex {
    bounds: Vec<Bounds>,
    values: Vec<Perturbed>,
    /// The column of each quantity that stands in one.
    columns: Vec<Option<usize>>,
    /// The quantity in each row: the sum of the quantities in the columns, with the coefficients of the row.
    row_quantities: Vec<Quantity>,
    column_quantities: Vec<Quantity>,
    /// One row after the other, each with a coefficient for every column.
    coefficients: Vec<Rational>,
    /// The bounds that were replaced, the last one last.
    trail: Vec<(Quantity, Side, Option<Bound>)>,
}

/// A moment to which bounds can be taken back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(usize);

impl Simplex {
    /// This many variables, and then one quantity for each sum. Nothing has a bound.
    pub(crate) fn new(variables: usize, sums: &[Sum]) -> Simplex {
        let rows = sums.len();
        let mut coefficients = vec![Rational::ZERO; rows * variables];
        for (row, sum) in sums.iter().enumerate() {
            for (variable, coefficient) in sum {
                coefficients[row * variables + variable] = coefficient.clone();
            }
        }
        Simplex::with_rows(variables, rows, coefficients)
    }

    /// The same, with the coefficients of all variables in one sum after the other.
    pub(crate) fn with_rows(variables: usize, rows: usize, coefficients: Vec<Rational>) -> Simplex {
        debug_assert_eq!(coefficients.len(), variables * rows, "a row has a coefficient for each variable");
        Simplex {
            bounds: vec![Bounds::default(); variables + rows],
            values: vec![Perturbed::ZERO; variables + rows],
            columns: (0..variables).map(Some).chain(std::iter::repeat_n(None, rows)).collect(),
            row_quantities: (variables..variables + rows).collect(),
            column_quantities: (0..variables).collect(),
            coefficients,
            trail: Vec::new(),
        }
    }

    /// How many variables there are. A pivot keeps the number of columns.
    pub(crate) fn variables(&self) -> usize {
        self.column_quantities.len()
    }

    /// The value of a quantity. After a [`check`](Simplex::check) that succeeded, it is within its bounds.
    pub(crate) fn value(&self, quantity: Quantity) -> &Perturbed {
        &self.values[quantity]
    }

    pub(crate) fn bounds(&self) -> &[Bounds] {
        &self.bounds
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Takes back every bound since a moment. Values stay as they are: they were within tighter bounds.
    pub(crate) fn undo(&mut self, mark: Mark) {
        for (quantity, side, bound) in self.trail.drain(mark.0..).rev() {
            self.bounds[quantity][side as usize] = bound;
        }
    }

    /// Adds a bound; one that is not tighter than the present one changes nothing. Nor does one that
    /// contradicts the bound on the other side: that is an error.
    pub(crate) fn bound(&mut self, quantity: Quantity, side: Side, bound: Bound) -> Result<(), Conflict> {
        let bounds = &self.bounds[quantity];
        if let Some(present) = &bounds[side as usize]
            && !side.excludes(&bound.value, &present.value)
        {
            return Ok(());
        }
        if let Some(other) = &bounds[side.opposite() as usize]
            && side.excludes(&bound.value, &other.value)
        {
            let mut conflict = vec![bound.premise];
            unite(&mut conflict, [other.premise]);
            return Err(conflict);
        }
        if side.excludes(&bound.value, &self.values[quantity])
            && let Some(column) = self.columns[quantity]
        {
            self.move_column(column, &bound.value);
        }
        let replaced = self.bounds[quantity][side as usize].replace(bound);
        self.trail.push((quantity, side, replaced));
        Ok(())
    }

    /// Adds a bound, and finds values within all bounds, if there are any.
    pub(crate) fn bound_and_check(
        &mut self,
        quantity: Quantity,
        side: Side,
        bound: Bound,
        budget: &mut Budget<'_>,
    ) -> Solved<(), Conflict> {
        self.bound(quantity, side, bound)?;
        self.check(budget)
    }

    /// Gives the quantity in a column a value, and follows in all rows.
    fn move_column(&mut self, column: usize, value: &Perturbed) {
        let quantity = self.column_quantities[column];
        let difference = value.minus(&self.values[quantity]);
        self.values[quantity] = value.clone();
        let columns = self.variables();
        for (row, &quantity) in self.row_quantities.iter().enumerate() {
            let coefficient = &self.coefficients[row * columns + column];
            if !coefficient.is_zero() {
                self.values[quantity].add_multiple(coefficient, &difference);
            }
        }
    }

    /// Finds values within all bounds, if there are any.
    pub(crate) fn check(&mut self, budget: &mut Budget<'_>) -> Solved<(), Conflict> {
        while let Some((row, side)) = self.violated_row() {
            // A pivot rewrites the whole table.
            budget.spend(1 + self.coefficients.len() as u64 / SMALL_TABLE)?;
            let Some(column) = self.column_that_helps(row, side) else {
                return Err(Unsolved::Conflict(self.explain(row, side)));
            };
            let bound = self.bounds[self.row_quantities[row]][side as usize].as_ref();
            let target = bound.expect("a violated bound exists").value.clone();
            self.pivot_and_move(row, column, &target);
        }
        Ok(())
    }

    /// The row of the least quantity that violates a bound, and which bound.
    fn violated_row(&self) -> Option<(usize, Side)> {
        let mut least = None;
        for (row, &quantity) in self.row_quantities.iter().enumerate() {
            if least.is_some_and(|(_, _, other)| other < quantity) {
                continue;
            }
            let (bounds, value) = (&self.bounds[quantity], &self.values[quantity]);
            let is_violated = |side: &Side| {
                bounds[*side as usize].as_ref().is_some_and(|bound| side.excludes(&bound.value, value))
            };
            if let Some(side) = Side::BOTH.into_iter().find(is_violated) {
                least = Some((row, side, quantity));
            }
        }
        least.map(|(row, side, _)| (row, side))
    }

    /// The column of the least quantity that can move so that the row comes nearer to a bound that it
    /// violates.
    fn column_that_helps(&self, row: usize, violated: Side) -> Option<usize> {
        let coefficients = self.row(row);
        let helps = |&column: &usize| {
            let quantity = self.column_quantities[column];
            let Some(side) = needed_side(&coefficients[column], violated) else { return false };
            // Columns are within their bounds: one that is not at the bound can move.
            let bound = self.bounds[quantity][side as usize].as_ref();
            bound.is_none_or(|bound| self.values[quantity] != bound.value)
        };
        (0..self.variables()).filter(helps).min_by_key(|&column| self.column_quantities[column])
    }

    /// Why no column helps: the violated bound, and in each column the bound that holds it back. Together
    /// they are a Farkas certificate, with the coefficients of the row.
    fn explain(&self, row: usize, violated: Side) -> Conflict {
        let premise = |quantity: Quantity, side: Side| {
            let bound = self.bounds[quantity][side as usize].as_ref();
            bound.expect("a bound that holds a quantity back exists").premise
        };
        let mut conflict = vec![premise(self.row_quantities[row], violated)];
        for (&quantity, coefficient) in self.column_quantities.iter().zip(self.row(row)) {
            unite(&mut conflict, needed_side(coefficient, violated).map(|side| premise(quantity, side)));
        }
        conflict
    }

    fn row(&self, row: usize) -> &[Rational] {
        &self.coefficients[row * self.variables()..][..self.variables()]
    }

    /// Exchanges the quantities of a row and a column, and gives the one that was in the row a value.
    fn pivot_and_move(&mut self, row: usize, column: usize, value: &Perturbed) {
        let (leaving, entering) = (self.row_quantities[row], self.column_quantities[column]);
        let step = value.minus(&self.values[leaving]).divided_by(&self.row(row)[column]);
        let mut target = self.values[entering].clone();
        target.add_multiple(&Rational::ONE, &step);
        self.move_column(column, &target);
        self.pivot(row, column);
        self.columns[leaving] = Some(column);
        self.columns[entering] = None;
        self.row_quantities[row] = entering;
        self.column_quantities[column] = leaving;
    }

    /// Solves the row for the quantity in the column, and puts that in for it in the other rows.
    fn pivot(&mut self, row: usize, column: usize) {
        let columns = self.variables();
        let start = row * columns;
        let factor = self.coefficients[start + column].reciprocal();
        for (place, coefficient) in self.coefficients[start..start + columns].iter_mut().enumerate() {
            if place == column {
                *coefficient = factor.clone();
            } else if !coefficient.is_zero() {
                *coefficient = -(&*coefficient * &factor);
            }
        }
        for other in (0..self.row_quantities.len()).filter(|&other| other != row) {
            let multiple = std::mem::take(&mut self.coefficients[other * columns + column]);
            if multiple.is_zero() {
                continue;
            }
            for place in 0..columns {
                let addend = &self.coefficients[start + place];
                if !addend.is_zero() {
                    let sum = &self.coefficients[other * columns + place] + &(&multiple * addend);
                    self.coefficients[other * columns + place] = sum;
                }
            }
        }
    }
}

/// The value of a quantity, when the variables have the values of a point.
pub(crate) fn value_at(point: &[Rational], quantity: Quantity, sums: &[Sum]) -> Rational {
    let Some(sum) = quantity.checked_sub(point.len()) else { return point[quantity].clone() };
    let products = sums[sum].iter().map(|(variable, coefficient)| coefficient * &point[*variable]);
    products.fold(Rational::ZERO, |sum, product| &sum + &product)
}

pub(crate) fn unite(conflict: &mut Conflict, premises: impl IntoIterator<Item = Premise>) {
    for premise in premises {
        if !conflict.contains(&premise) {
            conflict.push(premise);
        }
    }
}

/// Towards which side a column has to move so that a row with this coefficient leaves a bound that it
/// violates.
fn needed_side(coefficient: &Rational, violated: Side) -> Option<Side> {
    match (coefficient.signum(), violated) {
        (0, _) => None,
        (1, Side::Lower) | (-1, Side::Upper) => Some(Side::Upper),
        _ => Some(Side::Lower),
    }
}
