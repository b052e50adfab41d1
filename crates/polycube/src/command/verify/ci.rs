//! What was found, in the formats of services that run checks: annotations of GitHub, SARIF, and JUnit's XML.

mod junit;
mod sarif;

use std::fmt::Write;

use serde_json::Value;

use super::many::Answered;
use crate::report::number::counted;
use crate::report::trace::processes;

pub(super) use junit::junit;
pub(super) use sarif::sarif;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Error,
    Warning,
}

impl Level {
    fn word(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
        }
    }
}

/// Something to look at, in a model.
struct Finding<'a> {
    file: &'a str,
    /// Where, if it has a place: line and column, from 1.
    place: Option<(u64, u64)>,
    level: Level,
    /// Its class.
    rule: String,
    message: String,
}

/// The classes that are not those of docs/diagnostics.md.
const RULES: [(&str, &str); 5] = [
    ("unsafe", "A bad state is reachable"),
    ("wrong-invariant", "An invariant clause does not hold in all reachable states"),
    ("unknown", "It is not known whether a bad state is reachable"),
    ("error", "The model was not verified"),
    ("bug", "The program stopped itself"),
];

/// All that is to be looked at in one model.
fn findings(one: &Answered) -> Vec<Finding<'_>> {
    let file = one.file.as_str();
    let finding = |place, level, rule: &str, message: String| Finding {
        file,
        place,
        level,
        rule: rule.to_owned(),
        message,
    };
    let mut found = Vec::new();
    for property in properties(one) {
        let place = property["line"].as_u64().zip(property["column"].as_u64());
        if let Some((rule, message)) = what_is_wrong(property) {
            let level = if rule == "unknown" { Level::Warning } else { Level::Error };
            found.push(finding(place, level, rule, message));
        }
    }
    let files = one.report["files"].as_array().into_iter().flatten();
    let mistakes = files.flat_map(|file| file["diagnostics"].as_array().into_iter().flatten());
    let warnings = one.report["warnings"].as_array().into_iter().flatten();
    for entry in mistakes.chain(warnings) {
        let start = &entry["place"]["start"];
        let place = start["line"].as_u64().zip(start["column"].as_u64());
        let level = if entry["severity"] == "error" { Level::Error } else { Level::Warning };
        let message = entry["message"].as_str().unwrap_or_default().to_owned();
        found.push(finding(place, level, entry["code"].as_str().unwrap_or("error"), message));
    }
    if found.is_empty() && matches!(one.verdict(), "error" | "bug") {
        found.push(finding(None, Level::Error, one.verdict(), one.remark()));
    }
    found
}

/// What is known about each clause of a model.
fn properties(one: &Answered) -> impl Iterator<Item = &Value> {
    one.report["properties"].as_array().into_iter().flatten()
}

/// What a clause is called.
fn what(property: &Value) -> &str {
    let kind = if property["kind"] == "invariant" { "invariant" } else { "unsafe clause" };
    property["name"].as_str().unwrap_or(kind)
}

/// What is wrong about a clause, if anything: the class, and a sentence.
fn what_is_wrong(property: &Value) -> Option<(&'static str, String)> {
    let is_invariant = property["kind"] == "invariant";
    let what = what(property);
    match property["verdict"].as_str()? {
        "unsafe" => {
            let steps = property["trace"]["steps"].as_array().map_or(0, Vec::len) as u64;
            let count = property["trace"]["processes"].as_u64().and_then(|count| u32::try_from(count).ok());
            let run = format!("{} with {}", counted(steps, "step"), processes(count.unwrap_or(0)));
            Some(if let Some(name) = property["name"].as_str() {
                ("unsafe", format!("{name}: a run reaches a bad state ({run})"))
            } else if is_invariant {
                ("wrong-invariant", format!("a run violates this invariant ({run})"))
            } else {
                ("unsafe", format!("a run reaches a state of this unsafe clause ({run})"))
            })
        }
        "unknown" => {
            let reason = property["reason"].as_str().unwrap_or("no reason");
            Some((
                "unknown",
                match property["name"].as_str() {
                    Some(name) => {
                        format!("{name}: it is not known whether a bad state is reachable: {reason}")
                    }
                    None => {
                        format!("it is not known whether this {what} holds in a reachable state: {reason}")
                    }
                },
            ))
        }
        _ => None,
    }
}

/// One line for each finding: `::error file=mutex.cub,line=6,col=1,title=unsafe::...`
pub(super) fn github(answered: &[Answered]) -> String {
    let mut text = String::new();
    for one in answered {
        for Finding { file, place, level, rule, message } in findings(one) {
            let _ = write!(text, "::{} file={}", level.word(), escaped(file, true));
            if let Some((line, column)) = place {
                let _ = write!(text, ",line={line},col={column}");
            }
            let _ = writeln!(text, ",title={}::{}", escaped(&rule, true), escaped(&message, false));
        }
        let line = format!("{}: {} ({})", one.file, one.verdict().replace('_', " "), one.remark());
        let _ = writeln!(text, "{}", line.trim_end_matches(" ()"));
    }
    text
}

/// A text that a workflow command takes as it is; within properties, more has a meaning.
fn escaped(text: &str, is_property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if is_property { text.replace(':', "%3A").replace(',', "%2C") } else { text }
}
