//! Keeps what an exploration has found in files, so that another one can go on from there, whatever has happened to the
//! first.
//!
//! ```text
//! DIR/                       belongs to the user
//!   process-0/               the part of process 0; others may be here, or on other machines
//!     manifest               what is kept, and by which exploration
//!     order-0.states         the layers of the first choice of orders, one behind the other
//!     order-1.2.states       of the second one, whose stage was replaced twice
//!     lock                   held while a program writes the part
//! ```
//!
//! # What counts
//!
//! The manifest is a log: lines of JSON, appended only. The first one says whose part this is. Every *group* of lines ends
//! with a *commit*, which has a number and the SHA-256 of all that stands before it in the file. The lines of a group say
//! which stage an order goes through now, how many layers of it are still kept, and, of each new layer, where its bytes
//! are, their SHA-256, and its word. So a commit costs what is new, however long the exploration has been going on.
//!
//! A group counts if its commit is right. It is written when all bytes of which it speaks are on the disk: the files of
//! states are synchronised, then the folder, if it has new names, then the group is appended, then the manifest is
//! synchronised. When [`commit`](polycube_engine::forward::Journal::commit) returns, the group is whole, whatever happens.
//! Before that, the group may be there, or a piece of it, or nothing: a piece has no right commit.
//! What the manifest counts is never written to again:
//!
//! - Layers are appended behind all that counts. What is behind it when the stage is opened is cut off.
//! - A new stage of an order gets a file of its own. The old one is removed when a group that has the new stage counts.
//! - Layers that are dropped are dropped in the manifest first: this is a group of its own. Only then is the file cut.
//!
//! # What is refused
//!
//! Bytes behind the last right commit are a *torn tail*, and ignored, if a kill or a loss of power can have left them. It
//! cannot if something was appended behind them: a tail that contains a commit and goes on, or the number of a later
//! commit, is damage, and so is a wrong first group, which was put in its place by renaming. So whoever changes a byte of
//! the manifest is refused, unless it belongs to the last group. There a change cannot be told from a loss of power, and
//! the commit before counts. That is sound: it is a commit. If its files were removed or cut because of the last group,
//! they do not fit, which is found like any other damage to them.
//!
//! A file of states that is too short is refused at once. Its bytes are checked when they are read.
//! The hashes find damage, not forgery: whoever can write the folder can write a manifest.

mod checkpoint;
mod contents;
mod disk;
mod identity;
mod manifest;
mod states;

#[cfg(test)]
mod crash;

pub use checkpoint::Checkpoint;
pub use contents::{Kept, Part, contents};
pub use identity::{Identity, Model, Refused};
