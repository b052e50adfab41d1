//! What a search works on.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use polycube_language::System;

use super::verification::Options;
use crate::cube::Cube;
use crate::cube::vocabulary::Vocabulary;
use crate::symbolic::effort::TooMany;
use crate::symbolic::initial::Initial;
use crate::symbolic::preimage::{Exactness, Predecessor, predecessors};
use crate::symbolic::rule::Rule;

/// What a search works on, and how. Nothing of it changes while it goes on, so all threads may read it.
pub(super) struct Task<'o, 'v, 's> {
    pub vocabulary: &'v Vocabulary<'s>,
    pub rules: Vec<Rule<'s>>,
    pub initial: Initial<'v, 's>,
    pub exactness: Exactness,
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
        let rules = Rule::all(vocabulary.system);
        Task { vocabulary, rules, initial: Initial::new(vocabulary), exactness, options, abandoned }
    }

    pub fn system(&self) -> &'s System {
        self.vocabulary.system
    }

    /// Whether the search is to end at once.
    pub fn is_interrupted(&self) -> bool {
        self.options.interrupt.load(Ordering::Relaxed) || self.abandoned.load(Ordering::Relaxed)
    }

    /// Calls `visit` with all predecessors of a cube, until the search is to end. Why some are missing.
    pub fn predecessors(&self, cube: &Cube, mut visit: impl FnMut(Predecessor)) -> Option<TooMany> {
        let mut missing = None;
        for rule in &self.rules {
            let done = predecessors(self.vocabulary, rule, cube, self.exactness, &mut |predecessor| {
                if self.is_interrupted() {
                    return ControlFlow::Break(());
                }
                predecessor.into_iter().for_each(&mut visit);
                ControlFlow::Continue(())
            });
            missing = missing.or(done.err());
            if self.is_interrupted() {
                return missing;
            }
        }
        missing
    }
}
