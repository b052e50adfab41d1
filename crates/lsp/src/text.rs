//! A text as editors count it: lines, and units of UTF-16 or bytes in them.
//!
//! Whatever a client says is some place of the text: what is beyond a line is its end, what is beyond the
//! text is the end of the text, and what is inside a character is its start.

use lsp_types::{Position, Range};
use polycube_language::span::Span;

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16,
}

#[derive(Clone, Debug)]
pub(crate) struct Text {
    text: String,
    /// Offsets of the first byte of each line; never empty, strictly increasing.
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Text {
    pub(crate) fn new(text: String, encoding: Encoding) -> Text {
        let starts = line_starts(&text);
        Text { text, starts, encoding }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Replaces a part of the text, or all of it.
    pub(crate) fn edit(&mut self, range: Option<Range>, replacement: &str) {
        match range {
            None => replacement.clone_into(&mut self.text),
            Some(range) => {
                let Span { start, end } = self.span(range);
                self.text.replace_range(start as usize..end as usize, replacement);
            }
        }
        self.starts = line_starts(&self.text);
    }

    pub(crate) fn offset(&self, position: Position) -> u32 {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else { return self.text.len() as u32 };
        let text = self.line(line);
        let column = match self.encoding {
            Encoding::Utf8 => text.floor_char_boundary(position.character as usize),
            Encoding::Utf16 => utf16_column(text, position.character as usize),
        };
        (start + column) as u32
    }

    pub(crate) fn position(&self, offset: u32) -> Position {
        let offset = self.text.floor_char_boundary(offset as usize);
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let before = &self.text[self.starts[line]..offset];
        let character = match self.encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
        };
        Position { line: line as u32, character: character as u32 }
    }

    pub(crate) fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end) }
    }

    /// A range whose end lies before its start is empty.
    pub(crate) fn span(&self, range: Range) -> Span {
        let start = self.offset(range.start);
        Span::new(start, self.offset(range.end).max(start))
    }

    /// The whole text.
    pub(crate) fn whole(&self) -> Range {
        self.range(Span::new(0, self.text.len() as u32))
    }

    /// A line, from 0, without its end.
    fn line(&self, line: usize) -> &str {
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let text = &self.text[self.starts[line]..end];
        let text = text.strip_suffix('\n').unwrap_or(text);
        text.strip_suffix('\r').unwrap_or(text)
    }
}

/// Lines end in LF, CR LF, or CR.
fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends_line = |at: usize| match bytes[at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    let ends = (0..bytes.len()).filter(|&at| ends_line(at));
    std::iter::once(0).chain(ends.map(|end| end + 1)).collect()
}

/// The byte at which a unit of UTF-16 lies.
fn utf16_column(text: &str, units: usize) -> usize {
    let mut seen = 0;
    for (at, character) in text.char_indices() {
        seen += character.len_utf16();
        if seen > units {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use polycube_testing::for_seeds;
    use polycube_testing::generate::Random;

    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_count_what_was_agreed_on() {
        let text = "(* é𝄞 *) var\r\nX\rY\n";
        let utf16 = Text::new(text.to_owned(), Encoding::Utf16);
        let utf8 = Text::new(text.to_owned(), Encoding::Utf8);
        let var = text.find("var").unwrap() as u32;
        assert_eq!(utf16.position(var), at(0, 10));
        assert_eq!(utf16.offset(at(0, 10)), var);
        assert_eq!(utf8.position(var), at(0, 13));
        assert_eq!(utf8.offset(at(0, 13)), var);
        let y = text.find('Y').unwrap() as u32;
        assert_eq!((utf16.position(y), utf8.position(y)), (at(2, 0), at(2, 0)));
    }

    #[test]
    fn places_that_do_not_exist_are_near_ones() {
        let text = Text::new("a𝄞b\r\ncd".to_owned(), Encoding::Utf16);
        // The middle of a character.
        assert_eq!(text.offset(at(0, 2)), 1);
        // Behind the line, and behind the text.
        assert_eq!(text.offset(at(0, 100)), 6);
        assert_eq!(text.offset(at(1, 100)), 10);
        assert_eq!(text.offset(at(7, 0)), 10);
        assert_eq!(text.span(Range { start: at(1, 1), end: at(0, 0) }), Span::new(9, 9));
        assert_eq!(text.position(3), at(0, 1));
        assert_eq!(text.position(1_000), at(1, 2));
    }

    #[test]
    fn edits_replace_ranges() {
        let mut text = Text::new("one\ntwo\n".to_owned(), Encoding::Utf16);
        text.edit(Some(Range { start: at(0, 3), end: at(1, 0) }), " and ");
        assert_eq!(text.as_str(), "one and two\n");
        text.edit(Some(Range { start: at(9, 9), end: at(9, 9) }), "é");
        assert_eq!(text.as_str(), "one and two\né");
        text.edit(None, "");
        assert_eq!((text.as_str(), text.offset(at(0, 5))), ("", 0));
    }
    /// Every place has a position that leads back to it.
    #[test]
    fn random_positions_lead_back() {
        for_seeds!(200, |seed| {
            let mut random = Random::new(seed);
            let pieces = ["a", "é", "𝄞", "\n", "\r\n", "\r", "word "];
            let text: String = (0..random.below(30)).map(|_| *random.pick(&pieces)).collect();
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let counted = Text::new(text.clone(), encoding);
                let splits = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
                for offset in (0..=text.len()).filter(|&at| text.is_char_boundary(at) && !splits(at)) {
                    let position = counted.position(offset as u32);
                    assert_eq!(counted.offset(position), offset as u32, "{text:?} {position:?}");
                }
            }
        });
    }
}
