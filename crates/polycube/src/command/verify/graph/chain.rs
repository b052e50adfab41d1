//! A run as a chain of states, where exploring a small instance has found it: the graph of the search does
//! not have it then.

use std::fmt::Write;

use anstream::adapter::strip_str;
use polycube_certificate::{Cell, State};

use super::look::{Kind, RUN};
use crate::command::drawing::escaped;
use crate::command::verify::report::Report;
use crate::report::trace::{call, changes, processes, state};
use crate::verified::BadRun;

/// The states of a run, the last one on top, below the bad states that it is one of.
pub(super) fn to_dot(report: &Report<'_>, run: &BadRun, number: usize, bad: Option<usize>) -> String {
    let (system, trace) = (&report.verified.model.system, &run.trace);
    let table = |state_now: &State, marked: &[Cell]| {
        strip_str(&state(system, trace.processes, state_now, marked)).to_string()
    };
    let mut text = String::from("\n");
    let mut node = |at: usize, more: &str, lines: &str| {
        // Each line ends with `\l`, which aligns it to the left.
        let label: String = lines.lines().map(|line| escaped(line.trim_end_matches(',')) + "\\l").collect();
        let _ = writeln!(text, "  r{number}s{at} [label=\"{label}\"{more}{}];", Kind::State.style());
    };
    let (mut now, last) = (trace.initial.clone(), trace.steps.len());
    let start = format!("initially, with {}:\n{}", processes(trace.processes), table(&now, &[]));
    node(0, ", peripheries=2", &start);
    for (at, step) in (1..).zip(&trace.steps) {
        let before = now.clone();
        let changed = changes(system, &mut now, step);
        if at == last {
            let marked: Vec<Cell> = before.changes_to(&now).into_iter().map(|(cell, _)| cell).collect();
            node(at, "", &format!("after step {at}:\n{}", table(&now, &marked)));
        } else {
            node(at, "", &format!("after step {at}:\n{}", changed.join("\n")));
        }
    }
    for (at, step) in (1..).zip(&trace.steps) {
        let (call, before) = (escaped(&call(system, &step.transition, &step.arguments)), at - 1);
        let _ = writeln!(text, "  r{number}s{at} -> r{number}s{before} [dir=back, label=\" {call}\"{RUN}];");
    }
    if let Some(bad) = bad {
        let _ = writeln!(text, "  n{bad} -> r{number}s{last} [dir=none{RUN}];");
    }
    text
}
