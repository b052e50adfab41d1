//! Where output goes: standard output for results, standard error for remarks, with colours only where they are wanted.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

/// Standard output and standard error.
///
/// A reader that goes away (`polycube ... | head`) ends the output quietly; any other failure to write is remembered.
pub struct Console {
    out: AutoStream<io::Stdout>,
    err: AutoStream<io::Stderr>,
    /// Whether remarks go to a terminal.
    terminal: bool,
    failure: Option<io::Error>,
}

impl Console {
    /// The console of this process.
    pub fn new(color: clap::ColorChoice) -> Self {
        let choice = match color {
            clap::ColorChoice::Auto => ColorChoice::Auto,
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        };
        Console {
            out: AutoStream::new(io::stdout(), choice),
            err: AutoStream::new(io::stderr(), choice),
            terminal: io::stderr().is_terminal(),
            failure: None,
        }
    }

    /// A result.
    pub fn print(&mut self, text: &str) {
        let result = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        self.remember(result);
    }

    /// A result that is a text in its own right, to be passed on byte by byte.
    pub fn pass_on(&mut self, text: &str) {
        let mut out = io::stdout().lock();
        let result = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        self.remember(result);
    }

    /// A remark.
    pub fn remark(&mut self, text: &str) {
        let result = self.err.write_all(text.as_bytes()).and_then(|()| self.err.flush());
        self.remember(result);
    }

    /// Replaces the line that shows progress, on a terminal; nothing elsewhere. An empty text takes it away.
    pub fn progress(&mut self, text: &str) {
        if self.terminal {
            // Not a matter of colours: a terminal understands this in any case.
            let mut err = io::stderr().lock();
            let result = write!(err, "\r\x1b[K{text}").and_then(|()| err.flush());
            self.remember(result);
        }
    }

    fn remember(&mut self, result: io::Result<()>) {
        if let Err(error) = result
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            self.failure.get_or_insert(error);
        }
    }

    /// The first failure to write, if there was one.
    pub(crate) fn failure(&self) -> Option<&io::Error> {
        self.failure.as_ref()
    }
}
