//! Elimination of a variable: its result at random points, and as a formula for z3.

use std::sync::atomic::{AtomicU64, Ordering};

use polycube_smt::eliminate::eliminate;
use polycube_smt::rational::Rational;
use polycube_smt::relation::{
    Comparison, Linear, NumberKind, Ordered, Relation, Sort, SortId, Term, Variable,
};
use polycube_testing::for_seeds;

use crate::BATCH;
use crate::random::{COMPARISONS, Numbers, SplitMix64, linear, ordered};
use crate::z3::{self, Verdict, Z3};

/// The variable that is eliminated.
const ELIMINATED: Variable = Variable(1);

fn check_form(result: &[Vec<Relation>]) {
    for relation in result.iter().flatten() {
        assert!(relation.variables().all(|variable| variable != ELIMINATED), "{relation:?}");
        assert_eq!(
            relation.clone().normalized(),
            polycube_smt::relation::Normalized::Relation(relation.clone())
        );
    }
}

/// Linear relations, and the numbers among which a value of the variable is, if there is one.
fn linear_relations(
    random: &mut SplitMix64,
    kind: NumberKind,
    numbers: Numbers,
) -> (Vec<Relation>, Vec<Linear>) {
    let variables: Vec<Variable> = (0..random.below(3) as u16 + 2).map(Variable).collect();
    let mut relations = Vec::new();
    for _ in 0..random.below(5) + 1 {
        // Equalities say it all: without them there is more to do.
        let comparisons = if random.once_in(3) { &COMPARISONS[..] } else { &COMPARISONS[1..] };
        relations.push(linear(random, kind, &variables, numbers, comparisons));
    }
    (relations.iter().cloned().map(Relation::from).collect(), relations)
}

fn holds(relation: &Relation, value: &dyn Fn(Variable) -> Rational) -> bool {
    match relation {
        Relation::Linear(linear) => linear.holds(value),
        Relation::Ordered(_) => panic!("only linear relations"),
    }
}

/// Whether the relations hold with some value of the variable. The values where a relation changes are the
/// candidates, with those between them and beyond them; for integers, the nearest of them, more than
/// relations can exclude.
fn holds_for_some_value(relations: &[Linear], value: &dyn Fn(Variable) -> Rational) -> bool {
    let mut roots = vec![Rational::ZERO];
    for relation in relations {
        if let Some(coefficient) = relation.coefficient(ELIMINATED) {
            let with_zero = |variable| if variable == ELIMINATED { Rational::ZERO } else { value(variable) };
            roots.push(&-relation.sum(&with_zero) / coefficient);
        }
    }
    roots.sort();
    let mut candidates = Vec::new();
    if relations[0].kind == NumberKind::Integer {
        let reach = relations.len() as i64 + 1;
        for root in &roots {
            candidates.extend((-reach..=reach).map(|distance| &root.floor() + &Rational::from(distance)));
        }
    } else {
        candidates.push(&roots[0] - &Rational::ONE);
        candidates.push(&roots[roots.len() - 1] + &Rational::ONE);
        for pair in roots.windows(2) {
            candidates.push(&(&pair[0] + &pair[1]) / &Rational::from(2));
        }
        candidates.append(&mut roots);
    }
    candidates.iter().any(|candidate| {
        let value = |variable| if variable == ELIMINATED { candidate.clone() } else { value(variable) };
        relations.iter().all(|relation| relation.holds(&value))
    })
}

/// Whether the instance with this seed could be decided.
fn compare_at_points(seed: u64, kind: NumberKind, numbers: Numbers) -> bool {
    let mut random = SplitMix64(seed);
    let (relations, sums) = linear_relations(&mut random, kind, numbers);
    let Some(result) = eliminate(ELIMINATED, &relations) else { return false };
    check_form(&result);
    for _ in 0..20 {
        let values: Vec<Rational> = (0..4)
            .map(|_| match kind {
                NumberKind::Integer => Rational::from(random.between(-6, 6)),
                NumberKind::Real => {
                    Rational::new(i128::from(random.between(-12, 12)), i128::from(random.between(1, 3)))
                }
            })
            .collect();
        let value = |variable: Variable| values[usize::from(variable.0)].clone();
        let expected = holds_for_some_value(&sums, &value);
        let found = result.iter().any(|conjunction| conjunction.iter().all(|each| holds(each, &value)));
        assert_eq!(found, expected, "{values:?} in {relations:#?}, but {result:#?}");
    }
    true
}

#[test]
fn random_reals_at_points() {
    let numbers = [Numbers::Unit, Numbers::Small, Numbers::Fractions];
    for_seeds!(3_000, |seed| assert!(compare_at_points(seed, NumberKind::Real, numbers[seed as usize % 3])));
}

#[test]
fn random_integers_at_points() {
    let (unit, small) = (AtomicU64::new(0), AtomicU64::new(0));
    let tried = for_seeds!(4_000, |seed| {
        let (numbers, decided) =
            if seed.is_multiple_of(2) { (Numbers::Unit, &unit) } else { (Numbers::Small, &small) };
        let is_decided = compare_at_points(seed, NumberKind::Integer, numbers);
        decided.fetch_add(u64::from(is_decided), Ordering::Relaxed);
    });
    if let Some(tried) = tried {
        // A variable that is added twice has coefficient 2.
        assert!(unit.into_inner() > tried * 45 / 100);
        assert!(small.into_inner() > tried / 8);
    }
}

/// Values are even numbers, and the variable may be between them.
#[test]
fn random_orders_at_points() {
    let sort = Sort { points: 0, other: Some(0) };
    for_seeds!(2_000, |seed| {
        let mut random = SplitMix64(seed);
        let variables: Vec<Variable> = (0..random.below(3) as u16 + 2).map(Variable).collect();
        let mut orders: Vec<Ordered> = Vec::new();
        for _ in 0..random.below(6) + 1 {
            let comparisons = if random.once_in(3) { &COMPARISONS[..] } else { &COMPARISONS[1..] };
            orders.push(ordered(&mut random, SortId(0), sort, &variables, comparisons));
        }
        let relations: Vec<Relation> = orders.iter().copied().map(Relation::from).collect();
        let result = eliminate(ELIMINATED, &relations).expect("orders are dense");
        check_form(&result);
        for _ in 0..10 {
            let values: Vec<i64> = (0..4).map(|_| 2 * random.between(0, 3)).collect();
            let holds = |relation: &Ordered, eliminated: i64| {
                let place = |term| match term {
                    Term::Variable(ELIMINATED) => eliminated,
                    Term::Variable(variable) => values[usize::from(variable.0)],
                    Term::Point(_) => panic!("the sort has no points"),
                };
                relation.comparison.holds(place(relation.left).cmp(&place(relation.right)))
            };
            // No other value is odd: a place between two of them is never excluded.
            let expected =
                (-1..=7).any(|eliminated| orders.iter().all(|relation| holds(relation, eliminated)));
            let found = result.iter().any(|conjunction| {
                conjunction.iter().all(|relation| match relation {
                    Relation::Ordered(ordered) => holds(ordered, i64::MIN),
                    Relation::Linear(_) => panic!("only orders"),
                })
            });
            assert_eq!(found, expected, "{values:?} in {relations:#?}, but {result:#?}");
        }
    });
}

/// z3 looks for values of the other variables for which the result is not equivalent.
#[test]
fn random_results_against_z3() {
    let (asked, decided) = (AtomicU64::new(0), AtomicU64::new(0));
    let tried = for_seeds!(10, |seed| {
        let mut random = SplitMix64(seed);
        let questions: Vec<String> =
            (0..BATCH).filter_map(|round| equivalence_question(&mut random, round)).collect();
        let Some(mut z3) = Z3::start() else { return };
        let verdicts = z3.verdicts_with_quantifiers(&questions);
        for (verdict, question) in verdicts.iter().zip(&questions) {
            assert!(*verdict != Verdict::Satisfiable, "not equivalent:\n{question}");
        }
        let unsatisfiable = verdicts.iter().filter(|&&verdict| verdict == Verdict::Unsatisfiable);
        decided.fetch_add(unsatisfiable.count() as u64, Ordering::Relaxed);
        asked.fetch_add(questions.len() as u64, Ordering::Relaxed);
    });
    if tried.is_some() {
        let (asked, decided) = (asked.into_inner(), decided.into_inner());
        assert!(decided * 10 >= asked * 9, "z3 decides {decided} of {asked}");
    }
}

/// Whether the result of an elimination differs anywhere from what was to be eliminated; none where it has no result.
fn equivalence_question(random: &mut SplitMix64, round: usize) -> Option<String> {
    let kind = if round.is_multiple_of(2) { NumberKind::Integer } else { NumberKind::Real };
    let numbers = if round % 4 < 2 { Numbers::Unit } else { Numbers::Small };
    let (relations, sums) = linear_relations(random, kind, numbers);
    let result = eliminate(ELIMINATED, &relations)?;
    let conjunction = |relations: &mut dyn Iterator<Item = &Linear>| {
        let parts: Vec<String> = relations.map(z3::linear).collect();
        format!("(and true {})", parts.join(" "))
    };
    let disjuncts: Vec<String> = result
        .iter()
        .map(|relations| {
            conjunction(&mut relations.iter().map(|relation| match relation {
                Relation::Linear(linear) => linear,
                Relation::Ordered(_) => panic!("only linear relations"),
            }))
        })
        .collect();
    let mut question = String::new();
    for variable in (0..4).map(Variable) {
        question += &z3::declaration(variable, kind);
    }
    let sort = if kind == NumberKind::Integer { "Int" } else { "Real" };
    question += &format!(
        "(assert (distinct (or false {}) (exists ((v{} {sort})) {})))\n",
        disjuncts.join(" "),
        ELIMINATED.0,
        conjunction(&mut sums.iter()),
    );
    Some(question)
}

#[test]
fn a_disequality_matters_only_where_two_bounds_meet() {
    let relation = |terms: &[(u16, i64)], comparison| {
        let terms =
            terms.iter().map(|&(variable, coefficient)| (Variable(variable), Rational::from(coefficient)));
        Relation::Linear(Linear::new(NumberKind::Real, terms, Rational::ZERO, comparison))
    };
    let (below, above) = (&[(0, 1), (1, -1)], &[(1, 1), (2, -1)]);
    let other = relation(&[(1, 1), (3, -1)], Comparison::NotEqual);
    let strict = [relation(below, Comparison::Less), relation(above, Comparison::LessEqual), other.clone()];
    assert_eq!(
        eliminate(ELIMINATED, &strict),
        Some(vec![vec![relation(&[(0, 1), (2, -1)], Comparison::Less)]])
    );
    let not_strict = [relation(below, Comparison::LessEqual), relation(above, Comparison::LessEqual), other];
    assert_eq!(eliminate(ELIMINATED, &not_strict).map(|result| result.len()), Some(2));
}
