//! What was asked to process a node, and how much work that is.

/// Cubes are compared as often in that time.
const LOOKS_PER_WORK: u64 = 100;

/// The oracle looks at as many words of 64 states in that time.
const WORDS_PER_WORK: u64 = 5_000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Calls {
    pub covers: u64,
    pub theory: u64,
    pub looks: u64,
    pub questions: u64,
    /// Sets of 64 states that it looked at.
    pub words: u64,
}

impl Calls {
    pub(super) fn solver_calls(&self) -> u64 {
        self.covers + self.theory
    }

    /// The part of the work that statistics do not count.
    pub(super) fn effort(&self) -> u64 {
        self.looks / LOOKS_PER_WORK + self.words / WORDS_PER_WORK
    }

    /// All of it, as [work](super::meter::Meter::work).
    pub(super) fn work(&self) -> u64 {
        self.solver_calls() + self.effort()
    }
}
