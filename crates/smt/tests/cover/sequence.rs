//! A question, asked in many ways: all at once, step by step, with little budget, again.

use polycube_smt::budget::Budget;
use polycube_smt::cover::{Cover, Covered};

use crate::brute_force::States;
use crate::question::{Choices, Question};

/// More than any of the questions takes.
const STEPS: u64 = 100_000;

/// Asks, and compares with brute force. Whether the cube is covered, or nothing if it has no states.
pub fn examine(choices: &mut impl Choices, question: &Question) -> Option<bool> {
    let states = States::of(question);
    let at_once = ask(&mut cover(question, question.excluded.len()), STEPS);
    check(question, &states, question.excluded.len(), &at_once);
    let mut cover = cover(question, 0);
    let mut count = 0;
    while count < question.excluded.len() {
        for cube in question.excluded[count..].iter().take(choices.below(3) as usize + 1) {
            assert_eq!(cover.exclude(&cube.words, &cube.relations), count, "{question:#?}");
            count += 1;
        }
        let hasty = choices.once_in(2).then(|| ask(&mut cover, choices.below(8)));
        let answer = ask(&mut cover, STEPS);
        check(question, &states, count, &answer);
        if let Some(hasty) = hasty {
            let is_same = hasty == answer || hasty == Covered::GaveUp;
            assert!(is_same, "{hasty:?} with little budget, then {answer:?} to\n{question:#?}");
        }
    }
    assert_eq!(ask(&mut cover, STEPS), at_once, "step by step, {question:#?}");
    (!states.are_none()).then_some(at_once != Covered::No)
}

/// The question with the first cubes excluded.
pub fn cover(question: &Question, count: usize) -> Cover<'_> {
    let mut cover = Cover::new(&question.shape, &question.cube.words, &question.cube.relations);
    for cube in &question.excluded[..count] {
        cover.exclude(&cube.words, &cube.relations);
    }
    cover
}

pub fn ask(cover: &mut Cover<'_>, steps: u64) -> Covered {
    cover.check(&mut Budget::new(steps))
}

/// What an answer has to be, with the first cubes excluded.
fn check(question: &Question, states: &States, count: usize, answer: &Covered) {
    match answer {
        Covered::Yes(core) => {
            assert!(core.is_sorted_by(|left, right| left < right), "{core:?} for {question:#?}");
            assert!(core.iter().all(|&number| number < count), "{core:?} of {count} for {question:#?}");
            assert!(states.are_in(0..count), "not covered by the first {count}: {question:#?}");
            assert!(states.are_in(core.iter().copied()), "not covered by {core:?}: {question:#?}");
        }
        // Whether a cube has states at all is not asked.
        Covered::No => {
            let is_right = states.are_none() || !states.are_in(0..count);
            assert!(is_right, "covered by the first {count}: {question:#?}");
        }
        Covered::GaveUp => panic!("gave up on {question:#?}"),
    }
}
