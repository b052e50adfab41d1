//! The input language of Polycube: text to meaning.
//!
//! ```text
//! text ─token─> tokens ─parse─> syntax tree ─check─> System ─print─> text
//!                         └────────format────────> text
//! ```
//!
//! Everything goes in this one direction, without global state and without I/O: any number of models can be
//! read in one process, by any number of threads. What is wrong with a text is a list of
//! [`Diagnostic`](diagnostic::Diagnostic)s, data that the caller shows.
//!
//! ```
//! use polycube_language::{check, system::PropertyKind};
//!
//! let model = "
//!     type state = Idle | Crit
//!     var Turn : proc
//!     array State[proc] : state
//!
//!     init (p) { State[p] = Idle }
//!     unsafe (p q) { State[p] = Crit && State[q] = Crit }
//!
//!     transition enter (p) requires { Turn = p } { State[p] := Crit }
//!     transition leave (p) requires { State[p] = Crit } { State[p] := Idle; Turn := ? }
//! ";
//! let checked = check(model);
//! assert_eq!(checked.diagnostics.errors(), 0);
//! let system = checked.system.expect("there is a system where there is no error");
//! assert_eq!(system.transitions.len(), 2);
//! assert_eq!(system.properties[0].kind, PropertyKind::Unsafe);
//!
//! // A mistake has a place and, mostly, a remedy.
//! let checked = check(&model.replace("State[p] = Idle", "Stat[p] = Idle"));
//! let mistake = checked.diagnostics.iter().next().expect("an error");
//! assert_eq!(mistake.message, "unknown name `Stat`");
//! assert_eq!(mistake.help, ["did you mean `State`?"]);
//!
//! // Printing a system and reading it again gives the same system.
//! assert_eq!(check(&system.to_source()).system, Some(system));
//! ```

// What others read as documentation is complete.
#![warn(missing_docs)]

pub mod check;
pub mod count;
pub mod diagnostic;
pub mod format;
pub mod formula;
pub mod number;
pub mod outline;
mod parse;
mod print;
mod signature;
pub mod span;
pub mod suggest;
mod syntax;
pub mod system;
pub mod token;
pub mod uses;
pub mod words;

pub use check::{Checked, check};
pub use format::format;
pub use system::System;
