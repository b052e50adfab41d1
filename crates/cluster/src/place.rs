//! Where a process belongs: who is who, which one it is, and what keeps others away. Who starts a process can tell it.

use std::io::{self, BufRead, Read, Write};
use std::net::TcpListener;

use crate::hosts::Hosts;
use crate::secret::Secret;

/// Where a process belongs.
#[derive(Debug)]
pub struct Place {
    /// All processes.
    pub hosts: Hosts,
    /// Which of them this is, from 0.
    pub index: usize,
    /// What keeps others away.
    pub secret: Secret,
    /// Something that listens on the address of this process already. Otherwise it will.
    pub listener: Option<TcpListener>,
}

impl Place {
    /// Tells another process of the same list its place: on its standard input, which nobody else sees.
    pub(crate) fn tell(&self, index: usize, out: &mut impl Write) -> io::Result<()> {
        let Place { hosts, secret, .. } = self;
        out.write_all(format!("{index}\n{}\n{}\n{hosts}", secret.to_hex(), hosts.count()).as_bytes())?;
        out.flush()
    }

    /// What [`Place::tell`] has told.
    pub(crate) fn hear(input: &mut impl BufRead) -> Result<Place, String> {
        let mut line = || {
            let mut line = String::new();
            match input.by_ref().take(1 << 16).read_line(&mut line) {
                Ok(read) if read > 0 => Ok(line.trim_end().to_owned()),
                Ok(_) => Err("the process that has started this one is gone".to_owned()),
                Err(error) => Err(format!("the process that has started this one is gone: {error}")),
            }
        };
        let index = line()?.parse().map_err(|_| not_started())?;
        let secret = Secret::from_hex(&line()?).ok_or_else(not_started)?;
        let count: usize = line()?.parse().map_err(|_| not_started())?;
        if index >= count || count > Hosts::MOST {
            return Err(not_started());
        }
        let addresses = (0..count).map(|_| line()).collect::<Result<_, _>>()?;
        Ok(Place { hosts: Hosts::new(addresses)?, index, secret, listener: None })
    }
}

/// What is wrong where something else is heard.
pub(crate) fn not_started() -> String {
    "this process was not started by another one, as it has to be".to_owned()
}
