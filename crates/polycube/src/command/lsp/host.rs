//! What the language server has done by the program: searches, and files with their reports.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use polycube_certificate::{Trace, Violation, replay};
use polycube_engine::backward::{self, Answer};
use polycube_engine::forward::{self, End, Exploration, Limits};
use polycube_language::span::{Lines, Span};
use polycube_lsp::{Finding, Findings, Host, Task, Verdict, Work};
use polycube_murphi::Request;
use tempfile::TempDir;

use crate::command::model::default_processes;
use crate::command::{explore, verify};
use crate::input::Input;
use crate::model::{Model, NoModel, VerifyOptions};
use crate::report::number::counted;
use crate::report::trace::{Detail, at_the_end, length, processes, runs, violation};
use crate::resources::{affordable, processors};
use crate::verified::{headline, wrong_invariant};

/// The program around the server.
#[derive(Default)]
pub(super) struct Program {
    reports: Mutex<Reports>,
}

/// The files that were written.
#[derive(Default)]
struct Reports {
    /// None before the first.
    folder: Option<TempDir>,
    written: usize,
}

impl Program {
    /// Removes all reports: nobody looks at them after the editor is gone.
    pub(super) fn remove_reports(&self) {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner).folder = None;
    }
}

impl Host for Program {
    fn run(
        &self,
        work: Work,
        stop: &Arc<AtomicBool>,
        progress: &mut (dyn FnMut(String) + Send),
    ) -> Result<Findings, String> {
        let Work { task, name, text } = work;
        let input = Input { name, path: None, text, not_text: None };
        let model = Model::of(input, Request::default()).map_err(|none| match none {
            NoModel::Wrong(_) => "the model has mistakes: correct them first".to_owned(),
            NoModel::Unreadable(_) => none.to_string(),
        })?;
        if model.system.properties.is_empty() && task == Task::Verify {
            return Err("there is nothing to verify: the model has no `unsafe` clause".to_owned());
        }
        let mut watch = Watch { start: Instant::now(), progress };
        match task {
            Task::Verify => verified(&model, stop, &mut watch),
            Task::Explore { processes } => explored(&model, processes, stop, &mut watch),
        }
    }

    fn write_report(&self, report: &str) -> Option<PathBuf> {
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        if reports.folder.is_none() {
            reports.folder = tempfile::Builder::new().prefix("polycube-").tempdir().ok();
        }
        reports.written += 1;
        let name = format!("run-{}.txt", reports.written);
        let path = reports.folder.as_ref()?.path().join(name);
        std::fs::write(&path, report).ok()?;
        Some(path)
    }
}

/// Passes on how far a search has come.
struct Watch<'p> {
    start: Instant,
    progress: &'p mut (dyn FnMut(String) + Send),
}

impl backward::Observer for Watch<'_> {
    fn progress(&mut self, progress: &backward::Progress) {
        (self.progress)(verify::describe(progress, self.start.elapsed().as_secs_f64()));
    }
}

impl forward::Observer for Watch<'_> {
    fn progress(&mut self, progress: &forward::Progress) {
        (self.progress)(explore::describe(progress, self.start.elapsed().as_secs_f64()));
    }
}

fn verified(model: &Model, stop: &Arc<AtomicBool>, watch: &mut Watch<'_>) -> Result<Findings, String> {
    let mut options = VerifyOptions::default();
    options.search.threads = processors();
    options.search.limits.bytes = affordable();
    options.search.interrupt = stop.clone();
    let verified = model.verify_with(&options, watch).map_err(|error| error.to_string())?;
    let finding = |(at, answer): (usize, &Answer)| {
        let (verdict, message) = match answer {
            Answer::Safe | Answer::Trusted => {
                let instances = &model.instances;
                (Verdict::Safe, format!("Safe: no bad state is reachable, {instances}."))
            }
            Answer::Unsafe(_) => {
                let run = verified.runs().iter().find(|run| run.violation.property == at);
                let run = run.expect("there is a run for each answer");
                let message = if model.system.is_main(at) {
                    headline(&model.system, run)
                } else {
                    wrong_invariant(model, run, verified.known_besides())
                };
                (Verdict::Unsafe, message)
            }
            Answer::Unknown(reason) => (Verdict::Unknown, format!("Unknown: {reason}.")),
        };
        Finding { place: clause(model, at), verdict, message }
    };
    let list = verified.answers().iter().enumerate().map(finding).collect();
    let runs: Vec<(&Trace, &Violation)> =
        verified.runs().iter().map(|run| (&run.trace, &run.violation)).collect();
    let report = if runs.is_empty() { verified.to_string() } else { shown(model, &runs) };
    Ok(Findings { list, report })
}

fn explored(
    model: &Model,
    number: Option<u32>,
    stop: &Arc<AtomicBool>,
    watch: &mut Watch<'_>,
) -> Result<Findings, String> {
    let number = number.unwrap_or_else(|| default_processes(model));
    let options = forward::Options {
        threads: processors(),
        limits: Limits { bytes: affordable(), ..Limits::default() },
        interrupt: stop.clone(),
        ..forward::Options::new(number)
    };
    let found = model.explore_with(&options, watch).map_err(|error| error.to_string())?;
    let violations: Vec<(&Trace, Violation)> = found.violations.iter().map(violated).collect();
    let list = (0..model.system.properties.len()).map(|at| {
        let run = violations.iter().find(|(_, violation)| violation.property == at);
        let (verdict, message) = told(model, &found, number, run.map(|(trace, _)| *trace));
        Finding { place: clause(model, at), verdict, message }
    });
    let list: Vec<Finding> = list.collect();
    let runs: Vec<(&Trace, &Violation)> =
        violations.iter().map(|(trace, violation)| (*trace, violation)).collect();
    let (_, answer) = told(model, &found, number, runs.first().map(|(trace, _)| *trace));
    let separator = if runs.is_empty() { "" } else { "\n" };
    Ok(Findings { list, report: format!("{}{separator}{answer}\n", shown(model, &runs)) })
}

/// What an exploration says about a clause, which this run violates.
fn told(model: &Model, found: &Exploration, number: u32, run: Option<&Trace>) -> (Verdict, String) {
    let (count, states) = (processes(number), counted(found.states, "state"));
    match (run, found.end) {
        (Some(run), _) => {
            let length = length(&model.system, run);
            (Verdict::Unsafe, format!("Unsafe: a run of {length} reaches a bad state."))
        }
        (None, End::Complete) if found.cuts.is_empty() => {
            (Verdict::Safe, format!("No bad state is among the {states} of {count}."))
        }
        (None, _) => {
            let message = format!("Unknown: no bad state is among {states} of {count}, which are not all.");
            (Verdict::Unknown, message)
        }
    }
}

/// What is bad about the last state of a run.
fn violated(found: &forward::Violation) -> (&Trace, Violation) {
    let state = found.trace.steps.len();
    (&found.trace, Violation { state, property: found.property, processes: found.processes.clone() })
}

/// Runs, each with what is bad about its last state.
fn shown(model: &Model, found: &[(&Trace, &Violation)]) -> String {
    let lines = Lines::new(&model.input.text);
    let found = found.iter().map(|&(trace, bad)| {
        let last = replay(&model.system, trace).ok().and_then(|mut run| run.states.pop());
        let (name, when) = (&model.input.name, at_the_end(trace));
        (trace, violation(&model.system, name, &lines, bad, last.as_ref(), when))
    });
    let found: Vec<(&Trace, String)> = found.collect();
    let text = runs(&model.system, &found, Detail::default()).join("\n");
    // Colours are for terminals.
    anstream::adapter::strip_str(&text).to_string()
}

/// The beginning of a clause, up to its formula.
fn clause(model: &Model, property: usize) -> Span {
    let whole = model.system.properties[property].origin.0;
    let head = whole.text(&model.input.text).split('{').next().unwrap_or_default().trim_end();
    Span::new(whole.start, whole.start + head.len() as u32)
}
