//! Frequent mistakes in expressions, and what to write instead.

use polycube_language::diagnostic::{Code, Diagnostic};
use polycube_language::span::Span;

use super::expression::Level;
use super::{Assign, Parse, Parser, Reported};
use crate::syntax::{Expr, ExprKind};
use crate::token::TokenKind;

/// What is longer is left to the reader.
const LONGEST_QUOTE: usize = 60;

impl<'s> Parser<'s> {
    /// A stretch of the text in one line, to be pasted, unless it is long.
    pub(super) fn quote(&self, span: Span) -> String {
        if (span.end - span.start) as usize > 4 * LONGEST_QUOTE {
            return "...".to_owned();
        }
        let text = span.text(self.source).split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() > LONGEST_QUOTE { "...".to_owned() } else { text }
    }

    /// The kind of the next token; what is certainly meant as an operator of ours is reported and read as that.
    pub(super) fn read_as(&mut self) -> TokenKind {
        match self.kind() {
            TokenKind::Assign if self.assign == Assign::MeansEqual => {
                self.unexpected_with_help("an operator", "this is an expression: write `=` to compare");
                self.tokens[self.at].kind = TokenKind::Equal;
            }
            TokenKind::LessGreater => {
                self.unexpected_with_help("an operator", "write `!=`");
                self.tokens[self.at].kind = TokenKind::NotEqual;
            }
            TokenKind::Name if self.word().eq_ignore_ascii_case("and") => {
                self.unexpected_with_help("an operator", "write `&`");
                self.tokens[self.at].kind = TokenKind::And;
            }
            TokenKind::Name if self.word().eq_ignore_ascii_case("or") => {
                self.unexpected_with_help("an operator", "write `|`");
                self.tokens[self.at].kind = TokenKind::Or;
            }
            _ => {}
        }
        self.kind()
    }

    /// `not x`, at the first word: reported, and read as a negation.
    pub(super) fn is_not(&mut self) -> bool {
        use TokenKind::*;
        let is_operand = matches!(self.kind_after(1), Name | True | False | Forall | Exists | IsUndefined);
        if self.kind() != Name || !is_operand || !self.word().eq_ignore_ascii_case("not") {
            return false;
        }
        self.unexpected_with_help("an expression", "the negation is written `!`");
        self.tokens[self.at].kind = Not;
        true
    }

    /// `left op e` with a second operator of a kind that does not chain, at that operator.
    pub(super) fn chained(&mut self, left: &Expr<'s>, own: Level, inner: Level) -> Parse<Expr<'s>> {
        let at = self.at;
        let operator = self.advance();
        let right = self.expression_at(inner)?;
        let [quoted, last] = [left.span, right.span].map(|span| self.quote(span));
        let error = match (&left.kind, own) {
            (ExprKind::Binary(_, sides), Level::Implication) => {
                let [first, second] = [&sides[0], &sides[1]].map(|side| self.quote(side.span));
                Diagnostic::error(Code::Syntax, operator.span, "implications cannot be chained")
                    .label("a second `->`")
                    .help(format!("write `{first} -> ({second} -> {last})` or `({quoted}) -> {last}`"))
            }
            (ExprKind::Binary(_, sides), _) => {
                let (middle, text) = (self.quote(sides[1].span), operator.span.text(self.source));
                Diagnostic::error(Code::Syntax, operator.span, "comparisons cannot be chained")
                    .label("a second comparison")
                    .help(format!("write `{quoted} & {middle} {text} {last}`, or `({quoted}) {text} {last}`"))
            }
            // A third one: the second is reported.
            _ => return Ok(Expr { kind: ExprKind::Error, span: left.span.to(right.span) }),
        };
        if self.complained_of.is_none_or(|complained_of| complained_of < at) {
            self.diagnostics.push(error.also(left.span, "the first one"));
        }
        Ok(Expr { kind: ExprKind::Error, span: left.span.to(right.span) })
    }

    /// `a[i, j]`, at the comma.
    pub(super) fn second_index(&mut self) {
        self.unexpected_with_help("an operator or `]`", "each index has its own brackets: `a[i][j]`");
    }

    /// An error where an operand should stand.
    pub(super) fn no_operand(&mut self) -> Reported {
        use TokenKind::*;
        let error = self.unexpected_error("an expression");
        let error = match self.kind() {
            Undefined => error
                .help("`undefined` can only be assigned or passed; to test for it write `isundefined(x)`"),
            If => error.help("a conditional expression is `c ? a : b`"),
            And | DoubleAnd | Or | DoubleOr | Arrow => error.note("this operator has nothing on its left"),
            String => error.note("a string is no value"),
            // Other keywords start or divide something: it is the expression before them that is missing.
            By | Of | To | Put | Clear | Error | Type => {
                error.note(format!("`{}` is a keyword and cannot be a name", self.word()))
            }
            _ => error,
        };
        self.report(error)
    }

    /// An error at a token that cannot follow a complete expression.
    pub(super) fn after_expression(&mut self, expected: &str) -> Reported {
        let mut error = self.unexpected_error(&format!("an operator or {expected}"));
        error.help.extend(self.advice_after_expression().map(str::to_owned));
        self.report(error)
    }

    fn advice_after_expression(&self) -> Option<&'static str> {
        use TokenKind::*;
        Some(match self.kind() {
            FatArrow => "an implication is written `->`, a guard ends with `==>`",
            LongArrow => "`==>` ends the guard of a rule; an implication is written `->`",
            RightParen | RightBracket => "there is no matching opening bracket",
            LeftParen if self.kind_before() == Some(RightBracket) => "only routines are called",
            Dot | LeftBracket => "fields and indices stand behind the name of a variable",
            DotDot => "a range is a type: `1..3`",
            _ => return None,
        })
    }
}
