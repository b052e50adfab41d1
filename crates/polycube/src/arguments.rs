//! The command line: the one definition from which help, completions and man pages are made.

mod later;
mod value;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{ArgGroup, ColorChoice, CommandFactory, Parser, Subcommand, ValueEnum};
use polycube_engine::backward::{DEFAULT_CANDIDATES, SearchOrder};
use polycube_engine::engine;
use polycube_murphi::{Otherwise, Request};

pub use later::Later;
pub use value::{GraphFile, GraphFormat, Interval, Size};
use value::{number, seconds, seconds_or_none};

use crate::report::trace::Detail;

/// Proves safety of concurrent protocols for any number of processes.
#[derive(Debug, Parser)]
#[command(name = "polycube", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(
    after_help = "Exit codes: 0 all is well; 1 the answer is no (verify, certify, explore: a bad state is reachable; \
                        check-certificate: the certificate was changed, or a solver denies it; replay: not a run; \
                        fmt --check: a file would change); 2 the input or the command line is wrong; 3 the answer is \
                        not known (verify, certify, explore: a limit was reached, or no real run was found; certify, \
                        check-certificate: no solver proves all of it); 101 a bug of ours."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours [auto: on a terminal, unless NO_COLOR is set]
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    #[arg(display_order = 900)]
    pub color: ColorChoice,

    /// How to show progress [auto: on a terminal]
    #[arg(long, global = true, value_name = "HOW", default_value = "auto", hide_default_value = true)]
    #[arg(display_order = 901)]
    pub progress: ProgressChoice,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressChoice {
    /// In a line of the terminal, if there is one
    Auto,
    /// In a line of its own every few seconds, for logs
    Plain,
    /// Not at all
    None,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read models and report mistakes
    Check(Later<CheckArguments>),
    /// Bring models into canonical layout
    ///
    /// The words of a model stay, and so do its comments. What changes: blanks and line ends, a semicolon
    /// behind each update, no bar before the first value of a type. A file is replaced only when it changes,
    /// and at once: it is never half-written. A file with a syntax error is left alone.
    Fmt(Later<FmtArguments>),
    /// Print a model that was written for Murphi in Polycube's language
    ///
    /// It means the same, for every number of processes: there is one transition for each rule, and each value of
    /// a ruleset that is not a process; what can go wrong in a rule is an `unsafe` clause. A model in Polycube's
    /// language is printed as it is.
    Translate(Later<TranslateArguments>),
    /// Prove a model safe for any number of processes, or find a bug
    ///
    /// Searches backwards from the bad states, for all numbers of processes at once. The answer is `Safe`,
    /// with an inductive invariant; `Unsafe`, with a run that was executed step by step; or `Unknown`, with
    /// the reason.
    Verify(Later<VerifyArguments>),
    /// Prove a model safe, and have solvers check the proof
    ///
    /// Verifies the model like `verify`, writes a certificate into a directory, and has the installed solvers
    /// (z3, cvc5) check every obligation. A certificate contains the model, the inductive invariant, and its
    /// proof obligations as SMT-LIB scripts and as a Why3 theory, and a Why3 program.
    Certify(Later<CertifyArguments>),
    /// Prove a model safe by few formulas, for people
    ///
    /// Verifies the model like `verify`, makes the invariant smaller, and prints it as formulas: a premise,
    /// and all that follows from it. Each says what it is needed for.
    Discover(Later<DiscoverArguments>),
    /// Say whether clauses are inductive, and what to add if they are not
    ///
    /// Looks at all `unsafe` and `invariant` clauses of a model together: do they hold initially, and does
    /// every step preserve them? If not: a smallest step that leads out of them, and `invariant` clauses that
    /// would exclude it and that no known reachable state violates.
    Induct(Later<InductArguments>),
    /// Check a certificate without verifying anything
    ///
    /// What the certificate states is made again from the model and the invariant in it, and compared: every
    /// file has to be there as it should be. Then solvers are asked.
    CheckCertificate(Later<CheckCertificateArguments>),
    /// Find every reachable state with a fixed number of processes
    ///
    /// Every state that the model can reach with N processes, exactly: a bad one is shown with a
    /// shortest run to it. This proves nothing about other numbers of processes.
    Explore(Later<ExploreArguments>),
    /// Run a model step by step, at random or by hand
    Simulate(Later<SimulateArguments>),
    /// Check that a trace is a run of a model, and show it
    ///
    /// The trace is what `verify`, `explore` or `simulate` printed with `--format json`. It is executed by an
    /// interpreter of its own, which shares no code with the search that found it.
    Replay(Later<ReplayArguments>),
    /// Answer an editor: a language server on standard input and output
    ///
    /// Editors start it by themselves: docs/editors.md says how to set them up.
    Lsp {
        /// What some editors add: it is always so
        #[arg(long, hide = true)]
        stdio: bool,
    },
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

    /// What its processes are.
    #[command(flatten)]
    pub murphi: MurphiArguments,

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

/// Arguments of `translate`.
#[derive(Debug, Parser)]
pub struct TranslateArguments {
    /// The model; its name ends with `.m`
    #[arg(value_name = "FILE")]
    pub model: PathBuf,

    /// What its processes are.
    #[command(flatten)]
    pub murphi: MurphiArguments,
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

/// How a model that was written for Murphi is read.
#[derive(Debug, Parser)]
pub struct MurphiArguments {
    /// In a model written for Murphi, the type whose values are the processes, or the constant that says how
    /// many; `none` keeps all sizes of the file [default: the type that indexes most of the state]
    #[arg(long, value_name = "NAME")]
    pub parameter: Option<String>,
}

impl MurphiArguments {
    /// For commands that work on models for every number of processes.
    pub(crate) fn for_every_number(&self) -> Request<'_> {
        Request { parameter: self.parameter.as_deref(), otherwise: Otherwise::Refused }
    }

    /// For commands that work on one instance.
    pub(crate) fn for_one_instance(&self) -> Request<'_> {
        Request { otherwise: Otherwise::SizesOfTheFile, ..self.for_every_number() }
    }

    /// For exploration, which can also execute a model as it is written.
    pub(crate) fn for_exploration(&self) -> Request<'_> {
        Request { otherwise: Otherwise::Executed, ..self.for_every_number() }
    }
}

/// Which finite instance of a model.
#[derive(Debug, Parser)]
pub struct InstanceArguments {
    /// The number of processes, 1 to 64 [default: what the model says with `number_procs`, or in a constant of
    /// Murphi; else 3]
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

/// Files that a command writes about what it found, beside its report.
#[derive(Debug, Parser)]
#[command(group(ArgGroup::new("written").multiple(true)))]
pub struct FileArguments {
    /// Write the report to FILE, as a page for browsers
    #[arg(long, value_name = "FILE", group = "written")]
    pub html: Option<PathBuf>,

    /// Write the run to FILE, in the Informal Trace Format (ITF) of Apalache and Quint
    #[arg(long, value_name = "FILE", group = "written")]
    pub itf: Option<PathBuf>,

    /// Write the run to FILE, as a sequence diagram for Mermaid
    #[arg(long, value_name = "FILE", group = "written")]
    pub mermaid: Option<PathBuf>,

    /// Overwrite what is written, files and certificates, if it exists
    #[arg(long, requires = "written")]
    pub force: bool,
}

/// Arguments of `verify`.
#[derive(Debug, Parser)]
pub struct VerifyArguments {
    /// The model; `-` is standard input. Of several, a table is shown
    #[arg(required = true, value_name = "FILE")]
    pub models: Vec<PathBuf>,

    /// What its processes are.
    #[command(flatten)]
    pub murphi: MurphiArguments,

    /// How the answer is found.
    #[command(flatten)]
    pub how: SearchArguments,

    /// Take `invariant` clauses as given instead of proving them
    #[arg(long)]
    pub trust_invariants: bool,

    /// If the model is safe, show all clauses of the inductive invariant, not only the first ones
    #[arg(long)]
    pub show_invariant: bool,

    /// How much of a run is shown.
    #[command(flatten)]
    pub run: RunArguments,

    /// What is written. It defines the group of all files, and so stands first of them.
    #[command(flatten)]
    pub files: FileArguments,

    /// Draw what the search has done: a file that ends in .dot, or in .svg (which needs Graphviz)
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(GraphFile::new))]
    #[arg(group = "written")]
    pub graph: Option<GraphFile>,

    /// Draw all of a large graph, not only what people can read
    #[arg(long, requires = "graph")]
    pub graph_all: bool,

    /// How long Graphviz may take to draw it [default: 60]
    #[arg(long, value_name = "SECONDS", requires = "graph", allow_negative_numbers = true)]
    #[arg(value_parser = seconds)]
    pub graph_timeout: Option<Duration>,

    /// If the model is safe, write a certificate into this directory, which has to be new or empty
    #[arg(long, value_name = "DIR", conflicts_with = "trust_invariants", group = "written")]
    pub certificate: Option<PathBuf>,

    /// Skip the second check of the invariant, which is independent of the search
    #[arg(long)]
    pub no_recheck: bool,

    /// Treat warnings as errors
    #[arg(long)]
    pub deny_warnings: bool,

    /// What it may use, for each model.
    #[command(flatten)]
    pub resources: ResourceArguments,

    /// How to report
    #[arg(long, value_enum, default_value_t = VerifyFormat::Human)]
    pub format: VerifyFormat,
}

/// How a model is verified.
#[derive(Debug, Parser)]
pub struct SearchArguments {
    /// How the answer is found
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    pub engine: Engine,

    /// Test guesses on instances with K processes, 1 to 64 [default: larger and larger instances]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    #[arg(value_parser = number(1..=64_u32, "a number of processes, 1 to 64"))]
    pub procs: Option<u32>,

    /// Test guesses on all states up to STEPS steps from the initial ones [default: more and more samples]
    #[arg(long, value_name = "STEPS", allow_negative_numbers = true)]
    #[arg(value_parser = number(0..=usize::MAX, "a number of steps, 0 or more"))]
    pub forward_depth: Option<usize>,

    /// Test at most N guesses for each set of states
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CANDIDATES, allow_negative_numbers = true)]
    #[arg(value_parser = number(0..=usize::MAX, "a number of guesses, 0 or more"))]
    pub max_candidates: usize,

    /// Which sets of states to expand first; this affects the time, not the answer
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = Search::from(SearchOrder::default()))]
    pub search: Search,

    /// Stop when N sets of states (nodes of the search) were expanded
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = number(0..=u64::MAX, "a number of nodes, 0 or more"))]
    pub max_nodes: Option<u64>,

    /// Search at most STEPS steps back from the bad states
    #[arg(long, value_name = "STEPS", allow_negative_numbers = true)]
    #[arg(value_parser = number(0..=usize::MAX, "a number of steps, 0 or more"))]
    pub max_depth: Option<usize>,
}

/// Arguments of `certify`.
#[derive(Debug, Parser)]
pub struct CertifyArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// What its processes are.
    #[command(flatten)]
    pub murphi: MurphiArguments,

    /// Where the certificate is written: a new or empty directory [default: german.certificate for
    /// german.cub]
    #[arg(value_name = "DIR")]
    pub directory: Option<PathBuf>,

    /// How the answer is found.
    #[command(flatten)]
    pub how: SearchArguments,

    /// Write the report to FILE, as a page for browsers
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Overwrite a certificate that is in the directory, and FILE if it exists
    #[arg(long)]
    pub force: bool,

    /// Who checks the certificate.
    #[command(flatten)]
    pub solvers: SolverArguments,

    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// Arguments of `discover`.
#[derive(Debug, Parser)]
#[command(group = ArgGroup::new("files").multiple(true))]
pub struct DiscoverArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// What its processes are.
    #[command(flatten)]
    pub murphi: MurphiArguments,

    /// How the answer is found.
    #[command(flatten)]
    pub how: SearchArguments,

    /// Write the model with the invariant as `invariant` clauses to FILE
    #[arg(long, value_name = "FILE", group = "files")]
    pub invariant_out: Option<PathBuf>,

    /// Draw why each formula is needed: a file that ends in .html, .dot, or .svg (which needs Graphviz)
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(GraphFile::or_page))]
    #[arg(group = "files")]
    pub explain: Option<GraphFile>,

    /// Write a certificate for this invariant into a directory, which has to be new or empty
    #[arg(long, value_name = "DIR", group = "files")]
    pub certificate: Option<PathBuf>,

    /// Overwrite these files if they exist
    #[arg(long, requires = "files")]
    pub force: bool,

    /// How long, and with how much memory.
    #[command(flatten)]
    pub resources: ResourceArguments,

    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// Arguments of `induct`.
#[derive(Debug, Parser)]
#[command(group(ArgGroup::new("written").multiple(true)))]
pub struct InductArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// What its processes are.
    #[command(flatten)]
    pub murphi: MurphiArguments,

    /// Show the counterexamples of this clause, counted from 1 in the order of the model
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub clause: Option<u32>,

    /// Show the counterexample of this transition
    #[arg(long, value_name = "NAME")]
    pub transition: Option<String>,

    /// Also show what would do, but is refuted, with the state that refutes it
    #[arg(long)]
    pub all: bool,

    /// Write the model to FILE, with the first suggestion for every counterexample that is left
    #[arg(long, value_name = "FILE", group = "written")]
    pub apply: Option<PathBuf>,

    /// Write the report to FILE, as a page for browsers
    #[arg(long, value_name = "FILE", group = "written", conflicts_with = "interactive")]
    pub html: Option<PathBuf>,

    /// Overwrite FILE if it exists
    #[arg(long, requires = "written")]
    pub force: bool,

    /// Accept and reject suggestions by hand; with --apply, what was accepted is written at once
    #[arg(short, long)]
    pub interactive: bool,

    /// Test suggestions on instances with K processes, 1 to 64 [default: larger and larger instances]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    #[arg(value_parser = number(1..=64_u32, "a number from 1 to 64"))]
    pub procs: Option<u32>,

    /// How long, and with how much memory.
    #[command(flatten)]
    pub resources: ResourceArguments,

    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human, conflicts_with = "interactive")]
    pub format: Format,
}

/// Arguments of `check-certificate`.
#[derive(Debug, Parser)]
pub struct CheckCertificateArguments {
    /// The directory with the certificate
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// The model that it should be about: it has to be the same, to the letter
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,

    /// What its processes are.
    #[command(flatten)]
    pub murphi: MurphiArguments,

    /// Who checks it.
    #[command(flatten)]
    pub solvers: SolverArguments,

    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// Which solvers check a certificate, and what they may use.
#[derive(Debug, Parser)]
pub struct SolverArguments {
    /// Ask this solver; may be given twice [default: all that are installed]
    #[arg(long, value_enum, value_name = "SOLVER")]
    pub solver: Vec<SolverName>,

    /// How long a solver may take for one question
    #[arg(long, value_name = "SECONDS", default_value = "60", allow_negative_numbers = true, value_parser = seconds)]
    pub solver_timeout: Duration,

    /// How much memory a solver may use, for example 500M or 8G
    #[arg(long, value_name = "SIZE", default_value = "4G", allow_negative_numbers = true)]
    pub solver_memory: Size,

    /// What all of it may use; as many solvers run at the same time as threads may work.
    #[command(flatten)]
    pub resources: ResourceArguments,
}

/// A solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SolverName {
    /// Z3, by Microsoft Research
    Z3,
    /// cvc5, by Stanford University and the University of Iowa
    Cvc5,
}

/// How `verify` finds the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Both of the others, in turns
    Auto,
    /// Backward reachability over sets of states
    Backward,
    /// The same, with guesses in place of many sets, which are tested on small instances and then proved
    Brab,
}

impl From<Engine> for engine::Engine {
    fn from(engine: Engine) -> engine::Engine {
        match engine {
            Engine::Auto => engine::Engine::Auto,
            Engine::Backward => engine::Engine::Backward,
            Engine::Brab => engine::Engine::Brab,
        }
    }
}

/// Which sets of states a backward search treats first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// Those nearest to the bad states: breadth first
    Bfs,
    /// The newest: depth first
    Dfs,
    /// Those that name the fewest processes, among them those nearest to the bad states
    FewProcesses,
    /// Those that name the fewest processes; among these, those with the fewest literals
    FewLiterals,
}

impl From<SearchOrder> for Search {
    fn from(order: SearchOrder) -> Search {
        match order {
            SearchOrder::BreadthFirst => Search::Bfs,
            SearchOrder::DepthFirst => Search::Dfs,
            SearchOrder::FewProcesses => Search::FewProcesses,
            SearchOrder::FewLiterals => Search::FewLiterals,
        }
    }
}

impl From<Search> for SearchOrder {
    fn from(search: Search) -> SearchOrder {
        match search {
            Search::Bfs => SearchOrder::BreadthFirst,
            Search::Dfs => SearchOrder::DepthFirst,
            Search::FewProcesses => SearchOrder::FewProcesses,
            Search::FewLiterals => SearchOrder::FewLiterals,
        }
    }
}

/// Arguments of `explore`.
#[derive(Debug, Parser)]
pub struct ExploreArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// What its processes are.
    #[command(flatten)]
    pub murphi: MurphiArguments,

    /// Which instance.
    #[command(flatten)]
    pub instance: InstanceArguments,

    /// Keep states apart that differ only in the names of processes or abstract values
    #[arg(long)]
    pub no_symmetry: bool,

    /// Continue after an unsafe state is found
    #[arg(long)]
    pub keep_going: bool,

    /// How to treat deadlocks: states without an enabled transition
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Deadlocks::Warn)]
    pub deadlock: Deadlocks,

    /// How much of a run is shown.
    #[command(flatten)]
    pub run: RunArguments,

    /// Stop STEPS steps from the initial states
    #[arg(long, value_name = "STEPS", allow_negative_numbers = true)]
    #[arg(value_parser = number(0..=usize::MAX, "a number of steps, 0 or more"))]
    pub depth: Option<usize>,

    /// Stop at about N states
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = number(0..=u64::MAX, "a number of states, 0 or more"))]
    pub max_states: Option<u64>,

    /// What it may use.
    #[command(flatten)]
    pub resources: ResourceArguments,

    /// Who shares the work.
    #[command(flatten)]
    pub company: CompanyArguments,

    /// What is kept.
    #[command(flatten)]
    pub checkpoint: CheckpointArguments,

    /// What is written.
    #[command(flatten)]
    pub files: FileArguments,

    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// Which processes share an exploration.
#[derive(Debug, Parser)]
#[command(next_help_heading = "Several processes (docs/cluster.md)")]
pub struct CompanyArguments {
    /// Share the work among N processes on this machine
    #[arg(long, value_name = "N", conflicts_with = "hosts", allow_negative_numbers = true)]
    #[arg(value_parser = number(1..=256_usize, "a number from 1 to 256"))]
    pub local: Option<usize>,

    /// Share the work among processes on several machines: HOST:PORT on each line of FILE
    #[arg(long, value_name = "FILE")]
    pub hosts: Option<PathBuf>,

    /// Which line of the hosts this process is, from 0 [default: SLURM_PROCID or JOB_COMPLETION_INDEX]
    #[arg(long, value_name = "K", requires = "hosts", allow_negative_numbers = true)]
    #[arg(value_parser = number(0..=255_usize, "a number from 0 to 255"))]
    pub process: Option<usize>,

    /// What keeps strangers away: a file with the same secret for all processes
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub secret_file: Option<PathBuf>,

    /// Start the processes behind the first one: `ssh` runs the same command on their hosts
    #[arg(long, value_enum, value_name = "HOW", requires = "hosts", conflicts_with = "process")]
    pub launch: Option<Launch>,

    /// How long to wait until all processes are there
    #[arg(long, value_name = "SECONDS", default_value = "60", allow_negative_numbers = true, value_parser = seconds)]
    pub wait: Duration,

    /// This process was started by another one, which says on standard input where it belongs. So many share this machine; 0: its
    /// address is that of the list.
    #[arg(long, hide = true, value_name = "N", conflicts_with_all = ["local", "hosts"])]
    pub member: Option<usize>,
}

/// Who starts processes on other machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Launch {
    /// The program `ssh`
    Ssh,
}

/// What an exploration keeps, to go on later.
#[derive(Debug, Parser)]
#[command(next_help_heading = "Checkpoints (docs/cluster.md)")]
pub struct CheckpointArguments {
    /// Keep what is found in a new folder, so that the search can go on after whatever happens
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub checkpoint: Option<PathBuf>,

    /// How often; 0 is after each layer of states
    #[arg(long, value_name = "SECONDS", default_value = "60", allow_negative_numbers = true)]
    #[arg(value_parser = seconds_or_none)]
    pub every: Duration,

    /// Go on from what was kept in a folder, and keep what is found there
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
}

/// What a search may use.
#[derive(Debug, Parser)]
pub struct ResourceArguments {
    /// Stop when memory use reaches SIZE, for example 500M or 8G [default: 90% of free memory]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    pub max_memory: Option<Size>,

    /// Stop after SECONDS seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// How many threads work on it; the result is the same for any number [default: one for each processor]
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = number(1..=256_u32, "a number from 1 to 256"))]
    pub threads: Option<u32>,
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

    /// What its processes are.
    #[command(flatten)]
    pub murphi: MurphiArguments,

    /// Which instance.
    #[command(flatten)]
    pub instance: InstanceArguments,

    /// Choose the steps by hand
    #[arg(short, long, conflicts_with_all = ["format", "written"])]
    pub interactive: bool,

    /// Go on from the end of a run: what `verify`, `explore` or `simulate` printed with `--format json`
    #[arg(long, value_name = "RUN", conflicts_with = "processes")]
    pub from: Option<PathBuf>,

    /// Go on from behind step N of that run; 0 is its initial state
    #[arg(long, value_name = "N", requires = "from", allow_negative_numbers = true)]
    #[arg(value_parser = number(0..=usize::MAX, "the number of a step, 0 or more"))]
    pub at: Option<usize>,

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

    /// How much of the run is shown.
    #[command(flatten)]
    pub run: RunArguments,

    /// What is written.
    #[command(flatten)]
    pub files: FileArguments,

    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// Arguments of `replay`.
#[derive(Debug, Parser)]
pub struct ReplayArguments {
    /// The trace, as JSON: what `verify`, `explore` or `simulate` printed with `--format json`, or wrote
    /// with `--itf`; `-` is standard input
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,

    /// The model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// What its processes are.
    #[command(flatten)]
    pub murphi: MurphiArguments,

    /// How much of the run is shown.
    #[command(flatten)]
    pub run: RunArguments,

    /// What is written.
    #[command(flatten)]
    pub files: FileArguments,

    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// How much of a run is shown.
#[derive(Debug, Parser)]
pub struct RunArguments {
    /// Show every state of a run, not only what each step changes
    #[arg(long)]
    pub states: bool,
}

impl RunArguments {
    pub(crate) fn detail(&self) -> Detail {
        if self.states { Detail::States } else { Detail::Changes }
    }
}

/// How `verify` reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VerifyFormat {
    /// For people
    Human,
    /// One JSON object on standard output, or a list for several models (see docs/json.md)
    Json,
    /// Annotations for workflows on GitHub
    Github,
    /// SARIF 2.1, for tools that collect results of analyses
    Sarif,
    /// JUnit's XML, for tools that collect results of tests
    Junit,
}

impl VerifyFormat {
    /// The format of a report about one model, if it is one.
    pub(crate) fn plain(self) -> Option<Format> {
        match self {
            VerifyFormat::Human => Some(Format::Human),
            VerifyFormat::Json => Some(Format::Json),
            VerifyFormat::Github | VerifyFormat::Sarif | VerifyFormat::Junit => None,
        }
    }
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
