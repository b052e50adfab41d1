//! Programs in place of the solvers: some that say that they are solvers, and the real ones.

use std::path::Path;

use tempfile::TempDir;

use crate::program::run_program;

/// A solver that gives up when it is asked about a script for the first time, and proves it the second time.
pub const SECOND_TIME: &str = "/bin/mkdir -p asked
    if /bin/mkdir \"asked/${script##*/}\" 2> /dev/null; then says unknown; else says unsat; fi";

/// Answers every question of the script with this word.
pub const SAYS: &str =
    "says() { while read -r line; do [ \"$line\" != '(check-sat)' ] || echo \"$1\"; done < \"$script\"; }";

/// What each solver says of itself.
const VERSIONS: [(&str, &str); 2] =
    [("z3", "Z3 version 4.8.12 - 64 bit"), ("cvc5", "This is cvc5 version 1.0.3")];

/// A folder in which programs are found.
pub struct Programs(TempDir);

impl Programs {
    /// No programs at all.
    pub fn none() -> Programs {
        Programs(TempDir::new().expect("a temporary folder"))
    }

    /// A Z3 that agrees with everything.
    pub fn agreeing() -> Programs {
        Programs::none().with("z3", "says unsat")
    }

    /// A shell script that says it is this solver. It finds the script that it is asked about in `$script`, the usual programs,
    /// and the function `says`.
    pub fn with(self, solver: &str, body: &str) -> Programs {
        let version = VERSIONS.iter().find(|(name, _)| *name == solver).expect("a solver").1;
        let path = std::env::var("PATH").expect("the path is text");
        self.with_program(
            solver,
            &format!(
                "[ \"$1\" != --version ] || {{ echo '{version}'; exit; }}\n\
                 PATH='{path}'\nfor script; do :; done\n{SAYS}\n{body}"
            ),
        )
    }

    /// Any shell script. Another process writes it: a file that we have open for writing cannot be executed, and neither as
    /// long as a process that another test is just starting has it open.
    pub fn with_program(self, name: &str, body: &str) -> Programs {
        let text = format!("#!/bin/sh\n{body}\n");
        let write = ["-c", "cat > \"$0\" && chmod 755 \"$0\"", name];
        assert!(run_program("sh", self.path(), &write, text.as_bytes()).status.success());
        self
    }

    /// The real solver.
    pub fn with_real(self, solver: &str) -> Programs {
        let path = std::env::var("PATH").expect("the path is text");
        self.with_program(solver, &format!("PATH='{path}'\nexec {solver} \"$@\""))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Whether both solvers are installed.
///
/// # Panics
///
/// If one is not, but the environment says that they have to be.
pub fn are_installed() -> bool {
    VERSIONS.iter().all(|(solver, _)| {
        let found = run_program("sh", Path::new("."), &["-c", "command -v \"$0\"", solver], b"");
        let is_installed = found.status.success();
        if !is_installed {
            polycube_testing::skip_without_solver(&format!("{solver} is not installed"));
        }
        is_installed
    })
}
