//! The formatter: a text in canonical layout.
//!
//! It writes the tokens of the text in their order, with the comments between them; the syntax tree only
//! decides where lines break. So the meaning cannot change and no comment can be lost. Two things that mean
//! nothing are made uniform: each update ends in a semicolon, and no bar stands before the first value of a
//! type.
//!
//! Wherever a comment ends a line, the formula around it is broken too, so that formatting twice is
//! formatting once.

mod comments;

use std::mem::discriminant;

use crate::diagnostic::Diagnostics;
use crate::parse::{Parsed, parse};
use crate::span::Span;
use crate::syntax::{
    Branch, Clause, Expr, ExprKind, Item, ItemKind, Predicate, Transition, TypeDeclaration, Update,
    UpdateValue,
};
use crate::token::{Token, TokenKind, Tokens, tokenize};
use comments::Spot;

/// Lines are broken where they would become longer than this.
pub const WIDTH: usize = 80;

const STEP: usize = 2;

/// The text in canonical layout, or the syntax errors that prevent it.
pub fn format(source: &str) -> Result<String, Diagnostics> {
    let Parsed { file, tokens: Tokens { tokens, comments }, diagnostics } = parse(source);
    if diagnostics.has_errors() {
        return Err(diagnostics.finish());
    }
    let mut formatter = Formatter::new(source, &tokens, &comments);
    for (at, item) in file.items.iter().enumerate() {
        formatter.line(0);
        if at > 0 && wants_blank_line(&file.items[at - 1], item) {
            formatter.blank_line();
        }
        formatter.item(item);
    }
    let formatted = formatter.finish();
    drop(file);
    assert_same_tokens(source, &tokens, comments.len(), &formatted);
    Ok(formatted)
}

/// The formatter's own check before anybody writes its output over a file.
fn assert_same_tokens(source: &str, tokens: &[Token], comments: usize, formatted: &str) {
    fn words<'s>(source: &'s str, tokens: &'s [Token]) -> impl Iterator<Item = &'s str> {
        let counts = |token: &&Token| !matches!(token.kind, TokenKind::Semicolon | TokenKind::Bar);
        tokens.iter().filter(counts).map(|token| token.span.text(source))
    }
    let again = tokenize(formatted, &mut Diagnostics::default());
    assert!(
        again.comments.len() == comments && words(source, tokens).eq(words(formatted, &again.tokens)),
        "the formatter changed more than the layout"
    );
}

/// The braces that close a `#{`, in order.
fn ends_of_counts(tokens: &[Token]) -> Vec<usize> {
    let (mut open, mut ends) = (Vec::new(), Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::LeftBrace | TokenKind::HashBrace => open.push(token.kind),
            TokenKind::RightBrace => ends.extend((open.pop() == Some(TokenKind::HashBrace)).then_some(at)),
            _ => {}
        }
    }
    ends
}

/// Whether a blank line stands between two items even if the text has none.
fn wants_blank_line(first: &Item<'_>, second: &Item<'_>) -> bool {
    let alone = matches!(first.kind, ItemKind::Predicate(_) | ItemKind::Transition(_));
    alone || discriminant(&first.kind) != discriminant(&second.kind)
}

/// What comes before the next word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pending {
    /// A space, if these two tokens want one.
    Joint,
    /// A space in any case: a comment stands before.
    Space,
    Line {
        indent: usize,
        blank: bool,
    },
}

struct Formatter<'s, 't> {
    source: &'s str,
    tokens: &'t [Token],
    comments: &'t [Span],
    /// Index of the next token.
    at: usize,
    /// Index of the next comment.
    comment: usize,
    out: String,
    /// Where the current line starts in `out`.
    line_start: usize,
    pending: Pending,
    /// Indentation of lines that a comment makes necessary.
    indent: usize,
    /// Column before and behind each token if everything stood on one line.
    flat_start: Vec<usize>,
    flat_end: Vec<usize>,
    /// Number of line ends that comments force before each token, summed up.
    forced: Vec<usize>,
    /// The braces that close a `#{`.
    tight: Vec<usize>,
}

impl<'s, 't> Formatter<'s, 't> {
    fn new(source: &'s str, tokens: &'t [Token], comments: &'t [Span]) -> Self {
        let mut formatter = Formatter {
            source,
            tokens,
            comments,
            at: 0,
            comment: 0,
            out: String::with_capacity(source.len() + source.len() / 4),
            line_start: 0,
            pending: Pending::Line { indent: 0, blank: false },
            indent: 0,
            flat_start: Vec::with_capacity(tokens.len()),
            flat_end: Vec::with_capacity(tokens.len()),
            forced: Vec::with_capacity(tokens.len()),
            tight: ends_of_counts(tokens),
        };
        formatter.measure();
        formatter
    }

    fn measure(&mut self) {
        let (mut column, mut forced, mut comment) = (0, 0, 0);
        for (at, token) in self.tokens.iter().enumerate() {
            while let Some(next) = self.comments.get(comment).filter(|next| next.start < token.span.start) {
                let text = next.text(self.source);
                column += 1 + text.chars().count();
                forced += usize::from(self.place(comment, at) != Spot::Inline || text.contains('\n'));
                comment += 1;
            }
            column += usize::from(at > 0 && self.wants_space(at));
            self.flat_start.push(column);
            column += (token.span.end - token.span.start) as usize;
            self.flat_end.push(column);
            self.forced.push(forced);
        }
    }

    /// Whether token `at` is set off from the one before.
    fn wants_space(&self, at: usize) -> bool {
        use TokenKind::*;
        let (before, token) = (self.tokens[at - 1].kind, self.tokens[at].kind);
        match (before, token) {
            (Assign | Colon, Dot) => true,
            (_, Comma | Semicolon | LeftBracket | RightBracket | RightParen | Dot)
            | (LeftParen | LeftBracket | HashBrace, _) => false,
            (_, RightBrace) => self.tight.binary_search(&at).is_err(),
            (Upper | Lower, LeftParen) => at >= 2 && self.tokens[at - 2].kind == Transition,
            (Minus, _) => !self.is_sign(at - 1),
            (Not, _) => self.tokens[at - 1].span.text(self.source) != "!",
            _ => true,
        }
    }

    /// Whether the minus at `at` is a sign and not a subtraction.
    fn is_sign(&self, at: usize) -> bool {
        use TokenKind::*;
        let before = at.checked_sub(1).map(|before| self.tokens[before].kind);
        !matches!(
            before,
            Some(Lower | Upper | Integer | Real | Process | RightParen | RightBracket | RightBrace)
        )
    }

    /// Asks for a new line before the next word.
    fn line(&mut self, indent: usize) {
        let blank = matches!(self.pending, Pending::Line { blank: true, .. });
        self.pending = Pending::Line { indent, blank };
        self.indent = indent;
    }

    /// Asks for a blank line before the next word; only behind [`Formatter::line`].
    fn blank_line(&mut self) {
        if let Pending::Line { blank, .. } = &mut self.pending {
            *blank = true;
        }
    }

    fn column(&self) -> usize {
        match self.pending {
            Pending::Line { indent, .. } => indent,
            Pending::Joint | Pending::Space => self.out[self.line_start..].chars().count() + 1,
        }
    }

    fn write_separator(&mut self, space: bool) {
        match self.pending {
            Pending::Line { indent, blank } => {
                if !self.out.is_empty() {
                    self.out.push_str(if blank { "\n\n" } else { "\n" });
                }
                self.line_start = self.out.len();
                self.out.extend(std::iter::repeat_n(' ', indent));
            }
            Pending::Space => self.out.push(' '),
            Pending::Joint if space => self.out.push(' '),
            Pending::Joint => {}
        }
        self.pending = Pending::Joint;
    }

    /// Keeps a blank line that stands in the text before the next token.
    fn keep_blank_line(&mut self) {
        let next = self.tokens[self.at].span.start;
        let comment = self.comments.get(self.comment).map_or(u32::MAX, |comment| comment.start);
        if comment > next && self.blank_before(next) && !self.at_block_start() {
            self.blank_line();
        }
    }

    /// Writes the next token.
    fn token(&mut self) {
        self.write_comments();
        if matches!(self.pending, Pending::Line { .. }) && self.comment > 0 {
            // A comment on lines of its own may be set off from what follows.
            let last = self.comments[self.comment - 1].end;
            let before = self.at.checked_sub(1).map_or(0, |before| self.tokens[before].span.end);
            if last > before && self.blank_before(self.tokens[self.at].span.start) {
                self.blank_line();
            }
        }
        let space = self.at > 0 && self.wants_space(self.at);
        self.write_separator(space);
        let token = self.tokens[self.at];
        self.out.push_str(token.span.text(self.source));
        self.at += 1;
    }

    /// The first token that does not start before `offset`. It is not one that is written already.
    fn token_behind(&self, offset: u32) -> usize {
        self.at + self.tokens[self.at..].partition_point(|token| token.span.start < offset)
    }

    /// Writes the tokens that start before `end`.
    fn until(&mut self, end: u32) {
        while self.at < self.tokens.len() - 1 && self.tokens[self.at].span.start < end {
            self.token();
        }
    }

    /// Writes the tokens before the one with this index.
    fn until_token(&mut self, end: usize) {
        while self.at < end {
            self.token();
        }
    }

    /// Drops the next token, but not its comments.
    fn skip(&mut self) {
        self.write_comments();
        self.at += 1;
    }

    fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    /// Whether the tokens up to offset `end` fit on the rest of this line, with `extra` characters behind
    /// them.
    fn fits(&self, end: u32, extra: usize) -> bool {
        let last = self.token_behind(end);
        if last == self.at {
            return true;
        }
        let width = self.flat_end[last - 1] - self.flat_start[self.at];
        self.forced[last - 1] == self.forced[self.at] && self.column() + width + extra <= WIDTH
    }

    fn item(&mut self, item: &Item<'_>) {
        self.keep_blank_line();
        let end = item.span.end;
        match &item.kind {
            ItemKind::NumberProcs(_) | ItemKind::Symbol(_) => self.until(end),
            ItemKind::Type(declaration) => self.type_declaration(declaration, end),
            ItemKind::Clause(Clause { formula: body, .. }) | ItemKind::Predicate(Predicate { body, .. }) => {
                self.until_token(self.token_behind(body.span.start) - 1);
                self.block(body, 0);
            }
            ItemKind::Transition(transition) => self.transition(transition),
        }
    }

    /// `{ formula }`, on one line or on several.
    fn block(&mut self, body: &Expr<'_>, indent: usize) {
        let end = self.tokens[self.token_behind(body.span.end)].span.end;
        if self.fits(end, 0) {
            self.until(end);
            return;
        }
        self.token();
        self.line(indent + STEP);
        self.expr(body, indent + STEP, 0);
        self.close_brace(indent);
    }

    fn close_brace(&mut self, indent: usize) {
        self.write_comments();
        self.line(indent);
        self.pending = Pending::Line { indent, blank: false };
        self.token();
    }

    fn type_declaration(&mut self, declaration: &TypeDeclaration<'_>, end: u32) {
        let Some(constructors) = &declaration.constructors else { return self.until(end) };
        let first = constructors[0].span.start;
        let fits = self.fits(end, 0);
        self.token();
        self.indent = STEP + STEP;
        while self.tokens[self.at].span.start < first {
            if self.kind() == TokenKind::Bar {
                self.skip();
            } else {
                self.token();
            }
        }
        if fits {
            return self.until(end);
        }
        // The first value stands where the others stand behind their bars.
        let mut indent = STEP + STEP;
        for constructor in constructors {
            self.line(indent);
            self.until(constructor.span.end);
            indent = STEP;
        }
    }

    fn transition(&mut self, transition: &Transition<'_>) {
        match &transition.guard {
            Some(guard) => {
                // The tokens before the guard are `requires` and a brace.
                self.until_token(self.token_behind(guard.span.start) - 2);
                self.line(STEP);
                self.token();
                self.block(guard, STEP);
            }
            None => self.until(transition.body.start),
        }
        self.line(0);
        let Span { start, end } = transition.body;
        let comment = self.comments.partition_point(|comment| comment.start < start);
        let comments_inside = self.comments.get(comment).is_some_and(|comment| comment.start < end);
        if transition.lets.is_empty() && transition.updates.is_empty() && !comments_inside {
            return self.until(end);
        }
        self.token();
        for binding in &transition.lets {
            self.line(STEP);
            self.keep_blank_line();
            self.until(binding.value.span.start);
            self.expr(&binding.value, STEP + STEP, " in".len());
            self.until(binding.span.end);
        }
        for update in &transition.updates {
            self.skip_semicolons();
            self.line(STEP);
            self.keep_blank_line();
            self.update(update);
            if self.kind() == TokenKind::Semicolon {
                self.token();
            } else {
                self.out.push(';');
            }
        }
        self.skip_semicolons();
        self.line(STEP);
        self.close_brace(0);
    }

    fn skip_semicolons(&mut self) {
        while self.kind() == TokenKind::Semicolon {
            self.skip();
        }
    }

    fn update(&mut self, update: &Update<'_>) {
        match &update.value {
            UpdateValue::Plain(value) => {
                self.until(value.span.start);
                self.expr(value, STEP + STEP, 1);
            }
            UpdateValue::Case(branches) => {
                if let [only] = &branches[..]
                    && self.fits(only.span.end, 1)
                {
                    return self.until(only.span.end);
                }
                for branch in branches {
                    self.until(branch.span.start);
                    self.line(STEP + STEP);
                    self.branch(branch);
                }
            }
        }
        self.indent = STEP;
    }

    fn branch(&mut self, branch: &Branch<'_>) {
        if self.fits(branch.span.end, 1) {
            return self.until(branch.span.end);
        }
        self.token();
        let indent = STEP + STEP + STEP;
        if let Some(condition) = &branch.condition {
            self.expr(condition, indent, 2);
        }
        let value = &branch.value;
        let colon_and_value = value.span.end;
        if self.fits(colon_and_value, 1) {
            self.until(colon_and_value);
        } else {
            self.line(indent);
            self.until(value.span.start);
            self.expr(value, indent, 1);
        }
    }

    /// An expression at the current column; further lines are indented by `indent`. `extra` characters follow
    /// it on its last line.
    fn expr(&mut self, expr: &Expr<'_>, indent: usize, extra: usize) {
        self.indent = indent;
        let end = expr.span.end;
        if self.fits(end, extra) {
            return self.until(end);
        }
        match &expr.kind {
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    if at > 0 {
                        self.line(indent);
                        self.until(part.span.start);
                    }
                    let more = if at + 1 == parts.len() { extra } else { 0 };
                    self.expr(part, indent + 3 * usize::from(at > 0), more);
                }
            }
            ExprKind::Implies(sides) | ExprKind::Iff(sides) => {
                self.expr(&sides[0], indent, 0);
                self.line(indent);
                self.until(sides[1].span.start);
                self.expr(&sides[1], indent, extra);
            }
            ExprKind::Group(inner) => {
                self.until(inner.span.start);
                self.expr(inner, indent + 1, extra + 1);
                self.until(end);
            }
            ExprKind::Count { body, summand, .. } => {
                self.until(body.span.start);
                self.expr(body, indent + STEP, extra + 1);
                if let Some(summand) = summand {
                    self.until(summand.span.start);
                    self.expr(summand, indent + STEP, extra + 1);
                }
                self.until(end);
            }
            ExprKind::Not(inner) => {
                self.until(inner.span.start);
                self.expr(inner, indent + STEP, extra);
            }
            ExprKind::Quantified { body, .. } => {
                self.until(body.span.start);
                if !self.fits(body.span.end, extra) {
                    self.line(indent + STEP);
                }
                self.expr(body, indent + STEP, extra);
            }
            ExprKind::If(parts) => {
                for part in &parts[..] {
                    if part.span.start != parts[0].span.start {
                        self.line(indent);
                    }
                    self.until(part.span.start);
                    self.expr(part, indent + STEP + STEP, extra);
                }
            }
            ExprKind::Let { value_and_body, .. } => {
                let [value, body] = &**value_and_body;
                self.until(value.span.start);
                self.expr(value, indent + STEP + STEP, " in".len());
                self.until(body.span.start);
                self.line(indent);
                self.expr(body, indent, extra);
            }
            _ => self.until(end),
        }
        self.indent = indent;
    }

    fn finish(mut self) -> String {
        self.line(0);
        self.write_comments();
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }
}
