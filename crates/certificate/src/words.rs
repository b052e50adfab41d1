//! Cells, values and states as people speak of them, and back: see [`Words`](polycube_language::words::Words).
//!
//! What is not spoken of is not lost. Where the value of a cell does not count, a system that has words keeps the same
//! there in every state that it reaches: its own first index, or the process that a hidden constant is, or 0. Of that
//! constant it does not matter which process it is: here it is the first.

use std::collections::BTreeSet;

use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::system::Type;
use polycube_language::words::Guarded;

use crate::state::{Cell, State};
use crate::value::{Value, parse_process};

impl Cell {
    /// The cell as people call it.
    pub fn in_words(&self, system: &System) -> String {
        if !system.words.cells.contains_key(&self.symbol) {
            return self.display(system).to_string();
        }
        let indices: Vec<String> = self.indices.iter().map(|index| format!("#{index}")).collect();
        system.cell_in_words(self.symbol, &indices)
    }

    /// The cell that is spoken of where this one is meant: what says whether a value counts is part of the value. None
    /// if it is not spoken of.
    pub fn spoken_of(&self, system: &System) -> Option<Cell> {
        let words = &system.words;
        let symbol = match words.guarded.iter().find(|(_, guarded)| guarded.by == self.symbol) {
            Some((symbol, _)) => *symbol,
            None => self.symbol,
        };
        (!words.hidden.contains(&symbol)).then(|| Cell { symbol, indices: self.indices.clone() })
    }

    /// Reads what [`Cell::in_words`] writes for a cell that is spoken of. How many processes there are is not looked at.
    pub fn from_words(system: &System, text: &str) -> Option<Cell> {
        let mut called = system.words.cells.iter().filter_map(|(&symbol, pieces)| {
            Cell { symbol, indices: indices(text, pieces)? }.spoken_of(system)
        });
        let plain =
            || Cell::parse(system, text).filter(|cell| !system.words.cells.contains_key(&cell.symbol));
        called.next().or_else(plain)
    }
}

/// The processes that stand between the pieces of a text.
fn indices(text: &str, pieces: &[String]) -> Option<Vec<u32>> {
    let (first, others) = pieces.split_first()?;
    let mut rest = text.strip_prefix(first.as_str())?;
    let mut indices = Vec::new();
    for piece in others {
        let digits =
            rest.strip_prefix('#')?.find(|one: char| !one.is_ascii_digit()).map_or(rest.len(), |at| at + 1);
        let (process, behind) = rest.split_at(digits);
        indices.push(parse_process(process)?);
        rest = behind.strip_prefix(piece.as_str())?;
    }
    rest.is_empty().then_some(indices)
}

impl Value {
    /// The value as people call it.
    pub fn in_words(&self, system: &System) -> String {
        let word = match self {
            Value::Constructor(id, index) => system.words.constructors.get(&(*id, *index)),
            _ => None,
        };
        word.map_or_else(|| self.display(system).to_string(), String::clone)
    }

    /// Reads what [`Value::in_words`] writes for a value of type `ty`.
    pub fn from_words(system: &System, ty: Type, text: &str) -> Option<Value> {
        match ty {
            Type::Enumeration(id) => {
                let count = system.enumerations.get(id.0 as usize)?.constructors.len();
                let mut all = (0..).take(count);
                let index = all.find(|index| system.constructor_in_words(id, *index) == text)?;
                Some(Value::Constructor(id, index))
            }
            _ => Value::parse(system, ty, text),
        }
    }
}

impl State {
    /// What people say a cell holds: the value of another one that says that this one does not count, if there is one.
    pub fn in_words(&self, system: &System, cell: &Cell) -> Option<String> {
        let guarded = system.words.guarded.get(&cell.symbol);
        let by = guarded.and_then(|guarded| {
            let by = self.get(&Cell { symbol: guarded.by, indices: cell.indices.clone() })?;
            Some((by, matches!(by, Value::Constructor(_, index) if *index == guarded.counts)))
        });
        let value = match (by, self.get(cell)) {
            (Some((by, false)), _) | (Some((by, true)), None) => by,
            (_, value) => value?,
        };
        Some(value.in_words(system))
    }

    /// The cells that are spoken of, so far as something is known of them, and what they hold.
    pub fn spoken_of(&self, system: &System) -> Vec<(Cell, String)> {
        let cells: BTreeSet<Cell> = self.iter().filter_map(|(cell, _)| cell.spoken_of(system)).collect();
        let in_words = |cell: Cell| self.in_words(system, &cell).map(|text| (cell, text));
        cells.into_iter().filter_map(in_words).collect()
    }

    /// The constants that are not spoken of.
    pub fn unspoken(system: &System) -> State {
        let hidden = system.words.hidden.iter();
        let hidden = hidden.filter(|symbol| system.symbol(**symbol).dimensions() == 0);
        let cells = hidden.map(|&symbol| Cell { symbol, indices: Vec::new() });
        cells.filter_map(|cell| idle(system, &cell).map(|value| (cell, value))).collect()
    }
}

/// What a cell that is spoken of holds, and what says whether that counts, where people say that it holds this.
pub fn meant(system: &System, cell: &Cell, text: &str) -> Option<Vec<(Cell, Value)>> {
    let held = |value| (cell.clone(), value);
    let value = || Value::from_words(system, system.symbol(cell.symbol).ty, text);
    let Some(&Guarded { by, counts }) = system.words.guarded.get(&cell.symbol) else {
        return Some(vec![held(value()?)]);
    };
    let Type::Enumeration(kinds) = system.symbol(by).ty else { return None };
    let kind = |index| (Cell { symbol: by, indices: cell.indices.clone() }, Value::Constructor(kinds, index));
    match Value::from_words(system, Type::Enumeration(kinds), text) {
        Some(Value::Constructor(_, index)) if index != counts => {
            Some(vec![held(idle(system, cell)?), kind(index)])
        }
        _ => Some(vec![held(value()?), kind(counts)]),
    }
}

/// What stands in a cell whose value does not count.
fn idle(system: &System, cell: &Cell) -> Option<Value> {
    match system.symbol(cell.symbol).ty {
        Type::Process => Some(Value::Process(cell.indices.first().copied().unwrap_or(1))),
        Type::Integer | Type::Real => Some(Value::Number(Number::from(0))),
        Type::Enumeration(_) | Type::Abstract(_) => None,
    }
}
