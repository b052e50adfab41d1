//! `polycube induct`: whether clauses are inductive together, and what to add if they are not.

mod html;
mod json;
mod look;
mod report;
mod session;

use polycube_certificate::Clause;
use polycube_language::System;
use polycube_language::suggest::nearest;
use polycube_murphi::Request;

use self::look::{Asked, Look};
use super::files::Files;
use super::model::{Limited, read_limited};
use super::output::Target;
use super::stop::{self, Stop};
use super::{Outcome, Refusal, cut_off};
use crate::arguments::InductArguments;
use crate::console::Console;
use crate::input::{Impossible, Input};
use crate::model::Model;
use crate::report::cube::{is_readable, written};
use crate::report::trace::rules;

pub(super) fn run(arguments: &InductArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let format = arguments.format;
    if arguments.interactive && arguments.file.as_os_str() == "-" {
        let message = "the model and the answers cannot both be read from standard input";
        return Err(Impossible::new(message).or("name the file of the model").into());
    }
    // What can go wrong before the work should.
    let target = arguments.apply.as_deref().map(|file| Target::prepare(file, arguments.force)).transpose()?;
    let files = Files::page(arguments.html.as_deref(), arguments.force)?;
    let resources = &arguments.resources;
    let Limited { model, stop, bytes } =
        read_limited(&arguments.file, arguments.murphi.for_every_number(), resources, format, console)?;
    something_to_prove(&model.system)?;
    let asked = Asked {
        clause: arguments.clause.map(|number| known_clause(&model.system, number)).transpose()?,
        transition: arguments
            .transition
            .as_deref()
            .map(|name| known_transition(&model.system, name))
            .transpose()?,
        all: arguments.all,
        processes: arguments.procs,
        threads: resources.threads(),
        bytes,
        stop: &stop,
    };
    if arguments.interactive {
        return session::run(&model, &asked, arguments.murphi.for_every_number(), target, console);
    }
    stop.watch_signals();
    let apart = console.another();
    let cut_off = |reason| {
        let text = report::cut_off(&model.input.name, &stop.describe(), cut_off::code(reason), format);
        cut_off::end(&text, format, Outcome::Unknown, apart)
    };
    let look = stop.guard(stop::GRACE, cut_off, || Look::at(&model, &asked, &[], console))?;
    if let Some(target) = target {
        target.write(with_clauses(&model, look.first_suggestions()).as_bytes())?;
    }
    let applied = arguments.apply.as_deref();
    console.report(&look.print(format, applied), format);
    Ok(files.finish(&model, || look.page(applied), None, (look.outcome(), format), console))
}

/// For a clause that is not decided: a step that leads to its states, and what to claim so that it cannot happen.
pub(super) fn way_out(
    model: &Model,
    clause: usize,
    threads: usize,
    bytes: Option<usize>,
    stop: &Stop,
    console: &mut Console,
) -> Option<String> {
    let asked =
        Asked { clause: Some(clause), transition: None, all: false, processes: None, threads, bytes, stop };
    let look = Look::at(model, &asked, &[], console).ok()?;
    if look.runs.is_empty() { look.show(0) } else { None }
}

fn something_to_prove(system: &System) -> Result<(), Impossible> {
    if system.properties.is_empty() {
        let help = "say what should never hold, for example: invariant (p q) { Inside[p] && Inside[q] }";
        let nothing = "there is nothing to look at: the model has no `unsafe` or `invariant` clause";
        return Err(Impossible::new(nothing).or(help));
    }
    Ok(())
}

/// The clause with this number, from 0.
fn known_clause(system: &System, number: u32) -> Result<usize, Impossible> {
    let count = system.properties.len();
    let known = (number as usize).checked_sub(1).filter(|&clause| clause < count);
    known.ok_or_else(|| {
        let numbers =
            if count == 1 { "1 is its only one".to_owned() } else { format!("they are 1 to {count}") };
        Impossible::new(format!("the model has no clause {number}")).or(format!(
            "the `unsafe` and `invariant` clauses are counted in the order of the model: {numbers}"
        ))
    })
}

/// The transitions with this name.
fn known_transition(system: &System, name: &str) -> Result<String, Impossible> {
    let names = rules(system, 0..system.transitions.len());
    if names.iter().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    let unknown = Impossible::new(format!("the model has no transition `{name}`"));
    Err(match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => unknown.or(format!("did you mean {near}?")),
        None => unknown.or(format!("it has {}", names[..names.len().min(8)].join(", "))),
    })
}

/// Why a clause cannot be written into a file.
const NAMELESS: &str = "it speaks of values that have no name in Murphi";

/// The text of the model with further clauses.
fn with_clauses<'c>(model: &Model, clauses: impl IntoIterator<Item = &'c Clause>) -> String {
    let mut text = model.input.text.trim_end().to_owned();
    for clause in clauses {
        let clause_text = written(&model.system, clause);
        text += &match is_readable(&model.system, clause) {
            true => format!("\n\n{clause_text}"),
            false => format!("\n\n-- This is left out, {NAMELESS}:\n-- {clause_text}"),
        };
    }
    text.push('\n');
    text
}

/// The model with further clauses.
fn model_with(model: &Model, clauses: &[Clause], request: Request<'_>) -> Result<Model, Refusal> {
    let Input { name, path, .. } = &model.input;
    let text = with_clauses(model, clauses);
    let input = Input { name: name.clone(), path: path.clone(), text, not_text: None };
    Ok(Model::of(input, request)?)
}
