//! `polycube simulate`: runs a model step by step, at random or by hand.

mod session;
mod walk;
mod why;

use std::fmt::Write;

use polycube_certificate::Violation;
use polycube_language::span::Lines;
use serde::Serialize;

use self::walk::Walk;
use super::Outcome;
use super::model::{read_model, refuse};
use crate::arguments::{Format, SimulateArguments};
use crate::console::Console;
use crate::model::Model;
use crate::random::Random;
use crate::report::json_trace::{TraceText, ViolationText, to_json, violation_to_json};
use crate::report::trace::{trace as table, violation, when};
use crate::report::{counted, json};

pub(super) fn run(arguments: &SimulateArguments, console: &mut Console) -> Outcome {
    let format = arguments.format;
    if arguments.interactive && arguments.file.as_os_str() == "-" {
        let message = "the model and the commands cannot both be read from standard input";
        refuse(message, Some("name the file of the model"), format, console);
        return Outcome::Wrong;
    }
    let Some(model) = read_model(&arguments.file, format, console) else { return Outcome::Wrong };
    let bounds = arguments.instance.bounds();
    let mut random = Random::new(arguments.seed);
    let processes = arguments.instance.processes(&model.system);
    let mut walk = match Walk::start(&model.system, processes, &bounds, &mut random) {
        Ok(walk) => walk,
        Err(no_start) => {
            refuse(&no_start.reason, no_start.help.as_deref(), format, console);
            return Outcome::Wrong;
        }
    };
    if arguments.interactive {
        session::run(&model, walk, random, console);
        return Outcome::Success;
    }
    let found = wander(&mut walk, arguments.steps, &mut random);
    match format {
        Format::Human => console.print(&to_text(&model, &walk, &found, arguments.seed)),
        Format::Json => {
            let lines = Lines::new(&model.input.text);
            let violations = found.violations.iter();
            console.pass_on(&json::print(&Report {
                trace: to_json(&model.system, walk.trace()),
                violations: violations.map(|one| violation_to_json(&model.system, &lines, one)).collect(),
                deadlock: found.deadlock,
            }));
        }
    }
    Outcome::Success
}

/// What a random walk came across.
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
    let mut found = Found { violations: walk.violations(), deadlock: false };
    for _ in 0..steps {
        if walk.step_at_random(random).is_none() {
            found.deadlock = true;
            break;
        }
        let known = |new: &Violation| found.violations.iter().any(|old| old.property == new.property);
        let new: Vec<Violation> = walk.violations().into_iter().filter(|new| !known(new)).collect();
        found.violations.extend(new);
    }
    found
}

fn to_text(model: &Model, walk: &Walk<'_>, found: &Found, seed: u64) -> String {
    let name = &model.input.name;
    let mut text = table(&model.system, walk.trace());
    let _ = writeln!(text, "\nA random run of {name} (seed {seed}): {}.", counted(walk.len(), "step"));
    if found.deadlock {
        text += "Then no transition is possible.\n";
    }
    let lines = Lines::new(&model.input.text);
    for one in &found.violations {
        text += &violation(&model.system, name, &lines, one, &when(one));
    }
    text
}
