//! Verifying several models: each by a process of its own, so that none is in the way of another.
//!
//! What is shown is a view of the JSON that each of them prints: a table for people, a list, or what services
//! that run checks want to have.

use std::ffi::OsString;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use annotate_snippets::renderer::{AnsiColor, Style};
use serde_json::Value;

use super::ci;
use super::report::name;
use crate::arguments::{
    FileArguments, MurphiArguments, ResourceArguments, SearchArguments, VerifyArguments, VerifyFormat,
};
use crate::command::stop::Stop;
use crate::command::{Outcome, Refusal};
use crate::console::Console;
use crate::input::Impossible;
use crate::report::number::{counted, seconds};
use crate::report::trace::processes;

/// What is known about one model.
pub(super) struct Answered {
    pub(super) file: String,
    pub(super) outcome: Outcome,
    /// What the process printed.
    pub(super) report: Value,
    pub(super) took: Duration,
}

impl Answered {
    /// The word for the answer, as in docs/json.md; `error` if there is none.
    pub(super) fn verdict(&self) -> &str {
        self.report["verdict"].as_str().unwrap_or(if self.outcome == Outcome::Bug { "bug" } else { "error" })
    }

    /// What is said beside it: of a run, or of a reason.
    pub(super) fn remark(&self) -> String {
        let warnings = self.report["warnings"].as_array().map_or(0, Vec::len) as u64;
        let warned = if warnings == 0 { String::new() } else { counted(warnings, "warning") };
        match self.verdict() {
            "safe" => warned,
            "unsafe" | "wrong_invariant" => {
                let steps = self.report["trace"]["steps"].as_array().map_or(0, Vec::len) as u64;
                let count = self.report["processes"].as_u64().and_then(|count| u32::try_from(count).ok());
                format!("{} with {}", counted(steps, "step"), processes(count.unwrap_or(0)))
            }
            "unknown" => self.report["reason"].as_str().unwrap_or_default().to_owned(),
            _ => self.report["error"].as_str().unwrap_or("no report").to_owned(),
        }
    }
}

pub(super) fn run(arguments: &VerifyArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let options = options(arguments)?;
    let program = std::env::current_exe()
        .map_err(|error| Impossible::new(format!("the program cannot be started once more: {error}")))?;
    let stop = Stop::limited(None, None);
    stop.watch_signals();
    let widest = arguments.models.iter().map(|file| file.display().to_string().chars().count()).max();
    let mut answered = Vec::new();
    for file in &arguments.models {
        let start = Instant::now();
        let output = Command::new(&program)
            .args(["verify", "--format", "json"])
            .args(&options)
            .arg("--")
            .arg(file)
            .stdin(if file == Path::new("-") { Stdio::inherit() } else { Stdio::null() })
            .output()
            .map_err(|error| Impossible::new(format!("the program cannot be started once more: {error}")))?;
        let outcome = match output.status.code() {
            Some(0) => Outcome::Success,
            Some(1) => Outcome::No,
            Some(2) => Outcome::Wrong,
            Some(3) => Outcome::Unknown,
            _ => Outcome::Bug,
        };
        // What a process that has a bug says is for people.
        console.remark(&String::from_utf8_lossy(&output.stderr));
        let report = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let one = Answered { file: file.display().to_string(), outcome, report, took: start.elapsed() };
        if arguments.format == VerifyFormat::Human {
            console.print(&row(&one, widest.unwrap_or(0)));
        }
        answered.push(one);
        if stop.is_set() {
            break;
        }
    }
    let missing = arguments.models.len() - answered.len();
    let text = match arguments.format {
        VerifyFormat::Human => summary(&answered, missing),
        VerifyFormat::Json => list(&answered),
        VerifyFormat::Github => ci::github(&answered),
        VerifyFormat::Sarif => ci::sarif(&answered),
        VerifyFormat::Junit => ci::junit(&answered),
    };
    match arguments.format {
        VerifyFormat::Human => console.print(&text),
        _ => console.pass_on(&text),
    }
    let worst = answered.iter().map(|one| one.outcome).max_by_key(|outcome| weight(*outcome));
    let unfinished = (missing > 0).then_some(Outcome::Unknown);
    Ok(worst.into_iter().chain(unfinished).max_by_key(|outcome| weight(*outcome)).unwrap_or(Outcome::Unknown))
}

/// Which outcome is that of all: a bug of ours, then wrong input, then a bad state, then what is not known.
fn weight(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Success => 0,
        Outcome::Unknown => 1,
        Outcome::No => 2,
        Outcome::Wrong => 3,
        Outcome::Bug => 4,
    }
}

/// The options for each process.
fn options(arguments: &VerifyArguments) -> Result<Vec<OsString>, Impossible> {
    // All are named, so that none is forgotten.
    let VerifyArguments {
        models: _,
        murphi: MurphiArguments { parameter },
        how,
        trust_invariants,
        show_invariant: _,
        run: _,
        graph,
        graph_all: _,
        graph_timeout: _,
        certificate,
        files: FileArguments { html, itf, mermaid, force: _ },
        no_recheck,
        deny_warnings,
        resources,
        format: _,
    } = arguments;
    let pages = [html, itf, mermaid].iter().any(|file| file.is_some());
    if pages || graph.is_some() || certificate.is_some() {
        let reason = "files are written for one model at a time";
        return Err(
            Impossible::new(reason).or("name one model, and no other --format than `human` or `json`")
        );
    }
    let SearchArguments { engine, procs, forward_depth, max_candidates, search, max_nodes, max_depth } = how;
    let ResourceArguments { max_memory, timeout, threads } = resources;
    let mut options: Vec<OsString> = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        options.extend(value.into_iter().flat_map(|value| [name.into(), value.into()]));
    };
    add("--parameter", parameter.clone());
    add("--engine", Some(name(engine)));
    add("--procs", procs.map(|number| number.to_string()));
    add("--forward-depth", forward_depth.map(|number| number.to_string()));
    add("--max-candidates", Some(max_candidates.to_string()));
    add("--search", Some(name(search)));
    add("--max-nodes", max_nodes.map(|number| number.to_string()));
    add("--max-depth", max_depth.map(|number| number.to_string()));
    add("--max-memory", max_memory.map(|size| size.0.to_string()));
    add("--timeout", timeout.map(|time| time.as_secs_f64().to_string()));
    add("--threads", threads.map(|number| number.to_string()));
    let flags = [
        (*trust_invariants, "--trust-invariants"),
        (*no_recheck, "--no-recheck"),
        (*deny_warnings, "--deny-warnings"),
    ];
    options.extend(flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name.into()));
    Ok(options)
}

/// `Unsafe  models/unsafe/mutex.cub   4 steps with 2 processes   0.01 s`
fn row(one: &Answered, widest: usize) -> String {
    let (word, colour) = match one.verdict() {
        "safe" => ("Safe", AnsiColor::Green),
        "unsafe" => ("Unsafe", AnsiColor::Red),
        "wrong_invariant" => ("Wrong", AnsiColor::Red),
        "unknown" => ("Unknown", AnsiColor::Yellow),
        "bug" => ("Bug", AnsiColor::Red),
        _ => ("Error", AnsiColor::Red),
    };
    let style: Style = colour.on_default().bold();
    let blanks = widest.saturating_sub(one.file.chars().count());
    let time = seconds(one.took.as_secs_f64());
    let text = format!("{}{:blanks$}  {time:>8}  {}", one.file, "", one.remark());
    format!("{style}{word}{style:#}{:width$}{}\n", "", text.trim_end(), width = 9 - word.len())
}

/// `41 models: 38 safe, 2 unsafe, 1 unknown.`
fn summary(answered: &[Answered], missing: usize) -> String {
    let words = [
        ("safe", "safe"),
        ("unsafe", "unsafe"),
        ("wrong_invariant", "with a wrong invariant"),
        ("unknown", "unknown"),
        ("error", "with errors"),
        ("bug", "that stopped polycube"),
    ];
    let count = |verdict: &str| answered.iter().filter(|one| one.verdict() == verdict).count();
    let found = words.iter().map(|(verdict, word)| (count(verdict), word)).filter(|(count, _)| *count > 0);
    let found: Vec<String> = found.map(|(count, word)| format!("{count} {word}")).collect();
    let mut text = format!("\n{}: {}.", counted(answered.len() as u64, "model"), found.join(", "));
    if missing > 0 {
        let _ = write!(text, " Interrupted: {missing} left.");
    }
    text + "\n"
}

/// The reports, one after the other.
fn list(answered: &[Answered]) -> String {
    let named = |one: &Answered| {
        let mut report = one.report.clone();
        if let Some(fields) = report.as_object_mut() {
            fields.entry("file").or_insert_with(|| one.file.clone().into());
        }
        report
    };
    crate::report::json::print(&answered.iter().map(named).collect::<Vec<_>>())
}
