//! Code actions: what the checker suggests to write instead, and all of it at a keystroke.

use std::collections::HashMap;

use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, Range, TextEdit, WorkspaceEdit};

use crate::diagnostics;
use crate::document::Open;

pub(crate) fn fixes(open: &Open<'_>, range: Range) -> Vec<CodeActionOrCommand> {
    let asked = open.text.span(range);
    let mut fixes = Vec::new();
    for diagnostic in &open.checked.diagnostics {
        let place = diagnostic.primary.span;
        let Some(replacement) = &diagnostic.replacement else { continue };
        if asked.start > place.end || place.start > asked.end {
            continue;
        }
        let edit = TextEdit { range: open.range(place), new_text: replacement.clone() };
        fixes.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: format!("write `{replacement}`"),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostics::of_one(open, diagnostic)]),
            edit: Some(edit_of(open, vec![edit])),
            is_preferred: Some(true),
            ..CodeAction::default()
        }));
    }
    fixes
}

/// Edits of one document.
// The protocol's type has a map with this key.
#[allow(clippy::mutable_key_type)]
pub(crate) fn edit_of(open: &Open<'_>, edits: Vec<TextEdit>) -> WorkspaceEdit {
    let changes = HashMap::from([(open.uri.clone(), edits)]);
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}
