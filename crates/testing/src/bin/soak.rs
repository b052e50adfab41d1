//! Runs every random test for as long as one likes, with fresh seeds, on all cores, and prints a table.
//!
//! ```text
//! cargo run -p polycube-testing --bin soak -- --minutes 60
//! cargo run -p polycube-testing --bin soak -- --minutes 5 --only exactness --threads 1 --seed 7
//! cargo run -p polycube-testing --bin soak -- --list
//! ```
//!
//! The tests are those that `cargo test` runs, in the same binaries; a random test has `random` in its path. Each is run
//! again and again, for a while, in a process of its own: so whatever happens in it is noticed, and the others go on. A
//! failure prints how to repeat it. Without `--seed`, seeds come from the clock.

use std::collections::VecDeque;
use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use polycube_testing::repository;
use polycube_testing::seeds::{Report, Soak, cores, first_seed, known_seeds};

const USAGE: &str = "usage: soak [--minutes N] [--only NAME] [--seed N] [--threads N] [--list]";

/// How long a test runs before it is the turn of another one.
const LONGEST_TURN: Duration = Duration::from_secs(60);
const SHORTEST_TURN: Duration = Duration::from_secs(1);

/// How much longer than its turn a process may take, to prepare itself and for its last seed, before it counts as one that
/// does not end.
const PATIENCE: Duration = Duration::from_secs(600);

/// How many failures of one turn are shown; the file has them all.
const SHOWN: usize = 5;

/// How often progress is shown.
const INTERVAL: Duration = Duration::from_secs(30);

/// What to do.
struct Plan {
    minutes: f64,
    only: String,
    seed: u64,
    threads: usize,
    list: bool,
}

/// A random test, and what became of it.
#[derive(Clone)]
struct Test {
    binary: PathBuf,
    /// Modules and function.
    name: String,
    next_seed: u64,
    tried: u64,
    failed: u64,
    /// All its turns together, without preparations.
    time: Duration,
}

/// What the threads share.
struct State {
    /// Those whose turn it is not.
    waiting: VecDeque<Test>,
    tried: u64,
    failed: u64,
    last_progress: Instant,
}

fn main() -> ExitCode {
    let Some(plan) = parse(env::args().skip(1)) else {
        say(USAGE);
        return ExitCode::from(2);
    };
    let tests = match tests(&plan) {
        Ok(tests) => tests,
        Err(why) => {
            say(&why);
            return ExitCode::from(2);
        }
    };
    if plan.list {
        tests.iter().for_each(|test| say(&test.path()));
        return ExitCode::SUCCESS;
    }
    say(&format!("{} random tests, seed {}", tests.len(), plan.seed));
    let tests = run(&plan, tests);
    print_table(&tests);
    if tests.iter().all(|test| test.failed == 0) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Option<Plan> {
    let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let mut plan = Plan { minutes: 10.0, only: String::new(), seed: clock, threads: cores(), list: false };
    while let Some(option) = arguments.next() {
        match option.as_str() {
            "--list" => plan.list = true,
            "--minutes" => plan.minutes = arguments.next()?.parse().ok()?,
            "--only" => plan.only = arguments.next()?,
            "--seed" => plan.seed = arguments.next()?.parse().ok()?,
            "--threads" => plan.threads = arguments.next()?.parse().ok()?,
            _ => return None,
        }
    }
    Some(plan)
}

/// The tests that are wanted, compiled.
fn tests(plan: &Plan) -> Result<Vec<Test>, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.current_dir(repository()).args(["test", "--no-run", "--color=never"]);
    let output = build.output().map_err(|error| format!("cargo does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("the tests cannot be built:\n{text}"));
    }
    let mut tests = Vec::new();
    let executables = text.lines().filter(|line| line.trim_start().starts_with("Executable "));
    for (_, path) in executables.filter_map(|line| line.strip_suffix(')')?.rsplit_once('(')) {
        let binary = repository().join(path);
        let list = Command::new(&binary).args(["random", "--list", "--format", "terse"]).output();
        let list = list.map_err(|error| format!("{path} does not start: {error}"))?;
        for line in String::from_utf8_lossy(&list.stdout).lines() {
            let Some(name) = line.strip_suffix(": test") else { continue };
            let mut test = Test {
                binary: binary.clone(),
                name: name.to_owned(),
                next_seed: 0,
                tried: 0,
                failed: 0,
                time: Duration::ZERO,
            };
            test.next_seed = first_seed(&format!("soak {}", plan.seed), &test.path());
            tests.push(test);
        }
    }
    all_known_seeds_have_a_test(&tests)?;
    tests.retain(|test| test.path().contains(&plan.only));
    Ok(tests)
}

/// A seed that is kept for a test that has another name now would never be tried.
fn all_known_seeds_have_a_test(tests: &[Test]) -> Result<(), String> {
    let packages = fs::read_dir(repository().join("crates")).map_err(|error| error.to_string())?;
    for package in packages.flatten() {
        for (path, seed) in known_seeds(&package.path()) {
            if !tests.iter().any(|test| test.path() == path) {
                let package = package.path();
                return Err(format!("{}/tests/seeds.txt: {path} {seed}: no such test", package.display()));
            }
        }
    }
    Ok(())
}

impl Test {
    /// The binary, modules and function.
    fn path(&self) -> String {
        let file = self.binary.file_name().unwrap_or_default().to_string_lossy();
        let binary = file.rsplit_once('-').map_or(&*file, |(binary, _)| binary);
        format!("{binary}::{}", self.name)
    }

    /// Runs it for a while. Nothing if it turns out not to be a random test, or not to run here at all.
    fn turn(&mut self, time: Duration, folder: &Path) -> io::Result<Option<String>> {
        let file = |ending| folder.join(format!("{}.{ending}", self.path().replace("::", ".")));
        let (log, report) = (file("log"), file("report"));
        let _ = fs::remove_file(&report);
        let output = File::create(&log)?;
        let mut process = Command::new(&self.binary);
        process.args([&self.name, "--exact", "--nocapture"]).stdin(Stdio::null());
        process.stdout(output.try_clone()?).stderr(output).current_dir(repository());
        Soak { time, first: self.next_seed, report: report.clone() }.tell(&mut process);
        let status = wait(&mut process, time + PATIENCE)?;
        let is_good = status.is_some_and(|status| status.success());
        let Some(report) = Report::read(&report) else {
            // It says why: it needs what is not installed, or has no seeds. Or it fails before it asks for any.
            let failed = format!("{} fails before its first seed: see {}", self.path(), log.display());
            self.failed += u64::from(!is_good);
            return Ok((!is_good).then_some(failed));
        };
        // A seed that fails is no reason for the process to fail: if it does, this is another failure.
        let failed = report.failed + u64::from(!is_good);
        let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        let is_repeat = |line: &&str| line.trim_start().starts_with("POLYCUBE_SEED=");
        let mut message: Vec<String> =
            text.lines().filter(is_repeat).take(SHOWN).map(str::to_owned).collect();
        if !is_good {
            let end = status.map_or("does not end".to_owned(), |status| format!("ends with {status}"));
            let (seed, name) = (report.seed, &self.name);
            message.push(format!("    the process {end}: POLYCUBE_SEED={seed} cargo test {name} -- --exact"));
        }
        self.next_seed = report.seed + u64::from(!is_good);
        self.tried += report.tried;
        self.failed += failed;
        self.time += report.time;
        if failed == 0 {
            return Ok(Some(String::new()));
        }
        let kept = log.with_extension(format!("{}.log", report.seed));
        fs::rename(&log, &kept)?;
        let (path, kept, message) = (self.path(), kept.display(), message.join("\n"));
        Ok(Some(format!("{path} fails {failed} times: see {kept}\n{message}")))
    }
}

/// Waits for a process to end; nothing if it does not.
fn wait(process: &mut Command, time: Duration) -> io::Result<Option<ExitStatus>> {
    let mut process = process.spawn()?;
    let end = Instant::now() + time;
    loop {
        if let Some(status) = process.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() > end {
            process.kill()?;
            process.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// All tests, turn by turn, until the time is up.
fn run(plan: &Plan, tests: Vec<Test>) -> Vec<Test> {
    let folder = repository().join("target/soak");
    if let Err(error) = fs::create_dir_all(&folder) {
        say(&format!("{}: {error}", folder.display()));
        return tests;
    }
    let total = Duration::from_secs_f64(plan.minutes * 60.0);
    let threads = plan.threads.clamp(1, tests.len().max(1));
    // Each test should have several turns.
    let share = total.mul_f64(threads as f64 / tests.len().max(1) as f64);
    let turn = (share / 4).clamp(SHORTEST_TURN, LONGEST_TURN);
    let start = Instant::now();
    let waiting = tests.into();
    let state = Mutex::new(State { waiting, tried: 0, failed: 0, last_progress: start });
    let work = || {
        while start.elapsed() < total {
            let Some(mut test) = locked(&state).waiting.pop_front() else { break };
            let before = (test.tried, test.failed);
            let outcome = test.turn(turn, &folder);
            let mut state = locked(&state);
            state.tried += test.tried - before.0;
            state.failed += test.failed - before.1;
            match outcome {
                Ok(Some(message)) => {
                    if !message.is_empty() {
                        say(&message);
                    }
                    state.waiting.push_back(test);
                }
                Ok(None) => say(&format!("{} has no seeds here", test.path())),
                Err(error) => say(&format!("{}: {error}", test.path())),
            }
            if state.last_progress.elapsed() >= INTERVAL {
                state.last_progress = Instant::now();
                let minutes = start.elapsed().as_secs_f64() / 60.0;
                let State { tried, failed, .. } = *state;
                say(&format!("{minutes:.1} of {} minutes: {tried} seeds, {failed} failed", plan.minutes));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let mut tests: Vec<Test> = locked(&state).waiting.drain(..).collect();
    tests.sort_by_key(Test::path);
    tests
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().expect("nobody panics while holding it")
}

fn print_table(tests: &[Test]) {
    let width = tests.iter().map(|test| test.path().len()).max().unwrap_or(0);
    let line = |name: &str, tried: u64, time: Duration, failed: u64| {
        let seconds = time.as_secs_f64();
        let rate = tried as f64 / seconds.max(0.001);
        say(&format!("{name:width$} {tried:>10} {seconds:>9.1} {rate:>10.1} {failed:>7}"));
    };
    say(&format!(
        "\n{:width$} {:>10} {:>9} {:>10} {:>7}",
        "test", "seeds", "seconds", "per second", "failed"
    ));
    for test in tests {
        line(&test.path(), test.tried, test.time, test.failed);
    }
    let sum = |number: fn(&Test) -> u64| tests.iter().map(number).sum();
    let time = tests.iter().map(|test| test.time).sum();
    line("all", sum(|test| test.tried), time, sum(|test| test.failed));
}

fn say(text: &str) {
    // Nothing can be done if nobody reads.
    let _ = writeln!(io::stdout(), "{text}");
}
