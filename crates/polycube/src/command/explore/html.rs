//! What an exploration found, as a page.

use super::report::Report;
use crate::arguments::Format;
use crate::command::files::Ran;
use crate::report::html::{Page, Tone};

impl<'r> Report<'r> {
    pub(super) fn page(&self) -> Page<'r, &Self> {
        Page {
            command: "explore",
            model: self.model,
            tone: Tone::from(self.outcome()),
            headline: self.answer(),
            notes: self.remarks(),
            report: self,
            text: self.print(Format::Human),
            graph: None,
            run: self.run().map(|run| run.trace),
        }
    }

    /// The run that `replay` would take from the JSON of this report.
    pub(super) fn run(&self) -> Option<Ran<'r>> {
        let first = self.runs().into_iter().next();
        let first = first.map(|(trace, end)| Ran { trace, end: Some(end) });
        let end = || Some("No transition is possible.".to_owned());
        first.or_else(|| Some(Ran { trace: self.exploration.deadlock.as_ref()?, end: end() }))
    }
}
