//! Every operation on files, so that a test can stop the world between any two of them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use polycube_engine::forward::Fault;

/// What was done to files.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "only tests watch"))]
pub(crate) enum Operation<'p> {
    /// A file was made or emptied, written or cut; or a folder was made.
    Changed(&'p Path),
    /// What a file contains is on the disk.
    Synchronised(&'p Path),
    /// The names in a folder are on the disk.
    SynchronisedNames,
    /// A file has another name.
    Renamed(&'p Path, &'p Path),
    /// A file is gone.
    Removed,
}

#[cfg(not(test))]
fn done(_: Operation<'_>) {}

#[cfg(test)]
fn done(operation: Operation<'_>) {
    crate::crash::see(operation);
}

/// A file that is read and written at places.
#[derive(Debug)]
pub(crate) struct Disk {
    path: PathBuf,
    file: File,
}

impl Disk {
    /// Makes a file, or empties it.
    pub(crate) fn create(path: PathBuf) -> io::Result<Disk> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path)?;
        done(Operation::Changed(&path));
        Ok(Disk { path, file })
    }

    /// Opens a file that is there.
    pub(crate) fn open(path: PathBuf) -> io::Result<Disk> {
        let file = OpenOptions::new().read(true).write(true).open(&path)?;
        Ok(Disk { path, file })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    pub(crate) fn write(&mut self, place: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(place))?;
        let written = self.file.write_all(bytes);
        done(Operation::Changed(&self.path));
        written
    }

    pub(crate) fn read(&mut self, place: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(place))?;
        self.file.read_exact(bytes)
    }

    pub(crate) fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        done(Operation::Changed(&self.path));
        Ok(())
    }

    pub(crate) fn synchronise(&mut self) -> io::Result<()> {
        self.file.sync_all()?;
        done(Operation::Synchronised(&self.path));
        Ok(())
    }

    pub(crate) fn rename(&mut self, path: PathBuf) -> io::Result<()> {
        fs::rename(&self.path, &path)?;
        done(Operation::Renamed(&self.path, &path));
        self.path = path;
        Ok(())
    }
}

/// Removes a file that need not be there.
pub(crate) fn remove(path: &Path) {
    if fs::remove_file(path).is_ok() {
        done(Operation::Removed);
    }
}

/// Makes a folder and those that it lies in, and brings their names to the disk.
pub(crate) fn make_folders(folder: &Path) -> io::Result<()> {
    let missing = folder.ancestors().take_while(|one| !one.as_os_str().is_empty() && !one.exists());
    let missing: Vec<&Path> = missing.collect();
    fs::create_dir_all(folder)?;
    for made in missing.into_iter().rev() {
        done(Operation::Changed(made));
        let parent = made.parent().filter(|parent| !parent.as_os_str().is_empty());
        synchronise_names(parent.unwrap_or(Path::new(".")))?;
    }
    Ok(())
}

/// Brings the names in a folder to the disk. (Where folders cannot be opened, the file system has to see to that.)
pub(crate) fn synchronise_names(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    done(Operation::SynchronisedNames);
    Ok(())
}

/// What went wrong with a file.
pub(crate) fn fault(doing: &str, path: &Path, error: &io::Error) -> Fault {
    Fault(format!("cannot {doing} {}: {error}", path.display()))
}

/// Whether the disk is full, or what this user may have of it.
pub(crate) fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}
