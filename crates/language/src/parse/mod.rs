//! Tokens to syntax tree, by recursive descent.
//!
//! The parser never gives up: after a mistake it reports what it expected, looks for the end of the update,
//! the closing brace or the next declaration, and goes on, so that one run shows all mistakes of a file. What
//! it could not read becomes [`ExprKind::Error`], about which nothing more is said.

mod advice;
mod declaration;
mod expression;

use crate::diagnostic::{Code, Diagnostic, Diagnostics, shortened};
use crate::span::Span;
use crate::syntax::{Expr, ExprKind, File, Name};
use crate::token::{Token, TokenKind, Tokens, tokenize};

/// How deep expressions may nest. Every program that walks them may then recurse without fear for its stack.
pub(crate) const MAX_NESTING: usize = 512;

/// How many parameters, variables of one quantifier, or dimensions of one array there may be: far more than
/// any protocol has, and few enough for everything that looks at all of them.
const MAX_NAMES: usize = 64;

pub(crate) struct Parsed<'s> {
    /// The tree, as far as it could be read.
    pub file: File<'s>,
    pub tokens: Tokens,
    /// Lexical and syntax errors.
    pub diagnostics: Diagnostics,
}

pub(crate) fn parse(source: &str) -> Parsed<'_> {
    let mut diagnostics = Diagnostics::default();
    let tokens = tokenize(source, &mut diagnostics);
    let mut parser = Parser {
        source,
        tokens: &tokens.tokens,
        at: 0,
        depth: 0,
        openings: Vec::new(),
        place: Context::Formula,
        complained_of: None,
        diagnostics,
    };
    let file = parser.file();
    let diagnostics = parser.diagnostics;
    Parsed { file, tokens, diagnostics }
}

/// An error that has been reported: the caller recovers or passes it on.
struct Reported;

type Parse<T> = Result<T, Reported>;

/// What is being read; decides which advice fits a mistake.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Formula,
    Body,
}

struct Parser<'s, 't> {
    source: &'s str,
    tokens: &'t [Token],
    /// Index of the next token; at most that of the last one, which is `End`.
    at: usize,
    /// Nesting of expressions around this place.
    depth: usize,
    /// Brackets that are open here, innermost last, for messages.
    openings: Vec<Span>,
    place: Context,
    /// The token of the last error: a second one about the same token would only be a consequence.
    complained_of: Option<usize>,
    diagnostics: Diagnostics,
}

impl<'s> Parser<'s, '_> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn kind_after(&self, distance: usize) -> TokenKind {
        self.tokens.get(self.at + distance).map_or(TokenKind::End, |token| token.kind)
    }

    /// Takes the next token; `End` stays.
    fn advance(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> Option<Token> {
        (self.kind() == kind).then(|| self.advance())
    }

    fn expect(&mut self, kind: TokenKind) -> Parse<Token> {
        self.eat(kind).ok_or_else(|| self.unexpected(kind.describe()))
    }

    /// Takes an opening bracket and remembers it until [`Parser::close`].
    fn open(&mut self, kind: TokenKind) -> Parse<Token> {
        let token = self.expect(kind)?;
        self.openings.push(token.span);
        Ok(token)
    }

    fn close(&mut self, kind: TokenKind, expected: &str) -> Parse<Token> {
        let token = self.eat(kind).ok_or_else(|| self.unexpected(expected))?;
        self.openings.pop();
        Ok(token)
    }

    /// The end of the token before this place.
    fn end_of_previous(&self) -> u32 {
        self.at.checked_sub(1).map_or(0, |previous| self.tokens[previous].span.end)
    }

    fn span_from(&self, start: u32) -> Span {
        Span::new(start, self.end_of_previous().max(start))
    }

    /// Whether the next token stands on the line of the one before.
    fn on_same_line(&self) -> bool {
        let between = Span::new(self.end_of_previous(), self.token().span.start);
        !between.text(self.source).contains('\n')
    }

    /// Whether the file has this name anywhere: good enough to suggest it, or not to.
    fn mentions(&self, name: &str) -> bool {
        // Looks at all tokens: not worth it in a file of rubbish.
        self.diagnostics.errors() < 100
            && self.tokens.iter().any(|token| {
                matches!(token.kind, TokenKind::Upper | TokenKind::Lower)
                    && token.span.text(self.source) == name
            })
    }

    /// The text of the next token.
    fn word(&self) -> &'s str {
        self.token().span.text(self.source)
    }

    fn name(&self, token: Token) -> Name<'s> {
        Name { text: token.span.text(self.source), span: token.span }
    }

    /// Takes the next token, which is a word.
    fn advance_name(&mut self) -> Name<'s> {
        let token = self.advance();
        self.name(token)
    }

    /// How messages name the next token.
    fn found(&self) -> String {
        let text = self.word();
        match self.kind() {
            TokenKind::End => "the end of the file".to_owned(),
            kind if kind.is_keyword() && text != "!" => format!("the keyword `{text}`"),
            _ => format!("`{}`", shortened(text)),
        }
    }

    fn unexpected(&mut self, expected: &str) -> Reported {
        let error = self.unexpected_error(expected);
        self.report(error)
    }

    fn unexpected_with_help(&mut self, expected: &str, help: impl Into<String>) -> Reported {
        let error = self.unexpected_error(expected).help(help);
        self.report(error)
    }

    fn unexpected_error(&self, expected: &str) -> Diagnostic {
        use TokenKind::*;
        let found = self.found();
        let token = self.token();
        // At the end of the file the place is just behind the last word.
        let behind = self.end_of_previous();
        let span = if token.kind == End { Span::new(behind, behind) } else { token.span };
        let error = Diagnostic::error(Code::Syntax, span, format!("expected {expected}, found {found}"))
            .label(format!("expected {expected}"));
        let ends_something =
            matches!(token.kind, End | LeftBrace | RightBrace | RightParen | RightBracket | Semicolon);
        match self.openings.last() {
            Some(&opening) if ends_something || token.kind.starts_declaration() => {
                error.also(opening, "this is still open")
            }
            _ => error,
        }
    }

    /// Reports a mistake at the next token, unless something was said about that token before.
    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        if self.kind() != TokenKind::Illegal && self.complained_of != Some(self.at) {
            self.diagnostics.push(diagnostic);
            self.complained_of = Some(self.at);
        }
        Reported
    }

    /// Refuses lists of names that nothing downstream could cope with.
    fn limit_names(&mut self, names: &[Name<'s>], what: &str) -> Parse<()> {
        let Some(name) = names.get(MAX_NAMES) else { return Ok(()) };
        let message = format!("more than {MAX_NAMES} {what}");
        Err(self.report(Diagnostic::error(Code::TooLarge, name.span, message).label("one too many")))
    }

    /// Skips to a token of one of these kinds in the block that is open here, or to the next declaration,
    /// whichever is first.
    fn skip_to(&mut self, ends: &[TokenKind]) {
        let mut depth = 0usize;
        loop {
            match self.kind() {
                TokenKind::End => return,
                kind if kind.starts_declaration() || depth == 0 && ends.contains(&kind) => return,
                TokenKind::LeftBrace | TokenKind::HashBrace => depth += 1,
                TokenKind::RightBrace => depth -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    /// Reads what stands between braces; a mistake inside becomes an expression that is silently ignored.
    fn braced_expression(&mut self, what: &str) -> Parse<Expr<'s>> {
        self.place = Context::Formula;
        if self.kind() != TokenKind::LeftBrace {
            return Err(self.unexpected_with_help("`{`", "put the formula in braces: `{ ... }`"));
        }
        let open = self.open(TokenKind::LeftBrace)?;
        let depth = self.openings.len();
        if self.kind() == TokenKind::RightBrace {
            let span = open.span.to(self.token().span);
            self.report(
                Diagnostic::error(Code::Syntax, span, format!("{what} has no formula"))
                    .label("expected a formula between the braces")
                    .help("write `true` for a formula that always holds"),
            );
            self.close(TokenKind::RightBrace, "`}`")?;
            return Ok(Expr { kind: ExprKind::Error, span });
        }
        let result = self.expression().and_then(|expr| {
            if self.kind() == TokenKind::RightBrace { Ok(expr) } else { Err(self.after_expression("`}`")) }
        });
        let expr = result.unwrap_or_else(|Reported| {
            self.openings.truncate(depth);
            self.skip_to(&[TokenKind::RightBrace]);
            Expr { kind: ExprKind::Error, span: self.span_from(open.span.end) }
        });
        // If the brace is missing, that is part of what was already reported.
        self.eat(TokenKind::RightBrace).ok_or(Reported)?;
        self.openings.pop();
        Ok(expr)
    }
}
