//! Declarations, and the updates inside transitions.

use super::{Parse, Parser, Reported};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::syntax::{
    Branch, Clause, ClauseKeyword, File, Item, LetBinding, Name, NumberProcs, Predicate, SymbolDeclaration,
    SymbolKeyword, Transition, TypeDeclaration, Update, UpdateValue,
};
use crate::token::TokenKind;

impl<'s> Parser<'s, '_> {
    pub(super) fn file(&mut self) -> File<'s> {
        let mut file = File::default();
        while self.kind() != TokenKind::End {
            self.openings.clear();
            self.depth = 0;
            let start = self.at;
            if let Ok(item) = self.item() {
                file.items.push(item);
                continue;
            }
            // Reported; go on at the next declaration. The word that started this one is behind us.
            if self.at == start {
                self.advance();
            }
            while self.kind() != TokenKind::End && !self.kind().starts_declaration() {
                self.advance();
            }
            let words = self.tokens[start..self.at].iter();
            let words = words.filter(|token| matches!(token.kind, TokenKind::Lower | TokenKind::Upper));
            file.unread.extend(words.map(|&token| self.name(token)));
        }
        file
    }

    fn item(&mut self) -> Parse<Item<'s>> {
        match self.kind() {
            TokenKind::NumberProcs => self.number_procs().map(Item::NumberProcs),
            TokenKind::Type => self.type_declaration().map(Item::Type),
            TokenKind::Const => self.symbol_declaration(SymbolKeyword::Const).map(Item::Symbol),
            TokenKind::Var => self.symbol_declaration(SymbolKeyword::Var).map(Item::Symbol),
            TokenKind::Array => self.symbol_declaration(SymbolKeyword::Array).map(Item::Symbol),
            TokenKind::Init => self.clause(ClauseKeyword::Init).map(Item::Clause),
            TokenKind::Unsafe => self.clause(ClauseKeyword::Unsafe).map(Item::Clause),
            TokenKind::Invariant => self.clause(ClauseKeyword::Invariant).map(Item::Clause),
            TokenKind::Predicate => self.predicate().map(Item::Predicate),
            TokenKind::Transition => self.transition().map(Item::Transition),
            kind => {
                let error = self.unexpected_error("a declaration").help(
                    "a declaration starts with `type`, `var`, `const`, `array`, `init`, `unsafe`, `invariant`, \
                     `transition`, `predicate` or `number_procs`",
                );
                let error = match kind {
                    TokenKind::RightBrace => error.note("this brace closes nothing"),
                    TokenKind::Requires => {
                        error.note("`requires` stands directly behind `transition name (...)`")
                    }
                    _ => error,
                };
                Err(self.report(error))
            }
        }
    }

    fn number_procs(&mut self) -> Parse<NumberProcs<'s>> {
        let start = self.advance().span.start;
        let negative = self.eat(TokenKind::Minus).is_some();
        let count = self.expect(TokenKind::Integer)?;
        Ok(NumberProcs { count: self.name(count), negative, span: self.span_from(start) })
    }

    fn type_declaration(&mut self) -> Parse<TypeDeclaration<'s>> {
        let start = self.advance().span.start;
        let name = self.lower_name("the name of the type")?;
        let mut constructors = None;
        if self.eat(TokenKind::Equal).is_some() {
            self.eat(TokenKind::Bar);
            let mut list = vec![self.upper_name("a value of the type")?];
            while self.eat(TokenKind::Bar).is_some() {
                list.push(self.upper_name("a value of the type")?);
            }
            if matches!(self.kind(), TokenKind::Comma | TokenKind::Or | TokenKind::Semicolon) {
                let error = self.unexpected_error("`|` or a declaration");
                return Err(
                    self.report(error.help("the values of a type are separated by `|`: `type t = A | B`"))
                );
            }
            constructors = Some(list);
        }
        Ok(TypeDeclaration { name, constructors, span: self.span_from(start) })
    }

    fn symbol_declaration(&mut self, keyword: SymbolKeyword) -> Parse<SymbolDeclaration<'s>> {
        let start = self.advance().span.start;
        let name = self.upper_name(match keyword {
            SymbolKeyword::Const => "the name of the constant",
            SymbolKeyword::Var => "the name of the variable",
            SymbolKeyword::Array => "the name of the array",
        })?;
        let mut indices = Vec::new();
        if keyword == SymbolKeyword::Array {
            if self.kind() != TokenKind::LeftBracket {
                let error = self.unexpected_error("`[`");
                let shown =
                    format!("write `array {0}[proc] : ...`, or `var {0} : ...` for one value", name.text);
                return Err(self.report(error.help(shown)));
            }
            self.open(TokenKind::LeftBracket)?;
            indices.push(self.lower_name("an index type")?);
            while self.eat(TokenKind::Comma).is_some() {
                indices.push(self.lower_name("an index type")?);
            }
            self.close(TokenKind::RightBracket, "`,` or `]`")?;
        } else if self.kind() == TokenKind::LeftBracket {
            let error = self.unexpected_error("`:`");
            return Err(self
                .report(error.help(format!("an array is declared with `array {}[proc] : ...`", name.text))));
        }
        self.expect(TokenKind::Colon)?;
        let ty = self.lower_name("a type")?;
        Ok(SymbolDeclaration { keyword, name, indices, ty, span: self.span_from(start) })
    }

    fn clause(&mut self, keyword: ClauseKeyword) -> Parse<Clause<'s>> {
        let keyword_span = self.advance().span;
        let what = format!("this `{}`", keyword_span.text(self.source));
        let parameters =
            if self.kind() == TokenKind::LeftParen { self.process_parameters()? } else { Vec::new() };
        let formula = self.braced_expression(&what)?;
        Ok(Clause { keyword, keyword_span, parameters, formula, span: self.span_from(keyword_span.start) })
    }

    fn predicate(&mut self) -> Parse<Predicate<'s>> {
        let start = self.advance().span.start;
        let name = self.lower_name("the name of the predicate")?;
        self.open(TokenKind::LeftParen)?;
        let mut parameters = Vec::new();
        while self.kind() != TokenKind::RightParen {
            parameters.push(self.lower_name("a parameter or `)`")?);
            if self.kind() == TokenKind::Lower {
                let error = self.unexpected_error("`,` or `)`");
                self.report(error.help("the parameters of a predicate are separated by commas: `p(x, y)`"));
            } else if self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.close(TokenKind::RightParen, "`,` or `)`")?;
        let body = self.braced_expression("this predicate")?;
        Ok(Predicate { name, parameters, body, span: self.span_from(start) })
    }

    /// `(x y)`: separated by blanks.
    fn process_parameters(&mut self) -> Parse<Vec<Name<'s>>> {
        self.open(TokenKind::LeftParen)?;
        let mut parameters = Vec::new();
        loop {
            match self.kind() {
                TokenKind::Lower => {
                    let token = self.advance();
                    parameters.push(self.name(token));
                }
                TokenKind::Comma if !parameters.is_empty() => {
                    let span = self.advance().span;
                    self.report(
                        Diagnostic::error(Code::Syntax, span, "a comma between process parameters")
                            .label("remove it")
                            .help("these parameters are separated by blanks: `(x y)`"),
                    );
                }
                TokenKind::RightParen => break,
                _ => {
                    self.lower_name("a process variable or `)`")?;
                }
            }
        }
        self.close(TokenKind::RightParen, "`)`")?;
        Ok(parameters)
    }

    fn transition(&mut self) -> Parse<Transition<'s>> {
        let start = self.advance().span.start;
        let name = match self.kind() {
            TokenKind::Lower | TokenKind::Upper => {
                let token = self.advance();
                self.name(token)
            }
            _ => return Err(self.unexpected("the name of the transition")),
        };
        if self.kind() != TokenKind::LeftParen {
            let error = self.unexpected_error("`(`");
            let help =
                format!("the parentheses are needed even without parameters: `transition {} ()`", name.text);
            return Err(self.report(error.help(help)));
        }
        let parameters = self.process_parameters()?;
        let guard = match self.eat(TokenKind::Requires) {
            Some(_) => Some(self.braced_expression("this guard")?),
            None => None,
        };
        if self.kind() != TokenKind::LeftBrace {
            let expected = if guard.is_some() { "`{` and the updates" } else { "`requires` or `{`" };
            let error = self.unexpected_error(expected);
            return Err(self.report(error.help("a transition that changes nothing has the body `{ }`")));
        }
        let body_start = self.open(TokenKind::LeftBrace)?.span.start;
        let depth = self.openings.len();
        let mut lets = Vec::new();
        while self.kind() == TokenKind::Let {
            let start = self.token().span.start;
            match self.let_binding() {
                Ok((name, value)) => lets.push(LetBinding { name, value, span: self.span_from(start) }),
                Err(Reported) => self.skip_update(depth),
            }
        }
        let updates = self.updates(depth);
        let Some(close) = self.eat(TokenKind::RightBrace) else { return Err(self.unexpected("`}`")) };
        self.openings.pop();
        let body = Span::new(body_start, close.span.end);
        Ok(Transition { name, parameters, guard, lets, updates, body, span: self.span_from(start) })
    }

    fn updates(&mut self, depth: usize) -> Vec<Update<'s>> {
        let mut updates = Vec::new();
        loop {
            match self.kind() {
                TokenKind::RightBrace | TokenKind::End => return updates,
                TokenKind::Semicolon => {
                    self.advance();
                }
                kind if kind.starts_declaration() => return updates,
                _ => match self.update().and_then(|update| self.end_of_update(&update).map(|()| update)) {
                    Ok(update) => updates.push(update),
                    Err(Reported) => self.skip_update(depth),
                },
            }
        }
    }

    /// Skips to the semicolon behind a wrong update, or to the end of the body.
    fn skip_update(&mut self, openings: usize) {
        self.openings.truncate(openings);
        let mut depth = 0usize;
        loop {
            match self.kind() {
                TokenKind::End => return,
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace | TokenKind::Semicolon if depth == 0 => return,
                TokenKind::RightBrace => depth -= 1,
                kind if kind.starts_declaration() => return,
                _ => {}
            }
            self.advance();
        }
    }

    fn end_of_update(&mut self, update: &Update<'s>) -> Parse<()> {
        match self.kind() {
            TokenKind::Semicolon | TokenKind::RightBrace => Ok(()),
            TokenKind::Upper if matches!(self.kind_after(1), TokenKind::Assign | TokenKind::LeftBracket) => {
                // The most frequent slip; go on as if the semicolon were there.
                let behind = Span::new(update.span.end.saturating_sub(1), update.span.end);
                self.report(
                    Diagnostic::error(Code::Syntax, behind, "`;` is missing behind this update")
                        .label("expected `;`")
                        .help("updates are separated by `;`"),
                );
                Ok(())
            }
            TokenKind::Bar => {
                let error = self.unexpected_error("`;` or `}`");
                Err(self.report(error.help("branches stand behind `case`: `X := case | c : e | _ : f`")))
            }
            _ => Err(self.after_expression("`;` or `}`")),
        }
    }

    fn update(&mut self) -> Parse<Update<'s>> {
        let start = self.token().span.start;
        let target = self.upper_name("a variable or array to update")?;
        let indices = match self.kind() {
            TokenKind::LeftBracket => Some(self.list(TokenKind::LeftBracket, TokenKind::RightBracket)?),
            _ => None,
        };
        match self.kind() {
            TokenKind::Assign => {
                self.advance();
            }
            TokenKind::Equal | TokenKind::DoubleEqual => {
                let error = self.unexpected_error("`:=`");
                self.report(error.help("in the body of a transition write `:=` to update"));
                self.advance();
            }
            _ => return Err(self.unexpected("`:=`")),
        }
        let value = match self.eat(TokenKind::Case) {
            Some(_) => UpdateValue::Case(self.branches()?),
            None => UpdateValue::Plain(self.expression()?),
        };
        Ok(Update { target, indices, value, span: self.span_from(start) })
    }

    fn branches(&mut self) -> Parse<Vec<Branch<'s>>> {
        let mut branches: Vec<Branch<'s>> = Vec::new();
        if self.kind() != TokenKind::Bar {
            let error = self.unexpected_error("`|`");
            return Err(self.report(
                error.help("each branch starts with a bar: `case | condition : value | _ : value`"),
            ));
        }
        while let Some(bar) = self.eat(TokenKind::Bar) {
            let condition = match self.eat(TokenKind::Underscore) {
                Some(_) => None,
                None => Some(self.expression()?),
            };
            if self.eat(TokenKind::Colon).is_none() {
                if condition.is_none() {
                    return Err(self.unexpected("`:`"));
                }
                if self.kind() == TokenKind::Assign {
                    let error = self.unexpected_error("`:`");
                    return Err(self.report(error.help("a branch is `| condition : value`")));
                }
                return Err(self.after_expression("`:`"));
            }
            let value = self.expression()?;
            branches.push(Branch { condition, value, span: self.span_from(bar.span.start) });
        }
        Ok(branches)
    }

    /// Takes a lower-case name.
    pub(super) fn lower_name(&mut self, expected: &str) -> Parse<Name<'s>> {
        self.cased_name(TokenKind::Lower, expected)
    }

    /// Takes an upper-case name.
    pub(super) fn upper_name(&mut self, expected: &str) -> Parse<Name<'s>> {
        self.cased_name(TokenKind::Upper, expected)
    }

    fn cased_name(&mut self, kind: TokenKind, expected: &str) -> Parse<Name<'s>> {
        if self.kind() == kind {
            let token = self.advance();
            return Ok(self.name(token));
        }
        let token = self.token();
        let text = token.span.text(self.source);
        let error = self.unexpected_error(expected);
        let error = match (kind, token.kind) {
            (TokenKind::Upper, TokenKind::Lower) => {
                let other = text[..1].to_ascii_uppercase() + &text[1..];
                error
                    .note("variables, arrays, constants and values begin with an upper-case letter")
                    .help(format!("write `{other}`"))
            }
            (TokenKind::Lower, TokenKind::Upper) => {
                let other = text[..1].to_ascii_lowercase() + &text[1..];
                error
                    .note("types, process variables and predicates begin with a lower-case letter")
                    .help(format!("write `{other}`"))
            }
            (_, TokenKind::Underscore) => error.note("a name does not begin with `_`"),
            (_, found) if found.is_keyword() && !found.starts_declaration() => {
                error.note(format!("`{text}` is a keyword and cannot be a name"))
            }
            _ => error,
        };
        Err(self.report(error))
    }
}
