//! Solvers that are installed.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::kind::Kind;
use crate::limits::Limits;
use crate::output::{Stream, printable};
use crate::process::{Process, limited};

/// How long a program may take to say what it is.
const INTRODUCTION: Duration = Duration::from_secs(10);

/// A solver that is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solver {
    kind: Kind,
    program: PathBuf,
    version: String,
}

/// A solver that cannot be used. What to do about it is for the caller to say.
#[derive(Debug)]
pub enum NoSolver {
    /// There is no such program.
    NotInstalled { program: PathBuf },
    /// There is one, but it cannot be started.
    CannotStart { program: PathBuf, error: io::Error },
    /// It is another program, or one that does not work.
    NotASolver {
        program: PathBuf,
        kind: Kind,
        /// What it says when it is asked for its version; maybe nothing.
        said: String,
    },
}

impl Solver {
    /// The solver that is found where programs are looked for.
    pub fn find(kind: Kind) -> Result<Solver, NoSolver> {
        Solver::at(kind, Path::new(kind.program()))
    }

    /// The solver with that path. A name without a folder is looked for where programs are.
    pub fn at(kind: Kind, program: &Path) -> Result<Solver, NoSolver> {
        let said = introduction(program).map_err(|error| {
            // Scripts with an interpreter that does not exist are there.
            let is_there = program.components().count() > 1 && program.exists();
            let program = program.to_owned();
            match error.kind() {
                io::ErrorKind::NotFound if !is_there => NoSolver::NotInstalled { program },
                _ => NoSolver::CannotStart { program, error },
            }
        })?;
        match kind.version(&said) {
            Some(version) => Ok(Solver { kind, program: program.to_owned(), version: version.to_owned() }),
            None => Err(NoSolver::NotASolver { program: program.to_owned(), kind, said }),
        }
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The program: a path, or a name that is looked for where programs are.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Its version, for example `4.8.12`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What to type into a shell to run a script by hand. What `ulimit -v` is good for is left out.
    pub fn command_line(&self, script: &Path, limits: &Limits) -> String {
        let arguments = self.kind.arguments(script, limits);
        let words = [self.program.as_os_str()].into_iter().chain(arguments.iter().map(OsString::as_os_str));
        words.map(quoted).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn command(&self, script: &Path, limits: &Limits) -> Command {
        let mut command = limited(self.program.as_os_str(), limits.kibibytes());
        command.args(self.kind.arguments(script, limits));
        command
    }
}

/// The first line that a program writes when it is asked for its version; if there is none, the first of its
/// complaints.
fn introduction(program: &Path) -> io::Result<String> {
    let start = Instant::now();
    let (_process, lines) = Process::start(Command::new(program).arg("--version"))?;
    let mut complaint = String::new();
    while start.elapsed() < INTRODUCTION
        && let Ok(line) = lines.recv_timeout(INTRODUCTION.saturating_sub(start.elapsed()))
    {
        match line.stream {
            Stream::Output => return Ok(printable(&line.bytes)),
            Stream::Error if complaint.is_empty() => complaint = printable(&line.bytes),
            Stream::Error => {}
        }
    }
    Ok(complaint)
}

/// A word as shells read it.
pub fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy().into_owned();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

impl Display for Solver {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.version)
    }
}

impl Display for NoSolver {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            NoSolver::NotInstalled { program } => write!(f, "there is no program `{}`", program.display()),
            NoSolver::CannotStart { program, error } => {
                write!(f, "`{}` cannot be started: {error}", program.display())
            }
            NoSolver::NotASolver { program, kind, said } if said.is_empty() => {
                write!(f, "`{}` is not {kind}: it does not say its version", program.display())
            }
            NoSolver::NotASolver { program, kind, said } => {
                write!(f, "`{}` is not {kind}: asked for its version, it says `{said}`", program.display())
            }
        }
    }
}

impl Error for NoSolver {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines() {
        let limits = Limits::new(Duration::from_millis(1500), 1 << 30);
        let line = |kind, script| {
            let solver = Solver { kind, program: kind.program().into(), version: "1".to_owned() };
            solver.command_line(Path::new(script), &limits)
        };
        assert_eq!(line(Kind::Z3, "a=b.smt2"), "z3 -smt2 -t:1500 -memory:1024 -- a=b.smt2");
        assert_eq!(line(Kind::Z3, "it's.smt2"), r"z3 -smt2 -t:1500 -memory:1024 -- 'it'\''s.smt2'");
        assert_eq!(line(Kind::Cvc5, "-.smt2"), "cvc5 --lang=smt2 --incremental --tlimit-per=1500 ./-.smt2");
    }
}
