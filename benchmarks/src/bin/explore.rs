//! How exploration grows with the number of processes, and beside a peer.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p polycube-benchmarks --bin explore
//! cargo run --release -p polycube-benchmarks --bin explore -- models/safe/german.cub 2..5 --repeat 3 --peer 'path/to/peer -n {n}' -- -j 1 --no-symmetry
//! ```
//!
//! Runs `polycube explore` for each number of processes and prints a table: states, transitions, user CPU
//! seconds (the least of the repetitions), states per second, bytes per state. `{n}` in the command line of a
//! peer becomes the number of processes; what the peer prints is ignored, its user CPU time is the last
//! column. What follows a second `--` is passed to `polycube explore`. Without arguments: a table for each of
//! a few models.

use std::env;
use std::fs;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use polycube_testing::{repository, shared};
use serde_json::Value;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let plans = if arguments.is_empty() { default_plans() } else { parse(&arguments).into_iter().collect() };
    if plans.is_empty() {
        print(
            "usage: explore [FILE FROM..TO [--repeat R] [--peer COMMAND] [-- OPTIONS OF polycube explore]]",
        );
        return ExitCode::from(2);
    }
    for plan in plans {
        if let Err(message) = plan.run() {
            print(&message);
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// One table.
struct Plan {
    model: PathBuf,
    processes: RangeInclusive<u32>,
    options: Vec<String>,
    peer: Option<String>,
    repeat: usize,
}

fn parse(arguments: &[String]) -> Option<Plan> {
    let [model, range, rest @ ..] = arguments else { return None };
    let (from, to) = range.split_once("..")?;
    let mut plan = Plan {
        model: PathBuf::from(model),
        processes: from.parse().ok()?..=to.parse().ok()?,
        options: Vec::new(),
        peer: None,
        repeat: 1,
    };
    let mut rest = rest.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--repeat" => plan.repeat = rest.next()?.parse().ok().filter(|&repeat| repeat > 0)?,
            "--peer" => plan.peer = Some(rest.next()?.clone()),
            "--" => plan.options = rest.by_ref().cloned().collect(),
            _ => return None,
        }
    }
    Some(plan)
}

/// The tables of `benchmarks/README.md`.
fn default_plans() -> Vec<Plan> {
    let ours = |name: &str| repository().join("models/safe").join(name).with_extension("cub");
    let one_thread =
        |options: &[&str]| ["-j", "1"].iter().chain(options).map(|&text| text.to_owned()).collect();
    let plan = |model: PathBuf, processes, options: &[&str]| Plan {
        model,
        processes,
        options: one_thread(options),
        peer: None,
        repeat: 3,
    };
    let mut plans = vec![
        plan(ours("german"), 2..=6, &[]),
        plan(ours("german"), 2..=5, &["--no-symmetry"]),
        plan(ours("szymanski_atomic"), 2..=8, &[]),
        plan(ours("flash_control"), 1..=3, &[]),
        plan(ours("flash_data"), 1..=3, &[]),
        plan(ours("chandra_toueg"), 2..=5, &[]),
    ];
    for model in shared("corpus/cub").unwrap_or_default() {
        if matches!(model.name(), "german_baukus" | "german_pfs" | "szymanski_at") {
            plans.push(plan(model.path.clone(), 2..=6, &[]));
        }
    }
    plans
}

impl Plan {
    fn run(&self) -> Result<(), String> {
        print(&format!("\n{} {}\n", self.model.display(), self.options.join(" ")));
        let peer = if self.peer.is_some() { " peer s | ratio |" } else { "" };
        print(&format!(
            "| processes | states | transitions | depth | seconds | states/s | bytes/state |{peer}"
        ));
        print(&format!(
            "|---:|---:|---:|---:|---:|---:|---:|{}",
            if peer.is_empty() { "" } else { "---:|---:|" }
        ));
        for processes in self.processes.clone() {
            let (report, seconds) = self.polycube(processes)?;
            let number = |name: &str| report[name].as_f64().unwrap_or(f64::NAN);
            let mut row = format!(
                "| {processes} | {} | {} | {} | {seconds:.2} | {:.0} | {:.1} |",
                report["states"],
                report["transitions"],
                report["depth"],
                number("states") / seconds.max(0.005),
                number("bytes_per_state"),
            );
            if let Some(peer) = &self.peer {
                let peer_seconds = self.least(|| {
                    let line = peer.replace("{n}", &processes.to_string());
                    Command::new("sh").args(["-c", &line]).stdout(Stdio::null()).status().map(|_| ())
                })?;
                row += &format!(" {peer_seconds:.2} | {:.1} |", peer_seconds / seconds.max(0.005));
            }
            if report["complete"] != Value::Bool(true) {
                row += &format!(" ({})", report["end"]);
            }
            print(&row);
        }
        Ok(())
    }

    fn polycube(&self, processes: u32) -> Result<(Value, f64), String> {
        let program = env::current_exe().map_err(|error| error.to_string())?.with_file_name("polycube");
        let mut report = Value::Null;
        let seconds = self.least(|| {
            let output = Command::new(&program)
                .arg("explore")
                .arg(&self.model)
                .args(["-n", &processes.to_string(), "--format", "json"])
                .args(&self.options)
                .output()?;
            report = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
            Ok(())
        });
        let seconds = seconds
            .map_err(|error| format!("{error}: {} (cargo build --release makes it)", program.display()))?;
        match report["error"].as_str() {
            Some(error) => Err(format!("{}: {error}", self.model.display())),
            None => Ok((report, seconds)),
        }
    }

    /// The least user CPU time of child processes over the repetitions.
    fn least(&self, mut run: impl FnMut() -> std::io::Result<()>) -> Result<f64, String> {
        let mut least = f64::INFINITY;
        for _ in 0..self.repeat {
            let before = children_seconds()?;
            run().map_err(|error| error.to_string())?;
            least = least.min(children_seconds()? - before);
        }
        Ok(least)
    }
}

/// The user CPU time of all child processes that have ended.
fn children_seconds() -> Result<f64, String> {
    let text = fs::read_to_string("/proc/self/stat").map_err(|error| error.to_string())?;
    // The fields behind the name, which may contain blanks; the time of children is field 16 of all, in
    // hundredths of a second.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks: f64 = fields.get(13).and_then(|field| field.parse().ok()).ok_or("no CPU times")?;
    Ok(ticks / 100.0)
}

#[allow(clippy::print_stdout)] // what this program is for
fn print(line: &str) {
    println!("{line}");
}
