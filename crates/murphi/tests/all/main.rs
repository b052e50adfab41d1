//! The translation against an interpreter, which in turn is compared with a tool of others.

mod comparison;
mod constructs;
mod generate;
mod interpreter;
mod random;
mod rumur;
