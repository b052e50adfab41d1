//! What an exploration found, as JSON: see docs/json.md.

use polycube_engine::forward::{End, Fault, Part, Reduction, Traffic};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::report::Report;
use crate::command::cut_off;
use crate::report::json::optional;
use crate::report::json_trace::{ClauseText, RunText};

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (found, system) = (self.exploration, self.system());
        let violations = found.violations.iter().map(|violation| JsonViolation {
            clause: ClauseText::new(system, violation.property, &self.lines),
            run: RunText::bad(system, &violation.trace, &violation.processes),
        });
        let end = match found.end {
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
            End::Lost => "lost",
            End::Unkept => "unkept",
        };
        let deadlock = found.deadlock.as_ref().map(|trace| RunText::new(system, trace));
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("file", &self.model.input.name)?;
        object.serialize_entry("processes", &self.options.processes)?;
        optional(&mut object, "sizes", self.model.sizes.as_ref().map(|sizes| &sizes.instances))?;
        optional(&mut object, "not_for_every_number", self.refused())?;
        optional(&mut object, "executed", self.executed())?;
        object.serialize_entry("states", &found.states)?;
        object.serialize_entry("inspected", &found.inspected)?;
        object.serialize_entry("initial_states", &found.initial_states)?;
        object.serialize_entry("transitions", &found.transitions)?;
        object.serialize_entry("depth", &found.depth)?;
        object.serialize_entry("complete", &(found.end == End::Complete))?;
        object.serialize_entry("end", end)?;
        optional(&mut object, "lost", self.lost.as_ref())?;
        optional(&mut object, "unkept", found.fault.as_ref().map(|Fault(reason)| reason))?;
        optional(&mut object, "cut_off", self.is_cut_off.then_some(true))?;
        object.serialize_entry("bounds", &self.bounds())?;
        object.serialize_entry("violations", &violations.collect::<Vec<_>>())?;
        object.serialize_entry("deadlocks", &found.deadlocks)?;
        optional(&mut object, "deadlock", deadlock)?;
        object.serialize_entry("never_fired", &self.never_fired())?;
        object.serialize_entry("symmetry", &(found.reduction == Reduction::Symmetry))?;
        object.serialize_entry("orders", &found.orders)?;
        object.serialize_entry("explored_orders", &found.explored_orders)?;
        object.serialize_entry("threads", &self.options.threads)?;
        object.serialize_entry("seconds", &self.seconds)?;
        object.serialize_entry("states_per_second", &(found.states as f64 / self.seconds.max(1e-6)))?;
        object.serialize_entry("state_bits", &found.state_bits)?;
        object.serialize_entry("bytes", &found.bytes)?;
        object.serialize_entry("bytes_per_state", &self.bytes_per_state())?;
        if found.parts.len() > 1 {
            let parts: Vec<JsonPart> = found.parts.iter().map(JsonPart::from).collect();
            object.serialize_entry("parts", &parts)?;
        }
        object.end()
    }
}

/// What one of several processes has.
#[derive(Serialize)]
struct JsonPart {
    states: u64,
    bytes: usize,
    sent_bytes: u64,
    meetings: u64,
    seconds_waited: f64,
}

impl From<&Part> for JsonPart {
    fn from(part: &Part) -> JsonPart {
        let Traffic { sent, meetings, waited } = part.traffic;
        let seconds_waited = waited.as_secs_f64();
        JsonPart { states: part.states, bytes: part.bytes, sent_bytes: sent, meetings, seconds_waited }
    }
}

#[derive(Serialize)]
struct JsonViolation {
    #[serde(flatten)]
    clause: ClauseText,
    #[serde(flatten)]
    run: RunText,
}
