//! The JSON output, as documented in `docs/json.md`.

use polycube_language::diagnostic::{Diagnostic, Diagnostics, Label};
use polycube_language::span::{Lines, Span};
use polycube_language::system::{SymbolKind, System};
use serde::Serialize;

use crate::input::Unreadable;

#[derive(Serialize)]
struct CheckReport {
    files: Vec<File>,
    errors: usize,
    warnings: usize,
}

/// What was found in one file.
#[derive(Serialize)]
pub struct File {
    file: String,
    ok: bool,
    errors: usize,
    warnings: usize,
    omitted: usize,
    diagnostics: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<Model>,
}

#[derive(Serialize)]
struct Model {
    constants: usize,
    variables: usize,
    arrays: usize,
    transitions: usize,
    #[serde(rename = "unsafe")]
    unsafe_clauses: usize,
    invariants: usize,
}

/// One error or warning.
#[derive(Serialize)]
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

/// The report of `check`.
pub fn checked(files: Vec<File>, errors: usize, warnings: usize) -> String {
    print(&CheckReport { files, errors, warnings })
}

#[derive(Serialize)]
struct Failure {
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    help: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<File>,
}

/// What a command prints that could not begin because its file is wrong.
pub(crate) fn failed(file: File) -> String {
    let error = file.diagnostics.iter().find(|entry| entry.severity == "error");
    let error = error.map_or_else(|| "wrong input".to_owned(), |entry| entry.message.clone());
    print(&Failure { error, place: None, help: Vec::new(), files: vec![file] })
}

/// What a command prints that could not begin because it was asked for the impossible.
pub(crate) fn refused(message: &str, help: Option<&str>) -> String {
    let help = help.map(str::to_owned).into_iter().collect();
    print(&Failure { error: message.to_owned(), place: None, help, files: Vec::new() })
}

/// The same, because of what stands at a place of the model.
pub(crate) fn refused_at(message: &str, label: &Label, help: &str, lines: &Lines<'_>) -> String {
    print(&Failure {
        error: message.to_owned(),
        place: Some(place(label, lines)),
        help: vec![help.to_owned()],
        files: Vec::new(),
    })
}

/// Any report as text.
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
            model: system.map(model),
        }
    }

    pub(crate) fn unreadable(error: &Unreadable) -> Self {
        let entry = Entry {
            severity: "error",
            code: "unreadable",
            message: format!("`{}` cannot be read: {}", error.name, error.reason),
            place: None,
            related: Vec::new(),
            notes: Vec::new(),
            help: error.help.clone().into_iter().collect(),
        };
        File {
            file: error.name.clone(),
            ok: false,
            errors: 1,
            warnings: 0,
            omitted: 0,
            diagnostics: vec![entry],
            model: None,
        }
    }
}

fn model(system: &System) -> Model {
    let count = |is: fn(SymbolKind) -> bool| system.symbols.iter().filter(|symbol| is(symbol.kind)).count();
    Model {
        constants: count(|kind| kind == SymbolKind::Constant),
        variables: count(|kind| kind == SymbolKind::Variable),
        arrays: count(|kind| matches!(kind, SymbolKind::Array { .. })),
        transitions: system.transitions.len(),
        unsafe_clauses: system.unsafe_clauses().count(),
        invariants: system.invariant_clauses().count(),
    }
}

/// The errors and warnings of a file.
pub(crate) fn entries(diagnostics: &Diagnostics, lines: &Lines<'_>) -> Vec<Entry> {
    diagnostics.iter().map(|diagnostic| entry(diagnostic, lines)).collect()
}

fn entry(diagnostic: &Diagnostic, lines: &Lines<'_>) -> Entry {
    Entry {
        severity: diagnostic.severity.name(),
        code: diagnostic.code.name(),
        message: diagnostic.message.clone(),
        place: Some(place(&diagnostic.primary, lines)),
        related: diagnostic.secondary.iter().map(|label| place(label, lines)).collect(),
        notes: diagnostic.notes.clone(),
        help: diagnostic.help.clone(),
    }
}

/// Of a longer line, this many characters are shown.
const LONGEST_LINE: usize = 1000;

fn place(label: &Label, lines: &Lines<'_>) -> Place {
    let Span { start, end } = label.span;
    let line = lines.line(lines.position(start).line).text(lines.source());
    Place {
        start: position(start, lines),
        end: position(end, lines),
        label: label.text.clone(),
        source_line: line.chars().take(LONGEST_LINE).collect(),
    }
}

fn position(offset: u32, lines: &Lines<'_>) -> Position {
    let position = lines.position(offset);
    Position { line: position.line, column: position.column, offset }
}
