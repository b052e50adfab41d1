//! Declarations, and the updates inside transitions.

use super::{Context, Parse, Parser, Reported};
use crate::diagnostic::{Code, Diagnostic};
use crate::signature::SymbolKind;
use crate::span::Span;
use crate::suggest::nearest;
use crate::syntax::{
    Branch, Clause, File, Item, ItemKind, LetBinding, Name, NumberProcs, Predicate, SymbolDeclaration,
    Transition, TypeDeclaration, Update, UpdateValue,
};
use crate::system::PropertyKind;
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
        let start = self.token().span.start;
        let kind = match self.kind() {
            TokenKind::NumberProcs => self.number_procs()?,
            TokenKind::Type => self.type_declaration()?,
            TokenKind::Const => {
                self.constant_or_variable(SymbolKind::Constant, "the name of the constant")?
            }
            TokenKind::Var => self.constant_or_variable(SymbolKind::Variable, "the name of the variable")?,
            TokenKind::Array => self.array()?,
            TokenKind::Init => self.clause(None)?,
            TokenKind::Unsafe => self.clause(Some(PropertyKind::Unsafe))?,
            TokenKind::UniversalUnsafe => self.universal_clause()?,
            TokenKind::Invariant => self.clause(Some(PropertyKind::Invariant))?,
            TokenKind::Predicate => self.predicate()?,
            TokenKind::Transition => self.transition()?,
            _ => return Err(self.no_declaration()),
        };
        Ok(Item { kind, span: self.span_from(start) })
    }

    fn no_declaration(&mut self) -> Reported {
        if self.kind() == TokenKind::Semicolon {
            let error =
                Diagnostic::error(Code::Syntax, self.token().span, "no `;` stands behind a declaration");
            return self.report(error.label("remove it"));
        }
        let error = self.unexpected_error("a declaration");
        let keywords = TokenKind::DECLARATIONS.map(TokenKind::describe);
        let near = nearest(self.word(), keywords.map(|keyword| keyword.trim_matches('`')));
        let error = match (self.kind(), near) {
            (TokenKind::Lower, _) if self.word() == "enum" => {
                error.help("the values of a type are listed in `type t = A | B`")
            }
            (TokenKind::Lower, _) if self.kind_after(1) == TokenKind::Upper => {
                let name = self.tokens[self.at + 1].span.text(self.source);
                error.help(format!("a variable is declared with `var {name} : {}`", self.word()))
            }
            (TokenKind::RightBrace, _) => error.note("this brace closes nothing"),
            (TokenKind::Requires, _) => {
                error.note("`requires` stands once, directly behind `transition name (...)`")
            }
            (TokenKind::Lower | TokenKind::Upper, Some(near)) => error.did_you_mean(near),
            _ => error.help(format!("a declaration starts with one of {}", keywords.join(", "))),
        };
        self.report(error)
    }

    fn number_procs(&mut self) -> Parse<ItemKind<'s>> {
        self.advance();
        let negative = self.eat(TokenKind::Minus).is_some();
        let count = self.expect(TokenKind::Integer)?;
        Ok(ItemKind::NumberProcs(NumberProcs { count: self.name(count), negative }))
    }

    fn type_declaration(&mut self) -> Parse<ItemKind<'s>> {
        self.advance();
        let name = self.lower_name("the name of the type")?;
        let mut constructors = None;
        if self.eat(TokenKind::Equal).is_some() {
            self.eat(TokenKind::Bar);
            if self.kind() == TokenKind::Lower && self.kind_after(1) == TokenKind::Bar {
                return Err(self.lower_case_values(name, &[]));
            }
            if !matches!(self.kind(), TokenKind::Upper | TokenKind::Illegal) {
                return Err(self.unexpected_with_help(
                    "a value of the type, an upper-case name",
                    "a type lists its values: `type t = Idle | Busy`; there are no ranges and no second names for types",
                ));
            }
            let mut list = vec![self.upper_name("a value of the type")?];
            while self.eat(TokenKind::Bar).is_some() {
                if self.kind() == TokenKind::Lower {
                    return Err(self.lower_case_values(name, &list));
                }
                list.push(self.upper_name("a value of the type")?);
            }
            if matches!(self.kind(), TokenKind::Comma | TokenKind::Or) {
                let help = "the values of a type are separated by `|`: `type t = A | B`";
                return Err(self.unexpected_with_help("`|` or a declaration", help));
            }
            constructors = Some(list);
        }
        Ok(ItemKind::Type(TypeDeclaration { name, constructors }))
    }

    fn constant_or_variable(&mut self, kind: SymbolKind, expected: &str) -> Parse<ItemKind<'s>> {
        self.advance();
        let name = self.upper_name(expected)?;
        if self.kind() == TokenKind::LeftBracket {
            let help = format!("an array is declared with `array {}[proc] : ...`", name.text);
            return Err(self.unexpected_with_help("`:`", help));
        }
        let ty = self.symbol_type(name)?;
        Ok(ItemKind::Symbol(SymbolDeclaration { kind, name, indices: Vec::new(), ty }))
    }

    fn array(&mut self) -> Parse<ItemKind<'s>> {
        self.advance();
        let name = self.upper_name("the name of the array")?;
        if self.kind() != TokenKind::LeftBracket {
            let help = format!("write `array {0}[proc] : ...`, or `var {0} : ...` for one value", name.text);
            return Err(self.unexpected_with_help("`[`", help));
        }
        self.open(TokenKind::LeftBracket)?;
        let mut indices = vec![self.lower_name("an index type")?];
        while self.eat(TokenKind::Comma).is_some() {
            indices.push(self.lower_name("an index type")?);
        }
        self.close(TokenKind::RightBracket, "`,` or `]`")?;
        self.limit_names(&indices, "dimensions")?;
        let (kind, ty) = (SymbolKind::Array { dimensions: indices.len() }, self.symbol_type(name)?);
        Ok(ItemKind::Symbol(SymbolDeclaration { kind, name, indices, ty }))
    }

    fn symbol_type(&mut self, symbol: Name<'s>) -> Parse<Name<'s>> {
        if self.eat(TokenKind::Colon).is_none() {
            return Err(self.no_type(symbol));
        }
        if self.kind() == TokenKind::Array {
            let reported = self.no_type(symbol);
            self.advance();
            return Err(reported);
        }
        let ty = self.lower_name("a type")?;
        match self.kind() {
            TokenKind::Equal | TokenKind::Assign => Err(self.no_type(symbol)),
            _ => Ok(ty),
        }
    }

    /// An error where a symbol's type is not written as `: type`, or something follows it.
    fn no_type(&mut self, name: Name<'s>) -> Reported {
        let error = self.unexpected_error("`:` and a type");
        let error = match self.kind() {
            TokenKind::Comma => error.help("each declaration has one name: `var X : t` and `var Y : t`"),
            TokenKind::Lower => error.help("write `:` between the name and its type"),
            TokenKind::Equal | TokenKind::Assign => {
                error.help("a declaration gives no value: say it in `init`")
            }
            TokenKind::LeftBracket => error.help("write several dimensions as `[proc, proc]`"),
            TokenKind::Array => {
                error.help(format!("an array is declared with `array {}[proc] : ...`", name.text))
            }
            _ => error,
        };
        self.report(error)
    }

    fn clause(&mut self, property: Option<PropertyKind>) -> Parse<ItemKind<'s>> {
        let keyword = self.advance_name();
        let parameters =
            if self.kind() == TokenKind::LeftParen { self.process_parameters()? } else { Vec::new() };
        let formula = self.braced_expression(&format!("this `{}`", keyword.text))?;
        let others = Vec::new();
        Ok(ItemKind::Clause(Clause { property, keyword, parameters, others, formula }))
    }

    /// `universal_unsafe (x y, z) { F }`, or `universal_unsafe (z) { F }`: the names after the comma, or all
    /// if there is none, stand for all other processes.
    fn universal_clause(&mut self) -> Parse<ItemKind<'s>> {
        let keyword = self.advance_name();
        self.open(TokenKind::LeftParen)?;
        let (mut parameters, mut others) = (Vec::new(), Vec::new());
        let mut has_comma = false;
        while self.kind() != TokenKind::RightParen {
            if !has_comma && self.eat(TokenKind::Comma).is_some() {
                has_comma = true;
                parameters = std::mem::take(&mut others);
            }
            others.push(self.lower_name(if has_comma {
                "a process variable for all other processes"
            } else {
                "a process variable, `,` or `)`"
            })?);
        }
        self.close(TokenKind::RightParen, "`)`")?;
        self.limit_names(&parameters, "parameters")?;
        self.limit_names(&others, "parameters")?;
        let formula = self.braced_expression(&format!("this `{}`", keyword.text))?;
        let property = Some(PropertyKind::Unsafe);
        Ok(ItemKind::Clause(Clause { property, keyword, parameters, others, formula }))
    }

    fn predicate(&mut self) -> Parse<ItemKind<'s>> {
        self.advance();
        let name = self.lower_name("the name of the predicate")?;
        self.parentheses_follow("predicate", name)?;
        self.open(TokenKind::LeftParen)?;
        let mut parameters = Vec::new();
        while self.kind() != TokenKind::RightParen {
            parameters.push(self.lower_name("a parameter or `)`")?);
            if self.kind() == TokenKind::Lower {
                let help = "the parameters of a predicate are separated by commas: `p(x, y)`";
                self.unexpected_with_help("`,` or `)`", help);
            } else if self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.close(TokenKind::RightParen, "`,` or `)`")?;
        self.limit_names(&parameters, "parameters")?;
        let body = self.braced_expression("this predicate")?;
        Ok(ItemKind::Predicate(Predicate { name, parameters, body }))
    }

    /// `(x y)`: separated by blanks.
    fn process_parameters(&mut self) -> Parse<Vec<Name<'s>>> {
        self.open(TokenKind::LeftParen)?;
        let mut parameters = Vec::new();
        loop {
            match self.kind() {
                TokenKind::Lower => parameters.push(self.advance_name()),
                TokenKind::Comma if !parameters.is_empty() => {
                    let span = self.advance().span;
                    self.report(
                        Diagnostic::error(Code::Syntax, span, "a comma between process parameters")
                            .label("remove it")
                            .help("these parameters are separated by blanks: `(x y)`"),
                    );
                }
                TokenKind::RightParen => break,
                TokenKind::Colon => {
                    let help = "parameters are always processes: write `(p q)`";
                    return Err(self.unexpected_with_help("a process variable or `)`", help));
                }
                _ => {
                    self.lower_name("a process variable or `)`")?;
                }
            }
        }
        self.close(TokenKind::RightParen, "`)`")?;
        self.limit_names(&parameters, "parameters")?;
        Ok(parameters)
    }

    fn transition(&mut self) -> Parse<ItemKind<'s>> {
        self.advance();
        let name = match self.kind() {
            TokenKind::Lower | TokenKind::Upper => self.advance_name(),
            _ => return Err(self.unexpected("the name of the transition")),
        };
        self.parentheses_follow("transition", name)?;
        let parameters = self.process_parameters()?;
        let requires = self.eat(TokenKind::Requires);
        let guard = requires.map(|_| self.braced_expression("this guard")).transpose()?;
        if self.kind() != TokenKind::LeftBrace {
            return Err(self.no_body(guard.is_some()));
        }
        self.place = Context::Body;
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
        let close = self.close(TokenKind::RightBrace, "`}`")?;
        let body = Span::new(body_start, close.span.end);
        Ok(ItemKind::Transition(Transition { name, parameters, guard, lets, updates, body }))
    }

    fn parentheses_follow(&mut self, keyword: &str, name: Name<'s>) -> Parse<()> {
        if self.kind() == TokenKind::LeftParen {
            return Ok(());
        }
        let help =
            format!("the parentheses are needed even without parameters: `{keyword} {} ()`", name.text);
        Err(self.unexpected_with_help("`(`", help))
    }

    /// An error where the braces with the updates are missing.
    fn no_body(&mut self, has_guard: bool) -> Reported {
        let help = match self.kind() {
            TokenKind::Requires if has_guard => "join the two guards with `&&`",
            TokenKind::Lower if !has_guard && self.kind_after(1) == TokenKind::LeftBrace => {
                "a guard is written `requires { ... }`"
            }
            kind if kind == TokenKind::End || kind.starts_declaration() => {
                "a transition that changes nothing has the body `{ }`"
            }
            _ => "put the updates in braces: `{ X := ...; }`",
        };
        let expected = if has_guard { "`{` and the updates" } else { "`requires` or `{`" };
        self.unexpected_with_help(expected, help)
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
        self.skip_to(&[TokenKind::RightBrace, TokenKind::Semicolon]);
    }

    fn end_of_update(&mut self, update: &Update<'s>) -> Parse<()> {
        match self.kind() {
            TokenKind::Semicolon | TokenKind::RightBrace => Ok(()),
            TokenKind::Upper if matches!(self.kind_after(1), TokenKind::Assign | TokenKind::LeftBracket) => {
                // The most frequent slip; go on as if the semicolon were there.
                let behind = update.span.last_character(self.source);
                self.report(
                    Diagnostic::error(Code::Syntax, behind, "`;` is missing behind this update")
                        .label("expected `;`")
                        .help("updates are separated by `;`"),
                );
                Ok(())
            }
            TokenKind::Bar => {
                let help = "branches stand behind `case`: `X := case | c : e | _ : f`";
                Err(self.unexpected_with_help("`;` or `}`", help))
            }
            _ => Err(self.after_expression("`;` or `}`")),
        }
    }

    fn update(&mut self) -> Parse<Update<'s>> {
        let start = self.token().span.start;
        if self.is_at_shorthand() && self.kind_after(2) == TokenKind::Upper {
            return Err(self.shorthand_before());
        }
        if self.kind() != TokenKind::Upper {
            return Err(self.no_update());
        }
        let target = self.upper_name("a variable or array to update")?;
        let indices = match self.kind() {
            TokenKind::LeftBracket => Some(self.indices(target)?),
            _ => None,
        };
        if self.is_at_shorthand() {
            return self.shorthand(start, target, indices);
        }
        if self.eat(TokenKind::Assign).is_none() {
            self.no_assignment(target)?;
        }
        let value = match self.eat(TokenKind::Case) {
            Some(_) => UpdateValue::Case(self.branches()?),
            None => UpdateValue::Plain(self.expression()?),
        };
        Ok(Update { target, indices, value, span: self.span_from(start) })
    }

    /// An error where an update should start.
    fn no_update(&mut self) -> Reported {
        if self.kind() == TokenKind::If
            && let Some((advice, end)) = self.case_for_if()
        {
            let reported = self.unexpected_with_help("an update", advice);
            self.at = end;
            return reported;
        }
        let help = match self.kind() {
            TokenKind::If | TokenKind::Case => {
                "for a value that depends on a condition write `X := case | c : a | _ : X`; a condition for the whole \
                 transition belongs into `requires`"
            }
            TokenKind::Forall | TokenKind::ForallOther => {
                "to update all cells write `A[k] := case | ... | _ : ...`"
            }
            TokenKind::Requires => {
                "the guard stands before the body: `transition t (i) requires { ... } { ... }`"
            }
            TokenKind::Let => "`let`s stand at the start of the body",
            TokenKind::Lower if self.kind_after(1) == TokenKind::Dot => &self.cell_of_dot(self.at),
            TokenKind::Lower if matches!(self.word(), "skip" | "nop" | "noop" | "pass" | "null") => {
                "remove it: what has no update stays as it is"
            }
            TokenKind::Lower if self.mentions(&capitalized(self.word())) => {
                &format!("write `{}`: variables begin with an upper-case letter", capitalized(self.word()))
            }
            _ => "an update is `X := value` or `A[i] := value`, with a declared variable or array",
        };
        self.unexpected_with_help("an update", help)
    }

    fn branches(&mut self) -> Parse<Vec<Branch<'s>>> {
        let mut branches: Vec<Branch<'s>> = Vec::new();
        if self.kind() != TokenKind::Bar {
            let help = "each branch starts with a bar: `case | condition : value | _ : value`";
            return Err(self.unexpected_with_help("`|`", help));
        }
        while let Some(bar) = self.eat(TokenKind::Bar) {
            let condition = match self.eat(TokenKind::Underscore) {
                Some(_) => None,
                None => Some(self.expression()?),
            };
            if matches!(self.kind(), TokenKind::Arrow | TokenKind::Implies) {
                self.branch_arrow();
            } else if self.eat(TokenKind::Colon).is_none() {
                let Some(condition) = &condition else { return Err(self.unexpected("`:`")) };
                if let Some(reported) = self.branch_implication(condition) {
                    return Err(reported);
                }
                if self.kind() == TokenKind::Assign {
                    return Err(self.unexpected_with_help("`:`", "a branch is `| condition : value`"));
                }
                return Err(self.after_expression("`:`"));
            }
            let value = self.expression()?;
            branches.push(Branch { condition, value, span: self.span_from(bar.span.start) });
        }
        Ok(branches)
    }

    pub(super) fn lower_name(&mut self, expected: &str) -> Parse<Name<'s>> {
        self.cased_name(TokenKind::Lower, expected)
    }

    fn upper_name(&mut self, expected: &str) -> Parse<Name<'s>> {
        self.cased_name(TokenKind::Upper, expected)
    }

    fn cased_name(&mut self, kind: TokenKind, expected: &str) -> Parse<Name<'s>> {
        if self.kind() == kind {
            return Ok(self.advance_name());
        }
        let (token, text) = (self.token(), self.word());
        if token.kind.is_keyword() && text != "!" && self.on_same_line() {
            let message = format!("`{text}` is a keyword and cannot be a name");
            let error =
                Diagnostic::error(Code::Syntax, token.span, message).label(format!("expected {expected}"));
            self.report(error.help("choose another name"));
            self.advance();
            return Err(Reported);
        }
        let error = self.unexpected_error(expected);
        let error = match (kind, token.kind) {
            (TokenKind::Upper, TokenKind::Lower) => error
                .note("variables, arrays, constants and values begin with an upper-case letter")
                .help(format!("write `{}`", capitalized(text))),
            (TokenKind::Lower, TokenKind::Upper) => {
                let other = text[..1].to_ascii_lowercase() + &text[1..];
                error
                    .note("types, process variables and predicates begin with a lower-case letter")
                    .help(format!("write `{other}`"))
            }
            (_, TokenKind::Underscore) => error.note("a name does not begin with `_`"),
            _ => error,
        };
        Err(self.report(error))
    }
}

pub(super) fn capitalized(word: &str) -> String {
    word[..1].to_ascii_uppercase() + &word[1..]
}
