//! Why a cluster ends before it is done.

use std::fmt;
use std::time::Duration;

use crate::hosts::Hosts;

/// A process that is lost, and with it the work of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Which one.
    pub process: usize,
    /// What to call it: see [`Hosts::name`].
    pub name: String,
    /// What happened.
    pub cause: Cause,
}

/// What happened to a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Its connection was closed, and it said nothing: it was killed, crashed, or its machine is down.
    Gone,
    /// Nothing was heard of it for this long: it was stopped, or is cut off.
    Silent(Duration),
    /// It has said why.
    Ended(String),
}

/// What the program is told, in a thread of the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The first failure. There is no second.
    Failed(Failure),
    /// A process wants all to stop soon.
    Stop {
        /// Which one.
        process: usize,
        /// The reason, by a number of the program.
        cause: u32,
    },
}

impl Failure {
    pub(crate) fn new(hosts: &Hosts, process: usize, cause: Cause) -> Failure {
        Failure { process, name: hosts.name(process), cause }
    }

    /// What a process learns from the last words of another. What these say about itself it does not believe.
    pub(crate) fn told(hosts: &Hosts, own: usize, by: usize, about: usize, cause: Cause) -> Failure {
        if about != own && about < hosts.count() {
            return Failure::new(hosts, about, cause);
        }
        let reason = match cause {
            Cause::Gone => "its connection to this process was closed".to_owned(),
            Cause::Silent(time) => format!("it heard nothing of this process for {}", seconds(time)),
            Cause::Ended(reason) => reason,
        };
        Failure::new(hosts, by, Cause::Ended(reason))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.cause {
            Cause::Gone => write!(out, "{name} is gone: its connection was closed"),
            Cause::Silent(time) => {
                write!(out, "{name} does not answer: nothing was heard of it for {}", seconds(*time))
            }
            Cause::Ended(reason) => write!(out, "{name} ended: {reason}"),
        }
    }
}

impl std::error::Error for Failure {}

/// A time as people say it.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{} s", (time.as_secs_f64() * 10.0).round() / 10.0)
}
