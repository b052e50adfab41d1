//! Whole files and their rules.

use polycube_language::diagnostic::{Code, Diagnostic};

use super::{Assign, Parse, Parser, Reported};
use crate::syntax::{Alias, Expr, ExprKind, File, Name, QuantifierExpr, Rule, RuleKind};
use crate::token::TokenKind;

impl TokenKind {
    /// The words with which declarations, routines and rules start.
    pub(super) const ITEMS: [TokenKind; 11] = {
        use TokenKind::*;
        [Const, Type, Var, Procedure, Function, Startstate, Rule, Ruleset, Invariant, Alias, Choose]
    };
}

impl<'s> Parser<'s> {
    pub(super) fn file(&mut self) -> File<'s> {
        use TokenKind::*;
        let mut file = File::default();
        while self.kind() != EndOfFile {
            let start = self.at;
            match self.kind() {
                Semicolon => self.eat_semicolons(),
                kind if kind.closes_block() => {
                    if !self.is_unbalanced {
                        let message = format!("this `{}` closes nothing", self.word());
                        let error = Diagnostic::error(Code::Syntax, self.token().span, message);
                        self.report(error.label("one too many"));
                    }
                    self.advance();
                }
                _ => {
                    self.is_unbalanced = false;
                    if self.item(&mut file).is_err() {
                        self.skip_item(start);
                    }
                }
            }
        }
        file
    }

    fn item(&mut self, file: &mut File<'s>) -> Parse<()> {
        use TokenKind::*;
        match self.kind() {
            Const | Type | Var => file.declarations.append(&mut self.sections()),
            Procedure | Function => file.routines.push(self.routine()?),
            ExternFun | ExternProc => self.external()?,
            _ if self.starts_rule() => file.rules.push(self.rule()?),
            _ => {
                if !self.is_at_statement()
                    && self.correct("a declaration or a rule", &TokenKind::ITEMS).is_some()
                {
                    return self.item(file);
                }
                return Err(self.no_item());
            }
        }
        Ok(())
    }

    fn no_item(&mut self) -> Reported {
        let error = self.unexpected_error("a declaration or a rule");
        let error = if self.is_at_statement() || self.starts_statement() {
            error
                .note("statements stand inside rules, start states and routines")
                .help("perhaps an `end` is one too many")
        } else {
            let words = TokenKind::ITEMS.map(TokenKind::describe);
            error.help(format!("a declaration or a rule starts with one of {}", words.join(", ")))
        };
        self.report(error)
    }

    /// Skips to the next word that starts a declaration, a routine or a rule, behind the first one.
    fn skip_item(&mut self, start: usize) {
        self.blocks.clear();
        self.openings.clear();
        self.is_unbalanced = true;
        if self.at == start {
            self.advance();
        }
        while self.kind() != TokenKind::EndOfFile && !self.starts_item() {
            self.advance();
        }
    }

    fn starts_rule(&self) -> bool {
        use TokenKind::*;
        matches!(
            self.kind(),
            Rule | Startstate | Invariant | Assert | Ruleset | Alias | Choose | Assume | Cover | Liveness
        )
    }

    fn rule(&mut self) -> Parse<Rule<'s>> {
        self.nested(Self::rule_inside)
    }

    fn rule_inside(&mut self) -> Parse<Rule<'s>> {
        use TokenKind::*;
        let start = self.token().span.start;
        let kind = match self.kind() {
            Rule => self.simple_rule(),
            Startstate => {
                self.open_block();
                RuleKind::Start { name: self.string(), body: self.body() }
            }
            Invariant | Assert => {
                self.advance();
                let (formula, name) = self.property();
                self.end_of_property();
                RuleKind::Invariant { name, formula }
            }
            Assume | Cover | Liveness => {
                let keyword = self.advance_name();
                self.property();
                self.end_of_property();
                RuleKind::Unsupported { keyword }
            }
            Ruleset => {
                self.open_block();
                let quantifiers = self.quantifiers_and_do();
                RuleKind::Ruleset { quantifiers, rules: self.rules() }
            }
            Alias => {
                self.open_block();
                let aliases = self.aliases_and_do();
                RuleKind::Alias { aliases, rules: self.rules() }
            }
            _ => self.choose(),
        };
        Ok(crate::syntax::Rule { kind, span: self.span_from(start) })
    }

    fn choose(&mut self) -> RuleKind<'s> {
        let span = self.open_block().span;
        let name = self.name("a variable").and_then(|name| self.expect(TokenKind::Colon).map(|_| name));
        let chosen = match name {
            Ok(name) => Some((name, self.expression_before(&[TokenKind::Do]))),
            Err(Reported) => {
                self.skip_to(&[TokenKind::Do], self.blocks.len(), self.openings.len());
                None
            }
        };
        self.word_after_expression(TokenKind::Do);
        let rules = self.rules();
        match chosen {
            Some((name, multiset)) => RuleKind::Choose { name, multiset, rules },
            None => RuleKind::Unsupported { keyword: Name { text: "choose", span } },
        }
    }

    /// The rules inside a block, and its closing word.
    fn rules(&mut self) -> Vec<Rule<'s>> {
        let mut rules = Vec::new();
        loop {
            self.eat_semicolons();
            let misread = !self.starts_rule() && !self.is_at_statement();
            if misread && self.correct("a rule", &TokenKind::ITEMS[5..]).is_none() || !self.starts_rule() {
                break;
            }
            // Fails only if nothing more is read.
            rules.extend(self.rule());
        }
        self.close_block("a rule, ");
        rules
    }

    fn simple_rule(&mut self) -> RuleKind<'s> {
        use TokenKind::*;
        self.open_block();
        // A priority, which the search may use but need not.
        let is_operator = |kind| {
            matches!(kind, Equal | DoubleEqual | NotEqual | Less | LessEqual | Greater)
                || matches!(
                    kind,
                    GreaterEqual | Plus | Minus | Star | Slash | Percent | BitOperator | Question
                )
        };
        if self.kind() == Integer && !is_operator(self.kind_after(1)) {
            self.advance();
        }
        let name = self.string();
        let has_no_guard = matches!(self.kind(), Begin | Const | Type | Var) || self.starts_statement();
        let guard = if has_no_guard || self.kind().closes_block() { None } else { self.guard() };
        RuleKind::Simple { name, guard, body: self.body() }
    }

    /// A guard and its arrow. If there is no arrow and what was read looks like the target of an assignment, the
    /// rule has no guard: that is reported, and the statement is read again.
    fn guard(&mut self) -> Option<Expr<'s>> {
        let (start, has_arrow) = (self.at, self.has_arrow());
        self.assign = if has_arrow { Assign::MeansEqual } else { Assign::EndsExpression };
        let guard = self.expression_before(&[TokenKind::LongArrow]);
        self.assign = Assign::MeansEqual;
        if self.eat(TokenKind::LongArrow).is_some() {
            return Some(guard);
        }
        if has_arrow {
            self.word_after_expression(TokenKind::LongArrow);
            return Some(guard);
        }
        let help = "a guard ends with `==>`; a rule without one starts with `begin`";
        match (self.kind(), &guard.kind) {
            (TokenKind::Assign, ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..)) => {
                self.unexpected_with_help("an operator or `==>`", help);
                self.at = start;
                return None;
            }
            // `a -> X := 1`: the arrow was too short, and the target is lost.
            (TokenKind::Assign, _) => {
                self.unexpected_with_help("an operator or `==>`", help);
                self.skip_to(&[], self.blocks.len(), self.openings.len());
            }
            (TokenKind::FatArrow, _) => {
                self.unexpected_with_help("`==>`", "a guard ends with `==>`");
                self.advance();
            }
            (_, ExprKind::Call { .. }) if self.kind() == TokenKind::Semicolon => {
                self.unexpected_with_help("an operator or `==>`", help);
                self.at = start;
                return None;
            }
            _ => {
                self.unexpected_with_help("an operator or `==>`", help);
            }
        }
        Some(guard)
    }

    /// Whether an arrow ends the guard that starts here.
    fn has_arrow(&self) -> bool {
        use TokenKind::*;
        let mut quantifiers = 0usize;
        for token in &self.tokens[self.at..] {
            match token.kind {
                LongArrow => return true,
                Forall | Exists => quantifiers += 1,
                End | EndForall | EndExists if quantifiers > 0 => quantifiers -= 1,
                Semicolon if quantifiers > 0 => {}
                Semicolon | Begin | If | For | While | Switch | Rule | EndOfFile => return false,
                kind if kind.closes_block() => return false,
                _ => {}
            }
        }
        false
    }

    /// A formula with a text before or behind it.
    pub(super) fn property(&mut self) -> (Expr<'s>, Option<Name<'s>>) {
        let before = self.string();
        let formula = self.expression_before(&[TokenKind::String]);
        let name = before.or_else(|| self.string());
        (formula, name)
    }

    fn end_of_property(&mut self) {
        use TokenKind::*;
        let kind = self.kind();
        let is_at_end = matches!(kind, Semicolon | EndOfFile | ExternFun | ExternProc) || kind.closes_block();
        if is_at_end || self.starts_item() || self.starts_rule() {
            return;
        }
        self.after_expression("`;`");
        let (blocks, openings) = (self.blocks.len(), self.openings.len());
        loop {
            self.skip_to(&[], blocks, openings);
            // No statement starts here, whatever was skipped.
            let kind = self.kind();
            if matches!(kind, Semicolon | EndOfFile) || kind.closes_block() || self.starts_item() {
                return;
            }
            self.advance();
        }
    }

    /// The variables of a ruleset or a loop, and `do`.
    pub(super) fn quantifiers_and_do(&mut self) -> Vec<QuantifierExpr<'s>> {
        let (blocks, openings) = (self.blocks.len(), self.openings.len());
        let quantifiers = self.quantifiers().unwrap_or_else(|Reported| {
            self.skip_to(&[TokenKind::Do], blocks, openings);
            // One of several may be wrong.
            while self.kind() == TokenKind::Semicolon && self.kind_after(1) == TokenKind::Name {
                self.advance();
                self.skip_to(&[TokenKind::Do], blocks, openings);
            }
            Vec::new()
        });
        self.word_after_expression(TokenKind::Do);
        quantifiers
    }

    /// `a : e; b : e do`
    pub(super) fn aliases_and_do(&mut self) -> Vec<Alias<'s>> {
        let mut aliases = Vec::new();
        self.eat_semicolons();
        while !matches!(self.kind(), TokenKind::Do | TokenKind::Colon) {
            let Ok(names) = self.names("an alias") else { break };
            if self.expect(TokenKind::Colon).is_err() {
                break;
            }
            let first = names[0];
            aliases.push(Alias { name: first, value: self.expression_before(&[TokenKind::Do]) });
            // `a, b : e` is `a : e; b : a`.
            aliases.extend(
                names[1..].iter().map(|&name| Alias {
                    name,
                    value: Expr { kind: ExprKind::Name(first), span: first.span },
                }),
            );
            self.eat_semicolons();
        }
        self.word_after_expression(TokenKind::Do);
        aliases
    }
}
