//! Verifies models by backward reachability and prints a table.
//!
//! `cargo run --release -p polycube-benchmarks --bin verify -- [--seconds N] FILE...`

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use polycube_engine::backward::{Answer, Options, SearchOrder, verify};

fn main() {
    let mut seconds = 60;
    let mut options = Options::default();
    let mut show = false;
    let mut arguments = std::env::args().skip(1);
    println!(
        "{:32} {:>8} {:>9} {:>6} {:>6} {:>8} {:>7} {:>7} {:>7} {:>6} {:>8} {:>5} {:>5}",
        "model",
        "answer",
        "seconds",
        "nodes",
        "kept",
        "computed",
        "equal",
        "contain",
        "covered",
        "delete",
        "calls",
        "depth",
        "procs"
    );
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => seconds = arguments.next().unwrap().parse().unwrap(),
            "--threads" => options.threads = arguments.next().unwrap().parse().unwrap(),
            "--show" => show = true,
            "--bfs" => options.order = SearchOrder::BreadthFirst,
            "--dfs" => options.order = SearchOrder::DepthFirst,
            "--literals" => options.order = SearchOrder::FewLiterals,
            "--no-equal" => options.checks.equal = false,
            "--no-contained" => options.checks.contained = false,
            "--no-union" => options.checks.union = false,
            "--no-deletion" => options.checks.deletion = false,
            file => run(file, &options, seconds, show),
        }
    }
}

fn run(file: &str, options: &Options, seconds: u64, show: bool) {
    let name = std::path::Path::new(file).file_stem().unwrap().to_str().unwrap().to_owned();
    let text = std::fs::read_to_string(file).unwrap();
    let Some(system) = polycube_language::check(&text).system else {
        println!("{name:32} rejected");
        return;
    };
    let flag = Arc::new(AtomicBool::new(false));
    let options = Options { interrupt: Arc::clone(&flag), ..options.clone() };
    let start = Instant::now();
    let done = Arc::new(AtomicBool::new(false));
    let watcher = {
        let done = Arc::clone(&done);
        std::thread::spawn(move || {
            while !done.load(Ordering::Relaxed) && start.elapsed() < Duration::from_secs(seconds) {
                std::thread::sleep(Duration::from_millis(20));
            }
            flag.store(true, Ordering::Relaxed);
        })
    };
    let result = verify(&system, &options, &mut ());
    let elapsed = start.elapsed().as_secs_f64();
    done.store(true, Ordering::Relaxed);
    let verification = match result {
        Ok(verification) => verification,
        Err(unsupported) => {
            println!("{name:32} {unsupported:?}");
            return;
        }
    };
    let mut answers: Vec<&str> = verification
        .answers
        .iter()
        .map(|answer| match answer {
            Answer::Safe => "safe",
            Answer::Unsafe(_) => "unsafe",
            Answer::Unknown(_) => "unknown",
            Answer::Trusted => "trusted",
        })
        .collect();
    answers.dedup();
    let s = verification.statistics;
    println!(
        "{name:32} {:>8} {elapsed:>9.3} {:>6} {:>6} {:>8} {:>7} {:>7} {:>7} {:>6} {:>8} {:>5} {:>5}",
        answers.join(","),
        s.nodes,
        s.kept,
        s.computed,
        s.equal,
        s.contained,
        s.covered,
        s.deleted,
        s.solver_calls,
        s.depth,
        s.processes
    );
    if show {
        for cube in &verification.invariant {
            println!("  {}", system.display_formula(&cube.formula, &cube.parameters));
        }
        for answer in &verification.answers {
            if let Answer::Unsafe(trace) = answer {
                println!("  {} processes", trace.processes);
                for step in &trace.steps {
                    println!("  {} {:?}", step.transition, step.arguments);
                }
            }
            if let Answer::Unknown(reason) = answer {
                println!("  {reason:?}");
            }
        }
    }
    watcher.join().unwrap();
}
