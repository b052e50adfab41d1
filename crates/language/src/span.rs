//! Places in a source text: byte ranges, and their translation to lines and columns.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// A half-open range of bytes of one source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just behind the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }

    /// The smallest range that contains both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The last character of this range; empty if the range is.
    pub fn last_character(self, source: &str) -> Span {
        let length = self.text(source).chars().next_back().map_or(0, char::len_utf8);
        Span::new(self.end - length as u32, self.end)
    }

    /// The text of this range.
    pub fn text(self, source: &str) -> &str {
        &source[self.start as usize..self.end as usize]
    }
}

/// Where a part of a [`System`](crate::System) was written, for messages that point into the model.
///
/// It carries no meaning: all origins are equal, so that two systems are equal when they say the same,
/// wherever their parts stand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin(pub Span);

impl PartialEq for Origin {
    fn eq(&self, _: &Origin) -> bool {
        true
    }
}

impl Eq for Origin {}

impl PartialOrd for Origin {
    fn partial_cmp(&self, other: &Origin) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Origin {
    fn cmp(&self, _: &Origin) -> Ordering {
        Ordering::Equal
    }
}

impl Hash for Origin {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// A place as people count it: lines and columns start at 1, a column is one character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// The line starts of a source text. Lines end in LF; a CR before it belongs to the line end.
#[derive(Clone, Debug)]
pub struct Lines<'s> {
    source: &'s str,
    /// Offsets of the first byte of each line; never empty, strictly increasing.
    starts: Vec<u32>,
}

impl<'s> Lines<'s> {
    /// Finds the line starts of `source`.
    pub fn new(source: &'s str) -> Self {
        let ends = source.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect();
        Lines { source, starts }
    }

    /// The source text.
    pub fn source(&self) -> &'s str {
        self.source
    }

    /// Line and column of a byte offset.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.starts.partition_point(|&start| start <= offset);
        let before = Span::new(self.starts[line - 1], offset).text(self.source);
        Position { line, column: before.chars().count() + 1 }
    }

    /// The bytes of a line (from 1), without its line end.
    pub fn line(&self, line: usize) -> Span {
        let start = self.starts[line - 1];
        let end = self.starts.get(line).map_or(self.source.len() as u32, |&next| next - 1);
        let text = Span::new(start, end).text(self.source);
        Span::new(start, end - u32::from(text.ends_with('\r')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_lines_drop_their_ends() {
        let lines = Lines::new("aé b\r\nc\n");
        assert_eq!(lines.position(0), Position { line: 1, column: 1 });
        assert_eq!(lines.position(3), Position { line: 1, column: 3 });
        assert_eq!(lines.position(7), Position { line: 2, column: 1 });
        assert_eq!(lines.position(9), Position { line: 3, column: 1 });
        assert_eq!(lines.line(1).text(lines.source()), "aé b");
        assert_eq!(lines.line(2).text(lines.source()), "c");
        assert_eq!(lines.line(3).text(lines.source()), "");
    }
}
