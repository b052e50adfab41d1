//! Runs the program on many models that are [made to be large](polycube_testing::hostile), and measures whether it keeps
//! the limits.
//!
//! `cargo run -p polycube-testing --bin hostile -- --count 2000`, after `cargo build --release`.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use polycube_testing::hostile::model;
use polycube_testing::measure::{Measured, measure};
use polycube_testing::repository;

/// What the program is told: seconds, and millions of bytes.
const TIMEOUT: f64 = 2.0;
const MEMORY: usize = 200;

/// How far it may go beyond that.
const MORE_SECONDS: f64 = 1.0;
const MORE_MEMORY: usize = 100;

/// What the user asked for.
struct Asked {
    first: u64,
    count: u64,
    jobs: u64,
    program: PathBuf,
}

fn main() -> ExitCode {
    let asked = match asked() {
        Ok(asked) => asked,
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "{message}");
            return ExitCode::from(2);
        }
    };
    if asked.count == 0 {
        return ExitCode::SUCCESS;
    }
    let (next, bad, cut_off, runs) =
        (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let codes: Mutex<std::collections::BTreeMap<String, u64>> = Mutex::default();
    let worst: Mutex<(f64, f64, u64)> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..asked.jobs {
            scope.spawn(|| {
                let folder = tempfile::tempdir().expect("a folder for models");
                let file = folder.path().join("hostile.cub");
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= asked.count {
                        return;
                    }
                    let seed = asked.first + at;
                    std::fs::write(&file, model(seed)).expect("the model is written");
                    for command in commands(seed) {
                        let mut arguments = command.clone();
                        arguments.push(file.display().to_string());
                        let found = measure(&asked.program, &arguments, TIMEOUT * 10.0);
                        runs.fetch_add(1, Ordering::Relaxed);
                        let limited = command.iter().any(|word| word == "--timeout");
                        cut_off.fetch_add(u64::from(found.output.contains("was cut off")), Ordering::Relaxed);
                        let key = format!(
                            "{} {}",
                            command[0],
                            found.code.map_or("killed".to_owned(), |code| code.to_string())
                        );
                        *codes.lock().expect("no thread panicked").entry(key).or_default() += 1;
                        {
                            let mut worst = worst.lock().expect("no thread panicked");
                            *worst = (
                                worst.0.max(found.seconds),
                                worst.1.max(found.cpu),
                                worst.2.max(found.bytes),
                            );
                        }
                        let is_bad = is_bad(&found, limited);
                        if is_bad || found.output.contains("was cut off") {
                            bad.fetch_add(u64::from(is_bad), Ordering::Relaxed);
                            let what = if is_bad { "TOO MUCH" } else { "cut off" };
                            let _ = writeln!(
                                std::io::stdout(),
                                "{what}: seed {seed}, {}: exit code {:?}, {:.2} s, {:.2} s of CPU, {} MB",
                                command.join(" "),
                                found.code,
                                found.seconds,
                                found.cpu,
                                found.bytes / 1_000_000
                            );
                        }
                    }
                    if at % 100 == 99 {
                        let _ = writeln!(std::io::stdout(), "{} models", at + 1);
                    }
                }
            });
        }
    });
    let (seconds, cpu, bytes) = *worst.lock().expect("no thread panicked");
    let _ = writeln!(
        std::io::stdout(),
        "{} runs of {} models from seed {}: {} beyond the limits, {} cut off; at most {seconds:.2} s, {cpu:.2} s of CPU, {} MB\n{:?}",
        runs.into_inner(),
        asked.count,
        asked.first,
        bad.load(Ordering::Relaxed),
        cut_off.into_inner(),
        bytes / 1_000_000,
        codes.lock().expect("no thread panicked")
    );
    ExitCode::from(u8::from(bad.into_inner() > 0))
}

/// What is tried with a model.
fn commands(seed: u64) -> Vec<Vec<String>> {
    let limits = ["--timeout", "2", "--max-memory", "200M", "-j", "1"];
    let words =
        |first: &[&str], limits: &[&str]| first.iter().chain(limits).map(|word| (*word).to_owned()).collect();
    let processes = (2 + seed % 4).to_string();
    let mut commands = vec![words(&["verify"], &limits), words(&["explore"], &limits)];
    match seed % 8 {
        0 => commands.push(words(&["check"], &[])),
        1 => commands.push(words(&["fmt", "--check"], &[])),
        2 => commands.push(words(&["verify", "--engine", "backward"], &limits)),
        3 => commands.push(words(&["verify", "--engine", "brab"], &limits)),
        4 => commands.push(words(&["explore", "--no-symmetry", "-n", &processes], &limits)),
        _ => {}
    }
    commands
}

/// Whether something goes beyond the limits. Time is CPU time: the machine may have other things to do.
fn is_bad(found: &Measured, limited: bool) -> bool {
    let well = matches!(found.code, Some(0..=3));
    let seconds = if limited { TIMEOUT + MORE_SECONDS } else { TIMEOUT * 10.0 };
    let bytes = (MEMORY + MORE_MEMORY) as u64 * 1_000_000;
    !well || found.cpu > seconds || found.bytes > bytes
}

fn asked() -> Result<Asked, String> {
    let mut asked =
        Asked { first: 0, count: 2000, jobs: 1, program: repository().join("target/release/polycube") };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let number = || value.parse().map_err(|_| format!("{value} is not a number"));
        match word.as_str() {
            "--seed" => asked.first = number()?,
            "--count" => asked.count = number()?,
            "--jobs" => asked.jobs = number()?,
            "--program" => asked.program = value.into(),
            "--print" => {
                let _ = write!(std::io::stdout(), "{}", model(number()?));
                asked.count = 0;
            }
            _ => return Err(format!("{word}: there are --seed, --count, --jobs, --program and --print")),
        }
    }
    Ok(asked)
}
