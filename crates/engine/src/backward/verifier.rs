//! One way to verify a system, in one go or in turns.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use polycube_language::System;
use polycube_language::system::Property;

use super::background::Background;
use super::search::{Ended, Search, run};
use super::task::Task;
use super::verification::{Answer, Observer, Options, Progress, Reason, Verification};
use crate::cube::limits::{Unsupported, universe_of};
use crate::cube::vocabulary::Vocabulary;
use crate::forward::Violation;
use crate::oracle::Guide;
use crate::parallel::with_workers;
use crate::symbolic::others::Universal;
use crate::symbolic::preimage::{Constants, Exactness, numeric_constants};

/// Verifies all properties of a system, without approximations.
pub fn verify(
    system: &System,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Verification, Unsupported> {
    verify_with(system, options, None, &[], observer)
}

/// Verifies all properties of a system, with approximations that the guide's oracle does not reject, and with
/// what is claimed never to hold, as far as that can be proved beforehand.
pub fn verify_with(
    system: &System,
    options: &Options,
    guide: Option<Box<dyn Guide + '_>>,
    claimed: &[Property],
    observer: &mut dyn Observer,
) -> Result<Verification, Unsupported> {
    let vocabulary = vocabulary(system)?.until(&options.interrupt);
    let mut verifier = Verifier::new(&vocabulary, options, guide, claimed);
    Ok(verifier
        .turn(u64::MAX, options.threads, None, observer)
        .expect("without a bound it goes on to the end"))
}

pub fn vocabulary(system: &System) -> Result<Vocabulary<'_>, Unsupported> {
    Vocabulary::new(system, universe_of(system)?)
}

pub struct Verifier<'o, 'v, 's> {
    vocabulary: &'v Vocabulary<'s>,
    options: &'o Options,
    abandoned: Arc<AtomicBool>,
    /// None while it has its turn, and when it has ended.
    search: Option<Search<'o, 'v, 's>>,
}

/// Something else that is done during a turn, by a thread that helps afterwards.
#[derive(Clone, Copy)]
pub struct Errand<'e> {
    pub run: &'e (dyn Fn() + Sync),
    /// Called when the turn has ended, with its outcome if there is one.
    pub ended: &'e dyn Fn(Option<&Verification>),
}

impl<'o, 'v, 's> Verifier<'o, 'v, 's> {
    pub fn new(
        vocabulary: &'v Vocabulary<'s>,
        options: &'o Options,
        guide: Option<Box<dyn Guide + 'o>>,
        claimed: &[Property],
    ) -> Verifier<'o, 'v, 's> {
        // What is safe or unsafe with larger cubes is so with exact ones: a run is a run, and more was
        // excluded.
        let constants = match numeric_constants(vocabulary.system).next() {
            Some(_) => Constants::Forgotten,
            None => Constants::Exact,
        };
        // So is what is safe with crashes: that is tried first, because it is cheap and mostly right.
        let exactness = Exactness { constants, universal: Universal::Forgotten };
        let abandoned = Arc::new(AtomicBool::new(false));
        let task = |exactness| Task::new(vocabulary, options, exactness, Arc::clone(&abandoned));
        let background = match claimed.is_empty() && vocabulary.system.counts.is_empty() {
            true => Arc::new(Background::none(vocabulary)),
            false => Arc::new(Background::new(&task(Exactness::ALL), claimed)),
        };
        let task = task(exactness).knowing(background);
        let search = Some(Search::new(task, guide));
        Verifier { vocabulary, options, abandoned, search }
    }

    /// Goes on until the search has done so much work, from its beginning (see `Meter::work`). The outcome,
    /// if it has ended; there is no turn after that.
    pub fn turn(
        &mut self,
        work: u64,
        threads: usize,
        mut errand: Option<Errand<'_>>,
        observer: &mut dyn Observer,
    ) -> Option<Verification> {
        loop {
            let search = self.search.take().expect("it has not ended");
            let errand = errand.take();
            let run_errand = errand.map(|errand| errand.run);
            let (search, ended) = with_workers(search, threads, run_errand, &Search::process, |shared| {
                let ended = |found: Option<&Verification>| {
                    errand.inspect(|errand| (errand.ended)(found));
                };
                let reason = match run(shared, work, observer) {
                    Ended::Completed => None,
                    Ended::Incomplete(reason) => Some(reason),
                    Ended::Inexact => {
                        ended(None);
                        return Some(None);
                    }
                    Ended::Paused => {
                        ended(None);
                        return None;
                    }
                };
                let mut search = shared.write();
                let found = search.finish(reason.as_ref());
                let again = is_inexact(&search, &found);
                ended(Some(&found).filter(|_| !again));
                Some((!again).then_some(found))
            });
            match ended {
                None => {
                    self.search = Some(search);
                    return None;
                }
                Some(Some(found)) => return Some(found),
                Some(None) => {
                    let abandoned = Arc::clone(&self.abandoned);
                    let background = Arc::clone(&search.task().background);
                    let task = Task::new(self.vocabulary, self.options, Exactness::ALL, abandoned);
                    let task = task.knowing(background);
                    self.search = Some(Search::again(task, search.into_guide()));
                }
            }
        }
    }

    /// The search, while it waits for its next turn.
    fn waiting(&self) -> &Search<'o, 'v, 's> {
        self.search.as_ref().expect("it has not ended")
    }

    /// How far it has come, between two turns.
    pub fn progress(&self) -> Progress {
        self.waiting().progress()
    }

    /// How many bytes it takes between two turns.
    pub fn bytes(&self) -> usize {
        self.waiting().bytes()
    }

    /// Runs to properties were found elsewhere, between two turns.
    pub fn are_violated(&mut self, violations: &[Violation]) {
        self.search.as_mut().expect("it has not ended").are_violated(violations);
    }

    pub fn abandoned(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.abandoned)
    }
}

/// Whether an answer is missing that may be found if nothing is forgotten.
fn is_inexact(search: &Search<'_, '_, '_>, found: &Verification) -> bool {
    let unclear =
        |answer: &Answer| matches!(answer, Answer::Unknown(Reason::Weakened(..) | Reason::Unconfirmed(_)));
    let task = search.task();
    task.exactness != Exactness::ALL && found.answers.iter().any(unclear) && !task.is_interrupted()
}
