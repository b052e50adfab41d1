//! Backward reachability on many models: how much work, and how much time.
//!
//! ```text
//! cargo run --release -p polycube-benchmarks --bin verify
//! cargo run --release -p polycube-benchmarks --bin verify -- --seconds 10 --threads 2 --without union models/safe/german.cub
//! ```
//!
//! Prints a table: the answer, seconds, expanded cubes, those of the invariant, computed predecessors, and how many of
//! them were dropped by each check. `--without equal|contained|union|deletion|dependencies` leaves a check out, to see what it saves;
//! `--search breadth|depth|processes|literals` chooses the order; `--engine backward|brab` one of the engines, and
//! `--procs` and `--forward-depth` the instances that approximations are tested with. Without files: our models, and the
//! published ones where they are found.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use polycube_engine::backward::{Options, SearchOrder, Statistics};
use polycube_engine::engine::{Engine, verify};
use polycube_engine::oracle::Plan as Instances;
use polycube_testing::{Model, models, shared};

const USAGE: &str = "usage: verify [--seconds N] [--threads N] [--search breadth|depth|processes|literals]
              [--without equal|contained|union|deletion|dependencies]...
              [--engine auto|backward|brab] [--procs N] [--forward-depth N] [FILE]...";

/// What to do.
struct Plan {
    options: Options,
    limit: Duration,
    engine: Engine,
    /// Those that approximations are tested with.
    instances: Instances,
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let Some(plan) = parse(env::args().skip(1)) else {
        print(USAGE);
        return ExitCode::from(2);
    };
    let models = if plan.files.is_empty() {
        let published = shared("corpus/cub").unwrap_or_default();
        models("safe").into_iter().chain(models("unsafe")).chain(published).collect()
    } else {
        match plan.files.iter().map(|path| read(path)).collect::<Result<Vec<Model>, String>>() {
            Ok(models) => models,
            Err(message) => {
                print(&message);
                return ExitCode::from(2);
            }
        }
    };
    print(&format!(
        "{:40} {:>8} {:>8} {:>6} {:>6} {:>8} {:>7} {:>9} {:>7} {:>7} {:>8} {:>5} {:>9} {:>6} {:>6} {}",
        "model",
        "answer",
        "seconds",
        "nodes",
        "kept",
        "computed",
        "equal",
        "contained",
        "covered",
        "deleted",
        "solver",
        "depth",
        "processes",
        "guess",
        "wrong",
        "instances"
    ));
    for model in models {
        print(&row(&model, &plan));
    }
    ExitCode::SUCCESS
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Option<Plan> {
    let mut plan = Plan {
        options: Options::default(),
        limit: Duration::from_secs(60),
        engine: Engine::Auto,
        instances: Instances::default(),
        files: Vec::new(),
    };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => plan.limit = Duration::from_secs(arguments.next()?.parse().ok()?),
            "--threads" => plan.options.threads = arguments.next()?.parse().ok()?,
            "--search" => {
                plan.options.order = match arguments.next()?.as_str() {
                    "breadth" => SearchOrder::BreadthFirst,
                    "depth" => SearchOrder::DepthFirst,
                    "processes" => SearchOrder::FewProcesses,
                    "literals" => SearchOrder::FewLiterals,
                    _ => return None,
                }
            }
            "--without" => match arguments.next()?.as_str() {
                "equal" => plan.options.checks.equal = false,
                "contained" => plan.options.checks.contained = false,
                "union" => plan.options.checks.union = false,
                "deletion" => plan.options.checks.deletion = false,
                "dependencies" => plan.options.checks.dependencies = false,
                _ => return None,
            },
            "--engine" => {
                plan.engine = match arguments.next()?.as_str() {
                    "auto" => Engine::Auto,
                    "backward" => Engine::Backward,
                    "brab" => Engine::Brab,
                    _ => return None,
                }
            }
            "--procs" => plan.instances.processes = Some(arguments.next()?.parse().ok()?),
            "--forward-depth" => plan.instances.depth = Some(arguments.next()?.parse().ok()?),
            option if option.starts_with("--") => return None,
            file => plan.files.push(PathBuf::from(file)),
        }
    }
    Some(plan)
}

fn read(path: &Path) -> Result<Model, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Model { path: path.to_owned(), text })
}

fn row(model: &Model, plan: &Plan) -> String {
    let name = model.name();
    let Some(system) = polycube_language::check(&model.text).system else {
        return format!("{name:40} has mistakes");
    };
    let options = Options { interrupt: Default::default(), ..plan.options.clone() };
    let (done, wait) = mpsc::channel::<()>();
    let (result, seconds) = std::thread::scope(|scope| {
        let (interrupt, limit) = (&options.interrupt, plan.limit);
        scope.spawn(move || {
            if wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                interrupt.store(true, Ordering::Relaxed);
            }
        });
        let start = Instant::now();
        let result = verify(&system, plan.engine, &options, plan.instances, &mut ());
        drop(done);
        (result, start.elapsed().as_secs_f64())
    });
    let verification = match result {
        Ok(verification) => verification,
        Err(unsupported) => return format!("{name:40} {unsupported:?}"),
    };
    let Statistics {
        nodes,
        kept,
        computed,
        equal,
        contained,
        covered,
        deleted,
        solver_calls,
        depth,
        processes,
        approximations,
        refuted,
        ..
    } = verification.statistics;
    let instances = verification.instances.iter();
    let instances: Vec<String> =
        instances.map(|one| format!("{}:{}/{}", one.processes, one.states, one.depth)).collect();
    let instances = instances.join(" ");
    format!(
        "{name:40} {:>8} {seconds:>8.3} {nodes:>6} {kept:>6} {computed:>8} {equal:>7} {contained:>9} {covered:>7} {deleted:>7} {solver_calls:>8} {depth:>5} {processes:>9} {approximations:>6} {refuted:>6} {instances}",
        verification.verdict().word()
    )
}

/// The table is what this program is for.
#[allow(clippy::print_stdout)]
fn print(line: &str) {
    println!("{line}");
}
