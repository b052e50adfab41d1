//! The processes that a question speaks of, and the cells that they index.

use polycube_certificate::hint::{Hint, Promise, Role};
use polycube_certificate::pointers::{Pointer, Pointers};
use polycube_certificate::tuples::distinct_tuples;
use polycube_language::System;
use polycube_language::formula::{Variable, VariableId};
use polycube_language::system::{Processes, SymbolId};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::claims::Claims;

const MAX_CELLS: u32 = 1 << 20;

/// How many processes there are, at most, of which clauses say that they exist: few at first, and more where cells are
/// followed. Any number is sound: each is one that a clause promises. With 32, some invariants of the splitter were left
/// open, and with 64 one in thousands of those that were changed.
const FEW_PROMISED: usize = 64;
const MANY_PROMISED: usize = 256;

pub(crate) type PlaceId = u32;

pub(crate) type CellId = u32;

/// Processes for variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(SmallVec<[(VariableId, PlaceId); 6]>);

impl Names {
    pub(crate) fn of(variables: &[Variable], places: &[PlaceId]) -> Names {
        Names(variables.iter().map(|variable| variable.id).zip(places.iter().copied()).collect())
    }

    /// The places for the variables 0, 1, ..
    pub(crate) fn numbered(places: &[PlaceId]) -> Names {
        Names((0..).map(VariableId).zip(places.iter().copied()).collect())
    }

    pub(crate) fn get(&self, variable: VariableId) -> Option<PlaceId> {
        self.0.iter().rev().find(|(id, _)| *id == variable).map(|&(_, place)| place)
    }

    pub(crate) fn with(&self, variable: VariableId, place: PlaceId) -> Names {
        let mut extended = self.clone();
        extended.0.push((variable, place));
        extended
    }
}

/// The processes of a question. The first of them exist, and are pairwise different. The rest exist if some
/// cell holds them, or if a formula says so, and are then different from all others that exist.
pub(crate) struct Universe {
    pub(crate) places: Vec<Role>,
    /// How many exist in any case.
    pub(crate) certain: u32,
    /// Whether there are no others.
    pub(crate) complete: bool,
    /// The number of the first cell of each symbol.
    first: Vec<CellId>,
    pub(crate) cells: u32,
    /// The instances of clauses that have places for the processes of which they say that they exist.
    promising: FxHashSet<(usize, Vec<PlaceId>)>,
}

impl Universe {
    /// These processes, those that a formula says exist, those that clauses say exist, and as many as `held`
    /// says of those that their cells may hold: the more of these, the more can be proved, and the slower.
    /// None if it would have too many cells.
    pub(crate) fn new(
        system: &System,
        pointers: &Pointers,
        claims: &Claims,
        certain: Vec<Role>,
        witnesses: usize,
        held: usize,
    ) -> Option<Universe> {
        let mut places = certain;
        let certain = places.len();
        let complete = matches!(system.processes, Processes::Exactly(_));
        let mut promising = FxHashSet::default();
        if !complete {
            places.extend((0..witnesses).map(Role::Witness));
            let most = if held == 0 { FEW_PROMISED } else { MANY_PROMISED };
            add_promised(claims, certain, most, &mut places, &mut promising);
            // A witness, or a promised process, need not exist. If it does not, its cells are unconstrained,
            // and may hold a process that does exist.
            for Pointer { symbol, indices } in pointers.cells(count(places.len())?, held) {
                let indices = indices.iter().map(|&index| places[index].clone()).collect();
                places.push(Role::At(symbol, indices));
            }
            if held > 0 {
                let all = places.len();
                add_promised(claims, all, most, &mut places, &mut promising);
            }
        }
        let mut cells: u32 = 0;
        let mut first = Vec::new();
        for symbol in &system.symbols {
            first.push(cells);
            let count = count(places.len())?.checked_pow(count(symbol.dimensions())?)?;
            cells = cells.checked_add(count).filter(|&cells| cells <= MAX_CELLS)?;
        }
        Some(Universe { places, certain: count(certain)?, complete, first, cells, promising })
    }

    pub(crate) fn len(&self) -> u32 {
        id(self.places.len())
    }

    /// The place of the process `#k`.
    pub(crate) fn place_of(&self, number: u32) -> PlaceId {
        let place = self.places.iter().position(|place| *place == Role::Number(number));
        id(place.expect("only systems with a fixed number of processes name them"))
    }

    pub(crate) fn cell(&self, symbol: SymbolId, places: &[PlaceId]) -> CellId {
        let offset = places.iter().fold(0, |offset, &place| offset * self.len() + place);
        self.first[symbol.0 as usize] + offset
    }

    pub(crate) fn symbol(&self, cell: CellId) -> SymbolId {
        // Symbols without cells begin where the next one does.
        SymbolId(id(self.first.partition_point(|&first| first <= cell) - 1))
    }

    /// The cell that has to hold a place, so that it exists.
    pub(crate) fn holder(&self, place: PlaceId) -> Option<CellId> {
        let Role::At(symbol, indices) = &self.places[place as usize] else { return None };
        let indices = indices.iter().map(|index| {
            let at = self.places.iter().position(|place| place == index);
            id(at.expect("only places of the universe index its cells"))
        });
        Some(self.cell(*symbol, &indices.collect::<Vec<_>>()))
    }

    /// Whether there are places for the processes of which an instance of a clause says that they exist.
    pub(crate) fn has_promised(&self, clause: usize, places: &[PlaceId]) -> bool {
        self.promising.contains(&(clause, places.to_vec()))
    }

    /// An instance of a clause.
    pub(crate) fn hint(&self, clause: usize, places: &[PlaceId]) -> Hint {
        Hint { clause, roles: places.iter().map(|&place| self.places[place as usize].clone()).collect() }
    }
}

/// Adds places for the processes of which clauses say, of the first places, that they exist.
fn add_promised(
    claims: &Claims,
    first: usize,
    most: usize,
    places: &mut Vec<Role>,
    promising: &mut FxHashSet<(usize, Vec<PlaceId>)>,
) {
    let most = places.len() + most;
    let known = claims.claims[..claims.known].iter().enumerate();
    for (clause, claim) in known.filter(|(_, claim)| claim.promised > 0) {
        for tuple in distinct_tuples(id(first), claim.parameters) {
            if places.len() + claim.promised > most {
                break;
            }
            let tuple: Vec<PlaceId> = tuple.iter().map(|place| place - 1).collect();
            let roles: Vec<Role> = tuple.iter().map(|&place| places[place as usize].clone()).collect();
            if promising.insert((clause, tuple)) {
                let promise = |number| Role::Promised(Promise { clause, number }, roles.clone());
                places.extend((0..claim.promised).map(promise));
            }
        }
    }
}

/// The number of something of which a question has fewer than 2^32: places and cells (`MAX_CELLS`), and what
/// a text declares.
pub(crate) fn id(index: usize) -> u32 {
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
            let place = Role::parse(&system, text).expect("a place");
            assert_eq!(place.display(&system).to_string(), text);
        }
        for text in
            ["", "p", "p0", "x1", "Next", "Home[p1]", "Cache[p1]", "Next[p1", "Next[p1,p2]", "Next[]", "p1 "]
        {
            assert_eq!(Role::parse(&system, text), None, "{text}");
        }
    }
}
