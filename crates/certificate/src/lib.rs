//! The judge: executes a trace step by step on the meaning of a model, and says what proves an invariant.
//!
//! Whoever claims that a system reaches a state that it must not reach hands in a [`Trace`]; [`replay()`]
//! believes nothing of it. This crate knows the definition of [`System`](polycube_language::System), and
//! nothing of how traces are found. It is meant to be read by those who do not trust the rest:
//! [`interpreter`] says what formulas mean, [`step`] what transitions do, [`replay`](mod@replay) puts them
//! together.
//!
//! Whoever claims that a system never reaches such a state hands in an [`Invariant`]. [`invariant`] says what
//! has to be proved of it, and [`smtlib`] puts that to outside solvers.
//!
//! ```
//! use polycube_certificate::{Cell, Orders, State, Step, Trace, Value, replay};
//! use polycube_language::check;
//! use polycube_language::system::{EnumerationId, SymbolId, Type};
//!
//! let checked = check("
//!     type state = Idle | Crit
//!     var Turn : proc
//!     array State[proc] : state
//!
//!     init (p) { State[p] = Idle }
//!     unsafe (p q) { State[p] = Crit && State[q] = Crit }
//!
//!     transition enter (p) requires { Turn = p } { State[p] := Crit }
//!     transition pass (p q) requires { Turn = p } { Turn := q }
//! ");
//! let system = checked.system.expect("there is a system where there is no error");
//!
//! let cell = |text| Cell::parse(&system, text).expect("a cell");
//! let value = |ty, text| Value::parse(&system, ty, text).expect("a value");
//! let state = Type::Enumeration(EnumerationId(1));
//! let step = |transition: &str, arguments: &[u32], changes: &[(Cell, Value)]| Step {
//!     transition: transition.to_owned(),
//!     arguments: arguments.to_vec(),
//!     changes: changes.to_vec(),
//! };
//! let trace = Trace {
//!     processes: 2,
//!     orders: Orders::default(),
//!     initial: State::new(&system, 2, |cell| match cell.symbol {
//!         SymbolId(0) => value(Type::Process, "#1"),
//!         _ => value(state, "Idle"),
//!     }),
//!     steps: vec![
//!         step("enter", &[1], &[(cell("State[#1]"), value(state, "Crit"))]),
//!         step("pass", &[1, 2], &[(cell("Turn"), value(Type::Process, "#2"))]),
//!         step("enter", &[2], &[(cell("State[#2]"), value(state, "Crit"))]),
//!     ],
//! };
//!
//! let run = replay(&system, &trace).expect("a run");
//! assert_eq!(run.states.len(), 4);
//! assert_eq!(run.violations[0].processes, [1, 2]);
//!
//! // Without passing the turn, process #2 cannot enter.
//! let mut wrong = trace.clone();
//! wrong.steps.remove(1);
//! let rejected = replay(&system, &wrong).expect_err("no run");
//! assert_eq!(
//!     rejected.to_string(),
//!     "step 2: transition `enter` does not allow this: its guard does not hold: `Turn = p` is false for p = #2 (Turn is #1)"
//! );
//! ```

// What others read as documentation is complete.
#![warn(missing_docs)]
// A number that loses its upper bits makes a wrong answer look like any other. (Tests count small numbers.)
#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

pub mod cases;
pub mod clauses;
pub mod explain;
pub mod fact;
pub mod fit;
pub mod hint;
pub mod instance;
pub mod interpreter;
pub mod invariant;
pub mod pointers;
pub mod replay;
pub mod smtlib;
pub mod state;
pub mod step;
pub mod trace;
pub mod tuples;
pub mod value;
pub mod words;

pub use clauses::{NotInitial, is_initial, violates};
pub use explain::{Explanation, why_not};
pub use fit::{Misfit, counted, fits, has_type};
pub use instance::{Instance, MAX_CELLS, MAX_PROCESSES, NoInstance, Orders};
pub use interpreter::{Assignment, accessed_cell, holds};
pub use invariant::{Clause, Invariant, Obligation};
pub use replay::{Rejected, Rejection, Run, Violation, replay};
pub use state::{Cell, State, cells};
pub use step::{NewValue, StepRejected, check_step, enabled, new_value, successors};
pub use trace::{Step, Trace};
pub use value::Value;
pub use words::meant;
