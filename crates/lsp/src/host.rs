//! What the server needs from the program around it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use polycube_language::span::Span;

/// Does what takes long, and writes files.
pub trait Host: Send + Sync {
    /// Does some work. Ends soon when the flag is set. Called by a thread of its own.
    ///
    /// # Errors
    ///
    /// If it cannot be done: why, in words for the user.
    fn run(
        &self,
        work: Work,
        stop: &Arc<AtomicBool>,
        progress: &mut (dyn FnMut(String) + Send),
    ) -> Result<Findings, String>;

    /// Puts a report into a file that an editor can open.
    fn write_report(&self, report: &str) -> Option<PathBuf>;
}

/// What is to be done, with which model.
#[derive(Clone, Debug)]
pub struct Work {
    /// What is to be done.
    pub task: Task,
    /// How messages name the model.
    pub name: String,
    /// The model, which may have mistakes.
    pub text: String,
}

/// What a client may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Whether a bad state is reachable, for any number of processes.
    Verify,
    /// All states with a number of processes; the host decides about the number if the client does not.
    Explore {
        /// How many.
        processes: Option<u32>,
    },
}

/// What a task came to.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What to say, and where.
    pub list: Vec<Finding>,
    /// All of it, as a text for people.
    pub report: String,
}

/// What is known about one part of a model.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The clause that it is about.
    pub place: Span,
    /// What is known.
    pub verdict: Verdict,
    /// The same in words.
    pub message: String,
}

/// What is known about a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// No bad state is reachable.
    Safe,
    /// Neither is known.
    Unknown,
    /// A bad state is reachable.
    Unsafe,
}

impl Verdict {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unknown => "unknown",
            Verdict::Unsafe => "unsafe",
        }
    }
}
