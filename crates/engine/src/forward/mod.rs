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

mod agree;
mod exchange;
mod expand;
mod exploration;
mod explore;
mod explorer;
mod hash;
mod journal;
mod keep;
mod peers;
mod runs;
mod search;
mod sleep;
mod stage;
mod start;
pub mod states;
mod symmetry;
mod trace;
mod visited;
mod word;

pub use exploration::{
    Clock, Deadlocks, End, Exploration, Extent, Goal, Limits, Observer, Options, Part, Progress, Reduction,
    Violation,
};
pub use explore::{Company, explore, explore_states, explore_together};
pub use journal::{Fault, Journal, Take};
pub use peers::{Alone, Arrived, Lost, Peers, Traffic};
pub use start::initial_state;
pub use trace::{orders_of, state};
