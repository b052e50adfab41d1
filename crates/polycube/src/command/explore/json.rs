//! What an exploration found, as JSON: see docs/json.md.

use polycube_engine::compile::domain::Bounds;
use polycube_engine::forward::{End, Reduction};
use serde::Serialize;

use super::report::{BoundKind, Report};
use crate::command::cut_off;
use crate::report::json_trace::{TraceText, processes, to_json};

impl Report<'_> {
    /// The report as JSON.
    pub(super) fn to_json(&self) -> JsonReport {
        let (found, system) = (self.exploration, self.system());
        let violations = found.violations.iter().map(|violation| {
            let property = &system.properties[violation.property];
            let position = self.lines.position(property.origin.0.start);
            JsonViolation {
                kind: property.kind.keyword(),
                line: position.line,
                column: position.column,
                processes: processes(&violation.processes),
                steps: violation.trace.steps.len(),
                trace: to_json(system, &violation.trace),
            }
        });
        JsonReport {
            file: self.model.input.name.clone(),
            processes: self.options.processes,
            states: found.states,
            inspected: found.inspected,
            initial_states: found.initial_states,
            transitions: found.transitions,
            depth: found.depth,
            complete: found.end == End::Complete,
            end: match found.end {
                End::Complete => "complete",
                End::Unsafe => "unsafe",
                End::Depth => "depth",
                End::States => "states",
                End::Sampled => "sampled",
                End::Memory => "memory",
                End::Full => "full",
                End::Interrupted => cut_off::code(self.stopped_by),
                End::Overflow(_) => "overflow",
                End::Choices(_) => "choices",
            },
            cut_off: self.is_cut_off.then_some(true),
            bounds: self.json_bounds(),
            violations: violations.collect(),
            deadlocks: found.deadlocks,
            deadlock: found
                .deadlock
                .as_ref()
                .map(|trace| JsonDeadlock { steps: trace.steps.len(), trace: to_json(system, trace) }),
            never_fired: found.never_fired.iter().map(|&at| system.transitions[at].name.clone()).collect(),
            symmetry: found.reduction == Reduction::Symmetry,
            orders: found.orders,
            explored_orders: found.explored_orders,
            threads: self.options.threads,
            seconds: self.seconds,
            states_per_second: found.states as f64 / self.seconds.max(1e-6),
            state_bits: found.state_bits,
            bytes: found.bytes,
            bytes_per_state: self.bytes_per_state(),
        }
    }

    fn json_bounds(&self) -> Vec<JsonBound> {
        let Bounds { numbers, values } = &self.options.bounds;
        let range = Limit::Range { low: *numbers.start(), high: *numbers.end() };
        let bounds = self.bounds().into_iter().map(|bound| {
            let (kind, limit) = match bound.kind {
                BoundKind::Start => ("start", range),
                BoundKind::Choice => ("choice", range),
                BoundKind::Values => ("values", Limit::Count { count: *values }),
            };
            let names = bound.names.into_iter().map(str::to_owned).collect();
            JsonBound { kind, names, limit, text: bound.text }
        });
        bounds.collect()
    }
}

/// All of it.
#[derive(Serialize)]
pub(super) struct JsonReport {
    file: String,
    processes: u32,
    states: u64,
    inspected: u64,
    initial_states: u64,
    transitions: u64,
    depth: usize,
    complete: bool,
    end: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_off: Option<bool>,
    bounds: Vec<JsonBound>,
    violations: Vec<JsonViolation>,
    deadlocks: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlock: Option<JsonDeadlock>,
    never_fired: Vec<String>,
    symmetry: bool,
    orders: usize,
    explored_orders: usize,
    threads: usize,
    seconds: f64,
    states_per_second: f64,
    state_bits: u64,
    bytes: usize,
    bytes_per_state: f64,
}

#[derive(Serialize)]
struct JsonBound {
    kind: &'static str,
    names: Vec<String>,
    #[serde(flatten)]
    limit: Limit,
    text: String,
}

#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
enum Limit {
    Range { low: i64, high: i64 },
    Count { count: u32 },
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
