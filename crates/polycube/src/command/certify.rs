//! `polycube certify`: a proof, and solvers that check it.

use std::ffi::OsStr;
use std::path::PathBuf;

use polycube_certificate::Obligation;

use super::Outcome;
use super::certificate::{Judgement, judge, solvers};
use super::model::{read_model, refuse};
use super::stop::Stop;
use super::verify::report::{Asked, Report};
use super::verify::{self, SOMETHING, Written, something_to_verify};
use crate::arguments::{CertifyArguments, Format};
use crate::certificate::directory::{Directory, Impossible};
use crate::console::Console;
use crate::report::json::print;
use crate::report::trace::paragraph;
use crate::resources::affordable;

pub(super) fn run(arguments: &CertifyArguments, console: &mut Console) -> Outcome {
    let format = arguments.format;
    let wrong = |Impossible { reason, help }: Impossible, console: &mut Console| {
        refuse(&reason, help.as_deref(), format, console);
        Outcome::Wrong
    };
    // What can go wrong before the search should: it may be long.
    let solvers = match solvers(&arguments.solvers) {
        Ok(solvers) => solvers,
        Err(impossible) => return wrong(impossible, console),
    };
    let directory = match Directory::prepare(&directory(arguments), arguments.force) {
        Ok(directory) => directory,
        Err(impossible) => return wrong(impossible, console),
    };
    let Some(model) = read_model(&arguments.file, format, console) else { return Outcome::Wrong };
    if let Err(nothing) = something_to_verify(&model.system, false) {
        refuse(nothing, Some(SOMETHING), format, console);
        return Outcome::Wrong;
    }
    let stop = Stop::new(None);
    let options = verify::options(&arguments.how, arguments.solvers.threads(), affordable(), &stop);
    let found = match verify::search(&model, &arguments.how, &options, console) {
        Ok(found) => found,
        Err(unsupported) => {
            verify::refusal::report(&model, &unsupported, format, console);
            return Outcome::Wrong;
        }
    };
    let asked = Asked { how: &arguments.how, show_invariant: false, timeout: None };
    let report = Report::new(&model, asked, &options, &found, stop.reason());
    if !report.is_safe() {
        match format {
            Format::Human => console.print(&report.to_text()),
            Format::Json => console.pass_on(&print(&report.to_json())),
        }
        return report.outcome();
    }
    let mut written = match verify::certify(&report, &directory, &stop, console) {
        Ok(written) => written,
        Err(impossible) => return wrong(impossible, console),
    };
    if format == Format::Human {
        let text = paragraph(&written.describe());
        console.print(&format!("{text}\n"));
    }
    loop {
        let Written { certificate, scripts, .. } = &written;
        let judgement = match judge(certificate, scripts, &solvers, &arguments.solvers, &stop, console) {
            Ok(judgement) => judgement,
            Err(impossible) => return wrong(impossible, console),
        };
        let Some(retried) = judgement.retried() else {
            return judgement.report(&model.input.name, certificate, &written.directory, format, console);
        };
        // What needed the whole invariant is written down that way, so that the files prove what they should by themselves. There
        // are fewer hints now, so this ends.
        written.certificate.hints.retain(|obligation, _| !retried.contains(obligation));
        written.scripts = written.certificate.scripts();
        let files = written.certificate.files(&written.scripts);
        if let Err(impossible) = directory.rewrite(&files) {
            return wrong(impossible, console);
        }
    }
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

impl Judgement {
    /// The obligations that a solver proved only with the whole invariant, if there are some.
    fn retried(&self) -> Option<Vec<Obligation>> {
        let retried: Vec<_> =
            self.checked.iter().flatten().flat_map(|checked| checked.retried.iter().copied()).collect();
        (!retried.is_empty()).then_some(retried)
    }
}
