//! Can linear constraints hold together? By elimination of one unknown after the other (Fourier and Motzkin).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use polycube_language::number::Number;

use crate::ground::{Strict, Sum};
use crate::universe::CellId;

const MAX_CONSTRAINTS: usize = 3000;

pub(crate) enum Numbers {
    /// Values for which all constraints hold.
    Possible(BTreeMap<CellId, Number>),
    /// Those with these numbers contradict each other.
    Impossible(Vec<usize>),
    /// Neither was found.
    Open,
}

/// A sum is at most zero, or below it.
#[derive(Clone)]
struct Constraint {
    sum: Sum,
    strict: Strict,
    /// The given constraints that it follows from, sorted.
    from: Vec<usize>,
}

/// Whether these constraints can hold together. No integer lies between two neighbouring ones.
pub(crate) fn solve(given: &[(Sum, Strict)], is_integer: &dyn Fn(CellId) -> bool) -> Numbers {
    let mut constraints: Vec<Constraint> = (given.iter().enumerate())
        .map(|(at, (sum, strict))| Constraint { sum: sum.clone(), strict: *strict, from: vec![at] })
        .map(|constraint| tightened(constraint, is_integer))
        .collect();
    // What was said of each unknown when it was eliminated.
    let mut eliminated: Vec<(CellId, Vec<Constraint>)> = Vec::new();
    loop {
        if let Some(wrong) = constraints.iter().find(|constraint| is_impossible(constraint)) {
            return Numbers::Impossible(wrong.from.clone());
        }
        constraints.retain(|constraint| !constraint.sum.terms.is_empty());
        let Some(cell) = next_unknown(&constraints) else { break };
        let (about, mut rest): (Vec<Constraint>, Vec<Constraint>) =
            constraints.into_iter().partition(|constraint| coefficient(&constraint.sum, cell).is_some());
        let (above, below): (Vec<&Constraint>, Vec<&Constraint>) = about.iter().partition(|constraint| {
            coefficient(&constraint.sum, cell).is_some_and(|number| !number.is_negative())
        });
        if rest.len() + above.len() * below.len() > MAX_CONSTRAINTS {
            return Numbers::Open;
        }
        for upper in &above {
            for lower in &below {
                rest.push(tightened(combined(upper, lower, cell), is_integer));
            }
        }
        eliminated.push((cell, about));
        constraints = rest;
    }
    values(&eliminated, is_integer).map_or(Numbers::Open, Numbers::Possible)
}

/// The unknown whose elimination makes the fewest new constraints.
fn next_unknown(constraints: &[Constraint]) -> Option<CellId> {
    let mut counts: BTreeMap<CellId, (usize, usize)> = BTreeMap::new();
    for constraint in constraints {
        for (cell, number) in &constraint.sum.terms {
            let (below, above) = counts.entry(*cell).or_default();
            *(if number.is_negative() { below } else { above }) += 1;
        }
    }
    counts.into_iter().min_by_key(|(_, (below, above))| below * above).map(|(cell, _)| cell)
}

fn coefficient(sum: &Sum, cell: CellId) -> Option<&Number> {
    sum.terms.iter().find(|(other, _)| *other == cell).map(|(_, number)| number)
}

/// Whether it says that a constant is at most zero that is not.
fn is_impossible(Constraint { sum, strict, .. }: &Constraint) -> bool {
    let is_positive = !sum.constant.is_negative() && !sum.constant.is_zero();
    sum.terms.is_empty() && (is_positive || (*strict == Strict::Yes && sum.constant.is_zero()))
}

/// The sum of two constraints with positive factors, such that the cell does not occur.
fn combined(upper: &Constraint, lower: &Constraint, cell: CellId) -> Constraint {
    let factor =
        |constraint: &Constraint| coefficient(&constraint.sum, cell).expect("the cell occurs in both").abs();
    let sum = upper.sum.scaled(&factor(lower)).plus(&factor(upper), &lower.sum);
    let mut from = [&upper.from[..], &lower.from[..]].concat();
    from.sort_unstable();
    from.dedup();
    Constraint { sum, strict: upper.strict.max(lower.strict), from }
}

/// The same constraint over the integers, with the largest constant that makes no difference.
fn tightened(constraint: Constraint, is_integer: &dyn Fn(CellId) -> bool) -> Constraint {
    let Constraint { sum, strict, from } = constraint;
    if sum.terms.is_empty() || !sum.terms.iter().all(|(cell, _)| is_integer(*cell)) {
        return Constraint { sum, strict, from };
    }
    // With coefficients that are integers and have no common divisor, the sum of the cells takes every
    // integer value.
    let scale = sum.terms.iter().fold(Number::ONE, |scale, (_, number)| {
        let scaled = number.clone() * &scale;
        scale * &Number::from_ratio(scaled.as_ratio().denominator().clone().into())
    });
    let scaled = sum.terms.iter().map(|(_, number)| (number.clone() * &scale).abs());
    let divisor = scaled.fold(Number::ZERO, greatest_common_divisor);
    let mut sum = sum.scaled(&scale.divided_by(&divisor));
    // cells + constant <= 0, and the cells are an integer.
    let smallest = ceil(&sum.constant);
    let is_strict = strict == Strict::Yes && smallest == sum.constant;
    sum.constant = if is_strict { smallest + &Number::ONE } else { smallest };
    Constraint { sum, strict: Strict::No, from }
}

fn greatest_common_divisor(mut left: Number, mut right: Number) -> Number {
    while !right.is_zero() {
        let quotient = floor(&left.divided_by(&right));
        let rest = left - &(quotient * &right);
        (left, right) = (right, rest);
    }
    left
}

fn floor(number: &Number) -> Number {
    Number::from_ratio(number.as_ratio().floor().into())
}

fn ceil(number: &Number) -> Number {
    Number::from_ratio(number.as_ratio().ceil().into())
}

/// Values for the unknowns, the last that was eliminated first; none if there is no integer where one is
/// needed.
fn values(
    eliminated: &[(CellId, Vec<Constraint>)],
    is_integer: &dyn Fn(CellId) -> bool,
) -> Option<BTreeMap<CellId, Number>> {
    let mut values: BTreeMap<CellId, Number> = BTreeMap::new();
    for (cell, about) in eliminated.iter().rev() {
        // The highest lower bound, and the lowest upper bound; of equal ones, a strict one.
        let mut low: Option<(Number, Strict)> = None;
        let mut high: Option<(Number, Reverse<Strict>)> = None;
        for Constraint { sum, strict, .. } in about {
            let mut rest = sum.constant.clone();
            for (other, number) in sum.terms.iter().filter(|(other, _)| other != cell) {
                let value = values.entry(*other).or_insert(Number::ZERO);
                rest = rest + &(value.clone() * number);
            }
            let factor = coefficient(sum, *cell)?;
            let bound = (-rest).divided_by(factor);
            if factor.is_negative() {
                low = low.max(Some((bound, *strict)));
            } else {
                high = high.into_iter().chain([(bound, Reverse(*strict))]).min();
            }
        }
        let high = high.map(|(bound, Reverse(strict))| (bound, strict));
        let value = between(low.as_ref(), high.as_ref(), is_integer(*cell))?;
        values.insert(*cell, value);
    }
    Some(values)
}

fn between(
    low: Option<&(Number, Strict)>,
    high: Option<&(Number, Strict)>,
    is_integer: bool,
) -> Option<Number> {
    let fits = |value: &Number| {
        let above = low.is_none_or(|(low, strict)| low < value || (low == value && *strict == Strict::No));
        let below =
            high.is_none_or(|(high, strict)| value < high || (high == value && *strict == Strict::No));
        above && below && (!is_integer || value.is_integer())
    };
    let mut candidates = vec![Number::ZERO];
    if let Some((low, _)) = low {
        candidates.extend([ceil(low), floor(low) + &Number::ONE]);
    }
    if let Some((high, _)) = high {
        candidates.extend([floor(high), ceil(high) - &Number::ONE]);
    }
    if let (Some((low, _)), Some((high, _))) = (low, high) {
        candidates.extend([low.clone(), (low.clone() + high).divided_by(&Number::from(2))]);
    }
    candidates.into_iter().find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(terms: &[(CellId, i64)], constant: i64) -> Sum {
        let terms = terms.iter().map(|&(cell, number)| (cell, Number::from(number))).collect();
        Sum { terms, constant: Number::from(constant) }
    }

    #[test]
    fn contradictions_name_what_they_come_from() {
        let given = [
            (sum(&[(0, 1), (1, -1)], 0), Strict::Yes),
            (sum(&[(2, 1)], -5), Strict::No),
            (sum(&[(0, -1), (1, 1)], 0), Strict::No),
        ];
        let Numbers::Impossible(core) = solve(&given, &|_| false) else { panic!("x < y and y <= x") };
        assert_eq!(core, [0, 2]);
    }

    #[test]
    fn there_is_no_integer_between_neighbours() {
        let given = [(sum(&[(0, -1)], 0), Strict::Yes), (sum(&[(0, 1)], -1), Strict::Yes)];
        assert!(matches!(solve(&given, &|_| true), Numbers::Impossible(_)));
        let Numbers::Possible(values) = solve(&given, &|_| false) else { panic!("a half is") };
        assert!(Number::ZERO < values[&0] && values[&0] < Number::ONE);
        // 2x <= 1 and 2x >= 1.
        let given = [(sum(&[(0, 2)], -1), Strict::No), (sum(&[(0, -2)], 1), Strict::No)];
        assert!(matches!(solve(&given, &|_| true), Numbers::Impossible(_)));
    }

    #[test]
    fn values_satisfy_the_constraints() {
        let given = [
            (sum(&[(0, 1), (1, -1)], 1), Strict::No),
            (sum(&[(1, 1), (2, -2)], 0), Strict::Yes),
            (sum(&[(2, 1)], -3), Strict::No),
            (sum(&[(0, -1), (2, 1)], -7), Strict::No),
        ];
        let Numbers::Possible(values) = solve(&given, &|_| true) else { panic!("they can hold") };
        for (sum, strict) in &given {
            let total = sum
                .terms
                .iter()
                .fold(sum.constant.clone(), |total, (cell, number)| total + &(values[cell].clone() * number));
            assert!(total.is_negative() || (total.is_zero() && *strict == Strict::No));
        }
    }
}
