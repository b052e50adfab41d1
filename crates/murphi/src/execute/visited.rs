//! The states that were found, packed: each leaf in as few bits as its values need, each state stored once.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::domain::{Domain, UNDEFINED};

/// How many states a piece of the store has.
const PIECE: usize = 1 << 14;

/// How many states can be numbered.
const MAX_STATES: usize = u32::MAX as usize - 1;

/// How states are packed: a leaf is 0 where it is undefined, else its place among the values, from 1.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    leaves: Vec<Packed>,
    bits: usize,
}

#[derive(Clone, Debug)]
struct Packed {
    domain: Domain,
    bits: u32,
}

impl Packing {
    pub fn new(leaves: &[Domain]) -> Packing {
        let packed = |domain: &Domain| Packed {
            domain: domain.clone(),
            bits: 64 - domain.count().max(1).cast_unsigned().leading_zeros(),
        };
        let leaves: Vec<Packed> = leaves.iter().map(packed).collect();
        let bits = leaves.iter().map(|leaf| leaf.bits as usize).sum();
        Packing { leaves, bits }
    }

    pub fn bits(&self) -> usize {
        self.bits
    }

    /// How many words a state takes.
    pub fn words(&self) -> usize {
        self.bits.div_ceil(64).max(1)
    }

    pub fn pack(&self, state: &[i64], packed: &mut [u64]) {
        packed.fill(0);
        let mut at = 0;
        for (leaf, &value) in self.leaves.iter().zip(state) {
            let code = match value {
                UNDEFINED => 0,
                value => leaf.domain.position(value).expect("what is stored was checked") + 1,
            };
            let (word, shift) = (at / 64, at % 64);
            packed[word] |= code.cast_unsigned() << shift;
            if shift + leaf.bits as usize > 64 {
                packed[word + 1] |= code.cast_unsigned() >> (64 - shift);
            }
            at += leaf.bits as usize;
        }
    }

    pub fn unpack(&self, packed: &[u64], state: &mut [i64]) {
        let mut at = 0;
        for (leaf, value) in self.leaves.iter().zip(state) {
            let (word, shift) = (at / 64, at % 64);
            let mut code = packed[word] >> shift;
            if shift + leaf.bits as usize > 64 {
                code |= packed[word + 1] << (64 - shift);
            }
            code &= (1 << leaf.bits) - 1;
            *value = if code == 0 { UNDEFINED } else { leaf.domain.value(code.cast_signed() - 1) };
            at += leaf.bits as usize;
        }
    }
}

/// The states, in the order in which they were found.
pub(super) struct Visited {
    words: usize,
    pieces: Vec<Vec<u64>>,
    /// From which state each was reached first; start states from themselves.
    parents: Vec<u32>,
    /// Numbers of states, from 1; 0 where there is none.
    table: Vec<u32>,
}

impl Visited {
    pub fn new(words: usize) -> Visited {
        Visited { words, pieces: Vec::new(), parents: Vec::new(), table: vec![0; 1 << 10] }
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }

    pub fn is_full(&self) -> bool {
        self.len() >= MAX_STATES
    }

    pub fn state(&self, number: usize) -> &[u64] {
        let start = number % PIECE * self.words;
        &self.pieces[number / PIECE][start..start + self.words]
    }

    pub fn parent(&self, number: usize) -> usize {
        self.parents[number] as usize
    }

    /// How many bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        let states: usize = self.pieces.iter().map(Vec::capacity).sum();
        states * 8 + (self.parents.capacity() + self.table.len()) * 4
    }

    /// Adds a state unless it is there. Its number, and whether it is new.
    pub fn insert(&mut self, state: &[u64], parent: Option<usize>) -> (usize, bool) {
        if (self.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let slot = self.slot(state);
        if let Some(known) = (self.table[slot] as usize).checked_sub(1) {
            return (known, false);
        }
        let number = self.len();
        if number.is_multiple_of(PIECE) {
            self.pieces.push(Vec::new());
        }
        self.pieces[number / PIECE].extend_from_slice(state);
        self.parents.push(u32::try_from(parent.unwrap_or(number)).expect("it is not full"));
        self.table[slot] = u32::try_from(number + 1).expect("it is not full");
        (number, true)
    }

    /// Where a state is in the table, or belongs.
    fn slot(&self, state: &[u64]) -> usize {
        let mut slot = hash(state) & (self.table.len() - 1);
        while let Some(number) = (self.table[slot] as usize).checked_sub(1) {
            if self.state(number) == state {
                break;
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
        slot
    }

    fn grow(&mut self) {
        let room = self.table.len() * 2;
        self.table = vec![0; room];
        for number in 0..self.len() {
            let mut slot = hash(self.state(number)) & (room - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (room - 1);
            }
            self.table[slot] = number as u32 + 1;
        }
    }

    /// Forgets all states but the first ones. Nothing can be added or asked for afterwards.
    pub fn truncate(&mut self, count: usize) {
        self.parents.truncate(count);
    }
}

fn hash(state: &[u64]) -> usize {
    let mut hasher = FxHasher::default();
    state.iter().for_each(|word| hasher.write_u64(*word));
    let hash = hasher.finish();
    // The low bits of products are poor.
    (hash ^ (hash >> 32)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_states_are_the_same_states() {
        let domain = |first, count| Domain::numbers(first, count);
        let leaves: Vec<Domain> = (1..60).map(|count| domain(-3, count * count)).collect();
        let packing = Packing::new(&leaves);
        let mut packed = vec![0; packing.words()];
        for round in 0..100 {
            let value = |(at, leaf): (usize, &Domain)| match (at as i64 * 7 + round) % (leaf.count() + 1) {
                0 => UNDEFINED,
                at => leaf.value(at - 1),
            };
            let state: Vec<i64> = leaves.iter().enumerate().map(value).collect();
            packing.pack(&state, &mut packed);
            let mut unpacked = vec![0; leaves.len()];
            packing.unpack(&packed, &mut unpacked);
            assert_eq!(unpacked, state);
        }
    }

    #[test]
    fn each_state_is_stored_once() {
        let mut visited = Visited::new(2);
        for round in 0..2 {
            for number in 0..50_000_u64 {
                let (found, is_new) = visited.insert(&[number, number * number], None);
                assert_eq!((found, is_new), (number as usize, round == 0));
            }
        }
        assert_eq!(visited.table[visited.slot(&[1, 2])], 0);
        assert_eq!(visited.state(200), [200, 40_000]);
    }
}
