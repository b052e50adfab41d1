//! Polycube: proves safety of concurrent protocols for any number of processes.
//!
//! This crate is the façade over the others and the command line `polycube`: everything that reads files,
//! prints, or decides an exit code is here, and nowhere else. Programs that want the front-end alone use
//! [`language`].

pub mod arguments;
mod certificate;
mod command;
mod console;
mod input;
mod random;
pub mod recheck;
pub mod report;
mod resources;

pub use command::{Outcome, run, stop};
pub use console::Console;
pub use polycube_language as language;

/// The name of the program and its version.
pub(crate) fn tool() -> String {
    format!("polycube {}", env!("CARGO_PKG_VERSION"))
}
