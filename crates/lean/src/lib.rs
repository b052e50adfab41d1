//! Invariants that a person reads: few clauses, with few literals, in formulas that share a premise.
//!
//! A search finds an invariant that a solver believes. What a designer wants to know is why the protocol
//! works: "who holds an exclusive copy is the only sharer, and the directory knows". So the invariant is made
//! smaller ([`shrink`]), or found again with that aim ([`grow`]), and clauses with the same premise become one formula ([`Formulas`]), as in Pandav,
//! Slind, Gopalakrishnan, "Counterexample guided invariant discovery for parameterized cache coherence
//! verification" (CHARME 2005).
//!
//! Whatever is done to an invariant here, [`polycube_induction`] has proved that it is inductive afterwards.

mod claim;
pub mod dialogue;
mod discover;
mod essential;
mod formulas;
mod grow;
mod induct;
mod literal;
mod merge;
mod proof;
mod shrink;
mod values;

pub use claim::clause_of;
pub use discover::discover;
pub use formulas::{Conclusion, Formulas, LeanFormula, Needs};
pub use grow::grow;
pub use induct::{BadMove, BadState, Case, ClauseVerdicts, Verdict, induct};
pub use literal::{conclusion, literals_of};
pub use shrink::shrink;
pub use values::Values;
