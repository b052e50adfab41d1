//! Before the program says Safe, it checks the invariant once more, by a routine that shares nothing with the search.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use polycube_certificate::induction::{Counterexample, Induction};
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

/// Checks an invariant, as long as that is allowed to take, or to its end.
pub fn recheck(system: &System, invariant: &Invariant, allowed: Option<Duration>) -> Result<(), Failed> {
    let count = Obligation::all(system, invariant).len();
    let least = LEAST * u32::try_from(count).unwrap_or(u32::MAX);
    if allowed.is_some_and(|allowed| least > allowed) {
        return Ok(());
    }
    let start = Instant::now();
    let mut goes_on = || allowed.is_none_or(|allowed| start.elapsed() < allowed);
    match Induction::of(system, invariant, &mut goes_on).refuted() {
        None => Ok(()),
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
