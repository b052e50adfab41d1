//! Backward reachability with approximations (BRAB: Conchon, Goel, Krstić, Mebsout, Zaïdi, FMCAD 2013).
//!
//! Before a node of the [backward search](crate::backward) is expanded, a larger cube may take its place: a *candidate*
//! that says less, and of which an *oracle* knows no reachable state. Most candidates that survive are never reached, and
//! they are what a person would call the invariants of the protocol. If one is reached after all, it is *refuted*, and
//! the search goes on without it and without what was derived from it.
//!
//! - [`guide`]: whoever knows states, and finds more when the search asks for it;
//! - [`instances`]: the one that explores larger and larger instances;
//! - [`crash`]: the system whose states it should know;
//! - [`oracle`]: what rejects candidates;
//! - [`candidate`]: the most general parts of a cube that are not rejected.
//!
//! Nothing depends on what the oracle says but the time that it takes: that an approximation is not reachable is proved
//! by the search, as it is for the properties.

pub mod candidate;
pub mod crash;
pub mod guide;
pub mod instances;
pub mod oracle;
pub mod record;
