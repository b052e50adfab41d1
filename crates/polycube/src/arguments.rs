//! The command line: the one definition from which help, completions and man pages are made.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{ColorChoice, CommandFactory, Parser, Subcommand, ValueEnum};
use polycube_engine::compile::domain::Bounds;

/// Proves safety of concurrent protocols for any number of processes.
#[derive(Debug, Parser)]
#[command(name = "polycube", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(
    after_help = "Exit codes: 0 all is well; 1 the answer is no (explore: a bad state is reachable; replay: not a run; \
                        fmt --check: a file would change); 2 the input or the command line is wrong; 3 the answer is \
                        not known (explore: a limit was reached); 101 a bug of ours."
)]
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
    /// The words of a model stay, and so do its comments. What changes: blanks and line ends, a semicolon
    /// behind each update, no bar before the first value of a type. A file is replaced only when it changes,
    /// and at once: it is never half-written. A file with a syntax error is left alone.
    Fmt(FmtArguments),
    /// Find every reachable state with a fixed number of processes
    ///
    /// Every state that the model can reach with so many processes, exactly: a bad one is shown with a
    /// shortest run to it. This proves nothing about other numbers of processes.
    Explore(ExploreArguments),
    /// Run a model step by step, at random or by hand
    Simulate(SimulateArguments),
    /// Check that a trace is a run of a model, and show it
    ///
    /// The trace is what `explore --format json` or `simulate --format json` printed. It is executed by an
    /// interpreter of its own, which shares no code with the search that found it.
    Replay(ReplayArguments),
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

/// Which finite instance of a model.
#[derive(Debug, Parser)]
pub struct InstanceArguments {
    /// The number of processes, 1 to 64 [default: what the model says with `number_procs`, else 3]
    #[arg(short = 'n', long = "processes", value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = number(0..=u32::MAX, "a number of processes, 1 to 64"))]
    pub processes: Option<u32>,

    /// The values that an integer or real may have where the model allows any
    #[arg(long, value_name = "LO..HI", default_value = "0..3", allow_hyphen_values = true)]
    pub int_range: Interval,

    /// How many values an abstract type has
    #[arg(long, value_name = "N", default_value_t = 2, allow_negative_numbers = true)]
    #[arg(value_parser = number(1..=64_u32, "a number from 1 to 64"))]
    pub values: u32,
}

/// Arguments of `explore`.
#[derive(Debug, Parser)]
pub struct ExploreArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Which instance.
    #[command(flatten)]
    pub instance: InstanceArguments,

    /// Keep states apart that differ only in the names of processes or abstract values
    #[arg(long)]
    pub no_symmetry: bool,

    /// Go on after a state was found that an `unsafe` clause describes
    #[arg(long)]
    pub keep_going: bool,

    /// What to make of states without any possible transition
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Deadlocks::Warn)]
    pub deadlock: Deadlocks,

    /// Stop so many steps from the initial states
    #[arg(long, value_name = "STEPS", allow_negative_numbers = true)]
    #[arg(value_parser = number(0..=usize::MAX, "a number of steps, 0 or more"))]
    pub depth: Option<usize>,

    /// Stop at about so many states
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = number(0..=u64::MAX, "a number of states, 0 or more"))]
    pub max_states: Option<u64>,

    /// Stop when so much memory is used, for example 500M or 8G [default: nine tenths of what is free]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    pub max_memory: Option<Size>,

    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// How many threads work on it; the result is the same for any number [default: one for each processor]
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = number(1..=256_u32, "a number from 1 to 256"))]
    pub threads: Option<u32>,

    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// What to make of deadlocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Deadlocks {
    /// Say that there are some
    Warn,
    /// Show a run to one; they count as bad states (exit code 1)
    Error,
    /// Say nothing
    Ignore,
}

/// Arguments of `simulate`.
#[derive(Debug, Parser)]
pub struct SimulateArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Which instance.
    #[command(flatten)]
    pub instance: InstanceArguments,

    /// Choose the steps by hand
    #[arg(short, long, conflicts_with = "format")]
    pub interactive: bool,

    /// Where the random choices start: the same seed gives the same run
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true)]
    #[arg(value_parser = number(0..=u64::MAX, "a number from 0 to 18446744073709551615"))]
    pub seed: u64,

    /// How many steps to take at random
    #[arg(
        long,
        value_name = "K",
        default_value_t = 20,
        conflicts_with = "interactive",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = number(0..=usize::MAX, "a number of steps, 0 or more"))]
    pub steps: usize,

    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// Arguments of `replay`.
#[derive(Debug, Parser)]
pub struct ReplayArguments {
    /// The trace, as JSON: what `explore --format json` or `simulate --format json` printed; `-` is standard
    /// input
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,

    /// The model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// `LO..HI`: the integers from LO to HI, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval(pub RangeInclusive<i64>);

impl FromStr for Interval {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected LO..HI, for example 0..3 or -2..2".to_owned();
        let (low, high) = text.split_once("..").ok_or_else(expected)?;
        let high = high.strip_prefix('=').unwrap_or(high);
        let bound = |text: &str| text.trim().parse::<i64>().map_err(|_| expected());
        let (low, high) = (bound(low)?, bound(high)?);
        if low > high {
            return Err(format!("no number is between {low} and {high}"));
        }
        if high.abs_diff(low) >= Bounds::MAX_RANGE {
            return Err(format!(
                "that is {} numbers; at most {} are tried",
                u128::from(high.abs_diff(low)) + 1,
                Bounds::MAX_RANGE
            ));
        }
        Ok(Interval(low..=high))
    }
}

/// A number of bytes: `1000000`, `500M`, `8GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub usize);

impl FromStr for Size {
    type Err = String;

    /// K, M, G and T are powers of 1000, as in the reports: what was typed is what is shown.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected a number of bytes, for example 500M or 8G".to_owned();
        let (digits, unit) = text.split_at(text.find(char::is_alphabetic).unwrap_or(text.len()));
        let unit: f64 = match unit.to_ascii_lowercase().as_str() {
            "" | "b" => 1.0,
            "k" | "kb" => 1e3,
            "m" | "mb" => 1e6,
            "g" | "gb" => 1e9,
            "t" | "tb" => 1e12,
            "kib" => (1u64 << 10) as f64,
            "mib" => (1u64 << 20) as f64,
            "gib" => (1u64 << 30) as f64,
            "tib" => (1u64 << 40) as f64,
            _ => return Err(expected()),
        };
        let bytes = digits.parse::<f64>().map_err(|_| expected())? * unit;
        if (0.0..usize::MAX as f64).contains(&bytes) {
            Ok(Size(bytes.round() as usize))
        } else {
            Err(expected())
        }
    }
}

/// Reads a whole number in a range, and says what was expected where it is none.
fn number<T: FromStr + PartialOrd + Clone>(
    range: RangeInclusive<T>,
    expected: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected {expected}"))
    }
}

/// Reads how long something may take. Not 0, which elsewhere often means that there is no limit.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let seconds = seconds.filter(|seconds| !seconds.is_zero());
    seconds.ok_or_else(|| "expected a positive number of seconds, for example 90 or 0.5".to_owned())
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
