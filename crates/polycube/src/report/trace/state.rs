//! A state at a glance: variables in columns, then the arrays as a table with one column for each process.

use std::ops::Range;

use annotate_snippets::renderer::Style;
use polycube_certificate::{Cell, State, Value};
use polycube_language::System;
use polycube_language::system::SymbolId;

use super::layout::{Entry, WIDTH, columns, pad};

/// So many constants and variables stand below each other, before a second column begins.
const FEW: usize = 4;

/// The state, which fits the instance with so many processes. The cells that are listed in `marked` are marked, by `*` and by their style.
pub(crate) fn state(system: &System, processes: u32, state: &State, marked: &[Cell]) -> String {
    let shown = Shown { system, processes: processes as usize, state, marked };
    let variables = shown.variables();
    let rows = shown.rows();
    let mut text = columns(&variables, " = ", FEW);
    if !variables.is_empty() && !rows.is_empty() {
        text.push('\n');
    }
    text + &table(&rows, processes as usize)
}

struct Shown<'s> {
    system: &'s System,
    processes: usize,
    state: &'s State,
    marked: &'s [Cell],
}

/// A row of an array: the cells that differ in their last index only.
struct Row {
    label: String,
    values: Vec<Item>,
}

/// A value as text.
struct Item {
    text: String,
    style: Style,
}

impl Shown<'_> {
    fn variables(&self) -> Vec<Entry> {
        let plain = self.state.iter().filter(|(cell, _)| cell.indices.is_empty());
        let entry = |(cell, value): (&Cell, &Value)| {
            let Item { text, style } = self.item(cell, value);
            Entry { label: cell.display(self.system).to_string(), text, style }
        };
        plain.map(entry).collect()
    }

    fn rows(&self) -> Vec<Row> {
        let cells: Vec<_> = self.state.iter().filter(|(cell, _)| !cell.indices.is_empty()).collect();
        // The last index runs fastest, so each row is one piece.
        let row = |cells: &[(&Cell, &Value)]| Row {
            label: self.label(cells[0].0),
            values: cells.iter().map(|(cell, value)| self.item(cell, value)).collect(),
        };
        cells.chunks(self.processes).map(row).collect()
    }

    /// `Cache`, or `Link[#1,_]` for a row of an array with two indices.
    fn label(&self, first: &Cell) -> String {
        let Cell { symbol, indices } = first;
        let SymbolId(symbol) = *symbol;
        let name = &self.system.symbols[symbol as usize].name;
        match &indices[..indices.len() - 1] {
            [] => name.clone(),
            fixed => {
                let fixed: String = fixed.iter().map(|index| format!("#{index},")).collect();
                format!("{name}[{fixed}_]")
            }
        }
    }

    fn item(&self, cell: &Cell, value: &Value) -> Item {
        let text = value.display(self.system).to_string();
        if self.marked.contains(cell) {
            Item { text: text + "*", style: Style::new().bold() }
        } else {
            Item { text, style: Style::new() }
        }
    }
}

/// The rows below each other. Where they are too long, the first processes come first, and the others in further tables.
fn table(rows: &[Row], processes: usize) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let label = rows.iter().map(|row| row.label.len()).max().unwrap_or(0);
    let width = |process: usize| {
        let values = rows.iter().map(|row| row.values[process].text.len()).max().unwrap_or(0);
        values.max(format!("#{}", process + 1).len())
    };
    let widths: Vec<usize> = (0..processes).map(width).collect();
    let mut text = String::new();
    let mut from = 0;
    while from < processes {
        let mut to = from + 1;
        while to < processes
            && 2 + label + widths[from..=to].iter().map(|width| width + 2).sum::<usize>() <= WIDTH
        {
            to += 1;
        }
        if from > 0 {
            text.push('\n');
        }
        text += &part(rows, label, &widths, from..to);
        from = to;
    }
    text
}

/// The table of some of the processes.
fn part(rows: &[Row], label: usize, widths: &[usize], processes: Range<usize>) -> String {
    let mut text = String::new();
    let mut line = |name: &str, item: &dyn Fn(usize) -> (String, Style)| {
        pad(&mut text, 2);
        text.push_str(name);
        let mut blanks = label - name.len();
        for process in processes.clone() {
            let (value, style) = item(process);
            pad(&mut text, blanks + 2);
            text += &format!("{style}{value}{style:#}");
            blanks = widths[process] - value.len();
        }
        text.push('\n');
    };
    line("", &|process| (format!("#{}", process + 1), Style::new().dimmed()));
    for row in rows {
        line(&row.label, &|process| (row.values[process].text.clone(), row.values[process].style));
    }
    text
}
