//! Outside solvers.

use std::io::Write;
use std::process::{Command, Stdio};

/// A solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    Z3,
    Cvc5,
}

/// What a solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Satisfiable,
    Unsatisfiable,
    /// Anything else.
    Other(String),
}

impl Solver {
    /// Those that are installed.
    ///
    /// # Panics
    ///
    /// If one is not installed, but the environment says that it has to be.
    pub fn installed() -> Vec<Solver> {
        let is_required = std::env::var_os("POLYCUBE_REQUIRE_SOLVERS").is_some();
        let is_installed = |solver: &Solver| {
            let program = solver.command().arg("--version").stdout(Stdio::null()).status();
            assert!(program.is_ok() || !is_required, "{solver:?} is not installed");
            #[expect(clippy::print_stderr, reason = "whoever runs the tests should know")]
            if program.is_err() {
                eprintln!("skipped: {solver:?} is not installed");
            }
            program.is_ok()
        };
        [Solver::Z3, Solver::Cvc5].into_iter().filter(is_installed).collect()
    }

    fn command(self) -> Command {
        Command::new(match self {
            Solver::Z3 => "z3",
            Solver::Cvc5 => "cvc5",
        })
    }

    /// Asks a question.
    pub fn ask(self, question: &str) -> Verdict {
        let arguments: &[&str] = match self {
            Solver::Z3 => &["-in", "-T:60"],
            Solver::Cvc5 => &["--lang=smt2", "--tlimit=60000", "-"],
        };
        let spawned = self.command().args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = spawned.expect("it is installed");
        let mut input = process.stdin.take().expect("the input is a pipe");
        // It may give up before it has read everything.
        let _ = input.write_all(question.as_bytes());
        drop(input);
        let output = process.wait_with_output().expect("the solver ends");
        match String::from_utf8_lossy(&output.stdout).trim() {
            "sat" => Verdict::Satisfiable,
            "unsat" => Verdict::Unsatisfiable,
            other => Verdict::Other(other.to_owned()),
        }
    }
}
