//! Diagnostics for people, in the manner of the Rust compiler.

pub(crate) mod cube;
pub(crate) mod html;
pub(crate) mod itf;
pub mod json;
pub(crate) mod json_trace;
pub(crate) mod lean;
pub(crate) mod mermaid;
pub(crate) mod murphi;
pub(crate) mod needs;
pub(crate) mod number;
pub(crate) mod trace;

use std::fmt::Write;
use std::io;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use polycube_language::diagnostic::{Diagnostic, Diagnostics, Label, Severity};
use polycube_language::span::{Lines, Span};

use self::trace::narrow;
use crate::input::{Impossible, Unreadable, describe};

/// Marked places that are at most this many lines apart are shown in one piece.
const NEAR: usize = 12;

/// A marked stretch of more lines than this is shown by its first line.
const TALL: usize = 8;

/// Of a longer line only the surroundings of the mark are shown.
const LONG_LINE: usize = 300;

/// All diagnostics of one file, with colours; whoever prints them may take the colours away.
pub fn diagnostics(diagnostics: &Diagnostics, name: &str, lines: &Lines<'_>) -> String {
    let renderer = Renderer::styled().term_width(100);
    let mut text = String::new();
    for diagnostic in diagnostics {
        let _ = writeln!(text, "{}\n", renderer.render(&[group(diagnostic, name, lines)]));
    }
    if diagnostics.omitted() > 0 {
        let _ = writeln!(text, "{name}: {} more are not shown\n", diagnostics.omitted());
    }
    text
}

fn group<'d>(diagnostic: &'d Diagnostic, name: &'d str, lines: &Lines<'d>) -> Group<'d> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = level
        .primary_title(&*diagnostic.message)
        .id(diagnostic.code.name())
        .elements(excerpts(diagnostic, name, lines));
    // Behind the numbers of lines, and `= note: `.
    let column = lines.position(diagnostic.primary.span.start).line.to_string().len() + 1 + "= note: ".len();
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(narrow(note, column)));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(&**help));
    }
    group
}

/// The marked places, the one with the primary mark first.
fn excerpts<'d>(
    diagnostic: &'d Diagnostic,
    name: &'d str,
    lines: &Lines<'d>,
) -> Vec<annotate_snippets::Element<'d>> {
    let mut marks: Vec<Mark<'d>> = vec![Mark::new(&diagnostic.primary, AnnotationKind::Primary, lines)];
    marks.extend(diagnostic.secondary.iter().map(|label| Mark::new(label, AnnotationKind::Context, lines)));
    let primary = marks[0].lines.start;
    marks.sort_by_key(|mark| mark.lines.start);
    let mut pieces: Vec<Vec<Mark<'d>>> = Vec::new();
    for mark in marks {
        match pieces.last_mut() {
            Some(piece) if mark.lines.start <= piece[piece.len() - 1].lines.end + NEAR => piece.push(mark),
            _ => pieces.push(vec![mark]),
        }
    }
    pieces
        .sort_by_key(|piece| !(piece[0].lines.start..=piece[piece.len() - 1].lines.start).contains(&primary));
    pieces.into_iter().flat_map(|piece| excerpt(&piece, name, lines)).collect()
}

/// A label with the lines (from 1) that it touches.
struct Mark<'d> {
    span: Span,
    text: &'d str,
    kind: AnnotationKind,
    lines: Range<usize>,
}

impl<'d> Mark<'d> {
    fn new(label: &'d Label, kind: AnnotationKind, lines: &Lines<'d>) -> Self {
        let first = lines.position(label.span.start).line;
        let last = lines.position(label.span.end).line;
        let (span, last) = if last - first >= TALL {
            (Span::new(label.span.start, lines.line(first).end.max(label.span.start)), first)
        } else {
            (label.span, last)
        };
        Mark { span, text: &label.text, kind, lines: first..last }
    }
}

fn excerpt<'d>(marks: &[Mark<'d>], name: &'d str, lines: &Lines<'d>) -> Vec<annotate_snippets::Element<'d>> {
    let first = marks[0].lines.start;
    let last = marks.iter().map(|mark| mark.lines.end).max().unwrap_or(first);
    let whole = Span::new(lines.line(first).start, lines.line(last).end);
    let long = (first..=last).any(|line| lines.line(line).text(lines.source()).len() > LONG_LINE);
    let annotate = |snippet: Snippet<'d, annotate_snippets::Annotation<'d>>, mark: &Mark<'d>, part: Span| {
        let at = |offset: u32| (offset.clamp(part.start, part.end) - part.start) as usize;
        let annotation = mark.kind.span(at(mark.span.start)..at(mark.span.end));
        snippet.annotation(if mark.text.is_empty() { annotation } else { annotation.label(mark.text) })
    };
    if !long {
        let snippet = Snippet::source(whole.text(lines.source())).line_start(first).path(name);
        return vec![marks.iter().fold(snippet, |snippet, mark| annotate(snippet, mark, whole)).into()];
    }
    // A line of a machine: show each mark with its surroundings only.
    let mut elements = Vec::new();
    for mark in marks {
        let position = lines.position(mark.span.start);
        elements.push(Origin::path(name).line(position.line).char_column(position.column).into());
        let part = surroundings(mark.span, lines.line(position.line), lines.source());
        let snippet = Snippet::source(part.text(lines.source())).line_start(position.line);
        elements.push(annotate(snippet, mark, part).into());
    }
    elements
}

/// The part of a long line around a mark.
fn surroundings(mark: Span, line: Span, source: &str) -> Span {
    let boundary = |mut offset: u32| {
        while !source.is_char_boundary(offset as usize) {
            offset -= 1;
        }
        offset
    };
    let around = LONG_LINE as u32 / 10;
    let end = mark.end.min(mark.start + around).max(mark.start);
    Span::new(
        boundary(mark.start.saturating_sub(around)).max(line.start),
        boundary((end + around).min(line.end)).max(mark.start),
    )
}

/// The last line: how much was found; nothing if nothing was.
pub(crate) fn totals(errors: usize, warnings: usize) -> String {
    match (errors, warnings) {
        (0, 0) => String::new(),
        (0, warnings) => format!("{}\n", counted(warnings, "warning")),
        (errors, 0) => format!("{}\n", counted(errors, "error")),
        (errors, warnings) => format!("{}, {}\n", counted(errors, "error"), counted(warnings, "warning")),
    }
}

/// `1 error`, `2 errors`
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

pub(crate) fn unreadable(Unreadable { name, reason, help }: &Unreadable) -> String {
    error(&format!("`{name}` cannot be read: {reason}"), help.as_deref())
}

pub(crate) fn unwritable(name: &str, failure: &io::Error, help: Option<&str>) -> String {
    error(&format!("`{name}` cannot be written: {}", describe(failure)), help)
}

pub(crate) fn impossible(Impossible { reason, help }: &Impossible) -> String {
    error(reason, help.as_deref())
}

/// An error that has no place in a text.
pub(crate) fn error(message: &str, help: Option<&str>) -> String {
    let mut group = Group::with_title(Level::ERROR.primary_title(message));
    if let Some(help) = help {
        group = group.element(Level::HELP.message(help));
    }
    format!("{}\n\n", Renderer::styled().render(&[group]))
}

/// An error at a place of a model that is fine in itself.
pub(crate) fn error_at(message: &str, place: &Label, help: &str, name: &str, lines: &Lines<'_>) -> String {
    let mark = Mark::new(place, AnnotationKind::Primary, lines);
    let group = Level::ERROR.primary_title(message).elements(excerpt(&[mark], name, lines));
    let group = group.element(Level::HELP.message(help));
    format!("{}\n\n", Renderer::styled().term_width(100).render(&[group]))
}
