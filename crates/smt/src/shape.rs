//! Sets of values for many variables at once, packed into words.
//!
//! Each variable of a finite type has a *field*: one bit per value, and above them one *guard* bit that is
//! always 0. A list of words is a conjunction: every variable has one of the values whose bits are set. What
//! the solver and the cubes ask about all variables then takes a few instructions per word:
//!
//! - *Is some field empty?* Adding the word whose value bits are all 1 carries into the guard bit of exactly
//!   the fields that are not 0, and never further: a field of w bits is at most 2^w - 1, so the sum is
//!   below 2^(w+1).
//! - *Does one conjunction imply another?* `a & !b == 0`, if no field of `a` is empty.

use crate::relation::{NumberKind, Sort, SortId, Variable};

/// Where the values of a variable stand in a list of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub word: u32,
    /// The place of the lowest bit.
    pub shift: u8,
    pub width: u8,
}

impl Field {
    /// The bits of the field, in its word.
    #[inline]
    pub fn bits(self) -> u64 {
        ((1 << self.width) - 1) << self.shift
    }

    #[inline]
    pub fn guard(self) -> u64 {
        1 << (self.shift + self.width)
    }

    /// The set of values that a list of words gives it.
    #[inline]
    pub fn get(self, words: &[u64]) -> u64 {
        (words[self.word as usize] >> self.shift) & ((1 << self.width) - 1)
    }

    /// Takes away all values but these. Whether some are left.
    #[inline]
    pub fn restrict(self, words: &mut [u64], values: u64) -> bool {
        let word = &mut words[self.word as usize];
        *word &= (values << self.shift) | !self.bits();
        *word & self.bits() != 0
    }

    /// Gives it this set of values.
    #[inline]
    pub fn set(self, words: &mut [u64], values: u64) {
        let word = &mut words[self.word as usize];
        *word = (*word & !self.bits()) | (values << self.shift);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its values are those of a sort, and their set is a field.
    Finite(SortId, Field),
    /// Its values are those of a sort, none of them a point.
    Unbounded(SortId),
    Number(NumberKind),
}

/// The variables of a problem, and how sets of their values are packed.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// The bits of each word that stand for values.
    pub bits: Vec<u64>,
    /// The guard bits of each word.
    pub guards: Vec<u64>,
    pub variables: Vec<Kind>,
    pub sorts: Vec<Sort>,
}

/// The widest field: with its guard bit it fills a word.
pub const MAX_WIDTH: u8 = 63;

impl Shape {
    pub fn words(&self) -> usize {
        self.bits.len()
    }

    /// All variables, and what each is.
    pub fn iter(&self) -> impl Iterator<Item = (Variable, Kind)> + '_ {
        debug_assert!(self.variables.len() <= usize::from(u16::MAX), "variables are counted in 16 bits");
        self.variables.iter().zip(0..).map(|(&kind, number)| (Variable(number), kind))
    }

    #[inline]
    pub fn kind(&self, variable: Variable) -> Kind {
        self.variables[variable.0 as usize]
    }

    #[inline]
    pub fn field(&self, variable: Variable) -> Option<Field> {
        match self.kind(variable) {
            Kind::Finite(_, field) => Some(field),
            Kind::Unbounded(_) | Kind::Number(_) => None,
        }
    }

    /// The set of values of a variable that is no number.
    pub fn domain(&self, words: &[u64], variable: Variable) -> u64 {
        match self.kind(variable) {
            Kind::Finite(_, field) => field.get(words),
            Kind::Unbounded(sort) => self.sorts[sort.0 as usize].others(),
            Kind::Number(_) => 0,
        }
    }

    /// Whether some field is empty.
    #[inline]
    pub fn has_empty(&self, words: &[u64]) -> bool {
        words
            .iter()
            .zip(self.bits.iter().zip(&self.guards))
            .any(|(&word, (&bits, &guards))| nonempty(word, bits, guards) != guards)
    }

    /// Whether no variable can satisfy both.
    #[inline]
    pub fn are_disjoint(&self, left: &[u64], right: &[u64]) -> bool {
        left.iter()
            .zip(right)
            .zip(self.bits.iter().zip(&self.guards))
            .any(|((&left, &right), (&bits, &guards))| nonempty(left & right, bits, guards) != guards)
    }
}

/// The guard bits of the fields that are not empty.
#[inline]
pub fn nonempty(word: u64, bits: u64, guards: u64) -> u64 {
    word.wrapping_add(bits) & guards
}

/// Whether one conjunction implies the other; no field of the first is empty.
#[inline]
pub fn is_subset(left: &[u64], right: &[u64]) -> bool {
    left.iter().zip(right).all(|(&left, &right)| left & !right == 0)
}

/// The least value of a set; there is one.
#[inline]
pub fn least(values: u64) -> u8 {
    u8::try_from(values.trailing_zeros()).expect("a word has 64 bits")
}

/// The bits of the field whose guard bit this is.
#[inline]
pub fn field_below(guard: u64, bits: u64, guards: u64) -> u64 {
    // The field reaches down to the next guard bit below it, or to the end of the word.
    let below = guard - 1;
    let lower_guards = guards & below;
    let floor = if lower_guards == 0 { 0 } else { u64::MAX >> lower_guards.leading_zeros() };
    below & !floor & bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_word() {
        let fields = [
            Field { word: 0, shift: 0, width: 2 },
            Field { word: 0, shift: 3, width: 1 },
            Field { word: 0, shift: 5, width: 58 },
        ];
        let bits = fields.iter().map(|field| field.bits()).sum::<u64>();
        let guards = fields.iter().map(|field| field.guard()).sum::<u64>();
        assert_eq!(guards >> 63, 1);
        for pattern in 0..8u64 {
            for fill in [1u64, u64::MAX] {
                let mut words = [0u64];
                for (at, field) in fields.iter().enumerate() {
                    let values = fill & (field.bits() >> field.shift);
                    field.set(&mut words, if pattern >> at & 1 == 1 { values } else { 0 });
                }
                let found = nonempty(words[0], bits, guards);
                for (at, field) in fields.iter().enumerate() {
                    assert_eq!(found & field.guard() != 0, pattern >> at & 1 == 1);
                    assert_eq!(field_below(field.guard(), bits, guards), field.bits());
                }
            }
        }
    }
}
