//! The engines of Polycube.
//!
//! - [`compile`]: a system with a fixed number of processes becomes slots, packed states, and compiled guards and updates.
//! - [`forward`]: every reachable state of such an instance.
//! - [`cube`]: sets of states of instances of every size.
//! - [`backward`]: backward reachability over cubes, for every number of processes.

pub mod backward;
pub mod brab;
pub mod compile;
pub mod cube;
pub mod forward;
