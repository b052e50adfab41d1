//! `polycube simulate`: runs a model step by step, at random or by hand.

mod session;
mod walk;
mod why;

use std::fmt::Write;

use polycube_certificate::Violation;
use polycube_language::span::Lines;
use serde::Serialize;

use self::walk::Walk;
use super::files::{Files, Ran};
use super::model::read_model;
use super::{Outcome, Refusal};
use crate::arguments::{Format, SimulateArguments};
use crate::console::Console;
use crate::input::Impossible;
use crate::model::Model;
use crate::random::Random;
use crate::report::html::{Page, Tone};
use crate::report::json_trace::{TraceText, ViolationText, to_json, violations_to_json};
use crate::report::trace::{first_of_each, trace as table, violation, when};
use crate::report::{counted, json};

pub(super) fn run(arguments: &SimulateArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let format = arguments.format;
    if arguments.interactive && arguments.file.as_os_str() == "-" {
        let message = "the model and the commands cannot both be read from standard input";
        return Err(Impossible::new(message).or("name the file of the model").into());
    }
    let files = Files::prepare(&arguments.files)?;
    let model = read_model(&arguments.file, format, console)?;
    let bounds = arguments.instance.bounds();
    let mut random = Random::new(arguments.seed);
    let processes = arguments.instance.processes(&model.system);
    let mut walk = Walk::start(&model.system, processes, &bounds, &mut random)?;
    if arguments.interactive {
        session::run(&model, walk, random, console);
        return Ok(Outcome::Success);
    }
    let found = wander(&mut walk, arguments.steps, &mut random);
    let text = || to_text(&model, &walk, &found, arguments.seed);
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
        headline: headline(&model, &walk, arguments.seed),
        notes: remarks(&model, &found),
        report: report(),
        text: text(),
        graph: None,
        run: Some(&walk.trace),
    };
    let run = Ran { trace: &walk.trace, end: remarks(&model, &found).pop() };
    Ok(files.finish(&model, page, Some(&run), (Outcome::Success, format), console))
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
    let mut violations = walk.violations();
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

fn to_text(model: &Model, walk: &Walk<'_>, found: &Found, seed: u64) -> String {
    let mut text = table(&model.system, &walk.trace);
    let _ = writeln!(text, "\n{}", headline(model, walk, seed));
    text + &remarks(model, found).concat()
}

fn headline(model: &Model, walk: &Walk<'_>, seed: u64) -> String {
    format!("A random run of {} (seed {seed}): {}.", model.input.name, counted(walk.len(), "step"))
}

/// What there is to say about states of the run, in lines.
fn remarks(model: &Model, found: &Found) -> Vec<String> {
    let lines = Lines::new(&model.input.text);
    let deadlock = found.deadlock.then(|| "Then no transition is possible.\n".to_owned());
    let violations = found.violations.iter();
    let violations =
        violations.map(|one| violation(&model.system, &model.input.name, &lines, one, &when(one)));
    deadlock.into_iter().chain(violations).collect()
}
