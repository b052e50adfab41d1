//! Slots: the cells that make up a state of an instance, one number for each, and what each can hold.

use polycube_language::System;
use polycube_language::system::SymbolId;

use super::domain::Domain;

/// A variable, a constant, or one cell of an array: `Turn`, `Cache[#2]`, `Sent[#1, #3]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SlotId(pub u32);

/// All slots of an instance. Processes count from 0 here; `#1` is process 0.
///
/// Invariant: the slots of a symbol follow each other, in the lexicographic order of their tuples of
/// processes, and the symbols follow each other in the order of their declaration.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    processes: u32,
    /// The first slot of each symbol, and behind the last symbol the number of all slots.
    first: Vec<u32>,
    /// By slot.
    symbols: Vec<SymbolId>,
    /// By symbol.
    pub(crate) domains: Vec<Domain>,
}

impl Slots {
    /// The most slots an instance may have; enough for 64 processes and a dozen of two-dimensional arrays.
    pub const MAX: u64 = 1 << 16;

    /// The slots of an instance with this many processes; how many there would be, if that is too many.
    pub(crate) fn new(system: &System, processes: u32, domains: Vec<Domain>) -> Result<Self, u64> {
        let mut first = vec![0];
        let mut symbols = Vec::new();
        let mut total = 0u64;
        for (symbol, id) in system.symbols.iter().zip(0..) {
            let dimensions = u32::try_from(symbol.dimensions()).unwrap_or(u32::MAX);
            let cells = u64::from(processes).saturating_pow(dimensions);
            total = total.saturating_add(cells);
            if total <= Slots::MAX {
                symbols.extend((0..cells).map(|_| SymbolId(id)));
            }
            first.push(u32::try_from(total.min(Slots::MAX)).expect("there are few slots"));
        }
        if total > Slots::MAX { Err(total) } else { Ok(Slots { processes, first, symbols, domains }) }
    }

    pub(crate) fn processes(&self) -> u32 {
        self.processes
    }

    pub(crate) fn len(&self) -> usize {
        self.symbols.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = SlotId> + use<> {
        (0..self.first.last().copied().unwrap_or(0)).map(SlotId)
    }

    /// The slot of a symbol at a tuple of processes.
    pub(crate) fn slot(&self, symbol: SymbolId, tuple: &[u32]) -> SlotId {
        let offset = tuple.iter().fold(0, |offset, process| offset * self.processes + process);
        SlotId(self.first[symbol.0 as usize] + offset)
    }

    pub(crate) fn of_symbol(&self, symbol: SymbolId) -> impl Iterator<Item = SlotId> + use<> {
        (self.first[symbol.0 as usize]..self.first[symbol.0 as usize + 1]).map(SlotId)
    }

    pub(crate) fn symbol(&self, slot: SlotId) -> SymbolId {
        self.symbols[slot.0 as usize]
    }

    pub(crate) fn domain(&self, slot: SlotId) -> &Domain {
        &self.domains[self.symbol(slot).0 as usize]
    }
}

/// All tuples of `length` processes in lexicographic order.
pub(crate) fn tuples(processes: u32, length: usize) -> impl Iterator<Item = Vec<u32>> {
    let mut next = (processes > 0 || length == 0).then(|| vec![0; length]);
    std::iter::from_fn(move || {
        let current = next.clone()?;
        let tuple = next.as_mut()?;
        match tuple.iter().rposition(|&process| process + 1 < processes) {
            None => next = None,
            Some(at) => {
                tuple[at] += 1;
                tuple[at + 1..].fill(0);
            }
        }
        Some(current)
    })
}

/// All tuples of pairwise distinct processes, in lexicographic order.
pub fn injective_tuples(processes: u32, length: usize) -> impl Iterator<Item = Vec<u32>> {
    std::iter::successors(first_injective(processes, length), move |tuple| {
        let mut next = tuple.clone();
        next_injective(&mut next, processes).then_some(next)
    })
}

pub(crate) fn first_injective(processes: u32, length: usize) -> Option<Vec<u32>> {
    let fits = u32::try_from(length).is_ok_and(|length| length <= processes);
    fits.then(|| (0..processes).take(length).collect())
}

/// Makes a tuple the next one; whether there is one.
pub(crate) fn next_injective(tuple: &mut [u32], processes: u32) -> bool {
    for at in (0..tuple.len()).rev() {
        let (kept, last) = (&tuple[..at], tuple[at]);
        let Some(larger) = (last + 1..processes).find(|process| !kept.contains(process)) else { continue };
        tuple[at] = larger;
        for rest in at + 1..tuple.len() {
            let least = (0..processes).find(|process| !tuple[..rest].contains(process));
            tuple[rest] = least.expect("there are as many processes as places");
        }
        return true;
    }
    false
}
