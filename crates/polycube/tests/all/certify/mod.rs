//! `polycube certify`, `polycube check-certificate` and `polycube verify --certificate`: what a certificate is, who checks it,
//! and what can go wrong.

mod accepted;
mod bench;
mod damaged;
mod fake;
mod interrupted;
mod manifests;
mod place;
mod proof;
mod rechecked;
mod solvers;
mod tampered;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::program::{self, code, err, folder, out, run};
use fake::Programs;
use polycube_testing::repository;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Is never decided: backwards, the factor of Y grows without end.
const EVER: &str = "\
var X : int
var Y : int
init { X = Y && 0 <= Y }
unsafe { X + Y < 0 }
transition mix () { X := X + 2 * Y }
";

/// Safe, and the invariant is half of the proof.
const COUNTER: &str = "\
var X : int
var Y : int
init { X = 0 && Y = 0 }
unsafe { Y < 0 }
invariant { X < 0 }
transition up () { X := X + 1 }
transition copy () { Y := X }
";

/// A folder with some of our models, and some small ones.
fn models() -> TempDir {
    let text = |name: &str| {
        fs::read_to_string(repository().join("models").join(name)).expect("a model of the repository")
    };
    folder(&[
        ("mutex.cub", &text("safe/mutex.cub")),
        ("german.cub", &text("safe/german.cub")),
        ("szymanski_atomic.cub", &text("safe/szymanski_atomic.cub")),
        ("peterson_two.cub", &text("safe/peterson_two.cub")),
        ("bad.cub", &text("unsafe/mutex_no_turn_check.cub")),
        ("counter.cub", COUNTER),
        ("ever.cub", EVER),
        ("nothing.cub", "var X : bool\ninit { X }\ntransition t () { X := False }\n"),
        ("typo.cub", "var X : bool\ninit { Y }\nunsafe { X }\ntransition t () { X := False }\n"),
    ])
}

/// Runs our program where no other programs are found than these.
fn run_with(programs: &Programs, folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_polycube"))
        .current_dir(folder)
        .args(arguments)
        .env("PATH", programs.path())
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("the program starts")
}

/// Writes the certificate of a model; no solver is needed for that.
fn write_certificate(folder: &Path, model: &str, directory: &str) {
    let output = run(folder, &["verify", model, "--certificate", directory], b"");
    assert_eq!((code(&output), err(&output)), (0, ""), "{model}");
}

/// The files of a directory, by name.
fn content(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("a file").path());
    let read = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).expect("the names of our files are text");
        (name.to_owned(), fs::read(path).expect("a file"))
    };
    entries.map(|path| read(&path)).collect()
}

/// What is in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a directory").map(|entry| entry.expect("a file").file_name());
    let mut names: Vec<String> =
        entries.map(|name| name.into_string().expect("the names of our files are text")).collect();
    names.sort();
    names
}

/// The manifest of a certificate.
fn manifest(directory: &Path) -> Value {
    let text = fs::read_to_string(directory.join("manifest.json")).expect("a manifest");
    serde_json::from_str(&text).expect("a manifest is JSON")
}

/// What was printed with `--format json`.
fn object(output: &Output) -> Value {
    assert_eq!(err(output), "");
    serde_json::from_str(out(output)).expect("JSON, and nothing else")
}

/// All that is printed, and the exit code, without what differs from one run to the next.
fn answer(output: &Output) -> String {
    let mut lines = Vec::new();
    for line in out(output).lines() {
        assert!(line.chars().count() <= 80, "{line}");
        lines.push(if line.contains(" proves ") && line.ends_with(" s") {
            let (what, _time) = line.rsplit_once("  ").expect("a time stands at the end");
            format!("{what}  ... s")
        } else {
            line.to_owned()
        });
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    assert!(!text.contains('\x1b') && !err(output).contains('\x1b'), "no colours where nobody sees them");
    format!("{text}{}exit code {}\n", err(output), code(output))
}
