//! The JSON output, as documented in `docs/json.md`.

use polycube_language::diagnostic::{Diagnostic, Diagnostics, Label};
use polycube_language::span::Lines;
use polycube_language::system::{SymbolKind, System};
use serde::Serialize;
use serde::ser::SerializeMap;

use crate::input::{Impossible, Unreadable};

/// What was found in one file.
#[derive(Default, Serialize)]
pub struct File {
    file: String,
    ok: bool,
    errors: usize,
    warnings: usize,
    omitted: usize,
    diagnostics: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<Counts>,
}

/// How much there is of what in a model.
#[derive(Serialize)]
pub(crate) struct Counts {
    pub(crate) constants: usize,
    pub(crate) variables: usize,
    pub(crate) arrays: usize,
    pub(crate) transitions: usize,
    #[serde(rename = "unsafe")]
    pub(crate) unsafe_clauses: usize,
    pub(crate) invariants: usize,
}

#[derive(Default, Serialize)]
pub(crate) struct Entry {
    severity: &'static str,
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    related: Vec<Place>,
    notes: Vec<String>,
    help: Vec<String>,
}

#[derive(Serialize)]
struct Place {
    start: Position,
    end: Position,
    label: String,
    /// The line in which the place starts.
    source_line: String,
}

#[derive(Serialize)]
struct Position {
    line: usize,
    column: usize,
    offset: u32,
}

/// Why a command could not begin.
#[derive(Default, Serialize)]
struct Failure {
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    help: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<File>,
}

/// The report of `check`.
pub fn checked(files: Vec<File>, errors: usize, warnings: usize) -> String {
    #[derive(Serialize)]
    struct Report {
        files: Vec<File>,
        errors: usize,
        warnings: usize,
    }
    print(&Report { files, errors, warnings })
}

/// What a command prints that could not begin because its file is wrong.
pub(crate) fn failed(file: File) -> String {
    let error = file.diagnostics.iter().find(|entry| entry.severity == "error");
    let error = error.map_or_else(|| "wrong input".to_owned(), |entry| entry.message.clone());
    print(&Failure { error, files: vec![file], ..Failure::default() })
}

/// What a command prints that could not begin because it was asked for the impossible.
pub(crate) fn refused(Impossible { reason, help }: &Impossible) -> String {
    let help = help.clone().into_iter().collect();
    print(&Failure { error: reason.clone(), help, ..Failure::default() })
}

/// The same, because of what stands at a place of the model.
pub(crate) fn refused_at(message: &str, label: &Label, help: &str, lines: &Lines<'_>) -> String {
    let place = Some(Place::new(label, lines));
    print(&Failure { error: message.to_owned(), place, help: vec![help.to_owned()], files: Vec::new() })
}

/// A field that is left out where there is nothing to say.
pub(crate) fn optional<M: SerializeMap>(
    object: &mut M,
    name: &'static str,
    value: Option<impl Serialize>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| object.serialize_entry(name, &value))
}

pub(crate) fn print(report: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("a report has string keys only");
    text.push('\n');
    text
}

impl File {
    /// A file that could be read.
    pub fn checked(
        name: &str,
        lines: &Lines<'_>,
        system: Option<&System>,
        diagnostics: &Diagnostics,
    ) -> Self {
        File {
            file: name.to_owned(),
            ok: !diagnostics.has_errors(),
            errors: diagnostics.errors(),
            warnings: diagnostics.warnings(),
            omitted: diagnostics.omitted(),
            diagnostics: entries(diagnostics, lines),
            model: system.map(Counts::of),
        }
    }

    pub(crate) fn unreadable(Unreadable { name, reason, help }: &Unreadable) -> Self {
        let entry = Entry {
            severity: "error",
            code: "unreadable",
            message: format!("`{name}` cannot be read: {reason}"),
            help: help.clone().into_iter().collect(),
            ..Entry::default()
        };
        File { file: name.clone(), errors: 1, diagnostics: vec![entry], ..File::default() }
    }
}

impl Counts {
    pub(crate) fn of(system: &System) -> Counts {
        let declared = &system.symbols[..system.declared()];
        let count = |is: fn(SymbolKind) -> bool| declared.iter().filter(|one| is(one.kind)).count();
        Counts {
            constants: count(|kind| kind == SymbolKind::Constant),
            variables: count(|kind| kind == SymbolKind::Variable),
            arrays: count(|kind| matches!(kind, SymbolKind::Array { .. })),
            transitions: system.transitions.len(),
            unsafe_clauses: system.unsafe_clauses().count(),
            invariants: system.invariant_clauses().count(),
        }
    }
}

pub(crate) fn entries(diagnostics: &Diagnostics, lines: &Lines<'_>) -> Vec<Entry> {
    let entry = |diagnostic: &Diagnostic| Entry {
        severity: diagnostic.severity.name(),
        code: diagnostic.code.name(),
        message: diagnostic.message.clone(),
        place: Some(Place::new(&diagnostic.primary, lines)),
        related: diagnostic.secondary.iter().map(|label| Place::new(label, lines)).collect(),
        notes: diagnostic.notes.clone(),
        help: diagnostic.help.clone(),
    };
    diagnostics.iter().map(entry).collect()
}

/// Of a longer line, this many characters are shown.
const LONGEST_LINE: usize = 1000;

impl Place {
    fn new(label: &Label, lines: &Lines<'_>) -> Place {
        let position = |offset| {
            let position = lines.position(offset);
            Position { line: position.line, column: position.column, offset }
        };
        let (start, end) = (position(label.span.start), position(label.span.end));
        let line = lines.line(start.line).text(lines.source());
        Place {
            start,
            end,
            label: label.text.clone(),
            source_line: line.chars().take(LONGEST_LINE).collect(),
        }
    }
}
