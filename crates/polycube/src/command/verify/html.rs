//! What a verification found, as a page.

use std::sync::atomic::Ordering;

use anstream::adapter::strip_str;
use polycube_certificate::Invariant;
use polycube_induction::{Effort, Wanted};
use polycube_lean::{Formulas, LeanFormula, Needs};

use super::report::Report;
use crate::arguments::Format;
use crate::command::Outcome;
use crate::command::files::Ran;
use crate::report::html::{Page, Tone, one_line};
use crate::report::needs::Graph;
use crate::verified::Verdict;

impl<'r> Report<'r> {
    pub(in crate::command) fn page(&self, command: &'static str) -> Page<'r, &Self> {
        Page {
            command,
            model: self.verified.model,
            tone: Tone::from(self.outcome()),
            headline: one_line(&self.first_sentence()),
            notes: self.notes(),
            report: self,
            text: self.print(Format::Human),
            graph: self.graph(),
            run: self.run().map(|run| run.trace),
        }
    }

    /// What the reader should know beside the verdict.
    fn notes(&self) -> Vec<String> {
        let way_out = self.way_out.as_deref().map(|text| strip_str(text).to_string());
        self.known().into_iter().chain(way_out).chain(self.remark()).collect()
    }

    /// The formulas of the invariant, and what each is needed for.
    fn graph(&self) -> Option<Graph> {
        let formulas = self.verified.is_safe().then(|| self.verified.formulas()).flatten()?;
        let needs = self.needs(&formulas.formulas);
        Some(Graph::new(self.system(), &self.lines, needs.as_deref().unwrap_or(&formulas.formulas)))
    }

    /// The same formulas with what each is needed for, as a proof of them says: the report for people does
    /// not say that, so it was not asked before. Nothing if there is no time for it, or if these clauses
    /// would be put into other formulas.
    fn needs(&self, formulas: &[LeanFormula]) -> Option<Vec<LeanFormula>> {
        let goes_on = || !self.options.interrupt.load(Ordering::Relaxed);
        let effort = Effort { goes_on: &goes_on, threads: self.options.threads, wanted: Wanted::Hints };
        let invariant = Invariant { clauses: formulas.iter().flat_map(LeanFormula::clauses).collect() };
        let proved = Formulas::of(self.system(), &invariant, &effort)?.formulas;
        let is_same = |one: &LeanFormula, other: &LeanFormula| {
            (&one.premise, &one.conclusions) == (&other.premise, &other.conclusions)
        };
        let place = |one: &LeanFormula| formulas.iter().position(|other| is_same(one, other));
        let places = proved.iter().map(place).collect::<Option<Vec<usize>>>()?;
        let mut result = formulas.to_vec();
        for (formula, &at) in proved.into_iter().zip(&places) {
            let renamed = formula.needed_for.into_iter().map(|needs| match needs {
                Needs::Formula { formula, transition } => {
                    Needs::Formula { formula: places[formula], transition }
                }
                property @ Needs::Property(_) => property,
            });
            result[at].needed_for = renamed.collect();
        }
        Some(result)
    }

    /// The shortest run to a bad state.
    pub(in crate::command) fn run(&self) -> Option<Ran<'r>> {
        match self.verified.verdict() {
            Verdict::Unsafe(run) | Verdict::WrongInvariant(run) => {
                Some(Ran { trace: &run.trace, end: Some(self.what_is_bad(run)) })
            }
            Verdict::Safe | Verdict::Unknown(_) => None,
        }
    }
}

impl From<Outcome> for Tone {
    fn from(outcome: Outcome) -> Tone {
        match outcome {
            Outcome::Success => Tone::Good,
            Outcome::No | Outcome::Bug | Outcome::Wrong => Tone::Bad,
            Outcome::Unknown => Tone::Open,
        }
    }
}
