//! A cluster whose other processes are started from here, on their machines: by ssh, for instance.
//!
//! Each is told on its standard input who is who, and the secret: it is never part of a command. The input stays
//! open: it ends with this process, and the other one with it.

use std::io::{BufRead, Read, Write};
use std::process::{Command, Stdio};

use crate::cluster::Place;
use crate::hosts::Hosts;
use crate::join::JoinError;
use crate::local::Children;
use crate::secret::Secret;

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
        let text = format!("{GREETING}\n{index}\n{}\n{}\n{hosts}", place.secret.to_hex(), hosts.count());
        let input = child.stdin.as_mut().expect("it is a pipe");
        let told = input.write_all(text.as_bytes()).and_then(|()| input.flush());
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
    let mut line = || {
        let mut line = String::new();
        match input.by_ref().take(1 << 16).read_line(&mut line) {
            Ok(read) if read > 0 => Ok(line.trim_end().to_owned()),
            _ => Err("the process that has started this one is gone".to_owned()),
        }
    };
    let nonsense = || "this process was not started by another one, as it has to be".to_owned();
    if line()? != GREETING {
        return Err(nonsense());
    }
    let index = line()?.parse().map_err(|_| nonsense())?;
    let secret = Secret::from_hex(&line()?).ok_or_else(nonsense)?;
    let count: usize = line()?.parse().map_err(|_| nonsense())?;
    if index >= count || count > Hosts::MOST {
        return Err(nonsense());
    }
    let addresses = (0..count).map(|_| line()).collect::<Result<_, _>>()?;
    Ok(Place { hosts: Hosts::new(addresses)?, index, secret, listener: None })
}
