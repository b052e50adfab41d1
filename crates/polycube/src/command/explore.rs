//! `polycube explore`: every reachable state with a fixed number of processes.

mod checkpoint;
mod company;
mod executed;
mod html;
mod json;
mod report;
mod settings;

use std::time::{Duration, Instant};

use polycube_engine::compile::TooLarge;
use polycube_engine::forward::{
    Alone, Company, Deadlocks, End, Exploration, Extent, Goal, Journal, Limits, Observer, Options, Progress,
    Reduction,
};
use polycube_language::System;
use polycube_language::system::{SymbolId, SymbolKind};

use super::files::Files;
use super::model::{Limited, read_limited};
use super::progress::ProgressLine;
use super::{Outcome, Refusal, cut_off, stop};
use crate::arguments::{ExploreArguments, Format};
use crate::console::Console;
use crate::input::Impossible;
use crate::model::Model;
use crate::report::number::{self, grouped, rate};

use company::{Apart, Member, Role, Watching};
use report::Report;
use stop::Stop;

pub(super) fn run(arguments: &ExploreArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let role = Role::new(&arguments.company)?;
    if role.is_first() {
        return explore(role, arguments, console);
    }
    // There is one report, by the first process. What goes wrong here, people read.
    let outcome = explore(role, arguments, console);
    Ok(outcome.unwrap_or_else(|refusal| refusal.report(Format::Human, console)))
}

fn explore(role: Role, arguments: &ExploreArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let format = arguments.format;
    let is_first = role.is_first();
    let files = if is_first { Files::prepare(&arguments.files)? } else { Files::default() };
    let resources = &arguments.resources.shared_by(role.on_this_machine(&arguments.company));
    // Only what is translated can be shared, and kept.
    let request = match role {
        Role::Alone if !arguments.checkpoint.is_wanted() => arguments.murphi.for_exploration(),
        _ => arguments.murphi.for_one_instance(),
    };
    let (model, stop, bytes) = if is_first {
        let Limited { model, stop, bytes } =
            read_limited(&arguments.file, request, resources, format, console)?;
        (Some(model), stop, bytes)
    } else {
        let bytes = resources.bytes();
        (None, Stop::limited(resources.timeout, bytes), bytes)
    };
    stop.watch_signals();
    let own = role.own_input(&arguments.file);
    let own = model.as_ref().map(|model| &model.input).or(own.as_ref());
    let mut member = match Member::join(role, arguments, own, &stop) {
        Ok(member) => member,
        Err(Apart::Impossible(impossible)) => return Err(impossible.into()),
        Err(Apart::Ended(reason)) => {
            console.remark(&format!("polycube: {reason}\n"));
            return Ok(Outcome::Unknown);
        }
    };
    let model = match (model, &member) {
        (Some(model), _) => model,
        (None, Some(member)) => Model::of(member.input(), request)?,
        (None, None) => unreachable!("who is alone reads the model"),
    };
    let options = Options {
        processes: arguments.instance.processes(&model)?,
        bounds: arguments.instance.bounds(),
        reduction: if arguments.no_symmetry { Reduction::None } else { Reduction::Symmetry },
        fixed: if arguments.no_symmetry { fixed(&model.system) } else { Vec::new() },
        extent: Extent::Everything,
        threads: resources.threads(),
        runs: true,
        goal: if arguments.keep_going { Goal::Everything } else { Goal::FirstUnsafe },
        deadlocks: deadlocks(&model.system),
        limits: Limits { depth: arguments.depth, states: arguments.max_states, bytes, ..Limits::default() },
        interrupt: stop.flag(),
        clock: None,
    };
    if let Some(execution) = model.execution.clone() {
        return executed::run(model, &execution.executable, (arguments, &options), &stop, &files, console);
    }
    let share = member.as_ref().map_or((0, 1), Member::share);
    let mut checkpoint = match checkpoint::open(arguments, &model, options.processes, share) {
        Ok(checkpoint) => checkpoint,
        Err(impossible) => {
            if let Some(member) = &member {
                member.cluster.lifeline().fail(&impossible.reason);
            }
            return Err(impossible.into());
        }
    };
    let start = Instant::now();
    let apart = console.another();
    let lifeline = member.as_ref().map(|member| member.cluster.lifeline().clone());
    let cut_off = |reason| {
        if let Some(lifeline) = &lifeline {
            lifeline.fail("it was in the middle of a step that takes long, and was cut off there");
        }
        let (nothing, seconds) = (Exploration::nothing(&model.system), start.elapsed().as_secs_f64());
        let mut report = Report::new(&model, arguments, &options, &nothing, reason, seconds);
        report.is_cut_off = true;
        let text = if is_first { report.print(format) } else { String::new() };
        cut_off::end(&text, format, Outcome::Unknown, apart)
    };
    let work = || {
        let line = is_first.then(|| ProgressLine::new(console));
        let journal = checkpoint.as_mut().map(|checkpoint| checkpoint as &mut dyn Journal);
        match (&mut member, line) {
            (None, Some(mut line)) => {
                model.explore_together(&options, &mut line, &mut Company { peers: &mut Alone, journal })
            }
            (None, None) => unreachable!("who is alone shows progress"),
            (Some(member), line) => {
                let lifeline = &member.cluster.lifeline().clone();
                let peers = &mut member.dataflow;
                model.explore_together(
                    &options,
                    &mut Watching { lifeline, line },
                    &mut Company { peers, journal },
                )
            }
        }
    };
    let grace = match (&lifeline, arguments.checkpoint.is_wanted()) {
        (_, true) => GRACE_TO_KEEP,
        (Some(_), false) => GRACE_TOGETHER,
        (None, false) => stop::GRACE,
    };
    let exploration = stop.guard(grace, cut_off, work);
    let seconds = start.elapsed().as_secs_f64();
    drop(checkpoint);
    let lost = member.and_then(Member::leave).map(|failure| failure.to_string());
    let exploration = exploration
        .map_err(|too_large| Impossible { reason: too_large.to_string(), help: help(&too_large) })?;
    // Who has a result does not need the others any more.
    let lost = lost.filter(|_| exploration.end == End::Lost);
    if let Some(reason) = &lost {
        console.remark(&format!("polycube: {reason}\n"));
    }
    let mut report = Report::new(&model, arguments, &options, &exploration, stop.reason(), seconds);
    report.lost = lost;
    if !is_first {
        return Ok(report.outcome());
    }
    console.report(&report.print(format), format);
    let ending = (report.outcome(), format);
    Ok(files.finish(&model, || report.page(), report.run().as_ref(), ending, console))
}

/// How long several processes may take to end, and to agree on what they have found.
const GRACE_TOGETHER: Duration = Duration::from_secs(5);

/// How long it may take to keep what was found until a search is ended. A second signal ends it at once.
const GRACE_TO_KEEP: Duration = Duration::from_secs(60);

impl Observer for ProgressLine<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.show(|seconds| describe(progress, seconds));
    }
}

/// How far an exploration has come after some time.
pub(super) fn describe(progress: &Progress, seconds: f64) -> String {
    format!(
        "{} states, {} waiting, depth {}, {}, {}",
        grouped(progress.states),
        grouped(progress.queue),
        progress.depth,
        rate(progress.states, "states", seconds),
        number::bytes(progress.bytes as u64),
    )
}

/// What to do about an instance that cannot be explored.
fn help(too_large: &TooLarge) -> Option<String> {
    let help = match too_large {
        TooLarge::NoProcess => "say how many with -n, for example -n 3",
        TooLarge::Processes(_) => {
            "few processes show most bugs: explore 2, 3, 4 and so on as far as time and memory allow"
        }
        TooLarge::NotTheNumber { fixed, .. } => return Some(format!("leave -n out, or say -n {fixed}")),
        TooLarge::Slots(_) | TooLarge::Bits(_) | TooLarge::Code(_) => {
            "explore fewer processes, with a smaller -n"
        }
        TooLarge::Orders(_) => "name fewer processes, or explore fewer of them",
        TooLarge::Number(_) | TooLarge::Interrupted => return None,
    };
    Some(help.to_owned())
}

/// The constants of a file in another language, as it means them. Processes that it calls by a number have that number.
/// Those that stand in variables which hold none it does not know: they are the first.
///
/// Nothing is lost: no system that was translated names a process otherwise, so a renaming leads from every choice of
/// different processes to this one, and nothing depends on those that the file does not know. Where processes have an
/// order, it is that of their numbers, and those with a constant are the least.
fn fixed(system: &System) -> Vec<(SymbolId, u32)> {
    let words = &system.words;
    let is_constant = |id: &&SymbolId| system.symbol(**id).kind == SymbolKind::Constant;
    let unknown = words.hidden.iter().filter(is_constant).map(|&id| (id, 1));
    words.numbered.iter().map(|(&id, &process)| (id, process)).chain(unknown).collect()
}

/// Which states are deadlocks. For Murphi they are those that every rule leads back to. Where a variable of the file is
/// left out, it is not known whether a rule does.
fn deadlocks(system: &System) -> Deadlocks {
    match &system.words.murphi {
        Some(murphi) if murphi.is_whole => Deadlocks::NoChange,
        _ => Deadlocks::NoStep,
    }
}
