//! Strengthenings of a clause that is not inductive: sets of states from which a step leads out of it, made as
//! large as the known reachable states allow.
//!
//! Pandav, Slind and Gopalakrishnan (CHARME 2005, section 2.1) build them from the *satisfying core* of the
//! premise, or the *violating core* of the conclusion, and the *action core* of the step. That is a preimage:
//! what the clause excludes, and what the guard and the conditions of the updates ask for, in terms of the
//! state before. Where they filter the predicates by what is known of cache coherence protocols (section
//! 2.2), candidates are the parts of the preimage that no known reachable state has, as for guesses of the
//! search.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use polycube_language::System;
use polycube_language::system::{Processes, Property};

use super::calls::Calls;
use super::guess::{Generalization, Record, generalizations, generalize, is_reached, small_parts, widened};
use super::verifier::vocabulary;
use crate::cube::Cube;
use crate::cube::limits::Unsupported;
use crate::cube::show::{CubeFormula, orbit, subtype_formulas};
use crate::cube::vocabulary::Vocabulary;
use crate::forward::{self, Limits, Observer, Violation};
use crate::oracle::{Explored, Guide, Instances, Plan};
use crate::symbolic::initial::Initial;
use crate::symbolic::others::Universal;
use crate::symbolic::preimage::{Constants, Exactness, predecessors};
use crate::symbolic::root::property_cubes;
use crate::symbolic::rule::Rule;

/// How many candidates are looked at for one suggestion.
const CANDIDATES: usize = 500;

/// How many parts that are refuted are shown.
const REFUTED: usize = 6;

/// How many instances are explored that are smaller than others, and how many states of each.
const SMALLEST: usize = 3;
const FEW: u64 = 2_000;

/// Who suggests strengthenings, because it knows states.
pub struct Suggester<'s> {
    vocabulary: Vocabulary<'s>,
    rules: Vec<Rule<'s>>,
    known: Instances<'s>,
}

/// What may be claimed to be never true, because of a step.
#[derive(Clone, Debug, Default)]
pub struct Suggestions {
    /// Sets of states of which none is known to be reachable, the most general ones first.
    pub open: Vec<CubeFormula>,
    /// Sets of states that contain a reachable one.
    pub refuted: Vec<CubeFormula>,
}

impl<'s> Suggester<'s> {
    /// Who knows no states yet.
    ///
    /// # Errors
    ///
    /// If the system is beyond a limit of cubes.
    pub fn new(
        system: &'s System,
        plan: Plan,
        max_bytes: Option<usize>,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<Suggester<'s>, Unsupported> {
        let vocabulary = vocabulary(system)?.until(interrupt);
        let known = Instances::new(system, plan, max_bytes, Arc::clone(interrupt));
        Ok(Suggester { vocabulary, rules: Rule::all(system), known })
    }

    /// Explores instances until it knows about so many states. The properties of the system that are
    /// violated, with runs.
    pub fn explore(&mut self, states: u64, threads: usize, observer: &mut dyn Observer) -> Vec<Violation> {
        let mut found = self.explore_smallest(threads, observer);
        while found.is_empty() && self.known.next_states().is_some_and(|next| next <= states) {
            found = self.known.grow(threads, observer);
            if self.vocabulary.is_interrupted() {
                break;
            }
        }
        found
    }

    /// Explores instances with fewer processes than steps and properties speak of. They teach little, but a
    /// process that is alone may do what it could not do among others.
    fn explore_smallest(&self, threads: usize, observer: &mut dyn Observer) -> Vec<Violation> {
        let smaller = (1..self.known.next_processes()).take(SMALLEST);
        let is_any = self.vocabulary.system.processes == Processes::Any;
        let violations = smaller.filter(|_| is_any).filter_map(|processes| {
            let options = forward::Options {
                threads,
                limits: Limits { states: Some(FEW), ..Limits::default() },
                interrupt: Arc::clone(&self.vocabulary.interrupt),
                ..forward::Options::new(processes)
            };
            Some(forward::explore(self.vocabulary.system, &options, observer).ok()?.violations)
        });
        violations.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The instances that were explored.
    pub fn instances(&self) -> &[Explored] {
        self.known.instances()
    }

    /// Values that cells never have: no state with them is reachable.
    pub fn impossible_values(&self) -> Vec<CubeFormula> {
        subtype_formulas(&self.vocabulary)
    }

    /// Sets of states that contain one which is `wanted`, and from which a step of the transition leads to a
    /// state of the property: about `most` for each way in which it does. If `all` is set, also some that are
    /// refuted.
    pub fn suggest(
        &self,
        property: &Property,
        transition: usize,
        most: usize,
        all: bool,
        wanted: &dyn Fn(&CubeFormula) -> bool,
    ) -> Suggestions {
        let mut suggestions = Suggestions::default();
        // With processes that may crash, more states have such a step. If one of these is reachable, nothing
        // is wrong yet.
        for universal in [Universal::Forgotten, Universal::Kept] {
            let exactness = Exactness { constants: Constants::Exact, universal };
            let before = self.before(property, transition, exactness);
            for cube in before.iter().filter(|cube| wanted(&orbit(&self.vocabulary, cube))) {
                self.add(cube, most, all, &mut suggestions);
            }
            if !suggestions.open.is_empty() || !self.rules[transition].universal {
                break;
            }
        }
        suggestions.refuted.truncate(REFUTED);
        suggestions
    }

    /// The sets of states from which a step of the transition leads to a state of the property.
    fn before(&self, property: &Property, transition: usize, exactness: Exactness) -> BTreeSet<Cube> {
        let mut before = BTreeSet::new();
        // What is too large to be written down gives no suggestions.
        for cube in property_cubes(&self.vocabulary, property).unwrap_or_default() {
            let rule = &self.rules[transition];
            let _ = predecessors(&self.vocabulary, rule, &cube, exactness, &mut |found| {
                before.extend(found.map(|found| found.cube));
                if self.vocabulary.is_interrupted() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
        }
        before
    }

    fn add(&self, cube: &Cube, most: usize, all: bool, suggestions: &mut Suggestions) {
        let vocabulary = &self.vocabulary;
        let (initial, record, mut calls) = (Initial::new(vocabulary), Record::default(), Calls::default());
        let oracle = self.known.oracle();
        let add = |found: &mut Vec<CubeFormula>, cube: &Cube| {
            let formula = orbit(vocabulary, cube);
            if !found.contains(&formula) {
                found.push(formula);
            }
        };
        if all {
            let refuted = small_parts(vocabulary, cube).filter(|part| is_reached(vocabulary, part, oracle));
            refuted.take(REFUTED).for_each(|part| add(&mut suggestions.refuted, &part));
        }
        let mut is_hopeless = |candidate: &Cube| initial.meets(candidate);
        if cube.others.is_some() {
            let found =
                generalize(vocabulary, cube, oracle, CANDIDATES, &record, &mut is_hopeless, &mut calls);
            match found {
                Generalization::Larger(larger, _) => add(&mut suggestions.open, &larger),
                Generalization::None if !initial.meets(cube) => add(&mut suggestions.open, cube),
                Generalization::None | Generalization::Reached => {}
            }
            return;
        }
        let found = generalizations(vocabulary, cube, oracle, most, CANDIDATES, &mut is_hopeless);
        // Some conditions are no atoms: then the whole cube may be possible where all of its atoms are not.
        if found.is_empty() && !is_reached(vocabulary, cube, oracle) && !initial.meets(cube) {
            add(&mut suggestions.open, cube);
        }
        for larger in found {
            // A designer may be bolder than a search: who claims too much sees it soon.
            let wider = widened(vocabulary, &larger, oracle, &mut is_hopeless, &mut calls);
            wider.iter().chain([&larger]).for_each(|cube| add(&mut suggestions.open, cube));
        }
    }
}
