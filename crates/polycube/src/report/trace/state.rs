//! A state at a glance: variables in columns, then the arrays as a table with one column for each process.
//!
//! Where the table is too wide, what is the same for all processes leaves it: `Asks[_] = False` stands with
//! the variables. What is still too wide continues in further tables, for the processes that did not fit.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use annotate_snippets::renderer::Style;
use polycube_certificate::{Cell, State};
use polycube_language::System;

use super::layout::{Entry, columns, pad, width};

/// So many variables stand below each other before a second column begins.
const FEW: usize = 4;

/// The state, which fits the instance with this many processes. The cells that are listed in `marked` are
/// marked, by `*` and by their style.
pub(crate) fn state(system: &System, processes: u32, state: &State, marked: &[Cell]) -> String {
    let marked: Vec<Cell> = marked.iter().filter_map(|cell| cell.spoken_of(system)).collect();
    let items = state.spoken_of(system).into_iter().map(|(cell, text)| {
        let is_marked = marked.contains(&cell);
        (cell, Item::new(text, is_marked))
    });
    table(system, processes, &items.collect::<Vec<_>>())
}

/// What is known of a state: in place of the other values stands `any`, unless nothing is known of a variable,
/// or of a row of an array.
pub(crate) fn known(system: &System, processes: u32, state: &State, known: &State) -> String {
    let row = |cell: &Cell| {
        let others = cell.indices.split_last().map_or(&[][..], |(_, others)| others);
        (cell.symbol, others.to_vec())
    };
    let known: BTreeMap<Cell, String> = known.spoken_of(system).into_iter().collect();
    let rows: BTreeSet<_> = known.keys().map(row).collect();
    let cells = state.spoken_of(system).into_iter().map(|(cell, _)| cell);
    let cells = cells.filter(|cell| rows.contains(&row(cell)));
    let item = |cell: Cell| {
        let item = match known.get(&cell) {
            Some(text) => Item::new(text.clone(), false),
            None => Item { text: "any".to_owned(), style: Style::new().dimmed() },
        };
        (cell, item)
    };
    table(system, processes, &cells.map(item).collect::<Vec<_>>())
}

/// Cells with what is to be said of them; of an array, whole rows.
fn table(system: &System, processes: u32, values: &[(Cell, Item)]) -> String {
    let mut entries = Vec::new();
    let mut rows = Vec::new();
    for cells in values.chunk_by(|(left, _), (right, _)| left.symbol == right.symbol) {
        let (first, item) = &cells[0];
        if first.indices.is_empty() {
            entries.push(entry(first.in_words(system), item));
        } else {
            // The last index runs fastest, so each row is one piece.
            rows.push(
                cells.chunks(processes as usize).map(|row| Row::new(system, row)).collect::<Vec<Row>>(),
            );
        }
    }
    if Table::new(rows.iter().flatten().collect()).width() > width() {
        for array in &mut rows {
            entries.extend(take_uniform(array));
        }
    }
    let table = Table::new(rows.iter().flatten().collect());
    let blank = if entries.is_empty() || table.rows.is_empty() { "" } else { "\n" };
    format!("{}{blank}{}", columns(&entries, " = ", FEW), table.to_text())
}

#[derive(Clone, PartialEq)]
struct Item {
    text: String,
    style: Style,
}

impl Item {
    fn new(text: String, marked: bool) -> Item {
        if marked {
            Item { text: text + "*", style: Style::new().bold() }
        } else {
            Item { text, style: Style::new() }
        }
    }
}

fn entry(label: String, item: &Item) -> Entry {
    Entry { label, text: item.text.clone(), style: item.style }
}

/// A row of an array: the cells that differ in their last index only.
struct Row {
    /// `Cache`, or `Link[#1,_]` for a row of an array with two indices.
    label: String,
    /// `Cache[_]`, `Link[#1,_]`
    full_label: String,
    /// `Cache[_]`, `Link[_,_]`
    array: String,
    items: Vec<Item>,
}

impl Row {
    fn new(system: &System, cells: &[(Cell, Item)]) -> Row {
        let Cell { symbol, indices } = &cells[0].0;
        let any = || "_".to_owned();
        let mut row: Vec<String> = indices.iter().map(|index| format!("#{index}")).collect();
        row.pop();
        row.push(any());
        let full_label = system.cell_in_words(*symbol, &row);
        let is_plain = indices.len() == 1 && !system.words.cells.contains_key(symbol);
        let label = if is_plain { system.symbol(*symbol).name.clone() } else { full_label.clone() };
        let array = system.cell_in_words(*symbol, &vec![any(); indices.len()]);
        let items = cells.iter().map(|(_, item)| item.clone()).collect();
        Row { label, full_label, array, items }
    }

    /// The value of all its cells, if there is only one.
    fn uniform(&self) -> Option<&Item> {
        self.items.iter().all(|item| *item == self.items[0]).then_some(&self.items[0])
    }
}

/// Removes the rows of an array whose cells all have the same value: one entry for all of them if there is
/// only one value, otherwise one for each row.
fn take_uniform(array: &mut Vec<Row>) -> Vec<Entry> {
    let Some(first) = array.first() else { return Vec::new() };
    if let Some(item) = first.uniform()
        && array.iter().all(|row| row.uniform() == Some(item))
    {
        let all = entry(first.array.clone(), item);
        array.clear();
        return vec![all];
    }
    let uniform =
        array.iter().filter_map(|row| Some(entry(row.full_label.clone(), row.uniform()?))).collect();
    array.retain(|row| row.uniform().is_none());
    uniform
}

/// Rows below each other, with one column for each process.
struct Table<'r> {
    rows: Vec<&'r Row>,
    label: usize,
    widths: Vec<usize>,
}

impl<'r> Table<'r> {
    fn new(rows: Vec<&'r Row>) -> Table<'r> {
        let processes = rows.first().map_or(0, |row| row.items.len());
        let width = |process: usize| {
            let items = rows.iter().map(|row| row.items[process].text.len());
            items.max().unwrap_or(0).max(name(process).len())
        };
        let widths = (0..processes).map(width).collect();
        let label = rows.iter().map(|row| row.label.len()).max().unwrap_or(0);
        Table { rows, label, widths }
    }

    fn width(&self) -> usize {
        self.width_of(0..self.widths.len())
    }

    fn width_of(&self, processes: Range<usize>) -> usize {
        2 + self.label + self.widths[processes].iter().map(|width| width + 2).sum::<usize>()
    }

    fn to_text(&self) -> String {
        let mut parts = Vec::new();
        let mut from = 0;
        while from < self.widths.len() {
            let fits = |&to: &usize| self.width_of(from..to) <= width();
            let to = (from + 1..=self.widths.len()).rev().find(fits).unwrap_or(from + 1);
            parts.push(self.part(from..to));
            from = to;
        }
        parts.join("\n")
    }

    /// The columns of some of the processes.
    fn part(&self, processes: Range<usize>) -> String {
        let widths = &self.widths[processes.clone()];
        let heading = |process: usize| Item { text: name(process), style: Style::new().dimmed() };
        let heading: Vec<Item> = processes.clone().map(heading).collect();
        let mut text = self.line("", &heading, widths);
        for row in &self.rows {
            text += &self.line(&row.label, &row.items[processes.clone()], widths);
        }
        text
    }

    fn line(&self, label: &str, items: &[Item], widths: &[usize]) -> String {
        let mut text = format!("  {label}");
        let mut blanks = self.label - label.len();
        for (Item { text: item, style }, width) in items.iter().zip(widths) {
            pad(&mut text, blanks + 2);
            text += &format!("{style}{item}{style:#}");
            blanks = width - item.len();
        }
        text.push('\n');
        text
    }
}

/// The name of the process in a column.
fn name(column: usize) -> String {
    format!("#{}", column + 1)
}
