//! Representatives by sorting: everything a state says about processes is one block of bits for each, and
//! global pointers to them.

use super::graph::Graph;
use crate::compile::Instance;
use crate::compile::layout::{Field, word_of};

/// Sorts the blocks of the processes.
///
/// Exact: the keys, and what belongs to no process, are all that a state consists of. Processes with equal
/// keys are not held by any pointer (a pointer holds only one), so exchanging them changes nothing, and
/// renamings of a state have the same keys in another order.
#[derive(Clone, Debug)]
pub struct Sorting {
    /// Where the blocks of the processes lie that may be renamed.
    places: Vec<Field>,
    /// The bits of a block, at the bottom of a word.
    block: u64,
    /// The bits of each word that belong to no such block.
    others: Vec<u64>,
    /// The global slots that hold a process.
    pointers: Vec<Field>,
    /// For each process, its position among `places`; `usize::MAX` if it keeps its name.
    position: Vec<usize>,
    /// The process at each position.
    process: Vec<u32>,
}

impl Sorting {
    /// Sorting for an instance; none if that is not enough.
    pub(super) fn new(instance: &Instance<'_>, graph: &Graph) -> Option<Sorting> {
        let places: Vec<Field> = match &instance.layout.blocks[..] {
            [] => vec![Field { word: 0, shift: 0, bits: 0 }; graph.free.len()],
            [block] => graph.free.iter().map(|&process| block.places[process as usize]).collect(),
            _ => return None,
        };
        let pointers = graph.pointers.clone();
        if !graph.has_only_blocks_and_pointers() || usize::from(places[0].bits) + pointers.len() > 63 {
            return None;
        }
        let mut position = vec![usize::MAX; instance.slots.processes() as usize];
        for (at, &process) in graph.free.iter().enumerate() {
            position[process as usize] = at;
        }
        let mut others = vec![u64::MAX; instance.layout.words];
        places.iter().for_each(|place| others[usize::from(place.word)] &= !place.mask());
        Some(Sorting {
            block: places[0].low_mask(),
            others,
            places,
            pointers,
            position,
            process: graph.free.clone(),
        })
    }

    #[inline]
    pub(super) fn representative<const W: usize>(&self, state: &[u64; W], processes: &mut [u32]) -> [u64; W] {
        // Small arrays, because making a large one would take longer than sorting it.
        match self.places.len() {
            ..=4 => self.sorted(state, processes, sort_4),
            5..=8 => self.sorted(state, processes, sort_8),
            9..=16 => self.sorted::<W, 16>(state, processes, |keys| insertion_sort(keys)),
            _ => self.sorted::<W, 64>(state, processes, |keys| insertion_sort(keys)),
        }
    }

    /// `sort` brings keys into decreasing order. Keys beyond the last process are 0, and stay behind the
    /// others.
    #[inline(always)]
    fn sorted<const W: usize, const N: usize>(
        &self,
        state: &[u64; W],
        processes: &mut [u32],
        sort: impl Fn(&mut [u64; N]),
    ) -> [u64; W] {
        let mut keys = [0u64; N];
        for (key, place) in keys.iter_mut().zip(&self.places) {
            *key = ((state[word_of::<W>(place.word)] >> place.shift) & self.block) << self.pointers.len();
        }
        for (bit, pointer) in self.pointers.iter().enumerate() {
            let position = self.position[pointer.index(state)];
            if position < N {
                keys[position] |= 1 << bit;
            }
        }
        if !processes.is_empty() {
            self.rename(processes, &keys);
        }
        sort(&mut keys);
        let mut result = *state;
        result.iter_mut().zip(&self.others).for_each(|(word, others)| *word &= others);
        for (key, place) in keys.iter().zip(&self.places) {
            result[word_of::<W>(place.word)] |= (key >> self.pointers.len()) << place.shift;
        }
        for (bit, pointer) in self.pointers.iter().enumerate() {
            let held = keys.iter().enumerate().fold(0u64, |held, (at, key)| held | (key >> bit & 1) << at);
            // A pointer to a process that keeps its name is in no key, and stays.
            if held != 0 {
                pointer.set(&mut result, u64::from(self.process[held.trailing_zeros() as usize]));
            }
        }
        result
    }

    /// Gives processes the names that they have when the keys are sorted. Of those with the same key, any can
    /// come first.
    #[inline]
    fn rename<const N: usize>(&self, processes: &mut [u32], keys: &[u64; N]) {
        for at in 0..processes.len() {
            let (earlier, rest) = processes.split_at_mut(at);
            let Some(&key) = keys.get(self.position[rest[0] as usize]) else { continue };
            let mut place = keys.iter().filter(|&&other| other > key).count();
            while earlier.contains(&self.process[place]) {
                place += 1;
            }
            rest[0] = self.process[place];
        }
    }
}

/// Exchanges keys that are out of order, pair after pair: a sorting network, in which no branch depends on
/// the keys. Written out, because a loop over a table of pairs stays a loop.
macro_rules! network {
    ($keys:ident: $($left:literal $right:literal),*) => {
        $(
            let (one, other) = ($keys[$left], $keys[$right]);
            $keys[$left] = one.max(other);
            $keys[$right] = one.min(other);
        )*
    };
}

#[inline(always)]
fn sort_4(keys: &mut [u64; 4]) {
    network!(keys: 0 2, 1 3, 0 1, 2 3, 1 2);
}

/// The network with the fewest exchanges for eight keys (see Knuth, The Art of Computer Programming, volume
/// 3, section 5.3.4, on such networks).
#[inline(always)]
fn sort_8(keys: &mut [u64; 8]) {
    network!(keys: 0 2, 1 3, 4 6, 5 7, 0 4, 1 5, 2 6, 3 7, 0 1, 2 3, 4 5, 6 7, 2 4, 3 5, 1 4, 3 6, 1 2, 3 4, 5 6);
}

/// Successors of a sorted state are almost sorted.
fn insertion_sort(keys: &mut [u64]) {
    for at in 1..keys.len() {
        let key = keys[at];
        let mut hole = at;
        while hole > 0 && keys[hole - 1] < key {
            keys[hole] = keys[hole - 1];
            hole -= 1;
        }
        keys[hole] = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network sorts everything if it sorts all sequences of zeros and ones (Knuth, section 5.3.4, theorem
    /// Z).
    #[test]
    fn networks_sort() {
        for bits in 0..1u64 << 8 {
            let mut keys: [u64; 8] = std::array::from_fn(|at| bits >> at & 1);
            sort_8(&mut keys);
            assert!(keys.is_sorted_by(|left, right| left >= right), "{bits:b}");
            let mut keys: [u64; 4] = std::array::from_fn(|at| bits >> at & 1);
            sort_4(&mut keys);
            assert!(keys.is_sorted_by(|left, right| left >= right), "{bits:b}");
        }
    }
}
