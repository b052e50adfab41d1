//! Lines that are edited on a terminal, with completion and a history.

use std::collections::VecDeque;
use std::env;
use std::fs;
use std::path::PathBuf;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Helper};

use super::Line;
use super::completion::{Completion, Next, candidates};
use crate::console::Console;

/// The prompt of commands; only they are remembered, and not the answers to other questions.
const COMMANDS: &str = "> ";

/// How many commands are remembered.
const LONGEST_HISTORY: usize = 1000;

pub(in crate::command) struct Editor {
    editor: rustyline::Editor<Assistant, FileHistory>,
    /// Where commands are remembered, if anywhere.
    history: Option<PathBuf>,
    /// Lines that were pasted together with the last one.
    pasted: VecDeque<String>,
}

impl Editor {
    /// None on a terminal where lines cannot be edited.
    pub(super) fn new() -> Option<Editor> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .max_history_size(LONGEST_HISTORY)
            .and_then(|config| config.history_ignore_dups(true))
            .ok()?
            .history_ignore_space(true)
            .build();
        let mut editor = rustyline::Editor::with_config(config).ok()?;
        editor.set_helper(Some(Assistant { completion: Box::new(|_| Next::Words(Vec::new())) }));
        let history = history_file();
        if let Some(file) = &history {
            // A history that cannot be read is as good as none.
            let _ = editor.load_history(file);
        }
        Some(Editor { editor, history, pasted: VecDeque::new() })
    }

    pub(super) fn complete_with(&mut self, completion: Completion) {
        self.editor.set_helper(Some(Assistant { completion }));
    }

    pub(super) fn ask(&mut self, question: &str, console: &mut Console) -> Line {
        let (above, prompt) = question.split_at(question.rfind('\n').map_or(0, |end| end + 1));
        console.print(above);
        if let Some(line) = self.pasted.pop_front() {
            console.print(&format!("{prompt}{line}\n"));
            return self.typed(prompt, line);
        }
        match self.editor.readline(prompt) {
            Ok(text) => {
                self.pasted = text.lines().map(str::to_owned).collect();
                let line = self.pasted.pop_front().unwrap_or_default();
                self.typed(prompt, line)
            }
            Err(ReadlineError::Interrupted) => Line::GivenUp,
            // What cannot be read is the end.
            Err(_) => Line::End,
        }
    }

    fn typed(&mut self, prompt: &str, line: String) -> Line {
        if prompt == COMMANDS {
            self.remember(&line);
        }
        Line::Typed(line)
    }

    /// Nothing depends on whether this works.
    fn remember(&mut self, line: &str) {
        let _ = self.editor.add_history_entry(line);
        if let Some(file) = &self.history {
            let _ = self.editor.append_history(file);
        }
    }
}

/// `polycube/history` in the directory for the state of programs, if the user has one.
fn history_file() -> Option<PathBuf> {
    let named = env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let usual = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    let folder = named.or_else(usual).filter(|folder| folder.is_dir())?.join("polycube");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

/// What helps while a line is typed: completion only.
struct Assistant {
    completion: Completion,
}

impl Helper for Assistant {}

impl Highlighter for Assistant {}

impl Validator for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(candidates(&line[..position], &self.completion))
    }
}
