//! The layers of a search, kept and read again (`journal.rs`).

use std::sync::atomic::Ordering;

use polycube_language::system::SymbolId;

use super::agree::{Halt, Totals};
use super::exploration::End;
use super::explorer::Explorer;
use super::hash::hash;
use super::journal::{Fault, Journal};
use super::search::{Search, read, write};
use super::visited::{Batch, SHARDS, shard_of};
use super::word::{Reader, Writer};
use crate::compile::Cut;

/// How many bytes are handed over at a time.
const PIECE: usize = 256 << 10;

impl<const W: usize> Search<'_, W> {
    /// Appends the states of a layer, shard by shard.
    pub fn keep(&self, layer: usize, word: &[u64], journal: &mut dyn Journal) -> Result<(), Fault> {
        journal.append(word, &mut |write| {
            let mut piece = Vec::with_capacity(PIECE + 8 * W);
            for shard in 0..SHARDS {
                let states = read(&self.shards[shard]);
                for state in self.layers[layer][shard]..self.layers[layer + 1][shard] {
                    self.packing.write_state(&states.get(state), &mut piece);
                    if piece.len() >= PIECE {
                        write(&piece)?;
                        piece.clear();
                    }
                }
            }
            write(&piece)
        })
    }

    /// How many states each shard has of a layer.
    pub fn sizes(&self, layer: usize) -> [u32; SHARDS] {
        std::array::from_fn(|shard| self.layers[layer + 1][shard] - self.layers[layer][shard])
    }

    /// Reads the next layer, and completes it; its word.
    ///
    /// By which rules its states were found is not known any more: so none sleeps in them, which is always
    /// right (`sleep.rs`).
    pub fn read_layer(&mut self, journal: &mut dyn Journal) -> Result<Vec<u64>, Fault> {
        let layer = self.layers();
        let full = || Fault("there is no room for its states".to_owned());
        let mut rest: Vec<u8> = Vec::new();
        let word = journal.read(layer, &mut |piece| {
            rest.extend_from_slice(piece);
            let whole = rest.len() / self.packing.bytes() * self.packing.bytes();
            {
                let lane = &mut *write(&self.lanes[0]);
                lane.successors.iter_mut().for_each(Batch::clear);
                for start in (0..whole).step_by(self.packing.bytes()) {
                    let state = self.packing.read_state(&rest[start..]);
                    let hash = hash(&state, self.instance.layout.words);
                    if !self.share.is_mine(hash) {
                        return Err(Fault(format!("layer {layer} has a state of another process")));
                    }
                    lane.successors[shard_of(hash)].push(state, self.sleep.none());
                }
                lane.weigh();
            }
            rest.drain(..whole);
            self.take_in(1, 0).map_err(|_| full())
        })?;
        if !rest.is_empty() {
            return Err(Fault(format!("the last state of layer {layer} is not whole")));
        }
        self.close_layer();
        Ok(word)
    }
}

impl<const W: usize> Explorer<'_, '_, '_, W> {
    /// What is to be known of the layer that is complete now.
    pub(super) fn word(&self) -> Vec<u64> {
        let mut word = Writer::default();
        for size in self.search.sizes(self.search.layers() - 1) {
            word.number(size.into());
        }
        word.length(self.start_cuts.len());
        for cut in &self.start_cuts {
            let Cut::Start(symbol) = cut else { unreachable!("at the start, only numbers are cut off") };
            word.number(symbol.0.into());
        }
        self.own_totals().write(&mut word, self.instance.layout.words);
        word.0
    }

    /// Keeps all complete layers that are not kept yet.
    pub(super) fn keep(&mut self) -> Result<(), Fault> {
        let Some(journal) = &mut self.company.journal else { return Ok(()) };
        for word in std::mem::take(&mut self.words) {
            self.search.keep(self.kept, &word, *journal)?;
            self.kept += 1;
        }
        journal.commit()
    }

    /// Reads the layers that were kept, instead of finding them.
    pub(super) fn restore(&mut self, layers: usize) -> Result<(), Halt> {
        let mut last = None;
        for layer in 0..layers {
            let Some(journal) = &mut self.company.journal else {
                unreachable!("there are no layers without a journal")
            };
            if layer == 0 {
                journal.truncate(layers)?;
            }
            let word = self.search.read_layer(*journal)?;
            let wrong = || Fault(format!("layer {layer} is not one of this model"));
            last = Some(self.understand(&word).ok_or_else(wrong)?);
            self.inspected_layers = layer + 1;
            self.kept = layer + 1;
            if self.options.interrupt.load(Ordering::Relaxed) {
                return Err(Halt::Limit(End::Interrupted));
            }
        }
        if let Some((cuts, totals)) = last {
            self.start_cuts = cuts;
            self.inspected = totals.inspected;
            self.search.findings = totals.findings;
        }
        Ok(())
    }

    /// What was known when the last layer was complete; none if the word is not about it.
    fn understand(&self, word: &[u64]) -> Option<(Vec<Cut>, Totals<W>)> {
        let (mut word, system) = (Reader(word), self.instance.system);
        for size in self.search.sizes(self.search.layers() - 1) {
            word.number().filter(|&number| number == u64::from(size))?;
        }
        let count = word.length()?;
        let mut cuts = Vec::new();
        for _ in 0..count {
            let symbol = u32::try_from(word.number()?).ok()?;
            cuts.push(Cut::Start(SymbolId(symbol)));
        }
        let totals = Totals::read(&mut word, system, self.instance.layout.words)?;
        (word.0.is_empty() && totals.states == self.search.states).then_some((cuts, totals))
    }
}
