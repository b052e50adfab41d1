//! `polycube verify`: whether a bad state is reachable, for any number of processes.

mod ci;
mod graph;
mod html;
mod json;
mod many;
mod reason;
pub(super) mod report;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use polycube_certificate::Invariant;
use polycube_certificate::smtlib::{Room, Script};
use polycube_engine::backward::{
    self, Answer, Invariants, Limits, Observer, Options, Progress, Verification,
};
use polycube_engine::oracle::Plan;
use polycube_language::System;
use polycube_language::words::Words;
use polycube_lean::Formulas;

use super::certificate::script_bytes;
use super::drawing::{self, Drawing};
use super::files::Files;
use super::model::{Limited, read_limited};
use super::progress::ProgressLine;
use super::stop::{self, Cause, Stop};
use super::{Outcome, Refusal, cut_off, induct};
use crate::arguments::{Format, SearchArguments, VerifyArguments};
use crate::bug::write_report;
use crate::certificate::Certificate;
use crate::certificate::directory::Directory;
use crate::console::Console;
use crate::input::Impossible;
use crate::model::{Model, Recheck, VerifyOptions};
use crate::report::number::{counted, grouped, rate, seconds};
use crate::report::trace::{paragraph, processes};
use crate::report::{diagnostics, impossible};
use crate::tool;
use crate::verified::{Failed, Rechecked, Verdict, Verified, recheck_and_read};

use graph::Extent;
use report::{Asked, Report, known};

/// How long it may take to say what may help: where time is up, and otherwise; and how much longer until that is cut
/// off.
const A_MOMENT: Duration = Duration::from_millis(500);
const A_WHILE: Duration = Duration::from_secs(5);
const GRACE_AFTER: Duration = Duration::from_millis(200);

pub(super) fn run(arguments: &VerifyArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    match (&arguments.models[..], arguments.format.plain()) {
        ([file], Some(format)) => one(file, format, arguments, console),
        _ => many::run(arguments, console),
    }
}

/// Verifies one model.
fn one(
    file: &Path,
    format: Format,
    arguments: &VerifyArguments,
    console: &mut Console,
) -> Result<Outcome, Refusal> {
    let force = arguments.files.force;
    let files = Files::prepare(&arguments.files)?;
    let mut drawing = arguments.graph.as_ref().map(|file| Drawing::prepare(file, force)).transpose()?;
    if let Some(drawing) = &mut drawing {
        drawing.patience = arguments.graph_timeout.unwrap_or(drawing.patience);
    }
    let directory = arguments.certificate.as_ref().map(|path| Directory::prepare(path, force)).transpose()?;
    let resources = &arguments.resources;
    let Limited { model, stop, bytes } =
        read_limited(file, arguments.murphi.for_every_number(), resources, format, console)?;
    something_to_verify(&model.system, arguments.trust_invariants)?;
    stop.watch_signals();
    let mut options = options(&arguments.how, resources.threads(), bytes, &stop);
    options.search.graph = drawing.is_some();
    if arguments.trust_invariants {
        options.search.invariants = Invariants::Trust;
    }
    if arguments.no_recheck {
        options.recheck = Recheck::None;
    }
    let asked = Asked {
        how: &arguments.how,
        show_invariant: arguments.show_invariant,
        detail: arguments.run.detail(),
        timeout: resources.timeout,
    };
    let mut verified = search(&model, asked, &options, &stop, format, console)?;
    // What rests on clauses that were taken as given does not follow from the invariant.
    if verified.is_safe() && !arguments.trust_invariants && options.recheck == Recheck::Complete {
        let rechecked = second_check(&verified, asked, &options, &stop, format, console);
        let Some(rechecked) = rechecked else { return Ok(Outcome::Bug) };
        verified.learn(rechecked);
    }
    if options.recheck == Recheck::Complete
        && let Err(failed) = verified.recheck_part(options.search.threads)
    {
        say_bug(&failed, &verified, &verified.invariant(), console);
        return Ok(Outcome::Bug);
    }
    let mut report = Report::new(&verified, asked, &options.search, stop.reason());
    if format == Format::Human {
        report.way_out = way_out(&report, &stop, console);
    }
    let directory = directory.filter(|_| verified.is_safe());
    let written = directory.map(|directory| certify(&report, &directory, &stop, console)).transpose();
    let (written, mut failure) = match written.map_err(|none| none.why(&stop)) {
        Ok(written) => (written, None),
        Err(Some(impossible)) => (None, Some(impossible)),
        Err(None) => return Ok(Outcome::Bug),
    };
    report.certificate = written.as_ref();
    if format == Format::Human {
        console.remark(&diagnostics(&report.vacuous(), &model.input.name, &report.lines));
    }
    console.report(&report.print(format), format);
    if let Some(drawing) = drawing.filter(|_| failure.is_none()) {
        let extent = if arguments.graph_all { Extent::All } else { Extent::Readable };
        failure = draw(&drawing, &report, extent, format, console).err();
    }
    // What is written is a result of its own, so a failure is a remark also beside JSON.
    if let Some(failure) = failure {
        console.remark(&impossible(&failure));
        return Ok(Outcome::Wrong);
    }
    let is_wrong = arguments.deny_warnings && report.warnings().warnings() > 0;
    let outcome = report.outcome();
    let outcome = if is_wrong && outcome == Outcome::Success { Outcome::Wrong } else { outcome };
    Ok(files.finish(&model, || report.page("verify"), report.run().as_ref(), (outcome, format), console))
}

pub(super) fn options(
    how: &SearchArguments,
    threads: usize,
    bytes: Option<usize>,
    stop: &Stop,
) -> VerifyOptions {
    let search = Options {
        order: how.search.into(),
        threads,
        limits: Limits { nodes: how.max_nodes, depth: how.max_depth, bytes },
        candidates: how.max_candidates,
        interrupt: stop.flag(),
        ..Options::default()
    };
    let instances = Plan { processes: how.procs, depth: how.forward_depth, ..Plan::default() };
    VerifyOptions { engine: how.engine.into(), instances, search, recheck: Recheck::Complete }
}

/// Verifies a model. If that does not end when it should, it is cut off.
pub(super) fn search<'m>(
    model: &'m Model,
    asked: Asked<'_>,
    options: &VerifyOptions,
    stop: &Stop,
    format: Format,
    console: &mut Console,
) -> Result<Verified<'m>, Refusal> {
    let start = Instant::now();
    let apart = console.another();
    let cut_off = |reason| {
        let nothing = Verification::nothing(&model.system, &backward::Reason::Interrupted);
        let verified = Verified::new(model, nothing, start.elapsed().as_secs_f64());
        let mut report = Report::new(&verified, asked, &options.search, reason);
        report.is_cut_off = true;
        cut_off::end(&report.print(format), format, Outcome::Unknown, apart)
    };
    let verified =
        stop.guard(stop::GRACE, cut_off, || model.search(options, &mut ProgressLine::new(console)));
    verified.map_err(|unsupported| Refusal::unsupported(model, &unsupported))
}

/// For the first clause that is not decided, what may help to decide it: in a moment, and not for a user who has
/// interrupted the search.
fn way_out(report: &Report<'_>, stop: &Stop, console: &mut Console) -> Option<String> {
    let is_open = |answer: &Answer| matches!(answer, Answer::Unknown(_));
    let clause = report.verified.answers().iter().position(is_open)?;
    let is_interrupted = stop.is_set() && stop.reason() != Cause::Timeout;
    // Where the search did not even begin, this would not end either.
    let has_begun = report.verified.verification.statistics.nodes > 0;
    if !matches!(report.verified.verdict(), Verdict::Unknown(_)) || is_interrupted || !has_begun {
        return None;
    }
    let bytes = report.options.limits.bytes;
    let moment = Stop::limited(Some(if stop.is_set() { A_MOMENT } else { A_WHILE }), bytes);
    let (apart, outcome) = (console.another(), report.outcome());
    let cut_off = |_| cut_off::end(&report.print(Format::Human), Format::Human, outcome, apart);
    moment.guard(GRACE_AFTER, cut_off, || {
        let (model, threads) = (report.verified.model, report.options.threads);
        induct::way_out(model, clause, threads, bytes.map(|bytes| bytes / 2), &moment, console)
    })
}

/// Checks the invariant once more. If it is not inductive, says so, leaves a file that helps to find out why,
/// and returns nothing. If that does not end when it should, it is cut off.
pub(super) fn second_check(
    verified: &Verified<'_>,
    asked: Asked<'_>,
    options: &VerifyOptions,
    stop: &Stop,
    format: Format,
    console: &mut Console,
) -> Option<(Rechecked, Option<Formulas>)> {
    let apart = console.another();
    let cut_off = |reason| {
        let mut report = Report::new(verified, asked, &options.search, reason);
        report.rechecked = Some(Rechecked::nothing(verified.system(), &verified.invariant()));
        report.is_cut_off = true;
        cut_off::end(&report.print(format), format, report.outcome(), apart)
    };
    stop.guard(stop::GRACE, cut_off, || check_again(verified, options.search.threads, stop, console))
}

fn check_again(
    verified: &Verified<'_>,
    threads: usize,
    stop: &Stop,
    console: &mut Console,
) -> Option<(Rechecked, Option<Formulas>)> {
    let invariant = verified.invariant();
    let mut line = ProgressLine::new(console);
    let (system, known) = (verified.system(), &verified.verification.known);
    let rechecked =
        recheck_and_read(system, &invariant, known, threads, &|| !stop.is_set(), &mut |done, all| {
            line.show(|elapsed| format!("rechecking, {done} of {all} parts, {}", seconds(elapsed)));
        });
    drop(line);
    rechecked.map_err(|failed| say_bug(&failed, verified, &invariant, console)).ok()
}

/// Says that an invariant is not inductive, and leaves a file that helps to find out why.
fn say_bug(failed: &Failed, verified: &Verified<'_>, invariant: &Invariant, console: &mut Console) {
    let (system, input) = (verified.system(), &verified.model.input);
    let what = failed.obligation.describe(system);
    let text = failed.report(system, invariant, &input.name, &input.text);
    let reported = format!("it reported an invariant for {} that is not inductive", input.name);
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

pub(super) enum NoCertificate {
    /// The invariant is not inductive. That was said.
    Bug,
    Impossible(Impossible),
    /// Time or memory was up, or the user stopped it.
    Stopped,
}

impl NoCertificate {
    /// What to say; nothing if there is a bug, and that was said.
    pub(super) fn why(self, stop: &Stop) -> Option<Impossible> {
        match self {
            NoCertificate::Bug => None,
            NoCertificate::Impossible(impossible) => Some(impossible),
            NoCertificate::Stopped => {
                Some(Impossible::new(format!("no certificate was written: {}", stop.describe())))
            }
        }
    }
}

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
        say_bug(&failed, report.verified, &report.verified.invariant(), console);
        NoCertificate::Bug
    })?;
    let room = Room::new(script_bytes(report.options.limits.bytes), &goes_on);
    let scripts = match certificate.scripts(&room) {
        _ if stop.is_set() => return Err(NoCertificate::Stopped),
        Ok(scripts) => scripts,
        Err(_) => {
            let reason = "the certificate would be too large for the memory that may be used (--max-memory)";
            return Err(NoCertificate::Impossible(Impossible::new(reason)));
        }
    };
    directory.write(&certificate.files(&scripts)).map_err(NoCertificate::Impossible)?;
    Ok(Written { certificate, scripts, directory: directory.name().to_owned() })
}

pub(super) struct Written {
    pub(super) certificate: Certificate,
    pub(super) scripts: Vec<Script>,
    pub(super) directory: PathBuf,
}

pub(super) fn something_to_verify(system: &System, trusts: bool) -> Result<(), Impossible> {
    if system.properties.is_empty() && system.words != Words::default() {
        let nothing =
            "there is nothing to verify: the model has no invariant, and nothing in it can go wrong";
        return Err(Impossible::new(nothing).or("say what holds in all states: invariant \"name\" ...;"));
    }
    let nothing = if system.properties.is_empty() {
        "there is nothing to verify: the model has no `unsafe` clause"
    } else if trusts && system.unsafe_clauses().next().is_none() {
        "there is nothing to verify: the model has no `unsafe` clause, and its invariants are trusted"
    } else {
        return Ok(());
    };
    let help = "say which states must not be reached, for example: unsafe (p q) { Inside[p] && Inside[q] }";
    Err(Impossible::new(nothing).or(help))
}

fn draw(
    drawing: &Drawing<'_>,
    report: &Report<'_>,
    extent: Extent,
    format: Format,
    console: &mut Console,
) -> Result<(), Impossible> {
    let graph =
        report.verified.verification.graph.as_ref().expect("an engine returns the graph that is asked for");
    let drawn = graph::to_dot(report, graph, extent);
    if format == Format::Human && drawn.nodes > drawing::MANY {
        let count = grouped(drawn.nodes as u64);
        console.remark(&format!(
            "note: the graph has {count} nodes: drawing it may take long, and few will read it\n"
        ));
    }
    drawing.write(&drawn.text)?;
    if format == Format::Human {
        let nodes = graph.nodes.len();
        let (count, path) = (counted(nodes as u64, "node"), drawing.path().display());
        let mut text = format!("The graph of the search, {count}, is in {path}.");
        if drawn.nodes < nodes {
            text += &format!(
                " It shows {} of them and counts the others; --graph-all shows all.",
                grouped(drawn.nodes as u64)
            );
        }
        console.print(&paragraph(&text));
    }
    Ok(())
}

impl Observer for ProgressLine<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.show(|seconds| describe(progress, seconds));
    }
}

/// How far a search has come after some time.
pub(super) fn describe(progress: &Progress, seconds: f64) -> String {
    let found = &progress.statistics;
    let exploring = progress.exploring.map(|states| format!(", exploring: {}", counted(states, "state")));
    let diverging =
        progress.diverging.map(|property| format!(", clause {} does not seem to end", property + 1));
    let (open, all) = (progress.open, progress.properties);
    let clauses = if all > 1 { format!("{open} of {all} clauses open, ") } else { String::new() };
    format!(
        "{seconds:.0} s: {clauses}{}, {} waiting, depth {}, {}, {} covered, {}{}{}",
        counted(found.nodes, "node"),
        grouped(progress.queue),
        found.depth,
        processes(found.processes),
        grouped(known(found)),
        rate(found.nodes, "nodes", seconds),
        exploring.unwrap_or_default(),
        diverging.unwrap_or_default(),
    )
}
