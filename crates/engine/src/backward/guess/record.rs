//! Which guesses were right, and which are worth making. (No part of the BRAB paper.)

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    Short,
    Long,
    /// Some of them, and more values for cells.
    Wide,
    /// Some of them, and what all others are like, to which processes were added that it had named.
    Universal,
    /// Some of them, and what follows from others that are about numbers.
    Numbers,
    /// A relation between numbers that was observed.
    Relation,
}

/// How good guesses were so far. If those of a kind are often wrong, there are no more of them: it may be
/// that the system has no invariants of that kind, or none that can be proved.
#[derive(Debug, Default)]
pub struct Record {
    tallies: [Tally; 6],
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    made: u32,
    wrong: u32,
}

impl Record {
    const FORGIVEN: u32 = 20;

    pub fn made(&mut self, kind: Guess) {
        self.tallies[kind as usize].made += 1;
    }

    pub fn was_wrong(&mut self, kind: Guess) {
        self.tallies[kind as usize].wrong += 1;
    }

    /// How many were wrong, but for those about numbers: states with larger numbers would reject them, and however many
    /// states are explored, there are larger numbers.
    pub fn wrong_about_states(&self) -> u32 {
        let finite = [Guess::Short, Guess::Long, Guess::Wide, Guess::Universal];
        finite.iter().map(|&kind| self.tallies[kind as usize].wrong).sum()
    }

    pub fn is_trusted(&self, kind: Guess) -> bool {
        let Tally { made, wrong } = self.tallies[kind as usize];
        wrong <= Record::FORGIVEN + made / 4
    }
}

impl Guess {
    const SHORT: usize = 3;

    pub fn of_size(size: usize) -> Guess {
        if size <= Guess::SHORT { Guess::Short } else { Guess::Long }
    }
}
