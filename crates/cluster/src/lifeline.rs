//! Whether the others are still there, and why not.
//!
//! One thread talks with all, by connections of their own, so that signs of life never wait behind states. A
//! process is lost when its connection is closed, when nothing is heard of it for some time, or when it says
//! that it ends. Then this process is lost as well, and tells the others whom it has lost: they report that
//! process, and not this one.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};

use crate::failure::{Cause, Event, Failure};
use crate::frame::Frame;
use crate::hosts::Hosts;
use crate::join::Patience;
use crate::link::Link;

/// How many numbers a process tells the others with each sign of life. What they mean is the program's business.
pub const COUNTERS: usize = 8;

/// Such numbers, shared between threads.
#[derive(Debug, Default)]
pub struct Counters([AtomicU64; COUNTERS]);

impl Counters {
    /// Sets one.
    pub fn set(&self, counter: usize, value: u64) {
        self.0[counter].store(value, Ordering::Relaxed);
    }

    /// All of them.
    pub fn get(&self) -> [u64; COUNTERS] {
        std::array::from_fn(|counter| self.0[counter].load(Ordering::Relaxed))
    }

    fn replace(&self, values: [u64; COUNTERS]) {
        for (counter, value) in values.into_iter().enumerate() {
            self.set(counter, value);
        }
    }
}

/// How a process hears of the others. Copies are for the same one.
#[derive(Clone, Debug)]
pub struct Lifeline {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    hosts: Hosts,
    own: usize,
    counters: Vec<Counters>,
    failure: OnceLock<Failure>,
    /// There will be nothing more to hear.
    is_closed: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
    /// Wakes the thread.
    bell: UnixStream,
}

/// What the thread is told, and tells.
#[derive(Debug, Default)]
struct State {
    wishes: Vec<Wish>,
    /// Which processes need the others no more.
    done: Vec<bool>,
    /// The thread has ended: all that could be said was said.
    has_ended: bool,
}

#[derive(Debug)]
enum Wish {
    Stop(u32),
    Done,
    /// The connection for states is closed.
    DataIsClosed(usize),
    /// Goes, and says why if there is a reason.
    Close(Option<String>),
}

/// How long a closed connection for states may remain unexplained. Last words come by the lifeline, and may be on
/// their way.
const EXPLANATION: Duration = Duration::from_secs(1);

/// How long last words may take. They are short, and fit into what the system keeps for a connection.
const LAST_WORDS: Duration = Duration::from_secs(1);

impl Lifeline {
    /// Starts to listen. `tell` is called in a thread of the lifeline.
    pub(crate) fn start(
        hosts: &Hosts,
        own: usize,
        links: Vec<Option<Link>>,
        patience: &Patience,
        tell: Box<dyn Fn(Event) + Send>,
    ) -> std::io::Result<Lifeline> {
        let (bell, rings) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        rings.set_nonblocking(true)?;
        let count = hosts.count();
        let shared = Arc::new(Shared {
            hosts: hosts.clone(),
            own,
            counters: (0..count).map(|_| Counters::default()).collect(),
            failure: OnceLock::new(),
            is_closed: AtomicBool::new(false),
            state: Mutex::new(State { done: vec![false; count], ..State::default() }),
            changed: Condvar::new(),
            bell,
        });
        let watch = Watch {
            shared: Arc::clone(&shared),
            peers: links.into_iter().map(|link| link.map(Peer::new)).collect(),
            rings,
            silence: patience.silence,
            heartbeat: patience.heartbeat,
            tell,
        };
        thread::Builder::new().name("lifeline".to_owned()).spawn(move || watch.run())?;
        Ok(Lifeline { shared })
    }

    /// Which process this is.
    pub fn index(&self) -> usize {
        self.shared.own
    }

    /// The processes.
    pub fn hosts(&self) -> &Hosts {
        &self.shared.hosts
    }

    /// The numbers that the others hear.
    pub fn counters(&self) -> &Counters {
        &self.shared.counters[self.shared.own]
    }

    /// The numbers of all, as they were heard last.
    pub fn all_counters(&self) -> Vec<[u64; COUNTERS]> {
        self.shared.counters.iter().map(Counters::get).collect()
    }

    /// Why the cluster has failed, if it has.
    pub fn failure(&self) -> Option<&Failure> {
        self.shared.failure.get()
    }

    /// Whether nothing more can be done together: the cluster has failed, or this process has gone.
    pub fn is_over(&self) -> bool {
        self.failure().is_some() || self.shared.is_closed.load(Ordering::Acquire)
    }

    /// Asks all others to stop soon.
    pub fn stop(&self, cause: u32) {
        self.wish(Wish::Stop(cause));
    }

    /// Ends the work of all: tells the others why, and waits until that is said. To be called before the program ends
    /// because of a mistake of its own; not while an event is told.
    pub fn fail(&self, reason: &str) {
        self.close(Some(reason.to_owned()));
    }

    /// This process needs the others no more.
    pub(crate) fn done(&self) {
        self.wish(Wish::Done);
    }

    /// Whether nobody needs this process any more.
    pub(crate) fn are_all_done(&self) -> bool {
        let state = self.shared.state();
        state.done.iter().enumerate().all(|(peer, &done)| done || peer == self.shared.own)
    }

    pub(crate) fn data_is_closed(&self, peer: usize) {
        self.wish(Wish::DataIsClosed(peer));
    }

    /// Says what is to be said, and hangs up.
    pub(crate) fn close(&self, reason: Option<String>) {
        self.wish(Wish::Close(reason));
        let until = Instant::now() + 2 * LAST_WORDS;
        let mut state = self.shared.state();
        while !state.has_ended && Instant::now() < until {
            let wait =
                self.shared.changed.wait_timeout(state, until.saturating_duration_since(Instant::now()));
            state = wait.expect("nobody fails while holding it").0;
        }
    }

    fn wish(&self, wish: Wish) {
        self.shared.state().wishes.push(wish);
        // If it is full, it rings already.
        let _ = (&self.shared.bell).write(&[0]);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody fails while holding it")
    }
}

/// The thread, with the connections.
struct Watch {
    shared: Arc<Shared>,
    peers: Vec<Option<Peer>>,
    rings: UnixStream,
    silence: Duration,
    heartbeat: Duration,
    tell: Box<dyn Fn(Event) + Send>,
}

struct Peer {
    link: Link,
    /// How long nothing was heard of it, while this process was there to hear.
    silent: Duration,
    /// It needs the others no more, and may go.
    is_done: bool,
    /// When the connection for states was closed.
    data_closed: Option<Instant>,
}

impl Peer {
    fn new(link: Link) -> Peer {
        Peer { link, silent: Duration::ZERO, is_done: false, data_closed: None }
    }
}

impl Watch {
    fn run(mut self) {
        let mut last = Instant::now();
        let mut beat = last;
        let closing = loop {
            let now = Instant::now();
            // A process that was stopped itself has not heard anything meanwhile, but that is nobody else's fault. So no
            // time counts in which it should have looked and did not.
            let passed = now.duration_since(last).min(2 * self.heartbeat);
            last = now;
            if let Some(closing) = self.grant_wishes(now) {
                break closing;
            }
            // First all that was said, then what follows from silence: the reason of an end may stand there.
            if let Some(failure) = self.listen(passed).or_else(|| self.judge(now)) {
                self.fail(failure);
                break None;
            }
            if now >= beat {
                let counters = self.shared.counters[self.shared.own].get();
                self.send(&Frame::Heartbeat(counters));
                beat = now + self.heartbeat;
            }
            for peer in self.peers.iter_mut().flatten() {
                peer.link.flush();
            }
            self.wait(beat.saturating_duration_since(Instant::now()));
        };
        self.hang_up(closing);
        let mut state = self.shared.state();
        state.has_ended = true;
        self.shared.is_closed.store(true, Ordering::Release);
        self.shared.changed.notify_all();
    }

    /// Does what the program wants. Gives its last words when it wants to go.
    fn grant_wishes(&mut self, now: Instant) -> Option<Option<String>> {
        let mut rings = [0; 64];
        while matches!((&self.rings).read(&mut rings), Ok(read) if read == rings.len()) {}
        let wishes = std::mem::take(&mut self.shared.state().wishes);
        for wish in wishes {
            match wish {
                Wish::Stop(cause) => self.send(&Frame::Stop(cause)),
                Wish::Done => {
                    let own = self.shared.own;
                    self.shared.state().done[own] = true;
                    self.send(&Frame::Done);
                }
                Wish::DataIsClosed(peer) => {
                    if let Some(peer) = &mut self.peers[peer] {
                        peer.data_closed.get_or_insert(now);
                    }
                }
                Wish::Close(reason) => return Some(reason),
            }
        }
        None
    }

    fn send(&mut self, frame: &Frame) {
        for peer in self.peers.iter_mut().flatten() {
            peer.link.send(frame);
        }
    }

    /// Takes what others say.
    fn listen(&mut self, passed: Duration) -> Option<Failure> {
        let shared = Arc::clone(&self.shared);
        let mut first = None;
        for (index, peer) in self.peers.iter_mut().enumerate() {
            let Some(peer) = peer else { continue };
            peer.silent = if peer.link.receive() > 0 { Duration::ZERO } else { peer.silent + passed };
            let failed = loop {
                let frame = match peer.link.next() {
                    Ok(None) => break None,
                    Ok(Some(frame)) => frame,
                    Err(_) => {
                        let reason = "it sends what this version does not understand".to_owned();
                        break Some(Failure::new(&shared.hosts, index, Cause::Ended(reason)));
                    }
                };
                match frame {
                    Frame::Heartbeat(values) => shared.counters[index].replace(values),
                    Frame::Stop(cause) => (self.tell)(Event::Stop { process: index, cause }),
                    Frame::Done => {
                        peer.is_done = true;
                        shared.state().done[index] = true;
                        shared.changed.notify_all();
                    }
                    Frame::Farewell { about, cause } => {
                        let about = usize::from(about);
                        break Some(Failure::told(&shared.hosts, shared.own, index, about, cause));
                    }
                    Frame::Version(_) | Frame::Introduction { .. } | Frame::Model { .. } => {
                        let reason = "it introduces itself once more".to_owned();
                        break Some(Failure::new(&shared.hosts, index, Cause::Ended(reason)));
                    }
                }
            };
            if first.is_none() {
                first = failed;
            }
        }
        first
    }

    /// Whether somebody is lost who has not said anything.
    fn judge(&self, now: Instant) -> Option<Failure> {
        let lost = |(index, peer): (usize, &Option<Peer>)| {
            let peer = peer.as_ref().filter(|peer| !peer.is_done)?;
            let is_unexplained = |closed: Instant| now.duration_since(closed) >= EXPLANATION;
            let cause = if peer.link.has_ended() || peer.data_closed.is_some_and(is_unexplained) {
                Cause::Gone
            } else if peer.silent >= self.silence {
                Cause::Silent(self.silence)
            } else {
                return None;
            };
            Some(Failure::new(&self.shared.hosts, index, cause))
        };
        self.peers.iter().enumerate().find_map(lost)
    }

    /// The first failure: tells the others, and the program.
    fn fail(&mut self, failure: Failure) {
        let farewell = Frame::Farewell { about: failure.process as u16, cause: failure.cause.clone() };
        self.send(&farewell);
        for peer in self.peers.iter_mut().flatten() {
            peer.link.shut();
        }
        if self.shared.failure.set(failure.clone()).is_ok() {
            (self.tell)(Event::Failed(failure));
        }
    }

    fn wait(&self, time: Duration) {
        // What is closed would be ready all the time; whether it has gone too early is looked at now and then.
        let links = self.peers.iter().flatten().map(|peer| &peer.link).filter(|link| !link.has_ended());
        let mut waited = vec![PollFd::new(&self.rings, PollFlags::IN)];
        waited.extend(links.map(|link| {
            let writes = if link.wants_to_send() { PollFlags::OUT } else { PollFlags::empty() };
            PollFd::new(link.stream(), PollFlags::IN | writes)
        }));
        let time = time.min(Duration::from_millis(250));
        let time = Timespec { tv_sec: 0, tv_nsec: i64::from(time.subsec_nanos()) };
        // If it fails, nothing is lost but the wait.
        if rustix::event::poll(&mut waited, Some(&time)).is_err() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Sends what is left, and waits until the others have it: a connection that is closed with something in it
    /// that was not read takes back what was sent.
    fn hang_up(&mut self, reason: Option<String>) {
        if let Some(reason) = reason {
            self.send(&Frame::Farewell { about: self.shared.own as u16, cause: Cause::Ended(reason) });
        }
        let until = Instant::now() + LAST_WORDS;
        let mut buffer = [0; 1 << 12];
        for peer in self.peers.iter_mut().flatten() {
            peer.link.flush();
        }
        for peer in self.peers.iter_mut().flatten() {
            while peer.link.wants_to_send() && Instant::now() < until {
                thread::sleep(Duration::from_millis(1));
                peer.link.flush();
            }
            peer.link.shut();
        }
        for peer in self.peers.iter_mut().flatten() {
            // Until the other side has closed it as well.
            while !peer.link.has_ended() && Instant::now() < until {
                match peer.link.stream().read(&mut buffer) {
                    Ok(0) => break,
                    Ok(_) => {}
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        thread::sleep(Duration::from_millis(1));
                    }
                    Err(_) => break,
                }
            }
        }
    }
}
