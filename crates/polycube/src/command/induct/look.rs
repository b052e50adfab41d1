//! One look at the clauses of a model: everything that a report says of them.

use std::collections::BTreeMap;
use std::time::Instant;

use polycube_certificate::{Clause, Trace, replay};
use polycube_engine::forward::{self, Extent, Goal, Limits};
use polycube_engine::oracle::Plan;
use polycube_induction::{Effort, Wanted};
use polycube_lean::dialogue::{Failure, Inquiry, Suggestion, with_clause};
use polycube_lean::{BadState, ClauseVerdicts, Verdict, clause_of, induct};

use crate::command::progress::ProgressLine;
use crate::command::stop::Stop;
use crate::command::{Outcome, Refusal};
use crate::console::Console;
use crate::model::Model;
use crate::report::trace::rules;
use crate::verified::{BadRun, without_states};

/// For how many counterexamples suggestions are made.
const MOST: usize = 24;

/// How many states are looked at for one that refutes a clause.
const REFUTING: u64 = 100_000;

/// What to look at.
#[derive(Clone)]
pub(super) struct Asked<'a> {
    /// Only counterexamples of this clause, and of transitions with this name.
    pub(super) clause: Option<usize>,
    pub(super) transition: Option<String>,
    /// Whether to show what is refuted.
    pub(super) all: bool,
    pub(super) processes: Option<u32>,
    pub(super) threads: usize,
    pub(super) bytes: Option<usize>,
    pub(super) stop: &'a Stop,
}

/// What is known of the clauses of a model.
pub(super) struct Look<'m> {
    pub(super) model: &'m Model,
    pub(super) inquiry: Inquiry<'m>,
    /// Whether each clause is inductive by itself.
    pub(super) alone: Vec<bool>,
    /// Runs that violate clauses.
    pub(super) runs: Vec<BadRun>,
    /// The only clause to show, if there is one.
    pub(super) asked_clause: Option<usize>,
    /// The counterexamples that were asked for.
    pub(super) counterexamples: Vec<Counterexample>,
    /// How many there are in all.
    pub(super) failures: usize,
    /// Whether it ended early.
    pub(super) stopped: Option<String>,
    pub(super) seconds: f64,
}

/// A step that leads out of the clauses, and what to do about it.
pub(super) struct Counterexample {
    pub(super) clause: usize,
    pub(super) transition: usize,
    pub(super) bad: BadState,
    pub(super) suggestions: Vec<Suggestion>,
    /// What is refuted, with the run that does it, if it was found again.
    pub(super) refuted: Vec<(Clause, Option<Trace>)>,
}

impl<'m> Look<'m> {
    /// Looks at the clauses. Suggestions that were rejected are not made again.
    pub(super) fn at(
        model: &'m Model,
        asked: &Asked<'_>,
        rejected: &[Clause],
        console: &mut Console,
    ) -> Result<Look<'m>, Refusal> {
        let start = Instant::now();
        let (system, stop) = (&model.system, asked.stop);
        let goes_on = || !stop.is_set();
        let effort = Effort { goes_on: &goes_on, threads: asked.threads, wanted: Wanted::Hints };
        let plan = Plan { processes: asked.processes, ..Plan::default() };
        let mut line = ProgressLine::new(console);
        let inquiry = Inquiry::new(system, plan, asked.bytes, &stop.flag(), &effort, &mut line)
            .map_err(|unsupported| Refusal::unsupported(model, &unsupported))?;
        drop(line);
        let failures = inquiry.failures();
        let found = inquiry.violations.iter().map(|one| BadRun::new(system, one.property, &one.trace));
        let initial = failures.iter().filter(|failure| failure.transition.is_none()).map(|failure| {
            let BadState { processes, orders, before, .. } = failure.bad;
            let (orders, initial) = (orders.clone(), before.clone());
            let trace = Trace { processes: *processes, orders, initial, steps: Vec::new() };
            BadRun::new(system, failure.clause, &trace)
        });
        let runs: Vec<BadRun> = found.chain(initial).collect();
        let is_asked = |failure: &&Failure<'_>| {
            let name =
                failure.transition.map(|one| system.transition_in_words(&system.transitions[one].name));
            asked.clause.is_none_or(|clause| clause == failure.clause)
                && asked.transition.as_ref().is_none_or(|asked| Some(&asked[..]) == name)
        };
        let steps = failures.iter().filter(is_asked);
        let steps = steps.filter_map(|failure| Some((*failure, failure.transition?)));
        let is_refuted = !runs.is_empty();
        // Nothing is refuted by states that are not there: whatever is suggested would be a guess.
        let is_nowhere = without_states(inquiry.instances()).is_some();
        let counterexamples = steps.filter(|_| !is_refuted).take(MOST).map(|(failure, transition)| {
            let answer = inquiry.answer(failure, asked.all, rejected, &effort);
            let refuted = answer.refuted.into_iter().map(|clause| {
                let run = refuting(model, &clause, asked, &inquiry);
                (clause, run)
            });
            Counterexample {
                clause: failure.clause,
                transition,
                bad: failure.bad.clone(),
                suggestions: if is_nowhere { Vec::new() } else { answer.suggestions },
                refuted: refuted.collect(),
            }
        });
        let counterexamples = counterexamples.collect();
        let failures = failures.len();
        let clauses = inquiry.verdicts.iter().enumerate();
        let alone =
            clauses.map(|(clause, verdicts)| is_inductive_alone(model, clause, verdicts, &effort)).collect();
        let stopped = stop.is_set().then(|| stop.describe());
        let seconds = start.elapsed().as_secs_f64();
        Ok(Look {
            model,
            inquiry,
            alone,
            runs,
            asked_clause: asked.clause,
            counterexamples,
            failures,
            stopped,
            seconds,
        })
    }

    pub(super) fn is_inductive(&self) -> bool {
        self.runs.is_empty() && self.inquiry.is_inductive()
    }

    pub(super) fn outcome(&self) -> Outcome {
        match (self.runs.is_empty(), self.is_inductive()) {
            (false, _) => Outcome::No,
            (true, true) => Outcome::Success,
            (true, false) => Outcome::Unknown,
        }
    }

    /// For each counterexample the first suggestion, unless one before removes it as well.
    pub(super) fn first_suggestions(&self) -> Vec<&Clause> {
        let mut chosen: Vec<&Suggestion> = Vec::new();
        for counterexample in &self.counterexamples {
            let is_removed = chosen.iter().any(|one| self.inquiry.removes(&one.clause, &counterexample.bad));
            chosen.extend(counterexample.suggestions.first().filter(|_| !is_removed));
        }
        chosen.into_iter().map(|suggestion| &suggestion.clause).collect()
    }

    /// Because of which other clauses, by number from 1, steps preserve a clause; with the names of the
    /// transitions.
    pub(super) fn needs(&self, clause: usize) -> BTreeMap<usize, Vec<String>> {
        let mut needs: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        let Some(verdicts) = self.inquiry.verdicts.get(clause) else { return needs };
        for (verdict, transition) in verdicts.preserved.iter().zip(&self.model.system.transitions) {
            let Verdict::Holds(clauses) = verdict else { continue };
            for &other in clauses.iter().filter(|other| **other != clause) {
                let names = needs.entry(other + 1).or_default();
                let name = self.model.system.transition_in_words(&transition.name);
                if !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
        }
        needs
    }

    /// The names of the transitions of which a clause has such a verdict.
    pub(super) fn names(&self, clause: usize, is: fn(&Verdict) -> bool) -> Vec<String> {
        let verdicts = self.inquiry.verdicts.get(clause).map_or(&[][..], |verdicts| &verdicts.preserved);
        let fitting = verdicts.iter().enumerate().filter(|(_, verdict)| is(verdict)).map(|(at, _)| at);
        rules(&self.model.system, fitting)
    }
}

/// Whether a clause is inductive without the others, by what is known of it together with them.
fn is_inductive_alone(model: &Model, clause: usize, verdicts: &ClauseVerdicts, effort: &Effort<'_>) -> bool {
    // What needs no others with them needs none without them, and what fails with them fails without them.
    if verdicts.all().any(|verdict| !matches!(verdict, Verdict::Holds(_))) {
        return false;
    }
    let is_own = |verdict: &Verdict| matches!(verdict, Verdict::Holds(clauses) if clauses.iter().all(|other| *other == clause));
    verdicts.all().all(is_own) || {
        let found = induct(&model.system, &[clause_of(&model.system.properties[clause])], effort);
        found.iter().all(ClauseVerdicts::is_proved)
    }
}

/// A run to a state that violates a clause, in one of the instances that are known.
fn refuting(model: &Model, clause: &Clause, asked: &Asked<'_>, inquiry: &Inquiry<'_>) -> Option<Trace> {
    let mut system = model.system.clone();
    system.properties.clear();
    let system = with_clause(&system, clause);
    inquiry.instances().iter().find_map(|instance| {
        let options = forward::Options {
            extent: Extent::Everything,
            goal: Goal::FirstUnsafe,
            threads: asked.threads,
            limits: Limits { states: Some(REFUTING), bytes: asked.bytes, ..Limits::default() },
            interrupt: asked.stop.flag(),
            ..forward::Options::new(instance.processes)
        };
        let found = forward::explore(&system, &options, &mut ()).ok()?;
        let violation = found.violations.into_iter().next()?;
        replay(&system, &violation.trace).is_ok().then_some(violation.trace)
    })
}
