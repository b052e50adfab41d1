//! `polycube replay`: whether a trace is a run of a model.

use std::fmt::Write;
use std::path::Path;

use polycube_certificate::{Rejected, Rejection, Run, StepRejected, Trace, replay};
use polycube_language::System;
use polycube_language::span::Lines;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::model::read_model;
use super::{Outcome, Refusal};
use crate::arguments::{Format, ReplayArguments};
use crate::console::Console;
use crate::input::{Impossible, Input, read};
use crate::model::Model;
use crate::report::json::{optional, print};
use crate::report::json_trace::{Source, from_json, violations_to_json};
use crate::report::trace::{
    Detail, call, first_of_each, indented, length, paragraph, reasons, start, trace as table, violation, when,
};

pub(super) fn run(arguments: &ReplayArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let format = arguments.format;
    if arguments.trace.as_os_str() == "-" && arguments.model.as_os_str() == "-" {
        let message = "the trace and the model cannot both be read from standard input";
        return Err(Impossible::new(message).or("name a file for one of them").into());
    }
    let model = read_model(&arguments.model, format, console)?;
    let (trace, source, name) = read_trace(&model.system, &arguments.trace, "replayed")?;
    let lines = Lines::new(&model.input.text);
    let (result, detail) = (replay(&model.system, &trace), arguments.run.detail());
    let judged = Judged { model: &model, lines, trace: &trace, source, result, detail };
    match format {
        Format::Human => console.print(&judged.to_text(&name)),
        Format::Json => console.pass_on(&print(&judged)),
    }
    Ok(if judged.result.is_ok() { Outcome::Success } else { Outcome::No })
}

/// The trace in a file, where it stands there, and how messages name the file. `purpose` is what it is read
/// for: "replayed".
pub(super) fn read_trace(
    system: &System,
    path: &Path,
    purpose: &str,
) -> Result<(Trace, Source, String), Refusal> {
    let Input { name, text, not_text, .. } = read(path)?;
    let refused = |why: &str| format!("`{name}` cannot be {purpose}: {why}");
    if not_text.is_some() {
        return Err(Impossible::new(refused("it is not UTF-8 text")).into());
    }
    let (trace, source) = from_json(system, &text)
        .map_err(|Impossible { reason, help }| Impossible { reason: refused(&reason), help })?;
    Ok((trace, source, name))
}

/// A trace, and what the judge says of it.
struct Judged<'t> {
    model: &'t Model,
    lines: Lines<'t>,
    trace: &'t Trace,
    source: Source,
    result: Result<Run, Rejected>,
    detail: Detail,
}

#[derive(Serialize)]
struct RejectedText {
    step: usize,
    reason: String,
}

impl Serialize for Judged<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = |violations: &[_]| violations_to_json(&self.model.system, &self.lines, violations);
        let (violations, earlier_violations) = match &self.result {
            Ok(run) => (all(&run.violations), all(&first_of_each(&run.earlier_violations))),
            Err(_) => (Vec::new(), Vec::new()),
        };
        let text =
            |Rejected { step, reason }: &Rejected| RejectedText { step: *step, reason: reason.to_string() };
        let source = (self.source != Source::Itself).then(|| self.source.to_string());
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("accepted", &self.result.is_ok())?;
        optional(&mut object, "source", source)?;
        object.serialize_entry("processes", &self.trace.processes)?;
        object.serialize_entry("steps", &self.trace.steps.len())?;
        object.serialize_entry("violations", &violations)?;
        object.serialize_entry("earlier_violations", &earlier_violations)?;
        optional(&mut object, "rejected", self.result.as_ref().err().map(text))?;
        object.end()
    }
}

impl Judged<'_> {
    fn to_text(&self, name: &str) -> String {
        let mut text = match self.source {
            Source::Itself => String::new(),
            Source::Simulation => format!("The trace of the simulation in {name}:\n\n"),
            Source::Verification => format!("The trace of the verification in {name}:\n\n"),
            Source::Violation(0) => format!("The trace of the first violation in {name}:\n\n"),
            Source::Violation(index) => format!("The trace of violation {} in {name}:\n\n", index + 1),
            Source::Deadlock => format!("The trace of the deadlock in {name}:\n\n"),
        };
        match &self.result {
            Ok(run) => {
                text += &table(&self.model.system, self.trace, self.detail);
                text.push('\n');
                text += &self.accepted(run);
            }
            Err(rejected) => {
                text += &self.possible_part(rejected);
                text.push('\n');
                text += &self.rejected(rejected);
            }
        }
        text
    }

    fn accepted(&self, run: &Run) -> String {
        let name = &self.model.input.name;
        let each = match self.trace.steps.len() {
            0 => "",
            1 => ", which is possible",
            _ => ", each of them possible",
        };
        let mut text = paragraph(&format!("A run of {name}: {}{each}.", length(self.trace)));
        for one in &run.violations {
            text += &violation(
                &self.model.system,
                name,
                &self.lines,
                one,
                run.states.last(),
                "in the last state",
            );
        }
        if run.violations.is_empty() {
            text += "The last state violates no unsafe clause and no invariant.\n";
        }
        for one in first_of_each(&run.earlier_violations) {
            let when = format!("already {}", when(&one));
            text += &violation(&self.model.system, name, &self.lines, &one, run.states.get(one.state), &when);
        }
        text
    }

    /// The steps before the one that is not possible.
    fn possible_part(&self, rejected: &Rejected) -> String {
        match rejected.step.checked_sub(1) {
            None => start(&self.model.system, self.trace),
            Some(possible) => {
                let steps = self.trace.steps[..possible].to_vec();
                table(&self.model.system, &Trace { steps, ..self.trace.clone() }, self.detail)
            }
        }
    }

    fn rejected(&self, rejected: &Rejected) -> String {
        let name = &self.model.input.name;
        let Some(index) = rejected.step.checked_sub(1) else {
            let mut text = paragraph(&format!("Not a run of {name}: it does not start in an initial state."));
            match &rejected.reason {
                Rejection::NotInitial(clause) => {
                    text += "  An `init` clause does not hold:\n";
                    text += &reasons(&self.lines, &clause.reasons);
                }
                other => text += &indented(&other.to_string()),
            }
            return text;
        };
        let step = &self.trace.steps[index];
        let mut text = paragraph(&format!(
            "Not a run of {name}: step {} is not possible: {}",
            rejected.step,
            call(&step.transition, &step.arguments)
        ));
        match &rejected.reason {
            Rejection::NoStep { transition, rejections } => {
                let known = self.model.system.transitions.iter().filter(|known| known.name == *transition);
                for (known, rejection) in known.zip(rejections) {
                    if rejections.len() > 1 {
                        let line = self.lines.position(known.origin.0.start).line;
                        let _ = writeln!(text, "By the transition `{transition}` in line {line}:");
                    }
                    text += &self.step_rejected(rejection);
                }
            }
            other => text += &indented(&other.to_string()),
        }
        text
    }

    fn step_rejected(&self, rejection: &StepRejected) -> String {
        match rejection {
            StepRejected::GuardFails(failing) => {
                format!("  its guard does not hold:\n{}", reasons(&self.lines, failing))
            }
            other => indented(&other.to_string()),
        }
    }
}
