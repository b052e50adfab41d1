//! Constants, types and variables; procedures and functions.

use polycube_language::suggest::nearest;

use super::{Parse, Parser, Reported};
use crate::syntax::{Body, Declaration, Expr, ExprKind, Field, Formal, Name, Routine, TypeExpr, TypeKind};
use crate::token::TokenKind;

impl<'s> Parser<'s> {
    /// All sections that start here.
    pub(super) fn sections(&mut self) -> Vec<Declaration<'s>> {
        let mut declarations = Vec::new();
        while matches!(self.kind(), TokenKind::Const | TokenKind::Type | TokenKind::Var) {
            self.section(&mut declarations);
        }
        declarations
    }

    /// `const`, `type` or `var`, and the entries behind it.
    fn section(&mut self, declarations: &mut Vec<Declaration<'s>>) {
        let keyword = self.advance().kind;
        self.eat_semicolons();
        while self.is_at_entry() {
            let (start, blocks, openings) = (self.at, self.blocks.len(), self.openings.len());
            if self.entry(keyword, declarations).is_err() {
                self.skip_to(&[], blocks, openings);
            }
            if self.at == start {
                self.advance();
            }
            self.eat_semicolons();
        }
    }

    /// Whether an entry of a section, or of a record, is next, rather than a rule, a statement, or a word with a slip.
    fn is_at_entry(&self) -> bool {
        use TokenKind::*;
        match self.kind_after(1) {
            Colon | Comma => {
                let kind = self.kind();
                let is_keyword = kind.is_keyword() && kind != Begin && !kind.closes_block();
                kind.may_be_name() || is_keyword && !self.starts_item()
            }
            // `N := 3` is a declaration with a slip, unless statements may follow.
            Assign => self.kind() == Name && self.blocks.is_empty(),
            LeftBracket | LeftParen | Dot | String | Semicolon => false,
            Name | Integer | LeftBrace => self.kind() == Name && !self.is_slip(),
            _ => self.kind() == Name,
        }
    }

    fn is_slip(&self) -> bool {
        let words = TokenKind::ITEMS.iter().map(|word| word.text());
        nearest(&self.word().to_ascii_lowercase(), words).is_some()
    }

    fn entry(&mut self, keyword: TokenKind, declarations: &mut Vec<Declaration<'s>>) -> Parse<()> {
        if keyword == TokenKind::Var {
            let (names, ty) = self.names_and_type("a variable")?;
            declarations.push(Declaration::Variables { names, ty });
            return Ok(());
        }
        let names = self.names(if keyword == TokenKind::Const { "a constant" } else { "a type" })?;
        self.colon(&names)?;
        let first = names[0];
        declarations.push(if keyword == TokenKind::Const {
            Declaration::Constant { name: first, value: self.expression_before(&[]) }
        } else {
            Declaration::Type { name: first, ty: self.type_or_error() }
        });
        // `a, b : 1` is `a : 1; b : a`.
        declarations.extend(names[1..].iter().map(|&name| match keyword {
            TokenKind::Const => {
                Declaration::Constant { name, value: Expr { kind: ExprKind::Name(first), span: first.span } }
            }
            _ => Declaration::Type { name, ty: TypeExpr { kind: TypeKind::Named(first), span: first.span } },
        }));
        Ok(())
    }

    /// `a, b : T`
    fn names_and_type(&mut self, expected: &str) -> Parse<(Vec<Name<'s>>, TypeExpr<'s>)> {
        let names = self.names(expected)?;
        self.colon(&names)?;
        Ok((names, self.type_or_error()))
    }

    fn colon(&mut self, names: &[Name<'s>]) -> Parse<()> {
        use TokenKind::*;
        if self.eat(Colon).is_some() {
            return Ok(());
        }
        let error = self.unexpected_error("`:`");
        let error = match (self.kind(), names) {
            (Equal | Assign, [name, ..]) => error.help(format!("a declaration is `{} : ...`", name.text)),
            (Name, _) => error.help("names are separated by commas"),
            _ => error,
        };
        self.report(error);
        // What follows is most likely what should stand behind the colon.
        match self.kind() {
            Equal | Assign | DoubleEqual => self.at += 1,
            Integer | Boolean | Enum | Record | Array | Scalarset | Union => {}
            _ => return Err(Reported),
        }
        Ok(())
    }

    /// A type; what cannot be read is skipped.
    fn type_or_error(&mut self) -> TypeExpr<'s> {
        let (start, blocks, openings) = (self.token().span.start, self.blocks.len(), self.openings.len());
        self.type_expr().unwrap_or_else(|Reported| {
            self.skip_to(&[], blocks, openings);
            TypeExpr { kind: TypeKind::Error, span: self.span_from(start) }
        })
    }

    pub(super) fn type_expr(&mut self) -> Parse<TypeExpr<'s>> {
        self.nested(Self::type_inside)
    }

    fn type_inside(&mut self) -> Parse<TypeExpr<'s>> {
        use TokenKind::*;
        let start = self.token().span.start;
        let kind = match (self.kind(), self.kind_after(1)) {
            (Boolean, _) => {
                self.advance();
                TypeKind::Boolean
            }
            (Enum, _) => {
                self.advance();
                TypeKind::Enumeration(self.braced(|parser| parser.name("a value of the type"))?)
            }
            (Union, _) => {
                self.advance();
                TypeKind::Union(self.braced(Self::type_expr)?)
            }
            (Record, _) => self.record(),
            (Array, _) => {
                self.advance();
                self.open(LeftBracket)?;
                let index = Box::new(self.type_expr()?);
                if self.kind() == Comma {
                    let help = "an array has one index: `array [A] of array [B] of T`";
                    return Err(self.unexpected_with_help("`]`", help));
                }
                self.close(RightBracket, "`]`")?;
                self.expect(Of)?;
                TypeKind::Array { index, element: Box::new(self.type_expr()?) }
            }
            (Multiset, LeftBracket) => {
                self.advance();
                self.open(LeftBracket)?;
                let size = Box::new(self.expression()?);
                self.close(RightBracket, "`]`")?;
                self.expect(Of)?;
                TypeKind::Multiset { size, element: Box::new(self.type_expr()?) }
            }
            (Scalarset, _) => {
                self.advance();
                self.open(LeftParen)?;
                let size = Box::new(self.expression()?);
                self.close(RightParen, "`)`")?;
                TypeKind::Scalarset(size)
            }
            (Real, LeftParen) => {
                self.advance();
                self.arguments()?;
                TypeKind::Real
            }
            _ => self.named_or_range()?,
        };
        Ok(TypeExpr { kind, span: self.span_from(start) })
    }

    /// `T` or `a..b`
    fn named_or_range(&mut self) -> Parse<TypeKind<'s>> {
        use TokenKind::*;
        let is_operand =
            matches!(self.kind(), Integer | Decimal | Illegal | LeftParen | Minus | Plus | True | False);
        if !is_operand && !self.kind().may_be_name() {
            let error = self.unexpected_error("a type");
            return Err(self.report(match self.kind() {
                LeftBrace => error.help("an enumeration is written `enum { A, B }`"),
                LeftBracket => error.help("a range is written `1..3`"),
                _ => error,
            }));
        }
        let first = self.expression()?;
        if self.eat(DotDot).is_some() {
            return Ok(TypeKind::Range(Box::new([first, self.expression()?])));
        }
        match first.kind {
            ExprKind::Name(name) => Ok(TypeKind::Named(name)),
            ExprKind::Error => Err(Reported),
            _ => Err(self.unexpected_with_help("`..`", "a type is a name, or a range such as `1..3`")),
        }
    }

    /// `{ a, b }`; one comma may trail.
    fn braced<T>(&mut self, read: impl Fn(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        self.open(TokenKind::LeftBrace)?;
        let mut items = Vec::new();
        while self.kind() != TokenKind::RightBrace {
            items.push(read(self)?);
            if self.eat(TokenKind::Comma).is_some() {
                continue;
            }
            if self.kind() != TokenKind::Name {
                break;
            }
            self.unexpected_with_help("`,` or `}`", "write `,` between them");
        }
        if self.eat(TokenKind::RightBrace).is_none() {
            return Err(self.unexpected("`,` or `}`"));
        }
        self.openings.pop();
        Ok(items)
    }

    fn record(&mut self) -> TypeKind<'s> {
        self.open_block();
        let mut fields = Vec::new();
        self.eat_semicolons();
        while self.is_at_entry() {
            let (start, blocks, openings) = (self.at, self.blocks.len(), self.openings.len());
            match self.names_and_type("a field") {
                Ok((names, ty)) => fields.push(Field { names, ty }),
                Err(Reported) => self.skip_to(&[], blocks, openings),
            }
            if self.at == start {
                self.advance();
            }
            self.eat_semicolons();
        }
        self.close_block("a field, ");
        TypeKind::Record(fields)
    }

    /// A procedure or a function.
    pub(super) fn routine(&mut self) -> Parse<Routine<'s>> {
        let keyword = self.open_block();
        let name = self.name("the name of the routine");
        let formals = self.formals();
        let result = self.eat(TokenKind::Colon).map(|_| self.type_or_error());
        if result.is_none() && keyword.kind == TokenKind::Function {
            self.unexpected_with_help("`:` and a type", "a function gives a value: `function f(...) : T;`");
        }
        self.eat_semicolons();
        let body = self.body();
        Ok(Routine { name: name?, formals, result, body })
    }

    /// `externfun` or `externproc`, up to its end.
    pub(super) fn external(&mut self) -> Parse<()> {
        self.unsupported("external functions and procedures");
        self.advance();
        self.name("the name of the routine")?;
        self.formals();
        if self.eat(TokenKind::Colon).is_some() {
            self.type_expr()?;
        }
        self.string();
        Ok(())
    }

    /// `(var a, b : T; c : T)`; what cannot be read is skipped.
    fn formals(&mut self) -> Vec<Formal<'s>> {
        use TokenKind::*;
        if self.kind() != LeftParen {
            let help = "the parentheses are needed even without parameters: `procedure p();`";
            self.unexpected_with_help("`(`", help);
            return Vec::new();
        }
        let openings = self.openings.len();
        let mut formals = Vec::new();
        if self.formals_inside(&mut formals).is_err() {
            self.openings.truncate(openings);
            let is_at_end = |parser: &Self| {
                let kind = parser.kind();
                matches!(kind, RightParen | Begin | EndOfFile)
                    || kind.closes_block()
                    || kind != Var && parser.starts_item()
            };
            while !is_at_end(self) {
                self.advance();
            }
            self.eat(RightParen);
        }
        formals
    }

    fn formals_inside(&mut self, formals: &mut Vec<Formal<'s>>) -> Parse<()> {
        self.open(TokenKind::LeftParen)?;
        while self.kind() != TokenKind::RightParen {
            let is_reference = self.eat(TokenKind::Var).is_some();
            let names = self.names("a parameter")?;
            self.colon(&names)?;
            let ty = self.type_expr()?;
            formals.push(Formal { is_reference, names, ty });
            match self.kind() {
                TokenKind::Comma => {
                    self.unexpected_with_help(
                        "`;` or `)`",
                        "parameters of different types are separated by `;`",
                    );
                    self.advance();
                }
                TokenKind::Semicolon | TokenKind::Var | TokenKind::Name => self.eat_semicolons(),
                _ => break,
            }
        }
        self.close(TokenKind::RightParen, "`;` or `)`")?;
        Ok(())
    }

    /// Declarations and statements, up to the closing word.
    pub(super) fn body(&mut self) -> Body<'s> {
        let declarations = self.sections();
        if self.eat(TokenKind::Begin).is_none() && !declarations.is_empty() {
            let help = "`begin` stands between the declarations and the statements";
            self.unexpected_with_help("a declaration or `begin`", help);
        }
        let statements = self.statements();
        self.close_block("a statement, ");
        Body { declarations, statements }
    }
}
