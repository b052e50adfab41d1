//! Names and words that can stand at a place. The text around it mostly has a mistake, for something is
//! missing there: so what is expected is judged by the words before it.

use lsp_types::{CompletionItem, CompletionItemKind, Position};
use polycube_language::diagnostic::Diagnostics;
use polycube_language::span::Span;
use polycube_language::system::SymbolKind;
use polycube_language::token::{Token, TokenKind, tokenize};
use polycube_language::uses::{Definition, DefinitionKind};

use crate::document::Open;

const IN_FORMULAS: [&str; 13] = [
    "case",
    "else",
    "exists",
    "exists_other",
    "false",
    "forall",
    "forall_other",
    "if",
    "in",
    "let",
    "not",
    "then",
    "true",
];

const TYPES: [&str; 4] = ["bool", "int", "proc", "real"];

/// What the words before a place let one expect.
enum Expected<'d> {
    Nothing,
    Declaration,
    /// Behind the parameters of a transition.
    Guard,
    Type,
    /// A formula or term; compared with, or assigned to, something of this type.
    Formula(Option<&'d Definition>),
}

pub(crate) fn completion(open: &Open<'_>, position: Position) -> Vec<CompletionItem> {
    let source = open.source();
    let place = open.text.offset(position);
    let tokens = tokenize(source, &mut Diagnostics::default());
    if tokens.comments.iter().any(|comment| comment.start < place && place < comment.end) {
        return Vec::new();
    }
    // The word that is being written does not count.
    let before = tokens.tokens.partition_point(|token| token.span.end < place);
    let before = match tokens.tokens.get(before) {
        Some(token) if token.span.end == place && token.span.start < place && !is_word(token.kind) => {
            before + 1
        }
        _ => before,
    };
    let before = &tokens.tokens[..before];
    match expected(open, before) {
        Expected::Nothing => Vec::new(),
        Expected::Declaration => {
            let word = |kind: TokenKind| keyword(kind.describe().trim_matches('`'));
            TokenKind::DECLARATIONS.map(word).to_vec()
        }
        Expected::Guard => vec![keyword("requires")],
        Expected::Type => {
            let declared = open.uses.definitions().iter();
            let declared = declared.filter(|definition| definition.kind == DefinitionKind::Type);
            let predefined = TYPES.map(|name| plain(name, CompletionItemKind::ENUM));
            declared.map(|definition| item(open, definition, "1")).chain(predefined).collect()
        }
        Expected::Formula(ty) => in_formula(open, before, place, ty),
    }
}

fn is_word(kind: TokenKind) -> bool {
    kind.is_keyword() || matches!(kind, TokenKind::Lower | TokenKind::Upper)
}

fn expected<'d>(open: &Open<'d>, before: &[Token]) -> Expected<'d> {
    let Some(&last) = before.last() else { return Expected::Declaration };
    let start = before.iter().rposition(|token| token.kind.starts_declaration());
    let Some(start) = start else { return Expected::Declaration };
    let declaration = &before[start..];
    let depth = declaration.iter().fold(0, |depth: usize, token| match token.kind {
        TokenKind::LeftBrace | TokenKind::HashBrace => depth + 1,
        TokenKind::RightBrace => depth.saturating_sub(1),
        _ => depth,
    });
    let first = declaration[0].kind;
    let has = |kind: TokenKind| declaration.iter().any(|token| token.kind == kind);
    match first {
        TokenKind::Var | TokenKind::Const | TokenKind::Array => match last.kind {
            TokenKind::Colon | TokenKind::LeftBracket => Expected::Type,
            TokenKind::Lower => Expected::Declaration,
            _ => Expected::Nothing,
        },
        TokenKind::Type => match last.kind {
            TokenKind::Lower | TokenKind::Upper => Expected::Declaration,
            _ => Expected::Nothing,
        },
        TokenKind::NumberProcs => Expected::Declaration,
        _ if depth > 0 => Expected::Formula(compared_type(open, before)),
        TokenKind::Transition if last.kind == TokenKind::RightParen && !has(TokenKind::LeftBrace) => {
            Expected::Guard
        }
        _ if last.kind == TokenKind::RightBrace => Expected::Declaration,
        _ => Expected::Nothing,
    }
}

/// The type of `X` behind `X =`, `A[p] <>`, `X :=`.
fn compared_type<'d>(open: &Open<'d>, before: &[Token]) -> Option<&'d Definition> {
    let (last, rest) = before.split_last()?;
    if !matches!(last.kind, TokenKind::Equal | TokenKind::NotEqual | TokenKind::Assign) {
        return None;
    }
    let name = match rest.last()?.kind {
        TokenKind::RightBracket => {
            let open = rest.iter().rposition(|token| token.kind == TokenKind::LeftBracket)?;
            rest.get(open.checked_sub(1)?)?
        }
        _ => rest.last()?,
    };
    let text = name.span.text(open.source());
    let mut symbols = open.uses.definitions().iter();
    let is_symbol = |one: &&Definition| matches!(one.kind, DefinitionKind::Symbol(_));
    let symbol = symbols.find(|one| is_symbol(one) && one.name.text(open.source()) == text)?;
    open.uses.type_of(symbol)
}

fn in_formula(open: &Open<'_>, before: &[Token], place: u32, ty: Option<&Definition>) -> Vec<CompletionItem> {
    let mut items = Vec::new();
    let mut local = Vec::new();
    for definition in open.uses.visible_at(place) {
        let fits = ty.is_some_and(|ty| {
            definition.kind == DefinitionKind::Constructor && definition.declaration == ty.declaration
        });
        match definition.kind {
            DefinitionKind::Type | DefinitionKind::Transition => {}
            DefinitionKind::Local(_) => local.push(definition.name.text(open.source())),
            _ => items.push(item(open, definition, if fits { "0" } else { "2" })),
        }
    }
    local.extend(unread_parameters(open.source(), before));
    local.sort_unstable();
    local.dedup();
    let variable = |name: &&str| CompletionItem {
        sort_text: Some(format!("1{name}")),
        ..plain(name, CompletionItemKind::VARIABLE)
    };
    items.extend(local.iter().map(variable));
    items.extend(["False", "True"].map(|name| plain(name, CompletionItemKind::ENUM_MEMBER)));
    items.extend(IN_FORMULAS.map(keyword));
    items
}

/// The names in the parentheses of the declaration around a place, which may be one that cannot be read.
fn unread_parameters<'s>(source: &'s str, before: &[Token]) -> Vec<&'s str> {
    let start = before.iter().rposition(|token| token.kind.starts_declaration()).unwrap_or(0);
    let declaration = before[start..].iter();
    let inside = declaration.skip_while(|token| token.kind != TokenKind::LeftParen);
    let inside =
        inside.take_while(|token| !matches!(token.kind, TokenKind::RightParen | TokenKind::LeftBrace));
    inside.filter(|token| token.kind == TokenKind::Lower).map(|token| token.span.text(source)).collect()
}

fn item(open: &Open<'_>, definition: &Definition, order: &str) -> CompletionItem {
    let name = definition.name.text(open.source());
    let kind = match definition.kind {
        DefinitionKind::Type => CompletionItemKind::ENUM,
        DefinitionKind::Constructor => CompletionItemKind::ENUM_MEMBER,
        DefinitionKind::Symbol(SymbolKind::Constant) => CompletionItemKind::CONSTANT,
        DefinitionKind::Predicate | DefinitionKind::Transition => CompletionItemKind::FUNCTION,
        DefinitionKind::Symbol(_) | DefinitionKind::Local(_) => CompletionItemKind::VARIABLE,
    };
    CompletionItem {
        detail: Some(one_line(definition.declaration, open.source())),
        sort_text: Some(format!("{order}{name}")),
        ..plain(name, kind)
    }
}

fn one_line(declaration: Span, source: &str) -> String {
    let head = declaration.text(source).split('{').next().unwrap_or_default();
    let line = head.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > 80 { line.chars().take(77).chain("...".chars()).collect() } else { line }
}

fn keyword(word: &str) -> CompletionItem {
    plain(word, CompletionItemKind::KEYWORD)
}

fn plain(name: &str, kind: CompletionItemKind) -> CompletionItem {
    CompletionItem {
        label: name.to_owned(),
        kind: Some(kind),
        sort_text: Some(format!("3{name}")),
        ..CompletionItem::default()
    }
}
