//! The processes that share an exploration, each with a part of the states.
//!
//! Every state has one *owner* (`owner_of`): bits of its hash say which. Whoever finds a state that belongs
//! to another sends it there; only the owner stores it, and expands it. All do the same things in the same
//! order: layer by layer, and after each layer everybody says what it has found ([`Peers::gather`]), so that
//! all decide alike. What a layer consists of does not depend on who finds it, nor on the order in which states
//! arrive: so the result is that of one process.
//!
//! How states travel is not this crate's business.

use std::fmt;
use std::ops::Deref;
use std::time::Duration;

/// The connection to the other processes was lost: nothing more can be found out together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost;

impl fmt::Display for Lost {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the connection to another process was lost")
    }
}

impl std::error::Error for Lost {}

/// What it has cost a process to work with others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes that it has sent: states, and all that is needed besides.
    pub sent: u64,
    /// How often all waited for all: at the end of a layer, and to tell each other something.
    pub meetings: u64,
    /// The time from the end of its own work until everybody was there. Most of it is waiting for work of others.
    pub waited: Duration,
}

/// Packed states that have arrived, where they were put down.
pub type Arrived = Box<dyn Deref<Target = [u8]> + Send + Sync>;

/// The processes that share an exploration, as one of them sees them.
///
/// All of them make the same calls of [`Peers::end_layer`] and [`Peers::gather`], in the same order.
pub trait Peers {
    /// How many there are, this one included.
    fn count(&self) -> usize;

    /// Which one this is, from 0.
    fn index(&self) -> usize;

    /// Sends packed states to another process, for this layer: those that `write` adds to what else goes there.
    fn send(&mut self, to: usize, write: &mut dyn FnMut(&mut Vec<u8>));

    /// What has arrived of this layer and was not taken yet: what one process has sent in one call or several, each whole. Not
    /// to be asked between the end of a layer and that of its gathering.
    fn arrived(&mut self) -> Option<Arrived>;

    /// A round is over. Waits for those that are too many rounds behind, so that nobody has to keep more than
    /// that of what was sent.
    ///
    /// # Errors
    ///
    /// If another process is lost.
    fn end_round(&mut self) -> Result<(), Lost>;

    /// All rounds of the layer are over, here. Whether they are everywhere, and all that was sent has arrived: otherwise
    /// something has, and is to be taken before this is asked again.
    ///
    /// # Errors
    ///
    /// If another process is lost.
    fn end_layer(&mut self) -> Result<bool, Lost>;

    /// Tells all processes something; what each of them says at this point, in their order.
    ///
    /// # Errors
    ///
    /// If another process is lost.
    fn gather(&mut self, word: &[u64]) -> Result<Vec<Vec<u64>>, Lost>;

    /// Tells the others that this process has ended its part of the layer early, and nothing comes of the rest: they should
    /// end theirs soon.
    fn stop(&mut self);

    /// How many bytes are kept of what was sent, or has arrived.
    fn bytes(&self) -> usize;

    /// What it has cost so far.
    fn traffic(&self) -> Traffic;
}

/// There is no other process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Peers for Alone {
    fn count(&self) -> usize {
        1
    }

    fn index(&self) -> usize {
        0
    }

    fn send(&mut self, _: usize, _: &mut dyn FnMut(&mut Vec<u8>)) {
        unreachable!("all states are our own");
    }

    fn arrived(&mut self) -> Option<Arrived> {
        None
    }

    fn end_round(&mut self) -> Result<(), Lost> {
        Ok(())
    }

    fn end_layer(&mut self) -> Result<bool, Lost> {
        Ok(true)
    }

    fn gather(&mut self, word: &[u64]) -> Result<Vec<Vec<u64>>, Lost> {
        Ok(vec![word.to_vec()])
    }

    fn stop(&mut self) {}

    fn bytes(&self) -> usize {
        0
    }

    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
}
