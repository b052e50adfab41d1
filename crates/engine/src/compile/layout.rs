//! Where the slots lie in a packed state.
//!
//! A state is a few 64-bit words; a slot is a field of bits inside one word. The cells of one-dimensional
//! arrays that belong to one process lie together in *blocks*: block `b` of process `p` and block `b` of
//! process `q` have the same shape, so exchanging two processes is exchanging blocks. Each block lies inside
//! one word. What is left of the words takes the other slots.

use super::slot::{SlotId, Slots};
use polycube_language::System;
use polycube_language::system::SymbolId;

/// A field of bits in a packed state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Field {
    pub(crate) word: u16,
    pub(crate) shift: u8,
    /// Its width, at most 63; 0 for a slot with only one value.
    pub(crate) bits: u8,
}

impl Field {
    /// The bits of the field, at the bottom of a word.
    pub(crate) fn low_mask(self) -> u64 {
        (1u64 << self.bits) - 1
    }

    /// The bits of the field in its word.
    pub(crate) fn mask(self) -> u64 {
        self.low_mask() << self.shift
    }

    #[inline]
    pub(crate) fn get<const W: usize>(self, state: &[u64; W]) -> u64 {
        (state[word_of::<W>(self.word)] >> self.shift) & self.low_mask()
    }

    /// The code as the index that it is where the field has finitely many values.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the values are listed, in memory: an index of one fits"
    )]
    pub(crate) fn index<const W: usize>(self, state: &[u64; W]) -> usize {
        self.get(state) as usize
    }

    /// The same as [`Field::get`] for a state of any length.
    #[inline]
    pub(crate) fn get_from(self, state: &[u64]) -> u64 {
        (state[usize::from(self.word)] >> self.shift) & self.low_mask()
    }

    #[inline]
    pub(crate) fn set<const W: usize>(self, state: &mut [u64; W], code: u64) {
        debug_assert!(code <= self.low_mask(), "a code fits into its field");
        let word = &mut state[word_of::<W>(self.word)];
        *word = *word & !self.mask() | code << self.shift;
    }
}

/// The position of a word in a state of `W` words: a state of one word needs neither a look at the number nor
/// a test of it.
#[inline(always)]
pub(crate) fn word_of<const W: usize>(word: u16) -> usize {
    if W == 1 { 0 } else { usize::from(word) }
}

/// Cells of one process that lie together, at the same place for every process.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The one-dimensional arrays whose cells lie in it, with the lowest bit of each in the block.
    pub(crate) symbols: Vec<(SymbolId, u8)>,
    /// Where it lies, for each process.
    pub(crate) places: Vec<Field>,
}

#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// By slot.
    pub(crate) fields: Vec<Field>,
    pub(crate) blocks: Vec<Block>,
    /// How many words a state has, at least 1.
    pub(crate) words: usize,
    /// How many bits of the last word are used; the others are used almost fully.
    pub(crate) last_bits: u32,
    /// The sum of the widths of all slots.
    pub(crate) slot_bits: u64,
}

impl Layout {
    /// The most words that a state may have.
    pub const MAX_WORDS: usize = 64;

    /// Finds a place for all slots. Of the possible ways to cut the cells of a process into blocks, the one
    /// that needs the least room.
    pub(crate) fn new(system: &System, slots: &Slots) -> Layout {
        (1..=4)
            .map(|cuts| Layout::with_blocks(system, slots, cuts))
            .min_by_key(Layout::bytes)
            .expect("there are several ways")
    }

    /// How many bytes a state takes where it is stored.
    pub(crate) fn bytes(&self) -> usize {
        (self.words - 1) * 8 + self.last_bits.div_ceil(8) as usize
    }

    pub(crate) fn field(&self, slot: SlotId) -> Field {
        self.fields[slot.0 as usize]
    }

    fn with_blocks(system: &System, slots: &Slots, cuts: u32) -> Layout {
        let bits = |symbol: SymbolId| {
            u8::try_from(slots.domains[symbol.0 as usize].bits()).expect("a field lies in one word")
        };
        let mut packer = Packer { used: Vec::new() };
        let mut fields = vec![Field { word: 0, shift: 0, bits: 0 }; slots.len()];
        let symbols = || system.symbols.iter().zip(0..).map(|(_, id)| SymbolId(id));

        let of_processes: Vec<SymbolId> =
            symbols().filter(|&symbol| system.symbol(symbol).dimensions() == 1 && bits(symbol) > 0).collect();
        let width: u32 = of_processes.iter().map(|&symbol| u32::from(bits(symbol))).sum();
        let mut blocks = Vec::new();
        for (symbols, width) in cut(&of_processes, &bits, width.div_ceil(cuts).min(64)) {
            let places: Vec<Field> = (0..slots.processes()).map(|_| packer.place(width)).collect();
            for &(symbol, offset) in &symbols {
                for (slot, place) in slots.of_symbol(symbol).zip(&places) {
                    let field = Field { shift: place.shift + offset, bits: bits(symbol), ..*place };
                    fields[slot.0 as usize] = field;
                }
            }
            blocks.push(Block { symbols, places });
        }

        let mut rest: Vec<SymbolId> =
            symbols().filter(|&symbol| system.symbol(symbol).dimensions() != 1).collect();
        rest.sort_by_key(|&symbol| std::cmp::Reverse(bits(symbol)));
        for symbol in rest {
            for slot in slots.of_symbol(symbol) {
                fields[slot.0 as usize] = packer.place(bits(symbol));
            }
        }
        let slot_bits = slots.iter().map(|slot| u64::from(bits(slots.symbol(slot)))).sum();
        packer.finish(fields, blocks, slot_bits)
    }
}

/// Distributes symbols over blocks of about `target` bits, none above 64.
fn cut(symbols: &[SymbolId], bits: &dyn Fn(SymbolId) -> u8, target: u32) -> Vec<(Vec<(SymbolId, u8)>, u8)> {
    let mut blocks: Vec<(Vec<(SymbolId, u8)>, u8)> = Vec::new();
    for &symbol in symbols {
        match blocks.last_mut() {
            Some((block, width)) if u32::from(*width) < target && *width + bits(symbol) <= 63 => {
                block.push((symbol, *width));
                *width += bits(symbol);
            }
            _ => blocks.push((vec![(symbol, 0)], bits(symbol))),
        }
    }
    blocks
}

fn word_number(word: usize) -> u16 {
    u16::try_from(word).expect("a state with too many bits has no layout")
}

/// Puts fields into words, each into the first that has room.
struct Packer {
    /// How many bits of each word are taken.
    used: Vec<u8>,
}

impl Packer {
    fn place(&mut self, bits: u8) -> Field {
        if bits == 0 {
            return Field { word: 0, shift: 0, bits: 0 };
        }
        let word = self.used.iter().position(|used| used + bits <= 64).unwrap_or_else(|| {
            self.used.push(0);
            self.used.len() - 1
        });
        let shift = self.used[word];
        self.used[word] += bits;
        Field { word: word_number(word), shift, bits }
    }

    /// Makes the word with the most room the last one, since only that one is stored in part.
    fn finish(self, mut fields: Vec<Field>, mut blocks: Vec<Block>, slot_bits: u64) -> Layout {
        let words = self.used.len().max(1);
        let last = (0..self.used.len()).min_by_key(|&word| self.used[word]).unwrap_or(0);
        let moved = |field: &mut Field| {
            if usize::from(field.word) == last {
                field.word = word_number(words - 1);
            } else if usize::from(field.word) == words - 1 {
                field.word = word_number(last);
            }
        };
        fields.iter_mut().for_each(moved);
        blocks.iter_mut().flat_map(|block| &mut block.places).for_each(moved);
        let last_bits = self.used.get(last).copied().unwrap_or(0).max(1).into();
        Layout { fields, blocks, words, last_bits, slot_bits }
    }
}
