//! Files with pictures, which Graphviz draws.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::output::Target;
use crate::arguments::{GraphFile, GraphFormat};
use crate::input::{Impossible, describe};

/// A graph with more nodes than this is more than people can read.
pub(super) const MANY: usize = 1000;

/// How wide the text of a node is, in characters, where it can be broken.
const WIDTH: usize = 40;

/// The program that turns graphs into pictures, a part of Graphviz.
const DOT: &str = "dot";

pub(super) struct Drawing<'a> {
    target: Target<'a>,
    pub(super) format: GraphFormat,
}

impl<'a> Drawing<'a> {
    /// Checks the path and Graphviz before the search, so that a long search does not end in this error.
    pub(super) fn prepare(file: &'a GraphFile, overwrite: bool) -> Result<Drawing<'a>, Impossible> {
        let drawing = Drawing { target: Target::prepare(&file.path, overwrite)?, format: file.format };
        if file.format == GraphFormat::Svg {
            Command::new(DOT).arg("-V").output().map_err(|error| drawing.no_graphviz(&error))?;
        }
        Ok(drawing)
    }

    pub(super) fn path(&self) -> &Path {
        self.target.path
    }

    /// Writes the file: the text itself, or what Graphviz makes of it.
    pub(super) fn write(&self, text: &str) -> Result<(), Impossible> {
        match self.format {
            GraphFormat::Dot | GraphFormat::Html => self.target.write(text.as_bytes()),
            GraphFormat::Svg => self.target.write(&self.picture(text)?),
        }
    }

    fn picture(&self, dot: &str) -> Result<Vec<u8>, Impossible> {
        let mut child = Command::new(DOT)
            .arg("-Tsvg")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| self.no_graphviz(&error))?;
        let mut pipe = child.stdin.take().expect("a pipe was asked for");
        // A thread writes while this one reads, so that no full pipe blocks both. A failed write is ignored:
        // `dot` says on standard error why it ended.
        let output = std::thread::scope(|scope| {
            scope.spawn(move || pipe.write_all(dot.as_bytes()).is_ok());
            child.wait_with_output()
        });
        let output = output.map_err(|error| self.target.not_written(&describe(&error)))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let why = said.lines().next().map_or_else(|| output.status.to_string(), str::to_owned);
        Err(self.target.not_written(&format!("Graphviz failed: {why}")))
    }

    fn no_graphviz(&self, error: &io::Error) -> Impossible {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "is not installed".to_owned(),
            _ => format!("cannot be started: {}", describe(error)),
        };
        let reason =
            format!("`{}` cannot be drawn: the program `{DOT}` of Graphviz {why}", self.path().display());
        Impossible::new(reason).or("install graphviz, or name a file that ends in .dot")
    }
}

/// The label of a node: pieces in lines, as many in each as have room.
pub(super) fn label(pieces: impl IntoIterator<Item = String>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + piece.len() <= WIDTH => {
                line.push(' ');
                line.push_str(&piece);
            }
            _ => lines.push(piece),
        }
    }
    lines.iter().map(|line| escaped(line)).collect::<Vec<_>>().join("\\n")
}

/// A text between quotation marks.
pub(super) fn escaped(text: &str) -> String {
    let mut result = String::new();
    for character in text.chars() {
        match character {
            '"' | '\\' => result.extend(['\\', character]),
            character if character.is_control() => result.push(' '),
            character => result.push(character),
        }
    }
    result
}
