//! Formulas and terms, by precedence climbing.
//!
//! From loosest to tightest: quantifiers, `let` and `if` condition (their last part reaches as far right as
//! possible; the `else` part of an `if` binds like `not`) < `=>`, `<=>` (right associative) < `||` < `&&` <
//! `not` < comparison (does not chain) < `+`, `-` < `*` < unary `-`.

use super::advice::foreign_operator;
use super::{Context, MAX_NESTING, Parse, Parser, Reported};
use crate::diagnostic::{Code, Diagnostic};
use crate::formula::{Quantifier, Relation};
use crate::syntax::{Comparator, Expr, ExprKind, Name, QuantifierKeyword, Sign};
use crate::token::{Token, TokenKind};

/// The loosest operator that an expression may have at its top without parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Implication,
    Disjunction,
    Conjunction,
    Comparison,
    Sum,
    Product,
    Factor,
}

impl<'s> Parser<'s, '_> {
    pub(super) fn expression(&mut self) -> Parse<Expr<'s>> {
        self.expression_at(Level::Implication)
    }

    pub(super) fn expression_at(&mut self, level: Level) -> Parse<Expr<'s>> {
        if self.depth == MAX_NESTING {
            let span = self.token().span;
            return Err(self.report(
                Diagnostic::error(Code::TooDeep, span, "this formula is nested too deeply")
                    .label(format!("more than {MAX_NESTING} levels"))
                    .help("name parts of it with `predicate`, or write long chains of `&&` or `||` without parentheses"),
            ));
        }
        self.depth += 1;
        let result = self.operators(level);
        self.depth -= 1;
        result
    }

    fn operators(&mut self, level: Level) -> Parse<Expr<'s>> {
        let mut left = self.prefix(level)?;
        loop {
            let kind = self.read_as();
            match kind {
                TokenKind::Star if level <= Level::Product => {
                    left = self.chain(left, TokenKind::Star, Level::Factor, ExprKind::Product)?;
                }
                TokenKind::Plus | TokenKind::Minus if level <= Level::Sum => left = self.sum(left)?,
                TokenKind::And if level <= Level::Conjunction => {
                    left = self.chain(left, TokenKind::And, Level::Comparison, ExprKind::And)?;
                }
                TokenKind::Or if level <= Level::Disjunction => {
                    left = self.chain(left, TokenKind::Or, Level::Conjunction, ExprKind::Or)?;
                }
                TokenKind::Implies if level <= Level::Implication => {
                    left = self.pair(left, Level::Implication, ExprKind::Implies)?;
                }
                TokenKind::Iff if level <= Level::Implication => {
                    left = self.pair(left, Level::Implication, ExprKind::Iff)?;
                }
                _ => match comparator(kind) {
                    Some(comparator) if level <= Level::Comparison => {
                        if let ExprKind::Compare(_, sides) = &left.kind {
                            return Err(self.chained_comparison(left.span, sides[1].span));
                        }
                        left = self.pair(left, Level::Sum, |sides| ExprKind::Compare(comparator, sides))?;
                    }
                    _ => return Ok(left),
                },
            }
        }
    }

    /// The kind of the next token; what other languages write for an operator is reported and read as ours.
    fn read_as(&mut self) -> TokenKind {
        let (meant, ours) = match self.kind() {
            TokenKind::DoubleEqual => (TokenKind::Equal, "="),
            TokenKind::SlashEqual => (TokenKind::NotEqual, "<>"),
            TokenKind::EqualLess => (TokenKind::LessEqual, "<="),
            // In a `case` an arrow most likely stands for the colon: see `branch_arrow`.
            TokenKind::Arrow if self.place == Context::Body => return TokenKind::Arrow,
            TokenKind::Arrow => (TokenKind::Implies, "=>"),
            TokenKind::DoubleArrow => (TokenKind::Iff, "<=>"),
            TokenKind::SingleAnd => (TokenKind::And, "&&"),
            TokenKind::BackslashOr => (TokenKind::Or, "||"),
            TokenKind::Tilde => (TokenKind::Not, "not"),
            kind => return kind,
        };
        let error = foreign_operator(self.word(), self.token().span).label(format!("write `{ours}`"));
        self.report(error);
        meant
    }

    /// `left op e`
    fn pair(
        &mut self,
        left: Expr<'s>,
        level: Level,
        kind: impl FnOnce(Box<[Expr<'s>; 2]>) -> ExprKind<'s>,
    ) -> Parse<Expr<'s>> {
        self.advance();
        let right = self.expression_at(level)?;
        let span = left.span.to(right.span);
        Ok(Expr { kind: kind(Box::new([left, right])), span })
    }

    /// `left op e op e ...`, all with the same operator.
    fn chain(
        &mut self,
        left: Expr<'s>,
        operator: TokenKind,
        level: Level,
        kind: fn(Vec<Expr<'s>>) -> ExprKind<'s>,
    ) -> Parse<Expr<'s>> {
        let mut span = left.span;
        let mut items = vec![left];
        while self.read_as() == operator {
            self.advance();
            let item = self.expression_at(level)?;
            span = span.to(item.span);
            items.push(item);
        }
        Ok(Expr { kind: kind(items), span })
    }

    fn sum(&mut self, first: Expr<'s>) -> Parse<Expr<'s>> {
        let mut span = first.span;
        let mut items = vec![(Sign::Plus, first)];
        loop {
            let sign = match self.kind() {
                TokenKind::Plus => Sign::Plus,
                TokenKind::Minus => Sign::Minus,
                _ => return Ok(Expr { kind: ExprKind::Sum(items), span }),
            };
            self.advance();
            let item = self.expression_at(Level::Product)?;
            span = span.to(item.span);
            items.push((sign, item));
        }
    }

    fn prefix(&mut self, level: Level) -> Parse<Expr<'s>> {
        let (token, text) = (self.token(), self.word());
        let leaf = match token.kind {
            TokenKind::True => ExprKind::Constant(true),
            TokenKind::False => ExprKind::Constant(false),
            TokenKind::Integer => ExprKind::Integer(text),
            TokenKind::Real => ExprKind::Real(text),
            TokenKind::Process => ExprKind::Process(text),
            TokenKind::Question | TokenKind::Dot => ExprKind::Any,
            TokenKind::Illegal => ExprKind::Error,
            TokenKind::Lower | TokenKind::Upper => return self.name_or_application(),
            TokenKind::LeftParen => return self.group(),
            TokenKind::HashBrace => return self.count(),
            TokenKind::Minus => {
                self.advance();
                let operand = self.expression_at(Level::Factor)?;
                let span = token.span.to(operand.span);
                return Ok(Expr { kind: ExprKind::Negate(Box::new(operand)), span });
            }
            _ if level <= Level::Comparison => return self.formula_prefix(),
            _ => return Err(self.unexpected_operand("a term")),
        };
        self.advance();
        Ok(Expr { kind: leaf, span: token.span })
    }

    fn formula_prefix(&mut self) -> Parse<Expr<'s>> {
        let start = self.token().span.start;
        let kind = match self.read_as() {
            TokenKind::Not => {
                self.advance();
                ExprKind::Not(Box::new(self.expression_at(Level::Comparison)?))
            }
            TokenKind::If => {
                self.advance();
                let condition = self.expression()?;
                self.expect_after_expression(TokenKind::Then, "`then`")?;
                let consequence = self.expression()?;
                if self.kind() == TokenKind::RightBrace || self.kind() == TokenKind::RightParen {
                    return Err(self.no_else(condition.span, consequence.span));
                }
                self.expect_after_expression(TokenKind::Else, "`else`")?;
                let alternative = self.expression_at(Level::Comparison)?;
                ExprKind::If(Box::new([condition, consequence, alternative]))
            }
            TokenKind::Let => {
                let (name, value) = self.let_binding()?;
                let body = self.expression()?;
                ExprKind::Let { name, value_and_body: Box::new([value, body]) }
            }
            TokenKind::Forall => self.quantified(Quantifier::Forall, false)?,
            TokenKind::Exists => self.quantified(Quantifier::Exists, false)?,
            TokenKind::ForallOther => self.quantified(Quantifier::Forall, true)?,
            TokenKind::ExistsOther => self.quantified(Quantifier::Exists, true)?,
            _ => return Err(self.unexpected_operand("a formula or term")),
        };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    fn unexpected_operand(&mut self, expected: &str) -> Reported {
        let error = self.unexpected_error(expected);
        let error = match self.kind() {
            TokenKind::Underscore => error.help("`_` is only the default of a `case`: `| _ : value`"),
            TokenKind::Case => {
                error.help("`case` stands only directly behind `:=`; in a formula use `if then else`")
            }
            TokenKind::Else => error.help("the default of a `case` is `| _ : value`"),
            TokenKind::RightBrace | TokenKind::Semicolon if self.kind_before() == Some(TokenKind::Bar) => {
                error.help("remove the last `|`, or write another branch behind it")
            }
            TokenKind::Not | TokenKind::If | TokenKind::Forall | TokenKind::Exists => {
                error.help("put the formula in parentheses; to compare formulas use `<=>`")
            }
            TokenKind::And | TokenKind::Or => error.help("this operator has nothing on its left: remove it"),
            kind if kind.is_keyword() && !kind.starts_declaration() => {
                error.note(format!("{} is a keyword and cannot be a name", kind.describe()))
            }
            _ => error,
        };
        self.report(error)
    }

    /// `let v = e in`, up to and with `in`.
    pub(super) fn let_binding(&mut self) -> Parse<(Name<'s>, Expr<'s>)> {
        self.expect(TokenKind::Let)?;
        let name = self.lower_name("a name for the value")?;
        self.expect(TokenKind::Equal)?;
        let value = self.expression()?;
        self.expect_after_expression(TokenKind::In, "`in`")?;
        Ok((name, value))
    }

    fn quantified(&mut self, quantifier: Quantifier, other: bool) -> Parse<ExprKind<'s>> {
        let keyword = self.advance_name().text;
        if quantifier == Quantifier::Exists && self.word() == "!" {
            let error = self.unexpected_error("a process variable");
            return Err(self.report(error.help("for exactly one process write `#{x | ...} = 1`")));
        }
        let mut variables = vec![self.lower_name("a process variable")?];
        let several = !other;
        while several && self.eat(TokenKind::NotEqual).is_some() {
            variables.push(self.lower_name("a process variable")?);
        }
        if self.kind() != TokenKind::Dot {
            let another = self.kind() == TokenKind::Lower || self.kind_after(1) == TokenKind::Lower;
            let help = match self.kind() {
                TokenKind::Colon | TokenKind::In => {
                    format!("variables are always processes: `{keyword} x. ...`")
                }
                TokenKind::Lower | TokenKind::Comma | TokenKind::NotEqual if !several && another => {
                    format!("for two others write `{keyword} x. {keyword} y. ...`")
                }
                TokenKind::Lower | TokenKind::Comma if another => format!(
                    "for two different processes write `{keyword} x <> y. ...`, for two that may be the same \
                     `{keyword} x. {keyword} y. ...`"
                ),
                _ => format!("a dot stands between the variable and the formula: `{keyword} x. ...`"),
            };
            let expected = if several { "`.` or `<>`" } else { "`.`" };
            return Err(self.unexpected_with_help(expected, help));
        }
        self.advance();
        self.limit_names(&variables, "variables of one quantifier")?;
        let body = Box::new(self.expression()?);
        Ok(ExprKind::Quantified { keyword: QuantifierKeyword { quantifier, other }, variables, body })
    }

    fn group(&mut self) -> Parse<Expr<'s>> {
        let open = self.open(TokenKind::LeftParen)?;
        let inner = self.expression()?;
        let close = self.expect_after_expression(TokenKind::RightParen, "`)`")?;
        self.openings.pop();
        Ok(Expr { kind: ExprKind::Group(Box::new(inner)), span: open.span.to(close.span) })
    }

    /// `#{p | e}`, `#{p | e : t}`; or the same without `p |`
    fn count(&mut self) -> Parse<Expr<'s>> {
        let open = self.open(TokenKind::HashBrace)?;
        let is_named = self.kind() == TokenKind::Lower && self.kind_after(1) == TokenKind::Bar;
        let variable = is_named.then(|| self.advance_name());
        if is_named {
            self.advance();
        }
        let depth = self.openings.len();
        let parts = self.expression().and_then(|body| {
            let has_summand = self.eat(TokenKind::Colon).is_some();
            let summand = if has_summand { Some(Box::new(self.expression()?)) } else { None };
            match self.kind() {
                TokenKind::RightBrace => Ok((body, summand)),
                _ => Err(self.after_expression("`}`")),
            }
        });
        // Its brace must not be taken for the one that closes what is around it.
        let (body, summand) = parts.unwrap_or_else(|Reported| {
            self.openings.truncate(depth);
            self.skip_to(&[TokenKind::RightBrace]);
            (Expr { kind: ExprKind::Error, span: self.span_from(open.span.end) }, None)
        });
        let body = Box::new(body);
        let close = self.eat(TokenKind::RightBrace).ok_or(Reported)?;
        self.openings.pop();
        Ok(Expr { kind: ExprKind::Count { variable, body, summand }, span: open.span.to(close.span) })
    }

    fn name_or_application(&mut self) -> Parse<Expr<'s>> {
        let name = self.advance_name();
        let kind = match self.kind() {
            TokenKind::LeftBracket => ExprKind::Access { array: name, indices: self.indices(name)? },
            TokenKind::LeftParen => ExprKind::Call {
                predicate: name,
                arguments: self.list(TokenKind::LeftParen, TokenKind::RightParen)?,
            },
            // `forall_others j. ...`: a word directly before another one is most likely a quantifier with a
            // slip.
            TokenKind::Lower if looks_like_quantifier(name.text) => {
                let message = format!("`{}` is not a quantifier", name.text);
                let error = Diagnostic::error(Code::Syntax, name.span, message)
                    .help("the quantifiers are `forall`, `exists`, `forall_other` and `exists_other`");
                return Err(self.report(error));
            }
            _ => ExprKind::Name(name),
        };
        Ok(Expr { kind, span: self.span_from(name.span.start) })
    }

    /// `( e, e, )` or `[ e, e ]`; the list may be empty, and one comma may trail.
    pub(super) fn list(&mut self, opening: TokenKind, closing: TokenKind) -> Parse<Vec<Expr<'s>>> {
        self.open(opening)?;
        // Mostly one item: an index.
        let mut items = Vec::with_capacity(1);
        while self.kind() != closing {
            items.push(self.expression()?);
            if self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect_after_expression(closing, &format!("`,` or {}", closing.describe()))?;
        self.openings.pop();
        Ok(items)
    }

    fn expect_after_expression(&mut self, kind: TokenKind, expected: &str) -> Parse<Token> {
        self.eat(kind).ok_or_else(|| self.after_expression(expected))
    }

    /// An error at a token that cannot follow a complete expression.
    pub(super) fn after_expression(&mut self, expected: &str) -> Reported {
        let mut error = self.unexpected_error(&format!("an operator or {expected}"));
        error.help.extend(self.advice_after_expression(expected.contains("`,`")));
        self.report(error)
    }
}

fn comparator(kind: TokenKind) -> Option<Comparator> {
    Some(match kind {
        TokenKind::Equal => Comparator::Straight(Relation::Equal),
        TokenKind::NotEqual => Comparator::Straight(Relation::NotEqual),
        TokenKind::Less => Comparator::Straight(Relation::Less),
        TokenKind::LessEqual => Comparator::Straight(Relation::LessEqual),
        TokenKind::Greater => Comparator::Reversed(Relation::Less),
        TokenKind::GreaterEqual => Comparator::Reversed(Relation::LessEqual),
        _ => return None,
    })
}

fn looks_like_quantifier(word: &str) -> bool {
    let quantifiers = ["forall", "exists", "forall_other", "exists_other"];
    matches!(word, "all" | "some" | "any" | "for")
        || quantifiers.iter().any(|quantifier| strsim::damerau_levenshtein(word, quantifier) <= 2)
}
