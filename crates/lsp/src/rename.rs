//! Renaming: every use of a name is changed, and nothing else comes to mean something else.

use lsp_types::{Position, PrepareRenameResponse, TextEdit, WorkspaceEdit};
use polycube_language::check::check;
use polycube_language::diagnostic::Diagnostics;
use polycube_language::span::Span;
use polycube_language::token::{TokenKind, tokenize};
use polycube_language::uses::{Definition, Use};

use crate::document::Open;
use crate::fixes::edit_of;
use crate::refusal::Refusal;

/// What would be renamed at a place.
pub(crate) fn prepare(open: &Open<'_>, position: Position) -> Option<PrepareRenameResponse> {
    let (word, definition) = open.name_at(position)?;
    let placeholder = definition.name.text(open.source()).to_owned();
    Some(PrepareRenameResponse::RangeWithPlaceholder { range: open.range(word.span), placeholder })
}

pub(crate) fn rename(open: &Open<'_>, position: Position, name: &str) -> Result<WorkspaceEdit, Refusal> {
    let (_, definition) = open
        .name_at(position)
        .ok_or_else(|| Refusal::impossible("there is no name here that the model declares"))?;
    let old = definition.name.text(open.source());
    let name = name.trim();
    must_be_a_name(name, old)?;
    everything_is_resolved(open, definition, old)?;
    let words: Vec<Span> = open.uses.of(definition).map(|one| one.span).collect();
    means_the_same(open, definition, &words, name)?;
    let edit = |&word: &Span| TextEdit { range: open.range(word), new_text: name.to_owned() };
    Ok(edit_of(open, words.iter().map(edit).collect()))
}

/// A name of the same case as the old one.
fn must_be_a_name(name: &str, old: &str) -> Result<(), Refusal> {
    let (kind, wanted) = (kind(name), kind(old));
    if kind.is_some() && kind == wanted {
        return Ok(());
    }
    let expected = match wanted {
        Some(TokenKind::Upper) => "an upper-case letter",
        _ => "a lower-case letter",
    };
    Err(Refusal::impossible(match kind {
        Some(kind) if kind.is_keyword() => format!("`{name}` is a word of the language"),
        _ => format!(
            "`{name}` cannot stand for `{old}`: its name starts with {expected}, and goes on with letters, \
             digits and `_`"
        ),
    }))
}

/// The kind of a text that is one token.
fn kind(text: &str) -> Option<TokenKind> {
    let mut diagnostics = Diagnostics::default();
    let tokens = tokenize(text, &mut diagnostics).tokens;
    let is_one = tokens.len() == 2 && tokens[0].span == Span::new(0, text.len() as u32);
    (is_one && !diagnostics.has_errors()).then(|| tokens[0].kind)
}

/// In a model with mistakes, there may be words of which nobody knows whether they mean this thing.
fn everything_is_resolved(open: &Open<'_>, definition: &Definition, old: &str) -> Result<(), Refusal> {
    let source = open.source();
    let scope = definition.scope.unwrap_or(Span::new(0, source.len() as u32));
    for token in tokenize(source, &mut Diagnostics::default()).tokens {
        let is_inside = scope.start <= token.span.start && token.span.end <= scope.end;
        if is_inside && token.span.text(source) == old && !open.uses.is_resolved(token.span) {
            return Err(Refusal::impossible(format!(
                "the `{old}` in line {} stands where the model has a mistake: correct it first",
                open.line(token.span)
            )));
        }
    }
    Ok(())
}

/// Checks the text as it would be: every name has to refer to what it does now.
fn means_the_same(
    open: &Open<'_>,
    definition: &Definition,
    words: &[Span],
    name: &str,
) -> Result<(), Refusal> {
    let old = definition.name.text(open.source());
    if name == old {
        return Ok(());
    }
    let (source, difference) = (open.source(), name.len() as i64 - old.len() as i64);
    let mut renamed = String::new();
    let mut end = 0;
    for &word in words {
        renamed.push_str(Span::new(end, word.start.max(end)).text(source));
        renamed.push_str(name);
        end = word.end;
    }
    renamed.push_str(&source[end as usize..]);
    let moved = |span: Span| {
        let move_by = |offset: u32| {
            let before = words.partition_point(|word| word.end <= offset) as i64;
            (i64::from(offset) + before * difference) as u32
        };
        // A word that is renamed ends where the new name does.
        Span::new(move_by(span.start), move_by(span.end))
    };
    let again = check(&renamed);
    let uses = again.uses.sorted();
    let is_kept = |one: &Use| {
        let moved = Use { span: moved(one.span), definition: moved(one.definition), ..*one };
        uses.all().binary_search(&moved).is_ok()
    };
    let lost = open.uses.all().iter().find(|one| !is_kept(one));
    let is_wrong = again.diagnostics.errors() > open.checked.diagnostics.errors();
    let taken = taken(open, definition, name).map(|line| format!(": see line {line}"));
    Err(Refusal::impossible(match (lost, taken) {
        (None, _) if !is_wrong => return Ok(()),
        (Some(lost), None) if !is_wrong => {
            let (line, text) = (open.line(lost.span), lost.span.text(source));
            format!("`{name}` would change what `{text}` in line {line} means")
        }
        (_, taken) => {
            format!("`{name}` is already the name of something else{}", taken.unwrap_or_default())
        }
    }))
}

/// The line in which a name is declared already, so that it is visible together with a thing.
fn taken(open: &Open<'_>, definition: &Definition, name: &str) -> Option<u32> {
    let meet = |other: &Definition| match (definition.scope, other.scope) {
        (Some(one), Some(other)) => one.start <= other.end && other.start <= one.end,
        _ => true,
    };
    let mut definitions = open.uses.definitions().iter();
    let taken = definitions.find(|other| other.name.text(open.source()) == name && meet(other))?;
    Some(open.line(taken.name))
}
