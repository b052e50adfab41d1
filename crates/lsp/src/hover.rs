//! What is shown about the name under the pointer: its declaration, what it is, and where it changes.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};
use polycube_language::span::Span;
use polycube_language::system::SymbolKind;
use polycube_language::uses::{Binder, Definition, DefinitionKind, Role};

use crate::document::Open;

/// Longer declarations are shown without what they say.
const LONGEST_DECLARATION: usize = 1_000;

/// So many places where a symbol changes are listed.
const MOST_PLACES: usize = 12;

pub(crate) fn hover(open: &Open<'_>, position: Position) -> Option<Hover> {
    let (word, definition) = open.name_at(position)?;
    let value = describe(open, definition);
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(open.range(word.span)) })
}

pub(crate) fn describe(open: &Open<'_>, definition: &Definition) -> String {
    let about = about(open, definition);
    let declaration = declaration(open, definition);
    let changes = match definition.kind {
        DefinitionKind::Symbol(SymbolKind::Variable | SymbolKind::Array { .. }) => {
            format!("\n\n{}", changes(open, definition))
        }
        _ => String::new(),
    };
    format!("```cub\n{declaration}\n```\n{about}{changes}")
}

fn declaration(open: &Open<'_>, definition: &Definition) -> String {
    let text = definition.declaration.text(open.source());
    match (definition.kind, definition.scope) {
        (DefinitionKind::Local(Binder::Let), Some(scope)) => {
            let binding = Span::new(definition.name.start, scope.start.max(definition.name.end));
            let binding = binding.text(open.source()).trim_end();
            format!("let {}", binding.strip_suffix("in").unwrap_or(binding).trim_end())
        }
        _ if text.len() <= LONGEST_DECLARATION => text.to_owned(),
        _ => text.split('{').next().unwrap_or_default().trim_end().to_owned(),
    }
}

fn about(open: &Open<'_>, definition: &Definition) -> String {
    let ty = type_name(open, definition);
    match definition.kind {
        DefinitionKind::Type => match open.uses.constructors(definition).count() {
            0 => "abstract type: any values, infinitely many".to_owned(),
            1 => "type with one value".to_owned(),
            count => format!("type with {count} values"),
        },
        DefinitionKind::Constructor => format!("value of the type `{ty}`"),
        DefinitionKind::Symbol(SymbolKind::Constant) => {
            format!("constant of type `{ty}`: the same in all states of a run")
        }
        DefinitionKind::Symbol(SymbolKind::Variable) => format!("variable of type `{ty}`"),
        DefinitionKind::Symbol(SymbolKind::Array { dimensions: 1 }) => {
            format!("array: a value of type `{ty}` for each process")
        }
        DefinitionKind::Symbol(SymbolKind::Array { dimensions }) => {
            format!("array: a value of type `{ty}` for each {dimensions} processes, in any order")
        }
        DefinitionKind::Predicate => "predicate: short for its formula".to_owned(),
        DefinitionKind::Transition => "transition".to_owned(),
        DefinitionKind::Local(binder) => local(open, definition, binder),
    }
}

fn local(open: &Open<'_>, definition: &Definition, binder: Binder) -> String {
    let around = around(open, definition.name);
    match binder {
        Binder::InitParameter => "parameter of `init`, which holds for all processes in its place".to_owned(),
        Binder::PropertyParameter => {
            "parameter: some process, different from the other parameters".to_owned()
        }
        Binder::TransitionParameter => {
            format!("parameter{around}: any process, different from the other parameters")
        }
        Binder::PredicateParameter => format!("parameter{around}: what stands there in a call"),
        Binder::Quantifier => {
            let scope = definition.scope.map_or("", |scope| scope.text(open.source()));
            let keyword = scope.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).next();
            let keyword = keyword.unwrap_or_default();
            let which = match keyword {
                "forall" => "all processes",
                "exists" => "some process",
                "forall_other" => "all processes but those that have a name here",
                _ => "some process but those that have a name here",
            };
            format!("bound by `{keyword}`: {which}")
        }
        Binder::Count => "each of the processes that are counted".to_owned(),
        Binder::UpdateIndex => "index: all processes, each of whose cells gets a new value".to_owned(),
        Binder::Let => "short for its value".to_owned(),
    }
}

/// ` of the transition `t``, where a transition or predicate is around a place.
fn around(open: &Open<'_>, place: Span) -> String {
    let outer = open.uses.definitions().iter().find_map(|outer| {
        let what = match outer.kind {
            DefinitionKind::Transition => "transition",
            DefinitionKind::Predicate => "predicate",
            _ => return None,
        };
        let is_inside = outer.declaration.start <= place.start && place.end <= outer.declaration.end;
        is_inside.then(|| format!(" of the {what} `{}`", outer.name.text(open.source())))
    });
    outer.unwrap_or_default()
}

/// The last word of a symbol's declaration, or the type that a value belongs to.
pub(crate) fn type_name<'d>(open: &Open<'d>, definition: &Definition) -> &'d str {
    match definition.kind {
        DefinitionKind::Constructor => {
            open.uses.type_of(definition).map_or("", |ty| ty.name.text(open.source()))
        }
        _ => {
            let text = definition.declaration.text(open.source());
            text.rsplit(|c: char| c != '_' && !c.is_ascii_alphanumeric()).next().unwrap_or_default()
        }
    }
}

/// Which transitions change a symbol, and where.
fn changes(open: &Open<'_>, definition: &Definition) -> String {
    let mut transitions = open.uses.definitions().iter();
    let mut transition = None;
    let mut places = Vec::new();
    // Both are in the order of the text.
    for change in open.uses.of(definition).filter(|one| one.role == Role::Updates) {
        while transition.is_none_or(|last: &Definition| last.declaration.end < change.span.start) {
            let Some(next) = transitions.find(|next| next.kind == DefinitionKind::Transition) else { break };
            transition = Some(next);
        }
        let name = transition.map_or("", |transition| transition.name.text(open.source()));
        places.push(format!("`{name}` (line {})", open.line(change.span)));
    }
    if places.is_empty() {
        return "No transition changes it.".to_owned();
    }
    let more = places.len().saturating_sub(MOST_PLACES);
    places.truncate(MOST_PLACES);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("Changed by {}{more}.", places.join(", "))
}
