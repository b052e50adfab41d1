//! Traces as JSON, in both directions, as documented in `docs/json.md`.

mod called;
mod read;

use std::fmt;
use std::marker::PhantomData;

use polycube_certificate::{Cell, State, Step, Trace, Violation};
use polycube_language::System;
use polycube_language::span::Lines;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::trace::changed_in_words;
pub(crate) use called::{called, name_of_step};
pub(crate) use read::{Source, another_model, cells_in_words, from_json, orders_of, quoted};

/// A trace as text. The same fields are written and read.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "a trace: an object with \"processes\", \"initial\" and \"steps\"")]
pub(crate) struct TraceText {
    processes: u32,
    #[serde(default, skip_serializing_if = "Fields::is_empty")]
    order: Fields<Vec<String>>,
    initial: Fields<String>,
    steps: Vec<StepText>,
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "a step: an object with \"transition\", \"arguments\" and \"changes\"")]
struct StepText {
    transition: String,
    arguments: Vec<String>,
    changes: Fields<String>,
}

/// A run in a report.
#[derive(Serialize)]
pub(crate) struct RunText {
    /// For which processes its last state is bad.
    #[serde(skip_serializing_if = "Option::is_none")]
    processes: Option<Vec<String>>,
    steps: usize,
    trace: TraceText,
}

impl RunText {
    pub(crate) fn new(system: &System, trace: &Trace) -> RunText {
        RunText { processes: None, steps: trace.steps.len(), trace: to_json(system, trace) }
    }

    pub(crate) fn bad(system: &System, trace: &Trace, bad: &[u32]) -> RunText {
        RunText { processes: Some(processes(bad)), ..RunText::new(system, trace) }
    }
}

/// Where a clause of the model stands.
#[derive(Serialize)]
pub(crate) struct ClauseText {
    kind: &'static str,
    /// What a file of another language calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    line: usize,
    column: usize,
}

impl ClauseText {
    pub(crate) fn new(system: &System, at: usize, lines: &Lines<'_>) -> ClauseText {
        let property = &system.properties[at];
        let position = lines.position(property.origin.0.start);
        let name = system.words.properties.get(&at).map(|claim| claim.name().to_owned());
        ClauseText { kind: property.kind.keyword(), name, line: position.line, column: position.column }
    }
}

#[derive(Serialize)]
pub(crate) struct ViolationText {
    #[serde(flatten)]
    clause: ClauseText,
    processes: Vec<String>,
    step: usize,
}

/// A trace of this system, to be printed as JSON.
pub(crate) fn to_json(system: &System, trace: &Trace) -> TraceText {
    let mut state = trace.initial.clone();
    let mut changes = |step: &Step| {
        let changed = changed_in_words(system, &mut state, step).into_iter();
        let written = changed.filter(|(cell, ..)| is_written(system, cell));
        Fields(written.map(|(cell, _, after)| (cell.in_words(system), after)).collect())
    };
    let steps = trace.steps.iter().map(|step| StepText {
        transition: system.transition_in_words(&step.transition).to_owned(),
        arguments: processes(&step.arguments),
        changes: changes(step),
    });
    TraceText {
        processes: trace.processes,
        order: Fields(orders(system, trace)),
        initial: values(system, &trace.initial),
        steps: steps.collect(),
    }
}

/// Violations as something that can be printed as JSON. `lines` are those of the model.
pub(crate) fn violations_to_json(
    system: &System,
    lines: &Lines<'_>,
    violations: &[Violation],
) -> Vec<ViolationText> {
    let text = |violation: &Violation| ViolationText {
        clause: ClauseText::new(system, violation.property, lines),
        processes: processes(&violation.processes),
        step: violation.state,
    };
    violations.iter().map(text).collect()
}

/// The orders of a trace that are not natural: of what, and what is less than what.
pub(crate) fn orders(system: &System, trace: &Trace) -> Vec<(String, Vec<String>)> {
    let of_processes = trace.orders.processes.iter().map(|order| ("proc".to_owned(), processes(order)));
    let of_enumerations = trace.orders.enumerations.iter().map(|(&id, order)| {
        let enumeration = system.enumeration(id);
        let names = order.iter().map(|&index| enumeration.constructors[index as usize].clone());
        (enumeration.name.clone(), names.collect())
    });
    of_processes.chain(of_enumerations).collect()
}

/// Processes as text: `#1`.
pub(crate) fn processes(processes: &[u32]) -> Vec<String> {
    processes.iter().map(|process| format!("#{process}")).collect()
}

/// Whether a cell that is spoken of is written: how many processes there are in a situation follows from the rest.
pub(crate) fn is_written(system: &System, cell: &Cell) -> bool {
    system.count(cell.symbol).is_none()
}

/// What is known of a state, in words.
pub(crate) fn values(system: &System, state: &State) -> Fields<String> {
    let spoken_of = state.spoken_of(system).into_iter().filter(|(cell, _)| is_written(system, cell));
    Fields(spoken_of.map(|(cell, value)| (cell.in_words(system), value)).collect())
}

/// An object whose fields keep their order, and may repeat.
#[derive(Default)]
pub(crate) struct Fields<V>(pub(crate) Vec<(String, V)>);

impl<V> Fields<V> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<V: Serialize> Serialize for Fields<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Fields<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Reader<V> {
            type Value = Fields<V>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<V>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Reader(PhantomData))
    }
}
