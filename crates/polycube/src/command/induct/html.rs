//! What is known of the clauses of a model, as a page.

use std::path::Path;

use super::json::Json;
use super::look::Look;
use crate::arguments::Format;
use crate::report::html::{Page, Tone, one_line};

impl Look<'_> {
    pub(super) fn page(&self, applied: Option<&Path>) -> Page<'_, Json<'_>> {
        Page {
            command: "induct",
            model: self.model,
            tone: Tone::from(self.outcome()),
            headline: one_line(&self.headline()),
            notes: Vec::new(),
            report: self.to_json(applied.is_some()),
            text: self.print(Format::Human, applied),
            graph: None,
            run: self.runs.first().map(|run| &run.trace),
        }
    }
}
