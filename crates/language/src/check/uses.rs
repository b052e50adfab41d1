//! Noting down what names refer to.

use crate::span::Span;
use crate::syntax::Name;
use crate::uses::{Binder, Definition, DefinitionKind, Role};

use super::Checker;

impl<'s> Checker<'s, '_> {
    /// Something that is visible everywhere. What is declared twice is noted twice: it can be looked at, and
    /// renamed.
    pub(super) fn define_global(&mut self, name: Name<'s>, kind: DefinitionKind, declaration: Span) {
        self.uses.define(Definition { name: name.span, kind, declaration, scope: None });
    }

    pub(super) fn define_local(&mut self, name: Name<'s>, binder: Binder, scope: Span) {
        if self.calls.is_empty() {
            let kind = DefinitionKind::Local(binder);
            self.uses.define(Definition {
                name: name.span,
                kind,
                declaration: name.span,
                scope: Some(scope),
            });
        }
    }

    /// A word, and the declaration of what it refers to; none for what is predefined. A predicate was read by
    /// itself before it is expanded at its calls.
    pub(super) fn note(&mut self, word: Span, definition: Option<Span>, role: Role) {
        if let Some(definition) = definition.filter(|_| self.calls.is_empty()) {
            self.uses.add(word, definition, role);
        }
    }

    /// A word, and the position in the scope of what it refers to. What a predicate takes from its caller is
    /// known at its calls only.
    pub(super) fn note_local(&mut self, word: Span, at: usize) {
        if self.calls.is_empty() || self.scope.is_below_frame(at) {
            self.uses.add(word, self.scope.entry(at).span, Role::Reads);
        }
    }
}
