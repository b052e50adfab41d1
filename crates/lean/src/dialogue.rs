//! What a designer asks of clauses that should be inductive, and what there is to answer: which of them are,
//! what violates the others, whether that is a bug, and what could be claimed in addition.
//!
//! The questions and the answers of Pandav, Slind and Gopalakrishnan (CHARME 2005). Their section 5 asks for
//! a way to detect a strengthening that claims too much: known reachable states refute it here.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use polycube_certificate::Clause;
use polycube_engine::backward::{CubeFormula, Suggester, Suggestions};
use polycube_engine::cube::Unsupported;
use polycube_engine::forward::{Observer, Violation};
use polycube_engine::oracle::{Explored, Plan};
use polycube_induction::Effort;
use polycube_language::System;
use polycube_language::formula::{Formula, Variable};

use crate::claim::{as_clause, candidates, clause_of, leaves, novelty, property_of, removes};
use crate::discover::STATES;
use crate::formulas::names;
use crate::induct::{BadState, ClauseVerdicts, Verdict, induct};
use crate::literal::{literals, size, variables};
use crate::values::Values;

/// How many suggestions are made.
const SUGGESTIONS: usize = 5;

/// What was found out about the clauses of a system.
pub struct Inquiry<'s> {
    system: &'s System,
    suggester: Suggester<'s>,
    /// Properties that are violated, with runs. If there is one, nothing else was asked.
    pub violations: Vec<Violation>,
    /// What is known of each property as a clause, all of them together.
    pub verdicts: Vec<ClauseVerdicts>,
}

/// A counterexample to induction.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'i> {
    /// The number of the clause, from 0.
    pub clause: usize,
    /// The transition; none if an initial state violates it.
    pub transition: Option<usize>,
    /// How.
    pub bad: &'i BadState,
}

/// What could be claimed in addition.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// The clause.
    pub clause: Clause,
    /// How many of all counterexamples it removes.
    pub removes: usize,
    /// How many transitions do not preserve it.
    pub leaves: usize,
}

/// Suggestions, and what cannot be suggested.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The best first.
    pub suggestions: Vec<Suggestion>,
    /// Clauses that would do, if known reachable states did not violate them.
    pub refuted: Vec<Clause>,
}

/// The system with a further `invariant` clause.
#[must_use]
pub fn with_clause(system: &System, clause: &Clause) -> System {
    let mut system = system.clone();
    system.properties.push(property_of(clause));
    system
}

impl<'s> Inquiry<'s> {
    /// Looks for runs in small instances, and then at each property as a clause.
    ///
    /// # Errors
    ///
    /// If the system is beyond a limit of the search.
    pub fn new(
        system: &'s System,
        plan: Plan,
        max_bytes: Option<usize>,
        interrupt: &Arc<AtomicBool>,
        effort: &Effort<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Inquiry<'s>, Unsupported> {
        let mut suggester = Suggester::new(system, plan, max_bytes, interrupt)?;
        let violations = suggester.explore(STATES, effort.threads, observer);
        let clauses: Vec<Clause> = system.properties.iter().map(clause_of).collect();
        let verdicts = if violations.is_empty() { induct(system, &clauses, effort) } else { Vec::new() };
        Ok(Inquiry { system, suggester, violations, verdicts })
    }

    /// The instances in which runs were looked for.
    pub fn instances(&self) -> &[Explored] {
        self.suggester.instances()
    }

    /// Whether the clauses are inductive together.
    pub fn is_inductive(&self) -> bool {
        self.violations.is_empty() && self.verdicts.iter().all(ClauseVerdicts::is_proved)
    }

    /// All counterexamples, in the order of clauses and transitions.
    pub fn failures(&self) -> Vec<Failure<'_>> {
        let mut failures = Vec::new();
        for (clause, verdicts) in self.verdicts.iter().enumerate() {
            let transitions = [None].into_iter().chain((0..).map(Some));
            for (transition, verdict) in transitions.zip(verdicts.all()) {
                if let Verdict::Fails(bad) = verdict {
                    failures.push(Failure { clause, transition, bad });
                }
            }
        }
        failures
    }

    /// What could be claimed so that this step is no counterexample any more: what removes most others
    /// first, then what most transitions preserve, then what speaks of few new things. Clauses that were rejected are left out.
    pub fn answer(
        &self,
        failure: Failure<'_>,
        all: bool,
        rejected: &[Clause],
        effort: &Effort<'_>,
    ) -> Answer {
        let Some(transition) = failure.transition else { return Answer::default() };
        let property = &self.system.properties[failure.clause];
        let removed =
            |clause: &Clause| self.failures().iter().filter(|one| self.removes(clause, one.bad)).count();
        let many = SUGGESTIONS + rejected.len();
        let Suggestions { open, refuted } =
            candidates(self.system, &self.suggester, property, transition, failure.bad, many, all);
        let clauses: Vec<Clause> = self.system.properties.iter().map(clause_of).collect();
        let mut suggestions: Vec<Suggestion> = (open.iter())
            .map(|formula| self.tidy(formula))
            .filter(|clause| !rejected.contains(clause))
            .map(|clause| Suggestion {
                removes: removed(&clause),
                leaves: leaves(self.system, &clauses, &clause, effort),
                clause,
            })
            .collect();
        suggestions.sort_by_key(|one| {
            let new = novelty(&clauses, &one.clause);
            (Reverse(one.removes), one.leaves, new, one.clause.parameters.len(), size(&one.clause))
        });
        suggestions.truncate(SUGGESTIONS);
        Answer { suggestions, refuted: refuted.iter().map(|formula| self.tidy(formula)).collect() }
    }

    /// Whether a clause is violated where a counterexample begins: then it is none any more.
    pub fn removes(&self, clause: &Clause, bad: &BadState) -> bool {
        removes(self.system, clause, bad)
    }

    /// A clause with sets of values, and the names that the model uses, in the order of the text.
    fn tidy(&self, formula: &CubeFormula) -> Clause {
        let mut clause = as_clause(formula);
        clause.never = Formula::and(Values::combined(self.system, literals(&clause).iter().cloned()));
        let order = variables(&clause.never);
        let place = |parameter: &Variable| order.iter().position(|variable| *variable == parameter.id);
        clause.parameters.sort_by_key(|parameter| place(parameter).unwrap_or(usize::MAX));
        let names = names(self.system, clause.parameters.len());
        for (parameter, name) in clause.parameters.iter_mut().zip(names) {
            parameter.name = name;
        }
        clause
    }
}

#[cfg(test)]
mod tests {
    use polycube_induction::Wanted;
    use polycube_testing::models;

    use super::*;

    /// How many suggestions have to be accepted, always the first, until the clauses are inductive.
    fn accepted(system: &System) -> Result<usize, String> {
        let mut system = system.clone();
        for accepted in 0..60 {
            let effort = Effort { goes_on: &|| true, threads: 1, wanted: Wanted::Hints };
            let inquiry = Inquiry::new(&system, Plan::default(), None, &Arc::default(), &effort, &mut ());
            let inquiry = inquiry.map_err(|why| why.to_string())?;
            if let Some(violation) = inquiry.violations.first() {
                return Err(format!("after {accepted}, {} is violated", violation.property));
            }
            if inquiry.is_inductive() {
                return Ok(accepted);
            }
            let failures = inquiry.failures();
            let failure = failures.first().ok_or("something is not known")?;
            let answer = inquiry.answer(*failure, false, &[], &effort);
            let first = answer.suggestions.first();
            let first = first.ok_or_else(|| format!("after {accepted}, nothing is suggested"))?;
            system = with_clause(&system, &first.clause);
        }
        Err("there is no end to it".to_owned())
    }

    #[test]
    fn accepting_always_the_first_suggestion_proves() {
        let models = models("safe");
        let steps = |name: &str| {
            let model = models.iter().find(|model| model.name() == name).expect("there is such a model");
            accepted(&polycube_language::check(&model.text).system.expect("a correct model"))
        };
        let names = ["mutex", "germanish", "german", "szymanski_atomic", "mesi", "moesi"];
        assert_eq!(names.map(steps), [1, 3, 33, 13, 0, 0].map(Ok));
    }
}
