//! Expressions, by precedence climbing.
//!
//! From loosest to tightest: `? :` < `->` < `||` < `&&` < `|` < `&` < `!` < comparison < `+`, `-` < `*`, `/`, `%` and
//! unary `+`, `-`. Of these `? :`, `->` and comparison do not chain. That `&&` is looser than `|` is what rumur
//! does, the only tool that has it.

use polycube_language::diagnostic::{Code, Diagnostic};
use polycube_language::formula::Quantifier;

use super::{Assign, MAX_NESTING, Parse, Parser, Reported};
use crate::syntax::{Elements, Expr, ExprKind, Operator, QuantifierExpr, Range};
use crate::token::{Token, TokenKind};

/// The loosest operator that an expression may have at its top without parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Conditional,
    Implication,
    LooseOr,
    LooseAnd,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Factor,
}

impl<'s> Parser<'s> {
    pub(super) fn expression(&mut self) -> Parse<Expr<'s>> {
        self.expression_at(Level::Conditional)
    }

    /// An expression, or `undefined`: what is assigned or passed.
    pub(super) fn value(&mut self) -> Parse<Expr<'s>> {
        match self.eat(TokenKind::Undefined) {
            Some(token) => {
                self.height = 1;
                Ok(Expr { kind: ExprKind::Undefined, span: token.span })
            }
            None => self.expression(),
        }
    }

    pub(super) fn expression_at(&mut self, level: Level) -> Parse<Expr<'s>> {
        self.nested(|parser| parser.operators(level))
    }

    fn operators(&mut self, level: Level) -> Parse<Expr<'s>> {
        let mut left = self.prefix()?;
        // The operator at the top of `left`, if it has no parentheses.
        let mut top = None;
        loop {
            let kind = self.read_as();
            let Some((operator, own, inner)) = binary(kind).filter(|&(_, own, _)| own >= level) else {
                match kind {
                    TokenKind::Question if level == Level::Conditional => left = self.conditional(left)?,
                    TokenKind::BitOperator if level <= Level::Sum => left = self.bit_operation(&left)?,
                    _ => return Ok(left),
                }
                top = None;
                continue;
            };
            let height = self.height;
            left = if matches!(operator, Operator::And | Operator::Or) {
                self.junction(left, kind, operator, inner)?
            } else if top == Some(own) && matches!(own, Level::Implication | Level::Comparison) {
                self.chained(&left, own, inner)?
            } else {
                self.advance();
                let right = self.expression_at(inner)?;
                let span = left.span.to(right.span);
                Expr { kind: ExprKind::Binary(operator, Box::new([left, right])), span }
            };
            self.grow(height)?;
            top = Some(own);
        }
    }

    /// Notes that the expression read last has become part of another, beside one of this height.
    fn grow(&mut self, height: usize) -> Parse<()> {
        self.height = self.height.max(height) + 1;
        if self.height > MAX_NESTING { Err(self.too_deep()) } else { Ok(()) }
    }

    /// `left & e & e ...`. The tree is balanced, so that long chains do not count as deep nesting; evaluation goes
    /// from left to right all the same.
    fn junction(
        &mut self,
        left: Expr<'s>,
        kind: TokenKind,
        operator: Operator,
        inner: Level,
    ) -> Parse<Expr<'s>> {
        let mut height = self.height;
        let mut parts = vec![left];
        while self.read_as() == kind {
            self.advance();
            parts.push(self.expression_at(inner)?);
            height = height.max(self.height);
        }
        self.height = height + parts.len().ilog2() as usize;
        while parts.len() > 1 {
            let mut pairs = Vec::with_capacity(parts.len().div_ceil(2));
            let mut rest = parts.into_iter();
            while let Some(left) = rest.next() {
                pairs.push(match rest.next() {
                    Some(right) => {
                        let span = left.span.to(right.span);
                        Expr { kind: ExprKind::Binary(operator, Box::new([left, right])), span }
                    }
                    None => left,
                });
            }
            parts = pairs;
        }
        parts.pop().ok_or(Reported)
    }

    /// `c ? a : b`, at the question mark.
    fn conditional(&mut self, condition: Expr<'s>) -> Parse<Expr<'s>> {
        let mut height = self.height;
        self.advance();
        let consequence = self.expression()?;
        height = height.max(self.height);
        self.expect_after_expression(TokenKind::Colon, "`:`")?;
        let alternative = self.expression_at(Level::Implication)?;
        self.grow(height)?;
        let span = condition.span.to(alternative.span);
        if self.kind() == TokenKind::Question {
            let quoted = self.quote(alternative.span);
            let error = Diagnostic::error(
                Code::Syntax,
                self.token().span,
                "conditional expressions cannot be chained",
            )
            .label("a second `?`")
            .help(format!("put the inner one in parentheses: `... : ({quoted} ? ... : ...)`"));
            self.report(error);
        }
        Ok(Expr { kind: ExprKind::Conditional(Box::new([condition, consequence, alternative])), span })
    }

    fn bit_operation(&mut self, left: &Expr<'s>) -> Parse<Expr<'s>> {
        self.unsupported("bit operators");
        self.advance();
        let right = self.expression_at(Level::Product)?;
        Ok(Expr { kind: ExprKind::Error, span: left.span.to(right.span) })
    }

    fn prefix(&mut self) -> Parse<Expr<'s>> {
        use TokenKind::*;
        let (token, text) = (self.token(), self.word());
        self.height = 1;
        let leaf = match token.kind {
            True => ExprKind::Boolean(true),
            False => ExprKind::Boolean(false),
            Integer => ExprKind::Integer(text),
            Illegal => ExprKind::Error,
            Decimal => {
                self.unsupported("numbers with a fraction");
                ExprKind::Error
            }
            LeftParen => return self.group(),
            Not | Minus | Plus => return self.unary(),
            BitOperator => {
                self.unsupported("bit operators");
                self.advance();
                return self.expression_at(Level::Factor);
            }
            Forall => return self.quantified(Quantifier::Forall),
            Exists => return self.quantified(Quantifier::Exists),
            IsUndefined => return self.is_undefined(),
            IsMember if self.kind_after(1) == LeftParen => return self.is_member(),
            MultisetCount if self.kind_after(1) == LeftParen => return self.multiset_count(),
            _ if self.is_not() => return self.unary(),
            kind if kind.may_be_name() => return self.name_or_call(),
            _ => return Err(self.no_operand()),
        };
        self.advance();
        Ok(Expr { kind: leaf, span: token.span })
    }

    fn unary(&mut self) -> Parse<Expr<'s>> {
        let token = self.advance();
        let level = if token.kind == TokenKind::Not { Level::Comparison } else { Level::Factor };
        let operand = self.expression_at(level)?;
        self.grow(0)?;
        let span = token.span.to(operand.span);
        let kind = match token.kind {
            TokenKind::Not => ExprKind::Not(Box::new(operand)),
            TokenKind::Minus => ExprKind::Negative(Box::new(operand)),
            _ => operand.kind,
        };
        Ok(Expr { kind, span })
    }

    fn group(&mut self) -> Parse<Expr<'s>> {
        let open = self.open(TokenKind::LeftParen)?;
        let assign = std::mem::replace(&mut self.assign, Assign::MeansEqual);
        let inner = self.expression();
        self.assign = assign;
        let inner = inner?;
        let close = self.close(TokenKind::RightParen, "`)`")?;
        Ok(Expr { kind: inner.kind, span: open.span.to(close.span) })
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parse<Expr<'s>> {
        let open = self.open_block();
        let variables = self.quantifiers()?;
        self.expect_do(if quantifier == Quantifier::Forall { "forall" } else { "exists" })?;
        let body = Box::new(self.expression()?);
        self.grow(0)?;
        if !self.kind().closes_block() {
            return Err(self.after_expression("`end`"));
        }
        self.close_block("");
        let span = self.span_from(open.span.start);
        Ok(Expr { kind: ExprKind::Quantified { quantifier, variables, body }, span })
    }

    /// `do`, or the colon that stands for it, behind the variables of a quantifier.
    fn expect_do(&mut self, keyword: &str) -> Parse<Token> {
        if matches!(self.kind(), TokenKind::Do | TokenKind::Colon) {
            return Ok(self.advance());
        }
        let help = format!("a quantified formula is `{keyword} i : T do ... end`");
        Err(self.unexpected_with_help("`do`", help))
    }

    /// `i : T; j := 1 to 3`, up to `do`.
    pub(super) fn quantifiers(&mut self) -> Parse<Vec<QuantifierExpr<'s>>> {
        let mut quantifiers = vec![self.quantifier()?];
        loop {
            match self.kind() {
                TokenKind::Semicolon => self.eat_semicolons(),
                TokenKind::Comma => {
                    self.unexpected_with_help(
                        "`;` or `do`",
                        "the variables are separated by `;`: `i : T; j : T`",
                    );
                    self.advance();
                }
                _ => return Ok(quantifiers),
            }
            if matches!(self.kind(), TokenKind::Do | TokenKind::Colon) {
                return Ok(quantifiers);
            }
            quantifiers.push(self.quantifier()?);
        }
    }

    fn quantifier(&mut self) -> Parse<QuantifierExpr<'s>> {
        let name = self.name("a variable")?;
        let range = if self.eat(TokenKind::Colon).is_some() {
            Range::Type(self.type_expr()?)
        } else if self.eat(TokenKind::Assign).is_some() {
            let from = Box::new(self.expression()?);
            self.expect_after_expression(TokenKind::To, "`to`")?;
            let to = Box::new(self.expression()?);
            let by = match self.eat(TokenKind::By) {
                Some(_) => Some(Box::new(self.expression()?)),
                None => None,
            };
            Range::Steps { from, to, by }
        } else {
            let help = format!("the range of a variable is `{0} : T` or `{0} := 1 to 3`", name.text);
            return Err(self.unexpected_with_help("`:` or `:=`", help));
        };
        Ok(QuantifierExpr { name, range })
    }

    fn is_undefined(&mut self) -> Parse<Expr<'s>> {
        let start = self.advance().span.start;
        self.open(TokenKind::LeftParen)?;
        let value = Box::new(self.expression()?);
        self.close(TokenKind::RightParen, "`)`")?;
        self.grow(0)?;
        Ok(Expr { kind: ExprKind::IsUndefined(value), span: self.span_from(start) })
    }

    fn is_member(&mut self) -> Parse<Expr<'s>> {
        let start = self.advance().span.start;
        self.open(TokenKind::LeftParen)?;
        let value = Box::new(self.expression()?);
        let height = self.height;
        self.expect_after_expression(TokenKind::Comma, "`,` and a type")?;
        let ty = Box::new(self.type_expr()?);
        self.close(TokenKind::RightParen, "`)`")?;
        self.grow(height)?;
        Ok(Expr { kind: ExprKind::IsMember { value, ty }, span: self.span_from(start) })
    }

    fn multiset_count(&mut self) -> Parse<Expr<'s>> {
        let start = self.advance().span.start;
        let elements = Box::new(self.multiset_predicate()?);
        self.grow(0)?;
        Ok(Expr { kind: ExprKind::MultisetCount(elements), span: self.span_from(start) })
    }

    /// `(i : multiset, condition)`
    pub(super) fn multiset_predicate(&mut self) -> Parse<Elements<'s>> {
        self.open(TokenKind::LeftParen)?;
        let name = self.name("a variable")?;
        self.expect(TokenKind::Colon)?;
        let multiset = self.expression()?;
        let height = self.height;
        self.expect_after_expression(TokenKind::Comma, "`,` and a condition")?;
        let condition = self.expression()?;
        self.height = self.height.max(height);
        self.close(TokenKind::RightParen, "`)`")?;
        Ok(Elements { name, multiset, condition })
    }

    fn name_or_call(&mut self) -> Parse<Expr<'s>> {
        if self.kind_after(1) != TokenKind::LeftParen {
            return self.designator();
        }
        let name = self.advance_name();
        let arguments = self.arguments()?;
        self.grow(0)?;
        let span = self.span_from(name.span.start);
        Ok(Expr { kind: ExprKind::Call { name, arguments }, span })
    }

    /// `(e, e)`; one comma may trail.
    pub(super) fn arguments(&mut self) -> Parse<Vec<Expr<'s>>> {
        self.open(TokenKind::LeftParen)?;
        let (mut arguments, mut height) = (Vec::new(), 0);
        while self.kind() != TokenKind::RightParen {
            arguments.push(self.value()?);
            height = height.max(self.height);
            if self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.height = height;
        self.close(TokenKind::RightParen, "`,` or `)`")?;
        Ok(arguments)
    }

    /// A name with fields and indices.
    pub(super) fn designator(&mut self) -> Parse<Expr<'s>> {
        let name = self.name("a variable")?;
        self.height = 1;
        let mut expr = Expr { kind: ExprKind::Name(name), span: name.span };
        loop {
            let height = self.height;
            let kind = match self.kind() {
                TokenKind::Dot => {
                    self.advance();
                    ExprKind::Field(Box::new(expr), self.name("the name of a field")?)
                }
                TokenKind::LeftBracket => {
                    self.open(TokenKind::LeftBracket)?;
                    let index = self.expression()?;
                    if self.kind() == TokenKind::Comma {
                        self.second_index();
                        return Err(Reported);
                    }
                    self.close(TokenKind::RightBracket, "`]`")?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                _ => return Ok(expr),
            };
            self.grow(height)?;
            expr = Expr { kind, span: self.span_from(name.span.start) };
        }
    }

    pub(super) fn expect_after_expression(&mut self, kind: TokenKind, expected: &str) -> Parse<Token> {
        self.eat(kind).ok_or_else(|| self.after_expression(expected))
    }
}

/// The operator that a token is, its own level and that of its right side.
fn binary(kind: TokenKind) -> Option<(Operator, Level, Level)> {
    use Level::*;
    Some(match kind {
        TokenKind::Arrow => (Operator::Implies, Implication, LooseOr),
        TokenKind::DoubleOr => (Operator::Or, LooseOr, LooseAnd),
        TokenKind::DoubleAnd => (Operator::And, LooseAnd, Or),
        TokenKind::Or => (Operator::Or, Or, And),
        TokenKind::And => (Operator::And, And, Comparison),
        TokenKind::Equal | TokenKind::DoubleEqual => (Operator::Equal, Comparison, Sum),
        TokenKind::NotEqual => (Operator::NotEqual, Comparison, Sum),
        TokenKind::Less => (Operator::Less, Comparison, Sum),
        TokenKind::LessEqual => (Operator::LessEqual, Comparison, Sum),
        TokenKind::Greater => (Operator::Greater, Comparison, Sum),
        TokenKind::GreaterEqual => (Operator::GreaterEqual, Comparison, Sum),
        TokenKind::Plus => (Operator::Add, Sum, Product),
        TokenKind::Minus => (Operator::Subtract, Sum, Product),
        TokenKind::Star => (Operator::Multiply, Product, Factor),
        TokenKind::Slash => (Operator::Divide, Product, Factor),
        TokenKind::Percent => (Operator::Remainder, Product, Factor),
        _ => return None,
    })
}
