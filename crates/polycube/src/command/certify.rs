//! `polycube certify`: a proof, and solvers that check it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use polycube_certificate::Obligation;
use polycube_certificate::smtlib::Room;
use polycube_solver::Solver;

use super::certificate::{Certified, Judgement, judge, not_certified, script_bytes, solvers};
use super::files::Files;
use super::model::{Limited, read_limited};
use super::verify::report::{Asked, Report};
use super::verify::{self, NoCertificate, something_to_verify};
use super::{Outcome, Refusal};
use crate::arguments::{CertifyArguments, Format};
use crate::certificate::directory::Directory;
use crate::console::Console;
use crate::model::Model;
use crate::report::trace::{Detail, paragraph};
use crate::tool;

pub(super) fn run(arguments: &CertifyArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let format = arguments.format;
    // What can go wrong before the search should: it may be long.
    let files = Files::page(arguments.html.as_deref(), arguments.force)?;
    let solvers = solvers(&arguments.solvers)?;
    let directory = Directory::prepare(&directory(arguments), arguments.force)?;
    let resources = &arguments.solvers.resources;
    let Limited { model, stop, bytes } =
        read_limited(&arguments.file, arguments.murphi.for_every_number(), resources, format, console)?;
    something_to_verify(&model.system, false)?;
    stop.watch_signals();
    let options = verify::options(&arguments.how, resources.threads(), bytes, &stop);
    let asked = Asked {
        how: &arguments.how,
        show_invariant: false,
        detail: Detail::default(),
        timeout: resources.timeout,
    };
    let verified = verify::search(&model, asked, &options, &stop, format, console)?;
    let report = Report::new(&verified, asked, &options.search, stop.reason());
    if !verified.is_safe() {
        console.report(&report.print(format), format);
        let ending = (report.outcome(), format);
        return Ok(files.finish(&model, || report.page("certify"), None, ending, console));
    }
    let name = &model.input.name;
    let not_written = |console: &mut Console| {
        console.report(&not_certified(Some(name), directory.name(), &stop, format), format);
        Ok(Outcome::Unknown)
    };
    let mut written = match verify::certify(&report, &directory, &stop, console) {
        Ok(written) => written,
        Err(NoCertificate::Bug) => return Ok(Outcome::Bug),
        Err(NoCertificate::Impossible(impossible)) => return Err(impossible.into()),
        Err(NoCertificate::Stopped) => return not_written(console),
    };
    if format == Format::Human {
        let text = paragraph(&written.describe());
        console.print(&format!("{text}\n"));
    }
    loop {
        let what = (&written.certificate, name.as_str(), written.directory.as_path());
        let judgement = judge(what, &written.scripts, &solvers, &arguments.solvers, &stop, console)?;
        let Some(retried) = judgement.retried() else {
            let outcome = judgement.report(format, console);
            let contradictions = judgement.contradictions();
            if contradictions.is_empty() {
                // What nobody has proved need not be wrong if a solver finds no proof in what the questions
                // say.
                let outcome = if outcome == Outcome::No { Outcome::Unknown } else { outcome };
                let page = || Certified { verification: &report, certificate: &judgement }.page();
                return Ok(files.finish(&model, page, None, (outcome, format), console));
            }
            console.remark(&contradicted(&contradictions, &model, &written.directory));
            return Ok(Outcome::Bug);
        };
        // What needed the whole invariant is written down that way, so that the files prove what they should
        // by themselves. There are fewer hints now, so this ends.
        written.certificate.hints.retain(|obligation, _| !retried.contains(obligation));
        let goes_on = || !stop.is_set();
        let room = Room::new(script_bytes(bytes), &goes_on);
        // They were small enough for the solver that proved them.
        let Ok(scripts) = written.certificate.scripts(&room) else { return not_written(console) };
        written.scripts = scripts;
        directory.rewrite(&written.certificate.files(&written.scripts))?;
    }
}

/// Says that solvers deny what was proved before, and leaves a report.
fn contradicted(denied: &[(&Solver, Obligation)], model: &Model, directory: &Path) -> String {
    let (solver, first) = denied[0];
    let what = first.describe(&model.system);
    let mut text = format!("{}\nThe certificate is in {}.\n\n", tool(), directory.display());
    for (solver, obligation) in denied {
        let what = obligation.describe(&model.system);
        text += &format!("{solver} denies, and the second check proves, that {what}.\n");
    }
    text += &format!("\nThe model {}:\n\n{}\n", model.input.name, model.input.text);
    let please = verify::please_report(&text);
    format!(
        "{} has a bug, or {solver} has: it denies that {what}, which was proved before.\n{please}",
        tool()
    )
}

/// Where the certificate is written: `german.certificate` for `german.cub`, where nothing else is said.
fn directory(arguments: &CertifyArguments) -> PathBuf {
    arguments.directory.clone().unwrap_or_else(|| {
        let stem = arguments.file.file_stem().filter(|stem| *stem != "-");
        let mut name = stem.map_or_else(|| "model".into(), OsStr::to_os_string);
        name.push(".certificate");
        PathBuf::from(name)
    })
}

impl Judgement<'_> {
    /// The obligations that a solver proved only with the whole invariant, if there are some.
    fn retried(&self) -> Option<Vec<Obligation>> {
        let retried: Vec<_> =
            self.checked.iter().flatten().flat_map(|checked| checked.retried.iter().copied()).collect();
        (!retried.is_empty()).then_some(retried)
    }
}
