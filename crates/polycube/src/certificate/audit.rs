//! Is a certificate what it claims to be? Everything that can be made again is, and compared.

use std::fs;
use std::path::Path;

use polycube_certificate::Obligation;
use polycube_certificate::smtlib::{NoScripts, Room, Script};
use polycube_language::check::check;

use super::manifest::{Manifest, hash};
use super::{Certificate, MANIFEST, MODEL, read_invariant};
use crate::input::{MAX_SIZE, describe};

pub(crate) enum Flaw {
    /// It is none, or a part of it cannot be read.
    Unreadable(String),
    /// It was changed: it is not the certificate of its model and its invariant.
    Changed(String),
    /// There was no time to find that out.
    Stopped,
}

/// Reads a certificate, and makes sure that its files are what they should be: those have this many bytes at
/// most.
pub(crate) fn read(
    directory: &Path,
    bytes: usize,
    goes_on: &dyn Fn() -> bool,
) -> Result<(Certificate, Vec<Script>), Flaw> {
    if !directory.is_dir() {
        let what = if directory.exists() { "it is no directory" } else { "there is no such directory" };
        return Err(Flaw::Unreadable(what.to_owned()));
    }
    let manifest = match read_file(directory, MANIFEST) {
        Ok(text) => Manifest::read(&text)
            .map_err(|why| Flaw::Unreadable(format!("`{MANIFEST}` cannot be read: {why}")))?,
        Err(why) => return Err(Flaw::Unreadable(format!("it has no manifest: {why}"))),
    };
    if manifest.model.file != MODEL {
        return Err(Flaw::Changed(format!(
            "the manifest names `{}` as the model, not `{MODEL}`",
            manifest.model.file
        )));
    }
    let text = read_file(directory, MODEL).map_err(Flaw::Changed)?;
    if hash(&text) != manifest.model.sha256 {
        return Err(Flaw::Changed(format!(
            "`{MODEL}` is not the model that the manifest was made for: its hash is another one"
        )));
    }
    let Some(system) = check(&text).system else {
        return Err(Flaw::Changed(format!("`{MODEL}` is no correct model: see polycube check")));
    };
    if system.properties.is_empty() {
        return Err(Flaw::Unreadable(format!("there is nothing to prove: `{MODEL}` has no `unsafe` clause")));
    }
    let in_manifest = |why: String| Flaw::Changed(format!("in `{MANIFEST}`, {why}"));
    let (system, invariant) = read_invariant(&system, &manifest.invariant).map_err(in_manifest)?;
    // Before anything is made of it: that could take long.
    let (count, listed) = (Obligation::count(&system, &invariant), manifest.obligations.len());
    if listed != count {
        return Err(in_manifest(format!("the list has {listed} obligations, but there should be {count}")));
    }
    let hints = manifest.hints(&system, &invariant).map_err(in_manifest)?;
    let certificate = Certificate { text, system, invariant, hints, origin: manifest.origin.clone() };
    // Whoever wrote the manifest decides how much there is to be written; what is there is not more than
    // that. (Text is counted where it is made, and where it is put together.)
    let present = size(directory).saturating_mul(2).saturating_add(1 << 16);
    let scripts = certificate.scripts(&Room::new(present.min(bytes), goes_on)).map_err(|why| match why {
        NoScripts::Stopped => Flaw::Stopped,
        NoScripts::TooLarge if present <= bytes => Flaw::Changed(
            "the scripts `*.smt2` are shorter than what the model and the invariant give".to_owned(),
        ),
        NoScripts::TooLarge => {
            Flaw::Unreadable("it is too large for the memory that may be used (--max-memory)".to_owned())
        }
    })?;
    compare(directory, &certificate, &scripts, &manifest).map_err(Flaw::Changed)?;
    Ok((certificate, scripts))
}

fn size(directory: &Path) -> usize {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let sizes = entries.filter_map(|entry| usize::try_from(entry.metadata().ok()?.len()).ok());
    sizes.fold(0, usize::saturating_add)
}

fn compare(
    directory: &Path,
    certificate: &Certificate,
    scripts: &[Script],
    manifest: &Manifest,
) -> Result<(), String> {
    let files = certificate.files(scripts);
    for (name, expected) in &files[..files.len() - 1] {
        let found = read_file(directory, name)?;
        if found != *expected {
            let (expected, found) = (expected.lines().collect::<Vec<_>>(), found.lines().collect::<Vec<_>>());
            let line = first_difference(&expected, &found).unwrap_or(expected.len() + 1);
            return Err(format!(
                "`{name}` is not what the model and the invariant give: line {line} is another one (written by {}, checked by {})",
                manifest.origin.tool,
                crate::tool()
            ));
        }
    }
    let expected = Manifest::new(certificate, scripts, &certificate.for_why3());
    let differs =
        |what: &str| Err(format!("`{MANIFEST}` is not what the model and the invariant give: {what}"));
    if let Some(number) = first_difference(&expected.files, &manifest.files) {
        return differs(&format!("file {number} of the list is another one"));
    }
    if let Some(number) = first_difference(&expected.obligations, &manifest.obligations) {
        return differs(&format!("obligation {number} of the list is another one"));
    }
    if expected != *manifest {
        return differs("the invariant is written in another way");
    }
    let entries = fs::read_dir(directory).map_err(|error| describe(&error))?;
    for entry in entries {
        let name = entry.map_err(|error| describe(&error))?.file_name();
        if !files.iter().any(|(known, _)| *known == *name.to_string_lossy()) {
            return Err(format!("`{}` is not a part of it", name.display()));
        }
    }
    Ok(())
}

/// The number, from 1, of the first thing that is not the same in both lists.
fn first_difference<T: PartialEq>(left: &[T], right: &[T]) -> Option<usize> {
    (0..left.len().max(right.len())).find(|&at| left.get(at) != right.get(at)).map(|at| at + 1)
}

/// The text of a file. What is no file, such as a pipe, is not even opened: that could last forever.
pub(super) fn read_file(directory: &Path, name: &str) -> Result<String, String> {
    let path = directory.join(name);
    let cannot = |why: &str| format!("`{name}` cannot be read: {why}");
    let metadata = fs::metadata(&path).map_err(|error| cannot(&describe(&error)))?;
    if !metadata.is_file() {
        return Err(cannot(if metadata.is_dir() { "it is a directory" } else { "it is no file" }));
    }
    if metadata.len() > MAX_SIZE {
        return Err(cannot("it is too large"));
    }
    let bytes = fs::read(&path).map_err(|error| cannot(&describe(&error)))?;
    String::from_utf8(bytes).map_err(|_| cannot("it is not text"))
}
