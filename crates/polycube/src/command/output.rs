//! Files that commands write: never over one that exists, unless that is wanted.

use std::path::Path;

use crate::input::{Impossible, describe};

/// Says no if there is such a file. To be asked before long work, whose result could then not be written.
pub(super) fn refuse_to_overwrite(file: &Path, force: bool) -> Result<(), Impossible> {
    if force || !file.exists() {
        return Ok(());
    }
    let reason = format!("`{}` exists already; it is not overwritten", file.display());
    Err(Impossible::new(reason).or("name another file, or overwrite this one with --force"))
}

pub(super) fn write(file: &Path, text: &str) -> Result<(), Impossible> {
    let not_written = |error| format!("`{}` cannot be written: {}", file.display(), describe(&error));
    std::fs::write(file, text).map_err(|error| Impossible::new(not_written(error)))
}
