//! The engines of Polycube.
//!
//! - [`compile`]: a system with a fixed number of processes becomes slots, packed states, and compiled guards and updates.
//! - [`forward`]: every reachable state of such an instance.
//! - [`cube`]: sets of states of instances of every size.
//! - [`backward`]: backward reachability over cubes, for every number of processes.
//! - [`brab`]: approximations that make it end sooner.
//! - [`engine`]: which of these verifies a system.

pub mod backward;
pub mod brab;
pub mod compile;
pub mod cube;
pub mod engine;
pub mod forward;
#[cfg(test)]
mod samples;
