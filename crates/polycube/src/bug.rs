//! What is said where the search reported an invariant that is not inductive: everything that helps to find
//! the mistake.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use polycube_certificate::Invariant;
use polycube_language::System;

use crate::certificate::clause_texts;
use crate::tool;
use crate::verified::Failed;

impl Failed {
    /// Everything that helps to find the mistake, for a report.
    pub fn report(&self, system: &System, invariant: &Invariant, name: &str, model: &str) -> String {
        let clauses = invariant.clauses.iter().map(|clause| (&clause.parameters[..], &clause.never));
        let mut text = format!("{}\n", tool());
        let command: Vec<String> = std::env::args().collect();
        let _ = writeln!(text, "command line: {}\n", command.join(" "));
        let _ = writeln!(text, "It is not true that {}:", self.obligation.describe(system));
        let _ = writeln!(text, "{}", self.counterexample.display(system));
        let _ = writeln!(
            text,
            "The invariant says that there are never different processes for which this holds:"
        );
        for (number, clause) in clause_texts(system, clauses).iter().enumerate() {
            let _ = writeln!(text, "{:4} ({}) {}", number + 1, clause.parameters.join(" "), clause.never);
        }
        let _ = writeln!(text, "\nThe model {name}:\n\n{model}");
        text
    }
}

/// Writes a report into a new file of the first folder in which that is possible.
pub fn write_report(text: &str, folders: &[&Path]) -> Option<PathBuf> {
    folders.iter().find_map(|folder| {
        let mut builder = tempfile::Builder::new();
        let mut file = builder.prefix("polycube-bug-").suffix(".txt").tempfile_in(folder).ok()?;
        file.write_all(text.as_bytes()).ok()?;
        file.keep().ok().map(|(_, path)| path)
    })
}
