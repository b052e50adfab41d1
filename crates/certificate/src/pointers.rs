//! Cells that hold processes: whose processes a proof may have to speak of, besides those that it names.

use polycube_language::System;
use polycube_language::formula::{Access, Term};
use polycube_language::system::{SymbolId, Type};

use crate::invariant::Invariant;
use crate::tuples::tuples;

/// A cell that holds a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The symbol of the cell.
    pub symbol: SymbolId,
    /// The processes that index it, by number: first come those that are named, then what the cells before it
    /// hold.
    pub indices: Vec<usize>,
}

/// What a system and an invariant say about such cells.
pub struct Pointers {
    /// The symbols that hold processes, those with few indices first.
    symbols: Vec<Held>,
}

/// A symbol that holds processes.
struct Held {
    symbol: SymbolId,
    dimensions: usize,
    /// How many cells there are to go through at most before one of its cells: one for `N[T]`, two for
    /// `N[N[T]]`.
    depth: usize,
}

impl Pointers {
    /// Those that a system and an invariant speak of.
    pub fn of(system: &System, invariant: &Invariant) -> Pointers {
        let mut symbols: Vec<Held> = ((0..).map(SymbolId).zip(&system.symbols))
            .filter(|(_, declared)| declared.ty == Type::Process)
            .map(|(symbol, declared)| Held { symbol, dimensions: declared.dimensions(), depth: 0 })
            .collect();
        symbols.sort_by_key(|held| held.dimensions);
        let mut look = |term: &Term| {
            term.for_each_part(&mut |part| {
                if let Term::Access(access) = part
                    && let Some(held) = symbols.iter_mut().find(|held| held.symbol == access.symbol)
                {
                    held.depth = held.depth.max(depth(access));
                }
            });
        };
        system.for_each_term(&mut look);
        for clause in &invariant.clauses {
            clause.never.for_each_comparison(&mut |comparison| {
                look(&comparison.left);
                look(&comparison.right);
            });
        }
        Pointers { symbols }
    }

    /// Up to `most` cells that are indexed by this many named processes, and by what cells before them hold.
    pub fn cells(&self, named: u32, most: usize) -> Vec<Pointer> {
        let mut cells: Vec<Pointer> = Vec::new();
        // First those that named processes index. Then what these hold indexes others: any of them, since two
        // pointers may lead to the same process.
        for depth in 0..=self.symbols.iter().map(|held| held.depth).max().unwrap_or(0) {
            let known = cells.len();
            let count = u32::try_from(named as usize + known).expect("few processes, and few cells");
            for &Held { symbol, dimensions, .. } in self.symbols.iter().filter(|held| held.depth >= depth) {
                for tuple in tuples(count, dimensions) {
                    if cells.len() >= most {
                        return cells;
                    }
                    let indices = tuple.iter().map(|&number| number as usize - 1).collect();
                    let cell = Pointer { symbol, indices };
                    if !cells[..known].contains(&cell) {
                        cells.push(cell);
                    }
                }
            }
        }
        cells
    }
}

fn depth(access: &Access) -> usize {
    let inner = access.indices.iter().map(|index| match index {
        Term::Access(inner) => 1 + depth(inner),
        _ => 0,
    });
    inner.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of a system without an invariant, as text.
    fn cells(text: &str, named: u32, most: usize) -> Vec<String> {
        let system = polycube_language::check(text).system.unwrap_or_else(|| panic!("{text}"));
        let invariant = Invariant { clauses: Vec::new() };
        let mut shown: Vec<String> = Vec::new();
        for Pointer { symbol, indices } in Pointers::of(&system, &invariant).cells(named, most) {
            let named = named as usize;
            let index = |&at: &usize| at.checked_sub(named).map_or(at.to_string(), |at| shown[at].clone());
            let indices: Vec<String> = indices.iter().map(index).collect();
            shown.push(format!("{}({})", system.symbol(symbol).name, indices.join(",")));
        }
        shown
    }

    const MODEL: &str = "var T : proc\narray N[proc] : proc\narray A[proc] : bool\ninit { T = T }\n\
        unsafe (p) { A[N[N[T]]] = A[N[N[p]]] }";

    #[test]
    fn what_is_held_indexes_too_where_a_formula_says_so() {
        let all =
            ["T()", "N(0)", "N(1)", "N(T())", "N(N(0))", "N(N(1))", "N(N(T()))", "N(N(N(0)))", "N(N(N(1)))"];
        assert_eq!(cells(MODEL, 2, 24), all);
        let flat = MODEL.replace("A[N[N[T]]] = A[N[N[p]]]", "A[N[p]] = A[T]");
        assert_eq!(cells(&flat, 2, 24), all[..3]);
    }

    #[test]
    fn there_are_no_more_than_asked_for() {
        for most in 0..12 {
            assert_eq!(cells(MODEL, 2, most).len(), most.min(9));
        }
    }
}
