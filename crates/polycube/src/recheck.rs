//! Before the program says Safe, it checks the invariant once more, by a routine that shares nothing with the search.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use polycube_certificate::{Invariant, Obligation};
use polycube_induction::{Counterexample, Effort, Finding, Induction, Open, Wanted};
use polycube_language::System;

use crate::certificate::clause_texts;
use crate::tool;

/// An obligation that does not hold: the invariant is not inductive, and the program is wrong.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The obligation.
    pub obligation: Obligation,
    /// Why it does not hold.
    pub counterexample: Box<Counterexample>,
}

/// What the second check of an invariant came to, if it refuted nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rechecked {
    /// How many obligations there are.
    pub obligations: usize,
    /// How many of them were proved.
    pub proved: usize,
    /// Of how many it was not found out, because there was no time.
    pub stopped: usize,
    /// How long it took.
    pub seconds: f64,
}

impl Rechecked {
    /// Nothing was looked at.
    pub(crate) fn nothing(system: &System, invariant: &Invariant) -> Rechecked {
        let obligations = Obligation::count(system, invariant);
        Rechecked { obligations, proved: 0, stopped: obligations, seconds: 0.0 }
    }
}

/// Proves the obligations of an invariant once more, as long as the caller wants it to go on.
pub fn recheck(
    system: &System,
    invariant: &Invariant,
    threads: usize,
    goes_on: &(dyn Fn() -> bool + Sync),
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Rechecked, Failed> {
    let start = Instant::now();
    let effort = Effort { goes_on, threads, wanted: Wanted::Answers };
    let induction = Induction::of(system, invariant, &effort, progress);
    if let Some((obligation, counterexample)) = induction.refuted() {
        return Err(Failed { obligation, counterexample: Box::new(counterexample.clone()) });
    }
    let count = |is: fn(&Finding) -> bool| induction.findings.values().filter(|finding| is(finding)).count();
    Ok(Rechecked {
        obligations: induction.findings.len(),
        proved: count(|finding| matches!(finding, Finding::Proved(_))),
        stopped: count(|finding| matches!(finding, Finding::Open(Open::Stopped))),
        seconds: start.elapsed().as_secs_f64(),
    })
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
