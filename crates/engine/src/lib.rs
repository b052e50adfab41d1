//! The engines of Polycube.
//!
//! - [`compile`]: a system with a fixed number of processes becomes slots, packed states, and compiled guards and updates.
//! - [`forward`]: every reachable state of such an instance.

pub mod compile;
pub mod forward;
