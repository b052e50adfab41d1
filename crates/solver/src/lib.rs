//! Runs outside SMT solvers on scripts in SMT-LIB 2.6, within limits of time and memory.
//!
//! A script is a file with several `(check-sat)` commands. The solver gets its name as an argument, so that
//! everybody can repeat by hand what was run here ([`Solver::command_line`]); each answer is reported as it
//! arrives. Whatever the solver does (hang, crash, print nonsense, start further processes), nothing of it is
//! left when [`Solver::run`] returns, and nothing but an answer is taken for one.
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::atomic::AtomicBool;
//! use std::time::Duration;
//!
//! use polycube_solver::{Answer, Kind, Limits, Solver};
//!
//! let solver = Solver::find(Kind::Z3)?;
//! let limits = Limits::new(Duration::from_secs(10), 2 << 30);
//! let mut proved = 0;
//! solver.run(Path::new("questions.smt2"), 3, &limits, &AtomicBool::new(false), &mut |_, answer| {
//!     proved += usize::from(answer == Answer::Unsatisfiable);
//! })?;
//! assert_eq!(proved, 3, "only what is counted when there was no failure is worth anything");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod failure;
mod kind;
mod limits;
mod output;
mod process;
mod run;
mod solver;

pub use answer::Answer;
pub use failure::{Cause, Failure};
pub use kind::Kind;
pub use limits::Limits;
pub use solver::{NoSolver, Solver, quoted};
