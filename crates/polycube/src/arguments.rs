//! The command line: the one definition from which help, completions and man pages are made.

use std::path::PathBuf;

use clap::{ColorChoice, CommandFactory, Parser, Subcommand, ValueEnum};

/// Proves safety of concurrent protocols for any number of processes.
#[derive(Debug, Parser)]
#[command(name = "polycube", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(after_help = "Exit codes: 0 all is well; 1 the answer is no (fmt --check: a file would change); \
                        2 the input or the command line is wrong; 101 a bug of ours.")]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours [auto: on a terminal, unless NO_COLOR is set]
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub color: ColorChoice,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read models and report mistakes
    Check(CheckArguments),
    /// Bring models into canonical layout
    ///
    /// The words of a model stay, and so do its comments. What changes: blanks and line ends, a semicolon behind each update, no bar before the
    /// first value of a type. A file is replaced only when it changes, and at once: it is never half-written. A file with a syntax error is left
    /// alone.
    Fmt(FmtArguments),
    /// Print a completion script for a shell
    ///
    /// For bash: polycube completions bash > ~/.local/share/bash-completion/completions/polycube
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or that of a command
    ///
    /// To read it: polycube man check | man -l -
    Man {
        /// The command
        command: Option<String>,
    },
}

/// Arguments of `check`.
#[derive(Debug, Parser)]
pub struct CheckArguments {
    /// Models to read; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,

    /// Treat warnings as errors
    #[arg(long)]
    pub deny_warnings: bool,

    /// Report mistakes only, not the models that are fine
    #[arg(short, long)]
    pub quiet: bool,
}

/// Arguments of `fmt`.
#[derive(Debug, Parser)]
pub struct FmtArguments {
    /// Models to format; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Change nothing; name the files that would change, and exit with 1 if there are any
    #[arg(long)]
    pub check: bool,
}

/// How a command reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Human,
    /// One JSON object on standard output (see docs/json.md)
    Json,
}

/// The definition, for completions and man pages.
pub fn definition() -> clap::Command {
    Arguments::command()
}
