//! What one process tells the others, or keeps for later, in numbers.

use polycube_language::system::SymbolId;

use super::search::{Findings, Found};
use crate::compile::domain::Unstorable;
use crate::compile::program::Unfit;

/// Numbers that are written one after the other.
#[derive(Debug, Default)]
pub struct Writer(pub Vec<u64>);

/// Reads what a [`Writer`] has written. What it reads may come from anywhere: nothing of it is believed.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'w>(pub &'w [u64]);

impl Writer {
    pub fn number(&mut self, number: u64) {
        self.0.push(number);
    }

    pub fn length(&mut self, length: usize) {
        self.0.push(length as u64);
    }

    pub fn flag(&mut self, flag: bool) {
        self.0.push(u64::from(flag));
    }

    pub fn flags(&mut self, flags: &[bool]) {
        self.length(flags.len());
        let word = |flags: &[bool]| flags.iter().rev().fold(0, |word, &flag| word << 1 | u64::from(flag));
        self.0.extend(flags.chunks(64).map(word));
    }

    pub fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.extend(text.as_bytes().chunks(8).map(|bytes| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        }));
    }

    /// A state that was found, of which the first words count.
    pub fn found<const W: usize>(&mut self, found: Option<&Found<W>>, words: usize) {
        self.flag(found.is_some());
        if let Some(found) = found {
            self.length(found.depth);
            self.0.extend(&found.state[..words]);
        }
    }

    pub fn findings<const W: usize>(&mut self, findings: &Findings<W>, words: usize) {
        self.number(findings.fired);
        self.flags(&findings.fired_transitions);
        self.number(findings.deadlocks);
        self.found(findings.first_deadlock.as_ref(), words);
        for violation in &findings.violations {
            self.found(violation.as_ref(), words);
        }
    }

    pub fn unfit(&mut self, unfit: Unfit) {
        self.number(unfit.symbol.0.into());
        match unfit.why {
            Unstorable::Far => self.number(0),
            Unstorable::Between(factor) => self.number(factor.unsigned_abs()),
        }
    }
}

impl Reader<'_> {
    pub fn number(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub fn flag(&mut self) -> Option<bool> {
        match self.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn numbers(&mut self, count: usize) -> Option<&[u64]> {
        let (numbers, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(numbers)
    }

    /// As many flags as are expected.
    pub fn flags(&mut self, count: usize) -> Option<Vec<bool>> {
        if self.length()? != count {
            return None;
        }
        let words = self.numbers(count.div_ceil(64))?;
        Some((0..count).map(|at| words[at / 64] >> (at % 64) & 1 == 1).collect())
    }

    pub fn text(&mut self) -> Option<String> {
        let length = self.length()?;
        let words = self.numbers(length.div_ceil(8))?;
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(length);
        String::from_utf8(bytes).ok()
    }

    pub fn found<const W: usize>(&mut self, words: usize) -> Option<Option<Found<W>>> {
        if !self.flag()? {
            return Some(None);
        }
        let depth = self.length()?;
        let mut state = [0; W];
        state[..words].copy_from_slice(self.numbers(words)?);
        Some(Some(Found { depth, state }))
    }

    /// What was found of a system with so many transitions and properties.
    pub fn findings<const W: usize>(
        &mut self,
        transitions: usize,
        properties: usize,
        words: usize,
    ) -> Option<Findings<W>> {
        Some(Findings {
            fired: self.number()?,
            fired_transitions: self.flags(transitions)?,
            deadlocks: self.number()?,
            first_deadlock: self.found(words)?,
            violations: (0..properties).map(|_| self.found(words)).collect::<Option<_>>()?,
        })
    }

    pub fn unfit(&mut self) -> Option<Unfit> {
        let symbol = SymbolId(u32::try_from(self.number()?).ok()?);
        let why = match self.number()? {
            0 => Unstorable::Far,
            factor => Unstorable::Between(i64::try_from(factor).ok()?),
        };
        Some(Unfit { symbol, why })
    }
}
