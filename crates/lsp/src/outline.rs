//! Document symbols: the declarations of a model, for the list beside its text.

use lsp_types::{DocumentSymbol, SymbolKind};
use polycube_language::outline::{Part, PartKind, outline};
use polycube_language::span::Span;
use polycube_language::system;

use crate::document::Open;

pub(crate) fn symbols(open: &Open<'_>) -> Vec<DocumentSymbol> {
    outline(open.source()).iter().map(|part| symbol(open, part)).collect()
}

fn symbol(open: &Open<'_>, part: &Part) -> DocumentSymbol {
    let (name, declaration) = (part.name.text(open.source()), part.span.text(open.source()));
    let name = match part.kind {
        PartKind::Init | PartKind::Property(_) => head(declaration),
        PartKind::NumberOfProcesses => declaration.to_owned(),
        _ => name.to_owned(),
    };
    let detail = match part.kind {
        PartKind::Symbol(_) => declaration.split_once(':').map(|(_, ty)| ty.trim().to_owned()),
        PartKind::Transition => parameters(declaration),
        _ => None,
    };
    let values = part.constructors.iter().map(|&value| {
        let name = value.text(open.source()).to_owned();
        plain(open, name, SymbolKind::ENUM_MEMBER, value, value)
    });
    let values: Vec<DocumentSymbol> = values.collect();
    DocumentSymbol {
        detail,
        children: (!values.is_empty()).then_some(values),
        ..plain(open, name, kind(part.kind), part.span, part.name)
    }
}

// The type has a field that is deprecated, and has to be given.
#[allow(deprecated)]
fn plain(open: &Open<'_>, name: String, kind: SymbolKind, whole: Span, selected: Span) -> DocumentSymbol {
    DocumentSymbol {
        name,
        kind,
        detail: None,
        range: open.range(whole),
        selection_range: open.range(selected),
        children: None,
        tags: None,
        deprecated: None,
    }
}

fn kind(kind: PartKind) -> SymbolKind {
    match kind {
        PartKind::NumberOfProcesses => SymbolKind::NUMBER,
        PartKind::Type => SymbolKind::ENUM,
        PartKind::Symbol(system::SymbolKind::Constant) => SymbolKind::CONSTANT,
        PartKind::Symbol(system::SymbolKind::Variable) => SymbolKind::VARIABLE,
        PartKind::Symbol(system::SymbolKind::Array { .. }) => SymbolKind::ARRAY,
        PartKind::Init => SymbolKind::CONSTRUCTOR,
        PartKind::Property(_) => SymbolKind::EVENT,
        PartKind::Predicate => SymbolKind::FUNCTION,
        PartKind::Transition => SymbolKind::METHOD,
    }
}

/// `unsafe (p q)`: a clause without its formula, in one line.
fn head(declaration: &str) -> String {
    let head = declaration.split('{').next().unwrap_or_default();
    head.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn parameters(declaration: &str) -> Option<String> {
    let (_, behind) = declaration.split_once('(')?;
    let (parameters, _) = behind.split_once(')')?;
    Some(parameters.split_whitespace().collect::<Vec<_>>().join(" "))
}
