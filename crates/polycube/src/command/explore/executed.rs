//! Exploration of a file for Murphi that is executed as it is written.

use std::time::{Duration, Instant};

use polycube_certificate::{Cell, Orders, Step, Trace, Value};
use polycube_engine::forward::{End, Exploration, Goal, Observer, Options, Progress, Reduction, Violation};
use polycube_language::System;
use polycube_language::diagnostic::{Diagnostic, Diagnostics};
use polycube_murphi::execute::{self, Executable, Findings, Held, Run};

use super::report::Report;
use crate::arguments::ExploreArguments;
use crate::command::files::Files;
use crate::command::progress::ProgressLine;
use crate::command::stop::{self, Stop};
use crate::command::{Outcome, Refusal, cut_off};
use crate::console::Console;
use crate::model::{Mistakes, Model, NoModel};

/// Explores a model that has something to be executed.
pub(super) fn run(
    mut model: Model,
    executable: &Executable,
    (arguments, options): (&ExploreArguments, &Options),
    stop: &Stop,
    files: &Files<'_>,
    console: &mut Console,
) -> Result<Outcome, Refusal> {
    let (start, format) = (Instant::now(), arguments.format);
    let apart = console.another();
    let cut_off = |reason| {
        let (nothing, seconds) = (Exploration::nothing(&model.system), start.elapsed().as_secs_f64());
        let mut report = Report::new(&model, arguments, options, &nothing, reason, seconds);
        report.is_cut_off = true;
        cut_off::end(&report.print(format), format, Outcome::Unknown, apart)
    };
    let explored = stop.guard(stop::GRACE, cut_off, || {
        let mut line = ProgressLine::new(console);
        explore(executable, options, &mut line)
    });
    let (system, exploration) = match explored {
        Ok(explored) => explored,
        Err(wrong) => {
            let mistakes = Mistakes { input: model.input, diagnostics: Diagnostics::from_one(*wrong) };
            return Err(NoModel::Wrong(Box::new(mistakes)).into());
        }
    };
    model.system = system;
    let seconds = start.elapsed().as_secs_f64();
    let report = Report::new(&model, arguments, options, &exploration, stop.reason(), seconds);
    console.report(&report.print(format), format);
    let ending = (report.outcome(), format);
    Ok(files.finish(&model, || report.page(), report.run().as_ref(), ending, console))
}

/// What is found, and a system that has the runs which are shown.
fn explore(
    executable: &Executable,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<(System, Exploration), Box<Diagnostic>> {
    let start = Instant::now();
    let asked = execute::Options {
        goal: match options.goal {
            Goal::Everything => execute::Goal::Everything,
            _ => execute::Goal::FirstBad,
        },
        limits: execute::Limits {
            depth: options.limits.depth,
            states: options.limits.states,
            bytes: options.limits.bytes,
        },
        interrupt: &options.interrupt,
    };
    let mut shown = Duration::ZERO;
    let found = executable.explore(&asked, &mut |progress| {
        // Small steps are taken much faster than anybody reads.
        if start.elapsed() > shown + Duration::from_millis(50) {
            shown = start.elapsed();
            let &execute::Progress { states, queue, transitions, depth, bytes } = progress;
            observer.progress(&Progress { states, queue, transitions, depth, bytes });
        }
    })?;
    let exploration = exploration(&found);
    Ok((found.system, exploration))
}

fn exploration(found: &Findings) -> Exploration {
    let mut reached = vec![false; found.system.properties.len()];
    found.violations.iter().for_each(|violation| reached[violation.property] = true);
    let mut violations: Vec<Violation> = found
        .violations
        .iter()
        .map(|violation| Violation {
            property: violation.property,
            processes: Vec::new(),
            trace: trace(&violation.run),
        })
        .collect();
    violations.sort_by_key(|violation| violation.property);
    Exploration {
        end: match found.end {
            execute::End::Complete => End::Complete,
            execute::End::Bad => End::Unsafe,
            execute::End::Depth => End::Depth,
            execute::End::States => End::States,
            execute::End::Memory => End::Memory,
            execute::End::Full => End::Full,
            execute::End::Interrupted => End::Interrupted,
        },
        states: found.states,
        inspected: found.inspected,
        initial_states: found.initial_states,
        transitions: found.transitions,
        depth: found.depth,
        reached,
        violations,
        deadlocks: found.deadlocks,
        deadlock: found.deadlock.as_ref().map(trace),
        never_fired: found.never_fired.clone(),
        cuts: Vec::new(),
        reduction: Reduction::None,
        orders: 1,
        explored_orders: 1,
        state_bits: found.state_bits,
        bytes: found.bytes,
        parts: Vec::new(),
        fault: None,
    }
}

fn trace(run: &Run) -> Trace {
    let steps = run.steps.iter().map(|(transition, changes)| Step {
        transition: transition.clone(),
        arguments: Vec::new(),
        changes: changes.iter().map(held).collect(),
    });
    let (initial, steps) = (run.initial.iter().map(held).collect(), steps.collect());
    Trace { processes: 1, orders: Orders::default(), initial, steps }
}

fn held(&(symbol, enumeration, constructor): &Held) -> (Cell, Value) {
    (Cell { symbol, indices: Vec::new() }, Value::Constructor(enumeration, constructor))
}
