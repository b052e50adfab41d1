//! Where a cell stands in a variable that has parts: `Chan2[#1].Cmd` is the field `Cmd` of the value of `#1` in the map
//! `Chan2`.

use polycube_certificate::Cell;
use polycube_language::System;
use serde_json::{Map, Value as Json, json};

use super::{BIG, MAP, OTHER, TUPLE};

/// A place in a variable.
pub(super) struct Place {
    pub(super) variable: String,
    pub(super) path: Vec<Part>,
}

pub(super) enum Part {
    /// Of a record.
    Field(String),
    /// Of a map.
    Key(Json),
}

impl Place {
    pub(super) fn of(system: &System, cell: &Cell) -> Place {
        let text = cell.in_words(system);
        // A slot of a multiset is a variable of its own: it has a value, and what says whether there is one.
        if text.contains('{') {
            return Place { variable: text, path: Vec::new() };
        }
        let end = text.find(['[', '.']).unwrap_or(text.len());
        let (variable, mut rest) = text.split_at(end);
        let mut path = Vec::new();
        while !rest.is_empty() {
            if let Some((key, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                path.push(Part::Key(key_text(key)));
                rest = behind;
            } else {
                let field = rest.trim_start_matches('.');
                let end = field.find(['[', '.']).unwrap_or(field.len());
                path.push(Part::Field(field[..end].to_owned()));
                rest = &field[end..];
            }
        }
        Place { variable: variable.to_owned(), path }
    }
}

/// `#1`, or a tuple for `#1,#2`; in a file of another language also `Red`, `2` or `true`.
fn key_text(key: &str) -> Json {
    match key.contains(',') {
        true => json!({ TUPLE: key.split(',').collect::<Vec<_>>() }),
        false => word(key),
    }
}

/// A number, a truth value, or any other word.
pub(super) fn word(text: &str) -> Json {
    match text {
        "true" | "false" => json!(text == "true"),
        _ if is_number(text) => json!({ BIG: text }),
        _ => json!(text),
    }
}

pub(super) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|one| one.is_ascii_digit())
}

/// The cells that a structure has, as they are called, with what it says of each.
pub(super) fn cells_of<'j>(name: &str, structure: &'j Json) -> Vec<(String, &'j Json)> {
    let is_plain =
        |fields: &Map<String, Json>| fields.keys().any(|field| [BIG, OTHER, "tag"].contains(&field.as_str()));
    match structure {
        Json::Object(fields) if fields.contains_key(MAP) => {
            let pairs = fields[MAP].as_array().into_iter().flatten();
            let parts = pairs.filter_map(|pair| Some((text_of(pair.get(0)?)?, pair.get(1)?)));
            parts.flat_map(|(key, held)| cells_of(&format!("{name}[{key}]"), held)).collect()
        }
        Json::Object(fields) if !is_plain(fields) => {
            fields.iter().flat_map(|(field, held)| cells_of(&format!("{name}.{field}"), held)).collect()
        }
        _ => vec![(name.to_owned(), structure)],
    }
}

/// A key or a value as a word.
pub(super) fn text_of(words: &Json) -> Option<String> {
    Some(match words {
        Json::Bool(truth) => truth.to_string(),
        Json::String(text) => text.clone(),
        Json::Number(number) => number.to_string(),
        // `tag` is a value of a sum type in Quint.
        Json::Object(object) => {
            [BIG, OTHER, "tag"].iter().find_map(|kind| object.get(*kind)?.as_str())?.to_owned()
        }
        _ => return None,
    })
}
