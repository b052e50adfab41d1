//! A conversation: one line in, one answer out.

mod completion;
mod editor;

use std::io::{self, BufRead, IsTerminal, Read, StdinLock};

pub(super) use self::completion::Next;
use self::editor::Editor;
use crate::console::{Console, understands_escapes};

/// A longer line is taken for several.
const LONGEST_LINE: u64 = 1 << 16;

/// Reads what a user types.
pub(super) enum Prompt {
    /// On a terminal, lines can be edited.
    Terminal(Box<Editor>),
    Plain {
        input: StdinLock<'static>,
        /// Whether what is read is printed too, because nobody sees it otherwise.
        echo: bool,
    },
}

/// What a user does when asked for a line.
pub(super) enum Line {
    Typed(String),
    /// Gives up the line, with Ctrl-C.
    GivenUp,
    /// There is nothing more to read.
    End,
}

impl Prompt {
    pub(super) fn new() -> Prompt {
        let has_terminal = io::stdin().is_terminal() && io::stdout().is_terminal() && understands_escapes();
        if let Some(editor) = has_terminal.then(Editor::new).flatten() {
            return Prompt::Terminal(Box::new(editor));
        }
        let input = io::stdin().lock();
        Prompt::Plain { echo: !input.is_terminal(), input }
    }

    /// What the next lines are completed with: what may follow the words before the place of the cursor.
    pub(super) fn complete_with(&mut self, next: impl Fn(&[&str]) -> Next + 'static) {
        if let Prompt::Terminal(editor) = self {
            editor.complete_with(Box::new(next));
        }
    }

    /// Reads a line; none at the end of the input. One that is given up is empty.
    pub(super) fn ask(&mut self, question: &str, console: &mut Console) -> Option<String> {
        match self.ask_line(question, console) {
            Line::Typed(line) => Some(line),
            Line::GivenUp => {
                console.print("Ctrl-D or `quit` leaves.\n");
                Some(String::new())
            }
            Line::End => None,
        }
    }

    pub(super) fn ask_line(&mut self, question: &str, console: &mut Console) -> Line {
        match self {
            Prompt::Terminal(editor) => editor.ask(question, console),
            Prompt::Plain { input, echo } => match read_line(input, question, console) {
                Some(line) => {
                    if *echo {
                        console.print(&format!("{line}\n"));
                    }
                    Line::Typed(line)
                }
                None => Line::End,
            },
        }
    }
}

fn read_line(input: &mut StdinLock<'static>, question: &str, console: &mut Console) -> Option<String> {
    console.print(question);
    let mut bytes = Vec::new();
    // What cannot be read is the end.
    let read = input.take(LONGEST_LINE).read_until(b'\n', &mut bytes).unwrap_or(0);
    if read == 0 {
        console.print("\n");
        return None;
    }
    Some(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}
