//! How a search for values ends without any.

use crate::budget::UsedUp;

/// Why there are no values with which all relations of a list hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsolved<C = Core> {
    /// These cannot hold at once.
    Conflict(C),
    /// The budget was used up. Nothing is known.
    GaveUp,
}

/// What was found, or why nothing was.
pub type Solved<T, C = Core> = Result<T, Unsolved<C>>;

/// The indices of relations that cannot hold at once, strictly increasing. They are few, but some of them may
/// not be needed.
pub type Core = Vec<usize>;

impl<C> Unsolved<C> {
    /// The same, with the conflict in other terms.
    pub(crate) fn map<D>(self, convert: impl FnOnce(C) -> D) -> Unsolved<D> {
        match self {
            Unsolved::Conflict(conflict) => Unsolved::Conflict(convert(conflict)),
            Unsolved::GaveUp => Unsolved::GaveUp,
        }
    }
}

impl<C> From<UsedUp> for Unsolved<C> {
    fn from(_: UsedUp) -> Unsolved<C> {
        Unsolved::GaveUp
    }
}
