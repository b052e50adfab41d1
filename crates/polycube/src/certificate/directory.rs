//! Writing a certificate: all of it or nothing, and nothing over what is there.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::MANIFEST;
use super::audit::read_file;
use super::manifest::Manifest;
use crate::input::{Impossible, describe};

/// A directory in which a certificate may be written.
pub(crate) struct Directory {
    /// As the user named it.
    name: PathBuf,
    path: PathBuf,
    /// The files of the certificate that is there, which may be removed.
    old: Vec<PathBuf>,
}

impl Directory {
    /// Finds out what can be known beforehand: a long search should not end with a mistake in a name.
    pub(crate) fn prepare(path: &Path, overwrite: bool) -> Result<Directory, Impossible> {
        let impossible = |why: &str| {
            Impossible::new(format!("no certificate can be written into `{}`: {why}", path.display()))
        };
        let parent = parent(path);
        if !parent.is_dir() {
            return Err(impossible(&format!("there is no directory `{}`", parent.display())));
        }
        // An attempt says more than permissions do.
        tempfile::tempdir_in(&parent).map_err(|error| impossible(&describe(&error)))?;
        if path.symlink_metadata().is_err() {
            return Ok(Directory { name: path.to_owned(), path: path.to_owned(), old: Vec::new() });
        }
        let resolved = path.canonicalize().map_err(|error| impossible(&describe(&error)))?;
        let directory = Directory { name: path.to_owned(), path: resolved, old: Vec::new() };
        if !path.is_dir() {
            return Err(impossible("it exists, and is no directory").or("name another directory"));
        }
        // It is going to be replaced by another one, which nobody is in.
        if std::env::current_dir().is_ok_and(|current| current.starts_with(&directory.path)) {
            let help = "name another directory, or start from outside of it";
            return Err(impossible("it is the current directory, or has that in it").or(help));
        }
        let entries = fs::read_dir(&directory.path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let entries = entries.map_err(|error| impossible(&describe(&error)))?;
        if entries.is_empty() {
            return Ok(directory);
        }
        let manifest = read_file(path, MANIFEST).ok().and_then(|text| Manifest::read(&text).ok());
        let Some(manifest) = manifest else {
            let help = "name another directory; what is in this one is no certificate, and is left alone";
            return Err(impossible("it is not empty").or(help));
        };
        if !overwrite {
            let help = "name another directory, or overwrite the certificate with --force";
            return Err(impossible("there is a certificate in it already").or(help));
        }
        let mut known: Vec<String> = manifest.files.iter().map(|file| file.file.clone()).collect();
        known.extend([manifest.model.file, MANIFEST.to_owned()]);
        let is_known = |entry: &fs::DirEntry| {
            entry.file_name().to_str().is_some_and(|name| known.iter().any(|known| known == name))
                && entry.file_type().is_ok_and(|ty| ty.is_file())
        };
        if let Some(other) = entries.iter().find(|entry| !is_known(entry)) {
            let why = format!("`{}` in it is not a part of the certificate", other.file_name().display());
            return Err(impossible(&why).or("move it away, or name another directory"));
        }
        let old = entries.iter().map(fs::DirEntry::path).collect();
        Ok(Directory { old, ..directory })
    }

    /// As the user named it.
    pub(crate) fn name(&self) -> &Path {
        &self.name
    }

    /// Writes the files. They are written beside the directory first, so that it never has a part of them
    /// only.
    pub(crate) fn write(&self, files: &[(String, String)]) -> Result<(), Impossible> {
        self.try_to_write(files).map_err(|error| {
            let (name, why) = (self.name.display(), describe(&error));
            Impossible::new(format!("the certificate cannot be written into `{name}`: {why}"))
        })
    }

    fn try_to_write(&self, files: &[(String, String)]) -> io::Result<()> {
        let new = TempDir::with_prefix_in(".polycube-", parent(&self.path))?;
        for (name, text) in files {
            let mut file = fs::File::create_new(new.path().join(name))?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
        }
        // Like any other directory that the user makes, not for the owner's eyes only.
        set_usual_permissions(new.path())?;
        // Fails if there is anything else in it by now. Until the new one has its name, the old one is not
        // lost.
        let aside = TempDir::with_prefix_in(".polycube-old-", parent(&self.path))?;
        let moved = aside.path().join("certificate");
        let is_there = self.path.symlink_metadata().is_ok();
        if is_there {
            let mut entries = fs::read_dir(&self.path)?.collect::<io::Result<Vec<_>>>()?.into_iter();
            if let Some(other) = entries.find(|entry| !self.old.contains(&entry.path())) {
                let why = format!("`{}` has appeared in it", other.file_name().display());
                return Err(io::Error::other(why));
            }
            fs::rename(&self.path, &moved)?;
        }
        if let Err(error) = fs::rename(new.path(), &self.path) {
            if is_there && fs::rename(&moved, &self.path).is_err() {
                let _ = aside.keep();
            }
            return Err(error);
        }
        // It has another name now; there is nothing to remove.
        let _ = new.keep();
        Ok(())
    }

    /// Writes the files of a certificate once more, in place of those that were written before.
    pub(crate) fn rewrite(&self, files: &[(String, String)]) -> Result<(), Impossible> {
        let old = files.iter().map(|(name, _)| self.path.join(name)).collect();
        Directory { name: self.name.clone(), path: self.path.clone(), old }.write(files)
    }
}

fn parent(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

#[cfg(unix)]
fn set_usual_permissions(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    // The file mode creation mask can be seen only in what it does.
    let probe = path.join("probe");
    fs::DirBuilder::new().mode(0o777).create(&probe)?;
    let mode = fs::metadata(&probe)?.permissions().mode();
    fs::remove_dir(&probe)?;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_usual_permissions(_: &Path) -> io::Result<()> {
    Ok(())
}
