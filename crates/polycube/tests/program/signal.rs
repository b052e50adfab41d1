//! Starting the program and sending it signals.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Starts our program, in a shell that does this first, and gives it time to begin.
pub fn start(before: &str, folder: &Path, arguments: &[&str]) -> Child {
    let child = Command::new("sh")
        .current_dir(folder)
        .args(["-c", &format!("{before} exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_polycube")])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    sleep(Duration::from_secs(1));
    child
}

/// Sends a signal, such as `-INT`.
pub fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
}
