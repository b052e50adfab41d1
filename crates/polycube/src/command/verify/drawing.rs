//! Files with pictures: not overwriting what is there, and calling Graphviz.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::arguments::{GraphFile, GraphFormat};
use crate::input::{Impossible, describe};

/// A graph with more nodes than this is more than people can read.
pub(super) const MANY: usize = 1000;

/// The program that turns graphs into pictures, a part of Graphviz.
const DOT: &str = "dot";

pub(super) struct Drawing<'a> {
    file: &'a GraphFile,
    overwrite: bool,
}

impl<'a> Drawing<'a> {
    /// Checks the path and Graphviz before the search, so that a long search does not end in this error.
    pub(super) fn prepare(file: &'a GraphFile, overwrite: bool) -> Result<Drawing<'a>, Impossible> {
        let drawing = Drawing { file, overwrite };
        let path = drawing.path();
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return Err(drawing.not_written("there is no such folder"));
        }
        if path.is_dir() {
            return Err(drawing.not_written("it is a directory"));
        }
        if !overwrite && path.symlink_metadata().is_ok() {
            return Err(drawing.exists());
        }
        if file.format == GraphFormat::Svg {
            Command::new(DOT).arg("-V").output().map_err(|error| drawing.no_graphviz(&error))?;
        }
        Ok(drawing)
    }

    pub(super) fn path(&self) -> &Path {
        &self.file.path
    }

    /// Writes the file: the text itself, or what Graphviz makes of it.
    pub(super) fn write(&self, dot: &str) -> Result<(), Impossible> {
        let content = match self.file.format {
            GraphFormat::Dot => dot.as_bytes().to_vec(),
            GraphFormat::Svg => self.picture(dot)?,
        };
        let mut options = OpenOptions::new();
        options.write(true).truncate(true);
        // It may have been created since the beginning.
        if self.overwrite {
            options.create(true)
        } else {
            options.create_new(true)
        };
        let written = options.open(self.path()).and_then(|mut file| file.write_all(&content));
        written.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => self.exists(),
            io::ErrorKind::NotFound => self.not_written("there is no such folder"),
            _ => self.not_written(&describe(&error)),
        })
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
        let output = output.map_err(|error| self.not_written(&describe(&error)))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let why = said.lines().next().map_or_else(|| output.status.to_string(), str::to_owned);
        Err(self.not_written(&format!("Graphviz failed: {why}")))
    }

    fn exists(&self) -> Impossible {
        let reason = format!("`{}` exists already; it is not overwritten", self.path().display());
        Impossible::new(reason).or("name another file, or overwrite this one with --force")
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

    fn not_written(&self, why: &str) -> Impossible {
        Impossible::new(format!("`{}` cannot be written: {why}", self.path().display()))
    }
}
