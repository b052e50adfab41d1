//! Programs that say they are Z3.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use polycube_solver::{Answer, Failure, Kind, Limits, NoSolver, Solver};
use tempfile::TempDir;

/// A program in a folder of its own.
pub struct Fake {
    folder: TempDir,
    pub solver: Solver,
}

impl Fake {
    /// A shell script. It finds its folder in `$folder`.
    pub fn new(body: &str) -> Fake {
        let version = "if [ \"$1\" = --version ]; then echo 'Z3 version 0.0.0 - fake'; exit; fi";
        let text = format!("#!/bin/sh\n{version}\nfolder=$(dirname \"$0\")\n{body}\n");
        let (folder, program) = program(&text);
        let solver = at(&program).expect("this says that it is Z3");
        Fake { folder, solver }
    }

    pub fn run(&self, checks: usize, limits: &Limits) -> (Vec<Answer>, Result<(), Failure>) {
        crate::run(&self.solver, Path::new("script.smt2"), checks, limits)
    }

    /// The file with that name in its folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The number of a process, which the program writes to a file of that name.
    pub fn process(&self, name: &str) -> u32 {
        let start = Instant::now();
        loop {
            let text = fs::read_to_string(self.file(name)).unwrap_or_default();
            if text.ends_with('\n') {
                return text.trim().parse().expect("this is the number of a process");
            }
            assert!(start.elapsed() < Duration::from_secs(20), "the program does not start");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A file that can be executed.
pub fn program(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let path = folder.path().join("solver");
    fs::write(&path, text).expect("a new file can be written");
    fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("it is ours");
    (folder, path)
}

/// The solver there. While another test starts a process, that has all our files open for a moment, also those that we
/// were just writing, and these cannot be executed.
pub fn at(program: &Path) -> Result<Solver, NoSolver> {
    loop {
        match Solver::at(Kind::Z3, program) {
            Err(NoSolver::CannotStart { error, .. }) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
            }
            result => return result,
        }
    }
}
