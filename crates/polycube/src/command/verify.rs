//! `polycube verify`: whether a bad state is reachable, for any number of processes.

mod cube;
mod drawing;
mod graph;
mod json;
mod reason;
mod refusal;
mod report;

use std::time::Instant;

use polycube_engine::backward::{Invariants, Limits, Observer, Options, Progress};
use polycube_engine::brab::instances::Plan;
use polycube_engine::engine::verify;
use polycube_language::System;

use super::Outcome;
use super::model::{read_model, refuse};
use super::progress::ProgressLine;
use super::stop::Stop;
use crate::arguments::{Format, VerifyArguments};
use crate::console::Console;
use crate::report::json::print;
use crate::report::number::{counted, grouped, rate};
use crate::report::trace::processes;

use drawing::Drawing;
use report::{Report, known};

pub(super) fn run(arguments: &VerifyArguments, console: &mut Console) -> Outcome {
    let format = arguments.format;
    let drawing = match arguments.graph.as_ref().map(|file| Drawing::prepare(file, arguments.force)) {
        None => None,
        Some(Ok(drawing)) => Some(drawing),
        Some(Err(impossible)) => {
            refuse(&impossible.reason, impossible.help.as_deref(), format, console);
            return Outcome::Wrong;
        }
    };
    let Some(model) = read_model(&arguments.file, format, console) else { return Outcome::Wrong };
    if let Err(nothing) = something_to_verify(&model.system, arguments) {
        let help =
            "say which states must not be reached, for example: unsafe (p q) { Inside[p] && Inside[q] }";
        refuse(nothing, Some(help), format, console);
        return Outcome::Wrong;
    }
    let stop = Stop::new(arguments.resources.timeout);
    let options = Options {
        order: arguments.search.into(),
        threads: arguments.resources.threads(),
        limits: Limits {
            nodes: arguments.max_nodes,
            depth: arguments.max_depth,
            bytes: arguments.resources.bytes(),
        },
        invariants: if arguments.trust_invariants { Invariants::Trust } else { Invariants::Prove },
        candidates: arguments.max_candidates,
        graph: drawing.is_some(),
        interrupt: stop.flag(),
        ..Options::default()
    };
    let start = Instant::now();
    let plan = Plan { processes: arguments.procs, depth: arguments.forward_depth };
    let engine = arguments.engine.into();
    let result = verify(&model.system, engine, &options, plan, &mut ProgressLine::new(console));
    let seconds = start.elapsed().as_secs_f64();
    let verification = match result {
        Ok(verification) => verification,
        Err(unsupported) => {
            refusal::report(&model, &unsupported, format, console);
            return Outcome::Wrong;
        }
    };
    let report = Report::new(&model, arguments, &options, &verification, stop.reason(), seconds);
    match format {
        Format::Human => console.print(&report.to_text()),
        Format::Json => console.pass_on(&print(&report.to_json())),
    }
    if let Some(drawing) = drawing
        && !draw(&drawing, &report, format, console)
    {
        return Outcome::Wrong;
    }
    report.outcome()
}

/// Whether there is a question at all.
fn something_to_verify(system: &System, arguments: &VerifyArguments) -> Result<(), &'static str> {
    if system.properties.is_empty() {
        Err("there is nothing to verify: the model has no `unsafe` clause")
    } else if arguments.trust_invariants && system.unsafe_clauses().next().is_none() {
        Err("there is nothing to verify: the model has no `unsafe` clause, and its invariants are trusted")
    } else {
        Ok(())
    }
}

/// Draws the graph of the search. Reports what became of it; the file itself is the result, so a failure is
/// a remark also beside JSON.
fn draw(drawing: &Drawing<'_>, report: &Report<'_>, format: Format, console: &mut Console) -> bool {
    let graph = report.verification.graph.as_ref().expect("an engine returns the graph that is asked for");
    let nodes = graph.nodes.len();
    if format == Format::Human && nodes > drawing::MANY {
        let count = grouped(nodes as u64);
        console.remark(&format!(
            "note: the graph has {count} nodes: drawing it may take long, and few will read it\n"
        ));
    }
    match drawing.write(&graph::to_dot(report, graph)) {
        Ok(()) => {
            if format == Format::Human {
                let (count, path) = (counted(nodes as u64, "node"), drawing.path().display());
                console.print(&format!("The graph of the search, {count}, is in {path}.\n"));
            }
            true
        }
        Err(impossible) => {
            console.remark(&crate::report::error(&impossible.reason, impossible.help.as_deref()));
            false
        }
    }
}

impl Observer for ProgressLine<'_> {
    fn progress(&mut self, progress: &Progress) {
        let found = &progress.statistics;
        self.show(|seconds| {
            let exploring =
                progress.exploring.map(|states| format!(", exploring: {}", counted(states, "state")));
            format!(
                "{}, {} waiting, depth {}, {}, {} covered, {}{}",
                counted(found.nodes, "node"),
                grouped(progress.queue),
                found.depth,
                processes(found.processes),
                grouped(known(found)),
                rate(found.nodes, "nodes", seconds),
                exploring.unwrap_or_default(),
            )
        });
    }
}
