//! Before the program says Safe, it checks the invariant once more, by a routine that shares nothing with the search.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use polycube_certificate::induction::{Counterexample, Finding, Induction};
use polycube_certificate::{Invariant, Obligation};
use polycube_language::System;

use crate::certificate::clause_texts;
use crate::tool;

/// What an obligation costs at least, roughly. Where there are so many that the time is not enough, it is not begun.
const LEAST: Duration = Duration::from_micros(5);

/// An obligation that does not hold: the invariant is none, and the program is wrong.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The obligation.
    pub obligation: Obligation,
    /// Why it does not hold.
    pub counterexample: Box<Counterexample>,
}

/// Looks for counterexamples to an invariant, as long as that is allowed to take, or to its end. Says how many obligations remain
/// of which it is not known whether there is one.
pub fn recheck(system: &System, invariant: &Invariant, allowed: Option<Duration>) -> Result<usize, Failed> {
    let count = Obligation::all(system, invariant).len();
    let least = LEAST * u32::try_from(count).unwrap_or(u32::MAX);
    if allowed.is_some_and(|allowed| least > allowed) {
        return Ok(count);
    }
    let start = Instant::now();
    let mut goes_on = || allowed.is_none_or(|allowed| start.elapsed() < allowed);
    let induction = Induction::of(system, invariant, &mut goes_on);
    match induction.refuted() {
        None => {
            let is_proved = |finding: &&Finding| matches!(finding, Finding::Proved(_));
            Ok(count - induction.findings.values().filter(is_proved).count())
        }
        Some((obligation, counterexample)) => {
            Err(Failed { obligation, counterexample: Box::new(counterexample.clone()) })
        }
    }
}

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
