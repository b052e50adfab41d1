//! Integer coordinates in which a list of sums becomes simple: Hermite normal form, and the reduction of
//! Lenstra, Lenstra and Lovász (*Factoring polynomials with rational coefficients*, 1982).

use std::ops::Range;

use crate::rational::Rational;

/// A change of coordinates, `x = U y`, such that integer points correspond to integer points; and the
/// coefficients of some sums in both.
pub(crate) struct Basis {
    /// `U`, by columns: what a step in each new coordinate is in the old ones.
    columns: Vec<Vec<Rational>>,
    /// The coefficients of each sum in the new coordinates.
    sums: Vec<Vec<Rational>>,
    /// How many of the new coordinates the sums depend on: the first ones.
    pub(crate) rank: usize,
}

/// The most steps of a reduction. With rounded numbers, it might not terminate.
const MAX_STEPS: usize = 2_000;

/// Multiples up to that size are trusted to be right to the last digit.
const TRUSTED_MULTIPLE: f64 = 1e6;

/// How much a step that leaves all sums as they are weighs, compared with a change of the sum with the
/// smallest weight.
const SMALL_WEIGHT: f64 = 1.0 / 65536.0;

impl Basis {
    /// Coordinates for sums of some variables, given by their integer coefficients. The first `fixed` of the
    /// sums can have only one value: the first coordinates are those on which these depend.
    ///
    /// Of the other sums, those with a large weight vary little. The next coordinates are those on which they
    /// depend most: for all values of the sums that are possible, there are few values of these coordinates.
    /// So a search should begin with the first ones.
    pub(crate) fn new(sums: Vec<Vec<Rational>>, fixed: usize, variables: usize, weights: &[f64]) -> Basis {
        let unit = |place: usize| {
            let mut column = vec![Rational::ZERO; variables];
            column[place] = Rational::ONE;
            column
        };
        let rank = rank(sums.clone());
        let mut basis = Basis { columns: (0..variables).map(unit).collect(), sums, rank: 0 };
        for sum in 0..fixed {
            basis.clear_behind_rank(sum);
        }
        let determined = basis.rank;
        // A reduction of all other steps finds those that change no sum too, if they are not very long.
        let smallest = weights.iter().copied().fold(1.0, f64::min);
        basis.reduce(determined..variables, weights, smallest * SMALL_WEIGHT);
        basis.move_idle_columns_back();
        if basis.rank > rank {
            basis.rank = determined;
            for sum in fixed..basis.sums.len() {
                basis.clear_behind_rank(sum);
            }
            basis.reduce(determined..rank, weights, 0.0);
        }
        assert_eq!(basis.rank, rank, "a change of coordinates does not change the rank");
        // The last steps of a reduced basis are long, and orthogonal to those before them: they change the
        // sums most.
        for place in 0..(rank - determined) / 2 {
            basis.swap(determined + place, rank - 1 - place);
        }
        basis
    }

    /// The coefficients of each sum in the coordinates that it depends on.
    pub(crate) fn sums(&self) -> impl ExactSizeIterator<Item = &[Rational]> {
        self.sums.iter().map(|coefficients| &coefficients[..self.rank])
    }

    /// The point whose first coordinates are these, and whose others are zero, in the old coordinates.
    pub(crate) fn old_coordinates(&self, point: &[Rational]) -> Vec<Rational> {
        let mut values = vec![Rational::ZERO; self.columns.len()];
        for (coordinate, column) in point.iter().zip(&self.columns) {
            for (value, entry) in values.iter_mut().zip(column) {
                *value = &*value + &(coordinate * entry);
            }
        }
        values
    }

    /// Clears all coefficients of a sum from column `rank` on, except one, and moves that one into the rank.
    fn clear_behind_rank(&mut self, sum: usize) {
        // Euclid's algorithm, on all columns at once: the smallest coefficient reduces the others, until it
        // is alone.
        let pivot = loop {
            let entries = &self.sums[sum];
            let candidates = (self.rank..entries.len()).filter(|&column| !entries[column].is_zero());
            let Some(pivot) = candidates.clone().min_by_key(|&column| entries[column].abs()) else { return };
            if candidates.count() == 1 {
                break pivot;
            }
            for column in (self.rank..self.columns.len()).filter(|&column| column != pivot) {
                let quotient = rounded(&(&self.sums[sum][column] / &self.sums[sum][pivot]));
                self.subtract(column, &quotient, pivot);
            }
        };
        self.swap(self.rank, pivot);
        self.rank += 1;
    }

    /// Coordinates on which no sum depends are put behind the others.
    fn move_idle_columns_back(&mut self) {
        for column in self.rank..self.columns.len() {
            if self.sums.iter().any(|coefficients| !coefficients[column].is_zero()) {
                self.swap(self.rank, column);
                self.rank += 1;
            }
        }
    }

    /// Makes the steps in some coordinates short, in the sense that the sums change little, and as orthogonal
    /// to each other as possible.
    ///
    /// Every step is an exact change of integer coordinates. Rounding only affects which step is chosen: it
    /// can make the coordinates worse, not wrong.
    fn reduce(&mut self, columns: Range<usize>, weights: &[f64], own_weight: f64) {
        let mut reduced = Orthogonal::default();
        for _ in 0..MAX_STEPS {
            let place = columns.start + reduced.squares.len();
            if place == columns.end {
                return;
            }
            let mut vector = self.weighted_column(place, weights, own_weight);
            let mut largest_multiple = 0.0f64;
            for other in (columns.start..place).rev() {
                let multiple = reduced.factor(&vector, other - columns.start).round();
                // A larger multiple does not fit into 128 bits; skipping it is sound.
                if multiple != 0.0 && multiple.abs() < 1e37 {
                    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 1e37 < 2^127")]
                    let exact = Rational::new(multiple as i128, 1);
                    self.subtract(place, &exact, other);
                    vector = self.weighted_column(place, weights, own_weight);
                    largest_multiple = largest_multiple.max(multiple.abs());
                }
            }
            if largest_multiple > TRUSTED_MULTIPLE {
                // Its last digits are wrong: again, with the smaller numbers that it left.
                continue;
            }
            if !reduced.push(&vector) {
                self.swap(place, place - 1);
                reduced.pop();
            }
        }
    }

    /// How much a step in a coordinate changes the sums and the old coordinates, times their weights.
    fn weighted_column(&self, column: usize, weights: &[f64], own_weight: f64) -> Vec<f64> {
        let sums = self.sums.iter().zip(weights);
        let changes = sums.map(|(coefficients, weight)| coefficients[column].to_nearby_f64() * weight);
        if own_weight == 0.0 {
            return changes.collect();
        }
        let own = self.columns[column].iter().map(|entry| entry.to_nearby_f64() * own_weight);
        changes.chain(own).collect()
    }

    /// Subtracts a multiple of one column from another.
    fn subtract(&mut self, column: usize, multiple: &Rational, subtrahend: usize) {
        if multiple.is_zero() {
            return;
        }
        for coefficients in &mut self.sums {
            coefficients[column] = &coefficients[column] - &(multiple * &coefficients[subtrahend]);
        }
        for place in 0..self.columns.len() {
            let product = multiple * &self.columns[subtrahend][place];
            self.columns[column][place] = &self.columns[column][place] - &product;
        }
    }

    fn swap(&mut self, left: usize, right: usize) {
        for coefficients in &mut self.sums {
            coefficients.swap(left, right);
        }
        self.columns.swap(left, right);
    }
}

/// What is left of each of some vectors when its projection onto those before it is taken away (Gram and
/// Schmidt).
#[derive(Default)]
struct Orthogonal {
    vectors: Vec<Vec<f64>>,
    /// The squares of their lengths.
    squares: Vec<f64>,
}

impl Orthogonal {
    /// The Gram-Schmidt coefficient of `vector` for the vector at `place`.
    fn factor(&self, vector: &[f64], place: usize) -> f64 {
        product(vector, &self.vectors[place]) / self.squares[place].max(f64::MIN_POSITIVE)
    }

    /// Adds what is left of a vector, if it satisfies the condition of Lovász: it is not much shorter than
    /// the last one.
    fn push(&mut self, vector: &[f64]) -> bool {
        let mut rest = vector.to_vec();
        for (place, other) in self.vectors.iter().enumerate() {
            let factor = self.factor(&rest, place);
            for (entry, subtrahend) in rest.iter_mut().zip(other) {
                *entry -= factor * subtrahend;
            }
        }
        let square = product(&rest, &rest);
        let is_long_enough = self.squares.len().checked_sub(1).is_none_or(|last| {
            let factor = self.factor(vector, last);
            square >= (0.75 - factor * factor) * self.squares[last]
        });
        if is_long_enough {
            self.squares.push(square);
            self.vectors.push(rest);
        }
        is_long_enough
    }

    fn pop(&mut self) {
        self.squares.pop();
        self.vectors.pop();
    }
}

/// The rank of a matrix, by Gauss's algorithm.
fn rank(mut rows: Vec<Vec<Rational>>) -> usize {
    let mut rank = 0;
    for column in 0..rows.first().map_or(0, Vec::len) {
        let Some(pivot) = (rank..rows.len()).find(|&row| !rows[row][column].is_zero()) else { continue };
        rows.swap(rank, pivot);
        let (done, rest) = rows.split_at_mut(rank + 1);
        for row in rest.iter_mut().filter(|row| !row[column].is_zero()) {
            let multiple = &row[column] / &done[rank][column];
            for (entry, subtrahend) in row.iter_mut().zip(&done[rank]) {
                *entry = &*entry - &(&multiple * subtrahend);
            }
        }
        rank += 1;
    }
    rank
}

fn product(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

fn rounded(number: &Rational) -> Rational {
    (number + &Rational::new(1, 2)).floor()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(rows: &[&[i64]]) -> Vec<Vec<Rational>> {
        rows.iter().map(|row| row.iter().copied().map(Rational::from).collect()).collect()
    }

    #[test]
    fn sums_in_new_coordinates_have_the_values_of_the_old_ones() {
        let sums = integers(&[&[6, 10, 15, 0], &[-6, -10, -15, 0], &[2, 4, -8, 6], &[8, 14, 7, 6]]);
        let basis = Basis::new(sums.clone(), 1, 4, &[1.0, 1.0, 0.01, 100.0]);
        assert_eq!(basis.rank, 2);
        let point: Vec<Rational> = [3, -5].map(Rational::from).to_vec();
        let old = basis.old_coordinates(&point);
        let value = |coefficients: &[Rational], point: &[Rational]| {
            let products = coefficients.iter().zip(point).map(|(coefficient, value)| coefficient * value);
            products.fold(Rational::ZERO, |sum, product| &sum + &product)
        };
        for (new_sum, old_sum) in basis.sums().zip(&sums) {
            assert_eq!(value(new_sum, &point), value(old_sum, &old));
        }
    }

    #[test]
    fn an_integer_point_in_old_coordinates_is_one_in_new_coordinates() {
        // The sums are the coordinates themselves: then U is the inverse of their coefficients, which are
        // integers only if that is possible.
        let basis = Basis::new(integers(&[&[1, 0], &[0, 1]]), 0, 2, &[1.0, 3.0]);
        let steps: Vec<Vec<Rational>> =
            integers(&[&[1, 0], &[0, 1]]).iter().map(|point| basis.old_coordinates(point)).collect();
        let determinant = &(&steps[0][0] * &steps[1][1]) - &(&steps[0][1] * &steps[1][0]);
        assert_eq!(determinant.abs(), Rational::ONE);
    }
}
