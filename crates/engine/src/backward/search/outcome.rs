//! What a search has found in the end.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Search;
use crate::backward::calls::Calls;
use crate::backward::coverage::{Coverage, coverage};
use crate::backward::minimal::minimal_invariant;
use crate::backward::node::symbolic_run;
use crate::backward::target::{Standing, Target};
use crate::backward::verification::{Answer, Checks, Reason, Verification, Weakening};
use crate::cube::store::{NodeId, Store, Stored, TargetId};
use crate::cube::{Cube, show};
use crate::symbolic::effort::TooMany;
use crate::symbolic::initial::Meeting;
use crate::symbolic::root::is_weakened;
use crate::symbolic::rule::has_universal;

/// The part of the work of the search that may be done once more, for a minimal invariant. With
/// approximations there are few cubes, which people read; without them, that is nearly all of the work.
const SHARE_WITH_GUESSES: u64 = 2;
const SHARE_WITHOUT: u64 = 10;

/// How much work is done for it at least, if need be.
const LEAST_WORK: u64 = 200;

/// How many cubes an invariant has at most that is checked once more, where assertions are checked.
const CHECKED: usize = 100;

impl Search<'_, '_, '_> {
    /// The answers. `reason`: why something is left to be done.
    pub fn finish(&mut self, reason: Option<&Reason>) -> Verification {
        self.meter.measured(self.bytes());
        self.meter.ended(self.visited.all().len(), self.queue.len());
        let properties = self.targets.properties().iter();
        let mut answers: Vec<Answer> = properties.map(|property| self.answer(property, reason)).collect();
        let is_safe = answers.iter().all(|answer| matches!(answer, Answer::Safe | Answer::Trusted));
        let invariant = if is_safe { self.invariant() } else { self.settle(&mut answers) };
        let is_open = |answer: &Answer| matches!(answer, Answer::Unknown(_));
        let open = answers.iter().enumerate().filter(|(_, answer)| reason.is_some() && is_open(answer));
        let diverging = self.divergences(&open.map(|(property, _)| property).collect());
        Verification {
            answers,
            shortest: Vec::new(),
            invariant,
            diverging,
            statistics: self.meter.statistics(),
            instances: self.guesses.instances().to_vec(),
            known: self.guesses.known(),
            graph: self.recorder.graph(self.task.vocabulary, &self.nodes, &self.targets),
            counting: None,
        }
    }

    fn answer(&self, property: &Target, reason: Option<&Reason>) -> Answer {
        match (property.standing(), reason, property.spurious()) {
            (Standing::Violated(trace), _, _) => Answer::Unsafe(trace.clone()),
            (Standing::Trusted, _, _) => Answer::Trusted,
            (Standing::Open, Some(reason), _) => Answer::Unknown(reason.clone()),
            (Standing::Open, None, Some(node)) => {
                let run = symbolic_run(self.task.vocabulary, &self.nodes, node);
                // Whether there are initial states was perhaps too long a question.
                let is_unclear =
                    || matches!(self.task.initial.meeting(&self.nodes[node].cube), Meeting::Unclear);
                Answer::Unknown(if let Some(weakening) = self.weakening(node) {
                    Reason::Weakened(run, weakening)
                } else if is_unclear() {
                    Reason::Cases
                } else {
                    Reason::Unconfirmed(run)
                })
            }
            (Standing::Open, None, None) => Answer::Safe,
            (Standing::Refuted, _, _) => panic!("only approximations are refuted"),
        }
    }

    /// What was checked in part on the symbolic run of a node, if anything was.
    fn weakening(&self, node: NodeId) -> Option<Weakening> {
        if self.forgets_others(node) {
            return Some(Weakening::Guard);
        }
        let property = &self.task.system().properties[self.nodes[node].target.0 as usize];
        if is_weakened(self.task.vocabulary, property) {
            return Some(Weakening::Property);
        }
        let mut weakened = self.nodes.steps(node).filter(|step| step.weakened).peekable();
        weakened.peek()?;
        // What a cube says of others comes from the property, or from guards.
        let says_of_others = weakened.any(|step| self.nodes[step.parent].cube.others.is_some());
        Some(match (says_of_others, has_universal(&property.formula)) {
            (false, _) => Weakening::Values,
            (true, true) => Weakening::Property,
            (true, false) => Weakening::Guard,
        })
    }

    /// Where not all properties are safe: those of which nothing is left to be done are, and the cubes because of which
    /// they are.
    ///
    /// Sound: the visited cubes of the targets that they depend on contain these properties, and their own predecessors;
    /// none of them waits, and none meets the initial states. (A property that was not begun has nothing that waits, either; but
    /// then it is incomplete.)
    fn settle(&self, answers: &mut [Answer]) -> Vec<show::CubeFormula> {
        let waiting = self.queue.iter().map(|node| self.nodes[node].target).collect();
        let needs = self.targets.needs(&self.nodes);
        let mut needed = BTreeSet::new();
        for (property, answer) in answers.iter_mut().enumerate() {
            let settled = match answer {
                Answer::Unknown(_) | Answer::Safe => {
                    self.targets.settled(TargetId::new(property), &needs, &waiting)
                }
                Answer::Unsafe(_) | Answer::Trusted => None,
            };
            debug_assert!(
                settled.is_some() || *answer != Answer::Safe,
                "what is safe depends on what stands"
            );
            if let Some(settled) = settled {
                *answer = Answer::Safe;
                needed.extend(settled);
            }
        }
        if needed.is_empty() {
            return Vec::new();
        }
        let vocabulary = self.task.vocabulary;
        let visited = self.visited.all().iter().filter(|stored| needed.contains(&stored.target));
        let cubes = self.task.background.relations.iter().chain(visited.map(|stored| &stored.cube));
        let cubes = cubes.map(|cube| show::orbit(vocabulary, cube));
        cubes.chain(show::subtype_formulas(vocabulary)).collect()
    }

    /// Of the visited cubes, those that the invariant needs.
    fn invariant(&self) -> Vec<show::CubeFormula> {
        let share = if self.guesses.are_made() { SHARE_WITH_GUESSES } else { SHARE_WITHOUT };
        let budget = LEAST_WORK.max(self.work() / share);
        let is_trusted = |stored: &Stored| self.targets[stored.target].is_trusted();
        let (visited, statistics) = (self.visited.all().iter(), self.meter.statistics());
        let cubes = minimal_invariant(&self.task, visited, is_trusted, statistics, budget);
        debug_assert!(
            cubes.len() > CHECKED || self.is_inductive(&cubes) != Some(false),
            "the invariant is inductive"
        );
        let (vocabulary, background) = (self.task.vocabulary, &self.task.background);
        // What is impossible need not be said. The relations may be what something was covered by on the way.
        let is_known = |cube: &&Arc<Cube>| background.cubes().any(|known| known == *cube);
        let cubes = background.relations.iter().chain(cubes.iter().filter(|cube| !is_known(cube)));
        let cubes = cubes.map(|cube| show::orbit(vocabulary, cube));
        cubes.chain(show::subtype_formulas(vocabulary)).collect()
    }

    /// Whether cubes are what they are said to be: they contain the properties and their own predecessors,
    /// and no initial state. Nothing where that could not be found out.
    fn is_inductive(&self, cubes: &[Arc<Cube>]) -> Option<bool> {
        let task = &self.task;
        let mut store = Store::new(task.vocabulary);
        for stored in self.visited.all().iter().filter(|stored| cubes.contains(&stored.cube)) {
            store.insert(stored.node, stored.target, Arc::clone(&stored.cube));
        }
        for stored in self
            .visited
            .all()
            .iter()
            .filter(|stored| self.task.background.cubes().any(|known| *known == stored.cube))
        {
            store.insert(stored.node, stored.target, Arc::clone(&stored.cube));
        }
        let mut is_clear = true;
        let mut is_covered = |cube: &Cube| {
            let found = coverage(&store, cube, Checks::default(), &mut Calls::default(), &|_| true);
            is_clear &= !matches!(found, Coverage::None { gave_up: true });
            !matches!(found, Coverage::None { gave_up: false })
        };
        let mut holds = task.system().properties.iter().all(|property| {
            task.property_cubes(property).is_ok_and(|cubes| cubes.iter().all(&mut is_covered))
        });
        for stored in store.iter().filter(|stored| !self.targets[stored.target].is_trusted()) {
            holds &= !task.is_initial(&stored.cube);
            let missing =
                task.predecessors(&stored.cube, |predecessor| holds &= is_covered(&predecessor.cube));
            holds &= missing.is_none();
        }
        (is_clear && !task.is_interrupted()).then_some(holds)
    }
}

impl From<TooMany> for Reason {
    fn from(error: TooMany) -> Reason {
        match error {
            TooMany::Processes => Reason::Processes,
            TooMany::Cases => Reason::Cases,
        }
    }
}
