//! Several processes, on one machine or many, that share an exploration.
//!
//! A list of hosts says who belongs together ([`Hosts`]), a secret keeps others away ([`Secret`]). The processes
//! find each other ([`Cluster::join`]), make sure that all are the same program that does the same
//! ([`Introduction`]), and from then on hear of each other each second ([`Lifeline`]). States travel by a
//! dataflow engine, timely, which only `dataflow.rs` and `socket.rs` know; to the search it is [`Dataflow`], an
//! implementation of `Peers`.
//!
//! Fail-stop: when one process is lost, all end, and each says which one and why ([`Failure`]). Nothing is
//! encrypted: see `docs/cluster.md`.
//!
//! Unix only. Nothing here prints, ends the process or handles signals.

mod cluster;
mod dataflow;
mod failure;
mod frame;
mod handshake;
mod hosts;
mod introduction;
mod join;
mod lifeline;
mod link;
pub mod local;
mod outgoing;
mod place;
pub mod remote;
mod secret;
mod socket;
mod strangers;

pub use cluster::Cluster;
pub use dataflow::Dataflow;
pub use failure::{Cause, Event, Failure};
pub use hosts::Hosts;
pub use introduction::{Introduction, Model};
pub use join::{Interrupt, JoinError, Patience};
pub use lifeline::{COUNTERS, Counters, Lifeline};
pub use place::Place;
pub use secret::Secret;
