//! The commands, and the exit code of each outcome.

mod certificate;
mod certify;
mod check;
mod check_certificate;
mod cut_off;
mod discover;
mod drawing;
mod explore;
mod files;
mod fmt;
mod induct;
mod lsp;
mod model;
mod output;
mod progress;
mod prompt;
mod refusal;
mod replay;
mod simulate;
pub mod stop;
mod translate;
mod verify;

use std::io;
use std::process::ExitCode;

use clap_mangen::Man;

use crate::arguments::{Command, Format, definition};
use crate::console::Console;
use crate::report;

use refusal::Refusal;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All is well.
    Success,
    /// The answer is no: a bad state is reachable, a trace is not a run, a certificate is none, or `fmt
    /// --check` found a file that would change.
    No,
    /// The input or the command line is wrong, or a file cannot be read or written.
    Wrong,
    /// The answer is not known: a limit was reached first, no real run was found, or no solver proves it.
    Unknown,
    /// The program is wrong.
    Bug,
}

impl Outcome {
    /// The exit code that stands for it.
    pub fn exit_code(self) -> ExitCode {
        ExitCode::from(self.code())
    }

    fn code(self) -> u8 {
        match self {
            Outcome::Success => 0,
            Outcome::No => 1,
            Outcome::Wrong => 2,
            Outcome::Unknown => 3,
            // As where it stops itself.
            Outcome::Bug => 101,
        }
    }
}

/// Runs a command.
pub fn run(command: &Command, console: &mut Console) -> Outcome {
    let (result, format) = match command {
        Command::Check(arguments) => (Ok(check::run(arguments, console)), arguments.format),
        Command::Fmt(arguments) => (Ok(fmt::run(arguments, console)), Format::Human),
        Command::Translate(arguments) => (translate::run(arguments, console), Format::Human),
        Command::Verify(arguments) => {
            (verify::run(arguments, console), arguments.format.plain().unwrap_or(Format::Human))
        }
        Command::Certify(arguments) => (certify::run(arguments, console), arguments.format),
        Command::Discover(arguments) => (discover::run(arguments, console), arguments.format),
        Command::Induct(arguments) => (induct::run(arguments, console), arguments.format),
        Command::CheckCertificate(arguments) => {
            (check_certificate::run(arguments, console), arguments.format)
        }
        Command::Explore(arguments) => (explore::run(arguments, console), arguments.format),
        Command::Simulate(arguments) => (simulate::run(arguments, console), arguments.format),
        Command::Replay(arguments) => (replay::run(arguments, console), arguments.format),
        Command::Lsp { .. } => (Ok(lsp::run()), Format::Human),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut definition(), "polycube", &mut script);
            console.print(&String::from_utf8_lossy(&script));
            (Ok(Outcome::Success), Format::Human)
        }
        Command::Man { command } => (Ok(manual(command.as_deref(), console)), Format::Human),
    };
    let outcome = result.unwrap_or_else(|refusal| refusal.report(format, console));
    if let Some(error) = console.failure() {
        let text = report::unwritable("standard output", error, None);
        console.remark(&text);
        return Outcome::Wrong;
    }
    outcome
}

fn manual(command: Option<&str>, console: &mut Console) -> Outcome {
    let mut whole = definition();
    whole.build();
    let (page, title) = match command {
        None => (whole, "polycube".to_owned()),
        Some(name) => match whole.find_subcommand(name) {
            Some(found) => (found.clone(), format!("polycube-{name}")),
            None => {
                let known: Vec<&str> = whole.get_subcommands().map(clap::Command::get_name).collect();
                let text =
                    format!("error: there is no command `{name}`; the commands are {}\n", known.join(", "));
                console.remark(&text);
                return Outcome::Wrong;
            }
        },
    };
    let mut text = Vec::new();
    let written: io::Result<()> = Man::new(page).title(title).render(&mut text);
    written.expect("a vector takes all that is written");
    console.print(&String::from_utf8_lossy(&text));
    Outcome::Success
}
