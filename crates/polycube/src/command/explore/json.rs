//! What an exploration found, as JSON: see docs/json.md.

use polycube_engine::forward::{End, Reduction};
use serde::Serialize;

use super::report::{Bound, Report};
use crate::command::cut_off;
use crate::report::json_trace::{ClauseText, TraceText, processes, to_json};

impl Report<'_> {
    pub(super) fn to_json(&self) -> JsonReport<'_> {
        let (found, system) = (self.exploration, self.system());
        let violations = found.violations.iter().map(|violation| {
            let property = &system.properties[violation.property];
            JsonViolation {
                clause: ClauseText::new(property, &self.lines),
                processes: processes(&violation.processes),
                steps: violation.trace.steps.len(),
                trace: to_json(system, &violation.trace),
            }
        });
        JsonReport {
            file: &self.model.input.name,
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
            bounds: self.bounds(),
            violations: violations.collect(),
            deadlocks: found.deadlocks,
            deadlock: found
                .deadlock
                .as_ref()
                .map(|trace| JsonDeadlock { steps: trace.steps.len(), trace: to_json(system, trace) }),
            never_fired: self.never_fired(),
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
}

#[derive(Serialize)]
pub(super) struct JsonReport<'r> {
    file: &'r str,
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
    bounds: Vec<Bound<'r>>,
    violations: Vec<JsonViolation>,
    deadlocks: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlock: Option<JsonDeadlock>,
    never_fired: Vec<&'r str>,
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
struct JsonViolation {
    #[serde(flatten)]
    clause: ClauseText,
    processes: Vec<String>,
    steps: usize,
    trace: TraceText,
}

#[derive(Serialize)]
struct JsonDeadlock {
    steps: usize,
    trace: TraceText,
}
