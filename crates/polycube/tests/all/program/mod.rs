//! Running the program, as its users do.

pub mod documented;
#[cfg(unix)]
pub mod signal;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Runs our program in a folder, with this text on standard input.
pub fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    run_program(env!("CARGO_BIN_EXE_polycube"), folder, arguments, input)
}

/// Runs any program.
pub fn run_program(program: &str, folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .current_dir(folder)
        .args(arguments)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // Both sides write and read at the same time. The program may end without reading all of it.
    std::thread::scope(|scope| {
        scope.spawn(move || pipe.write_all(input).is_ok());
        child.wait_with_output().expect("the program ends")
    })
}

/// The exit code.
pub fn code(output: &Output) -> i32 {
    output.status.code().expect("the program exits by itself")
}

/// What it wrote to standard output.
pub fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("text")
}

/// What it wrote to standard error.
pub fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("text")
}

/// A folder with files in it.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file is written");
    }
    folder
}
