//! `polycube explore`: every reachable state with a fixed number of processes.

mod html;
mod json;
mod report;

use std::time::Instant;

use polycube_engine::compile::TooLarge;
use polycube_engine::forward::{
    Deadlocks, Exploration, Extent, Goal, Limits, Observer, Options, Progress, Reduction,
};
use polycube_language::System;
use polycube_language::system::{SymbolId, SymbolKind};

use super::files::Files;
use super::model::{Limited, read_limited};
use super::progress::ProgressLine;
use super::{Outcome, Refusal, cut_off, stop};
use crate::arguments::ExploreArguments;
use crate::console::Console;
use crate::input::Impossible;
use crate::report::number::{self, grouped, rate};

use report::Report;

pub(super) fn run(arguments: &ExploreArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let format = arguments.format;
    let files = Files::prepare(&arguments.files)?;
    let resources = &arguments.resources;
    let Limited { model, stop, bytes } =
        read_limited(&arguments.file, arguments.murphi.for_one_instance(), resources, format, console)?;
    stop.watch_signals();
    let options = Options {
        processes: arguments.instance.processes(&model)?,
        bounds: arguments.instance.bounds(),
        reduction: if arguments.no_symmetry { Reduction::None } else { Reduction::Symmetry },
        idle: if arguments.no_symmetry { idle(&model.system) } else { Vec::new() },
        extent: Extent::Everything,
        threads: resources.threads(),
        runs: true,
        goal: if arguments.keep_going { Goal::Everything } else { Goal::FirstUnsafe },
        deadlocks: deadlocks(&model.system),
        limits: Limits { depth: arguments.depth, states: arguments.max_states, bytes, ..Limits::default() },
        interrupt: stop.flag(),
        clock: None,
    };
    let start = Instant::now();
    let apart = console.another();
    let cut_off = |reason| {
        let (nothing, seconds) = (Exploration::nothing(&model.system), start.elapsed().as_secs_f64());
        let mut report = Report::new(&model, arguments, &options, &nothing, reason, seconds);
        report.is_cut_off = true;
        cut_off::end(&report.print(format), format, Outcome::Unknown, apart)
    };
    let work = || model.explore_with(&options, &mut ProgressLine::new(console));
    let exploration = stop.guard(stop::GRACE, cut_off, work);
    let seconds = start.elapsed().as_secs_f64();
    let exploration = exploration
        .map_err(|too_large| Impossible { reason: too_large.to_string(), help: help(&too_large) })?;
    let report = Report::new(&model, arguments, &options, &exploration, stop.reason(), seconds);
    console.report(&report.print(format), format);
    let ending = (report.outcome(), format);
    Ok(files.finish(&model, || report.page(), report.run().as_ref(), ending, console))
}

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

/// The processes that stand in variables which hold none. The file does not know them: to choose one would make several
/// states of each of its own.
fn idle(system: &System) -> Vec<SymbolId> {
    let is_idle = |id: &SymbolId| system.symbol(*id).kind == SymbolKind::Constant;
    system.words.hidden.iter().copied().filter(is_idle).collect()
}

/// Which states are deadlocks. For Murphi they are those that every rule leads back to. Where a variable of the file is
/// left out, it is not known whether a rule does.
fn deadlocks(system: &System) -> Deadlocks {
    match &system.words.murphi {
        Some(murphi) if murphi.is_whole => Deadlocks::NoChange,
        _ => Deadlocks::NoStep,
    }
}
