//! Runs in the Informal Trace Format (ITF) of Apalache and Quint, in both directions: see `docs/reports.md`, and
//! their ADR-015.

mod read;

use polycube_certificate::{Cell, Run, State, Step, Trace, Value, replay};
use polycube_language::System;
use polycube_language::system::{EnumerationId, SymbolId, SymbolKind, Type};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::json_trace::{Fields, orders, processes};
use crate::tool;

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
    let names = |wanted: fn(SymbolKind) -> bool| {
        let declared = system.symbols[..system.declared()].iter();
        declared.filter(|symbol| wanted(symbol.kind)).map(|symbol| symbol.name.as_str()).collect()
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
    let parameters: Vec<&str> = names(|kind| kind == SymbolKind::Constant);
    let variables: Vec<&str> = names(|kind| kind != SymbolKind::Constant);
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

fn state_text<'t>(system: &System, state: &State, index: usize, step: Option<&'t Step>) -> Fields<Field<'t>> {
    let (transition, arguments) =
        step.map(|step| (step.transition.as_str(), processes(&step.arguments))).unzip();
    let mut fields = vec![(META.to_owned(), Field::Meta { index, transition, arguments })];
    let cells: Vec<(&Cell, &Value)> = state.iter().collect();
    for cells in cells.chunk_by(|(left, _), (right, _)| left.symbol == right.symbol) {
        let symbol = cells[0].0.symbol;
        // How many processes there are in a situation follows from the rest.
        if system.count(symbol).is_none() {
            let value = Field::Value(symbol_text(system, symbol, cells));
            fields.push((system.symbol(symbol).name.clone(), value));
        }
    }
    Fields(fields)
}

fn symbol_text(system: &System, symbol: SymbolId, cells: &[(&Cell, &Value)]) -> Json {
    let value = |value| value_text(system, system.symbol(symbol).ty, value);
    if system.symbol(symbol).dimensions() == 0 {
        return value(cells[0].1);
    }
    let key = |cell: &Cell| match &processes(&cell.indices)[..] {
        [one] => json!(one),
        several => json!({ TUPLE: several }),
    };
    let pairs = cells.iter().map(|(cell, held)| json!([key(cell), value(held)]));
    json!({ MAP: pairs.collect::<Vec<_>>() })
}

fn value_text(system: &System, ty: Type, value: &Value) -> Json {
    let text = value.display(system).to_string();
    match (ty, value) {
        (Type::Integer, _) => json!({ BIG: text }),
        (Type::Real, _) => json!({ OTHER: text }),
        (_, Value::Constructor(EnumerationId::BOOL, _)) => json!(text == "True"),
        _ => json!(text),
    }
}
