//! Files with pictures, which Graphviz draws.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use super::output::Target;
use crate::arguments::{GraphFile, GraphFormat};
use crate::input::{Impossible, describe};

/// A graph with more nodes than this is more than people can read.
pub(super) const MANY: usize = 1000;

/// How wide the text of a node is, in characters, where it can be broken.
const WIDTH: usize = 40;

/// How long Graphviz may take, unless something else is asked for.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// How often it is asked whether it has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// How long to wait for what an ended process has written: others may hold its pipes.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// The program that turns graphs into pictures, a part of Graphviz.
const DOT: &str = "dot";

pub(super) struct Drawing<'a> {
    target: Target<'a>,
    overwrite: bool,
    pub(super) format: GraphFormat,
    /// How long Graphviz may take.
    pub(super) patience: Duration,
}

impl<'a> Drawing<'a> {
    /// Checks the path and Graphviz before the search, so that a long search does not end in this error.
    pub(super) fn prepare(file: &'a GraphFile, overwrite: bool) -> Result<Drawing<'a>, Impossible> {
        let (target, format) = (Target::prepare(&file.path, overwrite)?, file.format);
        let drawing = Drawing { target, overwrite, format, patience: PATIENCE };
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
            GraphFormat::Svg => match self.picture(text)? {
                Ok(picture) => self.target.write(&picture),
                Err(why) => Err(self.keep(text, &why)),
            },
        }
    }

    /// What Graphviz makes of a text, or why it has made nothing of it.
    fn picture(&self, dot: &str) -> Result<Result<Vec<u8>, String>, Impossible> {
        let mut child = Command::new(DOT)
            .arg("-Tsvg")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| self.no_graphviz(&error))?;
        let (mut pipe, dot) = (child.stdin.take().expect("a pipe was asked for"), dot.to_owned());
        // Others write and read while this thread waits, so that no full pipe blocks. A failed write is ignored:
        // `dot` says on standard error why it ended.
        thread::spawn(move || pipe.write_all(dot.as_bytes()).is_ok());
        let picture = read_all(child.stdout.take());
        let said = read_all(child.stderr.take());
        let status = match end(&mut child, self.patience) {
            Ok(Some(status)) => status,
            Ok(None) => return Ok(Err(format!("took more than {} seconds", self.patience.as_secs_f64()))),
            Err(error) => return Ok(Err(format!("failed: {}", describe(&error)))),
        };
        let [picture, said] = [picture, said].map(|bytes| bytes.recv_timeout(LAST_WORDS).unwrap_or_default());
        if status.success() {
            return Ok(Ok(picture));
        }
        let said = String::from_utf8_lossy(&said);
        let why = said.lines().next().map_or_else(|| status.to_string(), str::to_owned);
        Ok(Err(format!("failed: {why}")))
    }

    /// Keeps the text that Graphviz could not draw, beside the picture that there should be.
    fn keep(&self, dot: &str, why: &str) -> Impossible {
        let failed = self.target.not_written(&format!("Graphviz {why}"));
        let file = self.path().with_extension("dot");
        let written = Target::prepare(&file, self.overwrite).and_then(|target| target.write(dot.as_bytes()));
        let (text, picture) = (file.display(), self.path().display());
        match written {
            Ok(()) => failed.or(format!(
                "the text that it could not draw is in `{text}`; by hand: dot -Tsvg '{text}' -o '{picture}', or \
                 with `sfdp` for `dot`, which is faster with large graphs"
            )),
            Err(_) => failed.or("name a file that ends in .dot, and draw it by hand"),
        }
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

/// Reads all that a process writes, in a thread of its own.
fn read_all(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    if let Some(mut pipe) = pipe {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // What cannot be read is not there; and nobody may wait for it any more.
            let _ = pipe.read_to_end(&mut bytes);
            let _ = sender.send(bytes);
        });
    }
    receiver
}

/// How a process ends; nothing if it has to be killed, because it takes too long.
fn end(child: &mut Child, patience: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= patience {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(PAUSE);
    }
}

/// The label of a node: pieces in lines, as many in each as have room.
pub(super) fn label(pieces: impl IntoIterator<Item = String>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces.into_iter().flat_map(|piece| broken(&piece)) {
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

/// A piece that is too long for a line, broken between its alternatives.
fn broken(piece: &str) -> Vec<String> {
    if piece.len() <= WIDTH {
        return vec![piece.to_owned()];
    }
    let alternatives = piece.split(" || ").enumerate();
    alternatives.map(|(at, part)| if at == 0 { part.to_owned() } else { format!("|| {part}") }).collect()
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
