//! The solvers that we know: what they are called, and how they want to be called.

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::path::Path;

use crate::limits::Limits;

/// A solver that we know how to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Z3, by Microsoft Research.
    Z3,
    /// cvc5, by Stanford University and the University of Iowa.
    Cvc5,
}

impl Kind {
    pub const ALL: [Kind; 2] = [Kind::Z3, Kind::Cvc5];

    /// What the program is called where it is installed the usual way.
    pub fn program(self) -> &'static str {
        match self {
            Kind::Z3 => "z3",
            Kind::Cvc5 => "cvc5",
        }
    }

    /// The version, from what the program answers to `--version`, if this is such a program.
    pub(crate) fn version(self, said: &str) -> Option<&str> {
        let introduction = match self {
            Kind::Z3 => "Z3 version ",
            Kind::Cvc5 => "This is cvc5 version ",
        };
        said.strip_prefix(introduction)?.split_whitespace().next()
    }

    /// The arguments that make the program answer a script. Seeds are left as they are: each version always
    /// gives the same answers, but for those that take too long.
    pub(crate) fn arguments(self, script: &Path, limits: &Limits) -> Vec<OsString> {
        let milliseconds = limits.milliseconds();
        match self {
            // Without `--`, Z3 takes every name with `=` in it for a parameter.
            Kind::Z3 => vec![
                "-smt2".into(),
                format!("-t:{milliseconds}").into(),
                format!("-memory:{}", limits.mebibytes()).into(),
                "--".into(),
                script.into(),
            ],
            // With `--`, cvc5 forgets the script and waits for one on standard input. It has no option for
            // memory.
            Kind::Cvc5 => vec![
                "--lang=smt2".into(),
                "--incremental".into(),
                format!("--tlimit-per={milliseconds}").into(),
                if script.as_os_str().as_encoded_bytes().starts_with(b"-") {
                    Path::new(".").join(script).into()
                } else {
                    script.into()
                },
            ],
        }
    }
}

impl Display for Kind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.program())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        assert_eq!(Kind::Z3.version("Z3 version 4.8.12 - 64 bit"), Some("4.8.12"));
        assert_eq!(Kind::Cvc5.version("This is cvc5 version 1.0.3"), Some("1.0.3"));
        let newer = "This is cvc5 version 1.2.0 [git tag 1.2.0 branch HEAD]";
        assert_eq!(Kind::Cvc5.version(newer), Some("1.2.0"));
        assert_eq!(Kind::Z3.version(newer), None);
        assert_eq!(Kind::Cvc5.version("cvc5: command not found"), None);
        assert_eq!(Kind::Z3.version("Z3 version "), None);
    }
}
