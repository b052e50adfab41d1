//! What is true in some state that a search has found: who claims that it never is need not be asked for a proof.

use polycube_language::System;
use polycube_language::system::Property;

use super::guess::is_reached;
use super::verifier::vocabulary;
use crate::cube::Cube;
use crate::cube::vocabulary::Vocabulary;
use crate::oracle::{Known, Oracle};
use crate::symbolic::root::property_cubes;

/// Reachable states, and the words in which they are asked.
pub struct Witnesses<'s> {
    /// None where no state is known, or where the system is beyond a limit of cubes.
    vocabulary: Option<Vocabulary<'s>>,
    known: Known,
}

impl<'s> Witnesses<'s> {
    /// The states of instances of a system.
    pub fn new(system: &'s System, known: &Known) -> Witnesses<'s> {
        let is_known = known.processes() > 0;
        let vocabulary = is_known.then(|| vocabulary(system).ok()).flatten();
        Witnesses { vocabulary, known: known.clone() }
    }

    /// Whether any state is known.
    pub(crate) fn exist(&self) -> bool {
        self.known.states() > 0
    }

    /// Whether a state is known that a property describes. A "no" means nothing.
    ///
    /// Exact: without quantifiers, the cubes of a property have its states and no others, and a cube that is asked is
    /// asked as a whole.
    pub fn satisfy(&self, property: &Property) -> bool {
        self.cubes(property).is_some_and(|(vocabulary, cubes)| {
            cubes.iter().any(|cube| is_reached(vocabulary, cube, &self.known))
        })
    }

    fn cubes(&self, property: &Property) -> Option<(&Vocabulary<'s>, Vec<Cube>)> {
        let vocabulary = self.vocabulary.as_ref().filter(|_| !property.formula.has_quantifier())?;
        Some((vocabulary, property_cubes(vocabulary, property).ok()?))
    }

    /// Whether a transition was possible in some state.
    pub(crate) fn have_fired(&self, transition: usize) -> bool {
        self.known.has_fired(transition)
    }
}
