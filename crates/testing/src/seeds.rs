//! Seeds of random tests: fresh ones for each commit, the same ones for the same commit, and those that ever failed.
//!
//! A random test calls a check with many seeds, by [`for_seeds!`](crate::for_seeds). Which ones:
//!
//! - with `POLYCUBE_SEED=n`, this one alone: so a failure is repeated;
//! - else those that `tests/seeds.txt` of the package has for the test: whatever failed once is tried for ever;
//! - and as many consecutive ones as the test asks for. The first is a hash of the test's name and of the commit, so
//!   that every commit tries others. `POLYCUBE_RUN=word` stands for another commit. Without git there is one fixed word.
//!
//! The program `soak` runs the same tests for a given time, with seeds of its own, through the variables of [`Soak`].

use std::fs::{self, File};
use std::io::{Seek, Write};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, io};

use crate::repository;

/// Seeds are below this number, so that they are easily copied.
const SEEDS: u64 = 1 << 48;

/// Calls a check, a closure that takes a seed, with many seeds, on all cores. Gives how many were tried, or nothing where
/// they were chosen by hand: then shares of them mean nothing. To be used by the function of the test itself, because that
/// gives the name; `random` has to occur in the path of that function, because that is how `soak` finds it.
#[macro_export]
macro_rules! for_seeds {
    ($count:expr, $check:expr) => {{
        fn here() {}
        let path = std::any::type_name_of_val(&here);
        let (package, folder) = (env!("CARGO_PKG_NAME"), env!("CARGO_MANIFEST_DIR"));
        $crate::seeds::RandomTest::new(package, folder, path).run($count, &$check)
    }};
}

/// A test with random inputs.
#[derive(Clone, Copy, Debug)]
pub struct RandomTest<'t> {
    package: &'t str,
    /// The folder of the package.
    folder: &'t Path,
    /// The name of the test binary, the modules and the function.
    path: &'t str,
}

impl<'t> RandomTest<'t> {
    /// The test whose function has an item with this path.
    pub fn new(package: &'t str, folder: &'t str, item: &'t str) -> Self {
        let path = item.rsplit_once("::").map_or(item, |(function, _)| function);
        RandomTest { package, folder: Path::new(folder), path }
    }

    /// Calls a check with many seeds: see [`for_seeds!`](crate::for_seeds).
    pub fn run(&self, count: u64, check: &(dyn Fn(u64) + Sync)) -> Option<u64> {
        assert!(self.path.contains("random"), "{}: `random` has to occur in its path", self.path);
        if let Some(soak) = Soak::from_environment() {
            soak.run(self, check);
            return None;
        }
        if let Some(seed) = number("POLYCUBE_SEED") {
            self.check_all(&[seed], check);
            return None;
        }
        let mut seeds = self.known_seeds();
        let first = first_seed(&the_run(), self.path);
        seeds.extend(first..first + count);
        self.check_all(&seeds, check);
        Some(seeds.len() as u64)
    }

    fn known_seeds(&self) -> Vec<u64> {
        let known = known_seeds(self.folder).into_iter();
        known.filter(|(path, _)| path == self.path).map(|(_, seed)| seed).collect()
    }

    fn check_all(&self, seeds: &[u64], check: &(dyn Fn(u64) + Sync)) {
        let next = AtomicUsize::new(0);
        let failed = Mutex::new(Vec::new());
        let threads = cores().min(seeds.len());
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(seed))) {
                            // After the first failure, the others need not go on.
                            next.store(seeds.len(), Ordering::Relaxed);
                            failed.lock().expect("nobody fails while holding it").push((seed, panic));
                        }
                    }
                });
            }
        });
        let failed = failed.into_inner().expect("nobody fails while holding it");
        if let Some((seed, panic)) = failed.into_iter().min_by_key(|(seed, _)| *seed) {
            let _ = writeln!(io::stderr(), "{}", self.how_to_repeat(seed));
            resume_unwind(panic);
        }
    }

    fn how_to_repeat(&self, seed: u64) -> String {
        let RandomTest { package, folder, path } = self;
        let (binary, test) = path.split_once("::").unwrap_or(("", path));
        let target =
            if binary == package.replace('-', "_") { "--lib".to_owned() } else { format!("--test {binary}") };
        let file = folder.join("tests/seeds.txt");
        let file = file.strip_prefix(repository()).unwrap_or(&file);
        format!(
            "Failed. To repeat it:\n    POLYCUBE_SEED={seed} cargo test -p {package} {target} {test} -- --exact\n\
             To have it tried for ever, add to {}:\n    {path} {seed} what it found",
            file.display()
        )
    }
}

/// How the program `soak` wants the test to be run: for a given time, on one thread, whatever fails.
#[derive(Debug)]
pub struct Soak {
    /// `POLYCUBE_SOAK_SECONDS`: how long.
    pub time: Duration,
    /// `POLYCUBE_SOAK_SEED`: the first seed.
    pub first: u64,
    /// `POLYCUBE_SOAK_REPORT`: a file that always has how many seeds were tried, how many of them failed, and which one is
    /// being tried, so that even the end of the process is a report.
    pub report: PathBuf,
}

impl Soak {
    /// Says it to a process that runs a test.
    pub fn tell(&self, process: &mut Command) {
        process
            .env("POLYCUBE_SOAK_SECONDS", self.time.as_secs_f64().to_string())
            .env("POLYCUBE_SOAK_SEED", self.first.to_string())
            .env("POLYCUBE_SOAK_REPORT", &self.report);
    }

    fn from_environment() -> Option<Soak> {
        let seconds = env::var("POLYCUBE_SOAK_SECONDS").ok()?.parse().ok()?;
        let report = PathBuf::from(env::var_os("POLYCUBE_SOAK_REPORT")?);
        Some(Soak { time: Duration::from_secs_f64(seconds), first: number("POLYCUBE_SOAK_SEED")?, report })
    }

    fn run(&self, test: &RandomTest<'_>, check: &(dyn Fn(u64) + Sync)) {
        let start = Instant::now();
        let mut file = File::create(&self.report).expect("a file that can be written");
        let mut report = Report { tried: 0, failed: 0, seed: self.first, time: Duration::ZERO };
        loop {
            report.time = start.elapsed();
            report.write(&mut file).expect("a file that can be written");
            if report.time >= self.time {
                break;
            }
            if catch_unwind(AssertUnwindSafe(|| check(report.seed))).is_err() {
                let _ = writeln!(io::stderr(), "{}\n", test.how_to_repeat(report.seed));
                report.failed += 1;
            }
            report.tried += 1;
            report.seed += 1;
        }
    }
}

/// How far a test got.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// How many seeds were tried.
    pub tried: u64,
    /// How many failed.
    pub failed: u64,
    /// Which one is next, or was being tried when the process ended.
    pub seed: u64,
    /// How long it took.
    pub time: Duration,
}

impl Report {
    /// The report in a file, if there is one: if not, what ran was no random test.
    pub fn read(file: &Path) -> Option<Report> {
        let text = fs::read_to_string(file).ok()?;
        let mut numbers = text.split_whitespace().map(|word| word.parse().ok());
        let mut next = || numbers.next().flatten();
        let (tried, failed, seed, micros) = (next()?, next()?, next()?, next()?);
        Some(Report { tried, failed, seed, time: Duration::from_micros(micros) })
    }

    fn write(&self, file: &mut File) -> io::Result<()> {
        file.rewind()?;
        let numbers = [self.tried, self.failed, self.seed, self.time.as_micros() as u64];
        file.write_all(numbers.map(|number| format!("{number:20}\n")).concat().as_bytes())
    }
}

/// The seeds that failed once, of the tests of a package: lines with the path of a test, a seed, and what it found.
pub fn known_seeds(package: &Path) -> Vec<(String, u64)> {
    let file = package.join("tests/seeds.txt");
    let text = fs::read_to_string(&file).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let known = |line: &str| {
        let mut words = line.split_whitespace();
        let (path, seed) = (words.next(), words.next().and_then(|seed| seed.parse().ok()));
        let seed = seed.unwrap_or_else(|| panic!("{}: no seed in `{line}`", file.display()));
        (path.unwrap_or_default().to_owned(), seed)
    };
    lines.map(known).collect()
}

/// The first seed of a test, by its path, in a run.
pub fn first_seed(run: &str, path: &str) -> u64 {
    // FNV-1a.
    let hash = run.bytes().chain(path.bytes()).fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    hash % SEEDS
}

/// The word that the seeds of this run come from.
fn the_run() -> String {
    let commit = || {
        let mut git = Command::new("git");
        let output =
            git.arg("-C").arg(repository()).args(["rev-parse", "HEAD"]).stderr(Stdio::null()).output();
        let output = output.ok().filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok().map(|commit| commit.trim().to_owned())
    };
    env::var("POLYCUBE_RUN").ok().or_else(commit).unwrap_or_else(|| "polycube".to_owned())
}

fn number(variable: &str) -> Option<u64> {
    let value = env::var(variable).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {value}")))
}

/// How many threads there are to run on.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}
