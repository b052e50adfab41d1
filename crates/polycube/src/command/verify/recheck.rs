//! Before the program says Safe, it checks the invariant once more, by a routine that shares nothing with the search.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use polycube_certificate::induction::{Counterexample, Induction};
use polycube_certificate::{Invariant, Obligation};

use super::report::Report;
use crate::certificate::clause_texts;
use crate::command::Outcome;
use crate::command::model::Model;
use crate::console::Console;
use crate::tool;

/// What an obligation costs at least, roughly. Where there are so many that the time is not enough, it is not begun.
const LEAST: Duration = Duration::from_micros(5);

/// An obligation that does not hold: a mistake of the program.
pub(super) struct Failed {
    invariant: Invariant,
    obligation: Obligation,
    counterexample: Box<Counterexample>,
}

/// Checks the invariant of a model that is said to be safe: for a tenth of the time that the search took, or as long as it
/// takes.
pub(super) fn recheck(report: &Report<'_>, is_paranoid: bool) -> Result<(), Failed> {
    if !report.is_safe() {
        return Ok(());
    }
    let invariant = report.claimed();
    let system = report.system();
    let allowed = Duration::from_secs_f64(report.seconds) / 10;
    let count = Obligation::all(system, &invariant).len();
    if !is_paranoid && LEAST * u32::try_from(count).unwrap_or(u32::MAX) > allowed {
        return Ok(());
    }
    let start = Instant::now();
    let induction = Induction::of(system, &invariant, &mut || is_paranoid || start.elapsed() < allowed);
    match induction.refuted() {
        None => Ok(()),
        Some((obligation, counterexample)) => {
            let counterexample = Box::new(counterexample.clone());
            Err(Failed { invariant, obligation, counterexample })
        }
    }
}

impl Failed {
    /// Says that the program is wrong, and writes a file that helps to find out why.
    pub(super) fn report(&self, model: &Model, console: &mut Console) -> Outcome {
        let tool = tool();
        let what = self.obligation.describe(&model.system);
        let text = self.to_text(model);
        let mut message = format!(
            "{tool} has a bug: it found an invariant for {} that is none. It is not true that {what}.\n",
            model.input.name
        );
        match write(&text) {
            Some(path) => {
                let _ = writeln!(message, "Please report this, with the file {}.", path.display());
            }
            None => message += &format!("Please report this, with the following text.\n\n{text}"),
        }
        console.remark(&message);
        Outcome::Bug
    }

    fn to_text(&self, model: &Model) -> String {
        let system = &model.system;
        let clauses = self.invariant.clauses.iter().map(|clause| (&clause.parameters[..], &clause.never));
        let mut text = format!("{}\n", tool());
        let command: Vec<String> = std::env::args().collect();
        let _ = writeln!(text, "command line: {}\n", command.join(" "));
        let _ = writeln!(text, "It is not true that {}:", self.obligation.describe(system));
        let _ = writeln!(text, "{}", self.counterexample.display(system));
        let _ = writeln!(text, "The invariant: never");
        for (number, clause) in clause_texts(system, clauses).iter().enumerate() {
            let _ = writeln!(text, "  {} ({}) {}", number + 1, clause.parameters.join(" "), clause.never);
        }
        let _ = writeln!(text, "\nThe model {}:\n\n{}", model.input.name, model.input.text);
        text
    }
}

/// Writes a report into a new file: here, or where temporary files are.
fn write(text: &str) -> Option<PathBuf> {
    for folder in [PathBuf::from("."), std::env::temp_dir()] {
        let file = tempfile::Builder::new().prefix("polycube-bug-").suffix(".txt").tempfile_in(folder);
        if let Ok(mut file) = file
            && std::io::Write::write_all(&mut file, text.as_bytes()).is_ok()
            && let Ok((_, path)) = file.keep()
        {
            return Some(path);
        }
    }
    None
}
