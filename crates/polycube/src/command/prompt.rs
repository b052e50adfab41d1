//! A conversation: one line in, one answer out.

use std::io::{self, BufRead, IsTerminal, Read, StdinLock};

use crate::console::Console;

/// A longer line is taken for several.
const LONGEST_LINE: u64 = 1 << 16;

/// Reads what a user types.
pub(super) struct Prompt {
    input: StdinLock<'static>,
    /// Whether what is read is printed too, because nobody sees it otherwise.
    echo: bool,
}

impl Prompt {
    pub(super) fn new() -> Prompt {
        let input = io::stdin().lock();
        Prompt { echo: !input.is_terminal(), input }
    }

    /// Reads a line; none at the end of the input.
    pub(super) fn ask(&mut self, question: &str, console: &mut Console) -> Option<String> {
        console.print(question);
        let mut bytes = Vec::new();
        // What cannot be read is the end.
        let read = (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut bytes).unwrap_or(0);
        if read == 0 {
            console.print("\n");
            return None;
        }
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        if self.echo {
            console.print(&format!("{line}\n"));
        }
        Some(line)
    }
}
