//! The translation against an interpreter, which in turn is compared with a tool of others; and what is refused.

mod comparison;
mod constructs;
mod execution;
mod generate;
mod interpreter;
mod large;
mod mutations;
mod random;
mod refusals;
mod rumur;
