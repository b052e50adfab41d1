//! What a folder holds, without opening it for writing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::checkpoint::{MANIFEST, part_name};
use crate::identity::{Identity, Refused};
use crate::manifest::Manifest;

/// What a process has kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it is.
    pub folder: PathBuf,
    /// Of which exploration it is.
    pub identity: Identity,
    /// When it was begun.
    pub begun: SystemTime,
    /// When it was written to the last time.
    pub committed: SystemTime,
    /// What is kept of each choice of orders.
    pub orders: Vec<Kept>,
}

impl Part {
    /// How many layers are kept.
    pub fn layers(&self) -> usize {
        self.orders.iter().map(|kept| kept.layers).sum()
    }

    /// How many bytes of states are kept.
    pub fn bytes(&self) -> u64 {
        self.orders.iter().map(|kept| kept.bytes).sum()
    }
}

/// What is kept of a choice of orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Which one.
    pub order: usize,
    /// The stage that it goes through.
    pub stage: Vec<u64>,
    /// How many layers of the stage are kept.
    pub layers: usize,
    /// How many bytes their states take.
    pub bytes: u64,
}

/// The parts of a checkpoint that a folder holds, by the number of the process. No states are read.
///
/// # Errors
///
/// If the folder or a manifest cannot be read, or a manifest is not what was written.
pub fn contents(dir: &Path) -> Result<Vec<Part>, Refused> {
    let time = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
    let part = |process| {
        let folder = dir.join(part_name(process));
        let manifest = read_manifest(&folder.join(MANIFEST))?;
        let kept = manifest.orders.into_iter().map(|(order, stage)| Kept {
            order,
            layers: stage.layers.len(),
            bytes: stage.end(),
            stage: stage.words,
        });
        Ok(Part {
            folder,
            identity: manifest.identity,
            begun: time(manifest.begun),
            committed: time(manifest.committed),
            orders: kept.collect(),
        })
    };
    processes(dir).and_then(|processes| processes.into_iter().map(part).collect()).map_err(Refused)
}

/// The processes that have parts in a folder, in their order.
pub(crate) fn processes(dir: &Path) -> Result<Vec<usize>, String> {
    let failed = |error: io::Error| format!("cannot read {}: {error}", dir.display());
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut processes = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("process-")?.parse::<usize>().ok());
        let is_part = |&process: &usize| {
            name.to_str() == Some(&*part_name(process)) && entry.path().join(MANIFEST).exists()
        };
        processes.extend(number.filter(is_part));
    }
    processes.sort_unstable();
    Ok(processes)
}

pub(crate) fn read_manifest(path: &Path) -> Result<Manifest, String> {
    let bytes = fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Manifest::read(&bytes).map_err(|wrong| format!("{} {wrong}", path.display()))
}
