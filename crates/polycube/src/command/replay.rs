//! `polycube replay`: whether a trace is a run of a model.

use std::fmt::Write;
use std::path::Path;

use polycube_certificate::{Rejected, Rejection, Run, Step, StepRejected, Trace, Violation, replay};
use polycube_language::System;
use polycube_language::span::Lines;
use polycube_language::system::Transition;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::files::{Files, Ran};
use super::model::read_model;
use super::{Outcome, Refusal};
use crate::arguments::{Format, ReplayArguments};
use crate::console::Console;
use crate::input::{Impossible, Input, read};
use crate::model::Model;
use crate::report::html::{Page, Tone};
use crate::report::itf::{Named, from_itf, is_itf};
use crate::report::json::{optional, print};
use crate::report::json_trace::{Source, TraceText, from_json, to_json, violations_to_json};
use crate::report::trace::{
    Detail, call, first_of_each, indented, length, paragraph, reasons, start, trace as table, violation, when,
};

pub(super) fn run(arguments: &ReplayArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let format = arguments.format;
    if arguments.trace.as_os_str() == "-" && arguments.model.as_os_str() == "-" {
        let message = "the trace and the model cannot both be read from standard input";
        return Err(Impossible::new(message).or("name a file for one of them").into());
    }
    let files = Files::prepare(&arguments.files)?;
    let model = read_model(&arguments.model, arguments.murphi.for_one_instance(), format, console)?;
    let (Named { trace, unexplained }, source, name) =
        read_trace(&model.system, &arguments.trace, "replayed")?;
    let lines = Lines::new(&model.input.text);
    let (result, detail) = (replay(&model.system, &trace), arguments.run.detail());
    let judged = Judged { model: &model, lines, trace: &trace, source, result, unexplained, detail };
    match format {
        Format::Human => console.print(&judged.to_text(&name)),
        Format::Json => console.pass_on(&print(&judged)),
    }
    let outcome = if judged.is_run() { Outcome::Success } else { Outcome::No };
    let run = judged.is_run().then(|| Ran { trace: &trace, end: judged.remarks().into_iter().next() });
    let page = || judged.page(&name);
    Ok(files.finish(&model, page, run.as_ref(), (outcome, format), console))
}

/// The trace in a file, in one of the formats, where it stands there, and how messages name the file. `purpose` is
/// what it is read for: "replayed".
pub(super) fn read_trace(
    system: &System,
    path: &Path,
    purpose: &str,
) -> Result<(Named, Source, String), Refusal> {
    let Input { name, text, not_text, .. } = read(path)?;
    let refused = |why: &str| format!("`{name}` cannot be {purpose}: {why}");
    if not_text.is_some() {
        return Err(Impossible::new(refused("it is not UTF-8 text")).into());
    }
    let read = if is_itf(&text) {
        from_itf(system, &text).map(|named| (named, Source::Itself))
    } else {
        from_json(system, &text).map(|(trace, source)| (Named { trace, unexplained: None }, source))
    };
    let (named, source) =
        read.map_err(|Impossible { reason, help }| Impossible { reason: refused(&reason), help })?;
    Ok((named, source, name))
}

const UNEXPLAINED: &str = "no transition leads from the state before it to the state after it";

/// A trace, and what the judge says of it.
struct Judged<'t> {
    model: &'t Model,
    lines: Lines<'t>,
    trace: &'t Trace,
    source: Source,
    result: Result<Run, Rejected>,
    detail: Detail,
    /// The step behind the trace that no transition explains.
    unexplained: Option<usize>,
}

/// What is printed, with the run, for a page.
#[derive(Serialize)]
struct WithTrace<'t> {
    #[serde(flatten)]
    judged: &'t Judged<'t>,
    trace: TraceText,
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
        let unexplained = self.unexplained.map(|step| RejectedText { step, reason: UNEXPLAINED.to_owned() });
        let rejected = self.result.as_ref().err().map(text).or(unexplained);
        object.serialize_entry("accepted", &self.is_run())?;
        optional(&mut object, "source", source)?;
        object.serialize_entry("processes", &self.trace.processes)?;
        object.serialize_entry("steps", &self.trace.steps.len())?;
        object.serialize_entry("violations", &violations)?;
        object.serialize_entry("earlier_violations", &earlier_violations)?;
        optional(&mut object, "rejected", rejected)?;
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
            Ok(_) => {
                text += &table(&self.model.system, self.trace, self.detail);
                text.push('\n');
                text += &paragraph(&self.headline());
                text += &self.remarks().concat();
            }
            Err(rejected) => {
                text += &self.possible_part(rejected);
                text.push('\n');
                text += &paragraph(&self.headline());
                text += &self.reason(rejected);
            }
        }
        text
    }

    fn is_run(&self) -> bool {
        self.result.is_ok() && self.unexplained.is_none()
    }

    /// The answer, in a sentence.
    fn headline(&self) -> String {
        let name = &self.model.input.name;
        match (&self.result, self.unexplained) {
            (Ok(_), None) => {
                let each = match self.trace.steps.len() {
                    0 => "",
                    1 => ", which is possible",
                    _ => ", each of them possible",
                };
                format!("A run of {name}: {}{each}.", length(&self.model.system, self.trace))
            }
            (Ok(_), Some(step)) => {
                format!("Not a run of {name}: step {step} is not possible: {UNEXPLAINED}.")
            }
            (Err(Rejected { step: 0, .. }), _) => {
                format!("Not a run of {name}: it does not start in an initial state.")
            }
            (Err(Rejected { step, .. }), _) => {
                let Step { transition, arguments, .. } = &self.trace.steps[step - 1];
                let call = call(&self.model.system, transition, arguments);
                format!("Not a run of {name}: step {step} is not possible: {call}")
            }
        }
    }

    /// What there is to say about the states of a run, or about the step that is not possible; each a
    /// paragraph.
    fn remarks(&self) -> Vec<String> {
        let name = &self.model.input.name;
        let run = match &self.result {
            Ok(_) if self.unexplained.is_some() => return Vec::new(),
            Ok(run) => run,
            Err(rejected) => return vec![self.reason(rejected)],
        };
        let tell = |one: &Violation, when: &str| {
            let state = run.states.get(one.state);
            violation(&self.model.system, name, &self.lines, one, state, when)
        };
        let mut remarks: Vec<String> =
            run.violations.iter().map(|one| tell(one, "in the last state")).collect();
        if remarks.is_empty() {
            remarks.push("The last state violates no unsafe clause and no invariant.\n".to_owned());
        }
        let earlier = first_of_each(&run.earlier_violations);
        remarks.extend(earlier.iter().map(|one| tell(one, &format!("already {}", when(one)))));
        remarks
    }

    fn page(&self, name: &str) -> Page<'_, WithTrace<'_>> {
        let possible = self.result.as_ref().err().map(|rejected| rejected.step.saturating_sub(1));
        let steps = &self.trace.steps[..possible.unwrap_or(self.trace.steps.len())];
        let trace = Trace { steps: steps.to_vec(), ..self.trace.clone() };
        Page {
            command: "replay",
            model: self.model,
            tone: if self.is_run() { Tone::Good } else { Tone::Bad },
            headline: self.headline(),
            notes: self.remarks(),
            report: WithTrace { judged: self, trace: to_json(&self.model.system, &trace) },
            text: self.to_text(name),
            graph: None,
            run: self.is_run().then_some(self.trace),
        }
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

    /// Why it is not a run.
    fn reason(&self, rejected: &Rejected) -> String {
        let mut text = String::new();
        match &rejected.reason {
            Rejection::NotInitial(clause) => {
                text += "  An `init` clause does not hold:\n";
                text += &reasons(&self.lines, &clause.reasons, self.model.system.init[clause.clause].origin);
            }
            Rejection::NoStep { transition, rejections } => {
                let known = self.model.system.transitions.iter().filter(|known| known.name == *transition);
                for (known, rejection) in known.zip(rejections) {
                    if rejections.len() > 1 {
                        let line = self.lines.position(known.origin.0.start).line;
                        let name = self.model.system.transition_in_words(transition);
                        let _ = writeln!(text, "By the transition `{name}` in line {line}:");
                    }
                    text += &self.step_rejected(known, rejection);
                }
            }
            other => text += &indented(&other.to_string()),
        }
        text
    }

    fn step_rejected(&self, known: &Transition, rejection: &StepRejected) -> String {
        match rejection {
            StepRejected::GuardFails(failing) => {
                format!("  its guard does not hold:\n{}", reasons(&self.lines, failing, known.origin))
            }
            other => indented(&other.to_string()),
        }
    }
}
