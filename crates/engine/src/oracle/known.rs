//! The states of all instances that were explored: an oracle, which can be kept when the search is over.

use std::sync::Arc;

use super::{Atom, Oracle, Reached};

/// Reachable states of several instances. Two of them are equal whatever they know: no answer rests on it.
#[derive(Clone, Debug, Default)]
pub struct Known(Vec<Arc<Reached>>);

impl Known {
    pub(crate) fn add(&mut self, states: Reached) {
        self.0.push(Arc::new(states));
    }

    /// How many states are known.
    pub(crate) fn states(&self) -> usize {
        self.0.iter().map(|states| states.states.len()).sum()
    }

    /// Whether a transition was possible in some state.
    pub(crate) fn has_fired(&self, transition: usize) -> bool {
        self.0.iter().any(|states| !states.never_fired.contains(&transition))
    }
}

impl Oracle for Known {
    fn processes(&self) -> u32 {
        self.0.iter().map(|states| Oracle::processes(&**states)).max().unwrap_or(0)
    }

    fn knows_all(&self) -> bool {
        self.0.iter().any(|states| states.knows_all())
    }

    fn rejects(&self, atoms: &[Atom], chosen: u64, words: &mut u64) -> Option<u64> {
        // The last one knows the most.
        self.0.iter().rev().find_map(|states| states.rejects(atoms, chosen, words))
    }
}

impl PartialEq for Known {
    fn eq(&self, _: &Known) -> bool {
        true
    }
}

impl Eq for Known {}
