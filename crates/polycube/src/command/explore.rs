//! `polycube explore`: every reachable state with a fixed number of processes.

mod json;
mod report;

use std::time::Instant;

use polycube_engine::compile::TooLarge;
use polycube_engine::forward::{Exploration, Extent, Goal, Limits, Observer, Options, Progress, Reduction};

use super::Outcome;
use super::cut_off;
use super::model::{Limited, read_limited, refuse};
use super::progress::ProgressLine;
use super::stop;
use crate::arguments::{ExploreArguments, Format};
use crate::console::Console;
use crate::report::number::{self, grouped, rate};

use report::Report;

pub(super) fn run(arguments: &ExploreArguments, console: &mut Console) -> Outcome {
    let format = arguments.format;
    let resources = &arguments.resources;
    let Some(Limited { model, stop, bytes }) = read_limited(&arguments.file, resources, format, console)
    else {
        return Outcome::Wrong;
    };
    stop.watch_signals();
    let options = Options {
        processes: arguments.instance.processes(&model.system),
        bounds: arguments.instance.bounds(),
        reduction: if arguments.no_symmetry { Reduction::None } else { Reduction::Symmetry },
        extent: Extent::Everything,
        threads: resources.threads(),
        goal: if arguments.keep_going { Goal::Everything } else { Goal::FirstUnsafe },
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
    let result = stop.guard(stop::GRACE, cut_off, work);
    let seconds = start.elapsed().as_secs_f64();
    let exploration = match result {
        Ok(exploration) => exploration,
        Err(too_large) => {
            refuse(&too_large.to_string(), help(&too_large).as_deref(), format, console);
            return Outcome::Wrong;
        }
    };
    let report = Report::new(&model, arguments, &options, &exploration, stop.reason(), seconds);
    match format {
        Format::Human => console.print(&report.print(format)),
        Format::Json => console.pass_on(&report.print(format)),
    }
    report.outcome()
}

impl Observer for ProgressLine<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.show(|seconds| {
            format!(
                "{} states, {} waiting, depth {}, {}, {}",
                grouped(progress.states),
                grouped(progress.queue),
                progress.depth,
                rate(progress.states, "states", seconds),
                number::bytes(progress.bytes as u64),
            )
        });
    }
}

/// What to do about an instance that cannot be explored.
fn help(too_large: &TooLarge) -> Option<String> {
    match too_large {
        TooLarge::NoProcess => Some("say how many with -n, for example -n 3".to_owned()),
        TooLarge::Processes(_) => Some(
            "few processes show most bugs: explore 2, 3, 4 and so on as far as time and memory allow"
                .to_owned(),
        ),
        TooLarge::NotTheNumber { fixed, .. } => Some(format!("leave -n out, or say -n {fixed}")),
        TooLarge::Slots(_) | TooLarge::Bits(_) | TooLarge::Code(_) => {
            Some("explore fewer processes, with a smaller -n".to_owned())
        }
        TooLarge::Orders(_) => Some("name fewer processes, or explore fewer of them".to_owned()),
        TooLarge::Number(_) | TooLarge::Interrupted => None,
    }
}
