//! Backward reachability over cubes.

mod approximation;
mod bounds;
pub mod concrete;
pub mod condition;
mod debt;
pub mod effort;
pub mod expansion;
pub mod initial;
mod minimal;
pub mod node;
pub mod origin;
mod outcome;
mod parallel;
pub mod preimage;
mod queue;
pub mod root;
pub mod rule;
mod search;
#[cfg(test)]
mod tests;
pub mod tree;
pub mod verification;
pub mod verifier;
mod violation;
pub mod visited;

pub use crate::cube::show::CubeFormula;
pub use verification::*;
pub use verifier::{verify, verify_with};
