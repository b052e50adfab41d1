//! A cluster whose other processes are started from here, on their machines: by ssh, for instance.
//!
//! Each is told on its standard input who is who, and the secret: it is never part of a command. The input stays
//! open: it ends with this process, and the other one with it.

use std::io::{BufRead, Read, Write};
use std::process::{Command, Stdio};

use crate::join::JoinError;
use crate::local::Children;
use crate::place::{Place, not_started};

/// What a process is told first, so that it does not take something else for it.
const GREETING: &str = "polycube: you belong to these";

/// Starts all processes but this one, which is the first: each with the command for its host, whose output is for us. It
/// has to call [`receive`].
///
/// # Errors
///
/// If a command cannot be started.
pub fn start(place: &Place, command: impl Fn(&str) -> Command) -> Result<Children, JoinError> {
    let mut children = Vec::new();
    let hosts = &place.hosts;
    for index in 1..hosts.count() {
        let mut command = command(hosts.host(index));
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = command.spawn().map_err(|error| {
            let program = command.get_program().to_string_lossy();
            JoinError::System(format!("{} cannot be started by `{program}`: {error}", hosts.name(index)))
        })?;
        let input = child.stdin.as_mut().expect("it is a pipe");
        let told = writeln!(input, "{GREETING}").and_then(|()| place.tell(index, input));
        children.push(child);
        told.map_err(|error| JoinError::Absent(format!("{} ended at once: {error}", hosts.name(index))))?;
    }
    Ok(Children::new(children))
}

/// What a process does first that was started like this: it hears where it belongs.
///
/// # Errors
///
/// If it was not started by [`start`].
pub fn receive(input: &mut impl BufRead) -> Result<Place, String> {
    let mut greeting = String::new();
    // What is longer is something else, and it need not be text.
    let _ = input.by_ref().take(100).read_line(&mut greeting);
    if greeting.trim_end() != GREETING {
        return Err(not_started());
    }
    Place::hear(input)
}
