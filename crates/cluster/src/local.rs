//! A cluster on this machine: a process that starts the others, its children.
//!
//! Each child listens on a port that the system chooses, and says on its standard output which one. When all have,
//! the parent says to each, on its standard input, who is who, and the secret: it is never part of a command or
//! of an environment, which others can see. The input stays open: it ends with the parent, and the child with it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::hosts::Hosts;
use crate::join::{Interrupt, JoinError};
use crate::place::Place;
use crate::secret::Secret;

/// What a child says first.
const LISTENS: &str = "polycube listens on port ";

/// How often to look whether something has happened that nobody tells.
const GLANCE: Duration = Duration::from_millis(20);

/// The children of process 0. They do not outlive this value; but they may end before.
#[derive(Debug)]
pub struct Children {
    children: Mutex<Vec<Child>>,
}

/// Starts processes 1 to `count - 1` with a command each, whose output is for us; it has to call [`receive`]. Gives
/// the place of this process, which is process 0.
///
/// # Errors
///
/// If one of them cannot be started, or ends, or says nothing in time.
pub fn start(
    count: usize,
    mut command: impl FnMut(usize) -> Command,
    patience: Duration,
    interrupt: Interrupt<'_>,
) -> Result<(Place, Children), JoinError> {
    let listener = listen().map_err(JoinError::System)?;
    let (sender, ports) = mpsc::channel();
    let children = Children { children: Mutex::new(Vec::new()) };
    for index in 1..count {
        let mut command = command(index);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|error| JoinError::System(format!("process {index} cannot be started: {error}")))?;
        let output = child.stdout.take().expect("it is a pipe");
        children.all().push(child);
        let sender = sender.clone();
        let read = move || {
            let mut output = BufReader::new(output);
            let mut line = String::new();
            // Whoever says something else is not a child of ours.
            let _ = output.by_ref().take(100).read_line(&mut line);
            let port = line.trim_end().strip_prefix(LISTENS).and_then(|port| port.parse::<u16>().ok());
            // If nobody listens any more, it does not matter.
            let _ = sender.send((index, port));
            // What it prints later is nobody's business, but it should not wait for a reader.
            let _ = io::copy(&mut output, &mut io::sink());
        };
        thread::Builder::new()
            .name(format!("output-{index}"))
            .spawn(read)
            .map_err(|error| JoinError::System(format!("no thread can be started: {error}")))?;
    }
    let until = Instant::now() + patience;
    let own = listener.local_addr().map_err(|error| JoinError::System(error.to_string()))?.port();
    let mut addresses = vec![String::new(); count];
    addresses[0] = address(own);
    while let Some(missing) = addresses.iter().position(String::is_empty) {
        if let Some(reason) = interrupt() {
            return Err(JoinError::Interrupted(reason));
        }
        match ports.recv_timeout(GLANCE) {
            Ok((index, Some(port))) => addresses[index] = address(port),
            Ok((index, None)) => {
                let end = children.end_of(index);
                return Err(JoinError::Absent(format!("process {index} ended before it began{end}")));
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        if Instant::now() >= until {
            let time = crate::failure::seconds(patience);
            return Err(JoinError::Absent(format!("process {missing} did not begin within {time}")));
        }
    }
    let hosts = Hosts::new(addresses).map_err(JoinError::System)?;
    let secret = Secret::random().map_err(JoinError::System)?;
    let place = Place { hosts, index: 0, secret, listener: Some(listener) };
    for (index, child) in (1..).zip(children.all().iter_mut()) {
        let input = child.stdin.as_mut().expect("it is a pipe");
        place
            .tell(index, input)
            .map_err(|error| JoinError::Absent(format!("process {index} ended before it began: {error}")))?;
    }
    Ok((place, children))
}

/// What a child does first: it listens, says where, and hears where it belongs.
///
/// # Errors
///
/// If this cannot listen, or was not started by [`start`].
pub fn receive(input: &mut impl BufRead, output: &mut impl Write) -> Result<Place, String> {
    let listener = listen()?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    writeln!(output, "{LISTENS}{port}")
        .and_then(|()| output.flush())
        .map_err(|error| format!("the parent is gone: {error}"))?;
    let place = Place::hear(input)?;
    Ok(Place { listener: Some(listener), ..place })
}

/// Calls a function when the parent is gone.
///
/// # Errors
///
/// If no thread can be started.
pub fn watch_parent(
    mut input: impl Read + Send + 'static,
    gone: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let watch = move || {
        // It says nothing more: what comes is the end.
        let _ = io::copy(&mut input, &mut io::sink());
        gone();
    };
    thread::Builder::new().name("parent".to_owned()).spawn(watch).map(|_| ())
}

fn listen() -> Result<TcpListener, String> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .map_err(|error| format!("this process cannot listen on {}: {error}", Ipv4Addr::LOCALHOST))
}

fn address(port: u16) -> String {
    format!("{}:{port}", Ipv4Addr::LOCALHOST)
}

impl Children {
    pub(crate) fn new(children: Vec<Child>) -> Children {
        Children { children: Mutex::new(children) }
    }

    fn all(&self) -> MutexGuard<'_, Vec<Child>> {
        self.children.lock().expect("nobody fails while holding it")
    }

    /// The first that has ended with a failure, for an interrupt while the cluster comes about.
    pub fn failed(&self) -> Option<String> {
        (1..).zip(self.all().iter_mut()).find_map(|(index, child)| match child.try_wait() {
            Ok(Some(status)) if !status.success() => Some(format!("process {index} ended: {status}")),
            _ => None,
        })
    }

    /// How a child has ended that is about to.
    fn end_of(&self, index: usize) -> String {
        let until = Instant::now() + Duration::from_secs(1);
        let mut children = self.all();
        let child = &mut children[index - 1];
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return format!(": {status}"),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(5)),
                _ => return String::new(),
            }
        }
    }

    /// The process numbers that the system gives them, from process 1 on.
    pub fn ids(&self) -> Vec<u32> {
        self.all().iter().map(Child::id).collect()
    }

    /// Waits until all have ended, but not longer than this; then they are killed.
    pub fn finish(self, patience: Duration) {
        let until = Instant::now() + patience;
        let is_running = |child: &mut Child| matches!(child.try_wait(), Ok(None));
        while self.all().iter_mut().any(is_running) && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in self.all().iter_mut() {
            // Where it has ended, and was waited for, this does nothing.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
