//! Statements.

use polycube_language::diagnostic::{Code, Diagnostic};

use super::{Parse, Parser, Reported};
use crate::syntax::{Expr, ExprKind, Statement, StatementKind};
use crate::token::TokenKind;

/// The words with which statements start.
const STATEMENTS: [TokenKind; 12] = {
    use TokenKind::*;
    [Alias, Assert, Clear, Else, Elsif, For, If, Return, Switch, Undefine, While, Put]
};

impl<'s> Parser<'s> {
    /// All statements up to a word that closes or divides a block around them.
    pub(super) fn statements(&mut self) -> Vec<Statement<'s>> {
        let mut statements = Vec::new();
        loop {
            if self.is_at_end_of_block() {
                return statements;
            }
            let (start, blocks, openings) = (self.at, self.blocks.len(), self.openings.len());
            let statement = self.nested(Self::statement);
            match statement.and_then(|statement| self.end_of_statement(&statement).map(|()| statement)) {
                Ok(statement) => statements.push(statement),
                Err(Reported) => {
                    self.skip_to(&[], blocks, openings);
                    // A part of an `if` with a slip is now read as that.
                    if self.at == start && !matches!(self.kind(), TokenKind::Else | TokenKind::Elsif) {
                        self.advance();
                    }
                }
            }
        }
    }

    /// Whether the statements of the innermost block end here. What belongs into other places is reported and skipped.
    fn is_at_end_of_block(&mut self) -> bool {
        use TokenKind::*;
        loop {
            self.eat_semicolons();
            let kind = self.kind();
            let next = self.kind_after(1);
            match kind {
                EndOfFile => return true,
                Const | Type | Var => {
                    let help =
                        "declarations stand before the statements; or is an `end` missing before this?";
                    self.unexpected_with_help("a statement or `end`", help);
                    self.sections();
                    self.eat(Begin);
                }
                Else | Elsif | Case if self.blocks.iter().any(|block| block.is_divided_by(kind)) => {
                    return true;
                }
                Else | Elsif | Case => self.stray_part(),
                Name if matches!(next, Semicolon | EndOfFile) || next.closes_block() => {
                    let closing = self.blocks.last().map_or(End, |block| block.closing());
                    return self.correct("a statement or `end`", &[End, closing]).is_some();
                }
                _ => return kind.closes_block() || self.starts_item(),
            }
        }
    }

    /// `else`, `elsif` or `case` outside of what has such parts.
    fn stray_part(&mut self) {
        let (opening, end) = match self.kind() {
            TokenKind::Case => ("switch", Some(TokenKind::Colon)),
            TokenKind::Elsif => ("if", Some(TokenKind::Then)),
            _ => ("if", None),
        };
        let message = format!("`{}` without `{opening}`", self.word());
        let error = Diagnostic::error(Code::Syntax, self.token().span, message);
        self.report(error.label(format!("no `{opening}` is open here")));
        self.advance();
        if let Some(end) = end {
            self.skip_to(&[end], self.blocks.len(), self.openings.len());
            self.eat(end);
        }
    }

    /// What may stand behind a statement.
    fn end_of_statement(&mut self, statement: &Statement<'s>) -> Parse<()> {
        use TokenKind::*;
        let kind = self.kind();
        let is_at_end = matches!(kind, Semicolon | EndOfFile | Else | Elsif | Case | Const | Type | Var);
        if is_at_end || kind.closes_block() || self.starts_item() {
            return Ok(());
        }
        if self.is_at_statement() || self.starts_statement() {
            // The most frequent slip; go on as if the semicolon were there.
            let behind = statement.span.last_character(self.source);
            self.report(
                Diagnostic::error(Code::Syntax, behind, "`;` is missing behind this statement")
                    .label("expected `;`")
                    .help("statements are separated by `;`"),
            );
            return Ok(());
        }
        Err(match statement.kind {
            StatementKind::If { .. } | StatementKind::For { .. } | StatementKind::While { .. } => {
                self.unexpected("`;` or `end`")
            }
            _ => self.after_expression("`;`"),
        })
    }

    /// Whether an assignment or a call is next.
    pub(super) fn is_at_statement(&self) -> bool {
        use TokenKind::*;
        self.kind().may_be_name() && matches!(self.kind_after(1), Assign | LeftBracket | LeftParen | Dot)
    }

    fn statement(&mut self) -> Parse<Statement<'s>> {
        use TokenKind::*;
        let start = self.token().span.start;
        let is_call = self.kind_after(1) == LeftParen;
        let kind = match self.kind() {
            If => self.if_statement(),
            Switch => self.switch(),
            For => {
                self.open_block();
                let quantifiers = self.quantifiers_and_do();
                StatementKind::For { quantifiers, body: self.block() }
            }
            While => {
                self.open_block();
                StatementKind::While { condition: self.expression_and(Do), body: self.block() }
            }
            Alias => {
                self.open_block();
                let aliases = self.aliases_and_do();
                StatementKind::Alias { aliases, body: self.block() }
            }
            Return => {
                self.advance();
                let kind = self.kind();
                let is_alone =
                    matches!(kind, Semicolon | EndOfFile | Else | Elsif | Case) || kind.closes_block();
                StatementKind::Return(if is_alone { None } else { Some(self.expression()?) })
            }
            Undefine => {
                self.advance();
                StatementKind::Undefine(self.designator()?)
            }
            Clear => {
                self.advance();
                StatementKind::Clear(self.designator()?)
            }
            Error => {
                self.advance();
                let text = self.string();
                if text.is_none() {
                    return Err(self.unexpected("a string"));
                }
                StatementKind::Error(text)
            }
            Assert => {
                self.advance();
                let (condition, message) = self.property();
                StatementKind::Assert { condition, message }
            }
            Put => {
                self.advance();
                let value = if self.string().is_none() { Some(self.expression()?) } else { None };
                StatementKind::Put(value)
            }
            keyword @ (MultisetAdd | MultisetRemove) if is_call => {
                self.advance();
                let [one, multiset] = self.pair()?;
                match keyword {
                    MultisetAdd => StatementKind::MultisetAdd { value: one, multiset },
                    _ => StatementKind::MultisetRemove { index: one, multiset },
                }
            }
            MultisetRemovePred if is_call => {
                self.advance();
                StatementKind::MultisetRemovePred(self.multiset_predicate()?)
            }
            Assume | Cover | Liveness if !self.is_at_statement() => {
                self.unsupported(&format!("{} statements", self.kind().describe()));
                self.advance();
                self.property();
                StatementKind::Put(None)
            }
            Begin if self.kind_before() != Some(Begin) => {
                self.no_statement();
                self.open_block();
                StatementKind::If { branches: Vec::new(), otherwise: self.block() }
            }
            kind if kind.may_be_name() => self.assignment_or_call()?,
            _ => return Err(self.no_statement()),
        };
        Ok(Statement { kind, span: self.span_from(start) })
    }

    fn no_statement(&mut self) -> Reported {
        use TokenKind::*;
        let error = self.unexpected_error("a statement");
        let error = match self.kind() {
            LongArrow => error.help("`==>` stands once, between the guard and the body of a rule"),
            Begin => error.help("`begin` stands once, before the first statement"),
            Then | Do => error.note("nothing before this word waits for it"),
            _ => error,
        };
        self.report(error)
    }

    /// Statements and the closing word.
    fn block(&mut self) -> Vec<Statement<'s>> {
        let statements = self.statements();
        self.close_block("a statement, ");
        statements
    }

    fn if_statement(&mut self) -> StatementKind<'s> {
        use TokenKind::*;
        self.open_block();
        let condition = self.expression_and(Then);
        let mut branches = vec![(condition, self.statements())];
        let mut otherwise = None;
        while matches!(self.kind(), Elsif | Else) && self.divides_innermost() {
            if otherwise.is_some() {
                let message = format!("`{}` behind `else`", self.word());
                let error = Diagnostic::error(Code::Syntax, self.token().span, message);
                self.report(error.label("`else` is the last part of an `if`"));
            }
            if self.advance().kind == Elsif {
                let condition = self.expression_and(Then);
                branches.push((condition, self.statements()));
            } else {
                otherwise = Some(self.statements());
            }
        }
        self.close_block("a statement, ");
        StatementKind::If { branches, otherwise: otherwise.unwrap_or_default() }
    }

    fn divides_innermost(&self) -> bool {
        self.blocks.last().is_some_and(|block| block.is_divided_by(self.kind()))
    }

    fn switch(&mut self) -> StatementKind<'s> {
        use TokenKind::*;
        self.open_block();
        let value = self.expression_before(&[]);
        self.eat_semicolons();
        if !matches!(self.kind(), Case | Else) && !self.kind().closes_block() {
            self.after_expression("`case`");
            // What stands here belongs to no case.
            self.statements();
        }
        let mut cases = Vec::new();
        let mut otherwise = Vec::new();
        while self.divides_innermost() {
            if self.advance().kind == Else {
                otherwise.append(&mut self.statements());
                continue;
            }
            let mut values = vec![self.expression_before(&[Colon, Comma])];
            while self.eat(Comma).is_some() && self.kind() != Colon {
                values.push(self.expression_before(&[Colon, Comma]));
            }
            self.word_after_expression(Colon);
            cases.push((values, self.statements()));
        }
        self.close_block("`case`, ");
        StatementKind::Switch { value, cases, otherwise }
    }

    /// `(a, b)`
    fn pair(&mut self) -> Parse<[Expr<'s>; 2]> {
        self.open(TokenKind::LeftParen)?;
        let first = self.expression()?;
        self.expect_after_expression(TokenKind::Comma, "`,`")?;
        let second = self.expression()?;
        self.close(TokenKind::RightParen, "`)`")?;
        Ok([first, second])
    }

    fn assignment_or_call(&mut self) -> Parse<StatementKind<'s>> {
        use TokenKind::*;
        if self.kind_after(1) == LeftParen {
            let name = self.advance_name();
            let arguments = self.arguments()?;
            if matches!(self.kind(), Assign | Equal) {
                let help = format!("the cell of an array is written `{}[...]`", name.text);
                return Err(self.unexpected_with_help("`;`", help));
            }
            return Ok(StatementKind::Call { name, arguments });
        }
        let is_word = !matches!(self.kind_after(1), Assign | Equal | DoubleEqual | Dot | LeftBracket | Colon);
        if is_word && self.correct("a statement", &STATEMENTS).is_some() {
            return match self.kind() {
                Else | Elsif => Err(Reported),
                _ => self.statement().map(|statement| statement.kind),
            };
        }
        let target = self.designator()?;
        match self.kind() {
            Assign => {}
            Equal | DoubleEqual => {
                self.unexpected_with_help("`:=`", "to assign write `:=`");
            }
            Colon if self.kind_after(1) == Equal => {
                self.unexpected_with_help("`:=`", "write `:=` without a blank");
                self.advance();
            }
            _ => {
                let help = match target.kind {
                    ExprKind::Name(name) => {
                        format!("a statement is `{0} := ...`, or `{0}(...)` for a procedure", name.text)
                    }
                    _ => "an assignment is `x := ...`".to_owned(),
                };
                return Err(self.unexpected_with_help("`:=`", help));
            }
        }
        self.advance();
        Ok(StatementKind::Assign { target, value: self.value()? })
    }
}
