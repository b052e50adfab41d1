//! Is a cube covered by others? Bytes choose a shape, a cube and others to exclude; and when to ask, with how
//! much budget. The questions are those of the solver's own tests, small enough for brute force.

#![no_main]

#[path = "../../../crates/smt/tests/cover/brute_force.rs"]
mod brute_force;
#[path = "../../../crates/smt/tests/cover/question.rs"]
mod question;
#[path = "../../../crates/smt/tests/cover/sequence.rs"]
mod sequence;

use libfuzzer_sys::fuzz_target;
use question::{Choices, Family, Question};

/// Each byte is a choice. When there are no more, the first is always taken.
struct Bytes<'b>(&'b [u8]);

impl Choices for Bytes<'_> {
    fn below(&mut self, bound: u64) -> u64 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        u64::from(first) % bound
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Bytes(bytes);
    let family = choices.pick(&Family::ALL);
    let question = Question::random(&mut choices, family, 12);
    sequence::examine(&mut choices, &question);
});
