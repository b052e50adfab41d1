//! Negation, normalization and renaming of relations, at random points.

use polycube_smt::rational::Rational;
use polycube_smt::relation::{
    Comparison, Linear, Normalized, NumberKind, Ordered, Sort, SortId, Term, Variable,
};
use polycube_testing::for_seeds;

use crate::random::{COMPARISONS, Numbers, SplitMix64, linear, ordered};

const NUMBERS: [Numbers; 4] = [Numbers::Unit, Numbers::Small, Numbers::Large, Numbers::Fractions];

/// Whether a normalized relation holds.
fn holds<R>(normalized: &Normalized<R>, relation_holds: impl Fn(&R) -> bool) -> bool {
    match normalized {
        Normalized::True => true,
        Normalized::False => false,
        Normalized::Relation(relation) => relation_holds(relation),
    }
}

#[test]
fn random_linear_relations_keep_their_meaning() {
    let variables: Vec<Variable> = (0..4).map(Variable).collect();
    for_seeds!(2_000, |seed| {
        let (mut random, round) = (SplitMix64(seed), seed as usize);
        let kind = if round % 2 == 0 { NumberKind::Integer } else { NumberKind::Real };
        let mut relation = linear(&mut random, kind, &variables, NUMBERS[round / 2 % 4], &COMPARISONS);
        let negated = relation.negated();
        let normalized = relation.clone().normalized();
        let renamed = relation.clone().renamed(&|variable| Variable(variable.0 / 2));
        check_form(&normalized);
        for _ in 0..20 {
            let values: Vec<Rational> = (0..4).map(|_| Rational::from(random.between(-9, 9))).collect();
            let value = |variable: Variable| values[usize::from(variable.0)].clone();
            // On the border, where it matters.
            if kind == NumberKind::Real || relation.sum(&value).is_integer() {
                relation.constant =
                    &relation.constant - &(&relation.sum(&value) - &Rational::from(random.between(-1, 1)));
            }
            let (negated_here, normalized_here) = (relation.negated(), relation.clone().normalized());
            assert_eq!(negated_here.holds(&value), !relation.holds(&value), "{relation:?}, {values:?}");
            assert_eq!(
                holds(&normalized_here, |normal| normal.holds(&value)),
                relation.holds(&value),
                "{relation:?}, {normalized_here:?}, {values:?}"
            );
        }
        let values: Vec<Rational> = (0..2).map(|_| Rational::from(random.between(-9, 9))).collect();
        let value = |variable: Variable| values[usize::from(variable.0)].clone();
        let value_before = |variable: Variable| values[usize::from(variable.0 / 2)].clone();
        let original = negated.negated();
        assert_eq!(renamed.holds(&value), original.holds(&value_before));
        assert_eq!(renamed.holds(&value), holds(&normalized, |normal| normal.holds(&value_before)));
    });
}

/// What the documentation of `Linear::normalized` promises.
fn check_form(normalized: &Normalized<Linear>) {
    let Normalized::Relation(relation) = normalized else { return };
    assert_eq!(relation.divisor(), Rational::ONE);
    assert!(relation.terms.iter().all(|(_, coefficient)| coefficient.is_integer()));
    assert!(relation.terms.is_sorted_by(|left, right| left.0 < right.0));
    if let Comparison::Equal | Comparison::NotEqual = relation.comparison {
        assert!(relation.terms[0].1.is_positive());
    }
    if relation.kind == NumberKind::Integer {
        assert!(relation.constant.is_integer());
        assert_ne!(relation.comparison, Comparison::Less);
    }
    assert_eq!(relation.clone().normalized(), *normalized);
}

#[test]
fn random_orders_keep_their_meaning() {
    let sort = Sort { points: 3, other: Some(3) };
    let variables: Vec<Variable> = (0..3).map(Variable).collect();
    for_seeds!(2_000, |seed| {
        let mut random = SplitMix64(seed);
        let relation = ordered(&mut random, SortId(0), sort, &variables, &COMPARISONS);
        let normalized = relation.normalized();
        let renamed = relation.map(|term| match term {
            Term::Point(_) => term,
            Term::Variable(variable) => Term::Variable(Variable(variable.0 / 2)),
        });
        // The points are different, in some order.
        let shift = random.below(3);
        let places: Vec<u64> = (0..3).map(|_| random.below(4)).collect();
        let place = |term| match term {
            Term::Point(point) => (u64::from(point) * 2 + shift) % 3,
            Term::Variable(variable) => places[usize::from(variable.0)],
        };
        let is_true =
            |relation: &Ordered| relation.comparison.holds(place(relation.left).cmp(&place(relation.right)));
        assert_eq!(is_true(&relation.negated()), !is_true(&relation));
        assert_eq!(relation.negated().negated(), relation);
        assert_eq!(holds(&normalized, is_true), is_true(&relation), "{relation:?}");
        assert_eq!(renamed.comparison, relation.comparison);
        assert_eq!(
            renamed.variables().collect::<Vec<_>>(),
            relation.variables().map(|variable| Variable(variable.0 / 2)).collect::<Vec<_>>()
        );
    });
}
