//! Answers: what a solver says about a conjunction of relations.

use crate::budget::UsedUp;

/// Whether all relations of a list can hold at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<M> {
    /// They hold with these values.
    Satisfiable(M),
    /// They cannot, and already those with these indices cannot: the *core*, strictly increasing. It is
    /// small, but need not be minimal.
    Unsatisfiable(Vec<usize>),
    /// The budget was used up. Nothing is known.
    GaveUp,
}

impl<M> Answer<M> {
    /// The same answer with another model.
    pub fn map<N>(self, convert: impl FnOnce(M) -> N) -> Answer<N> {
        match self {
            Answer::Satisfiable(model) => Answer::Satisfiable(convert(model)),
            Answer::Unsatisfiable(core) => Answer::Unsatisfiable(core),
            Answer::GaveUp => Answer::GaveUp,
        }
    }

    /// Whether the relations cannot hold at once.
    pub fn is_unsatisfiable(&self) -> bool {
        matches!(self, Answer::Unsatisfiable(_))
    }
}

/// Inside of the solvers, a refutation is what ends the search early, and so is the end of the budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop<C> {
    /// What cannot hold at once.
    Conflict(C),
    /// The budget was used up.
    UsedUp,
}

impl<C> From<UsedUp> for Stop<C> {
    fn from(_: UsedUp) -> Stop<C> {
        Stop::UsedUp
    }
}
