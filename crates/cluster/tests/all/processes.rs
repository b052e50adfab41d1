//! "Processes" for tests: threads of this one, which know of each other only by connections.

use std::net::TcpListener;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use polycube_cluster::{
    Cluster, Dataflow, Event, Failure, Hosts, Introduction, JoinError, Lifeline, Model, Patience, Place,
    Secret,
};

/// Patience for tests: everything is a tenth.
pub fn patience() -> Patience {
    Patience {
        start: Duration::from_secs(10),
        handshake: Duration::from_millis(500),
        strangers: 1024,
        silence: Duration::from_millis(1500),
        heartbeat: Duration::from_millis(100),
    }
}

pub fn secret() -> Secret {
    Secret::new(b"a secret of these tests").unwrap()
}

/// Places for so many processes, each with a listener of its own.
pub fn places(count: usize) -> Vec<Place> {
    let listeners: Vec<TcpListener> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let addresses = listeners.iter().map(|listener| listener.local_addr().unwrap().to_string()).collect();
    let hosts = Hosts::new(addresses).unwrap();
    (0..)
        .zip(listeners)
        .map(|(index, listener)| Place {
            hosts: hosts.clone(),
            index,
            secret: secret(),
            listener: Some(listener),
        })
        .collect()
}

/// What every process says of itself: the model is at process 0 only.
pub fn introduction(index: usize) -> Introduction {
    let model = Model { name: "toy.pc".to_owned(), text: "a toy".to_owned() };
    Introduction {
        version: "0.1.0".to_owned(),
        settings: vec![("-n".to_owned(), "5".to_owned())],
        model: (index == 0).then_some(model),
    }
}

/// Joins, and gives what is heard later.
pub fn join(
    place: Place,
    introduction: Introduction,
    patience: &Patience,
) -> Result<(Cluster, Receiver<Event>), JoinError> {
    let (sender, events) = mpsc::channel();
    let tell = move |event| {
        let _ = sender.send(event);
    };
    Cluster::join(place, introduction, patience, &|| None, tell).map(|cluster| (cluster, events))
}

/// A process that has joined.
pub struct Process {
    pub cluster: Cluster,
    pub dataflow: Dataflow,
    pub events: Receiver<Event>,
    _alarm: Alarm,
}

/// A test that fails does not leave the other processes waiting.
struct Alarm(Lifeline);

impl Drop for Alarm {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail("it panicked");
        }
    }
}

impl Process {
    pub fn new(mut cluster: Cluster, events: Receiver<Event>) -> Process {
        let dataflow = cluster.dataflow().unwrap();
        let alarm = Alarm(cluster.lifeline().clone());
        Process { cluster, dataflow, events, _alarm: alarm }
    }

    pub fn leave(self) {
        self.cluster.leave(self.dataflow, Duration::from_secs(10)).unwrap();
        // A sign of life may have been told; a failure was not.
        assert!(!self.events.try_iter().any(|event| matches!(event, Event::Failed(_))));
    }

    /// The failure that it is told of.
    pub fn failure(&self) -> Failure {
        loop {
            match self.events.recv_timeout(Duration::from_secs(10)).expect("a failure is told") {
                Event::Failed(failure) => return failure,
                Event::Stop { .. } => {}
            }
        }
    }
}

/// Does the same in so many processes at once, and gives what each of them gives.
pub fn run<T: Send>(count: usize, patience: &Patience, work: impl Fn(Process) -> T + Sync) -> Vec<T> {
    let work = &work;
    thread::scope(|scope| {
        let handles: Vec<_> = places(count)
            .into_iter()
            .map(|place| {
                scope.spawn(move || {
                    let index = place.index;
                    let (cluster, events) = join(place, introduction(index), patience).unwrap();
                    work(Process::new(cluster, events))
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    })
}

/// Tries to join with all these, at once, and gives what becomes of each.
pub fn try_all(
    processes: Vec<(Place, Introduction)>,
    patience: &Patience,
) -> Vec<Result<Cluster, JoinError>> {
    thread::scope(|scope| {
        let handles: Vec<_> = processes
            .into_iter()
            .map(|(place, introduction)| {
                scope.spawn(move || join(place, introduction, patience).map(|(cluster, _)| cluster))
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    })
}
