//! What a process writes, line by line, as it arrives.

use std::io::{self, BufRead, BufReader, Read};
use std::process::Child;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

/// The longest line in bytes; what is longer arrives in pieces.
const MAX_LINE: usize = 4096;

/// How many lines wait to be received. Then the process has to wait too.
const MAX_WAITING: usize = 64;

/// How many characters of a line are shown.
const MAX_SHOWN: usize = 200;

/// How many lines of standard error are kept.
const MAX_KEPT: usize = 8;

/// Where a line was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Output,
    Error,
}

/// A line, without what ends it.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) stream: Stream,
    pub(crate) bytes: Vec<u8>,
    pub(crate) arrived: Instant,
}

/// The lines of a process, until it closes both streams.
///
/// The reader threads are not joined. They end with the process, or at the first line after the receiver is
/// dropped. Only a process that leaves its group, and so is not killed with it, can keep them longer.
pub(crate) fn lines(child: &mut Child) -> io::Result<Receiver<Line>> {
    let (sender, receiver) = sync_channel(MAX_WAITING);
    let output = child.stdout.take().expect("the output is a pipe");
    let error = child.stderr.take().expect("the error is a pipe");
    let other = sender.clone();
    thread::Builder::new().spawn(move || forward(output, Stream::Output, &sender))?;
    thread::Builder::new().spawn(move || forward(error, Stream::Error, &other))?;
    Ok(receiver)
}

/// Sends lines until the stream ends or the receiver is dropped. A read error counts as the end.
fn forward(source: impl Read, stream: Stream, receiver: &SyncSender<Line>) {
    let mut source = BufReader::new(source);
    while let Ok(Some(bytes)) = next_line(&mut source) {
        if receiver.send(Line { stream, bytes, arrived: Instant::now() }).is_err() {
            return;
        }
    }
}

fn next_line(source: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    source.take(MAX_LINE as u64).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    let end = [&b"\r\n"[..], b"\n"].into_iter().find(|end| line.ends_with(end)).unwrap_or_default();
    line.truncate(line.len() - end.len());
    Ok(Some(line))
}

/// Bytes as printable text: control characters are replaced, and after `MAX_SHOWN` characters comes `…`.
pub(crate) fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut characters = text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
    let mut shown: String = characters.by_ref().take(MAX_SHOWN).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// The last lines of a stream.
#[derive(Debug, Default)]
pub(crate) struct Tail(Vec<String>);

impl Tail {
    pub(crate) fn push(&mut self, line: &[u8]) {
        if self.0.len() == MAX_KEPT {
            self.0.remove(0);
        }
        self.0.push(printable(line));
    }

    pub(crate) fn text(&self) -> String {
        self.0.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut text: &[u8]) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| next_line(&mut text).expect("memory can be read")).collect()
    }

    #[test]
    fn lines_end_in_many_ways() {
        assert_eq!(all(b"a\nb\r\n\nc"), [&b"a"[..], b"b", b"", b"c"]);
        assert!(all(b"").is_empty());
    }

    #[test]
    fn long_lines_come_in_pieces() {
        let lengths: Vec<usize> = all(&[b'x'; 2 * MAX_LINE + 1]).iter().map(Vec::len).collect();
        assert_eq!(lengths, [MAX_LINE, MAX_LINE, 1]);
    }

    #[test]
    fn everything_can_be_shown() {
        assert_eq!(printable(b"a\x1b[1m\xffb"), "a\u{fffd}[1m\u{fffd}b");
        assert_eq!(printable("ä".repeat(200).as_bytes()), "ä".repeat(200));
        assert_eq!(printable("ä".repeat(201).as_bytes()), format!("{}…", "ä".repeat(200)));
    }

    #[test]
    fn the_tail_is_the_end() {
        let mut tail = Tail::default();
        for number in 0..20 {
            tail.push(format!("{number}").as_bytes());
        }
        assert_eq!(tail.text(), "12\n13\n14\n15\n16\n17\n18\n19");
    }
}
