//! What an exploration found, for people and as JSON.

use std::fmt::Write;

use polycube_certificate::{Trace, Violation, replay};
use polycube_engine::compile::Cut;
use polycube_engine::forward::{End, Exploration, Options, Reduction};
use polycube_language::System;
use polycube_language::span::Lines;
use serde::Serialize;

use super::stop::Reason;
use crate::arguments::{Deadlocks, ExploreArguments};
use crate::command::Outcome;
use crate::command::model::Model;
use crate::report::json_trace::{TraceText, to_json};
use crate::report::number::{bytes, counted, grouped, rate, seconds};
use crate::report::trace::{paragraph, trace as table, violation};

/// An exploration with everything that its report needs.
pub(super) struct Report<'r> {
    model: &'r Model,
    lines: Lines<'r>,
    options: &'r Options,
    exploration: &'r Exploration,
    deadlock_policy: Deadlocks,
    stopped_by: Reason,
    timeout: Option<f64>,
    seconds: f64,
}

impl<'r> Report<'r> {
    pub(super) fn new(
        model: &'r Model,
        arguments: &'r ExploreArguments,
        options: &'r Options,
        exploration: &'r Exploration,
        stopped_by: Reason,
        seconds: f64,
    ) -> Self {
        let lines = Lines::new(&model.input.text);
        let (deadlock_policy, timeout) = (arguments.deadlock, arguments.timeout);
        Report { model, lines, options, exploration, deadlock_policy, stopped_by, timeout, seconds }
    }

    /// How the command ends.
    pub(super) fn outcome(&self) -> Outcome {
        if !self.exploration.violations.is_empty() || self.has_bad_deadlock() {
            Outcome::No
        } else if self.exploration.end == End::Complete {
            Outcome::Success
        } else {
            Outcome::Unknown
        }
    }

    fn has_bad_deadlock(&self) -> bool {
        self.deadlock_policy == Deadlocks::Error && self.exploration.deadlocks > 0
    }

    fn system(&self) -> &System {
        &self.model.system
    }

    /// The report for people: runs, then numbers, then remarks, and the answer at the end.
    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        for found in &self.exploration.violations {
            text += &table(self.system(), &found.trace);
            text.push('\n');
            text += &self.describe(found.property, &found.trace);
            text.push('\n');
        }
        if let (true, Some(trace)) = (self.has_bad_deadlock(), &self.exploration.deadlock) {
            text += &table(self.system(), trace);
            text += "\nNo transition is possible in the last state.\n\n";
        }
        text += &self.numbers();
        for remark in self.remarks() {
            text.push('\n');
            text += &paragraph(&remark);
        }
        text.push('\n');
        text += &paragraph(&self.answer());
        text
    }

    fn describe(&self, property: usize, trace: &Trace) -> String {
        let found = violation_in_last_state(self.system(), property, trace);
        violation(self.system(), &self.model.input.name, &self.lines, &found, "in the last state")
    }

    fn numbers(&self) -> String {
        let found = self.exploration;
        let mut rows = vec![
            ("states", grouped(found.states), self.meaning_of_states()),
            ("transitions", grouped(found.transitions), String::new()),
            ("depth", grouped(found.depth as u64), String::new()),
            ("time", seconds(self.seconds), rate(found.states, self.seconds)),
        ];
        if found.states > 0 {
            let each = format!("{:.1} bytes per state of {} bits", self.bytes_per_state(), found.state_bits);
            rows.push(("memory", bytes(found.bytes as u64), each));
        }
        let width = rows.iter().map(|(_, number, _)| number.len()).max().unwrap_or(0);
        let mut text = format!("{}, {}\n", self.model.input.name, processes(self.options.processes));
        for (name, number, remark) in rows {
            let _ = write!(text, "  {name:<11}  {number:>width$}");
            if !remark.is_empty() {
                let _ = write!(text, "   {remark}");
            }
            text.push('\n');
        }
        text
    }

    fn meaning_of_states(&self) -> String {
        match (self.exploration.reduction, self.exploration.orders) {
            (Reduction::Symmetry, _) => "up to renaming".to_owned(),
            (Reduction::None, 1) => String::new(),
            (Reduction::None, orders) => format!("in {orders} orders of what `<` compares"),
        }
    }

    fn bytes_per_state(&self) -> f64 {
        self.exploration.bytes as f64 / self.exploration.states.max(1) as f64
    }

    /// What the reader should know about the model, and about what was not looked at.
    fn remarks(&self) -> Vec<String> {
        let (found, system) = (self.exploration, self.system());
        let mut remarks = Vec::new();
        if found.initial_states == 0 && found.end == End::Complete {
            remarks.push(format!(
                "warning: no state with {} is initial{}.",
                processes(self.options.processes),
                if self.is_bounded_at_start() { " within the bounds; widen --int-range" } else { "" }
            ));
        } else if !found.never_fired.is_empty() {
            let names: Vec<&str> =
                found.never_fired.iter().map(|&at| system.transitions[at].name.as_str()).collect();
            remarks.push(format!(
                "warning: {} {}: {}.",
                counted(names.len() as u64, "transition"),
                match (names.len(), found.end) {
                    (1, End::Complete) => "is never possible",
                    (_, End::Complete) => "are never possible",
                    (1, _) => "has not been possible so far",
                    (_, _) => "have not been possible so far",
                },
                names.join(", ")
            ));
        }
        if found.deadlocks > 0 && self.deadlock_policy == Deadlocks::Warn {
            let steps = found.deadlock.as_ref().map_or(0, |trace| trace.steps.len());
            remarks.push(format!(
                "warning: in {} no transition is possible, the nearest {} from the start (--deadlock error shows a run).",
                counted(found.deadlocks, "state"),
                counted(steps as u64, "step"),
            ));
        }
        remarks.extend(found.cuts.iter().map(|cut| format!("note: {}.", self.cut(*cut))));
        remarks
    }

    fn is_bounded_at_start(&self) -> bool {
        self.exploration.cuts.iter().any(|cut| matches!(cut, Cut::Start(_)))
    }

    fn cut(&self, cut: Cut) -> String {
        let numbers = &self.options.bounds.numbers;
        let range = format!("{}..{}", numbers.start(), numbers.end());
        let name = |symbol| &self.system().symbol(symbol).name;
        match cut {
            Cut::Start(symbol) => format!(
                "`{}` may start with any number; tried were {range} and those next to numbers in `init` (--int-range)",
                name(symbol)
            ),
            Cut::Choice(symbol) => {
                format!("`{}` may become any number; tried were {range} (--int-range)", name(symbol))
            }
            Cut::Values(ty) => format!(
                "the type `{}` has infinitely many values; there were {} here (--values)",
                self.system().type_name(ty),
                self.options.bounds.values
            ),
        }
    }

    /// The answer, in a sentence or two.
    fn answer(&self) -> String {
        let found = self.exploration;
        let count = processes(self.options.processes);
        let limits = &self.options.limits;
        let unfinished = match found.end {
            End::Complete | End::Unsafe => None,
            End::Depth => Some(format!(
                "the search ended {} from the start (--depth)",
                counted(found.depth as u64, "step")
            )),
            End::States => Some(format!(
                "the limit of {} was reached (--max-states)",
                counted(limits.states.unwrap_or(0), "state")
            )),
            End::Memory => Some(format!(
                "the limit of {} of memory was reached (--max-memory)",
                bytes(limits.bytes.unwrap_or(0) as u64)
            )),
            End::Full => Some("there are more states than can be numbered".to_owned()),
            End::Interrupted => Some(match (self.stopped_by, self.timeout) {
                (Reason::Timeout, Some(timeout)) => {
                    format!("the time of {} was up (--timeout)", seconds(timeout))
                }
                _ => "it was interrupted".to_owned(),
            }),
            End::Overflow(symbol) => Some(format!(
                "a number for `{}` is beyond what can be stored (62 bits, steps of 2^-40)",
                self.system().symbol(symbol).name
            )),
            End::Choices(transition) => Some(format!(
                "one step of `{}` can lead to more than a million states",
                self.system().transitions[transition].name
            )),
        };
        let bad = !found.violations.is_empty() || self.has_bad_deadlock();
        match (bad, unfinished) {
            (true, None) => format!("Bad states are reachable with {count}."),
            (true, Some(reason)) => format!("Bad states are reachable with {count}. Incomplete: {reason}."),
            (false, Some(reason)) => {
                format!("Incomplete: {reason}. No bad state is among those that were found.")
            }
            (false, None) if found.cuts.is_empty() => format!("No bad state is reachable with {count}."),
            (false, None) => format!("No bad state is reachable with {count}, within the bounds above."),
        }
    }

    /// The report as JSON.
    pub(super) fn to_json(&self) -> JsonReport {
        let (found, system) = (self.exploration, self.system());
        let violations = found.violations.iter().map(|violation| {
            let property = &system.properties[violation.property];
            let position = self.lines.position(property.origin.0.start);
            let last = violation_in_last_state(system, violation.property, &violation.trace);
            JsonViolation {
                kind: match property.kind {
                    polycube_language::system::PropertyKind::Unsafe => "unsafe",
                    polycube_language::system::PropertyKind::Invariant => "invariant",
                },
                line: position.line,
                column: position.column,
                processes: last.processes.iter().map(|process| format!("#{process}")).collect(),
                steps: violation.trace.steps.len(),
                trace: to_json(system, &violation.trace),
            }
        });
        JsonReport {
            file: self.model.input.name.clone(),
            processes: self.options.processes,
            states: found.states,
            initial_states: found.initial_states,
            transitions: found.transitions,
            depth: found.depth,
            complete: found.end == End::Complete,
            end: match found.end {
                End::Complete => "complete",
                End::Unsafe => "unsafe",
                End::Depth => "depth",
                End::States => "states",
                End::Memory => "memory",
                End::Full => "full",
                End::Interrupted if self.stopped_by == Reason::Timeout => "timeout",
                End::Interrupted => "interrupted",
                End::Overflow(_) => "overflow",
                End::Choices(_) => "choices",
            },
            bounds: found.cuts.iter().map(|cut| self.cut(*cut)).collect(),
            violations: violations.collect(),
            deadlocks: found.deadlocks,
            deadlock: found
                .deadlock
                .as_ref()
                .map(|trace| JsonDeadlock { steps: trace.steps.len(), trace: to_json(system, trace) }),
            never_fired: found.never_fired.iter().map(|&at| system.transitions[at].name.clone()).collect(),
            symmetry: found.reduction == Reduction::Symmetry,
            orders: found.orders,
            threads: self.options.threads,
            seconds: self.seconds,
            states_per_second: found.states as f64 / self.seconds.max(1e-6),
            state_bits: found.state_bits,
            bytes: found.bytes,
            bytes_per_state: self.bytes_per_state(),
        }
    }
}

/// For which processes a property holds in the last state of a run.
fn violation_in_last_state(system: &System, property: usize, trace: &Trace) -> Violation {
    let run = replay(system, trace).expect("the judge has accepted the run before");
    let found = run.violations.into_iter().find(|violation| violation.property == property);
    found.expect("the last state of the run is the one that was looked for")
}

/// `1 process`, `3 processes`
fn processes(count: u32) -> String {
    format!("{count} process{}", if count == 1 { "" } else { "es" })
}

/// See docs/json.md.
#[derive(Serialize)]
pub(super) struct JsonReport {
    file: String,
    processes: u32,
    states: u64,
    initial_states: u64,
    transitions: u64,
    depth: usize,
    complete: bool,
    end: &'static str,
    bounds: Vec<String>,
    violations: Vec<JsonViolation>,
    deadlocks: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlock: Option<JsonDeadlock>,
    never_fired: Vec<String>,
    symmetry: bool,
    orders: usize,
    threads: usize,
    seconds: f64,
    states_per_second: f64,
    state_bits: u64,
    bytes: usize,
    bytes_per_state: f64,
}

#[derive(Serialize)]
struct JsonViolation {
    kind: &'static str,
    line: usize,
    column: usize,
    processes: Vec<String>,
    steps: usize,
    trace: TraceText,
}

#[derive(Serialize)]
struct JsonDeadlock {
    steps: usize,
    trace: TraceText,
}
