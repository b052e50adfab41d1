//! Lines that fit: words that wrap, and entries that stand in columns.

use std::sync::OnceLock;

use annotate_snippets::renderer::Style;

use crate::console::terminal_width;

/// How long lines are where no terminal says otherwise, and how short and how long where one does: a line that is
/// much longer is hard to read.
const USUAL: usize = 80;
const SHORTEST: usize = 60;
const LONGEST: usize = 120;

/// Lines are not longer than this, unless a single word is.
pub(super) fn width() -> usize {
    static WIDTH: OnceLock<usize> = OnceLock::new();
    *WIDTH.get_or_init(|| terminal_width().map_or(USUAL, |width| width.clamp(SHORTEST, LONGEST)))
}

/// The words, separated by blanks. Lines after the first are indented; the first one starts where it stands,
/// in the same column.
pub(super) fn wrapped(words: impl IntoIterator<Item = impl AsRef<str>>, indent: usize) -> String {
    wrapped_from(words, indent, indent)
}

/// The same, where the first line starts in another column.
fn wrapped_from(
    words: impl IntoIterator<Item = impl AsRef<str>>,
    mut column: usize,
    indent: usize,
) -> String {
    let mut text = String::new();
    for word in words {
        let word = word.as_ref();
        if !text.is_empty() {
            if column + 1 + word.len() > width() {
                text.push('\n');
                pad(&mut text, indent);
                column = indent;
            } else {
                text.push(' ');
                column += 1;
            }
        }
        text.push_str(word);
        column += word.len();
    }
    text
}

/// Puts a comma behind all words but the last.
pub(crate) fn separate(words: &mut [String]) {
    if let Some((_, others)) = words.split_last_mut() {
        others.iter_mut().for_each(|word| word.push(','));
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(things: &[String]) -> String {
    match things {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => things.concat(),
    }
}

/// `a, b, c and 7 more`.
pub(crate) fn abridged(names: &[String]) -> String {
    const FEW: usize = 4;
    match names.len() {
        0..=FEW => names.join(", "),
        all => format!("{} and {} more", names[..FEW - 1].join(", "), all + 1 - FEW),
    }
}

/// A text in lines of its own.
pub(crate) fn paragraph(text: &str) -> String {
    format!("{}\n", wrapped(text.split(' '), 0))
}

/// The same, with two blanks before each line.
pub(crate) fn indented(text: &str) -> String {
    format!("  {}\n", wrapped(text.split(' '), 2))
}

/// Pieces in lines of their own: two blanks before the first line, more before the others. A piece that is
/// longer than a line is broken at its blanks.
pub(crate) fn hanging(pieces: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    const INDENT: usize = 6;
    let broken = |piece: &str| match INDENT + piece.len() > width() {
        true => piece.split(' ').map(str::to_owned).collect(),
        false => vec![piece.to_owned()],
    };
    format!("  {}\n", wrapped_from(pieces.into_iter().flat_map(|piece| broken(piece.as_ref())), 2, INDENT))
}

/// Lines that leave room for so many columns before them.
pub(crate) fn narrow(text: &str, before: usize) -> String {
    wrapped(text.split(' '), before).replace(&format!("\n{}", " ".repeat(before)), "\n")
}

/// Words in lines: the first ones behind a label in this column, and the others below them.
pub(crate) fn labelled(column: usize, label: &str, text: &str) -> String {
    let start = column + label.len() + 1;
    format!("{}{label} {}\n", " ".repeat(column), wrapped(text.split(' '), start))
}

/// A label, and what stands behind it.
pub(crate) struct Entry {
    pub label: String,
    pub text: String,
    pub style: Style,
}

/// Entries below each other, with a separator behind the labels. Where there are more than `few`, they stand
/// in several columns if there is room, to be read from top to bottom.
pub(crate) fn columns(entries: &[Entry], separator: &str, few: usize) -> String {
    let rows_of = |count: usize| entries.len().div_ceil(count).max(1);
    let width_of = |count: usize| {
        let columns = entries.chunks(rows_of(count)).map(|column| {
            let (label, text) = widths(column);
            label + separator.len() + text + 2
        });
        columns.sum::<usize>()
    };
    let most = entries.len().div_ceil(few);
    let rows = rows_of((1..=most).rev().find(|&count| width_of(count) <= width()).unwrap_or(1));
    let columns: Vec<&[Entry]> = entries.chunks(rows).collect();
    let mut text = String::new();
    for row in 0..rows.min(entries.len()) {
        let mut blanks = 0;
        for column in &columns {
            let (widest_label, widest_text) = widths(column);
            let Some(Entry { label, text: value, style }) = column.get(row) else { continue };
            pad(&mut text, blanks + 2);
            text.push_str(label);
            pad(&mut text, widest_label - label.len());
            text += &format!("{separator}{style}{value}{style:#}");
            blanks = widest_text - value.len();
        }
        text.push('\n');
    }
    text
}

fn widths(entries: &[Entry]) -> (usize, usize) {
    let label = entries.iter().map(|entry| entry.label.len()).max();
    let text = entries.iter().map(|entry| entry.text.len()).max();
    (label.unwrap_or(0), text.unwrap_or(0))
}

pub(super) fn pad(text: &mut String, blanks: usize) {
    text.extend(std::iter::repeat_n(' ', blanks));
}
