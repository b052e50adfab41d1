//! Representatives by sorting: everything a state says about processes is one block of bits for each, and global pointers to them.

use super::labelling::Labelling;
use crate::compile::Instance;
use crate::compile::layout::Field;

/// Sorts the blocks of the processes.
#[derive(Clone, Debug)]
pub struct Sorting {
    /// Where the blocks of the processes lie that may be renamed.
    places: Vec<Field>,
    /// The global slots that hold a process.
    pointers: Vec<Field>,
    /// For each process, its position among `places`; `usize::MAX` if it keeps its name.
    position: Vec<usize>,
    /// The process at each position.
    process: Vec<u64>,
}

impl Sorting {
    pub(super) fn new(instance: &Instance<'_>, labelling: &Labelling) -> Option<Sorting> {
        let simple = labelling.has_only_blocks_and_pointers();
        let places: Vec<Field> = match &instance.layout.blocks[..] {
            [] => vec![Field { word: 0, shift: 0, bits: 0 }; labelling.free.len()],
            [block] => labelling.free.iter().map(|&process| block.places[process as usize]).collect(),
            _ => return None,
        };
        let pointers = labelling.pointers.clone();
        if !simple || usize::from(places[0].bits) + pointers.len() > 64 {
            return None;
        }
        let mut position = vec![usize::MAX; instance.slots.processes() as usize];
        for (at, &process) in labelling.free.iter().enumerate() {
            position[process as usize] = at;
        }
        let process = labelling.free.iter().map(|&process| u64::from(process)).collect();
        Some(Sorting { places, pointers, position, process })
    }

    #[inline]
    pub(super) fn representative<const W: usize>(&self, state: &[u64; W]) -> [u64; W] {
        // Small arrays, because making a large one would take longer than sorting it.
        match self.places.len() {
            ..=8 => self.sorted::<W, 8>(state),
            9..=16 => self.sorted::<W, 16>(state),
            _ => self.sorted::<W, 64>(state),
        }
    }

    #[inline(always)]
    fn sorted<const W: usize, const N: usize>(&self, state: &[u64; W]) -> [u64; W] {
        let count = self.places.len();
        let mut keys = [0u64; N];
        let keys = &mut keys[..count];
        for (key, place) in keys.iter_mut().zip(&self.places) {
            *key = place.get(state) << self.pointers.len();
        }
        for (bit, pointer) in self.pointers.iter().enumerate() {
            let position = self.position[pointer.get(state) as usize];
            if position < count {
                keys[position] |= 1 << bit;
            }
        }
        // Successors of a sorted state are almost sorted.
        let mut sorted = true;
        for at in 1..count {
            let key = keys[at];
            let mut hole = at;
            while hole > 0 && keys[hole - 1] < key {
                keys[hole] = keys[hole - 1];
                hole -= 1;
            }
            keys[hole] = key;
            sorted &= hole == at;
        }
        let mut result = *state;
        if sorted {
            return result;
        }
        for (at, place) in self.places.iter().enumerate() {
            place.set(&mut result, keys[at] >> self.pointers.len());
        }
        for (bit, pointer) in self.pointers.iter().enumerate() {
            if let Some(position) = keys.iter().position(|key| key >> bit & 1 == 1) {
                pointer.set(&mut result, self.process[position]);
            }
        }
        result
    }
}
