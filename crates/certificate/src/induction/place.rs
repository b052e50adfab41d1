//! The processes that a question speaks of, and the cells that they index.

use std::fmt::{self, Display, Formatter};

use polycube_language::System;
use polycube_language::formula::{Variable, VariableId};
use polycube_language::system::{Processes, SymbolId, Type};

use crate::invariant::Invariant;
use crate::pointers::{Index, Pointer, Pointers};

/// A process that a question speaks of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The process `#k` of a system with a fixed number of them, k from 1.
    Number(u32),
    /// The process that stands for a parameter of the transition or property, from 0.
    Parameter(usize),
    /// A further process, from 0: different from the parameters, and from the others of its kind.
    Other(usize),
    /// The process of which a formula says that it exists: see [`witnesses`](crate::cases::witnesses).
    Witness(usize),
    /// The process that a cell holds.
    At(SymbolId, Vec<Place>),
}

/// A clause of an invariant, said of processes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instance {
    /// The number of the clause.
    pub clause: usize,
    /// A process for each of its parameters.
    pub places: Vec<Place>,
}

impl Place {
    /// The place as text: `#1`, `p1`, `o1`, `w1` (numbers from 1), `Home`, `Next[p1]`. Symbols begin with a capital letter, so
    /// these are never mistaken for each other.
    pub fn display<'d>(&'d self, system: &'d System) -> impl Display + 'd {
        Shown { place: self, system }
    }

    /// Reads what [`Place::display`] writes.
    pub fn parse(system: &System, text: &str) -> Option<Place> {
        // Nobody writes more than this, and it bounds the nesting.
        if text.len() > 1000 {
            return None;
        }
        let number = |digits: &str| digits.parse::<usize>().ok().filter(|&number| number > 0);
        Some(match text.split_at_checked(1)? {
            ("#", digits) => Place::Number(number(digits)?.try_into().ok()?),
            ("p", digits) => Place::Parameter(number(digits)? - 1),
            ("o", digits) => Place::Other(number(digits)? - 1),
            ("w", digits) => Place::Witness(number(digits)? - 1),
            _ => {
                let (name, indices) = match text.strip_suffix(']') {
                    None => (text, Vec::new()),
                    Some(rest) => {
                        let (name, indices) = rest.split_once('[')?;
                        // No cell that indexes another one has a place of its own.
                        let indices = indices.split(',').map(|index| Place::parse(system, index));
                        (name, indices.collect::<Option<Vec<Place>>>()?)
                    }
                };
                let at = system.symbols.iter().position(|symbol| symbol.name == name)?;
                let symbol = &system.symbols[at];
                let fits = symbol.ty == Type::Process && symbol.dimensions() == indices.len();
                fits.then_some(Place::At(SymbolId(id(at)), indices))?
            }
        })
    }
}

struct Shown<'d> {
    place: &'d Place,
    system: &'d System,
}

impl Display for Shown<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Number(number) => write!(out, "#{number}"),
            Place::Parameter(at) => write!(out, "p{}", at + 1),
            Place::Other(at) => write!(out, "o{}", at + 1),
            Place::Witness(at) => write!(out, "w{}", at + 1),
            Place::At(symbol, indices) => {
                out.write_str(&self.system.symbol(*symbol).name)?;
                if indices.is_empty() {
                    return Ok(());
                }
                let indices: Vec<String> =
                    indices.iter().map(|index| index.display(self.system).to_string()).collect();
                write!(out, "[{}]", indices.join(","))
            }
        }
    }
}

impl Instance {
    /// The instance as text: the number of the clause from 1, and the places: `3 p1 o1`.
    pub fn display<'d>(&'d self, system: &'d System) -> impl Display + 'd {
        let places = self.places.iter().map(|place| format!(" {}", place.display(system)));
        format!("{}{}", self.clause + 1, places.collect::<String>())
    }

    /// Reads what [`Instance::display`] writes, for an invariant.
    pub fn parse(system: &System, invariant: &Invariant, text: &str) -> Option<Instance> {
        let mut words = text.split(' ');
        let clause = words.next()?.parse::<usize>().ok()?.checked_sub(1)?;
        let places: Vec<Place> = words.map(|word| Place::parse(system, word)).collect::<Option<_>>()?;
        let fits = invariant.clauses.get(clause)?.parameters.len() == places.len();
        fits.then_some(Instance { clause, places })
    }
}

/// How many cells a universe may have.
const MAX_CELLS: u32 = 1 << 20;

/// The number of a place in a universe.
pub(super) type PlaceId = u32;

/// The number of a cell in a universe.
pub(super) type CellId = u32;

/// Processes for variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Vec<(VariableId, PlaceId)>);

impl Names {
    pub(super) fn of(variables: &[Variable], places: &[PlaceId]) -> Names {
        Names(variables.iter().map(|variable| variable.id).zip(places.iter().copied()).collect())
    }

    /// The places for the variables 0, 1, ..
    pub(super) fn numbered(places: &[PlaceId]) -> Names {
        Names((0..).map(VariableId).zip(places.iter().copied()).collect())
    }

    pub(super) fn get(&self, variable: VariableId) -> Option<PlaceId> {
        self.0.iter().rev().find(|(id, _)| *id == variable).map(|&(_, place)| place)
    }

    pub(super) fn with(&self, variable: VariableId, place: PlaceId) -> Names {
        let mut extended = self.clone();
        extended.0.push((variable, place));
        extended
    }
}

/// The processes of a question. The first of them exist, and are pairwise different. The rest exist if some cell holds
/// them, or if a formula says so, and are then different from all others that exist.
pub(super) struct Universe {
    pub(super) places: Vec<Place>,
    /// How many exist in any case.
    pub(super) certain: u32,
    /// Whether there are no others.
    pub(super) complete: bool,
    /// The number of the first cell of each symbol.
    first: Vec<CellId>,
    /// How many cells there are.
    pub(super) cells: u32,
}

impl Universe {
    /// These processes, those that a formula says exist, and as many as `held` says of those that their cells may hold: the more
    /// of these, the more can be proved, and the slower. None if it would have too many cells.
    pub(super) fn new(
        system: &System,
        pointers: &Pointers,
        certain: Vec<Place>,
        witnesses: usize,
        held: usize,
    ) -> Option<Universe> {
        let mut places = certain;
        let certain = places.len();
        let complete = matches!(system.processes, Processes::Exactly(_));
        if !complete {
            places.extend((0..witnesses).map(Place::Witness));
            // Cells of a process that need not exist hold anything; if it does not, that may be one that does.
            let named = places.len();
            for Pointer { symbol, indices } in pointers.cells(count(named)?, held) {
                let indices = indices.iter().map(|index| match *index {
                    Index::Named(at) => places[at].clone(),
                    Index::Held(at) => places[named + at].clone(),
                });
                let place = Place::At(symbol, indices.collect());
                places.push(place);
            }
        }
        let mut cells: u32 = 0;
        let mut first = Vec::new();
        for symbol in &system.symbols {
            first.push(cells);
            let count = count(places.len())?.checked_pow(count(symbol.dimensions())?)?;
            cells = cells.checked_add(count).filter(|&cells| cells <= MAX_CELLS)?;
        }
        Some(Universe { places, certain: count(certain)?, complete, first, cells })
    }

    pub(super) fn len(&self) -> u32 {
        id(self.places.len())
    }

    /// A cell of a symbol.
    pub(super) fn cell(&self, symbol: SymbolId, places: &[PlaceId]) -> CellId {
        let offset = places.iter().fold(0, |offset, &place| offset * self.len() + place);
        self.first[symbol.0 as usize] + offset
    }

    /// The symbol of a cell.
    pub(super) fn symbol(&self, cell: CellId) -> SymbolId {
        // Symbols without cells begin where the next one does.
        SymbolId(id(self.first.partition_point(|&first| first <= cell) - 1))
    }

    /// The cell that has to hold a place, so that it exists.
    pub(super) fn holder(&self, place: PlaceId) -> Option<CellId> {
        let Place::At(symbol, indices) = &self.places[place as usize] else { return None };
        let indices = indices.iter().map(|index| {
            let at = self.places.iter().position(|place| place == index);
            id(at.expect("only places of the universe index its cells"))
        });
        Some(self.cell(*symbol, &indices.collect::<Vec<_>>()))
    }

    /// An instance of a clause.
    pub(super) fn instance(&self, clause: usize, places: &[PlaceId]) -> Instance {
        Instance { clause, places: places.iter().map(|&place| self.places[place as usize].clone()).collect() }
    }
}

/// The number of something of which a question has fewer than 2^32: places and cells (`MAX_CELLS`), and what a text declares.
pub(super) fn id(index: usize) -> u32 {
    index.try_into().expect("a question is not so large, and a text has fewer than 2^32 characters")
}

fn count(length: usize) -> Option<u32> {
    length.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_can_be_read() {
        let text =
            "var Home : proc\n array Next[proc] : proc\n array Cache[proc] : bool\n init { Home = Home }";
        let system = polycube_language::check(text).system.expect("a model");
        for text in ["#2", "p1", "o3", "w1", "Home", "Next[p2]", "Next[o1]"] {
            let place = Place::parse(&system, text).expect("a place");
            assert_eq!(place.display(&system).to_string(), text);
        }
        for text in
            ["", "p", "p0", "x1", "Next", "Home[p1]", "Cache[p1]", "Next[p1", "Next[p1,p2]", "Next[]", "p1 "]
        {
            assert_eq!(Place::parse(&system, text), None, "{text}");
        }
    }
}
