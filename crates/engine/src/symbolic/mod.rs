//! A system in terms of cubes: its properties, its initial states, and its steps backwards.
//!
//! That is `Pre` of section III of the BRAB paper (FMCAD 2013), and of section 2 of the Cubicle paper (CAV 2012); cubes
//! hold sets of values in place of literals, so the cases of a guard multiply less.

pub mod condition;
pub mod effort;
pub mod expansion;
pub mod initial;
pub mod preimage;
pub mod root;
pub mod rule;
pub mod tree;
