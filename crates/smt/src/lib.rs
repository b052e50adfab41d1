//! Satisfiability of cubes, and of cubes without others.

// A number that loses its upper bits makes a wrong answer look like any other. (Tests count small numbers.)
#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

mod basis;
mod branch;
pub mod budget;
pub mod cover;
mod difference;
pub mod eliminate;
mod lattice;
pub mod linear;
pub mod ordered;
mod perturbed;
pub mod rational;
pub mod relation;
pub mod shape;
mod simplex;
pub mod theory;
pub mod unsolved;
mod why;
