//! The world stops between any two operations on files, and in the middle of each: what counted is what is found.
//!
//! A kill leaves the files as they are. After a loss of power, whatever was not synchronised may be there or not: names, and
//! any blocks of what was written or cut. Random explorations are kept, and at every operation a few of the folders are
//! built that could be found then. Each is continued, and has the last commit, or the one that was being made.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use polycube_engine::forward::{Journal, Take};
use polycube_testing::for_seeds;
use polycube_testing::generate::Random;

use crate::disk::Operation;
use crate::{Checkpoint, Identity, Model};

/// The files of a part, by name.
type Image = BTreeMap<String, Vec<u8>>;

/// Stages and layers, with their words, by order.
type Content = BTreeMap<usize, (Vec<u64>, Vec<(Vec<u64>, Vec<u8>)>)>;

/// What is on the disk for certain, and what a crash may leave.
struct Watcher {
    folder: PathBuf,
    random: Random,
    /// The last names and contents that were synchronised.
    names: BTreeSet<String>,
    contents: Image,
    images: Vec<Image>,
}

thread_local! {
    static WATCHER: RefCell<Option<Watcher>> = const { RefCell::new(None) };
}

/// Is told of every operation.
pub(crate) fn see(operation: Operation<'_>) {
    WATCHER.with_borrow_mut(|watcher| {
        if let Some(watcher) = watcher {
            watcher.see(operation);
        }
    });
}

fn name(path: &Path) -> String {
    path.file_name().expect("a file").to_str().expect("our names are text").to_owned()
}

fn files(folder: &Path) -> Image {
    let Ok(entries) = fs::read_dir(folder) else { return Image::new() };
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let image = paths.map(|path| (name(&path), fs::read(&path).expect("a readable file")));
    image.filter(|(name, _)| name != "lock").collect()
}

impl Watcher {
    fn see(&mut self, operation: Operation<'_>) {
        let now = files(&self.folder);
        match operation {
            Operation::Changed(path) => {
                // A kill in the middle of it.
                let mut image = now.clone();
                if let Some(content) = image.get_mut(&name(path)) {
                    let certain = self.contents.get(&name(path)).map_or(0, Vec::len);
                    if content.len() > certain {
                        content.truncate(self.random.between(certain, content.len()));
                        self.images.push(image);
                    }
                }
            }
            Operation::Synchronised(path) => {
                self.contents.insert(name(path), now[&name(path)].clone());
            }
            Operation::SynchronisedNames => self.names = now.keys().cloned().collect(),
            Operation::Renamed(from, to) => {
                let content = self.contents.remove(&name(from)).unwrap_or_default();
                self.contents.insert(name(to), content);
            }
            // What is not to be found for certain may still be.
            Operation::Removed => {}
        }
        for _ in 0..2 {
            let image = self.without_power(&now);
            self.images.push(image);
        }
        self.images.push(now);
    }

    /// Files as a loss of power may leave them.
    fn without_power(&mut self, now: &Image) -> Image {
        let names: BTreeSet<String> = self.names.iter().chain(now.keys()).cloned().collect();
        let mut image = Image::new();
        for name in names {
            if (self.names.contains(&name) && now.contains_key(&name)) || self.random.percent(50) {
                let certain = self.contents.get(&name).cloned().unwrap_or_default();
                let content = now.get(&name).unwrap_or(&certain);
                image.insert(name, blocks(&mut self.random, &certain, content));
            }
        }
        image
    }
}

/// A content between two: as long as one of them, each block as in one of them, or zeros where the old one has nothing.
fn blocks(random: &mut Random, old: &[u8], new: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 16;
    let length = random.pick(&[old, new]).len();
    let mut content = Vec::new();
    while content.len() < length {
        let end = length.min(content.len() + BLOCK);
        let source = *random.pick(&[old, new]);
        let start = content.len().min(source.len());
        content.extend(&source[start..end.min(source.len())]);
        content.resize(end, 0);
    }
    content
}

fn identity() -> Identity {
    Identity {
        version: "1".to_owned(),
        model: Model::new("a.cub", "text"),
        settings: Vec::new(),
        process: 0,
        processes: 1,
    }
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder for the test")
}

/// All that a checkpoint has, where it begins with the stages that it says it has.
fn content(checkpoint: &mut Checkpoint) -> Content {
    let mut content = Content::new();
    for order in 0..ORDERS {
        let Some(stage) = checkpoint.stage(order) else { continue };
        let layers = checkpoint.open(order, &stage).expect("a whole checkpoint");
        let layers = (0..layers).map(|layer| {
            let mut bytes = Vec::new();
            let word = checkpoint.read(layer, &mut |piece| {
                bytes.extend(piece);
                Ok(())
            });
            (word.expect("a whole layer"), bytes)
        });
        content.insert(order, (stage, layers.collect()));
    }
    content
}

/// Puts files into a folder.
fn restore(image: &Image, folder: &Path) {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).expect("a folder that can be made");
    for (name, content) in image {
        fs::write(folder.join(name), content).expect("a file that can be written");
    }
}

/// What is found in an image; nothing if there is no checkpoint.
fn found(image: &Image) -> Option<Content> {
    let dir = scratch();
    restore(image, &dir.path().join("process-0"));
    let resumed = Checkpoint::resume(dir.path(), &identity(), Duration::ZERO);
    match resumed {
        Ok(mut checkpoint) => Some(content(&mut checkpoint)),
        Err(refused) => {
            assert!(refused.0.starts_with("there is no checkpoint in"), "{refused}");
            let begun = Checkpoint::create(dir.path(), &identity(), Duration::ZERO);
            assert!(begun.is_ok(), "it can be begun anew");
            None
        }
    }
}

const ORDERS: usize = 3;

/// A checkpoint that is written, what it has, and what of that counts.
struct Scene {
    dir: tempfile::TempDir,
    random: Random,
    checkpoint: Option<Checkpoint>,
    open: Option<usize>,
    /// The orders whose stage does not count.
    pending: BTreeSet<usize>,
    has: Content,
    counts: Content,
    crashes: usize,
}

impl Scene {
    fn folder(&self) -> PathBuf {
        self.dir.path().join("process-0")
    }

    fn watch(&mut self, certain: &Image) {
        let random = Random::new(self.random.number());
        let names = certain.keys().cloned().collect();
        let folder = self.folder();
        let watcher = Watcher { folder, random, names, contents: certain.clone(), images: Vec::new() };
        WATCHER.set(Some(watcher));
    }

    /// Does something that makes `then` count in the end, and checks what a crash in the meantime would have left. In one
    /// case of a few, there was a crash.
    fn step(&mut self, then: Content, step: impl FnOnce(&mut Self)) {
        step(self);
        let watcher = WATCHER.take().expect("a watcher");
        for image in &watcher.images {
            let found = found(image).expect("a checkpoint");
            assert!(found == self.counts || found == then, "neither before nor after: {found:?}");
            self.crashes += 1;
        }
        self.counts = then;
        if self.random.one_in(6) && !watcher.images.is_empty() {
            let image = self.random.pick(&watcher.images).clone();
            self.resume(Some(&image));
        } else {
            WATCHER.set(Some(Watcher { images: Vec::new(), ..watcher }));
        }
    }

    /// The program was killed, or has ended, and another one goes on.
    fn resume(&mut self, image: Option<&Image>) {
        WATCHER.set(None);
        self.checkpoint = None;
        let folder = self.folder();
        let image = image.cloned().unwrap_or_else(|| files(&folder));
        restore(&image, &folder);
        let resumed = Checkpoint::resume(self.dir.path(), &identity(), Duration::ZERO);
        self.checkpoint = Some(resumed.expect("a checkpoint"));
        self.counts = found(&image).expect("a checkpoint");
        self.has = self.counts.clone();
        self.open = None;
        self.pending.clear();
        self.watch(&image);
    }

    fn journal(&mut self) -> &mut Checkpoint {
        self.checkpoint.as_mut().expect("a checkpoint")
    }

    fn turn(&mut self) {
        let counts = self.counts.clone();
        match (self.random.below(12), self.open) {
            (0, _) => self.resume(None),
            (1..3, _) | (_, None) => {
                let order = self.random.below(ORDERS);
                let other = self.random.one_in(3);
                let stage = if other { vec![self.random.number() % 3; order] } else { vec![7] };
                self.step(counts, |scene| {
                    if scene.has.get(&order).is_none_or(|(kept, _)| *kept != stage) {
                        scene.has.insert(order, (stage.clone(), Vec::new()));
                        scene.pending.insert(order);
                    }
                    let layers = scene.journal().open(order, &stage).expect("it can be opened");
                    assert_eq!(layers, scene.has[&order].1.len());
                    scene.open = Some(order);
                });
            }
            (3, Some(order)) => {
                let layers = self.random.below(self.has[&order].1.len() + 1);
                let mut then = counts;
                if !self.pending.contains(&order) {
                    then.get_mut(&order).expect("a stage that counts").1.truncate(layers);
                }
                self.step(then, |scene| {
                    scene.has.get_mut(&order).expect("an open order").1.truncate(layers);
                    scene.journal().truncate(layers).expect("it can be cut");
                });
            }
            (4..6, _) => {
                let then = self.has.clone();
                self.step(then, |scene| {
                    scene.journal().commit().expect("it can be written");
                    scene.pending.clear();
                });
            }
            (_, Some(order)) => {
                let length = self.random.size(1, 300) - 1;
                let bytes: Vec<u8> = (0..length).map(|_| self.random.number() as u8).collect();
                let word: Vec<u64> = (0..self.random.below(4)).map(|_| self.random.number()).collect();
                let piece = self.random.between(1, 150);
                self.step(counts, |scene| {
                    let mut give = |take: &mut Take<'_>| bytes.chunks(piece).try_for_each(take);
                    scene.journal().append(&word, &mut give).expect("it can be written");
                    scene.has.get_mut(&order).expect("an open order").1.push((word, bytes));
                });
            }
        }
    }
}

#[test]
fn random_crashes_leave_a_whole_checkpoint() {
    for_seeds!(60, |seed| {
        let mut scene = Scene {
            dir: scratch(),
            random: Random::new(seed),
            checkpoint: None,
            open: None,
            pending: BTreeSet::new(),
            has: Content::new(),
            counts: Content::new(),
            crashes: 0,
        };
        scene.watch(&Image::new());
        let created = Checkpoint::create(scene.dir.path(), &identity(), Duration::ZERO);
        scene.checkpoint = Some(created.expect("a new checkpoint"));
        let watcher = WATCHER.take().expect("a watcher");
        for image in &watcher.images {
            assert!(found(image).is_none_or(|content| content.is_empty()));
        }
        WATCHER.set(Some(Watcher { images: Vec::new(), ..watcher }));
        for _ in 0..40 {
            scene.turn();
        }
        WATCHER.set(None);
        assert_eq!(content(scene.journal()), scene.has);
        assert!(scene.crashes > 20, "few crashes: {}", scene.crashes);
    });
}
