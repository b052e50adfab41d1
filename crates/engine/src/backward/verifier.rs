//! One way to verify a system, in one go or in turns.

use std::sync::atomic::Ordering;

use polycube_language::System;
use polycube_language::system::Property;

use super::parallel::with_workers;
use super::preimage::{Constants, numeric_constants};
use super::rule::has_universal;
use super::search::{Search, run};
use super::verification::{Answer, Observer, Options, Reason, Verification};
use crate::brab::guide::Guide;
use crate::cube::vocabulary::{Unsupported, Vocabulary};

/// Verifies all properties of a system, without approximations.
pub fn verify(
    system: &System,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Verification, Unsupported> {
    verify_with(system, options, None, observer)
}

/// Verifies all properties of a system, with approximations that the guide's oracle does not reject.
pub fn verify_with(
    system: &System,
    options: &Options,
    guide: Option<Box<dyn Guide + '_>>,
    observer: &mut dyn Observer,
) -> Result<Verification, Unsupported> {
    let vocabulary = vocabulary(system)?;
    let mut verifier = Verifier::new(&vocabulary, options, guide);
    Ok(verifier.turn(u64::MAX, observer).expect("without a bound it goes on to the end"))
}

/// The vocabulary of a system that can be verified.
pub fn vocabulary(system: &System) -> Result<Vocabulary<'_>, Unsupported> {
    let vocabulary = Vocabulary::new(system, Vocabulary::universe_of(system)?)?;
    let universal = |property: &Property| has_universal(&property.formula, true);
    if vocabulary.is_open()
        && let Some(index) = system.properties.iter().position(universal)
    {
        return Err(Unsupported::Universal(index));
    }
    Ok(vocabulary)
}

/// A verification that goes on in turns.
pub struct Verifier<'o, 'v, 's> {
    vocabulary: &'v Vocabulary<'s>,
    options: &'o Options,
    /// None while it has its turn, and when it has ended.
    search: Option<Search<'o, 'v, 's>>,
}

/// Why a turn ends.
pub enum Ended {
    /// All is done.
    Completed,
    /// Something is left to be done, and this is why.
    Incomplete(Reason),
    /// It is somebody else's turn.
    Paused,
}

impl<'o, 'v, 's> Verifier<'o, 'v, 's> {
    /// Nothing done yet.
    pub fn new(
        vocabulary: &'v Vocabulary<'s>,
        options: &'o Options,
        guide: Option<Box<dyn Guide + 'o>>,
    ) -> Verifier<'o, 'v, 's> {
        // What is safe or unsafe with larger cubes is so with exact ones: a run is a run, and more states were excluded
        // than had to be.
        let constants = match numeric_constants(vocabulary.system).next() {
            Some(_) => Constants::Forgotten,
            None => Constants::Exact,
        };
        let search = Some(Search::new(vocabulary, options, guide, constants));
        Verifier { vocabulary, options, search }
    }

    /// Goes on until the search has done so much work, from its beginning (see `Search::work`). The outcome, if it has
    /// ended; the next turn would have none.
    pub fn turn(&mut self, work: u64, observer: &mut dyn Observer) -> Option<Verification> {
        loop {
            let search = self.search.take().expect("it has not ended");
            let (mut search, ended) =
                with_workers(search, self.options.threads, |shared| run(shared, work, observer));
            let reason = match ended {
                Ended::Completed => None,
                Ended::Incomplete(reason) => Some(reason),
                Ended::Paused => {
                    self.search = Some(search);
                    return None;
                }
            };
            let constants = search.constants;
            let verification = search.finish(reason.as_ref());
            let unclear = |answer: &Answer| {
                matches!(answer, Answer::Unknown(Reason::Crashing(_) | Reason::Unconfirmed(_)))
            };
            if constants == Constants::Exact
                || !verification.answers.iter().any(unclear)
                || self.options.interrupt.load(Ordering::Relaxed)
            {
                return Some(verification);
            }
            self.search = Some(Search::new(self.vocabulary, self.options, search.guide, Constants::Exact));
        }
    }

    /// How much work was done.
    pub fn work(&self) -> u64 {
        self.search.as_ref().map_or(0, Search::work)
    }
}
