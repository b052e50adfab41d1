//! Polycube proves safety of concurrent protocols for any number of processes.
//!
//! A [`Model`] is read from a file or a text. [`Model::verify`] says whether one of its bad states can be
//! reached, with any number of processes; [`Model::explore`] looks at all states with a given number.
//!
//! ```
#![doc = include_str!("../examples/verify.rs")]
//! ```
//!
//! What is known afterwards is [`Verified`]:
//!
//! - *Safe* comes with an inductive [invariant](Verified::invariant). Unless [`Recheck`] says otherwise, an
//!   independent routine has proved its obligations again; [`Verified::rechecked`] says how many.
//! - *Unsafe* comes with a [run](BadRun) that the judge ([`certificates`]) has executed step by step.
//! - *Unknown* comes with the reason. It is not an error, and neither is *Unsafe*.
//!
//! [`VerifyOptions`] say which search is used and how far it goes. To end a search from outside, set its
//! flag:
//!
//! ```
//! # use std::sync::atomic::Ordering;
//! # use polycube::{Model, Verdict, VerifyOptions};
//! # let model = Model::from_text("var X : bool init () { X = False } unsafe () { X = True }
//! #     transition t () requires { X = False } { X := False }").unwrap();
//! let options = VerifyOptions::default();
//! let flag = options.search.interrupt.clone();
//! flag.store(true, Ordering::Relaxed); // by another thread, or a handler of signals
//! let verified = model.verify(&options).unwrap();
//! assert!(matches!(verified.verdict(), Verdict::Unknown(_)));
//! ```
//!
//! This crate is also the command line `polycube` ([`run`]): everything that reads files, prints, or decides
//! an exit code is here, and nowhere else. The parts below it can be used by themselves: [`language`] is the
//! front-end, [`engines`] has the searches, [`certificates`] the judge.

// What others read as documentation is complete.
#![warn(missing_docs)]

pub mod arguments;
mod as_written;
pub mod bug;
mod certificate;
mod command;
mod console;
mod input;
mod model;
mod random;
pub mod report;
mod resources;
mod vacuous;
mod verified;

pub use command::{Outcome, run, stop};
pub use console::Console;
pub use input::{Input, Unreadable};
pub use model::{Mistakes, Model, NoModel, NotVerified, Recheck, VerifyOptions};
pub use polycube_certificate as certificates;
pub use polycube_engine as engines;
pub use polycube_language as language;
pub use verified::{BadRun, Failed, Rechecked, Verdict, Verified, recheck};

pub(crate) fn tool() -> String {
    format!("polycube {}", env!("CARGO_PKG_VERSION"))
}
