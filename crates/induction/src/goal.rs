//! Which questions an obligation consists of.
//!
//! A clause is violated after a step for some different processes. Some of these are processes that the
//! transition names, the others are not: there is a question for each number of others (a *level*), and in it
//! a goal for each way in which the parameters of the clause can be those of the transition, or others.

use std::collections::BTreeSet;

use polycube_certificate::cases::{arrangements, deciding, witnesses};
use polycube_certificate::hint::Role;
use polycube_certificate::invariant::{Invariant, Obligation};
use polycube_certificate::pointers::Pointers;
use polycube_language::System;
use polycube_language::system::{Processes, Transition, Type};

use crate::claims::Claims;
use crate::counterexample::confirm;
use crate::findings::Findings;
use crate::ground::Ground;
use crate::meaning::{Meaning, Reading, When};
use crate::question::{Outcome, Question};
use crate::universe::{Names, PlaceId, Universe};
use crate::watch::Watch;
use crate::{Finding, Open, Wanted};

/// The most processes that a question names because cells hold them. The first attempt names none, and fewer of those
/// that clauses promise: most obligations need none, and each makes everything slower.
const HELD: [usize; 2] = [0, 24];

/// The first universe is skipped once it has left more than one in this many goals open.
const MISSES: usize = 4;

/// A part of some obligations.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Job {
    Excluded {
        property: usize,
    },
    /// The initial states satisfy the clauses with `level` parameters. If the number of processes is fixed,
    /// `level` is 0 and stands for all clauses.
    Initial {
        level: u32,
    },
    /// Steps of a transition preserve the clauses, where `level` of their processes are not arguments of it.
    /// If the number of processes is fixed, `level` is 0 and stands for all processes.
    Preserved {
        transition: usize,
        level: u32,
    },
}

impl Job {
    /// Whether two jobs have the same obligations.
    pub(crate) fn is_about_the_same(&self, other: &Job) -> bool {
        match (self, other) {
            (Job::Preserved { transition: one, .. }, Job::Preserved { transition, .. }) => one == transition,
            _ => false,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Subject<'j> {
    pub(crate) system: &'j System,
    pub(crate) invariant: &'j Invariant,
    pub(crate) claims: &'j Claims,
    pub(crate) pointers: &'j Pointers,
    pub(crate) wanted: Wanted,
    /// If not all obligations are asked for, these are.
    pub(crate) only: Option<&'j BTreeSet<Obligation>>,
    pub(crate) until: Until,
}

/// After what nothing else is of interest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Until {
    /// An obligation is refuted.
    #[default]
    Refuted,
    /// An obligation is not proved, for whatever reason.
    Unproved,
}

impl<'j> Subject<'j> {
    /// All jobs. Those that are about the same follow each other.
    pub(crate) fn jobs(&self) -> Vec<Job> {
        let properties = (0..self.system.properties.len()).map(|property| Job::Excluded { property });
        let most = self.invariant.clauses.iter().map(|clause| clause.parameters.len()).max();
        let levels = 0..=if self.is_open() { number(most.unwrap_or(0)) } else { 0 };
        let initially = levels.clone().map(|level| Job::Initial { level });
        let preserved = (0..self.system.transitions.len())
            .flat_map(|transition| levels.clone().map(move |level| Job::Preserved { transition, level }));
        let jobs = properties.chain(initially).chain(preserved);
        jobs.filter(|&job| self.only.is_none() || self.obligations(job).next().is_some()).collect()
    }

    /// The obligations that a job has a part in. There may be very many.
    pub(crate) fn obligations(self, job: Job) -> Box<dyn Iterator<Item = Obligation> + 'j> {
        let clauses = 0..self.invariant.clauses.len();
        let nothing_else = move |obligation: &Obligation| self.concerns(job, *obligation);
        let Some(only) = self.only else {
            return match job {
                Job::Excluded { property } => Box::new(std::iter::once(Obligation::Excludes { property })),
                Job::Initial { .. } => {
                    Box::new(clauses.map(|clause| Obligation::Initially { clause }).filter(nothing_else))
                }
                Job::Preserved { transition, .. } => Box::new(
                    clauses
                        .map(move |clause| Obligation::Preserved { transition, clause })
                        .filter(nothing_else),
                ),
            };
        };
        let (first, last) = match job {
            Job::Excluded { property } => {
                (Obligation::Excludes { property }, Obligation::Excludes { property })
            }
            Job::Initial { .. } => {
                (Obligation::Initially { clause: 0 }, Obligation::Initially { clause: usize::MAX })
            }
            Job::Preserved { transition, .. } => (
                Obligation::Preserved { transition, clause: 0 },
                Obligation::Preserved { transition, clause: usize::MAX },
            ),
        };
        Box::new(only.range(first..=last).copied().filter(nothing_else))
    }

    /// Whether a job has a part in an obligation of its kind.
    fn concerns(&self, job: Job, obligation: Obligation) -> bool {
        match (job, obligation) {
            (Job::Initial { level }, Obligation::Initially { clause }) => {
                !self.is_open() || number(self.invariant.clauses[clause].parameters.len()) == level
            }
            (Job::Preserved { .. }, Obligation::Preserved { transition, clause }) => {
                let updates = &self.system.transitions[transition].updates;
                updates.iter().any(|update| self.claims.symbols[clause].contains(&update.symbol))
            }
            _ => true,
        }
    }

    /// Does a job, to its end or until it has to stop.
    pub(crate) fn run(self, job: Job, watch: &'j Watch<'j>) -> Findings {
        let mut findings = Findings { until: self.until, ..Findings::default() };
        findings.complete = match job {
            Job::Excluded { property } => self.excluded(property, watch, &mut findings),
            Job::Initial { level } => self.initial(level, watch, &mut findings),
            Job::Preserved { transition, level } => self.preserved(transition, level, watch, &mut findings),
        };
        findings
    }

    /// Whether there may be any number of processes.
    fn is_open(&self) -> bool {
        self.system.processes == Processes::Any
    }

    /// The processes of a question: those that are named, and others. There is at least one in any system.
    fn universe(&self, named: usize, others: u32, witnesses: usize, held: usize) -> Option<Universe> {
        let places = match self.system.processes {
            Processes::Exactly(count) => (1..=count).map(Role::Number).collect(),
            Processes::Any => {
                let others = if named == 0 { others.max(1) } else { others };
                let named = (0..named).map(Role::Parameter);
                named.chain((0..others as usize).map(Role::Other)).collect()
            }
        };
        Universe::new(self.system, self.pointers, self.claims, places, witnesses, held)
    }

    /// How many of the processes that cells hold are worth knowing, one after the other.
    fn held(&self) -> &'static [usize] {
        let has_pointers = self.system.symbols.iter().any(|symbol| symbol.ty == Type::Process);
        let has_promises = self.claims.claims[self.known()].iter().any(|claim| claim.promised > 0);
        if (has_pointers || has_promises) && self.is_open() { &HELD } else { &HELD[..1] }
    }

    /// The places that parameters of a transition or property stand for. If the number of processes is fixed,
    /// all tuples of different places; otherwise one tuple, since it does not matter which.
    fn arguments(&self, count: usize) -> impl Iterator<Item = Vec<PlaceId>> {
        arrangements(self.system.processes, count, 0, number(count))
    }

    /// What may be assumed of a state of the invariant.
    fn known(&self) -> std::ops::Range<usize> {
        0..self.claims.known
    }

    fn excluded(&self, number: usize, watch: &'j Watch<'j>, findings: &mut Findings) -> bool {
        let property = &self.system.properties[number];
        let obligation = Obligation::Excludes { property: number };
        let count = property.parameters.len();
        let make = |held| {
            let universe = self.universe(count, 0, witnesses(&property.formula, true).len(), held)?;
            let meaning = Meaning::new(self.system, self.claims, universe, watch);
            Some(Question::new(meaning, self.known(), self.wanted))
        };
        let mut questions = Questions::new(self, &make);
        self.arguments(count).all(|places| {
            let names = Names::of(&property.parameters, &places);
            let goal =
                |question: &mut Question<'_>| Some(vec![question.meaning.implied(&property.formula, &names)]);
            findings.note(obligation, questions.ask(obligation, &goal, None, &places))
        })
    }

    fn initial(&self, level: u32, watch: &'j Watch<'j>, findings: &mut Findings) -> bool {
        // Only clauses without parameters say that some process exists.
        let simple = || self.system.init.iter().filter(|init| init.parameters.is_empty());
        let count = simple().map(|init| witnesses(&init.formula, true).len()).sum();
        let make = |held| {
            let universe = self.universe(0, level, count, held)?;
            let meaning = Meaning::new(self.system, self.claims, universe, watch);
            // Facts are true of initial states, too: they are all that is known besides what `init` says.
            let clauses = self.invariant.clauses.len();
            let wanted = if self.claims.known > clauses { self.wanted } else { Wanted::Answers };
            let mut question = Question::new(meaning, clauses..self.claims.claims.len(), wanted);
            for init in simple() {
                let said = question.meaning.implied(&init.formula, &Names::default());
                question.assume(said);
            }
            Some(question)
        };
        let mut questions = Questions::new(self, &make);
        self.obligations(Job::Initial { level }).all(|obligation| {
            let Obligation::Initially { clause } = obligation else { return true };
            self.arguments(self.claims.claims[clause].parameters).all(|places| {
                let goal = |question: &mut Question<'_>| {
                    Some(question.meaning.claim(clause, &places, When::Now, Reading::Implied))
                };
                let mut finding = questions.ask(obligation, &goal, None, &[]);
                if let Finding::Proved(instances) = &mut finding {
                    // `init` is no clause.
                    instances.retain(|instance| instance.clause < self.claims.known);
                }
                findings.note(obligation, finding)
            })
        })
    }

    fn preserved(&self, number: usize, level: u32, watch: &'j Watch<'j>, findings: &mut Findings) -> bool {
        let transition = &self.system.transitions[number];
        let obligations: Vec<Obligation> =
            self.obligations(Job::Preserved { transition: number, level }).collect();
        self.arguments(transition.parameters.len())
            .all(|arguments| self.steps(transition, &obligations, level, &arguments, watch, findings))
    }

    /// The questions of one level of a transition.
    fn steps(
        &self,
        transition: &'j Transition,
        obligations: &[Obligation],
        level: u32,
        arguments: &[PlaceId],
        watch: &'j Watch<'j>,
        findings: &mut Findings,
    ) -> bool {
        let deciding = deciding(transition);
        let count = witnesses(&transition.guard, true).len() + deciding.len();
        let make = |held| {
            let universe = self.universe(arguments.len(), level, count, held)?;
            let mut meaning = Meaning::new(self.system, self.claims, universe, watch);
            let names = Names::of(&transition.parameters, arguments);
            let guard = meaning.implied(&transition.guard, &names);
            let conditions = meaning.set_step(transition, names, &deciding);
            let mut question = Question::new(meaning, self.known(), self.wanted);
            question.assume(guard);
            conditions.into_iter().for_each(|condition| question.assume(condition));
            Some(question)
        };
        let mut questions = Questions::new(self, &make);
        obligations.iter().all(|&obligation| {
            let Obligation::Preserved { clause, .. } = obligation else { return true };
            let parameters = self.claims.claims[clause].parameters;
            let has_quantifier = self.invariant.clauses[clause].never.has_quantifier();
            let named = number(arguments.len());
            arrangements(self.system.processes, parameters, named, level).all(|places| {
                let goal = |question: &mut Question<'_>| {
                    let goal = question.meaning.claim(clause, &places, When::Next, Reading::Implied);
                    let before = question.meaning.claim(clause, &places, When::Now, Reading::Implied);
                    // If nothing changes that the clause speaks of, it is the same as the instance before the
                    // step. (Where it speaks of all processes, both sides are instantiated with some only,
                    // and may differ for others.)
                    (goal != before || has_quantifier).then_some(goal)
                };
                let first = Some((clause, &places[..]));
                findings.note(obligation, questions.ask(obligation, &goal, first, arguments))
            })
        })
    }
}

/// What a counterexample to an obligation has to satisfy; none if nothing changes that the obligation speaks
/// of.
type Goal<'g, 'q> = &'g dyn Fn(&mut Question<'q>) -> Option<Vec<Ground>>;

/// The same question about few processes, and about more.
struct Questions<'a, 'q> {
    subject: &'a Subject<'q>,
    make: &'a dyn Fn(usize) -> Option<Question<'q>>,
    /// The questions that were made: none where there would be too many cells.
    made: Vec<Option<Question<'q>>>,
    asked: usize,
    missed: usize,
}

impl<'a, 'q> Questions<'a, 'q> {
    fn new(subject: &'a Subject<'q>, make: &'a dyn Fn(usize) -> Option<Question<'q>>) -> Questions<'a, 'q> {
        Questions { subject, make, made: Vec::new(), asked: 0, missed: 0 }
    }

    /// Looks for a counterexample. `Proved` if there is none, `Refuted` if one is confirmed, else `Open`.
    fn ask(
        &mut self,
        obligation: Obligation,
        goal: Goal<'_, 'q>,
        first: Option<(usize, &[PlaceId])>,
        arguments: &[PlaceId],
    ) -> Finding {
        let held = self.subject.held();
        let skipped = usize::from(held.len() > 1 && self.missed * MISSES > self.asked + MISSES);
        self.asked += 1;
        for (at, &held) in held.iter().enumerate().skip(skipped) {
            if self.made.len() <= at {
                self.made.push((self.make)(held));
            }
            let finding = self.ask_one(at, obligation, goal, first, arguments);
            if finding != Finding::Open(Open::Incomplete) {
                return finding;
            }
            self.missed += usize::from(at == 0);
        }
        Finding::Open(Open::Incomplete)
    }

    fn ask_one(
        &mut self,
        at: usize,
        obligation: Obligation,
        goal: Goal<'_, 'q>,
        first: Option<(usize, &[PlaceId])>,
        arguments: &[PlaceId],
    ) -> Finding {
        let Some(question) = &mut self.made[at] else { return Finding::Open(Open::Incomplete) };
        let Some(goal) = goal(question) else {
            let instance = first.map(|(clause, places)| question.meaning.universe.hint(clause, places));
            return Finding::Proved(instance.into_iter().collect());
        };
        match question.ask(&goal, first) {
            Outcome::Impossible(instances) => Finding::Proved(instances),
            Outcome::Stopped => Finding::Open(Open::Stopped),
            Outcome::Open => Finding::Open(Open::Incomplete),
            // This was the largest universe: the obligation is not proved, and it does not matter why.
            Outcome::Possible(_)
                if self.subject.until == Until::Unproved && at + 1 == self.subject.held().len() =>
            {
                Finding::Open(Open::Incomplete)
            }
            Outcome::Possible(model) => {
                let (invariant, meaning) = (self.subject.invariant, &question.meaning);
                match confirm(invariant, obligation, meaning, &model, arguments) {
                    Some(counterexample) => Finding::Refuted(Box::new(counterexample)),
                    None => Finding::Open(Open::Incomplete),
                }
            }
        }
    }
}

fn number(count: usize) -> u32 {
    count.try_into().expect("a model has fewer parameters than its text has characters")
}
