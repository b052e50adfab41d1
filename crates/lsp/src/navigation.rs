//! From a name to its declaration, and to all of its uses.

use lsp_types::{DocumentHighlight, DocumentHighlightKind, GotoDefinitionResponse, Location, Position};
use polycube_language::span::Span;
use polycube_language::uses::Role;

use crate::document::Open;

pub(crate) fn definition(open: &Open<'_>, position: Position) -> Option<GotoDefinitionResponse> {
    let (word, _) = open.name_at(position)?;
    // A name that a predicate takes from its callers may have several.
    let uses = open.uses.inside(word.span).iter();
    let places = uses.map(|one| location(open, one.definition)).collect();
    Some(GotoDefinitionResponse::Array(places))
}

pub(crate) fn references(
    open: &Open<'_>,
    position: Position,
    with_declaration: bool,
) -> Option<Vec<Location>> {
    let (_, definition) = open.name_at(position)?;
    let uses = open.uses.of(definition);
    let uses = uses.filter(|one| with_declaration || one.role != Role::Declares);
    Some(uses.map(|one| location(open, one.span)).collect())
}

pub(crate) fn highlights(open: &Open<'_>, position: Position) -> Option<Vec<DocumentHighlight>> {
    let (_, definition) = open.name_at(position)?;
    let highlight = |span: Span, role: Role| {
        let kind = match role {
            Role::Updates => DocumentHighlightKind::WRITE,
            Role::Declares | Role::Reads => DocumentHighlightKind::READ,
        };
        DocumentHighlight { range: open.range(span), kind: Some(kind) }
    };
    Some(open.uses.of(definition).map(|one| highlight(one.span, one.role)).collect())
}

fn location(open: &Open<'_>, span: Span) -> Location {
    Location { uri: open.uri.clone(), range: open.range(span) }
}
