//! The engines of Polycube.
//!
//! - [`compile`]: a system with a fixed number of processes becomes slots, packed states, and compiled guards
//!   and updates.
//! - [`forward`]: every reachable state of such an instance.
//! - [`cube`]: sets of states of instances of every size.
//! - `narrow`: quantifiers inside others, pushed inwards.
//! - `symbolic`: a system in terms of cubes: properties, initial states, steps backwards.
//! - [`oracle`]: reachable states of small instances, which reject guesses.
//! - [`backward`]: backward reachability over cubes, with approximations, for every number of processes.
//! - [`counting`]: what numbers of processes and variables have to do with each other.
//! - `whole`: whole instances, explored beside searches that take long.
//! - [`engine`]: which of these verifies a system.
//! - [`vacuity`]: what a model says that never comes true.

// A number that loses its upper bits makes a wrong answer look like any other. (Tests count small numbers.)
#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

pub mod backward;
pub mod compile;
pub mod counting;
pub mod cube;
pub mod engine;
pub mod forward;
mod narrow;
pub mod oracle;
mod parallel;
#[cfg(test)]
mod samples;
mod shorter;
mod symbolic;
pub mod vacuity;
mod whole;
