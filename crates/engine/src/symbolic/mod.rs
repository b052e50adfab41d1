//! A system in terms of cubes: its properties, its initial states, and its steps backwards.
//!
//! That is `pre` of the Cubicle paper (CAV 2012, section 3) and of the BRAB paper (FMCAD 2013, section
//! III-A); cubes hold sets of values in place of literals, so the cases of a guard multiply less.

pub(crate) mod condition;
pub(crate) mod effort;
pub(crate) mod expansion;
pub(crate) mod initial;
pub(crate) mod others;
pub(crate) mod preimage;
pub(crate) mod root;
pub(crate) mod rule;
pub(crate) mod tree;
