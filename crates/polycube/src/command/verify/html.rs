//! What a verification found, as a page.

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
            notes: self.remark().into_iter().collect(),
            report: self,
            text: self.print(Format::Human),
            graph: self.graph(),
            run: self.run().map(|run| run.trace),
        }
    }

    /// The formulas of the invariant, and what each is needed for.
    pub(in crate::command) fn graph(&self) -> Option<Graph> {
        let formulas = self.verified.is_safe().then(|| self.verified.formulas()).flatten()?;
        Some(Graph::new(self.system(), &self.lines, &formulas.formulas))
    }

    /// The shortest run to a bad state.
    pub(in crate::command) fn run(&self) -> Option<Ran<'r>> {
        match self.verified.verdict() {
            Verdict::Unsafe(run) => Some(Ran { trace: &run.trace, end: Some(self.what_is_bad(run)) }),
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
