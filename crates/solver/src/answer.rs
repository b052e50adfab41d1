//! What a solver says to a question, and how that is told from everything else.

use std::fmt::{self, Display, Formatter};

use crate::output::printable;

/// What a solver says to one `(check-sat)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is no counterexample.
    Unsatisfiable,
    Satisfiable,
    /// The solver gave up, before its time was up.
    Unknown,
    /// The solver gave up because its time was up. It says `unknown` then too; this is told by the clock.
    TimedOut,
}

impl Display for Answer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Answer::Unsatisfiable => "unsat",
            Answer::Satisfiable => "sat",
            Answer::Unknown => "unknown",
            Answer::TimedOut => "timeout",
        })
    }
}

/// A line that a solver writes to its standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Answer(Answer),
    /// `(error "…")`, with what is between the quotes. Solvers may go on after that, with answers to a
    /// different question.
    Error(String),
    /// Nothing that an answer could be.
    Rubbish,
}

impl Said {
    /// What a line means. Nothing is forgiven: an empty line is no answer, and neither is one with spaces
    /// around it.
    pub(crate) fn read(line: &[u8]) -> Said {
        match line {
            b"unsat" => Said::Answer(Answer::Unsatisfiable),
            b"sat" => Said::Answer(Answer::Satisfiable),
            b"unknown" => Said::Answer(Answer::Unknown),
            b"timeout" => Said::Answer(Answer::TimedOut),
            _ => error_message(line).map_or(Said::Rubbish, Said::Error),
        }
    }
}

/// What `(error "…")` says. Messages can be longer than a line; the first one has to do.
pub(crate) fn error_message(line: &[u8]) -> Option<String> {
    let rest = line.trim_ascii().strip_prefix(b"(error")?.trim_ascii();
    let rest = rest.strip_suffix(b")").unwrap_or(rest).trim_ascii();
    let rest = rest.strip_prefix(b"\"").unwrap_or(rest);
    let rest = rest.strip_suffix(b"\"").unwrap_or(rest);
    Some(printable(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_exact() {
        assert_eq!(Said::read(b"unsat"), Said::Answer(Answer::Unsatisfiable));
        assert_eq!(Said::read(b"unknown"), Said::Answer(Answer::Unknown));
        for line in
            [&b""[..], b" unsat", b"unsat ", b"UNSAT", b"unsat unsat", b"; unsat", b"unsa", b"unsat\0"]
        {
            assert_eq!(Said::read(line), Said::Rubbish, "{line:?}");
        }
    }

    #[test]
    fn errors() {
        let message = |line: &[u8]| error_message(line).expect("this is an error");
        assert_eq!(message(b"(error \"line 4: no such (function)\")"), "line 4: no such (function)");
        assert_eq!(message(b"(error \"it goes on:"), "it goes on:");
        assert_eq!(message(b"  (error unsat)"), "unsat");
        assert_eq!(message(b"(error"), "");
        assert_eq!(message(b"(error \"\xff\x1b[31m\")"), "\u{fffd}\u{fffd}[31m");
        assert_eq!(error_message(b"error"), None);
    }
}
