//! A process that belongs to others: from the list of hosts to the search, and to the end.

use std::net::TcpStream;
use std::time::{Duration, Instant};
use std::{fmt, io};

use crate::dataflow::Dataflow;
use crate::failure::{Event, Failure};
use crate::introduction::{Introduction, Model, introduce};
use crate::join::{self, Interrupt, JoinError, Patience};
use crate::lifeline::Lifeline;
use crate::place::Place;

/// One of several processes that do the same, and hear of each other.
pub struct Cluster {
    lifeline: Lifeline,
    model: Model,
    /// The connections for states, until they are used.
    data: Option<Vec<Option<TcpStream>>>,
}

impl Cluster {
    /// Finds the others, and makes sure that they are what they should be. From then on, `tell` hears what becomes of them,
    /// in a thread of the cluster; it is called for at most one failure.
    ///
    /// # Errors
    ///
    /// If that does not work: the text says which process is the reason. Those who are there are told.
    pub fn join(
        mut place: Place,
        introduction: Introduction,
        patience: &Patience,
        interrupt: Interrupt<'_>,
        tell: impl Fn(Event) + Send + 'static,
    ) -> Result<Cluster, JoinError> {
        let count = place.hosts.count();
        if place.index >= count {
            return Err(JoinError::System(format!(
                "there is no process {}: the list has {count}, and they are counted from 0",
                place.index
            )));
        }
        let until = Instant::now() + patience.start;
        let mut connections = join::connect(&mut place, patience, until, interrupt)?;
        // Another process may have to wait for the rest a little longer, if it has started later.
        let until = until + patience.silence;
        let (hosts, index) = (&place.hosts, place.index);
        let lifelines = &mut connections.lifelines[..];
        let model = introduce(lifelines, hosts, index, introduction, until, patience, interrupt);
        let model = match model {
            Ok(model) => model,
            Err(error) => {
                connections.farewell(index, &error);
                return Err(error);
            }
        };
        let failed =
            |error: io::Error| JoinError::System(format!("the system refuses a connection: {error}"));
        for stream in connections.data.iter().flatten() {
            crate::socket::prepare(stream, patience.silence).map_err(failed)?;
        }
        let lifeline =
            Lifeline::start(hosts, index, connections.lifelines, patience, Box::new(tell)).map_err(failed)?;
        Ok(Cluster { lifeline, model, data: Some(connections.data) })
    }

    /// How the others are, and what they should know. Can be copied, also into other threads.
    pub fn lifeline(&self) -> &Lifeline {
        &self.lifeline
    }

    /// The model of all.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What a search needs of the others, for this thread. There is one.
    ///
    /// # Errors
    ///
    /// If the system refuses threads.
    ///
    /// # Panics
    ///
    /// If it is asked for again.
    pub fn dataflow(&mut self) -> io::Result<Dataflow> {
        let data = self.data.take().expect("there is one dataflow");
        Dataflow::new(self.lifeline.clone(), data)
    }

    /// The regular end: waits until nobody needs this process any more, and goes. A process may end its own work as much
    /// later as the patience says.
    ///
    /// # Errors
    ///
    /// If another process is lost before it is done. This one is, so its result is complete.
    pub fn leave(self, mut dataflow: Dataflow, patience: Duration) -> Result<(), Option<Failure>> {
        self.lifeline.done();
        let until = Instant::now() + patience;
        while !self.lifeline.are_all_done() {
            if self.lifeline.is_over() || Instant::now() >= until {
                let failure = self.lifeline.failure().cloned();
                self.lifeline.close(None);
                return Err(failure);
            }
            dataflow.serve();
        }
        self.lifeline.close(None);
        Ok(())
    }
}

impl fmt::Debug for Cluster {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Cluster").field("lifeline", &self.lifeline).finish_non_exhaustive()
    }
}
