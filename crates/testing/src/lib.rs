//! What the tests and benchmarks of all crates share: where models are found, what is said where a test is
//! skipped, random systems, and the seeds of random tests.
//!
//! Our own models are part of the repository. The published ones are not ours and are not: they are looked
//! for in a folder beside the repository, or where the variable `POLYCUBE_SHARED` says. Where they are
//! absent, tests that want them say so and pass, unless the variable is set.

pub mod generate;
pub mod hostile;
pub mod lies;
pub mod measure;
pub mod seeds;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;
use std::{env, fs, io, thread};

use polycube_language::System;

/// Says why something is not tested, once in each program.
pub fn skip(why: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let is_new = SAID.lock().is_ok_and(|mut said| said.insert(why.to_owned()));
    if is_new {
        // The harness keeps back what tests print, unless they fail; but not what they write.
        let _ = writeln!(io::stderr(), "skipped: {why}");
    }
}

/// Says that something is not tested because a solver is missing.
///
/// # Panics
///
/// If the variable `POLYCUBE_REQUIRE_SOLVERS` is set: then all of them have to be there.
pub fn skip_without_solver(why: &str) {
    assert!(env::var_os("POLYCUBE_REQUIRE_SOLVERS").is_none(), "{why}");
    skip(why);
}

/// Says that something is not tested because a program is missing, an editor for instance.
///
/// # Panics
///
/// If the variable `POLYCUBE_REQUIRE_TOOLS` is set: then all of them have to be there.
pub fn skip_without_tool(why: &str) {
    assert!(env::var_os("POLYCUBE_REQUIRE_TOOLS").is_none(), "{why}");
    skip(why);
}

/// How long this thread has worked, which is not longer on a machine that others use as well; nothing where
/// the operating system does not say it.
pub fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Does something that ends soon after the flag is set, which happens after some time. How far it gets is no
/// part of what is tested: this is for random cases of which some would take for ever.
pub fn within<R>(time: Duration, flag: &AtomicBool, work: impl FnOnce() -> R) -> R {
    let (done, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if wait.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout) {
                flag.store(true, Ordering::Relaxed);
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate lies in crates/");
    crates.parent().expect("crates/ lies in the repository").to_owned()
}

/// A model: where it is, and what it says.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its path.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

impl Model {
    /// The file name without its ending.
    pub fn name(&self) -> &str {
        self.path.file_stem().and_then(|name| name.to_str()).expect("the names of models are text")
    }
}

/// Our models in `models/<folder>`, sorted by name.
pub fn models(folder: &str) -> Vec<Model> {
    let models = models_in(&repository().join("models").join(folder));
    assert!(!models.is_empty(), "models/{folder} has no models");
    models
}

/// Published models in a folder of the shared material, for instance `corpus/cub`; none, with a word about
/// it, where that is absent.
pub fn shared(folder: &str) -> Option<Vec<Model>> {
    Some(models_in(&shared_path(folder)?))
}

/// The text of a file of the shared material; nothing, with a word about it, where that is absent.
pub fn shared_text(file: &str) -> Option<String> {
    let path = shared_path(file)?;
    Some(fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

fn shared_path(name: &str) -> Option<PathBuf> {
    let named = env::var_os("POLYCUBE_SHARED").map(PathBuf::from);
    let path = named.clone().unwrap_or_else(|| repository().join("../shared")).join(name);
    if !path.exists() {
        assert!(named.is_none(), "POLYCUBE_SHARED is set, but {} is not there", path.display());
        skip(&format!("{} is not there", path.display()));
        return None;
    }
    Some(path)
}

/// A system as text, without its names and places: two that differ in these only give the same text.
pub fn without_names(system: &System) -> String {
    let text = format!("{system:?}");
    let unquoted: String = text.split('"').step_by(2).collect();
    let mut parts = unquoted.split("Span {");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('}').unwrap_or_default().1)
}

fn models_in(folder: &Path) -> Vec<Model> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "cub"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Model { path, text }
    };
    paths.into_iter().map(read).collect()
}
