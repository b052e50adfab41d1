//! Having solvers judge a certificate, and what they say: for `certify` and `check-certificate`.

use std::fmt::Write;
use std::path::Path;

use polycube_certificate::Obligation;
use polycube_certificate::smtlib::Script;
use polycube_solver::{Kind, Limits, NoSolver, Solver};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::progress::ProgressLine;
use super::stop::{Cause, Stop};
use super::verify::report::Report;
use super::{Outcome, cut_off};
use crate::arguments::{Format, SolverArguments, SolverName};
use crate::certificate::Certificate;
use crate::certificate::prove::{Checked, Gap, Resources, prove};
use crate::console::Console;
use crate::input::{Impossible, describe};
use crate::report::html::{Page, Tone};
use crate::report::json::{optional, print};
use crate::report::number::{counted, grouped, seconds};
use crate::report::trace::{hanging, listed, paragraph};

/// How many obligations that were not proved are listed for each solver.
const SHOWN: usize = 10;

impl From<SolverName> for Kind {
    fn from(name: SolverName) -> Kind {
        match name {
            SolverName::Z3 => Kind::Z3,
            SolverName::Cvc5 => Kind::Cvc5,
        }
    }
}

/// The solvers that are wanted, or all that are installed.
pub(super) fn solvers(arguments: &SolverArguments) -> Result<Vec<Solver>, Impossible> {
    let mut wanted: Vec<Kind> = arguments.solver.iter().map(|&name| name.into()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    if !wanted.is_empty() {
        return wanted.into_iter().map(|kind| Solver::find(kind).map_err(|error| unusable(&error))).collect();
    }
    let (mut found, mut broken) = (Vec::new(), None);
    for kind in Kind::ALL {
        match Solver::find(kind) {
            Ok(solver) => found.push(solver),
            Err(NoSolver::NotInstalled { .. }) => {}
            Err(error) => broken = Some(error),
        }
    }
    if found.is_empty() {
        let none = "no solver is installed that could check a certificate: neither z3 nor cvc5 is found";
        let help = "install one of them, for example: apt-get install z3 cvc5; \
                    or write it without a check: polycube verify FILE --certificate DIR";
        return Err(broken.map_or_else(|| Impossible::new(none).or(help), |error| unusable(&error)));
    }
    Ok(found)
}

fn unusable(error: &NoSolver) -> Impossible {
    let help = match error {
        NoSolver::NotInstalled { program } => {
            format!("install it, for example: apt-get install {}; or choose another one", program.display())
        }
        NoSolver::CannotStart { program, .. } | NoSolver::NotASolver { program, .. } => {
            format!("make sure that the program `{}` is the solver, and works", program.display())
        }
    };
    Impossible::new(error.to_string()).or(help)
}

/// What solvers say about a certificate.
pub(super) struct Judgement<'c> {
    certificate: &'c Certificate,
    /// The file of the model.
    file: &'c str,
    directory: &'c Path,
    /// What each solver says, or why that is not known: for programs, and for people.
    pub(super) checked: Result<Vec<Checked>, (&'static str, String)>,
    limits: Limits,
}

/// Has solvers check the certificate of a file that is in a directory.
pub(super) fn judge<'c>(
    (certificate, file, directory): (&'c Certificate, &'c str, &'c Path),
    scripts: &[Script],
    solvers: &[Solver],
    arguments: &SolverArguments,
    stop: &Stop,
    console: &mut Console,
) -> Result<Judgement<'c>, Impossible> {
    let limits = Limits::new(arguments.solver_timeout, arguments.solver_memory.0 as u64);
    let (threads, bytes) = (arguments.resources.threads(), arguments.resources.bytes());
    let resources = Resources { limits, threads, script_bytes: script_bytes(bytes) };
    let mut line = ProgressLine::new(console);
    let names: Vec<String> = solvers.iter().map(ToString::to_string).collect();
    let checked = prove(certificate, scripts, solvers, &resources, &stop.flag(), &mut |progress| {
        line.show(|elapsed| {
            let open = match progress.gaps {
                0 => String::new(),
                gaps => format!(", {} open", grouped(gaps as u64)),
            };
            let (answers, all) = (grouped(progress.answers as u64), grouped(progress.checks as u64));
            format!("{}: {answers} of {all} answers{open}, {}", names.join(", "), seconds(elapsed))
        });
    });
    let checked = checked.map_err(|error| {
        let why = describe(&error);
        Impossible::new(format!("the scripts cannot be written where temporary files are: {why}"))
    })?;
    let checked = checked.ok_or_else(|| match stop.reason() {
        reason @ Cause::User => (cut_off::code(reason), "the check was interrupted".to_owned()),
        reason => (cut_off::code(reason), stop.describe()),
    });
    Ok(Judgement { certificate, file, directory, checked, limits })
}

/// What is said if there was no time, or no memory, to write a certificate or to compare its files.
pub(super) fn not_certified(file: Option<&str>, directory: &Path, stop: &Stop, format: Format) -> String {
    if format == Format::Human {
        return paragraph(&format!("Not certified: {}.", stop.describe()));
    }
    let mut object = serde_json::json!({
        "directory": directory.display().to_string(),
        "certified": false,
        "interrupted": true,
        "reason": cut_off::code(stop.reason()),
        "solvers": [],
    });
    if let Some(file) = file {
        object["file"] = file.into();
    }
    print(&object)
}

/// How many bytes the scripts of a certificate may have, if this many may be used in all: there are copies of
/// them.
pub(super) fn script_bytes(bytes: Option<usize>) -> usize {
    bytes.unwrap_or(usize::MAX) / 8
}

impl Judgement<'_> {
    /// Reports it. The certificate is good if a solver proves all of it, and none denies a part of it.
    pub(super) fn report(&self, format: Format, console: &mut Console) -> Outcome {
        let text = match format {
            Format::Human => self.to_text(),
            Format::Json => print(self),
        };
        console.report(&text, format);
        self.outcome()
    }

    /// Obligations that a solver denies, although they were proved before.
    pub(super) fn contradictions(&self) -> Vec<(&Solver, Obligation)> {
        let denied = self.checked.iter().flatten().flat_map(|one| {
            let gaps = one.gaps.iter().filter(|(_, gap)| matches!(gap, Gap::Satisfiable));
            gaps.map(move |(&obligation, _)| (&one.solver, obligation))
        });
        denied.filter(|(_, obligation)| self.certificate.hints.contains_key(obligation)).collect()
    }

    fn outcome(&self) -> Outcome {
        let checked = self.checked.as_deref().unwrap_or_default();
        let is_denied =
            checked.iter().any(|one| one.gaps.values().any(|gap| matches!(gap, Gap::Satisfiable)));
        match (is_denied, checked.iter().any(Checked::is_complete)) {
            (true, _) => Outcome::No,
            (false, true) => Outcome::Success,
            (false, false) => Outcome::Unknown,
        }
    }

    fn to_text(&self) -> String {
        let Ok(checked) = &self.checked else { return paragraph(&self.answer()) };
        let all = self.certificate.obligations().len();
        let mut text = String::new();
        let width = checked.iter().map(|one| one.solver.to_string().len()).max().unwrap_or(0);
        for one in checked {
            let name = one.solver.to_string();
            let proved = grouped((all - one.gaps.len()) as u64);
            let (all, time) = (counted(all as u64, "obligation"), seconds(one.seconds));
            let _ = writeln!(text, "  {name:width$}  proves {proved} of {all}  {time}");
        }
        text += "\n";
        for one in checked.iter().filter(|one| !one.is_complete()) {
            text += &self.gaps(one);
        }
        text + &match self.outcome() {
            Outcome::No => paragraph(&self.answer()),
            _ => format!("{}\n", self.answer()),
        }
    }

    /// The answer, in a sentence.
    fn answer(&self) -> String {
        let checked = match &self.checked {
            Ok(checked) => checked,
            Err((_, why)) => return format!("Not certified: {why}."),
        };
        match self.outcome() {
            Outcome::Success => {
                let complete = checked.iter().filter(|one| one.is_complete());
                let names: Vec<String> = complete.map(|one| one.solver.to_string()).collect();
                let all = counted(self.certificate.obligations().len() as u64, "obligation");
                format!("Safe, certified by {}: {all}", listed(&names))
            }
            Outcome::No => {
                "Not certified: a solver denies it. If nobody made this certificate by hand, that is a \
                            bug of Polycube; please report it, with the certificate."
                    .to_owned()
            }
            _ => "Not certified: no solver proves all obligations.".to_owned(),
        }
    }

    fn gaps(&self, one: &Checked) -> String {
        let count = counted(one.gaps.len() as u64, "obligation");
        let mut text = format!("{} does not prove {count}:\n", one.solver);
        let mut repeat = None;
        for (obligation, gap) in one.gaps.iter().take(SHOWN) {
            let why = match gap {
                Gap::Satisfiable => "it says that there is a counterexample".to_owned(),
                Gap::Unknown => "it does not know".to_owned(),
                Gap::TimedOut => {
                    format!("not within {} (--solver-timeout)", seconds(self.limits.per_check.as_secs_f64()))
                }
                Gap::Failed(why) => why.clone(),
            };
            text += &hanging(format!("{}: {why}", obligation.describe(&self.certificate.system)).split(' '));
            repeat.get_or_insert_with(|| {
                let file = self.directory.join(self.certificate.script_file(*obligation));
                one.solver.command_line(&file, &self.limits)
            });
        }
        if one.gaps.len() > SHOWN {
            let _ = writeln!(text, "  and {} more", grouped((one.gaps.len() - SHOWN) as u64));
        }
        if let Some(repeat) = repeat {
            let _ = writeln!(text, "To repeat the first one:\n  {repeat}");
        }
        text + "\n"
    }
}

impl Serialize for Judgement<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = self.certificate.obligations().len();
        let open = |(obligation, gap): (&Obligation, &Gap)| JsonOpen {
            obligation: obligation.describe(&self.certificate.system),
            file: self.certificate.script_file(*obligation),
            gap: gap.clone(),
        };
        let solver = |one: &Checked| JsonSolver {
            name: one.solver.kind().to_string(),
            version: one.solver.version().to_owned(),
            proved: all - one.gaps.len(),
            retried: one.retried.len(),
            seconds: one.seconds,
            open: one.gaps.iter().map(open).collect(),
        };
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("file", self.file)?;
        object.serialize_entry("directory", &self.directory.display().to_string())?;
        object.serialize_entry("certified", &(self.outcome() == Outcome::Success))?;
        object.serialize_entry("interrupted", &self.checked.is_err())?;
        optional(&mut object, "reason", self.checked.as_ref().err().map(|(code, _)| code))?;
        object.serialize_entry("clauses", &self.certificate.invariant.clauses.len())?;
        object.serialize_entry("obligations", &all)?;
        let solvers: Vec<JsonSolver> = self.checked.iter().flatten().map(solver).collect();
        object.serialize_entry("solvers", &solvers)?;
        object.end()
    }
}

/// A proof with what solvers say of it, as a page shows it.
#[derive(Serialize)]
pub(super) struct Certified<'c> {
    pub(super) verification: &'c Report<'c>,
    pub(super) certificate: &'c Judgement<'c>,
}

impl<'c> Certified<'c> {
    pub(super) fn page(self) -> Page<'c, Certified<'c>> {
        let Certified { verification, certificate } = self;
        Page {
            tone: Tone::from(certificate.outcome()),
            headline: certificate.answer(),
            text: certificate.to_text(),
            ..verification.page("certify").with(self)
        }
    }
}

#[derive(Serialize)]
struct JsonSolver {
    name: String,
    version: String,
    proved: usize,
    retried: usize,
    seconds: f64,
    open: Vec<JsonOpen>,
}

#[derive(Serialize)]
struct JsonOpen {
    obligation: String,
    file: String,
    #[serde(flatten)]
    gap: Gap,
}
