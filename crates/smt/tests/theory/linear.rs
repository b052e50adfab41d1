//! Conjunctions of linear relations.

use polycube_smt::budget::Budget;
use polycube_smt::linear::{LinearModel, satisfiable};
use polycube_smt::rational::Rational;
use polycube_smt::relation::{Comparison, Linear, NumberKind, Variable};
use polycube_smt::unsolved::Unsolved;
use polycube_testing::for_seeds;

use crate::BATCH;
use crate::random::{COMPARISONS, Numbers, SplitMix64, linear};
use crate::z3::{Verdict, Z3, linear_question};

const STEPS: u64 = 100_000;

/// Asks both solvers, and checks models and cores. Every `cores`-th core is shown to z3.
fn compare(problems: &[Vec<Linear>], cores: usize) {
    let answers: Vec<Result<LinearModel, Unsolved>> = problems
        .iter()
        .map(|problem| satisfiable(&problem.iter().collect::<Vec<_>>(), &mut Budget::new(STEPS)))
        .collect();
    for (problem, answer) in problems.iter().zip(&answers) {
        match answer {
            Ok(model) => check_model(problem, model),
            Err(Unsolved::Conflict(core)) => {
                assert!(core.is_sorted_by(|left, right| left < right), "{core:?}");
                assert!(core.iter().all(|&index| index < problem.len()), "{core:?}");
            }
            Err(Unsolved::GaveUp) => panic!("gave up on {problem:#?}"),
        }
    }
    let Some(mut z3) = Z3::start() else { return };
    let questions: Vec<String> =
        problems.iter().map(|problem| linear_question(&problem.iter().collect::<Vec<_>>())).collect();
    for ((verdict, answer), question) in z3.verdicts(&questions).into_iter().zip(&answers).zip(&questions) {
        let expected = match answer {
            Ok(_) => Verdict::Satisfiable,
            _ => Verdict::Unsatisfiable,
        };
        // A model has been checked: then z3 only confirms what is known.
        let is_open = verdict == Verdict::Unknown;
        assert!(verdict == expected || is_open, "{answer:?}, but z3 says {verdict:?}:\n{question}");
    }
    let mut questions = Vec::new();
    for (problem, answer) in problems.iter().zip(&answers) {
        if let Err(Unsolved::Conflict(core)) = answer {
            let core: Vec<&Linear> = core.iter().map(|&index| &problem[index]).collect();
            questions.push(linear_question(&core));
        }
    }
    let questions: Vec<String> = questions.into_iter().step_by(cores).collect();
    for (verdict, question) in z3.verdicts(&questions).into_iter().zip(&questions) {
        assert!(verdict != Verdict::Satisfiable, "not a core:\n{question}");
    }
}

fn check_model(problem: &[Linear], model: &LinearModel) {
    for relation in problem {
        let value = |variable| model.value(variable).expect("every variable has a value").clone();
        assert!(relation.holds(&value), "{model:?} violates {relation:?}");
        let is_of_kind = |variable| relation.kind == NumberKind::Real || value(variable).is_integer();
        assert!(relation.variables().all(is_of_kind), "{model:?}");
    }
}

/// A conjunction of up to `relations` relations over up to `variables` variables of each kind.
fn conjunction(
    random: &mut SplitMix64,
    kinds: &[NumberKind],
    variables: u64,
    relations: u64,
    numbers: Numbers,
    comparisons: &[Comparison],
) -> Vec<Linear> {
    let mut problem = Vec::new();
    for (place, &kind) in kinds.iter().enumerate() {
        let count = random.below(variables) as u16 + 1;
        let first = 10 * place as u16;
        let variables: Vec<Variable> = (first..first + count).map(Variable).collect();
        for _ in 0..random.below(relations) + 1 {
            problem.push(linear(random, kind, &variables, numbers, comparisons));
        }
    }
    problem
}

const CONVEX: [Comparison; 4] =
    [Comparison::Less, Comparison::LessEqual, Comparison::LessEqual, Comparison::Equal];

fn compare_random(seed: u64, kinds: &[NumberKind], numbers: Numbers) {
    compare_some(seed, BATCH, kinds, numbers);
}

fn compare_some(seed: u64, count: usize, kinds: &[NumberKind], numbers: Numbers) {
    let mut random = SplitMix64(seed);
    let mut problems = Vec::new();
    for round in 0..count {
        let comparisons = if round % 2 == 0 { &COMPARISONS } else { &CONVEX };
        problems.push(conjunction(&mut random, kinds, 4, 6, numbers, comparisons));
    }
    compare(&problems, 4);
}

#[test]
fn random_integers_with_unit_coefficients() {
    for_seeds!(10, |seed| compare_random(seed, &[NumberKind::Integer], Numbers::Unit));
}

#[test]
fn random_integers_with_small_coefficients() {
    for_seeds!(10, |seed| compare_random(seed, &[NumberKind::Integer], Numbers::Small));
}

#[test]
fn random_integers_with_large_coefficients() {
    // The other solver takes long for these.
    for_seeds!(2, |seed| compare_some(seed, BATCH / 3, &[NumberKind::Integer], Numbers::Large));
}

#[test]
fn random_integers_with_fractions() {
    for_seeds!(5, |seed| compare_random(seed, &[NumberKind::Integer], Numbers::Fractions));
}

#[test]
fn random_reals_with_unit_coefficients() {
    for_seeds!(10, |seed| compare_random(seed, &[NumberKind::Real], Numbers::Unit));
}

#[test]
fn random_reals_with_small_coefficients() {
    for_seeds!(10, |seed| compare_random(seed, &[NumberKind::Real], Numbers::Small));
}

#[test]
fn random_reals_with_large_coefficients() {
    for_seeds!(3, |seed| compare_random(seed, &[NumberKind::Real], Numbers::Large));
}

#[test]
fn random_reals_with_fractions() {
    for_seeds!(5, |seed| compare_random(seed, &[NumberKind::Real], Numbers::Fractions));
}

#[test]
fn random_numbers_of_both_kinds() {
    for_seeds!(10, |seed| compare_random(seed, &[NumberKind::Integer, NumberKind::Real], Numbers::Small));
}

/// Bounds and differences, the most frequent relations; with larger constants now and then.
#[test]
fn random_differences() {
    for_seeds!(30, |seed| {
        let mut random = SplitMix64(seed);
        compare(&(0..BATCH).map(|round| differences(&mut random, round)).collect::<Vec<_>>(), 4);
    });
}

fn differences(random: &mut SplitMix64, round: usize) -> Vec<Linear> {
    let kind = if round.is_multiple_of(2) { NumberKind::Integer } else { NumberKind::Real };
    let (variables, relations) = (random.below(5) + 1, random.below(10) + 1);
    let comparisons = if round % 4 < 2 { &COMPARISONS } else { &CONVEX };
    let mut problem = Vec::new();
    for _ in 0..relations {
        let mut variable = || Variable(random.below(variables) as u16);
        let terms = [(variable(), Rational::ONE), (variable(), Rational::from(-1))];
        let taken = if random.once_in(4) { &terms[random.below(2) as usize..][..1] } else { &terms[..] };
        let reach = if random.once_in(50) { 1 << 45 } else { 3 };
        let extreme = random.pick(&[i64::MIN, i64::MAX, 1 << 40, -(1 << 40)]);
        let near = random.between(-reach, reach);
        let constant = Rational::from(if random.once_in(50) { extreme } else { near });
        problem.push(Linear::new(kind, taken.to_vec(), constant, random.pick(comparisons)));
    }
    problem
}

fn integer(terms: &[i64], constant: i64, comparison: Comparison) -> Linear {
    let terms = terms
        .iter()
        .zip(0..)
        .map(|(&coefficient, variable)| (Variable(variable), Rational::from(coefficient)));
    Linear::new(NumberKind::Integer, terms, Rational::from(constant), comparison)
}

/// `least <= sum <= greatest`
fn strip(terms: &[i64], least: i64, greatest: i64) -> [Linear; 2] {
    let opposite: Vec<i64> = terms.iter().map(|coefficient| -coefficient).collect();
    [integer(&opposite, least, Comparison::LessEqual), integer(terms, -greatest, Comparison::LessEqual)]
}

fn coefficients(random: &mut SplitMix64, count: usize, least: i64, greatest: i64) -> Vec<i64> {
    (0..count).map(|_| random.between(least, greatest)).collect()
}

/// A problem on which branch and bound alone is lost, or takes long.
fn hard_integers(random: &mut SplitMix64, family: usize, variables: usize) -> Vec<Linear> {
    let mut problem = Vec::new();
    let unit = |variable: usize| (0..variables).map(|other| i64::from(other == variable)).collect::<Vec<_>>();
    match family {
        // Between planes that are close to each other, and in no direction bounded.
        0 => {
            for _ in 0..random.between(1, variables as i64) {
                let (least, width) = (random.between(-50, 50), random.between(0, 3));
                problem.extend(strip(&coefficients(random, variables, -9, 9), least, least + width));
            }
        }
        // Bounded by many planes, or nearly so.
        1 => {
            for _ in 0..random.between(variables as i64, 2 * variables as i64) {
                let sum = coefficients(random, variables, -9, 9);
                problem.push(integer(&sum, random.between(-9, 9), Comparison::LessEqual));
            }
        }
        // Sums of few coins.
        2 => {
            for _ in 0..2 {
                let sum = coefficients(random, variables, 2, 9);
                problem.push(integer(&sum, -random.between(1, 60), Comparison::Equal));
            }
            for variable in 0..variables {
                problem.push(integer(&unit(variable), 0, Comparison::LessEqual).negated());
            }
        }
        // Two halves of the same weight.
        3 => {
            for _ in 0..random.between(2, 4) {
                let sum = coefficients(random, variables, 0, 9);
                let half = sum.iter().sum::<i64>() / 2;
                problem.push(integer(&sum, -half, Comparison::Equal));
            }
            for variable in 0..variables {
                problem.extend(strip(&unit(variable), 0, 1));
            }
        }
        // A little room, with holes.
        _ => {
            for _ in 0..variables / 2 {
                let least = random.between(-20, 20);
                problem.extend(strip(&coefficients(random, variables, -9, 9), least, least + 6));
            }
            for variable in 0..variables {
                problem.extend(strip(&unit(variable), -2, 2));
                problem.push(integer(&unit(variable), random.between(-2, 2), Comparison::NotEqual));
            }
        }
    }
    problem
}

#[test]
fn hard_random_integers_against_z3() {
    for_seeds!(5, |seed| {
        let mut random = SplitMix64(seed);
        let problems: Vec<Vec<Linear>> =
            (0..BATCH).map(|round| hard_integers(&mut random, round % 5, 2 + round / 5 % 3)).collect();
        compare(&problems, 1);
    });
}

/// Larger than what z3 does in a moment. Models are checked; unsatisfiable ones are so with any other order
/// of the variables.
#[test]
fn no_hard_random_integers_are_given_up() {
    for_seeds!(100, |seed| {
        let mut random = SplitMix64(seed);
        let problem = hard_integers(&mut random, seed as usize % 5, 5 + seed as usize / 5 % 4);
        let renamed: Vec<Linear> = problem
            .iter()
            .map(|relation| relation.clone().renamed(&|variable| Variable(9 - variable.0)))
            .collect();
        let [answer, other] = [&problem, &renamed]
            .map(|problem| satisfiable(&problem.iter().collect::<Vec<_>>(), &mut Budget::new(10_000)));
        match (answer, other) {
            (Ok(model), Ok(other)) => {
                check_model(&problem, &model);
                check_model(&renamed, &other);
            }
            (Err(Unsolved::Conflict(core)), Err(Unsolved::Conflict(_))) => {
                let core: Vec<&Linear> = core.iter().map(|&index| &problem[index]).collect();
                let again = satisfiable(&core, &mut Budget::new(10_000));
                assert!(matches!(again, Err(Unsolved::Conflict(_))));
            }
            (answer, other) => panic!("{answer:?} and {other:?} for {problem:#?}"),
        }
    });
}

#[test]
fn without_a_budget_nothing_is_known() {
    let relation = integer(&[1], 0, Comparison::Equal);
    assert_eq!(satisfiable(&[&relation], &mut Budget::new(0)), Err(Unsolved::GaveUp));
}

#[test]
fn a_core_is_a_cycle() {
    let below = |left: usize, right: usize| {
        let mut terms = [0; 4];
        (terms[left], terms[right]) = (1, -1);
        integer(&terms, 0, Comparison::Less)
    };
    let relations = [below(0, 1), below(3, 1), below(1, 2), below(3, 0), below(2, 0)];
    let answer = satisfiable(&relations.iter().collect::<Vec<_>>(), &mut Budget::new(STEPS));
    assert_eq!(answer, Err(Unsolved::Conflict(vec![0, 2, 4])));
}
