//! `polycube fmt`: brings models into canonical layout.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use polycube_language::diagnostic::Diagnostics;
use polycube_language::format;
use polycube_language::span::Lines;
use tempfile::NamedTempFile;

use super::Outcome;
use crate::arguments::FmtArguments;
use crate::console::Console;
use crate::input::{Input, read};
use crate::report;

pub(super) fn run(arguments: &FmtArguments, console: &mut Console) -> Outcome {
    arguments.files.iter().map(|path| format_one(path, arguments, console)).max().unwrap_or(Outcome::Success)
}

fn format_one(path: &Path, arguments: &FmtArguments, console: &mut Console) -> Outcome {
    let input = match read(path) {
        Ok(input) => input,
        Err(error) => {
            console.remark(&report::unreadable(&error));
            return Outcome::Wrong;
        }
    };
    if input.is_murphi() {
        let message = format!("{}: models written for Murphi are not formatted", input.name);
        console.remark(&report::error(&message, None));
        return Outcome::Wrong;
    }
    let formatted = match format_input(&input) {
        Ok(formatted) => formatted,
        Err(diagnostics) => {
            console.remark(&report::diagnostics(&diagnostics, &input.name, &Lines::new(&input.text)));
            console.remark(&format!("{} is not formatted\n", input.name));
            return Outcome::Wrong;
        }
    };
    let changed = formatted != input.text;
    match (&input.path, arguments.check) {
        (_, true) if changed => {
            console.print(&format!("would format {}\n", input.name));
            Outcome::No
        }
        (None, false) => {
            console.pass_on(&formatted);
            Outcome::Success
        }
        (Some(path), false) if changed => match replace(path, &formatted) {
            Ok(()) => {
                console.print(&format!("formatted {}\n", input.name));
                Outcome::Success
            }
            Err(error) => {
                console.remark(&report::unwritable(&input.name, &error, Some("the file is unchanged")));
                Outcome::Wrong
            }
        },
        _ => Outcome::Success,
    }
}

fn format_input(input: &Input) -> Result<String, Diagnostics> {
    match &input.not_text {
        None => format(&input.text),
        Some(diagnostic) => Err(Diagnostics::from_one(diagnostic.clone())),
    }
}

/// Puts `text` in place of the file at once: whoever reads it, at whatever moment, finds the old text or the
/// new one, whole.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // Behind a link stands the file that is meant.
    let path = fs::canonicalize(path)?;
    let metadata = fs::metadata(&path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if metadata.permissions().readonly() {
        return Err(io::Error::other("it is read-only"));
    }
    let directory = path.parent().unwrap_or(Path::new("/"));
    let mut new = NamedTempFile::new_in(directory)?;
    new.write_all(text.as_bytes())?;
    new.as_file().set_permissions(metadata.permissions())?;
    new.as_file().sync_all()?;
    new.persist(&path).map_err(|error| error.error)?;
    Ok(())
}
