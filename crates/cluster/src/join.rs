//! How the processes find each other.
//!
//! Each listens on its own address, connects to those before it in the list, and waits for those behind it. Two
//! processes have two connections: one for states, and a *lifeline*. A process that vanishes meanwhile may come
//! back. When everybody is there, nobody listens any more.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, ErrorKind};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Cause, Failure, seconds};
use crate::frame::Frame;
use crate::handshake::{Claim, Kind, Verdict};
use crate::hosts::Hosts;
use crate::link::Link;
use crate::outgoing::{News, Outgoing};
use crate::place::Place;
use crate::strangers::{Refused, Strangers};

/// How long to wait for what.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Until all processes are there.
    pub start: Duration,
    /// Until somebody who connects has proved that it is one of them.
    pub handshake: Duration,
    /// How many may be about to prove it at the same time.
    pub strangers: usize,
    /// A process of which nothing is heard for this long is lost.
    pub silence: Duration,
    /// How often each process gives a sign of life.
    pub heartbeat: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            start: Duration::from_secs(60),
            handshake: Duration::from_secs(5),
            strangers: 1024,
            silence: Duration::from_secs(10),
            heartbeat: Duration::from_secs(1),
        }
    }
}

/// Asked now and then while a process waits for others: a reason to give up, if there is one.
pub type Interrupt<'i> = &'i dyn Fn() -> Option<String>;

/// Why a cluster did not come about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JoinError {
    /// This process cannot listen where it should, or the system refuses something else.
    System(String),
    /// Some processes did not come.
    Absent(String),
    /// Another process does not accept this one, or is not what it should be.
    Refused(String),
    /// Not all want to do the same.
    Different(String),
    /// A process was lost again.
    Lost(Failure),
    /// The caller gave it up.
    Interrupted(String),
}

impl fmt::Display for JoinError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JoinError::Lost(failure) => write!(out, "{failure}"),
            JoinError::System(text)
            | JoinError::Absent(text)
            | JoinError::Refused(text)
            | JoinError::Different(text)
            | JoinError::Interrupted(text) => write!(out, "{text}"),
        }
    }
}

impl std::error::Error for JoinError {}

/// The two connections to each other process; nothing at the place of this one.
pub(crate) struct Connections {
    pub lifelines: Vec<Option<Link>>,
    pub data: Vec<Option<TcpStream>>,
}

/// How often to look whether something has happened that nobody tells.
const GLANCE: Duration = Duration::from_millis(10);

/// Connects all processes.
pub(crate) fn connect(
    place: &mut Place,
    patience: &Patience,
    until: Instant,
    interrupt: Interrupt<'_>,
) -> Result<Connections, JoinError> {
    let listener = match place.listener.take() {
        Some(listener) => listener,
        None => listen(&place.hosts, place.index, until, interrupt)?,
    };
    let mut strangers = Strangers::new(&place.secret, listener, patience.handshake, patience.strangers)
        .map_err(|error| {
            JoinError::System(format!("the system does not let this process listen: {error}"))
        })?;
    let outgoing = Arc::new(Outgoing {
        hosts: place.hosts.clone(),
        secret: place.secret.clone(),
        own: place.index,
        until,
        time: patience.handshake,
        is_cancelled: AtomicBool::new(false),
    });
    let mut gathering = Gathering {
        hosts: &place.hosts,
        own: place.index,
        silence: patience.silence,
        connections: Connections::none(place.hosts.count()),
        connecting: vec![false; place.index],
        troubles: BTreeMap::new(),
    };
    let result = gathering.run(&mut strangers, &outgoing, patience, until, interrupt);
    outgoing.is_cancelled.store(true, Ordering::Relaxed);
    match result {
        Ok(()) => Ok(gathering.connections),
        Err(error) => {
            gathering.connections.farewell(place.index, &error);
            Err(error)
        }
    }
}

/// Listens on the address of a process, and no other.
fn listen(
    hosts: &Hosts,
    index: usize,
    until: Instant,
    interrupt: Interrupt<'_>,
) -> Result<TcpListener, JoinError> {
    let address = hosts.address(index);
    let found = loop {
        match Hosts::resolve(address) {
            Ok(found) => break found,
            Err(mistake) if Instant::now() >= until => {
                return Err(JoinError::System(format!("this is process {index}, and {mistake}")));
            }
            // Names of machines that start (pods of Kubernetes, for instance) come a little later than these.
            Err(_) => thread::sleep(Duration::from_millis(100)),
        }
        if let Some(reason) = interrupt() {
            return Err(JoinError::Interrupted(reason));
        }
    };
    TcpListener::bind(&found[..]).map_err(|error| {
        let advice = match error.kind() {
            ErrorKind::AddrInUse => "; is another process started with this index, or this port?",
            ErrorKind::AddrNotAvailable => {
                "; line K of the list of hosts, counted from 0, has to be an address of the machine that runs \
                 process K"
            }
            ErrorKind::PermissionDenied => "; ports below 1024 usually need privileges",
            _ => "",
        };
        JoinError::System(format!("process {index} cannot listen on {address}: {error}{advice}"))
    })
}

/// The processes that are there, so far.
struct Gathering<'h> {
    hosts: &'h Hosts,
    own: usize,
    silence: Duration,
    connections: Connections,
    /// To which processes a thread connects.
    connecting: Vec<bool>,
    /// What was wrong at the last attempt.
    troubles: BTreeMap<usize, String>,
}

impl Gathering<'_> {
    fn run(
        &mut self,
        strangers: &mut Strangers<'_>,
        outgoing: &Arc<Outgoing>,
        patience: &Patience,
        until: Instant,
        interrupt: Interrupt<'_>,
    ) -> Result<(), JoinError> {
        let (sender, news) = mpsc::channel();
        while !self.is_complete() {
            if let Some(reason) = interrupt() {
                return Err(JoinError::Interrupted(reason));
            }
            if Instant::now() >= until {
                return Err(self.absent(patience.start, strangers.refused));
            }
            for to in 0..self.own {
                let missing = self.connections.missing(to);
                if !missing.is_empty() && !self.connecting[to] {
                    self.connecting[to] = true;
                    outgoing.start(to, missing, sender.clone()).map_err(JoinError::System)?;
                }
            }
            strangers.wait(GLANCE);
            for (claim, stream) in strangers.turn(&mut |claim| self.judge(claim)) {
                self.take(usize::from(claim.from), claim.kind, stream)?;
            }
            for news in news.try_iter().collect::<Vec<_>>() {
                match news {
                    News::Connected(to, kind, stream) => self.take(to, kind, stream)?,
                    News::Trouble(to, trouble) => {
                        self.troubles.insert(to, trouble);
                    }
                    News::Hopeless(mistake) => return Err(JoinError::Refused(mistake)),
                    News::Ended(to) => self.connecting[to] = false,
                }
            }
            if !self.is_complete() {
                self.look_after()?;
            }
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        (0..self.hosts.count()).all(|peer| peer == self.own || self.connections.missing(peer).is_empty())
    }

    /// Whether somebody who knows the secret may have the place it claims.
    fn judge(&mut self, claim: Claim) -> Verdict {
        let from = usize::from(claim.from);
        if usize::from(claim.to) != self.own || from <= self.own || from >= self.hosts.count() {
            return Verdict::Elsewhere;
        }
        // Who had it may have gone.
        let _ = self.look_at(from);
        if self.connections.missing(from).contains(&claim.kind) { Verdict::Welcome } else { Verdict::Taken }
    }

    fn take(&mut self, peer: usize, kind: Kind, stream: TcpStream) -> Result<(), JoinError> {
        let broken = |error: io::Error| JoinError::System(format!("a connection cannot be set up: {error}"));
        match kind {
            Kind::Lifeline => match Link::new(stream, self.silence) {
                Ok(link) => self.connections.lifelines[peer] = Some(link),
                // It was closed already: as if it had never been.
                Err(error) if error.kind() == ErrorKind::InvalidInput => {}
                Err(error) => return Err(broken(error)),
            },
            Kind::Data => self.connections.data[peer] = Some(stream),
        }
        Ok(())
    }

    fn look_after(&mut self) -> Result<(), JoinError> {
        (0..self.hosts.count()).try_for_each(|peer| self.look_at(peer))
    }

    /// Whether a process that was there still is. One that vanished may come back; one that says why it ends does not.
    fn look_at(&mut self, peer: usize) -> Result<(), JoinError> {
        let Some(link) = &mut self.connections.lifelines[peer] else { return Ok(()) };
        link.receive();
        if let Some(Frame::Farewell { about, cause }) = link.farewell() {
            let failure = Failure::told(self.hosts, self.own, peer, usize::from(about), cause);
            return Err(JoinError::Lost(failure));
        }
        if link.has_ended() {
            self.connections.lifelines[peer] = None;
            self.connections.data[peer] = None;
            self.troubles.insert(peer, "it was there, and went away again".to_owned());
        }
        Ok(())
    }

    fn absent(&self, start: Duration, refused: Refused) -> JoinError {
        let absent: Vec<usize> = (0..self.hosts.count())
            .filter(|&peer| peer != self.own && !self.connections.missing(peer).is_empty())
            .collect();
        let name = |&peer: &usize| match self.troubles.get(&peer) {
            Some(trouble) => format!("{} ({trouble})", self.hosts.name(peer)),
            None => self.hosts.name(peer),
        };
        // Nobody reads a list of hundreds.
        let mut names: Vec<String> = absent.iter().take(8).map(name).collect();
        if absent.len() > names.len() {
            names.push(format!("{} others", absent.len() - names.len()));
        }
        let names = match names.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        };
        JoinError::Absent(format!("{names} did not come within {}{refused}", seconds(start)))
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let connections = |count: u64| match count {
            1 => "1 connection".to_owned(),
            count => format!("{count} connections"),
        };
        let Refused { secret, version, other } = *self;
        if secret > 0 {
            write!(out, "; {} with another secret refused", connections(secret))?;
        }
        if version > 0 {
            write!(out, "; {} with another version of the program refused", connections(version))?;
        }
        if other > 0 {
            write!(out, "; {} of strangers refused", connections(other))?;
        }
        Ok(())
    }
}

impl Connections {
    fn none(count: usize) -> Connections {
        Connections {
            lifelines: (0..count).map(|_| None).collect(),
            data: (0..count).map(|_| None).collect(),
        }
    }

    fn missing(&self, peer: usize) -> Vec<Kind> {
        let mut missing = Vec::new();
        if self.lifelines[peer].is_none() {
            missing.push(Kind::Lifeline);
        }
        if self.data[peer].is_none() {
            missing.push(Kind::Data);
        }
        missing
    }

    /// Tells those who are there why this process ends. If the caller gave up, it may come back: then it just goes.
    pub fn farewell(&mut self, own: usize, error: &JoinError) {
        let (about, cause) = match error {
            JoinError::Interrupted(_) => return,
            JoinError::Lost(failure) => (failure.process, failure.cause.clone()),
            other => (own, Cause::Ended(other.to_string())),
        };
        for link in self.lifelines.iter_mut().flatten() {
            link.send(&Frame::Farewell { about: about as u16, cause: cause.clone() });
            link.shut();
        }
    }
}
