//! What nodes come from: properties, and approximations.

use polycube_certificate::Trace;

use crate::brab::record::Guess;
use crate::cube::store::NodeId;

/// What nodes come from.
#[derive(Debug, Default)]
pub struct Origin {
    /// Whether it is to be excluded, or what else is known about it.
    pub standing: Standing,
    /// Its cube, if it is an approximation.
    pub root: Option<NodeId>,
    /// What it is like, if it is an approximation.
    pub guess: Option<Guess>,
    /// How many symbolic runs to it were tried.
    pub attempts: usize,
    /// The first node that contains initial states although no run was found.
    pub spurious: Option<NodeId>,
}

/// What is known about an origin.
#[derive(Debug, Default)]
pub enum Standing {
    /// Nothing yet.
    #[default]
    Open,
    /// It was said to be unreachable.
    Trusted,
    /// This run reaches it.
    Violated(Trace),
    /// It is an approximation, and there is a symbolic run to it.
    Refuted,
}

impl Origin {
    /// Whether its cubes may cover nodes: its own, or those of others.
    pub fn may_cover(&self, own: bool) -> bool {
        matches!(self.standing, Standing::Open | Standing::Trusted) && (own || self.spurious.is_none())
    }
}
