//! Guesses: larger cubes that take the place of nodes, until they are refuted (BRAB: Conchon, Goel, Krstić,
//! Mebsout, Zaïdi, FMCAD 2013, section III).
//!
//! Before a node is expanded, a larger cube may take its place: a *candidate* that says less, and of which an
//! [oracle](crate::oracle) knows no reachable state. Most candidates that survive are never reached, and they
//! are what a person would call the invariants of the protocol. If one is reached after all, it is *refuted*,
//! and the search goes on without it and without what was derived from it. Only the running time depends on
//! what the oracle says: the search proves that an approximation is not reachable, as it does for the
//! properties.
//!
//! - [`candidate`]: the most general parts of a cube that are not rejected;
//! - [`numbers`]: what follows from relations between numbers;
//! - [`record`]: which guesses were right, and which are worth making.

mod candidate;
mod numbers;
mod record;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::calls::Calls;
use super::task::Task;
use super::verification::{Exploring, Observer, Progress, Statistics};
use crate::cube::Cube;
use crate::cube::store::{NodeId, Store, TargetId};
use crate::cube::vocabulary::Vocabulary;
use crate::forward::Violation;
use crate::oracle::{Explored, Guide, Known};

pub(super) use candidate::{Generalization, generalizations, generalize, is_reached, small_parts, widened};
pub(super) use record::{Guess, Record};

/// How many wrong guesses are a reason to look for more states.
const MAX_WRONG: u32 = 16;

/// When this many were explored, wrong guesses are no reason any more: more states may not help.
const MANY_INSTANCES: usize = 4;

/// How many states are explored in the time that one node takes.
const STATES_PER_NODE: u64 = 250;

/// The guesses of a search, and what they rest on.
///
/// Whatever subsumes a cube in `reached` is not guessed again.
pub(super) struct Guesses<'o, 'v, 's> {
    /// Who rejects candidates, if there are to be any guesses.
    guide: Option<Box<dyn Guide + 'o>>,
    record: Record,
    made: FxHashMap<Arc<Cube>, TargetId>,
    /// The cubes of those that were refuted, and others to which there is a symbolic run.
    reached: Store<'v, 's>,
    /// How things stood when the guide last found states.
    learnt: Statistics,
    /// How many guesses were wrong then that more states could have rejected.
    learnt_wrong: u32,
}

impl<'o, 'v, 's> Guesses<'o, 'v, 's> {
    /// None made yet; there will be none without a guide.
    pub fn new(vocabulary: &'v Vocabulary<'s>, guide: Option<Box<dyn Guide + 'o>>) -> Guesses<'o, 'v, 's> {
        Guesses {
            guide,
            record: Record::default(),
            made: FxHashMap::default(),
            reached: Store::new(vocabulary),
            learnt: Statistics::default(),
            learnt_wrong: 0,
        }
    }

    /// A larger cube that may take the place of another. It contains no initial states.
    pub fn generalize(&self, task: &Task<'_, '_, '_>, cube: &Cube, calls: &mut Calls) -> Generalization {
        // Who knows no states has no reason to reject anything.
        let oracle = self.guide.as_ref().map(|guide| guide.oracle());
        let Some(oracle) = oracle.filter(|oracle| oracle.processes() > 0) else {
            return Generalization::None;
        };
        let mut looks = 0;
        let mut is_hopeless = |candidate: &Cube| {
            // What contains something that is reached is reached.
            !self.reached.subsumed(candidate, &mut looks).is_empty() || task.is_initial(candidate)
        };
        let most = task.options.candidates;
        let found = generalize(task.vocabulary, cube, oracle, most, &self.record, &mut is_hopeless, calls);
        calls.looks += looks;
        found
    }

    pub fn target(&self, cube: &Cube) -> Option<TargetId> {
        self.made.get(cube).copied()
    }

    pub fn make(&mut self, cube: Arc<Cube>, guess: Guess, target: TargetId) {
        self.made.insert(cube, target);
        self.record.made(guess);
    }

    pub fn was_wrong(&mut self, guess: Guess) {
        self.record.was_wrong(guess);
    }

    /// There is a symbolic run to this cube.
    pub fn is_reached(&mut self, node: NodeId, target: TargetId, cube: Arc<Cube>) {
        self.reached.insert(node, target, cube);
    }

    pub fn are_made(&self) -> bool {
        self.guide.is_some()
    }

    pub fn into_guide(self) -> Option<Box<dyn Guide + 'o>> {
        self.guide
    }

    pub fn knows_state(&self, cube: &Cube) -> bool {
        let is_reached = |oracle| is_reached(self.reached.vocabulary, cube, oracle);
        self.guide.as_ref().is_some_and(|guide| is_reached(guide.oracle()))
    }

    /// Whether the guide should find states: at first, and more of them if many guesses were wrong, or the
    /// search takes longer than that would.
    pub fn need_states(&self, statistics: &Statistics) -> bool {
        let Some(guide) = &self.guide else { return false };
        let Some(states) = guide.next_states() else { return false };
        let too_few = match guide.instances() {
            [] => true,
            // (Beyond what bounds cut off there may be others, but no sample has them.)
            [_] => !guide.oracle().knows_all(),
            _ => false,
        };
        let takes_long = (statistics.nodes - self.learnt.nodes) * STATES_PER_NODE >= states;
        let wrong = self.record.wrong_about_states() - self.learnt_wrong;
        let often_wrong = wrong >= MAX_WRONG && guide.instances().len() < MANY_INSTANCES;
        too_few || takes_long || often_wrong
    }

    /// The guide has found states, when the search stood so.
    pub fn have_states(&mut self, statistics: Statistics) {
        self.learnt = statistics;
        self.learnt_wrong = self.record.wrong_about_states();
    }

    /// Has the guide find states, with n threads. Properties that it finds to be violated.
    pub fn find_states(
        &mut self,
        threads: usize,
        progress: Progress,
        observer: &mut dyn Observer,
    ) -> Vec<Violation> {
        let mut observer = Exploring { progress, observer };
        self.guide.as_mut().map_or(Vec::new(), |guide| guide.grow(threads, &mut observer))
    }

    pub fn instances(&self) -> &[Explored] {
        self.guide.as_ref().map_or(&[], |guide| guide.instances())
    }

    /// The states of these instances.
    pub fn known(&self) -> Known {
        self.guide.as_ref().map_or_else(Known::default, |guide| guide.known())
    }

    pub fn explored(&self) -> u64 {
        self.instances().iter().map(|one| one.states).sum()
    }

    /// No guess was made; what is reached stays reached.
    pub fn forget(&mut self) {
        self.made.clear();
    }

    pub fn bytes(&self) -> usize {
        self.guide.as_ref().map_or(0, |guide| guide.bytes())
    }
}
