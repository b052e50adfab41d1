//! Why a script has no result.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

/// A script has no result. Answers that were reported before may be used to tell how far the solver came, and
/// for nothing else: it may have misunderstood what it was asked.
#[derive(Debug)]
pub struct Failure {
    /// How many answers were reported before.
    pub answered: usize,
    pub cause: Cause,
}

/// What can happen to a solver.
#[derive(Debug)]
pub enum Cause {
    /// The process could not be started or observed.
    CannotRun(io::Error),
    /// It ended with a signal or an exit code that means failure.
    Crashed {
        /// How it ended.
        status: ExitStatus,
        /// The last lines that it wrote to its standard error; maybe none.
        stderr: String,
    },
    /// It ran out of memory, and said so.
    OutOfMemory,
    /// It complained with this message, for example about the script.
    Error(String),
    /// It wrote a line that is no answer, or begins like this.
    Rubbish(String),
    /// It ended as if all was well, but did not answer everything.
    TooFewAnswers {
        /// How many answers there should have been.
        expected: usize,
    },
    /// It answered more often than it was asked.
    TooManyAnswers {
        /// How many answers there should have been.
        expected: usize,
    },
    /// It gave no answer for this long, not even that it gives up, and was killed.
    TimedOut(Duration),
    /// Cancelled by the caller.
    Interrupted,
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)?;
        match self.answered {
            0 => Ok(()),
            1 => f.write_str(", after 1 answer"),
            answered => write!(f, ", after {answered} answers"),
        }
    }
}

impl Display for Cause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Cause::CannotRun(error) => write!(f, "it cannot be run ({error})"),
            Cause::Crashed { status, stderr } if stderr.is_empty() => write!(f, "it crashed ({status})"),
            Cause::Crashed { status, stderr } => {
                let stderr: Vec<&str> = stderr.lines().map(str::trim).collect();
                write!(f, "it crashed ({status}, saying `{}`)", stderr.join(" "))
            }
            Cause::OutOfMemory => f.write_str("it ran out of memory"),
            Cause::Error(message) => write!(f, "it reported an error (`{message}`)"),
            Cause::Rubbish(line) => write!(f, "it wrote `{line}`, which is no answer"),
            Cause::TooFewAnswers { expected } => {
                write!(f, "it ended without answering all {expected} checks")
            }
            Cause::TooManyAnswers { expected } => {
                write!(f, "it gave more answers than there are checks ({expected})")
            }
            Cause::TimedOut(patience) => {
                write!(f, "it did not react for {:.1} s and was killed", patience.as_secs_f64())
            }
            Cause::Interrupted => f.write_str("it was stopped"),
        }
    }
}

impl Error for Failure {}
