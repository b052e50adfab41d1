//! Checkpoints in folders, as programs use them.

mod damage;
mod full;
mod kill;
mod refusals;
mod round_trips;

use std::path::Path;
use std::time::Duration;

use polycube_checkpoint::{Checkpoint, Identity, Model, Refused};
use polycube_engine::forward::{Fault, Journal};
use tempfile::TempDir;

/// A folder for a test, in memory where that is possible.
fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder for the test")
}

fn identity() -> Identity {
    Identity {
        version: "0.1.0".to_owned(),
        model: Model::new("german.cub", "a text"),
        settings: vec![("-n".to_owned(), "4".to_owned()), ("--symmetry".to_owned(), String::new())],
        process: 0,
        processes: 1,
    }
}

fn part(process: usize, processes: usize) -> Identity {
    Identity { process, processes, ..identity() }
}

fn create(dir: &Path, identity: &Identity) -> Result<Checkpoint, Refused> {
    Checkpoint::create(dir, identity, Duration::ZERO)
}

fn resume(dir: &Path, identity: &Identity) -> Result<Checkpoint, Refused> {
    Checkpoint::resume(dir, identity, Duration::ZERO)
}

/// Why a folder is refused.
fn refusal(result: Result<Checkpoint, Refused>) -> String {
    result.expect_err("it is refused").0
}

fn append(checkpoint: &mut Checkpoint, word: &[u64], states: &[u8]) -> Result<(), Fault> {
    checkpoint.append(word, &mut |take| states.chunks(100_000).try_for_each(&mut *take))
}

fn read(checkpoint: &mut Checkpoint, layer: usize) -> Result<(Vec<u64>, Vec<u8>), Fault> {
    let mut states = Vec::new();
    let word = checkpoint.read(layer, &mut |piece| {
        assert!(piece.len() <= 1 << 20, "pieces are of at most 1 MiB");
        states.extend(piece);
        Ok(())
    })?;
    Ok((word, states))
}

/// Everything that is kept of a stage.
fn read_all(checkpoint: &mut Checkpoint, order: usize, stage: &[u64]) -> Vec<(Vec<u64>, Vec<u8>)> {
    let layers = checkpoint.open(order, stage).expect("it can be opened");
    (0..layers).map(|layer| read(checkpoint, layer).expect("a whole layer")).collect()
}
