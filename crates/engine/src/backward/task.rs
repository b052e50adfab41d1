//! What a search works on.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use polycube_language::System;
use polycube_language::system::Property;

use super::background::Background;
use super::verification::Options;
use crate::cube::Cube;
use crate::cube::renaming::{NOWHERE, canonical};
use crate::cube::vocabulary::Vocabulary;
use crate::symbolic::effort::TooMany;
use crate::symbolic::initial::Initial;
use crate::symbolic::preimage::{Exactness, Predecessor, predecessors};
use crate::symbolic::root::property_cubes;
use crate::symbolic::rule::Rule;

/// What a search works on, and how. Nothing of it changes while it goes on, so all threads may read it.
pub(super) struct Task<'o, 'v, 's> {
    pub vocabulary: &'v Vocabulary<'s>,
    pub rules: Vec<Rule<'s>>,
    pub initial: Initial<'v, 's>,
    pub exactness: Exactness,
    pub background: Arc<Background<'v, 's>>,
    pub options: &'o Options,
    /// Set when the search is cancelled because another one has the answer.
    abandoned: Arc<AtomicBool>,
}

impl<'o, 'v, 's> Task<'o, 'v, 's> {
    pub fn new(
        vocabulary: &'v Vocabulary<'s>,
        options: &'o Options,
        exactness: Exactness,
        abandoned: Arc<AtomicBool>,
    ) -> Task<'o, 'v, 's> {
        let (rules, background) = (Rule::all(vocabulary.system), Arc::new(Background::none(vocabulary)));
        let initial = Initial::new(vocabulary);
        Task { vocabulary, rules, initial, exactness, background, options, abandoned }
    }

    /// The same, where something is known.
    pub fn knowing(self, background: Arc<Background<'v, 's>>) -> Task<'o, 'v, 's> {
        Task { background, ..self }
    }

    pub fn system(&self) -> &'s System {
        self.vocabulary.system
    }

    /// Whether the search is to end at once.
    pub fn is_interrupted(&self) -> bool {
        self.options.interrupt.load(Ordering::Relaxed) || self.abandoned.load(Ordering::Relaxed)
    }

    /// Whether a cube may contain initial states. Those parts of them that lie in facts are none: facts hold in every state,
    /// and the second check and the scripts assume them as well.
    pub fn is_initial(&self, cube: &Cube) -> bool {
        match self.background.has_facts() {
            true => self.initial.meets_possibly(cube, &|part| self.background.is_impossible(part)),
            false => self.initial.meets(cube),
        }
    }

    /// The states of a property, without those that are known not to be reached.
    pub fn property_cubes(&self, property: &Property) -> Result<Vec<Cube>, TooMany> {
        let stronger = |cube: Cube| match self.background.strengthened(&cube) {
            Some(stronger) => canonical(self.vocabulary, stronger).0,
            None => cube,
        };
        Ok(property_cubes(self.vocabulary, property)?.into_iter().map(stronger).collect())
    }

    /// Calls `visit` with all predecessors of a cube, until the search is to end. Why some are missing.
    pub fn predecessors(&self, cube: &Cube, mut visit: impl FnMut(Predecessor)) -> Option<TooMany> {
        let mut missing = None;
        for rule in &self.rules {
            let done = predecessors(self.vocabulary, rule, cube, self.exactness, &mut |predecessor| {
                if self.is_interrupted() {
                    return ControlFlow::Break(());
                }
                predecessor.into_iter().for_each(|predecessor| visit(self.strengthened(predecessor)));
                ControlFlow::Continue(())
            });
            missing = missing.or(done.err());
            if self.is_interrupted() {
                return missing;
            }
        }
        missing
    }

    /// The predecessor without states that are known not to be reached.
    fn strengthened(&self, predecessor: Predecessor) -> Predecessor {
        let Some(stronger) = self.background.strengthened(&predecessor.cube) else { return predecessor };
        let (cube, moved) = canonical(self.vocabulary, stronger);
        let place = |&name: &u8| if name == NOWHERE { NOWHERE } else { moved[usize::from(name)] };
        let names = predecessor.names.iter().map(place).collect();
        Predecessor { cube, names, ..predecessor }
    }
}
