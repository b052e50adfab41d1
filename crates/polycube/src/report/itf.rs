//! Runs in the Informal Trace Format (ITF) of Apalache and Quint, in both directions: see `docs/reports.md`, and
//! their ADR-015.

mod place;
mod read;

use polycube_certificate::{Cell, Run, State, Step, Trace, replay};
use polycube_language::System;
use polycube_language::system::{EnumerationId, SymbolKind, Type};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::json_trace::{Fields, is_written, orders, processes};
use crate::tool;

use place::{Part, Place, is_number, word};
pub(crate) use read::{Named, from_itf, is_itf};

const DESCRIPTION: &str = "https://apalache-mc.org/docs/adr/015adr-trace.html";

/// Where a state says how it was reached, and the trace with how many processes.
const META: &str = "#meta";
const BIG: &str = "#bigint";
const MAP: &str = "#map";
const TUPLE: &str = "#tup";
/// For reals, which the format does not have.
const OTHER: &str = "#unserializable";

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Meta<'t> {
    format: &'static str,
    format_description: &'static str,
    source: &'t str,
    description: String,
    processes: u32,
    #[serde(skip_serializing_if = "Fields::is_empty")]
    order: Fields<Vec<String>>,
}

/// The trace as a text. It is one that [`replay`] accepts; `source` is the name of the model.
pub(crate) fn to_itf(system: &System, trace: &Trace, source: &str) -> String {
    let Run { states, .. } = replay(system, trace)
        .unwrap_or_else(|rejected| panic!("a run that is written is one, but: {rejected}"));
    let names = |is_wanted: fn(SymbolKind) -> bool| {
        let mut names: Vec<String> = Vec::new();
        for (cell, _) in trace.initial.spoken_of(system) {
            let name = Place::of(system, &cell).variable;
            let is_kind = is_wanted(system.symbol(cell.symbol).kind);
            if is_kind && is_written(system, &cell) && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    let steps = [None].into_iter().chain(trace.steps.iter().map(Some));
    let state = |(index, (state, step))| compact(&state_text(system, state, index, step));
    let meta = Meta {
        format: "ITF",
        format_description: DESCRIPTION,
        source,
        description: format!("written by {}", tool()),
        processes: trace.processes,
        order: Fields(orders(system, trace)),
    };
    let parameters = names(|kind| kind == SymbolKind::Constant);
    let variables = names(|kind| kind != SymbolKind::Constant);
    let states: Vec<String> = states.iter().zip(steps).enumerate().map(state).collect();
    let mut parts = vec![format!("\"{META}\": {}", compact(&meta))];
    if !parameters.is_empty() {
        parts.push(format!("\"params\": {}", compact(&parameters)));
    }
    parts.push(format!("\"vars\": {}", compact(&variables)));
    parts.push(format!("\"states\": [\n    {}\n  ]", states.join(",\n    ")));
    format!("{{\n  {}\n}}\n", parts.join(",\n  "))
}

/// JSON in one line: a state is read as a whole.
fn compact(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a trace has string keys only")
}

/// A field of a state.
#[derive(Serialize)]
#[serde(untagged)]
enum Field<'t> {
    /// How it was reached.
    Meta {
        index: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        transition: Option<&'t str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        arguments: Option<Vec<String>>,
    },
    Value(Json),
}

fn state_text<'t>(
    system: &'t System,
    state: &State,
    index: usize,
    step: Option<&'t Step>,
) -> Fields<Field<'t>> {
    let call = |step: &'t Step| (system.transition_in_words(&step.transition), processes(&step.arguments));
    let (transition, arguments) = step.map(call).unzip();
    let mut fields = vec![(META.to_owned(), Field::Meta { index, transition, arguments })];
    let mut variables: Vec<(String, Json)> = Vec::new();
    for (cell, text) in state.spoken_of(system).into_iter().filter(|(cell, _)| is_written(system, cell)) {
        let Place { variable, path } = Place::of(system, &cell);
        let at = variables.iter().position(|(known, _)| *known == variable).unwrap_or_else(|| {
            variables.push((variable, Json::Null));
            variables.len() - 1
        });
        insert(&mut variables[at].1, &path, value_text(system, &cell, &text));
    }
    fields.extend(variables.into_iter().map(|(name, value)| (name, Field::Value(value))));
    Fields(fields)
}

/// Puts a value into a structure.
fn insert(structure: &mut Json, path: &[Part], value: Json) {
    let Some((first, rest)) = path.split_first() else {
        *structure = value;
        return;
    };
    let inner = match first {
        Part::Field(name) => {
            if structure.is_null() {
                *structure = json!({});
            }
            &mut structure[name]
        }
        Part::Key(key) => {
            if structure.is_null() {
                *structure = json!({ MAP: [] });
            }
            let pairs = structure[MAP].as_array_mut().expect("what has a key is a map");
            let at = pairs.iter().position(|pair| pair[0] == *key).unwrap_or_else(|| {
                pairs.push(json!([key, null]));
                pairs.len() - 1
            });
            &mut pairs[at][1]
        }
    };
    insert(inner, rest, value);
}

fn value_text(system: &System, cell: &Cell, text: &str) -> Json {
    let has_words = system.words.cells.contains_key(&cell.symbol);
    match system.symbol(cell.symbol).ty {
        Type::Real => json!({ OTHER: text }),
        Type::Integer if is_number(text) => json!({ BIG: text }),
        Type::Enumeration(_) if has_words => word(text),
        Type::Enumeration(EnumerationId::BOOL) => json!(text == "True"),
        _ => json!(text),
    }
}
