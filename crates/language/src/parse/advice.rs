//! What other languages write, and what to write instead.

use super::declaration::capitalized;
use super::expression::Level;
use super::{Context, Parse, Parser, Reported};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::syntax::{Expr, ExprKind, Name, Update, UpdateValue};
use crate::token::{Token, TokenKind};

/// What is longer is left to the reader.
const LONGEST_QUOTE: usize = 60;

impl<'s> Parser<'s, '_> {
    /// The kind of the token before this place.
    pub(super) fn kind_before(&self) -> Option<TokenKind> {
        self.at.checked_sub(1).map(|before| self.tokens[before].kind)
    }

    /// A stretch of the text in one line, to be pasted, unless it is long.
    fn quote(&self, span: Span) -> String {
        let text = span.text(self.source).split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() > LONGEST_QUOTE { "...".to_owned() } else { text }
    }

    /// `[i, j]`; `[i][j]` is reported, and read as that.
    pub(super) fn indices(&mut self, array: Name<'s>) -> Parse<Vec<Expr<'s>>> {
        let mut indices = self.list(TokenKind::LeftBracket, TokenKind::RightBracket)?;
        if self.kind() != TokenKind::LeftBracket {
            return Ok(indices);
        }
        let second = self.token().span.start;
        while self.kind() == TokenKind::LeftBracket {
            indices.extend(self.list(TokenKind::LeftBracket, TokenKind::RightBracket)?);
        }
        let written: Vec<String> = indices.iter().map(|index| self.quote(index.span)).collect();
        let message = "all indices of a cell stand in one pair of brackets";
        let error = Diagnostic::error(Code::Syntax, self.span_from(second), message)
            .label("a second pair")
            .help(format!("write `{}[{}]`", array.text, written.join(", ")));
        self.report(error);
        Ok(indices)
    }

    /// What stands in place of `:=` behind `target`, which reaches up to here. What is certainly meant as an
    /// update is read as one.
    pub(super) fn no_assignment(&mut self, target: Name<'s>) -> Parse<()> {
        use TokenKind::*;
        let text = target.text;
        let help = match (self.kind(), self.kind_after(1)) {
            (Equal, Colon) | (Less, Minus) => {
                let written = self.token().span.to(self.tokens[self.at + 1].span);
                let error = foreign_operator(written.text(self.source), written).label("write `:=`");
                self.report(error);
                self.advance();
                self.advance();
                return Ok(());
            }
            (Equal | DoubleEqual, _) => {
                self.unexpected_with_help("`:=`", "in the body of a transition write `:=` to update");
                self.advance();
                return Ok(());
            }
            (LeftParen, _) => {
                let opening = self.token().span;
                let arguments = self.list(LeftParen, RightParen)?;
                let written: Vec<String> = arguments.iter().map(|index| self.quote(index.span)).collect();
                let message = "cells are written with brackets";
                let error = Diagnostic::error(Code::Syntax, self.span_from(opening.start), message);
                let help = format!("write `{text}[{}] := ...`", written.join(", "));
                return Err(self.report(error.label("parentheses").help(help)));
            }
            _ => "an update is `X := value` or `A[i] := value`",
        };
        Err(self.unexpected_with_help("`:=`", help))
    }

    /// Values of a type that begin with a lower-case letter; these were read before the first of them.
    pub(super) fn lower_case_values(&mut self, ty: Name<'s>, read: &[Name<'s>]) -> Reported {
        let first = self.token().span;
        let mut values: Vec<String> = read.iter().map(|value| value.text.to_owned()).collect();
        while matches!(self.kind(), TokenKind::Lower | TokenKind::Upper) {
            values.push(capitalized(self.advance_name().text));
            if self.eat(TokenKind::Bar).is_none() {
                break;
            }
        }
        let message = "the values of a type begin with an upper-case letter";
        let error = Diagnostic::error(Code::Syntax, first, message)
            .label("expected an upper-case name")
            .help(format!("write `type {} = {}`", ty.text, values.join(" | ")));
        self.report(error)
    }

    /// `X += e`, `X -= e`, `X *= e`, `X++` and `X--`, behind `X`, which starts at `start`: reported, and read
    /// as an update with a value that nobody knows.
    pub(super) fn shorthand(
        &mut self,
        start: u32,
        target: Name<'s>,
        indices: Option<Vec<Expr<'s>>>,
    ) -> Parse<Update<'s>> {
        let (cell, operator) = (self.quote(self.span_from(start)), self.word());
        let (first, second) = (self.token(), self.tokens[self.at + 1]);
        let span = first.span.to(second.span);
        self.advance();
        self.advance();
        let value = if second.kind == TokenKind::Equal {
            let value = self.expression()?;
            let shown = self.quote(value.span);
            let is_sum = matches!(value.kind, ExprKind::Sum(_)) && first.kind != TokenKind::Plus;
            if is_sum { format!("({shown})") } else { shown }
        } else {
            "1".to_owned()
        };
        let error = foreign_operator(span.text(self.source), span)
            .label("expected `:=`")
            .help(format!("write `{cell} := {cell} {operator} {value}`"));
        self.report(error);
        let span = self.span_from(start);
        let value = UpdateValue::Plain(Expr { kind: ExprKind::Error, span });
        Ok(Update { target, indices, value, span })
    }

    /// `++X` and `--X`
    pub(super) fn shorthand_before(&mut self) -> Reported {
        let (first, second) = (self.advance(), self.advance());
        let (span, operator) = (first.span.to(second.span), first.span.text(self.source));
        let target = self.advance_name();
        if self.kind() == TokenKind::LeftBracket && self.indices(target).is_err() {
            return Reported;
        }
        let cell = self.quote(self.span_from(target.span.start));
        let error = foreign_operator(span.text(self.source), span)
            .label("expected an update")
            .help(format!("write `{cell} := {cell} {operator} 1`"));
        self.report(error)
    }

    pub(super) fn is_at_shorthand(&self) -> bool {
        use TokenKind::*;
        matches!(
            (self.kind(), self.kind_after(1)),
            (Plus | Minus | Star, Equal) | (Plus, Plus) | (Minus, Minus)
        )
    }

    /// `->` or `=>` between the condition of a branch and its value, where a colon belongs.
    pub(super) fn branch_arrow(&mut self) {
        let error = self.unexpected_error("`:`");
        self.report(error.help("between the condition and the value of a branch write `:`"));
        self.advance();
    }

    /// A branch without a colon, whose value was read as the consequence of its condition.
    pub(super) fn branch_implication(&mut self, condition: &Expr<'s>) -> Option<Reported> {
        let ExprKind::Implies(sides) = &condition.kind else { return None };
        let [condition, value] = [&sides[0], &sides[1]].map(|side| self.quote(side.span));
        let help = format!("between the condition and the value write `:`: `| {condition} : {value}`");
        Some(self.unexpected_with_help("`:`", help))
    }

    /// `a < b < c`, at the second operator.
    pub(super) fn chained_comparison(&mut self, first: Span, middle: Span) -> Reported {
        let operator = self.advance();
        let Ok(last) = self.expression_at(Level::Sum) else { return Reported };
        let [first_text, second_text] = [first, middle.to(last.span)].map(|span| self.quote(span));
        self.report(
            Diagnostic::error(Code::Syntax, operator.span, "comparisons cannot be chained")
                .label("a second comparison")
                .also(first, "the first one")
                .help(format!("write two comparisons: `{first_text} && {second_text}`")),
        )
    }

    /// A formula `if c then f` without `else`.
    pub(super) fn no_else(&mut self, condition: Span, consequence: Span) -> Reported {
        let [condition, consequence] = [condition, consequence].map(|span| self.quote(span));
        let help = format!("for an implication write `({condition}) => ({consequence})`");
        self.unexpected_with_help("an operator or `else`", help)
    }

    /// Advice where `if c then X := a else X := b` stands in place of an update, and where that ends: the same
    /// with `case`, where it can be told from the words.
    pub(super) fn case_for_if(&self) -> Option<(String, usize)> {
        use TokenKind::*;
        let then = self.find(self.at + 1, &[Then])?;
        let mut condition = self.quote_tokens(self.at + 1, then);
        let (cell, value, mut end) = self.assignment(then + 1)?;
        // The first update may have a semicolon of its own.
        let next = end + usize::from(self.tokens[end].kind == Semicolon);
        let mut other = None;
        if self.tokens[next].kind == Else {
            let (same, value, behind) = self.assignment(next + 1)?;
            other = (same == cell).then_some(value);
            other.as_ref()?;
            end = behind;
        }
        let (name, index) = cell;
        let Some(index) = index else {
            let other = other.unwrap_or_else(|| name.clone());
            return Some((format!("write `{name} := case | {condition} : {value} | _ : {other}`"), end));
        };
        let is_loose = |token: &Token| !matches!(token.kind, Upper | Lower | Equal | NotEqual | And);
        if self.tokens[self.at + 1..then].iter().any(is_loose) {
            condition = format!("({condition})");
        }
        let new = ["k", "l", "m", "n"].into_iter().find(|new| !self.mentions(new)).unwrap_or("k");
        let other = other.map_or_else(String::new, |other| format!(" | {new} = {index} : {other}"));
        let cases = format!("| {new} = {index} && {condition} : {value}{other} | _ : {name}[{new}]");
        Some((format!("write `{name}[{new}] := case {cases}`"), end))
    }

    /// The first token of one of these kinds from here on; none if the update ends before it.
    fn find(&self, start: usize, kinds: &[TokenKind]) -> Option<usize> {
        use TokenKind::*;
        (start..self.tokens.len())
            .find(|&at| {
                let kind = self.tokens[at].kind;
                kinds.contains(&kind)
                    || matches!(kind, Semicolon | LeftBrace | RightBrace | End)
                    || kind.starts_declaration()
            })
            .filter(|&at| kinds.contains(&self.tokens[at].kind))
    }

    /// `X := value` or `A[i] := value` in the tokens from here on: the variable, the index, the value, and where
    /// that ends.
    fn assignment(&self, start: usize) -> Option<((String, Option<String>), String, usize)> {
        use TokenKind::*;
        let assign = self.find(start, &[Assign])?;
        let end = self.find(assign, &[Semicolon, Else, RightBrace])?;
        let target = self.tokens.get(start).filter(|token| token.kind == Upper)?;
        let index = match assign - start {
            1 => None,
            4 if self.tokens[start + 1].kind == LeftBracket => Some(self.quote_tokens(start + 2, start + 3)),
            _ => return None,
        };
        Some(((self.quote(target.span), index), self.quote_tokens(assign + 1, end), end))
    }

    /// The text of the tokens from one up to another, without that.
    fn quote_tokens(&self, start: usize, end: usize) -> String {
        match self.tokens.get(start..end) {
            Some([first, .., last]) => self.quote(first.span.to(last.span)),
            Some([only]) => self.quote(only.span),
            _ => "...".to_owned(),
        }
    }

    /// Advice where `p.A` was written; the name is the token with this index.
    pub(super) fn cell_of_dot(&self, process: usize) -> String {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.span.text(self.source));
        format!(
            "the cell of `{0}` in the array `{1}` is written `{1}[{0}]`",
            word(process),
            word(process + 2)
        )
    }

    pub(super) fn advice_after_expression(&self, in_list: bool) -> Option<String> {
        use TokenKind::*;
        let text = self.word();
        let in_body = self.place == Context::Body;
        let before = self.kind_before();
        let advice = match (self.kind(), text) {
            (Lower, "and") => "write `&&`",
            (Lower, "or") => "write `||`",
            (Lower, "implies") | (Arrow, _) => "write `=>`",
            (Lower, "iff") => "write `<=>`",
            (Lower, "xor") => "write `not (F <=> G)`",
            (Lower, "is" | "equals" | "eq") => "write `=`",
            (Dot, _)
                if before == Some(Lower)
                    && self.kind_after(1) == Upper
                    && self.kind_after(2) != LeftBracket =>
            {
                return Some(self.cell_of_dot(self.at - 1));
            }
            (Dot, _) => "a dot stands only behind the variable of a quantifier: `exists p. exists q. ...`",
            (In, _) => "write out the values: `X = A || X = B`",
            (Assign, _) if in_body => "each update has one `:=`; updates are separated by `;`",
            (Assign, _) => {
                "this is a formula: write `=` to compare; `:=` belongs into the body of a transition"
            }
            (Question, _) => "write `if c then a else b` in a formula, `case | c : a | _ : b` in an update",
            (Bar, _) => "write `||` for \"or\"",
            (Comma, _) if in_body => "updates are separated by `;`",
            (Comma | Semicolon, _) if self.kind_after(1) == RightBrace => {
                "remove it: nothing stands behind a formula"
            }
            (Comma | Semicolon, _) if !in_body => "write `&&` between the parts of a formula",
            (RightParen | RightBracket, _) => "there is no matching opening bracket",
            (Integer, _) if before == Some(Dot) => "a number begins with a digit: write `0.5`",
            (Upper | Lower, _) if before == Some(Integer) => {
                return Some(format!("for a product write `2 * {text}`"));
            }
            (Lower | Upper | Process, _) if in_list => "separate by commas: `[i, j]`",
            (Lower | Upper | Not | LeftParen, _) if self.on_same_line() && !in_body => {
                "is `&&` or `||` missing here?"
            }
            _ => return None,
        };
        Some(advice.to_owned())
    }
}

/// An error about an operator that is none of ours.
pub(super) fn foreign_operator(written: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::Syntax, span, format!("`{written}` is not an operator of this language"))
}
