//! How many random systems with universal quantifiers are decided.
//!
//! `cargo run --release -p polycube-benchmarks --bin universal [COUNT [FIRST]]` verifies that many random
//! systems in which something is said of all processes, each for five seconds at most, and compares with all
//! states of instances with one to four processes. A wrong answer ends it.

use std::collections::BTreeMap;
use std::env;
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use polycube_engine::backward::{Answer, Options};
use polycube_engine::engine::{Engine, verify};
use polycube_engine::forward::{self, Goal, explore};
use polycube_engine::oracle::Plan;
use polycube_language::System;
use polycube_language::system::Processes;
use polycube_testing::generate::{Profile, has_universals, random_system};
use polycube_testing::within;

const SECONDS: Duration = Duration::from_secs(5);

/// How long an instance is explored.
const MOMENT: Duration = Duration::from_millis(500);

/// How many states of an instance are looked at.
const STATES: u64 = 20_000;

#[derive(Default)]
struct Totals {
    verdicts: BTreeMap<String, u64>,
    /// Undecided systems, by their seeds.
    undecided: Vec<(u64, String)>,
    statistics: [u64; 3],
}

fn main() {
    let mut arguments = env::args().skip(1).map(|text| text.parse::<u64>().expect("a number"));
    let count = arguments.next().unwrap_or(1000);
    let first = arguments.next().unwrap_or(0);
    let (next, done) = (AtomicU64::new(first), AtomicU64::new(0));
    let totals = Mutex::new(Totals::default());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while done.load(Ordering::Relaxed) < count {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let system = system(seed);
                    if has_universals(&system) && done.fetch_add(1, Ordering::Relaxed) < count {
                        one(seed, &system, &totals);
                    }
                }
            });
        }
    });
    let mut totals = totals.into_inner().expect("no thread panicked");
    let all: u64 = totals.verdicts.values().sum();
    for (verdict, number) in &totals.verdicts {
        print(&format!("{number:8}  {:6.3} %  {verdict}", 100.0 * *number as f64 / all as f64));
    }
    let [nodes, approximations, refuted] = totals.statistics;
    print(&format!("{nodes} nodes, {approximations} approximations, {refuted} of them refuted"));
    totals.undecided.sort_unstable();
    for (seed, reason) in &totals.undecided {
        print(&format!("seed {seed}: {reason}"));
    }
}

fn system(seed: u64) -> System {
    let places = seed % 2 == 1;
    random_system(seed, &Profile { process_constants: false, max_dimensions: 2, places, ..Profile::FINITE })
}

fn one(seed: u64, system: &System, totals: &Mutex<Totals>) {
    let options = Options::default();
    let found = within(SECONDS, &options.interrupt, || {
        verify(system, Engine::Auto, &options, Plan::default(), &mut ())
    });
    let found = found.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let sizes = match system.processes {
        Processes::Exactly(count) => count..=count,
        Processes::Any => 1..=4,
    };
    for processes in sizes {
        let mut exploring = forward::Options { goal: Goal::Everything, ..forward::Options::new(processes) };
        exploring.limits.states = Some(STATES);
        let interrupt = exploring.interrupt.clone();
        let explored = within(MOMENT, &interrupt, || explore(system, &exploring, &mut ()));
        let Ok(explored) = explored else { break };
        for violation in explored.violations {
            assert_ne!(
                found.answers[violation.property],
                Answer::Safe,
                "seed {seed}: property {} is violated with {processes} processes\n{}",
                violation.property,
                system.to_source()
            );
        }
    }
    let verdict = match found.verdict() {
        Answer::Unknown(reason) => format!("unknown: {reason}"),
        other => other.word().to_owned(),
    };
    let mut totals = totals.lock().expect("no thread panicked");
    if verdict.starts_with("unknown") {
        totals.undecided.push((seed, verdict.clone()));
    }
    *totals.verdicts.entry(verdict).or_default() += 1;
    let of_this = [found.statistics.nodes, found.statistics.approximations, found.statistics.refuted];
    for (total, number) in totals.statistics.iter_mut().zip(of_this) {
        *total += number;
    }
}

fn print(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
