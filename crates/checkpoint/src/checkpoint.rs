//! The part of a checkpoint that a process writes and reads: see the crate's documentation for what counts when.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use polycube_engine::forward::{Fault, Journal, Take};
use sha2::{Digest, Sha256};

use crate::contents;
use crate::disk::{self, Disk, fault};
use crate::identity::{Identity, Refused};
use crate::manifest::{self, Chain, Layer, Manifest, Record, Stage};
use crate::states::{States, file_name};

pub(crate) const MANIFEST: &str = "manifest";

/// The manifest until it has its first group.
const NEW_MANIFEST: &str = "manifest.new";

const LOCK: &str = "lock";

/// The folder of a process's part.
pub(crate) fn part_name(process: usize) -> String {
    format!("process-{process}")
}

/// What is kept of an order, and how much of it counts.
///
/// The file of the stage has its layers, and nothing behind them that counts.
#[derive(Debug)]
struct Order {
    stage: Stage,
    /// The generation that the manifest has, if any, and how many layers of it. If it is that of the stage, these are the
    /// first layers of the stage; otherwise that of the stage is the next one.
    counted: Option<(u64, usize)>,
}

impl Order {
    /// How many layers of the stage count.
    fn counted_layers(&self) -> usize {
        self.counted
            .filter(|&(generation, _)| generation == self.stage.generation)
            .map_or(0, |(_, layers)| layers)
    }

    fn stage_counts(&self) -> bool {
        self.counted.is_some_and(|(generation, _)| generation == self.stage.generation)
    }
}

/// What a process keeps of an exploration: a [`Journal`] in files.
#[derive(Debug)]
pub struct Checkpoint {
    /// As the user calls it.
    dir: PathBuf,
    /// The part of this process.
    folder: PathBuf,
    _lock: Lock,
    manifest: Disk,
    /// All groups that count.
    chain: Chain,
    orders: BTreeMap<usize, Order>,
    /// The order that was opened, and the file of its stage.
    open: Option<(usize, States)>,
    /// Files of stages of which nothing counts any more.
    superseded: Vec<PathBuf>,
    /// Whether the folder has new names that may not be on the disk yet.
    has_new_names: bool,
    every: Duration,
    last: Instant,
    /// Something could not be written. What the disk has now is known only to whoever reads it again, so nothing
    /// more is written.
    broken: Option<Fault>,
}

impl Checkpoint {
    /// Begins a checkpoint in a folder. What was found is due to be kept so long after it was the last time.
    ///
    /// # Errors
    ///
    /// If there is one already, or it cannot be written.
    pub fn create(dir: &Path, identity: &Identity, every: Duration) -> Result<Checkpoint, Refused> {
        let folder = dir.join(part_name(identity.process));
        if dir.exists() && !dir.is_dir() {
            return Err(Refused(format!("{} is not a folder", dir.display())));
        }
        refuse_if_taken(dir, &folder)?;
        let (parts, processes) = (contents::processes(dir).map_err(Refused)?, identity.processes);
        if let Some(other) = parts.into_iter().find(|&part| part >= processes) {
            return Err(Refused(format!(
                "{} holds the part of process {other} of another checkpoint: to begin anew, remove it",
                dir.display()
            )));
        }
        disk::make_folders(&folder).map_err(|error| refused("make", &folder, &error))?;
        let lock = lock(&folder)?;
        // Another program may have been here in the meantime.
        refuse_if_taken(dir, &folder)?;

        let (first, chain) = manifest::begin(identity, now());
        let write = || {
            let mut manifest = Disk::create(folder.join(NEW_MANIFEST))?;
            manifest.write(0, &first)?;
            manifest.synchronise()?;
            manifest.rename(folder.join(MANIFEST))?;
            disk::synchronise_names(&folder)?;
            Ok(manifest)
        };
        let manifest = write().map_err(|error| refused("write", &folder.join(MANIFEST), &error))?;
        Ok(Checkpoint {
            dir: dir.to_owned(),
            folder,
            _lock: lock,
            manifest,
            chain,
            orders: BTreeMap::new(),
            open: None,
            superseded: Vec::new(),
            has_new_names: false,
            every,
            last: Instant::now(),
            broken: None,
        })
    }

    /// Continues a checkpoint. What was found is due to be kept so long after this, and then after it was the last time.
    ///
    /// # Errors
    ///
    /// If there is none, if it is not of this exploration, or not what was written; or another program writes it.
    pub fn resume(dir: &Path, identity: &Identity, every: Duration) -> Result<Checkpoint, Refused> {
        let folder = dir.join(part_name(identity.process));
        let path = folder.join(MANIFEST);
        if !path.exists() {
            return Err(why_missing(dir, identity));
        }
        let lock = lock(&folder)?;
        let Manifest { identity: there, orders, superseded, chain, .. } =
            contents::read_manifest(&path).map_err(Refused)?;
        if let Some(reason) = identity.refuses(&there) {
            return Err(Refused(format!("the checkpoint in {} {reason}", dir.display())));
        }
        for (&order, stage) in &orders {
            let path = folder.join(file_name(order, stage.generation));
            let length = fs::metadata(&path).map_err(|error| refused("read", &path, &error))?.len();
            if length < stage.end() {
                return Err(Refused(too_short(&path)));
            }
        }
        let manifest = Disk::open(path.clone()).map_err(|error| refused("open", &path, &error))?;
        let kept = |stage: Stage| Order { counted: Some((stage.generation, stage.layers.len())), stage };
        Ok(Checkpoint {
            dir: dir.to_owned(),
            manifest,
            chain,
            orders: orders.into_iter().map(|(order, stage)| (order, kept(stage))).collect(),
            open: None,
            superseded: superseded
                .into_iter()
                .map(|(order, generation)| folder.join(file_name(order, generation)))
                .collect(),
            folder,
            _lock: lock,
            has_new_names: false,
            every,
            last: Instant::now(),
            broken: None,
        })
    }

    /// The opened stage, and its file.
    fn opened(&mut self) -> (&mut Order, &mut States) {
        let (order, states) = self.open.as_mut().expect("a stage is open");
        (self.orders.get_mut(order).expect("an open stage is kept"), states)
    }

    /// Does something that writes. After a failure, nothing is written any more.
    fn write<R>(&mut self, work: impl FnOnce(&mut Checkpoint) -> Result<R, Fault>) -> Result<R, Fault> {
        if let Some(fault) = &self.broken {
            return Err(fault.clone());
        }
        let result = work(self);
        self.broken = result.as_ref().err().cloned();
        result
    }

    /// Lets go of the opened stage. All bytes of layers are on the disk before another file is opened: so a commit has to
    /// see to one file only.
    fn close(&mut self) -> Result<(), Fault> {
        if let Some((_, mut states)) = self.open.take() {
            let wanted = self.pending_bytes();
            states.synchronise().map_err(|error| self.write_fault(states.path(), wanted, &error))?;
        }
        Ok(())
    }

    /// How many bytes of layers do not count yet.
    fn pending_bytes(&self) -> u64 {
        let pending = |order: &Order| {
            order.stage.layers[order.counted_layers()..].iter().map(|layer| layer.length).sum::<u64>()
        };
        self.orders.values().map(pending).sum()
    }

    /// What the manifest does not say yet.
    fn pending_lines(&self) -> String {
        let mut lines = String::new();
        for (&order, kept) in &self.orders {
            let stage = &kept.stage;
            if !kept.stage_counts() {
                let (generation, words) = (stage.generation, stage.words.clone());
                lines += &manifest::line(&Record::Stage { order, generation, words });
            }
            for Layer { offset, length, sha256, word } in
                stage.layers[kept.counted_layers()..].iter().cloned()
            {
                lines += &manifest::line(&Record::Layer { order, offset, length, sha256, word });
            }
        }
        lines
    }

    /// Gives back what does not count: what takes room on a full disk, and must not lie behind the next group.
    fn tidy(&mut self) -> Result<(), Fault> {
        for path in self.superseded.drain(..) {
            disk::remove(&path);
        }
        let mut cut = || {
            if self.manifest.length()? > self.chain.bytes {
                self.manifest.cut(self.chain.bytes)?;
                self.manifest.synchronise()?;
            }
            Ok(())
        };
        cut().map_err(|error| self.write_fault(self.manifest.path(), 0, &error))
    }

    /// Appends a group to the manifest. Everything that it speaks of is on the disk already.
    fn append_group(&mut self, lines: String) -> Result<(), Fault> {
        let (text, chain) = self.chain.group(lines, now());
        let mut append = || {
            self.manifest.write(self.chain.bytes, &text)?;
            self.manifest.synchronise()
        };
        append().map_err(|error| self.write_fault(self.manifest.path(), text.len() as u64, &error))?;
        self.chain = chain;
        Ok(())
    }

    fn write_fault(&self, path: &Path, wanted: u64, error: &io::Error) -> Fault {
        let Fault(reason) = if disk::is_full(error) {
            Fault(format!("the disk is full: {} cannot have {} more", path.display(), bytes(wanted)))
        } else {
            fault("write", path, error)
        };
        Fault(format!("{reason}; what {} held before is whole", self.dir.display()))
    }
}

impl Journal for Checkpoint {
    fn stage(&self, order: usize) -> Option<Vec<u64>> {
        self.orders.get(&order).map(|order| order.stage.words.clone())
    }

    fn open(&mut self, order: usize, stage: &[u64]) -> Result<usize, Fault> {
        self.write(|this| {
            this.close()?;
            this.tidy()?;
            if let Some(kept) = this.orders.get(&order).filter(|kept| kept.stage.words == stage) {
                let path = this.folder.join(file_name(order, kept.stage.generation));
                let opened = States::open(path.clone(), kept.stage.end());
                let states = opened.map_err(|error| read_fault(&path, &error))?;
                let layers = kept.stage.layers.len();
                this.open = Some((order, states));
                return Ok(layers);
            }
            let counted = this.orders.get(&order).and_then(|kept| kept.counted);
            let generation = counted.map_or(0, |(generation, _)| generation + 1);
            let path = this.folder.join(file_name(order, generation));
            let states = States::create(path.clone()).map_err(|error| this.write_fault(&path, 0, &error))?;
            this.has_new_names = true;
            let stage = Stage { generation, words: stage.to_vec(), layers: Vec::new() };
            this.orders.insert(order, Order { stage, counted });
            this.open = Some((order, states));
            Ok(0)
        })
    }

    fn truncate(&mut self, layers: usize) -> Result<(), Fault> {
        self.write(|this| {
            let number = this.open.as_ref().expect("a stage is open").0;
            let (order, _) = this.opened();
            if layers >= order.stage.layers.len() {
                return Ok(());
            }
            order.stage.layers.truncate(layers);
            if layers < order.counted_layers() {
                // Only when the manifest has given them up may their bytes be cut off.
                order.counted = Some((order.stage.generation, layers));
                this.append_group(manifest::line(&Record::Keep { order: number, layers }))?;
            }
            let (order, states) = this.opened();
            let end = order.stage.end();
            let path = states.path().to_owned();
            states.cut(end).map_err(|error| this.write_fault(&path, 0, &error))
        })
    }

    fn read(&mut self, layer: usize, take: &mut Take<'_>) -> Result<Vec<u64>, Fault> {
        let (order, states) = self.opened();
        let Layer { offset, length, sha256, word } = &order.stage.layers[layer];
        let hash =
            states.read(*offset, *length, take).map_err(|error| read_fault(states.path(), &error))??;
        if hash != *sha256 {
            let file = states.path().display();
            return Err(Fault(format!("layer {layer} of {file} is not what was written")));
        }
        Ok(word.clone())
    }

    fn is_due(&mut self) -> bool {
        self.last.elapsed() >= self.every
    }

    fn append(
        &mut self,
        word: &[u64],
        states: &mut dyn FnMut(&mut Take<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if let Some(fault) = &self.broken {
            return Err(fault.clone());
        }
        let (order, file) = self.opened();
        let offset = file.end();
        let (mut hash, mut length, mut failure) = (Sha256::new(), 0, None);
        let given = states(&mut |piece| {
            length += piece.len() as u64;
            if failure.is_none() {
                hash.update(piece);
                failure = file.push(piece).err();
            }
            match &failure {
                // Those that follow are counted only, to say how much was wanted.
                Some(error) if !disk::is_full(error) => Err(Fault(String::new())),
                _ => Ok(()),
            }
        });
        let path = file.path().to_owned();
        if failure.is_none() && given.is_ok() {
            let sha256 = format!("{:x}", hash.finalize());
            order.stage.layers.push(Layer { offset, length, sha256, word: word.to_vec() });
            return Ok(());
        }
        if failure.is_none() {
            // The states could not be had: they are none of the file's.
            failure = file.cut(offset).err();
        }
        match failure {
            None => given,
            Some(error) => self.write(|this| Err(this.write_fault(&path, length, &error))),
        }
    }

    fn commit(&mut self) -> Result<(), Fault> {
        self.write(|this| {
            let wanted = this.pending_bytes();
            if let Some((_, states)) = &mut this.open {
                let path = states.path().to_owned();
                let result = states.synchronise();
                result.map_err(|error| this.write_fault(&path, wanted, &error))?;
            }
            if this.has_new_names {
                disk::synchronise_names(&this.folder)
                    .map_err(|error| this.write_fault(&this.folder, 0, &error))?;
                this.has_new_names = false;
            }
            let lines = this.pending_lines();
            if !lines.is_empty() {
                this.append_group(lines)?;
            }
            for (&order, kept) in &mut this.orders {
                let counts = (kept.stage.generation, kept.stage.layers.len());
                let before = kept.counted.replace(counts).filter(|before| before.0 != counts.0);
                this.superseded
                    .extend(before.map(|(generation, _)| this.folder.join(file_name(order, generation))));
            }
            this.tidy()?;
            this.last = Instant::now();
            Ok(())
        })
    }
}

/// Refuses a folder that holds a part already, or anything that we have not made.
fn refuse_if_taken(dir: &Path, folder: &Path) -> Result<(), Refused> {
    let dir = dir.display();
    if folder.join(MANIFEST).exists() {
        return Err(Refused(format!(
            "{dir} holds a checkpoint already: --resume {dir} continues it; to begin anew, remove it"
        )));
    }
    if !folder.exists() {
        return Ok(());
    }
    let entries = fs::read_dir(folder).map_err(|error| refused("read", folder, &error))?;
    for entry in entries {
        let name = entry.map_err(|error| refused("read", folder, &error))?.file_name();
        if name != LOCK && name != NEW_MANIFEST {
            return Err(Refused(format!(
                "{} holds {}, which is not of a checkpoint: choose another folder",
                folder.display(),
                name.display()
            )));
        }
    }
    Ok(())
}

/// Why there is nothing to continue.
fn why_missing(dir: &Path, identity: &Identity) -> Refused {
    let others = contents::processes(dir).unwrap_or_default();
    let dir_name = dir.display();
    let Some(&first) = others.first() else {
        return Refused(format!("there is no checkpoint in {dir_name}"));
    };
    let path = dir.join(part_name(first)).join(MANIFEST);
    let reason = contents::read_manifest(&path).ok().and_then(|there| {
        let there = Identity { process: identity.process, ..there.identity };
        identity.refuses(&there)
    });
    Refused(match reason {
        Some(reason) => format!("the checkpoint in {dir_name} {reason}"),
        None => format!("the part of process {} is missing in {dir_name}", identity.process),
    })
}

/// Nobody else writes a part while this lives.
#[derive(Debug)]
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough: a process that was forked a moment ago has it, until it runs its program.
        let _ = self.0.unlock();
    }
}

/// Takes the lock of a part, which the operating system gives back however the program ends. Where the file system
/// knows no locks, there is none.
fn lock(folder: &Path) -> Result<Lock, Refused> {
    let path = folder.join(LOCK);
    let open = File::options().write(true).create(true).truncate(false).open(&path);
    let file = open.map_err(|error| refused("open", &path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock(file)),
        Err(TryLockError::WouldBlock) => {
            Err(Refused(format!("another program is writing {}", folder.display())))
        }
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Lock(file)),
        Err(TryLockError::Error(error)) => Err(refused("lock", &path, &error)),
    }
}

fn refused(doing: &str, path: &Path, error: &io::Error) -> Refused {
    Refused(fault(doing, path, error).0)
}

fn read_fault(path: &Path, error: &io::Error) -> Fault {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Fault(too_short(path)),
        _ => fault("read", path, error),
    }
}

fn too_short(path: &Path) -> String {
    format!("{} is shorter than its manifest says", path.display())
}

/// A number of bytes, for people.
fn bytes(number: u64) -> String {
    match number {
        0..1_000 => format!("{number} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", number as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", number as f64 / 1e6),
        _ => format!("{:.1} GB", number as f64 / 1e9),
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
