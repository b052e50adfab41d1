//! Tokens to syntax tree, by recursive descent.
//!
//! The language is what CMurphi or rumur accepts. The parser never gives up: after a mistake it reports what it
//! expected, looks for the end of the statement, the closing word or the next rule, and goes on, so that one run
//! shows all mistakes of a file. What it could not read becomes [`ExprKind::Error`] or
//! [`TypeKind::Error`](crate::syntax::TypeKind::Error), about which nothing more is said.

mod advice;
mod declaration;
mod expression;
mod rule;
mod statement;
#[cfg(test)]
mod tests;

use polycube_language::diagnostic::{Code, Diagnostic, Diagnostics};
use polycube_language::span::Span;
use polycube_language::suggest::nearest;

use crate::syntax::{Expr, ExprKind, File, Name};
use crate::token::{Token, TokenKind, shortened, tokenize, unquoted};

/// How deep types, rules, statements and expressions may nest. Every program that walks them may then recurse
/// without fear for its stack.
pub(crate) const MAX_NESTING: usize = 512;

pub(crate) struct Parsed<'s> {
    /// The tree, as far as it could be read.
    pub file: File<'s>,
    /// Lexical and syntax errors.
    pub diagnostics: Diagnostics,
}

pub(crate) fn parse(source: &str) -> Parsed<'_> {
    let mut diagnostics = Diagnostics::default();
    let tokens = tokenize(source, &mut diagnostics);
    let mut parser = Parser {
        source,
        tokens,
        at: 0,
        depth: 0,
        height: 0,
        openings: Vec::new(),
        blocks: Vec::new(),
        assign: Assign::MeansEqual,
        complained_of: None,
        is_unbalanced: false,
        diagnostics,
    };
    let file = parser.file();
    Parsed { file, diagnostics: parser.diagnostics }
}

/// An error that has been reported: the caller recovers or passes it on.
struct Reported;

type Parse<T> = Result<T, Reported>;

/// Something that waits for its `end`.
#[derive(Clone, Copy)]
struct Block {
    /// The word that opened it.
    keyword: TokenKind,
    /// Its place among the tokens.
    at: usize,
}

impl Block {
    /// The word of its own that closes it.
    fn closing(self) -> TokenKind {
        use TokenKind::*;
        match self.keyword {
            Alias => EndAlias,
            Choose => EndChoose,
            Exists => EndExists,
            For => EndFor,
            Forall => EndForall,
            Function => EndFunction,
            If => EndIf,
            Procedure => EndProcedure,
            Record => EndRecord,
            Rule => EndRule,
            Ruleset => EndRuleset,
            Startstate => EndStartstate,
            Switch => EndSwitch,
            While => EndWhile,
            _ => End,
        }
    }

    fn is_closed_by(self, kind: TokenKind) -> bool {
        use TokenKind::*;
        kind == End
            || kind == self.closing()
            || matches!((self.keyword, kind), (Function, EndProcedure) | (Procedure, EndFunction))
    }

    /// Whether this word starts another part of it.
    fn is_divided_by(self, kind: TokenKind) -> bool {
        use TokenKind::*;
        matches!((self.keyword, kind), (If, Elsif | Else) | (Switch, Case | Else))
    }
}

/// What `:=` behind an expression is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Assign {
    /// A mistake: `=` is meant.
    MeansEqual,
    /// The expression may be the target of an assignment.
    EndsExpression,
}

struct Parser<'s> {
    source: &'s str,
    tokens: Vec<Token>,
    /// Index of the next token; at most that of the last one, which is `EndOfFile`.
    at: usize,
    /// Nesting around this place.
    depth: usize,
    /// Nesting inside the expression that was read last.
    height: usize,
    /// Brackets that are open here, innermost last, for messages.
    openings: Vec<Span>,
    /// Blocks that are open here, innermost last.
    blocks: Vec<Block>,
    assign: Assign,
    /// The token of the last error: a second one about the same token would only be a consequence.
    complained_of: Option<usize>,
    /// Whether a block of this rule was not closed, or by the wrong word: an `end` too many is a consequence.
    is_unbalanced: bool,
    diagnostics: Diagnostics,
}

impl<'s> Parser<'s> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn kind_after(&self, distance: usize) -> TokenKind {
        self.tokens.get(self.at + distance).map_or(TokenKind::EndOfFile, |token| token.kind)
    }

    fn kind_before(&self) -> Option<TokenKind> {
        self.at.checked_sub(1).map(|before| self.tokens[before].kind)
    }

    /// Takes the next token; `EndOfFile` stays.
    fn advance(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::EndOfFile {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> Option<Token> {
        (self.kind() == kind).then(|| self.advance())
    }

    fn eat_semicolons(&mut self) {
        while self.eat(TokenKind::Semicolon).is_some() {}
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

    /// Takes a closing bracket behind an expression or a type.
    fn close(&mut self, kind: TokenKind, expected: &str) -> Parse<Token> {
        let token = self.expect_after_expression(kind, expected)?;
        self.openings.pop();
        Ok(token)
    }

    /// Takes the next token, a word that opens a block, and remembers it until [`Parser::close_block`].
    fn open_block(&mut self) -> Token {
        self.blocks.push(Block { keyword: self.kind(), at: self.at });
        self.advance()
    }

    /// Takes the word that closes the innermost block. If that is missing it is reported, and taken as read.
    fn close_block(&mut self, expected: &str) {
        let Some(block) = self.blocks.pop() else { return };
        let kind = self.kind();
        if block.is_closed_by(kind) {
            self.advance();
            return;
        }
        self.is_unbalanced = true;
        let (opening, keyword) = (self.tokens[block.at].span, block.keyword.describe());
        let mut ends = "`end`".to_owned();
        if block.closing() != TokenKind::End {
            ends += &format!(" or {}", block.closing().describe());
        }
        let mut error = if kind.closes_block() {
            let message = format!("`{}` does not close {keyword}", self.word());
            Diagnostic::error(Code::Syntax, self.token().span, message).label(format!("expected {ends}"))
        } else {
            self.unexpected_error(&format!("{expected}{ends}"))
        };
        error = error.also(opening, format!("this {keyword} is still open"));
        if self.complained_of != Some(self.at) && self.has_else_if(block) {
            error = error
                .help("`else if` opens a second `if` with an `end` of its own; perhaps `elsif` is meant");
        }
        self.report(error);
        // It closes something around this, or is only the wrong word.
        if kind.closes_block() && !self.blocks.iter().any(|block| block.is_closed_by(kind)) {
            self.advance();
        }
    }

    fn has_else_if(&self, block: Block) -> bool {
        let is_else_if = |pair: &[Token]| (pair[0].kind, pair[1].kind) == (TokenKind::Else, TokenKind::If);
        self.tokens[block.at.saturating_sub(1)..self.at].windows(2).any(is_else_if)
    }

    /// The end of the token before this place.
    fn end_of_previous(&self) -> u32 {
        self.at.checked_sub(1).map_or(0, |previous| self.tokens[previous].span.end)
    }

    fn span_from(&self, start: u32) -> Span {
        Span::new(start, self.end_of_previous().max(start))
    }

    /// The text of the next token.
    fn word(&self) -> &'s str {
        self.token().span.text(self.source)
    }

    /// Takes the next token, which is a word.
    fn advance_name(&mut self) -> Name<'s> {
        let span = self.advance().span;
        Name { text: span.text(self.source), span }
    }

    fn name(&mut self, expected: &str) -> Parse<Name<'s>> {
        let kind = self.kind();
        if kind.may_be_name() {
            return Ok(self.advance_name());
        }
        let error = self.unexpected_error(expected);
        if !kind.is_keyword() {
            return Err(self.report(error));
        }
        self.report(error.note(format!("`{}` is a keyword and cannot be a name", self.word())));
        // Where it certainly is meant as a name, it is one.
        match self.kind_after(1) {
            TokenKind::Colon | TokenKind::Comma => Ok(self.advance_name()),
            _ => Err(Reported),
        }
    }

    /// `a, b`
    fn names(&mut self, expected: &str) -> Parse<Vec<Name<'s>>> {
        let mut names = vec![self.name(expected)?];
        while self.eat(TokenKind::Comma).is_some() && self.kind() != TokenKind::Colon {
            names.push(self.name(expected)?);
        }
        Ok(names)
    }

    /// A string, without its quotes.
    fn string(&mut self) -> Option<Name<'s>> {
        let span = self.eat(TokenKind::String)?.span;
        Some(Name { text: unquoted(span.text(self.source)), span })
    }

    /// How messages name the next token.
    fn found(&self) -> String {
        let text = self.word();
        match self.kind() {
            TokenKind::EndOfFile => "the end of the file".to_owned(),
            kind if kind.is_keyword() => format!("the keyword `{text}`"),
            TokenKind::String => "a string".to_owned(),
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
        let token = self.token();
        // At the end of the file the place is just behind the last word.
        let behind = self.end_of_previous();
        let span = if token.kind == EndOfFile { Span::new(behind, behind) } else { token.span };
        let message = format!("expected {expected}, found {}", self.found());
        let error = Diagnostic::error(Code::Syntax, span, message).label(format!("expected {expected}"));
        let ends_something = token.kind.is_keyword()
            || matches!(
                token.kind,
                EndOfFile | RightBrace | RightParen | RightBracket | Semicolon | LongArrow
            );
        match self.openings.last() {
            Some(&opening) if ends_something => error.also(opening, "this is still open"),
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

    /// Something that is Murphi, but has no counterpart here.
    fn unsupported(&mut self, what: &str) -> Reported {
        let error =
            Diagnostic::error(Code::Unsupported, self.token().span, format!("{what} are not supported"));
        self.report(error)
    }

    /// Reads something inside something else.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth == MAX_NESTING {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Ends the reading of the whole file: what is left is most likely more of the same.
    fn too_deep(&mut self) -> Reported {
        let error = Diagnostic::error(Code::TooDeep, self.token().span, "this is nested too deeply");
        self.report(error.label(format!("more than {MAX_NESTING} levels")));
        self.at = self.tokens.len() - 1;
        self.complained_of = Some(self.at);
        Reported
    }

    /// If the next token is a slip of the keyboard for one of these words, reports it and reads it as that word.
    fn correct(&mut self, expected: &str, words: &[TokenKind]) -> Option<TokenKind> {
        if self.kind() != TokenKind::Name || self.word().len() < 2 {
            return None;
        }
        let lower = self.word().to_ascii_lowercase();
        let near = nearest(&lower, words.iter().map(|word| word.text()))?;
        let meant = words.iter().copied().find(|word| word.text() == near)?;
        let error = self.unexpected_error(expected).did_you_mean(near);
        self.report(error);
        self.tokens[self.at].kind = meant;
        Some(meant)
    }

    /// Reads an expression. If that fails, skips to one of the words that may follow it.
    fn expression_before(&mut self, ends: &[TokenKind]) -> Expr<'s> {
        let (start, blocks, openings) = (self.token().span.start, self.blocks.len(), self.openings.len());
        self.expression().unwrap_or_else(|Reported| {
            self.skip_to(ends, blocks, openings);
            Expr { kind: ExprKind::Error, span: self.span_from(start) }
        })
    }

    /// Reads an expression and the word behind it, which is taken as read if it is missing.
    fn expression_and(&mut self, word: TokenKind) -> Expr<'s> {
        let expr = self.expression_before(&[word]);
        self.word_after_expression(word);
        expr
    }

    /// Takes the word behind an expression, at some distance if need be; it is taken as read if it is missing.
    fn word_after_expression(&mut self, word: TokenKind) {
        let is_here = |kind: TokenKind| kind == word || word == TokenKind::Do && kind == TokenKind::Colon;
        if is_here(self.kind()) {
            self.advance();
            return;
        }
        self.after_expression(word.describe());
        let here = self.at;
        self.skip_to(&[word], self.blocks.len(), self.openings.len());
        if self.eat(word).is_none() {
            self.at = here;
        }
    }

    /// Skips the rest of what could not be read: to one of these words or a semicolon, or to a word that can only
    /// start something else. Forgets the blocks and brackets that have been opened in it.
    fn skip_to(&mut self, ends: &[TokenKind], blocks: usize, openings: usize) {
        use TokenKind::*;
        // Quantified formulas have semicolons, `do` and `end` of their own.
        let mut quantifiers = self.blocks.len() - blocks;
        self.blocks.truncate(blocks);
        self.openings.truncate(openings);
        loop {
            let kind = self.kind();
            match kind {
                Forall | Exists => quantifiers += 1,
                End | EndForall | EndExists if quantifiers > 0 => quantifiers -= 1,
                EndOfFile | Then | Else | Elsif | Case | Begin | LongArrow => return,
                Semicolon | Do if quantifiers == 0 => return,
                _ if quantifiers == 0 && ends.contains(&kind) => return,
                _ if kind.closes_block() || self.starts_statement() || self.starts_item() => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// Whether a keyword that starts a statement is next.
    fn starts_statement(&self) -> bool {
        use TokenKind::*;
        matches!(
            self.kind(),
            Alias | Assert | Clear | Error | For | If | Put | Return | Switch | Undefine | While
        )
    }

    /// Whether a declaration, a routine or a rule starts here, and nothing else can.
    fn starts_item(&self) -> bool {
        use TokenKind::*;
        match self.kind() {
            Const | Type | Var | Procedure | Function | Rule | Ruleset | Startstate | Invariant => true,
            // Names elsewhere.
            ExternFun | ExternProc | Choose => self.kind_after(1) == Name,
            _ => false,
        }
    }
}
