//! Connecting to a process that may not be there yet.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use crate::handshake::{CLAIM, Claim, Connector, Kind, Mistrust, VERSION, Verdict};
use crate::hosts::Hosts;
use crate::secret::Secret;

/// Attempts to connect to one process, in a thread of their own: to ask for an address can take long, and cannot be
/// given up.
pub(crate) struct Outgoing {
    pub hosts: Hosts,
    pub secret: Secret,
    pub own: usize,
    /// Until when to try.
    pub until: Instant,
    /// How long a handshake may take.
    pub time: Duration,
    /// Nobody is interested any more.
    pub is_cancelled: AtomicBool,
}

/// What such a thread has to say.
pub(crate) enum News {
    /// A connection, which both sides agree on.
    Connected(usize, Kind, TcpStream),
    /// It does not work, so far.
    Trouble(usize, String),
    /// It never will.
    Hopeless(String),
    /// The thread ends.
    Ended(usize),
}

/// Why an attempt failed.
enum Failed {
    ForNow(String),
    ForEver(String),
}

/// Between two attempts. A process that is there is usually there at once.
const PAUSE: Duration = Duration::from_millis(100);

impl Outgoing {
    /// Connects to a process, in these ways.
    pub fn start(self: &Arc<Self>, to: usize, kinds: Vec<Kind>, news: Sender<News>) -> Result<(), String> {
        let outgoing = Arc::clone(self);
        let run = move || {
            // Where one is refused, another is as well.
            let _ = kinds.into_iter().all(|kind| outgoing.connect(to, kind, &news));
            // Whoever does not listen any more does not need it.
            let _ = news.send(News::Ended(to));
        };
        let started = thread::Builder::new().name(format!("connect-{to}")).spawn(run);
        started.map(|_| ()).map_err(|error| format!("no thread can be started: {error}"))
    }

    /// Whether it is connected in the end.
    fn connect(&self, to: usize, kind: Kind, news: &Sender<News>) -> bool {
        while !self.is_cancelled.load(Ordering::Relaxed) && Instant::now() < self.until {
            let message = match self.attempt(to, kind) {
                Ok(stream) => return news.send(News::Connected(to, kind, stream)).is_ok(),
                Err(Failed::ForEver(mistake)) => {
                    // Whoever does not listen any more does not need it.
                    let _ = news.send(News::Hopeless(mistake));
                    return false;
                }
                Err(Failed::ForNow(trouble)) => News::Trouble(to, trouble),
            };
            if news.send(message).is_err() {
                return false;
            }
            thread::sleep(PAUSE);
        }
        false
    }

    fn attempt(&self, to: usize, kind: Kind) -> Result<TcpStream, Failed> {
        let mut trouble = Failed::ForNow("there is no address".to_owned());
        for address in Hosts::resolve(self.hosts.address(to)).map_err(Failed::ForNow)? {
            match self.attempt_at(address, to, kind) {
                Err(Failed::ForNow(reason)) => trouble = Failed::ForNow(reason),
                decided => return decided,
            }
        }
        Err(trouble)
    }

    fn attempt_at(&self, address: SocketAddr, to: usize, kind: Kind) -> Result<TcpStream, Failed> {
        let left = self.until.saturating_duration_since(Instant::now()).min(self.time);
        let left = left.max(Duration::from_millis(1));
        let stream = TcpStream::connect_timeout(&address, left)
            .map_err(|error| Failed::ForNow(format!("connecting fails: {error}")))?;
        // A socket that connects to a port of its own machine, where nobody listens, can meet itself.
        if stream.local_addr().is_ok_and(|own| own == address) {
            return Err(Failed::ForNow("nobody listens".to_owned()));
        }
        let mut dialogue = Dialogue { stream, until: Instant::now() + left };
        let claim = Claim { from: self.own as u16, to: to as u16, kind };
        let name = self.hosts.name(to);
        let mut connector = Connector::new(&self.secret, claim).map_err(Failed::ForEver)?;
        dialogue.write(&connector.hello())?;
        let proof = match connector.claim(&dialogue.read()?) {
            Ok(proof) => proof,
            Err(Mistrust::Stranger) => {
                let trouble = "what listens there is no process of a cluster";
                return Err(Failed::ForNow(trouble.to_owned()));
            }
            Err(Mistrust::Version(version)) => {
                return Err(Failed::ForEver(format!(
                    "{name} speaks version {version} of the protocol, and this process version {VERSION}; \
                     install the same version of the program on every host"
                )));
            }
            Err(Mistrust::Secret) => {
                // So that it can count: no secret says this.
                let _ = dialogue.write(&[u8::MAX; CLAIM]);
                return Err(Failed::ForEver(format!(
                    "the secret of {name} is another one; give all processes the same file"
                )));
            }
        };
        dialogue.write(&proof)?;
        match connector.verdict(&dialogue.read()?) {
            Ok(Verdict::Welcome) => Ok(dialogue.stream),
            Ok(Verdict::Taken) => Err(Failed::ForEver(format!(
                "{name} already has a process {}; start each index once",
                self.own
            ))),
            Ok(Verdict::Elsewhere) => Err(Failed::ForEver(format!(
                "whoever listens at {} is not process {to}, or knows no process {}; give all processes the \
                 same list of hosts",
                self.hosts.address(to),
                self.own
            ))),
            Err(_) => Err(Failed::ForNow("the handshake was disturbed".to_owned())),
        }
    }
}

/// A connection with a time until which all is to be said.
struct Dialogue {
    stream: TcpStream,
    until: Instant,
}

impl Dialogue {
    fn left(&self) -> Result<Duration, Failed> {
        let left = self.until.saturating_duration_since(Instant::now());
        let silence = || Failed::ForNow("what listens there does not answer".to_owned());
        if left.is_zero() { Err(silence()) } else { Ok(left) }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failed> {
        let left = self.left()?;
        let written = self.stream.set_write_timeout(Some(left)).and_then(|()| self.stream.write_all(bytes));
        written.map_err(|error| Failed::ForNow(format!("the connection broke: {error}")))
    }

    fn read<const N: usize>(&mut self) -> Result<[u8; N], Failed> {
        let mut bytes = [0; N];
        let mut filled = 0;
        while filled < N {
            let left = self.left()?;
            let read = self
                .stream
                .set_read_timeout(Some(left))
                .and_then(|()| self.stream.read(&mut bytes[filled..]));
            match read {
                Ok(0) => return Err(Failed::ForNow("the connection was closed".to_owned())),
                Ok(more) => filled += more,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Failed::ForNow(format!("the connection broke: {error}"))),
            }
        }
        Ok(bytes)
    }
}
