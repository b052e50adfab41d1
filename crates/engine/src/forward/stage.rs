//! Stages of an exploration: one choice of orders, with numbers that are stored in one way.

use polycube_language::System;
use polycube_language::system::SymbolId;

use super::word::{Reader, Writer};
use crate::compile::program::Unfit;

/// One way to explore one choice of orders. Until all numbers fit, one stage follows another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// Whether numbers that do not fit are reported, since nothing is wider.
    pub reports: bool,
    /// Because of which numbers others were widened, one after the other.
    pub widened: Vec<Unfit>,
}

impl Stage {
    pub fn to_word(&self) -> Vec<u64> {
        let mut word = Writer::default();
        word.flag(self.reports);
        self.widened.iter().for_each(|&unfit| word.unfit(unfit));
        word.0
    }

    pub fn from_word(word: &[u64], system: &System) -> Option<Stage> {
        let mut word = Reader(word);
        let mut stage = Stage { reports: word.flag()?, widened: Vec::new() };
        while !word.0.is_empty() {
            let unfit = word.unfit()?;
            let SymbolId(symbol) = unfit.symbol;
            if symbol as usize >= system.symbols.len() {
                return None;
            }
            stage.widened.push(unfit);
        }
        Some(stage)
    }

    /// How far it is in the sequence of stages.
    pub fn rank(&self) -> (bool, usize) {
        (self.reports, self.widened.len())
    }
}
