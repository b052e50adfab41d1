//! A model, and what can be asked about it.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use polycube_engine::backward::{self, Answer, Invariants, Observer, Reason, Verification, Witnesses};
use polycube_engine::compile::TooLarge;
use polycube_engine::cube::Unsupported;
use polycube_engine::engine::{self, Engine};
use polycube_engine::forward::{self, Exploration};
use polycube_engine::oracle::{Known, Plan};
use polycube_engine::vacuity::{Knowledge, Look, vacuity};
use polycube_language::System;
use polycube_language::check::{Checked, check};
use polycube_language::diagnostic::{Code, Diagnostic, Diagnostics};
use polycube_language::span::{Lines, Span};
use polycube_language::system::Property;
use polycube_murphi::{Execution, Request, Sizes, Translation};

use crate::as_written::{inductive, is_promising};
use crate::input::{Input, Unreadable, read};
use crate::report;
use crate::verified::{Failed, Verdict, Verified};

/// A model without mistakes.
pub struct Model {
    pub(crate) input: Input,
    pub(crate) system: System,
    /// What is to be said about it: warnings.
    pub(crate) diagnostics: Diagnostics,
    /// For which instances an answer holds: `whatever the number of processes`.
    pub(crate) instances: String,
    /// For which sizes of a file that was written for Murphi it stands.
    pub(crate) sizes: Option<Sizes>,
    /// What is executed in place of the system, which then has no run.
    pub(crate) execution: Option<Execution>,
}

/// Why there is no model.
pub enum NoModel {
    /// The file cannot be read.
    Unreadable(Unreadable),
    /// The text has mistakes.
    Wrong(Box<Mistakes>),
}

/// A text that is not a model.
pub struct Mistakes {
    /// The text, and what messages call it.
    pub input: Input,
    /// What is wrong with it.
    pub diagnostics: Diagnostics,
}

/// How a model is verified. The default is what the command line does without flags, but with one thread and
/// without limits.
#[derive(Clone, Debug, Default)]
pub struct VerifyOptions {
    /// Which search.
    pub engine: Engine,
    /// The instances on which guesses are tested.
    pub instances: Plan,
    /// Threads, limits, the order of the search, and a flag that ends it.
    pub search: backward::Options,
    /// What happens before the answer Safe.
    pub recheck: Recheck,
}

/// What happens before the answer Safe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recheck {
    /// Every obligation of the invariant is proved once more, by a routine that shares nothing with the
    /// search.
    #[default]
    Complete,
    /// Nothing.
    None,
}

/// Why a model was not verified.
#[derive(Debug)]
pub enum NotVerified {
    /// The model is beyond a limit of the search.
    Unsupported(Unsupported),
    /// The search reported an invariant that is not inductive: Polycube has a bug.
    NotInductive(Box<Failed>),
}

impl Model {
    /// Reads a model from a file; `-` is standard input.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has mistakes. The error shows each of them in its line.
    pub fn read(path: impl AsRef<Path>) -> Result<Model, NoModel> {
        Model::read_as(path.as_ref(), Request::default())
    }

    /// The same, with what is asked of one that was written for Murphi.
    pub(crate) fn read_as(path: &Path, request: Request<'_>) -> Result<Model, NoModel> {
        Model::of(read(path).map_err(NoModel::Unreadable)?, request)
    }

    /// The model that a text means.
    ///
    /// # Errors
    ///
    /// If it has mistakes.
    pub fn from_text(text: impl Into<String>) -> Result<Model, NoModel> {
        let input = Input { name: "<text>".to_owned(), path: None, text: text.into(), not_text: None };
        Model::of(input, Request::default())
    }

    pub(crate) fn of(input: Input, request: Request<'_>) -> Result<Model, NoModel> {
        let Meaning { system, diagnostics, sizes, execution } = check_input(&input, request);
        match system {
            Some(system) => {
                let instances = match &sizes {
                    Some(sizes) => sizes.instances.clone(),
                    None => crate::verified::instances(&system),
                };
                Ok(Model { input, system, diagnostics, instances, sizes, execution })
            }
            None => Err(NoModel::Wrong(Box::new(Mistakes { input, diagnostics }))),
        }
    }

    /// What it means.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.input.text
    }

    /// Its text in Polycube's language: that of its file, or what it was translated to.
    pub(crate) fn own_text(&self) -> Cow<'_, str> {
        if self.input.is_murphi() {
            return Cow::Owned(self.system.to_source());
        }
        Cow::Borrowed(&self.input.text)
    }

    /// What looks like a mistake and need not be one.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter()
    }

    /// Whether a bad state is reachable, for any number of processes.
    ///
    /// # Errors
    ///
    /// If the model is beyond a limit of the search. An answer that was not found is not an error, but
    /// [`Verdict::Unknown`](crate::Verdict::Unknown).
    pub fn verify(&self, options: &VerifyOptions) -> Result<Verified<'_>, NotVerified> {
        self.verify_with(options, &mut ())
    }

    /// The same, for those who want to watch the search.
    ///
    /// # Errors
    ///
    /// As for [`Model::verify`].
    pub fn verify_with(
        &self,
        options: &VerifyOptions,
        observer: &mut dyn Observer,
    ) -> Result<Verified<'_>, NotVerified> {
        let mut verified = self.search(options, observer).map_err(NotVerified::Unsupported)?;
        if options.recheck == Recheck::Complete {
            let interrupt = options.search.interrupt.clone();
            let goes_on = move || !interrupt.load(std::sync::atomic::Ordering::Relaxed);
            let rechecked = verified.recheck(options.search.threads, &goes_on, &mut |_, _| {});
            let rechecked = rechecked.and_then(|()| verified.recheck_part(options.search.threads));
            rechecked.map_err(|failed| NotVerified::NotInductive(Box::new(failed)))?;
        }
        Ok(verified)
    }

    /// The same without the second check.
    ///
    /// # Errors
    ///
    /// As for [`Model::verify`].
    pub fn search(
        &self,
        options: &VerifyOptions,
        observer: &mut dyn Observer,
    ) -> Result<Verified<'_>, Unsupported> {
        let start = Instant::now();
        let VerifyOptions { engine, instances, search, .. } = options;
        let instances = Plan { clock: Some(clock), ..*instances };
        // Whoever chooses an engine, or believes the clauses, wants a search.
        let may_be_inductive = *engine == Engine::Auto && search.invariants == Invariants::Prove;
        let inductive = || may_be_inductive.then(|| inductive(&self.system, &search.interrupt)).flatten();
        let is_promising = is_promising(&self.system);
        let proved = if is_promising { inductive() } else { None };
        let mut as_written = proved.is_some();
        let mut found = match proved {
            Some(proved) => proved,
            None => engine::verify(&self.system, *engine, search, instances, observer)?,
        };
        // For others, that is the last thing to be tried.
        let is_open = matches!(found.verdict(), Answer::Unknown(reason) if *reason != Reason::Interrupted);
        if is_open
            && !is_promising
            && let Some(proved) = inductive()
        {
            found = Verification { instances: found.instances, known: found.known, ..proved };
            as_written = true;
        }
        let mut verified = Verified::new(self, found, 0.0);
        verified.as_written = as_written;
        let look = match verified.verdict() {
            Verdict::Safe => Some(Look::UntilAllIsSeen),
            Verdict::Unknown(_) => Some(Look::AtAll),
            Verdict::Unsafe(_) | Verdict::WrongInvariant(_) => None,
        };
        // States of a system that counts more are no states of this one.
        let counts_more = verified.verification.counting.is_some();
        let nothing = Known::default();
        let known = if counts_more { &nothing } else { &verified.verification.known };
        let witnesses = &Witnesses::new(&self.system, known);
        let excludes = |property: &Property| verified.excludes(property, &search.interrupt);
        let knowledge = Knowledge { witnesses, excludes: &excludes };
        verified.vacuity =
            look.map(|look| vacuity(&self.system, knowledge, look, search.threads, &search.interrupt));
        verified.seconds = start.elapsed().as_secs_f64();
        Ok(verified)
    }

    /// Every reachable state with n processes, up to symmetry.
    ///
    /// # Errors
    ///
    /// If the instance is too large to be compiled.
    pub fn explore(&self, processes: u32) -> Result<Exploration, TooLarge> {
        self.explore_with(&forward::Options::new(processes), &mut ())
    }

    /// The same, with options, for those who want to watch it.
    ///
    /// # Errors
    ///
    /// As for [`Model::explore`].
    pub fn explore_with(
        &self,
        options: &forward::Options,
        observer: &mut dyn forward::Observer,
    ) -> Result<Exploration, TooLarge> {
        let options = forward::Options { clock: Some(clock), ..options.clone() };
        forward::explore(&self.system, &options, observer)
    }

    /// The same, together with other processes, or with what was kept.
    pub(crate) fn explore_together(
        &self,
        options: &forward::Options,
        observer: &mut dyn forward::Observer,
        company: &mut forward::Company<'_>,
    ) -> Result<Exploration, TooLarge> {
        let options = forward::Options { clock: Some(clock), ..options.clone() };
        forward::explore_together(&self.system, &options, observer, company)
    }
}

/// The time since this was first asked.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// What a text means, in whatever language it is written.
pub(crate) struct Meaning {
    /// Nothing if it has mistakes.
    pub(crate) system: Option<System>,
    pub(crate) diagnostics: Diagnostics,
    /// For which sizes of a file that was written for Murphi it stands.
    pub(crate) sizes: Option<Sizes>,
    /// What is executed in place of the system.
    pub(crate) execution: Option<Execution>,
}

/// Checks a text; one that is not UTF-8 has that one mistake.
pub(crate) fn check_input(input: &Input, request: Request<'_>) -> Meaning {
    let only = |diagnostic| {
        let diagnostics = Diagnostics::from_one(diagnostic);
        Meaning { system: None, diagnostics, sizes: None, execution: None }
    };
    if let Some(diagnostic) = &input.not_text {
        return only(diagnostic.clone());
    }
    if input.is_murphi() {
        let translation = polycube_murphi::translated(&input.text, request);
        let Translation { system, diagnostics, sizes, execution } = translation;
        return Meaning { system, diagnostics, sizes, execution };
    }
    if request.parameter.is_some() {
        let message = "`--parameter` chooses a type of a model that was written for Murphi";
        let diagnostic = Diagnostic::error(Code::Unsupported, Span::default(), message);
        return only(diagnostic.help("the names of such files end with `.m`; here, `proc` is the parameter"));
    }
    let Checked { system, diagnostics, .. } = check(&input.text);
    Meaning { system, diagnostics, sizes: None, execution: None }
}

impl Display for NoModel {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let text = match self {
            NoModel::Unreadable(error) => report::unreadable(error),
            NoModel::Wrong(mistakes) => {
                let Mistakes { input, diagnostics } = &**mistakes;
                report::diagnostics(diagnostics, &input.name, &Lines::new(&input.text))
            }
        };
        // Colours are for terminals.
        write!(out, "{}", anstream::adapter::strip_str(text.trim_end()))
    }
}

impl fmt::Debug for NoModel {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, out)
    }
}

impl std::error::Error for NoModel {}

impl Display for NotVerified {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            NotVerified::Unsupported(why) => write!(out, "{why}"),
            NotVerified::NotInductive(_) => {
                write!(out, "polycube has a bug: it reported an invariant that is not inductive")
            }
        }
    }
}

impl std::error::Error for NotVerified {}
