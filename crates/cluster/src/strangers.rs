//! Connections that arrive, from whoever it may be.
//!
//! Nothing that a stranger does, or does not, keeps this process from anything: none is waited for, each has a
//! time within which it must have proved that it knows the secret, there are not more than some at once, and not
//! a byte is read beyond what the handshake consists of.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};

use crate::handshake::{CLAIM, Claim, HELLO, Listener, Mistrust, Verdict};
use crate::secret::Secret;

pub(crate) struct Strangers<'s> {
    secret: &'s Secret,
    listener: TcpListener,
    /// The oldest first.
    pending: VecDeque<Pending<'s>>,
    time: Duration,
    most: usize,
    pub refused: Refused,
}

/// How many connections were refused, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Refused {
    pub secret: u64,
    pub version: u64,
    /// They said something else, or nothing in time.
    pub other: u64,
}

struct Pending<'s> {
    stream: TcpStream,
    since: Instant,
    /// What has arrived of the message that is next.
    message: Vec<u8>,
    state: State<'s>,
}

enum State<'s> {
    Hello,
    /// It was greeted by this version, or by another, which goes away when it sees the answer.
    Claim(Listener<'s>),
}

/// What becomes of a connection in a turn.
enum Step {
    Wait,
    Refused(Mistrust),
    Gone,
    Proved(Claim),
}

impl<'s> Strangers<'s> {
    pub fn new(
        secret: &'s Secret,
        listener: TcpListener,
        time: Duration,
        most: usize,
    ) -> std::io::Result<Self> {
        listener.set_nonblocking(true)?;
        let refused = Refused::default();
        Ok(Strangers { secret, listener, pending: VecDeque::new(), time, most: most.max(1), refused })
    }

    /// Waits until something happens, but not for long.
    pub fn wait(&self, time: Duration) {
        let mut waited: Vec<PollFd<'_>> = vec![PollFd::new(&self.listener, PollFlags::IN)];
        waited.extend(self.pending.iter().map(|pending| PollFd::new(&pending.stream, PollFlags::IN)));
        let time = Timespec { tv_sec: 0, tv_nsec: i64::from(time.subsec_nanos()) };
        // If it fails, nothing is lost but the wait.
        if rustix::event::poll(&mut waited, Some(&time)).is_err() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Goes on with all of them, as far as that is possible now. Whoever has proved to know the secret is let in or not,
    /// as `judge` says.
    pub fn turn(&mut self, judge: &mut dyn FnMut(Claim) -> Verdict) -> Vec<(Claim, TcpStream)> {
        self.accept();
        let now = Instant::now();
        let mut admitted = Vec::new();
        for mut pending in std::mem::take(&mut self.pending) {
            match pending.step(self.secret) {
                Step::Wait if now.duration_since(pending.since) < self.time => {
                    self.pending.push_back(pending);
                }
                Step::Wait | Step::Gone | Step::Refused(Mistrust::Stranger) => self.refused.other += 1,
                Step::Refused(Mistrust::Secret) => self.refused.secret += 1,
                Step::Refused(Mistrust::Version(_)) => self.refused.version += 1,
                Step::Proved(claim) => {
                    let verdict = judge(claim);
                    if pending.tell(claim, verdict) && verdict == Verdict::Welcome {
                        admitted.push((claim, pending.stream));
                    }
                }
            }
        }
        admitted
    }

    fn accept(&mut self) {
        // Not more in one turn than there is room for: then it is the turn of those that are here.
        for _ in 0..self.most {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    if stream.set_nonblocking(true).is_err() {
                        continue;
                    }
                    while self.pending.len() >= self.most {
                        self.drop_oldest();
                    }
                    let since = Instant::now();
                    self.pending.push_back(Pending {
                        stream,
                        since,
                        message: Vec::new(),
                        state: State::Hello,
                    });
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // There are too many open files, for instance: there is room when somebody goes.
                Err(_) => {
                    self.drop_oldest();
                    std::thread::sleep(Duration::from_millis(1));
                    break;
                }
            }
        }
    }

    fn drop_oldest(&mut self) {
        if self.pending.pop_front().is_some() {
            self.refused.other += 1;
        }
    }
}

impl<'s> Pending<'s> {
    fn step(&mut self, secret: &'s Secret) -> Step {
        loop {
            let length = match self.state {
                State::Hello => HELLO,
                State::Claim(_) => CLAIM,
            };
            let mut buffer = [0; HELLO];
            match (&self.stream).read(&mut buffer[..length - self.message.len()]) {
                Ok(0) => return Step::Gone,
                Ok(read) => self.message.extend(&buffer[..read]),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Step::Wait,
                Err(_) => return Step::Gone,
            }
            if self.message.len() < length {
                continue;
            }
            let message = std::mem::take(&mut self.message);
            match &self.state {
                State::Hello => {
                    let hello: [u8; HELLO] = message.try_into().expect("as long as it should be");
                    let (listener, answer) = match Listener::answer(secret, &hello) {
                        Ok(both) => both,
                        Err(mistrust) => return Step::Refused(mistrust),
                    };
                    // The first bytes on a connection fit into what the system keeps for it.
                    if !matches!((&self.stream).write(&answer), Ok(written) if written == answer.len()) {
                        return Step::Gone;
                    }
                    if let Err(mistrust) = Listener::version(&hello) {
                        return Step::Refused(mistrust);
                    }
                    self.state = State::Claim(listener);
                }
                State::Claim(listener) => {
                    let claim: [u8; CLAIM] = message.try_into().expect("as long as it should be");
                    return match listener.claim(&claim) {
                        Ok(claim) => Step::Proved(claim),
                        Err(mistrust) => Step::Refused(mistrust),
                    };
                }
            }
        }
    }

    /// Whether the other side was told.
    fn tell(&self, claim: Claim, verdict: Verdict) -> bool {
        let State::Claim(listener) = &self.state else { return false };
        let bytes = listener.verdict(claim, verdict);
        matches!((&self.stream).write(&bytes), Ok(written) if written == bytes.len())
    }
}
