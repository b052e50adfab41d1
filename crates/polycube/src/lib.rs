//! Polycube: proves safety of concurrent protocols for any number of processes.
//!
//! This crate is the façade over the others and the command line `polycube`: everything that reads files,
//! prints, or decides an exit code is here, and nowhere else. Programs that want the front-end alone use
//! [`language`].

pub mod arguments;
mod command;
mod console;
mod input;
mod random;
pub mod report;
mod resources;

pub use command::{Outcome, run};
pub use console::Console;
pub use polycube_language as language;
