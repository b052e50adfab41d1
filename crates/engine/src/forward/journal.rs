//! What is kept of an exploration while it goes on, so that another one can go on from there.
//!
//! An exploration goes through *stages*: one for each choice of orders and, within it, one for each way in which
//! numbers are stored, until all of them fit. A stage consists of *layers*: the states of each, and a word about
//! what was known when the layer was complete. The word and the bytes mean nothing to whoever keeps them.

use std::fmt;

/// Why something could not be kept, or not be read again, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(pub String);

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

/// Takes bytes, in pieces of any length.
pub type Take<'t> = dyn FnMut(&[u8]) -> Result<(), Fault> + 't;

/// Where layers are kept. One process keeps the states that it owns.
pub trait Journal {
    /// Which stage of an order is kept, if any.
    fn stage(&self, order: usize) -> Option<Vec<u64>>;

    /// Goes on with a stage of an order: how many of its layers are kept. If it is not the stage that is kept of this
    /// order, that one is dropped, and this one has no layers.
    ///
    /// # Errors
    ///
    /// If what is kept cannot be read or written.
    fn open(&mut self, order: usize, stage: &[u64]) -> Result<usize, Fault>;

    /// Drops the last layers of the stage, all but so many.
    ///
    /// # Errors
    ///
    /// If what is kept cannot be written.
    fn truncate(&mut self, layers: usize) -> Result<(), Fault>;

    /// Reads a layer of the stage: its word; its states are given to `take`, in pieces of any length.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not what was written; or `take` says so.
    fn read(&mut self, layer: usize, take: &mut Take<'_>) -> Result<Vec<u64>, Fault>;

    /// Whether it is time to keep what was found. Of several processes, the first is asked.
    fn is_due(&mut self) -> bool;

    /// Keeps the next layer of the stage: `states` calls what it is given with all bytes of it, in pieces.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    fn append(
        &mut self,
        word: &[u64],
        states: &mut dyn FnMut(&mut Take<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault>;

    /// From now on, all that was appended counts, whatever happens.
    ///
    /// # Errors
    ///
    /// If it cannot be written. What counted before still does.
    fn commit(&mut self) -> Result<(), Fault>;
}
