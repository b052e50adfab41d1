//! Forward exploration: every reachable state of an instance.
//!
//! ```text
//! compile ─> Instance ─explore─> Exploration
//!                         │ layer by layer: search
//!                         ├─ expand: the successors of a state
//!                         ├─ sleep: steps that need not be taken
//!                         ├─ symmetry: one representative for all renamings of a state
//!                         ├─ visited: the states, packed, each stored once
//!                         └─ trace: runs, for the judge and for people
//!          ─states─> which conjunctions hold in some reachable state
//!          ─initial_state─> one state to start a walk from
//! ```

mod expand;
mod exploration;
mod explore;
mod hash;
mod journal;
mod peers;
mod search;
mod sleep;
mod start;
pub mod states;
mod symmetry;
mod trace;
mod visited;

pub use exploration::{
    Clock, Deadlocks, End, Exploration, Extent, Goal, Limits, Observer, Options, Progress, Reduction,
    Violation,
};
pub use explore::{explore, explore_states};
pub use journal::{Fault, Journal};
pub use peers::{Alone, Lost, Peers};
pub use start::initial_state;
pub use trace::{orders_of, state};
