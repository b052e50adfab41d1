//! The declarations of a text, in their order: what an editor lists beside it.

use crate::parse::{Parsed, parse};
use crate::signature::SymbolKind;
use crate::span::Span;
use crate::syntax::{Item, ItemKind};
use crate::system::PropertyKind;

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What is declared.
    pub kind: PartKind,
    /// Its name; the first word of a clause, which has none.
    pub name: Span,
    /// The whole declaration.
    pub span: Span,
    /// The values of an enumeration.
    pub constructors: Vec<Span>,
}

/// What a declaration declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// `number_procs`
    NumberOfProcesses,
    /// `type`
    Type,
    /// `const`, `var`, `array`
    Symbol(SymbolKind),
    /// `init`
    Init,
    /// `unsafe`, `universal_unsafe`, `invariant`
    Property(PropertyKind),
    /// `predicate`
    Predicate,
    /// `transition`
    Transition,
}

/// The declarations of a text, without those that cannot be read.
pub fn outline(source: &str) -> Vec<Part> {
    let Parsed { file, .. } = parse(source);
    file.items.iter().map(part).collect()
}

fn part(item: &Item<'_>) -> Part {
    let (kind, name) = match &item.kind {
        ItemKind::NumberProcs(declaration) => (PartKind::NumberOfProcesses, declaration.count),
        ItemKind::Type(declaration) => (PartKind::Type, declaration.name),
        ItemKind::Symbol(declaration) => (PartKind::Symbol(declaration.kind), declaration.name),
        ItemKind::Clause(clause) => {
            (clause.property.map_or(PartKind::Init, PartKind::Property), clause.keyword)
        }
        ItemKind::Predicate(predicate) => (PartKind::Predicate, predicate.name),
        ItemKind::Transition(transition) => (PartKind::Transition, transition.name),
    };
    let constructors = match &item.kind {
        ItemKind::Type(declaration) => {
            declaration.constructors.iter().flatten().map(|constructor| constructor.span).collect()
        }
        _ => Vec::new(),
    };
    Part { kind, name: name.span, span: item.span, constructors }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_left_out() {
        let source = "type t = A | B\nvar X : t\nvar Y\ninit () { X = A }\nunsafe () { X = B }";
        let parts: Vec<(PartKind, &str, usize)> = outline(source)
            .iter()
            .map(|part| (part.kind, part.name.text(source), part.constructors.len()))
            .collect();
        let expected = [
            (PartKind::Type, "t", 2),
            (PartKind::Symbol(SymbolKind::Variable), "X", 0),
            (PartKind::Init, "init", 0),
            (PartKind::Property(PropertyKind::Unsafe), "unsafe", 0),
        ];
        assert_eq!(parts, expected);
    }
}
