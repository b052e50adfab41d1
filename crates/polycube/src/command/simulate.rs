//! `polycube simulate`: runs a model step by step, at random or by hand.

mod choice;
mod completion;
mod request;
mod session;
mod walk;
mod why;

use std::path::Path;

use polycube_certificate::{Violation, replay};
use polycube_engine::compile::domain::Bounds;
use polycube_language::System;
use polycube_language::span::Lines;
use serde::Serialize;

use self::walk::Walk;
use super::files::{Files, Ran};
use super::model::read_model;
use super::replay::read_trace;
use super::{Outcome, Refusal};
use crate::arguments::{Format, SimulateArguments};
use crate::console::Console;
use crate::input::Impossible;
use crate::model::Model;
use crate::random::Random;
use crate::report::html::{Page, Tone};
use crate::report::itf::Named;
use crate::report::json_trace::{TraceText, ViolationText, to_json, violations_to_json};
use crate::report::trace::{first_of_each, trace as table, violation, when};
use crate::report::{counted, json};

pub(super) fn run(arguments: &SimulateArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let format = arguments.format;
    if arguments.interactive && arguments.file.as_os_str() == "-" {
        let message = "the model and the commands cannot both be read from standard input";
        return Err(Impossible::new(message).or("name the file of the model").into());
    }
    let from_standard_input = arguments.from.as_ref().is_some_and(|file| file.as_os_str() == "-");
    if from_standard_input && (arguments.interactive || arguments.file.as_os_str() == "-") {
        let message = "the run cannot be read from standard input, where something else is read";
        return Err(Impossible::new(message).or("name the file of the run").into());
    }
    let files = Files::prepare(&arguments.files)?;
    let model = read_model(&arguments.file, arguments.murphi.for_one_instance(), format, console)?;
    let bounds = arguments.instance.bounds();
    let mut random = Random::new(arguments.seed);
    let mut walk = match &arguments.from {
        Some(file) => go_on(&model.system, file, arguments.at, &bounds)?,
        None => {
            let processes = arguments.instance.processes(&model)?;
            Walk::start(&model.system, processes, &bounds, &mut random)?
        }
    };
    if arguments.interactive {
        session::run(&model, walk, random, console);
        return Ok(Outcome::Success);
    }
    let loaded = walk.len();
    let found = wander(&mut walk, arguments.steps, &mut random);
    let text = || to_text(&model, &walk, loaded, &found, arguments);
    let report = || Report {
        trace: to_json(&model.system, &walk.trace),
        violations: violations_to_json(&model.system, &Lines::new(&model.input.text), &found.violations),
        deadlock: found.deadlock,
    };
    match format {
        Format::Human => console.print(&text()),
        Format::Json => console.pass_on(&json::print(&report())),
    }
    let page = || Page {
        command: "simulate",
        model: &model,
        tone: if found.violations.is_empty() { Tone::Plain } else { Tone::Bad },
        headline: headline(&model, &walk, loaded, arguments.seed),
        notes: remarks(&model, &walk, &found),
        report: report(),
        text: text(),
        graph: None,
        run: Some(&walk.trace),
    };
    let run = Ran { trace: &walk.trace, end: remarks(&model, &walk, &found).pop() };
    Ok(files.finish(&model, page, Some(&run), (Outcome::Success, format), console))
}

/// A walk that goes on from a run in a file: from its end, or from behind this step.
fn go_on<'s>(
    system: &'s System,
    file: &Path,
    step: Option<usize>,
    bounds: &'s Bounds,
) -> Result<Walk<'s>, Refusal> {
    let (Named { trace, unexplained }, _, name) = read_trace(system, file, "loaded")?;
    if let Some(step) = unexplained {
        let reason = format!("`{name}` is not a run of this model: no transition is step {step}");
        return Err(Impossible::new(reason).into());
    }
    let mut walk = Walk::resume(system, &trace, bounds).map_err(|Impossible { reason, .. }| {
        let help = "`polycube replay` says more";
        Impossible::new(format!("`{name}` is not a run of this model: {reason}")).or(help)
    })?;
    if let Some(step) = step {
        let Some(back) = walk.len().checked_sub(step) else {
            let steps = counted(walk.len(), "step");
            return Err(Impossible::new(format!("there is no step {step}: `{name}` has {steps}")).into());
        };
        (0..back).for_each(|_| _ = walk.undo());
    }
    Ok(walk)
}

struct Found {
    /// For each property, the first state that violates it.
    violations: Vec<Violation>,
    /// Whether it ended early because no transition was possible.
    deadlock: bool,
}

#[derive(Serialize)]
struct Report {
    trace: TraceText,
    violations: Vec<ViolationText>,
    deadlock: bool,
}

/// Takes this many random steps, or fewer where no more are possible.
fn wander(walk: &mut Walk<'_>, steps: usize, random: &mut Random) -> Found {
    let before = replay(walk.system(), &walk.trace).map_or_else(|_| Vec::new(), |run| run.earlier_violations);
    let mut violations = [before, walk.violations()].concat();
    let mut deadlock = false;
    for _ in 0..steps {
        if walk.step_at_random(random).is_none() {
            deadlock = true;
            break;
        }
        violations.extend(walk.violations());
    }
    Found { violations: first_of_each(&violations), deadlock }
}

fn to_text(
    model: &Model,
    walk: &Walk<'_>,
    loaded: usize,
    found: &Found,
    arguments: &SimulateArguments,
) -> String {
    let table = table(&model.system, &walk.trace, arguments.run.detail());
    let headline = headline(model, walk, loaded, arguments.seed);
    format!("{table}\n{headline}\n{}", remarks(model, walk, found).concat())
}

fn headline(model: &Model, walk: &Walk<'_>, loaded: usize, seed: u64) -> String {
    let name = &model.input.name;
    match loaded {
        0 => format!("A random run of {name} (seed {seed}): {}.", counted(walk.len(), "step")),
        _ => {
            let (loaded, more) = (counted(loaded, "step"), walk.len() - loaded);
            format!("A run of {name}: {loaded} as loaded, then {more} at random (seed {seed}).")
        }
    }
}

/// What there is to say about states of the run, in lines.
fn remarks(model: &Model, walk: &Walk<'_>, found: &Found) -> Vec<String> {
    let (name, lines) = (&model.input.name, Lines::new(&model.input.text));
    let deadlock = found.deadlock.then(|| "Then no transition is possible.\n".to_owned());
    let run = replay(&model.system, &walk.trace).ok();
    let violations = found.violations.iter().map(|one| {
        let state = run.as_ref().and_then(|run| run.states.get(one.state));
        violation(&model.system, name, &lines, one, state, &when(one))
    });
    deadlock.into_iter().chain(violations).collect()
}
