//! Models written for Murphi: text to a transition system for every number of processes.
//!
//! ```text
//! text ─token─> tokens ─parse─> syntax tree ─check─> Model ─translate─> System
//! ```

// What others read as documentation is complete.
#![warn(missing_docs)]

pub mod check;
pub mod model;
pub mod parameter;
mod parse;
mod syntax;
mod token;
pub mod translate;
