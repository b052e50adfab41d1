//! What has to be proved of an invariant, for Why3: texts for people, who may go on from there, and for the
//! provers that Why3 knows.
//!
//! - [`theory`]: the obligations, as goals.
//! - [`program`]: the system as a program whose loop has the invariant. What has to be proved of it, Why3
//!   finds out.

mod formula;
mod layout;
mod names;
mod printer;
mod program;
mod statement;
mod theory;
mod vocabulary;

pub use program::program;
pub use theory::theory;
