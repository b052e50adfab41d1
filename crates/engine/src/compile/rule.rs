//! Rules: the transitions of an instance, one for each choice of processes, compiled.
//!
//! Most of a typical transition needs no code: a conjunction of `slot = value` is a masked comparison per
//! word, and writing constants is a mask and a value per word; copies over the same distance within words
//! (`A[k] := B[k]` for all k) are one masked rotation. The rest is code.

use super::condition::Condition;
use super::layout::{Layout, word_of};
use super::program::{ACCEPT, Assembler, Program, REJECT, Test, Unfit};
use super::unroll::{Source, Updates};

#[derive(Clone, Debug)]
pub struct Check {
    tests: Vec<Test>,
    /// Code for what tests cannot say.
    code: u32,
}

impl Check {
    pub fn new(conjuncts: Vec<Condition>, assembler: &mut Assembler<'_>) -> Check {
        let (tests, rest) = assembler.tests(conjuncts);
        let code = assembler.condition(Condition::and(rest), ACCEPT, REJECT);
        Check { tests, code }
    }

    pub fn is_trivial(&self) -> bool {
        self.tests.is_empty() && self.code == ACCEPT
    }

    #[inline]
    pub fn holds<const W: usize>(&self, state: &[u64; W], program: &Program) -> bool {
        self.tests.iter().all(|test| test.holds(state))
            && (self.code == ACCEPT || program.holds(self.code, state))
    }
}

/// Constants written into one word, and bits cleared for moves.
#[derive(Clone, Copy, Debug)]
struct Write {
    word: u16,
    keep: u64,
    set: u64,
}

/// Bits of a word before the step, rotated into a word after it.
#[derive(Clone, Copy, Debug)]
struct Move {
    from: u16,
    to: u16,
    mask: u64,
    rotation: u32,
}

/// A transition with processes for its parameters.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The index of the transition in the system.
    pub transition: u32,
    pub arguments: Vec<u32>,
    /// When it is possible, as far as the filter of the rules has not decided it.
    pub guard: Check,
    writes: Vec<Write>,
    moves: Vec<Move>,
    /// Code for the other updates.
    update: u32,
    /// Whether some slot may become anything.
    pub has_choices: bool,
}

impl Rule {
    pub fn new(
        transition: u32,
        arguments: Vec<u32>,
        guard: Vec<Condition>,
        updates: Updates,
        layout: &Layout,
        assembler: &mut Assembler<'_>,
    ) -> Rule {
        let guard = Check::new(guard, assembler);
        let mut sources = updates.iter().flat_map(|(_, cases)| cases).map(|(_, source)| source);
        let has_choices = sources.any(|source| *source == Source::Any);
        let (writes, moves) = (Vec::new(), Vec::new());
        let mut rule = Rule { transition, arguments, guard, writes, moves, update: ACCEPT, has_choices };
        let mut others = Updates::new();
        for (slot, cases) in updates {
            let to = layout.field(slot);
            match &cases[..] {
                [(_, Source::Code(code))] => rule.write(to.word, to.mask(), code << to.shift),
                [(_, Source::Slot(from))] => {
                    let from = layout.field(*from);
                    let rotation = (u32::from(to.shift) + 64 - u32::from(from.shift)) % 64;
                    rule.write(to.word, to.mask(), 0);
                    let new = Move { from: from.word, to: to.word, mask: from.mask(), rotation };
                    let key = |step: &Move| (step.from, step.to, step.rotation);
                    match rule.moves.iter_mut().find(|other| key(other) == key(&new)) {
                        Some(other) => other.mask |= new.mask,
                        None => rule.moves.push(new),
                    }
                }
                _ => others.push((slot, cases)),
            }
        }
        rule.update =
            others.into_iter().rev().fold(ACCEPT, |next, (slot, cases)| assembler.update(slot, cases, next));
        rule
    }

    fn write(&mut self, word: u16, mask: u64, value: u64) {
        match self.writes.iter_mut().find(|write| write.word == word) {
            Some(write) => {
                write.keep &= !mask;
                write.set |= value;
            }
            None => self.writes.push(Write { word, keep: !mask, set: value }),
        }
    }

    /// Changes `after`, a copy of the state before the step, into the state after it, up to what may be
    /// chosen freely: that is listed.
    #[inline(always)] // measured: a twentieth of an exploration
    pub fn fire<const W: usize>(
        &self,
        before: &[u64; W],
        after: &mut [u64; W],
        program: &Program,
        choices: &mut Vec<u32>,
    ) -> Result<(), Unfit> {
        for write in &self.writes {
            let word = &mut after[word_of::<W>(write.word)];
            *word = *word & write.keep | write.set;
        }
        for step in &self.moves {
            after[word_of::<W>(step.to)] |=
                (before[word_of::<W>(step.from)] & step.mask).rotate_left(step.rotation);
        }
        if self.update == ACCEPT { Ok(()) } else { program.update(self.update, before, after, choices) }
    }
}
