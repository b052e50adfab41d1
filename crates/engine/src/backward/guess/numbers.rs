//! What follows from relations between numbers, and says less.
//!
//! A search backwards from `Ticket[p] = Dispenser` finds `Ticket[p] = Dispenser + 1`, `+ 2`, and so on: it never
//! ends, and all of these are impossible for one reason, that `Ticket[p] < Dispenser`. So what is guessed has to
//! say `>=` where a cube says `=`, and `0` where it says `2`.
//!
//! Whatever is found here follows from what it is made of. That is what makes it sound: a guess takes the place
//! of a cube because it contains the cube.

use polycube_smt::rational::Rational;
use polycube_smt::relation::{Comparison, Linear, Normalized, Relation};

/// A relation with more terms is not looked at.
const MAX_TERMS: usize = 3;

/// How far a constant is moved step by step, beyond the sign.
const STEPS: i64 = 3;

/// Constants that are farther from zero stay as they are.
pub(super) const FAR: u64 = 1 << 40;

/// Relations that follow from some, each with the number of what it comes from: that of the relation, or a
/// further one for what follows from two.
pub(super) fn weaker(relations: &[Relation]) -> Vec<(Relation, usize)> {
    let mut found = Vec::new();
    let linear: Vec<(usize, &Linear)> = (relations.iter().enumerate())
        .filter_map(|(at, relation)| match relation {
            Relation::Linear(linear) => Some((at, linear)),
            Relation::Ordered(_) => None,
        })
        .collect();
    for (at, one) in &linear {
        found.extend(halves(one).into_iter().map(|half| (half, *at)));
    }
    let mut source = relations.len();
    for (place, (_, one)) in linear.iter().enumerate() {
        for (_, other) in &linear[place + 1..] {
            for without in eliminated(one, other) {
                found.extend(halves(&without).into_iter().map(|half| (half, source)));
                found.push((Relation::Linear(without), source));
                source += 1;
            }
        }
    }
    found
}

/// `<=` and `>=`, of an equation.
fn halves(linear: &Linear) -> Vec<Relation> {
    if linear.comparison != Comparison::Equal {
        return Vec::new();
    }
    let below = Linear { comparison: Comparison::LessEqual, ..linear.clone() };
    let above = Linear { comparison: Comparison::LessEqual, ..negative(linear) };
    [below, above].into_iter().filter_map(normal).map(Relation::Linear).collect()
}

/// What follows from two relations, without a variable of both.
fn eliminated(one: &Linear, other: &Linear) -> Vec<Linear> {
    let is_usable = |comparison| matches!(comparison, Comparison::Equal | Comparison::LessEqual);
    if one.kind != other.kind || !is_usable(one.comparison) || !is_usable(other.comparison) {
        return Vec::new();
    }
    let are_equations = one.comparison == Comparison::Equal && other.comparison == Comparison::Equal;
    let comparison = if are_equations { Comparison::Equal } else { Comparison::LessEqual };
    let shared = one.variables().filter_map(|variable| {
        let (first, second) = (one.coefficient(variable)?, other.coefficient(variable)?);
        // One is multiplied by the coefficient of the other, so that the variable has the same one in both with
        // different signs. What is not an equation may only be multiplied by a positive number.
        let (mut left, mut right) = (second.clone(), -first.clone());
        if left.is_negative() {
            (left, right) = (-left, -right);
        }
        let is_allowed = other.comparison == Comparison::Equal || right.is_positive();
        if !is_allowed {
            if one.comparison != Comparison::Equal {
                return None;
            }
            (left, right) = (-left, -right);
        }
        let scaled = |linear: &Linear, factor: &Rational| -> Vec<_> {
            linear.terms.iter().map(|(variable, coefficient)| (*variable, coefficient * factor)).collect()
        };
        let terms = [scaled(one, &left), scaled(other, &right)].concat();
        let constant = &(&one.constant * &left) + &(&other.constant * &right);
        normal(Linear::new(one.kind, terms, constant, comparison))
    });
    shared.collect()
}

/// Relations that say less because of their constant, those that say least last: first with the sign alone,
/// then step by step.
pub(super) fn constants(relation: &Relation) -> Vec<Relation> {
    let Relation::Linear(linear) = relation else { return Vec::new() };
    if linear.comparison != Comparison::LessEqual {
        return Vec::new();
    }
    let Some(constant) = linear.constant.to_i64().filter(|constant| constant.unsigned_abs() < FAR) else {
        return Vec::new();
    };
    // The sum is at most minus the constant: a smaller one says less.
    let sign = if constant > 1 { vec![1, 0] } else { Vec::new() };
    let first = constant.min(1);
    let steps = (1..=STEPS).map(|step| first - step).filter(|next| !sign.contains(next));
    let with = |constant: i64| Linear { constant: Rational::from(constant), ..linear.clone() };
    sign.iter().copied().chain(steps).map(|constant| Relation::Linear(with(constant))).collect()
}

fn negative(linear: &Linear) -> Linear {
    let terms = linear.terms.iter().map(|(variable, coefficient)| (*variable, -coefficient.clone()));
    Linear { terms: terms.collect(), constant: -linear.constant.clone(), ..*linear }
}

fn normal(linear: Linear) -> Option<Linear> {
    match linear.normalized() {
        Normalized::Relation(linear) if linear.terms.len() <= MAX_TERMS => Some(linear),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use polycube_smt::relation::{NumberKind, Variable};
    use polycube_testing::for_seeds;
    use polycube_testing::generate::Random;

    use super::*;

    fn relation(random: &mut Random) -> Option<Relation> {
        let number = |random: &mut Random| Rational::from(random.below(7) as i64 - 3);
        let terms: Vec<_> = (0..random.between(1, 3))
            .map(|_| (Variable(u16::try_from(random.below(4)).expect("few")), number(random)))
            .collect();
        let comparisons = [Comparison::Equal, Comparison::NotEqual, Comparison::Less, Comparison::LessEqual];
        let comparison = *random.pick(&comparisons);
        // Also where the machine's numbers end.
        let ends = [i64::MIN, i64::MIN + 1, i64::MAX];
        let constant = if random.percent(3) { Rational::from(*random.pick(&ends)) } else { number(random) };
        normal(Linear::new(NumberKind::Integer, terms, constant, comparison)).map(Relation::Linear)
    }

    fn holds(relation: &Relation, values: &[i64]) -> bool {
        let Relation::Linear(linear) = relation else { unreachable!("all are linear") };
        linear.holds(&|variable| Rational::from(values[variable.0 as usize]))
    }

    /// Wherever some random relations hold, what is made of them holds.
    #[test]
    fn what_follows_from_random_relations_does() {
        let checked = std::sync::atomic::AtomicU64::new(0);
        let tried = for_seeds!(3_000, |seed| {
            let mut random = Random::new(seed);
            let relations: Vec<Relation> = (0..3).filter_map(|_| relation(&mut random)).collect();
            let weaker = weaker(&relations);
            let constants: Vec<(&Relation, Relation)> = (relations.iter())
                .flat_map(|one| constants(one).into_iter().map(move |other| (one, other)))
                .collect();
            for _ in 0..300 {
                let values: Vec<i64> = (0..4).map(|_| random.below(9) as i64 - 4).collect();
                if relations.iter().all(|one| holds(one, &values)) {
                    checked.fetch_add(weaker.len() as u64, std::sync::atomic::Ordering::Relaxed);
                    assert!(weaker.iter().all(|(one, _)| holds(one, &values)), "{relations:?}: {weaker:?}");
                }
                for (one, other) in &constants {
                    assert!(!holds(one, &values) || holds(other, &values), "{one:?}: {other:?}");
                }
            }
        });
        if let Some(tried) = tried {
            assert!(checked.into_inner() > 3 * tried);
        }
    }
}
