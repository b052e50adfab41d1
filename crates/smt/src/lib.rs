//! Satisfiability of cubes, and of cubes without others.

pub mod answer;
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
mod why;
