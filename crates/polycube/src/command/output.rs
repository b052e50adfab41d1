//! Files that commands write: never over one that exists, unless that is wanted.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use crate::input::{Impossible, describe};

/// A file that will be written.
#[derive(Clone, Copy)]
pub(super) struct Target<'p> {
    pub(super) path: &'p Path,
    overwrite: bool,
}

impl<'p> Target<'p> {
    /// Checks the path before long work, so that it does not end in this error.
    pub(super) fn prepare(path: &'p Path, overwrite: bool) -> Result<Target<'p>, Impossible> {
        let target = Target { path, overwrite };
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return Err(target.not_written("there is no such folder"));
        }
        if path.is_dir() {
            return Err(target.not_written("it is a directory"));
        }
        if !overwrite && path.symlink_metadata().is_ok() {
            return Err(target.exists());
        }
        Ok(target)
    }

    pub(super) fn write(&self, content: &[u8]) -> Result<(), Impossible> {
        let mut options = OpenOptions::new();
        options.write(true).truncate(true);
        // It may have been created since the beginning.
        if self.overwrite {
            options.create(true)
        } else {
            options.create_new(true)
        };
        let written = options.open(self.path).and_then(|mut file| file.write_all(content));
        written.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => self.exists(),
            io::ErrorKind::NotFound => self.not_written("there is no such folder"),
            _ => self.not_written(&describe(&error)),
        })
    }

    /// The same file, to be written again.
    pub(super) fn again(self) -> Target<'p> {
        Target { overwrite: true, ..self }
    }

    fn exists(&self) -> Impossible {
        let reason = format!("`{}` exists already; it is not overwritten", self.path.display());
        Impossible::new(reason).or("name another file, or overwrite this one with --force")
    }

    pub(super) fn not_written(&self, why: &str) -> Impossible {
        Impossible::new(format!("`{}` cannot be written: {why}", self.path.display()))
    }
}
