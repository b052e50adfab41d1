//! Backward reachability over cubes.

mod approximation;
pub mod concrete;
pub mod condition;
pub mod expansion;
pub mod initial;
pub mod node;
pub mod origin;
mod outcome;
mod parallel;
pub mod preimage;
pub mod root;
pub mod rule;
mod search;
pub mod tree;
pub mod verification;
pub mod visited;

pub use crate::cube::show::CubeFormula;
pub use search::{verify, verify_with};
pub use verification::*;
