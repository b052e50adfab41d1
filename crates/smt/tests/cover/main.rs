//! Covers of cubes: random questions against brute force and z3, and questions with many choices. And the
//! packing of cubes.

mod brute_force;
mod levels;
mod packing;
mod question;
#[path = "../theory/random.rs"]
mod random;
mod sequence;
mod solver;
#[path = "../theory/z3.rs"]
#[expect(dead_code, reason = "the tests of the theories ask in more ways")]
mod z3;

use std::panic::{AssertUnwindSafe, catch_unwind};

use question::{Choices, Family, Question};
use random::SplitMix64;

impl Choices for SplitMix64 {
    fn below(&mut self, bound: u64) -> u64 {
        SplitMix64::below(self, bound)
    }
}

/// Questions of a family, with up to so many cubes, each with a seed of its own.
fn compare(family: Family, most_excluded: usize, first_seed: u64, count: u64) {
    let (mut covered, mut not_covered) = (0, 0);
    for seed in first_seed..first_seed + count {
        let examined = catch_unwind(AssertUnwindSafe(|| {
            let mut random = SplitMix64(seed);
            let question = Question::random(&mut random, family, most_excluded);
            sequence::examine(&mut random, &question)
        }));
        match examined.unwrap_or_else(|_| panic!("{family:?}, seed {seed}")) {
            Some(true) => covered += 1,
            Some(false) => not_covered += 1,
            None => {}
        }
    }
    let is_balanced = covered > count / 10 && not_covered > count / 10;
    assert!(is_balanced, "of {count}, {covered} are covered, and {not_covered} are not");
}

#[test]
fn values_against_brute_force() {
    compare(Family::Values, 8, 0, 50_000);
}

#[test]
fn equalities_against_brute_force() {
    compare(Family::Equalities, 8, 1_000_000, 60_000);
}

#[test]
fn orders_against_brute_force() {
    compare(Family::Orders, 8, 2_000_000, 60_000);
}

#[test]
fn numbers_against_brute_force() {
    compare(Family::Numbers, 8, 3_000_000, 30_000);
}

#[test]
fn everything_against_brute_force() {
    compare(Family::Everything, 8, 4_000_000, 30_000);
}

#[test]
fn many_cubes_against_brute_force() {
    for (family, first_seed) in Family::ALL.into_iter().zip((5_000_000..).step_by(1_000_000)) {
        compare(family, 24, first_seed, 8_000);
    }
}
