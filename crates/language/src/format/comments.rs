//! Where comments go.
//!
//! A comment stays behind the token that it follows on its line, stands on lines of its own if it did so
//! before, or stays before the token that follows it on its line.

use crate::span::Span;
use crate::token::TokenKind;

use super::{Formatter, Pending};

/// How a comment stands among the words of its line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    /// Alone.
    OwnLine,
    /// First, with words behind it.
    LineStart,
    /// Last, with words before it.
    LineEnd,
    /// Between words.
    Inline,
}

impl Formatter<'_, '_> {
    /// Where comment number `comment`, which stands before token `at`, stands on its line.
    pub(super) fn place(&self, comment: usize, at: usize) -> Spot {
        let Span { start, end } = self.comments[comment];
        let token_end = if at == 0 { 0 } else { self.tokens[at - 1].span.end };
        let comment_end = if comment == 0 { 0 } else { self.comments[comment - 1].end };
        let next_comment = self.comments.get(comment + 1).map_or(u32::MAX, |next| next.start);
        let before = Span::new(token_end.max(comment_end), start).text(self.source);
        let after = Span::new(end, next_comment.min(self.tokens[at].span.start)).text(self.source);
        let starts_line = before.contains('\n') || token_end.max(comment_end) == 0;
        let ends_line =
            after.contains('\n') || self.tokens[at].kind == TokenKind::End && next_comment == u32::MAX;
        match (starts_line, ends_line) {
            (true, true) => Spot::OwnLine,
            (true, false) => Spot::LineStart,
            (false, true) => Spot::LineEnd,
            (false, false) => Spot::Inline,
        }
    }

    /// Writes the comments before the next token, but not the token.
    pub(super) fn write_comments(&mut self) {
        while let Some(&span) = self.comments.get(self.comment) {
            if span.start > self.tokens[self.at].span.start {
                return;
            }
            let place = self.place(self.comment, self.at);
            match place {
                Spot::OwnLine | Spot::LineStart => {
                    if !matches!(self.pending, Pending::Line { .. }) {
                        self.line(self.indent);
                    }
                    // A blank line before it is kept, except at the start of a block.
                    if self.blank_before(span.start) && !self.at_block_start() {
                        self.blank_line();
                    }
                    self.write_separator(true);
                }
                Spot::LineEnd => {
                    // Behind the last word, even if a new line is due.
                    let due = std::mem::replace(&mut self.pending, Pending::Space);
                    if self.out.is_empty() {
                        self.pending = Pending::Joint;
                    }
                    self.write_separator(true);
                    self.pending = due;
                }
                Spot::Inline => self.write_separator(true),
            }
            self.write_comment(span);
            self.comment += 1;
            match place {
                Spot::LineEnd if matches!(self.pending, Pending::Line { .. }) => {}
                Spot::OwnLine | Spot::LineEnd => {
                    self.pending = Pending::Line { indent: self.indent, blank: false };
                }
                Spot::LineStart | Spot::Inline => self.pending = Pending::Space,
            }
        }
    }

    /// Writes a comment; its further lines move along with its first one.
    fn write_comment(&mut self, span: Span) {
        let text = span.text(self.source);
        let mut lines = text.split('\n').map(str::trim_end);
        let first = lines.next().unwrap_or_default();
        // Only a comment of several lines needs to know its columns.
        let mut columns = None;
        if text.contains('\n') {
            let line_start = self.source[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
            let old_column = self.source[line_start..span.start as usize].chars().count();
            let new_column = self.out[self.line_start..].chars().count();
            columns = Some((old_column, new_column));
        }
        self.out.push_str(first);
        let Some((old_column, new_column)) = columns else { return };
        for line in lines {
            self.out.push('\n');
            self.line_start = self.out.len();
            let content = line.trim_start();
            if content.is_empty() {
                continue;
            }
            let indent = line.chars().count() - content.chars().count();
            let indent = (indent + new_column).saturating_sub(old_column);
            self.out.extend(std::iter::repeat_n(' ', indent));
            self.out.push_str(content);
        }
    }

    pub(super) fn blank_before(&self, offset: u32) -> bool {
        let before = self.source[..offset as usize].trim_end_matches([' ', '\t', '\r', '\x0C', '\u{FEFF}']);
        let Some(before) = before.strip_suffix('\n') else { return false };
        before.trim_end_matches([' ', '\t', '\r', '\x0C']).ends_with('\n')
    }

    pub(super) fn at_block_start(&self) -> bool {
        self.out.is_empty() || self.out.ends_with('{')
    }
}
