//! `polycube verify`: whether a bad state is reachable, for any number of processes.

mod cube;
mod drawing;
mod graph;
mod json;
mod reason;
pub(super) mod refusal;
pub(super) mod report;

use std::path::{Path, PathBuf};
use std::time::Instant;

use polycube_certificate::Invariant;
use polycube_certificate::smtlib::{Room, Script};
use polycube_engine::backward::{self, Invariants, Limits, Observer, Options, Progress, Verification};
use polycube_engine::cube::vocabulary::Unsupported;
use polycube_engine::engine::verify;
use polycube_engine::oracle::Plan;
use polycube_language::System;

use super::Outcome;
use super::certificate::script_bytes;
use super::cut_off;
use super::model::{Limited, Model, read_limited, refuse};
use super::progress::ProgressLine;
use super::stop::{self, Stop};
use crate::arguments::{Format, SearchArguments, VerifyArguments};
use crate::certificate::Certificate;
use crate::certificate::directory::{Directory, Impossible};
use crate::console::Console;
use crate::recheck::{Failed, Rechecked, recheck, write_report};
use crate::report::number::{counted, grouped, rate, seconds};
use crate::report::trace::processes;
use crate::tool;

use drawing::Drawing;
use report::{Asked, Report, known};

pub(super) fn run(arguments: &VerifyArguments, console: &mut Console) -> Outcome {
    let format = arguments.format;
    let drawing =
        match arguments.graph.as_ref().map(|file| Drawing::prepare(file, arguments.force)).transpose() {
            Ok(drawing) => drawing,
            Err(impossible) => {
                refuse(&impossible.reason, impossible.help.as_deref(), format, console);
                return Outcome::Wrong;
            }
        };
    let directory = arguments.certificate.as_ref().map(|path| Directory::prepare(path, arguments.force));
    let directory = match directory.transpose() {
        Ok(directory) => directory,
        Err(impossible) => {
            refuse(&impossible.reason, impossible.help.as_deref(), format, console);
            return Outcome::Wrong;
        }
    };
    let resources = &arguments.resources;
    let Some(Limited { model, stop, bytes }) = read_limited(&arguments.file, resources, format, console)
    else {
        return Outcome::Wrong;
    };
    if let Err(nothing) = something_to_verify(&model.system, arguments.trust_invariants) {
        refuse(nothing, Some(SOMETHING), format, console);
        return Outcome::Wrong;
    }
    stop.watch_signals();
    let options = Options {
        invariants: if arguments.trust_invariants { Invariants::Trust } else { Invariants::Prove },
        graph: drawing.is_some(),
        ..options(&arguments.how, resources.threads(), bytes, &stop)
    };
    let asked =
        Asked { how: &arguments.how, show_invariant: arguments.show_invariant, timeout: resources.timeout };
    let found = match search(&model, asked, &options, &stop, format, console) {
        Ok(found) => found,
        Err(unsupported) => {
            refusal::report(&model, &unsupported, format, console);
            return Outcome::Wrong;
        }
    };
    // The judge looks at every run once more.
    let (apart, so_far) = (console.another(), found.seconds);
    let cut_off = |reason| end_without_answer(&model, asked, &options, so_far, reason, format, apart);
    let new = || Report::new(&model, asked, &options, &found, stop.reason());
    let mut report = stop.guard(stop::GRACE, cut_off, new);
    // What rests on clauses that were taken as given does not follow from the invariant.
    if report.is_safe() && !arguments.trust_invariants && !arguments.no_recheck {
        let apart = console.another();
        let cut_off = |reason| {
            let mut report = Report::new(&model, asked, &options, &found, reason);
            report.rechecked = Some(Rechecked::nothing(&model.system, &report.claimed()));
            report.is_cut_off = true;
            cut_off::end(&report.print(format), format, report.outcome(), apart)
        };
        let rechecked = stop.guard(stop::GRACE, cut_off, || second_check(&report, &stop, console));
        let Some(rechecked) = rechecked else { return Outcome::Bug };
        report.rechecked = Some(rechecked);
        report.stopped_by = stop.reason();
    }
    let written = match (&directory, report.is_safe()) {
        (Some(directory), true) => Some(certify(&report, directory, &stop, console)),
        _ => None,
    };
    let written = match written.transpose() {
        Ok(written) => Ok(written),
        Err(NoCertificate::Bug) => return Outcome::Bug,
        Err(NoCertificate::Impossible(impossible)) => Err(impossible),
        Err(NoCertificate::Stopped(reason)) => {
            let why = cut_off::describe(reason, resources.timeout, bytes);
            Err(Impossible { reason: format!("no certificate was written: {why}"), help: None })
        }
    };
    if let Ok(Some(certificate)) = &written {
        report.certificate = Some(certificate);
    }
    match format {
        Format::Human => console.print(&report.print(format)),
        Format::Json => console.pass_on(&report.print(format)),
    }
    if let Err(impossible) = &written {
        console.remark(&crate::report::error(&impossible.reason, impossible.help.as_deref()));
        return Outcome::Wrong;
    }
    if let Some(drawing) = drawing
        && !draw(&drawing, &report, format, console)
    {
        return Outcome::Wrong;
    }
    report.outcome()
}

/// What to do about a model without properties.
pub(super) const SOMETHING: &str =
    "say which states must not be reached, for example: unsafe (p q) { Inside[p] && Inside[q] }";

/// What the engines are told.
pub(super) fn options(how: &SearchArguments, threads: usize, bytes: Option<usize>, stop: &Stop) -> Options {
    Options {
        order: how.search.into(),
        threads,
        limits: Limits { nodes: how.max_nodes, depth: how.max_depth, bytes },
        candidates: how.max_candidates,
        interrupt: stop.flag(),
        ..Options::default()
    }
}

/// What was found, and how long that took.
pub(super) struct Found {
    pub(super) verification: Verification,
    pub(super) seconds: f64,
}

/// Reports that a search was cut off, and ends the program.
fn end_without_answer(
    model: &Model,
    asked: Asked<'_>,
    options: &Options,
    seconds: f64,
    reason: stop::Reason,
    format: Format,
    console: Console,
) -> ! {
    let verification = Verification::nothing(&model.system, &backward::Reason::Interrupted);
    let found = Found { verification, seconds };
    let mut report = Report::new(model, asked, options, &found, reason);
    report.is_cut_off = true;
    cut_off::end(&report.print(format), format, Outcome::Unknown, console)
}

/// Verifies a model. If that does not end when it should, it is cut off.
pub(super) fn search(
    model: &Model,
    asked: Asked<'_>,
    options: &Options,
    stop: &Stop,
    format: Format,
    console: &mut Console,
) -> Result<Found, Unsupported> {
    let start = Instant::now();
    let apart = console.another();
    let cut_off = |reason| {
        end_without_answer(model, asked, options, start.elapsed().as_secs_f64(), reason, format, apart)
    };
    let plan = Plan { processes: asked.how.procs, depth: asked.how.forward_depth };
    let verification = stop.guard(stop::GRACE, cut_off, || {
        let mut line = ProgressLine::new(console);
        verify(&model.system, asked.how.engine.into(), options, plan, &mut line)
    })?;
    Ok(Found { verification, seconds: start.elapsed().as_secs_f64() })
}

/// Checks the invariant once more. If it is not inductive, says so, leaves a file that helps to find out why, and returns
/// nothing.
fn second_check(report: &Report<'_>, stop: &Stop, console: &mut Console) -> Option<Rechecked> {
    let (system, invariant) = (report.system(), report.claimed());
    let mut line = ProgressLine::new(console);
    let rechecked =
        recheck(system, &invariant, report.options.threads, &|| !stop.is_set(), &mut |done, all| {
            line.show(|elapsed| format!("rechecking, {done} of {all} parts, {}", seconds(elapsed)));
        });
    drop(line);
    rechecked.map_err(|failed| say_bug(&failed, report, &invariant, console)).ok()
}

/// Says that an invariant is not inductive, and leaves a file that helps to find out why.
fn say_bug(failed: &Failed, report: &Report<'_>, invariant: &Invariant, console: &mut Console) {
    let (model, system) = (&report.model.input, report.system());
    let what = failed.obligation.describe(system);
    let text = failed.report(system, invariant, &model.name, &model.text);
    let reported = format!("it reported an invariant for {} that is not inductive", model.name);
    let please = please_report(&text);
    console.remark(&format!("{} has a bug: {reported}. It is not true that {what}.\n{please}", tool()));
}

/// Leaves a report about a bug, and says where.
pub(super) fn please_report(text: &str) -> String {
    match write_report(text, &[Path::new("."), &std::env::temp_dir()]) {
        Some(path) => format!("Please report this, with the file {}.\n", path.display()),
        None => format!("Please report this, with the following text.\n\n{text}"),
    }
}

/// Why there is no certificate.
pub(super) enum NoCertificate {
    /// The invariant is not inductive. That was said.
    Bug,
    /// It cannot be written.
    Impossible(Impossible),
    /// Time or memory was up, or the user stopped it.
    Stopped(stop::Reason),
}

/// Writes a certificate.
pub(super) fn certify(
    report: &Report<'_>,
    directory: &Directory,
    stop: &Stop,
    console: &mut Console,
) -> Result<Written, NoCertificate> {
    let goes_on = || !stop.is_set();
    let mut line = ProgressLine::new(console);
    let certificate = report.to_certificate(&goes_on, &mut |done, all| {
        line.show(|elapsed| {
            format!("preparing the certificate, {done} of {all} parts, {}", seconds(elapsed))
        });
    });
    drop(line);
    let certificate = certificate.map_err(|failed| {
        say_bug(&failed, report, &report.claimed(), console);
        NoCertificate::Bug
    })?;
    let room = Room::new(script_bytes(report.options.limits.bytes), &goes_on);
    let scripts = match certificate.scripts(&room) {
        _ if stop.is_set() => return Err(NoCertificate::Stopped(stop.reason())),
        Ok(scripts) => scripts,
        Err(_) => {
            let reason = "the certificate would be too large for the memory that may be used (--max-memory)";
            let reason = reason.to_owned();
            return Err(NoCertificate::Impossible(Impossible { reason, help: None }));
        }
    };
    directory.write(&certificate.files(&scripts)).map_err(NoCertificate::Impossible)?;
    Ok(Written { certificate, scripts, directory: directory.name().to_owned() })
}

/// A certificate that was written.
pub(super) struct Written {
    pub(super) certificate: Certificate,
    pub(super) scripts: Vec<Script>,
    pub(super) directory: PathBuf,
}

/// Whether there is a question at all.
pub(super) fn something_to_verify(system: &System, trusts: bool) -> Result<(), &'static str> {
    if system.properties.is_empty() {
        Err("there is nothing to verify: the model has no `unsafe` clause")
    } else if trusts && system.unsafe_clauses().next().is_none() {
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
