//! States: a value for every constant, every variable and every cell of every array.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use polycube_language::System;
use polycube_language::system::SymbolId;

use crate::tuples::tuples;
use crate::value::{Value, parse_process};

/// A constant, a variable, or one cell of an array. Cells are ordered as [`cells`] lists them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The constant, variable or array.
    pub symbol: SymbolId,
    /// The processes in the brackets, from 1; none unless it is an array.
    pub indices: Vec<u32>,
}

/// All cells of the instance with this many processes: symbols in the order of their declaration, the cells
/// of an array row by row.
pub fn cells(system: &System, processes: u32) -> impl Iterator<Item = Cell> {
    system.symbols.iter().zip((0..).map(SymbolId)).flat_map(move |(symbol, symbol_id)| {
        tuples(processes, symbol.dimensions()).map(move |indices| Cell { symbol: symbol_id, indices })
    })
}

impl Cell {
    /// The cell as text: `Turn`, `Cache[#1]`, `Channel[#1,#2]`.
    ///
    /// A cell that the system does not have is described instead, so that messages can speak about it.
    pub fn display(&self, system: &System) -> impl Display {
        fmt::from_fn(move |out| {
            match system.symbols.get(self.symbol.0 as usize) {
                Some(symbol) => out.write_str(&symbol.name)?,
                None => write!(out, "<symbol {}>", self.symbol.0)?,
            }
            if self.indices.is_empty() {
                return Ok(());
            }
            let indices: Vec<String> = self.indices.iter().map(|index| format!("#{index}")).collect();
            write!(out, "[{}]", indices.join(","))
        })
    }

    /// Reads what [`Cell::display`] writes. The number of indices is checked, but not how many processes
    /// there are.
    pub fn parse(system: &System, text: &str) -> Option<Cell> {
        let (name, indices) = match text.split_once('[') {
            None => (text, Vec::new()),
            Some((name, rest)) => {
                let indices = rest.strip_suffix(']')?.split(',').map(|index| parse_process(index.trim()));
                (name, indices.collect::<Option<Vec<u32>>>()?)
            }
        };
        let mut symbols = system.symbols.iter().zip((0..).map(SymbolId));
        let (declared, symbol) = symbols.find(|(symbol, _)| symbol.name == name)?;
        (indices.len() == declared.dimensions()).then_some(Cell { symbol, indices })
    }
}

/// A state of an instance. Whether it has the right cells, with values of the right types, is what
/// [`fits`](crate::fits) says.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    values: BTreeMap<Cell, Value>,
}

impl State {
    /// The state of the instance with this many processes that has these values.
    pub fn new(system: &System, processes: u32, mut value: impl FnMut(&Cell) -> Value) -> State {
        cells(system, processes)
            .map(|cell| {
                let value = value(&cell);
                (cell, value)
            })
            .collect()
    }

    /// The value of a cell.
    pub fn get(&self, cell: &Cell) -> Option<&Value> {
        self.values.get(cell)
    }

    /// Gives a cell another value; says which it had.
    pub fn set(&mut self, cell: Cell, value: Value) -> Option<Value> {
        self.values.insert(cell, value)
    }

    /// The cells and their values, in the order of [`cells`].
    pub fn iter(&self) -> impl Iterator<Item = (&Cell, &Value)> {
        self.values.iter()
    }

    /// The cells of `after` that are different here, with their values there.
    pub fn changes_to(&self, after: &State) -> Vec<(Cell, Value)> {
        let changed = after.iter().filter(|&(cell, value)| self.get(cell) != Some(value));
        changed.map(|(cell, value)| (cell.clone(), value.clone())).collect()
    }
}

impl Extend<(Cell, Value)> for State {
    fn extend<T: IntoIterator<Item = (Cell, Value)>>(&mut self, values: T) {
        self.values.extend(values);
    }
}

impl FromIterator<(Cell, Value)> for State {
    /// The state with these values; of two values for a cell, the last.
    fn from_iter<T: IntoIterator<Item = (Cell, Value)>>(values: T) -> State {
        State { values: values.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system() -> System {
        let text = "var Turn : proc\n array Link[proc, proc] : bool\n array Cache[proc] : bool\n init { Turn = Turn }";
        polycube_language::check(text).system.expect("a model")
    }

    #[test]
    fn cells_are_listed_in_order_and_can_be_read() {
        let system = system();
        let listed: Vec<Cell> = cells(&system, 2).collect();
        let names: Vec<String> = listed.iter().map(|cell| cell.display(&system).to_string()).collect();
        let expected =
            ["Turn", "Link[#1,#1]", "Link[#1,#2]", "Link[#2,#1]", "Link[#2,#2]", "Cache[#1]", "Cache[#2]"];
        assert_eq!(names, expected);
        for (cell, name) in listed.iter().zip(&names) {
            assert_eq!(Cell::parse(&system, name).as_ref(), Some(cell));
        }
        assert!(listed.is_sorted());
        let state = State::new(&system, 2, |_| Value::Process(1));
        assert!(state.iter().map(|(cell, _)| cell).eq(&listed));
    }

    #[test]
    fn what_is_no_cell_is_not_read() {
        let system = system();
        for text in [
            "",
            "turn",
            "Turn[#1]",
            "Turn[]",
            "Cache",
            "Cache[]",
            "Cache[#1",
            "Cache[1]",
            "Cache[#0]",
            "Cache[#1,#2]",
            "Cache[#1]]",
            "Link[#1]",
            "Link[#1,]",
        ] {
            assert_eq!(Cell::parse(&system, text), None, "{text}");
        }
        assert!(Cell::parse(&system, "Link[#1, #2]").is_some());
    }

    #[test]
    fn changes_are_what_differs() {
        let system = system();
        let before = State::new(&system, 2, |_| Value::Process(1));
        let mut after = before.clone();
        let cell = Cell::parse(&system, "Cache[#2]").expect("a cell");
        assert_eq!(after.set(cell.clone(), Value::Process(2)), Some(Value::Process(1)));
        assert_eq!(before.changes_to(&after), [(cell, Value::Process(2))]);
        assert_eq!(before.changes_to(&before), []);
    }

    #[test]
    fn a_cell_of_no_symbol_can_be_spoken_about() {
        let cell = Cell { symbol: SymbolId(9), indices: vec![1] };
        assert_eq!(cell.display(&system()).to_string(), "<symbol 9>[#1]");
    }
}
