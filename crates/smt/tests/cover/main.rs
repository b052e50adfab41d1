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

use std::sync::atomic::{AtomicU64, Ordering};

use polycube_testing::for_seeds;
use question::{Choices, Family, Question};
use random::SplitMix64;

impl Choices for SplitMix64 {
    fn below(&mut self, bound: u64) -> u64 {
        SplitMix64::below(self, bound)
    }
}

/// How many questions are asked, in each of the ways.
const QUESTIONS: u64 = 4_000;

/// What the answers were.
#[derive(Debug, Default)]
struct Totals {
    covered: AtomicU64,
    not_covered: AtomicU64,
}

impl Totals {
    /// The question with this seed, of a family, with up to this many cubes.
    fn examine(&self, seed: u64, family: Family, most_excluded: usize) {
        let mut random = SplitMix64(seed);
        let question = Question::random(&mut random, family, most_excluded);
        if let Some(is_covered) = sequence::examine(&mut random, &question) {
            let counter = if is_covered { &self.covered } else { &self.not_covered };
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn are_balanced(&self, tried: Option<u64>) {
        if let Some(tried) = tried {
            let is_some = |counter: &AtomicU64| counter.load(Ordering::Relaxed) > tried / 12;
            assert!(is_some(&self.covered) && is_some(&self.not_covered), "of {tried}, {self:?}");
        }
    }
}

#[test]
fn random_values_against_brute_force() {
    let totals = Totals::default();
    totals.are_balanced(for_seeds!(QUESTIONS, |seed| totals.examine(seed, Family::Values, 8)));
}

#[test]
fn random_equalities_against_brute_force() {
    let totals = Totals::default();
    totals.are_balanced(for_seeds!(QUESTIONS, |seed| totals.examine(seed, Family::Equalities, 8)));
}

#[test]
fn random_orders_against_brute_force() {
    let totals = Totals::default();
    totals.are_balanced(for_seeds!(QUESTIONS, |seed| totals.examine(seed, Family::Orders, 8)));
}

#[test]
fn random_numbers_against_brute_force() {
    let totals = Totals::default();
    totals.are_balanced(for_seeds!(QUESTIONS, |seed| totals.examine(seed, Family::Numbers, 8)));
}

#[test]
fn random_relations_against_brute_force() {
    let totals = Totals::default();
    totals.are_balanced(for_seeds!(QUESTIONS, |seed| totals.examine(seed, Family::Everything, 8)));
}

#[test]
fn many_random_cubes_against_brute_force() {
    let totals = Totals::default();
    let family = |seed| Family::ALL[seed as usize % Family::ALL.len()];
    totals.are_balanced(for_seeds!(QUESTIONS, |seed| totals.examine(seed, family(seed), 24)));
}
