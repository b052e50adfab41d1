//! `polycube simulate`: runs a model step by step, at random or by hand.

mod session;
mod walk;
mod why;

use std::fmt::Write;

use polycube_certificate::{Violation, replay};
use polycube_language::span::Lines;
use serde::Serialize;

use self::walk::Walk;
use super::model::read_model;
use super::{Outcome, Refusal};
use crate::arguments::{Format, SimulateArguments};
use crate::console::Console;
use crate::input::Impossible;
use crate::model::Model;
use crate::random::Random;
use crate::report::json_trace::{TraceText, ViolationText, to_json, violations_to_json};
use crate::report::trace::{first_of_each, trace as table, violation, when};
use crate::report::{counted, json};

pub(super) fn run(arguments: &SimulateArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let format = arguments.format;
    if arguments.interactive && arguments.file.as_os_str() == "-" {
        let message = "the model and the commands cannot both be read from standard input";
        return Err(Impossible::new(message).or("name the file of the model").into());
    }
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
    match format {
        Format::Human => console.print(&to_text(&model, &walk, &found, arguments)),
        Format::Json => {
            let lines = Lines::new(&model.input.text);
            console.pass_on(&json::print(&Report {
                trace: to_json(&model.system, &walk.trace),
                violations: violations_to_json(&model.system, &lines, &found.violations),
                deadlock: found.deadlock,
            }));
        }
    }
    Ok(Outcome::Success)
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

fn to_text(model: &Model, walk: &Walk<'_>, found: &Found, arguments: &SimulateArguments) -> String {
    let (name, seed) = (&model.input.name, arguments.seed);
    let mut text = table(&model.system, &walk.trace, arguments.run.detail());
    let _ = writeln!(text, "\nA random run of {name} (seed {seed}): {}.", counted(walk.len(), "step"));
    if found.deadlock {
        text += "Then no transition is possible.\n";
    }
    let lines = Lines::new(&model.input.text);
    let run = replay(&model.system, &walk.trace).ok();
    for one in &found.violations {
        let state = run.as_ref().and_then(|run| run.states.get(one.state));
        text += &violation(&model.system, name, &lines, one, state, &when(one));
    }
    text
}
