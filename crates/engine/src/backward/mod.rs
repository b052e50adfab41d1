//! Backward reachability over cubes, with approximations: the algorithms of the Cubicle paper (CAV 2012,
//! section 3) and of the BRAB paper (FMCAD 2013, section III).
//!
//! ```text
//! verifier ─> search ─ the loop: claim, process, commit; retract; outcome
//!               ├─ task       what is verified, and how; never changes
//!               ├─ background what is known before it begins
//!               ├─ node       every cube that was found, with its history
//!               ├─ queue      those that wait
//!               ├─ visited    those that were expanded          (coverage: do they cover another one?)
//!               ├─ target     properties and approximations, and what depends on them
//!               ├─ guess      larger cubes in place of nodes    (oracle: which states are known?)
//!               ├─ meter      what was done, and how much may be done
//!               ├─ concrete   from a symbolic run to one that executes
//!               ├─ divergence searches that do not seem to end
//!               ├─ minimal    of the visited cubes, those that the invariant needs
//!               └─ graph      what became of the nodes, for people
//! witnesses what is true in some state that is known, when the search is over
//! suggest   one step back from a clause that is not inductive, for a dialogue
//! ```

mod background;
mod calls;
mod concrete;
mod coverage;
mod divergence;
mod graph;
mod guess;
mod meter;
mod minimal;
mod node;
mod queue;
mod recorder;
mod search;
mod strengthen;
mod suggest;
mod target;
mod task;
#[cfg(test)]
mod tests;
mod tighten;
mod verification;
mod verifier;
mod visited;
mod witnesses;

pub use crate::cube::show::CubeFormula;
pub use divergence::{Divergence, Growth};
pub use graph::{Graph, GraphNode, GraphState, GraphTarget};
pub use suggest::{Suggester, Suggestions};
pub(crate) use verification::Exploring;
pub use verification::*;
pub(crate) use verifier::{Errand, Verifier, vocabulary};
pub use verifier::{verify, verify_with};
pub use witnesses::Witnesses;
