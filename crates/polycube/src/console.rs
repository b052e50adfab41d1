//! Where output goes: standard output for results, standard error for remarks, with colours only where they
//! are wanted.

use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use terminal_size::{Width, terminal_size_of};

use crate::arguments::{Format, ProgressChoice};

/// How many columns a terminal has that does not say.
const USUAL_WIDTH: u16 = 80;

/// How much time is between two lines that show progress.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// How progress is shown.
#[derive(Clone, Copy)]
enum Shown {
    /// In a line of the terminal, which is replaced.
    Line,
    /// In a line of its own now and then: when was the last?
    Lines {
        last: Instant,
    },
    Nowhere,
}

/// Standard output and standard error.
///
/// A reader that goes away (`polycube ... | head`) ends the output quietly; any other failure to write is
/// remembered.
pub struct Console {
    out: AutoStream<io::Stdout>,
    err: AutoStream<io::Stderr>,
    /// How progress is shown.
    progress: Shown,
    failure: Option<io::Error>,
}

impl Console {
    /// The console of this process.
    pub fn new(color: clap::ColorChoice, progress: ProgressChoice) -> Self {
        let choice = match color {
            clap::ColorChoice::Auto => ColorChoice::Auto,
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        };
        let progress = match progress {
            ProgressChoice::Auto if io::stderr().is_terminal() && understands_escapes() => Shown::Line,
            ProgressChoice::Auto | ProgressChoice::None => Shown::Nowhere,
            ProgressChoice::Plain => Shown::Lines { last: Instant::now() },
        };
        Console::of([choice, choice], progress)
    }

    /// Another console of this process, for another thread.
    pub(crate) fn another(&self) -> Console {
        Console::of([self.out.current_choice(), self.err.current_choice()], self.progress)
    }

    fn of([out, err]: [ColorChoice; 2], progress: Shown) -> Console {
        let (out, err) = (AutoStream::new(io::stdout(), out), AutoStream::new(io::stderr(), err));
        Console { out, err, progress, failure: None }
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

    /// A report in its format.
    pub(crate) fn report(&mut self, text: &str, format: Format) {
        match format {
            Format::Human => self.print(text),
            Format::Json => self.pass_on(text),
        }
    }

    /// A remark.
    pub fn remark(&mut self, text: &str) {
        // Where colours are left out, all of it is written at once, and not what is between any two of them.
        let text = match self.err.current_choice() {
            ColorChoice::Never => Cow::Owned(strip_str(text).to_string()),
            _ => Cow::Borrowed(text),
        };
        let result = self.err.write_all(text.as_bytes()).and_then(|()| self.err.flush());
        self.remember(result);
    }

    /// Replaces the line that shows progress, on a terminal. An empty text takes it away. Elsewhere, a line now and
    /// then if that is wanted.
    ///
    /// A text that does not fit is cut: of one that goes on in the next line, only the end could be replaced.
    pub fn progress(&mut self, text: &str) {
        if let Shown::Lines { last } = &mut self.progress
            && !text.is_empty()
            && last.elapsed() >= BETWEEN_LINES
        {
            *last = Instant::now();
            self.remark(&format!("{text}\n"));
        }
        if let Shown::Line = self.progress {
            // Asked each time: a window can change its size. The last column stays empty, as some terminals
            // go on to the next line behind it.
            let width = terminal_size_of(io::stderr()).map_or(USUAL_WIDTH, |(Width(width), _)| width);
            let text: String = text.chars().take(usize::from(width.saturating_sub(1))).collect();
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

/// How many columns there are, if results go to a terminal.
pub(crate) fn terminal_width() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(Width(width), _)| usize::from(width))
}

/// Whether the terminal, by its name, understands escape sequences. On Windows terminals have no names.
pub(crate) fn understands_escapes() -> bool {
    env::var_os("TERM").map_or(cfg!(windows), |term| !term.is_empty() && term != "dumb")
}
