//! Starting the program and sending it signals.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How many hundredths of a second the program works before it gets a signal, if it has so much to do.
const WORK: u64 = 100;

/// If it does not work for so long, it waits.
const PATIENCE: Duration = Duration::from_secs(1);

/// Starts our program, in a shell that does this first, and gives it time to work.
pub fn start(before: &str, folder: &Path, arguments: &[&str]) -> Child {
    let child = begin(before, folder, arguments);
    // What counts is how long it has worked, unless it waits for something.
    let (mut worked, mut since) = (0, Instant::now());
    while let Some(ticks) = processor_ticks(&child).filter(|&ticks| ticks < WORK)
        && since.elapsed() < PATIENCE
    {
        if ticks > worked {
            (worked, since) = (ticks, Instant::now());
        }
        sleep(Duration::from_millis(10));
    }
    child
}

/// Starts it and waits until it catches signals.
pub fn begin(before: &str, folder: &Path, arguments: &[&str]) -> Child {
    let child = Command::new("sh")
        .current_dir(folder)
        .args(["-c", &format!("{before} exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_polycube")])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // On a machine that does other things too, it may take long until it begins.
    while !catches_signals(&child).unwrap_or(true) {
        sleep(Duration::from_millis(10));
    }
    child
}

/// How many hundredths of a second it has worked; nothing where the operating system does not say it, or it has ended.
fn processor_ticks(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The name of the program, in parentheses, may have spaces in it.
    let mut fields = status.rsplit_once(')')?.1.split_whitespace();
    let is_alive = fields.next()? != "Z";
    let times: Option<Vec<u64>> = fields.skip(10).take(2).map(|field| field.parse().ok()).collect();
    times.filter(|_| is_alive).map(|times| times.iter().sum())
}

/// Whether it has begun to catch the signal for the end, and so has read its arguments, or has ended; nothing where the
/// operating system does not say it.
fn catches_signals(child: &Child) -> Option<bool> {
    const SIGTERM: u64 = 15;
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    if status.contains("State:\tZ") {
        return Some(true);
    }
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
    u64::from_str_radix(caught.trim(), 16).ok().map(|caught| caught >> (SIGTERM - 1) & 1 == 1)
}

/// Waits until it has begun to write to standard output, has this done, and waits for its end.
pub fn when_it_writes(mut child: Child, then: impl FnOnce(&Child)) -> Output {
    let mut first = [0];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut first).expect("it writes something");
    then(&child);
    let mut output = child.wait_with_output().expect("the program ends");
    output.stdout.splice(0..0, first);
    output
}

/// Sends a signal, such as `-INT`, when signals before it no longer count as the same.
pub fn send_later(signal: &str, child: &Child) {
    sleep(Duration::from_millis(400));
    send(signal, child);
}

/// Sends a signal, such as `-INT`.
pub fn send(signal: &str, child: &Child) {
    // A shell can do it; the program `kill` is not everywhere.
    let sent = Command::new("sh").arg("-c").arg(format!("kill {signal} {}", child.id())).status();
    let sent = sent.expect("a shell runs");
    assert!(sent.success());
}
