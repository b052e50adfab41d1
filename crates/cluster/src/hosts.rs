//! Who belongs together: a list of addresses, one for each process.

use std::fmt;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};

/// The processes of a cluster, by their addresses: process K is the one that listens on address K.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    addresses: Vec<String>,
}

impl Hosts {
    /// Every process keeps two connections, and up to some megabytes, for every other.
    pub const MOST: usize = 256;

    /// Reads a host file: an address, `HOST:PORT`, on each line; what follows a `#` is a comment.
    ///
    /// # Errors
    ///
    /// If a line is none, or the list makes no sense; the text names the line.
    pub fn parse(text: &str) -> Result<Hosts, String> {
        let mut addresses: Vec<(usize, String)> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split_once('#').map_or(line, |(before, _)| before).trim();
            if line.is_empty() {
                continue;
            }
            let address = address(line).map_err(|mistake| format!("line {number}: {mistake}"))?;
            if let Some((first, _)) = addresses.iter().find(|(_, known)| *known == address) {
                return Err(format!(
                    "line {number}: `{address}` is on line {first} already; each process needs an address of \
                     its own, for instance another port"
                ));
            }
            addresses.push((number, address));
        }
        Hosts::new(addresses.into_iter().map(|(_, address)| address).collect())
    }

    /// The processes at these addresses.
    ///
    /// # Errors
    ///
    /// If there are none, or too many.
    pub fn new(addresses: Vec<String>) -> Result<Hosts, String> {
        match addresses.len() {
            0 => Err("there is no host; write one HOST:PORT per line, for instance `host0:4000`".to_owned()),
            count if count > Hosts::MOST => {
                Err(format!("these are {count} processes; at most {} can work together", Hosts::MOST))
            }
            _ => Ok(Hosts { addresses }),
        }
    }

    /// How many processes there are.
    pub fn count(&self) -> usize {
        self.addresses.len()
    }

    /// The address of a process, as it was written.
    pub fn address(&self, process: usize) -> &str {
        &self.addresses[process]
    }

    /// The host of a process, without the port.
    pub fn host(&self, process: usize) -> &str {
        let host = self.addresses[process].rsplit_once(':').map_or("", |(host, _)| host);
        host.trim_start_matches('[').trim_end_matches(']')
    }

    /// What to call a process in a message.
    pub fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.addresses[process])
    }

    /// The addresses behind the name. Asks the system, and may take seconds.
    pub(crate) fn resolve(address: &str) -> Result<Vec<SocketAddr>, String> {
        match address.to_socket_addrs() {
            Ok(found) => Some(found.collect::<Vec<_>>()).filter(|found| !found.is_empty()),
            Err(error) => return Err(format!("the host of `{address}` is unknown: {error}")),
        }
        .ok_or_else(|| format!("the host of `{address}` has no address"))
    }
}

impl fmt::Display for Hosts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.addresses.iter().try_for_each(|address| writeln!(out, "{address}"))
    }
}

/// A host and a port, in one spelling.
fn address(text: &str) -> Result<String, String> {
    let example = "write HOST:PORT, for instance `host0:4000` or `[::1]:4000`";
    if text.contains(char::is_whitespace) {
        return Err(format!("`{text}` is more than one word; {example}, one per line"));
    }
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (host, rest) =
                rest.split_once(']').ok_or_else(|| format!("`{text}` has no `]`; {example}"))?;
            let is_address = matches!(host.parse(), Ok(IpAddr::V6(_)));
            if !is_address {
                return Err(format!("`{host}` is no IPv6 address; {example}"));
            }
            let port = rest.strip_prefix(':').ok_or_else(|| format!("`{text}` has no port; {example}"))?;
            (format!("[{host}]"), port)
        }
        None => {
            let (host, port) =
                text.rsplit_once(':').ok_or_else(|| format!("`{text}` has no port; {example}"))?;
            if host.contains(':') {
                return Err(format!("an IPv6 address stands in brackets: `[{text}]` and a port; {example}"));
            }
            (host.to_ascii_lowercase(), port)
        }
    };
    if host.is_empty() {
        return Err(format!("`{text}` has no host; {example}"));
    }
    match port.parse::<u16>() {
        Ok(number) if number > 0 && !port.starts_with('+') => Ok(format!("{host}:{number}")),
        _ => Err(format!("`{port}` is no port; a port is a number from 1 to 65535")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, part: &str) {
        let mistake = Hosts::parse(text).expect_err(text);
        assert!(mistake.contains(part), "{text:?}: {mistake}");
    }

    #[test]
    fn hosts_are_lines() {
        let text = "# ours\nhost0:4000\n\n  10.0.0.1:04001 # the big one\r\n[::1]:4000\nHost0:4001\n";
        let hosts = Hosts::parse(text).unwrap();
        assert_eq!(hosts.to_string(), "host0:4000\n10.0.0.1:4001\n[::1]:4000\nhost0:4001\n");
        assert_eq!(hosts.count(), 4);
        assert_eq!(hosts.name(2), "process 2 ([::1]:4000)");
        assert_eq!(Hosts::parse(&hosts.to_string()), Ok(hosts));
    }

    #[test]
    fn mistakes_name_the_line() {
        refused("", "there is no host");
        refused("# nobody\n", "there is no host");
        refused("a:1\nb\n", "line 2: `b` has no port");
        refused("a:0", "line 1: `0` is no port");
        refused("a:65536", "`65536` is no port");
        refused("a:+1", "`+1` is no port");
        refused("a:", "`` is no port");
        refused(":1", "has no host");
        refused("::1:4000", "brackets");
        refused("[::1]", "has no port");
        refused("[::1:4000", "has no `]`");
        refused("[host]:4000", "no IPv6 address");
        refused("a:1 b:2", "more than one word");
        refused("a:1\n\nA:1", "line 3: `a:1` is on line 1 already");
        let many: String = (0..257).map(|host| format!("host{host}:4000\n")).collect();
        refused(&many, "257 processes; at most 256");
    }
}
