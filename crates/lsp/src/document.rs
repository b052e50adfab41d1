//! An open document, and what the checker says about it.

use lsp_types::{Range, TextDocumentContentChangeEvent, Uri};
use polycube_language::check::{Checked, check};
use polycube_language::diagnostic::{Code, Diagnostic, Diagnostics};
use polycube_language::span::Span;
use polycube_language::uses::{Definition, UnsortedUses, Use, Uses};

use crate::host::Findings;
use crate::text::{Encoding, Text};

/// Larger texts are not checked: an answer would come too late for an editor.
const LARGEST: usize = 16 << 20;

pub(crate) struct Document {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: Text,
    /// None after an edit, until somebody asks.
    checked: Option<(Checked, Uses)>,
    /// What a search has found out about this text.
    pub(crate) findings: Option<Findings>,
    /// Whether the client has not been told what there is to say.
    pub(crate) is_unpublished: bool,
}

/// A document with what the checker says about it.
#[derive(Clone, Copy)]
pub(crate) struct Open<'d> {
    pub(crate) uri: &'d Uri,
    pub(crate) text: &'d Text,
    pub(crate) checked: &'d Checked,
    pub(crate) uses: &'d Uses,
}

impl Document {
    pub(crate) fn new(uri: Uri, version: i32, text: String, encoding: Encoding) -> Document {
        let text = Text::new(text, encoding);
        Document { uri, version, text, checked: None, findings: None, is_unpublished: true }
    }

    /// Edits the text. Nothing that was known about the old one is known about the new one.
    pub(crate) fn edit(&mut self, version: i32, changes: &[TextDocumentContentChangeEvent]) {
        for change in changes {
            self.text.edit(change.range, &change.text);
        }
        self.version = version;
        self.checked = None;
        self.findings = None;
        self.is_unpublished = true;
    }

    pub(crate) fn is_too_large(&self) -> bool {
        self.text.as_str().len() > LARGEST
    }

    pub(crate) fn open(&mut self) -> Open<'_> {
        let is_too_large = self.is_too_large();
        let text = self.text.as_str();
        let (checked, uses) = self.checked.get_or_insert_with(|| {
            let mut checked = if is_too_large { too_large() } else { check(text) };
            let uses = std::mem::take(&mut checked.uses).sorted();
            (checked, uses)
        });
        Open { uri: &self.uri, text: &self.text, checked, uses }
    }
}

fn too_large() -> Checked {
    let message = "this text is too large to be checked while it is edited";
    let diagnostic = Diagnostic::error(Code::Unsupported, Span::default(), message)
        .label(format!("more than {} MiB", LARGEST >> 20))
        .help("use `polycube check`");
    Checked { system: None, diagnostics: Diagnostics::from_one(diagnostic), uses: UnsortedUses::default() }
}

impl<'d> Open<'d> {
    pub(crate) fn source(&self) -> &'d str {
        self.text.as_str()
    }

    pub(crate) fn range(&self, span: Span) -> Range {
        self.text.range(span)
    }

    /// The name at a place, and what it refers to.
    pub(crate) fn name_at(&self, position: lsp_types::Position) -> Option<(Use, &'d Definition)> {
        self.uses.at(self.text.offset(position))
    }

    /// The number of a line, as people count.
    pub(crate) fn line(&self, span: Span) -> u32 {
        self.text.position(span.start).line + 1
    }
}
