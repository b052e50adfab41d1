//! `polycube certify`: a proof, and solvers that check it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use polycube_certificate::Obligation;
use polycube_certificate::smtlib::Room;
use polycube_solver::Solver;

use super::certificate::{Judgement, judge, script_bytes, solvers};
use super::model::{Limited, read_limited, refuse};
use super::stop::Cause;
use super::verify::report::{Asked, Report};
use super::verify::{self, NoCertificate, SOMETHING, Written, something_to_verify};
use super::{Outcome, cut_off};
use crate::arguments::{CertifyArguments, Format};
use crate::certificate::directory::{Directory, Impossible};
use crate::console::Console;
use crate::model::Model;
use crate::report::json::print;
use crate::report::trace::paragraph;
use crate::tool;

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
    let resources = &arguments.solvers.resources;
    let Some(Limited { model, stop, bytes }) = read_limited(&arguments.file, resources, format, console)
    else {
        return Outcome::Wrong;
    };
    if let Err(nothing) = something_to_verify(&model.system, false) {
        refuse(nothing, Some(SOMETHING), format, console);
        return Outcome::Wrong;
    }
    stop.watch_signals();
    let options = verify::options(&arguments.how, resources.threads(), bytes, &stop);
    let asked = Asked { how: &arguments.how, show_invariant: false, timeout: resources.timeout };
    let verified = match verify::search(&model, asked, &options, &stop, format, console) {
        Ok(verified) => verified,
        Err(unsupported) => {
            verify::refusal::report(&model, &unsupported, format, console);
            return Outcome::Wrong;
        }
    };
    let report = Report::new(&verified, asked, &options.search, stop.reason());
    if !report.is_safe() {
        match format {
            Format::Human => console.print(&report.to_text()),
            Format::Json => console.pass_on(&print(&report.to_json())),
        }
        return report.outcome();
    }
    let mut written = match verify::certify(&report, &directory, &stop, console) {
        Ok(written) => written,
        Err(NoCertificate::Bug) => return Outcome::Bug,
        Err(NoCertificate::Impossible(impossible)) => return wrong(impossible, console),
        Err(NoCertificate::Stopped(reason)) => {
            let why = cut_off::describe(reason, resources.timeout, bytes);
            return not_written(&model.input.name, &directory, &why, reason, format, console);
        }
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
            let outcome =
                judgement.report(&model.input.name, certificate, &written.directory, format, console);
            let contradictions = judgement.contradictions(certificate);
            if contradictions.is_empty() {
                // What nobody has proved need not be wrong if a solver finds no proof in what the questions say.
                return if outcome == Outcome::No { Outcome::Unknown } else { outcome };
            }
            console.remark(&contradicted(&contradictions, &model, &written.directory));
            return Outcome::Bug;
        };
        // What needed the whole invariant is written down that way, so that the files prove what they should by themselves. There
        // are fewer hints now, so this ends.
        written.certificate.hints.retain(|obligation, _| !retried.contains(obligation));
        let goes_on = || !stop.is_set();
        let room = Room::new(script_bytes(bytes), &goes_on);
        // They were small enough for the solver that proved them.
        let Ok(scripts) = written.certificate.scripts(&room) else {
            let why = cut_off::describe(stop.reason(), resources.timeout, bytes);
            return not_written(&model.input.name, &directory, &why, stop.reason(), format, console);
        };
        written.scripts = scripts;
        let files = written.certificate.files(&written.scripts);
        if let Err(impossible) = directory.rewrite(&files) {
            return wrong(impossible, console);
        }
    }
}

/// Says that there is no certificate.
fn not_written(
    file: &str,
    directory: &Directory,
    why: &str,
    reason: Cause,
    format: Format,
    console: &mut Console,
) -> Outcome {
    match format {
        Format::Human => console.print(&paragraph(&format!("Not certified: {why}."))),
        Format::Json => console.pass_on(&print(&serde_json::json!({
            "file": file,
            "directory": directory.name().display().to_string(),
            "certified": false,
            "interrupted": true,
            "reason": cut_off::code(reason),
            "solvers": [],
        }))),
    }
    Outcome::Unknown
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

impl Judgement {
    /// The obligations that a solver proved only with the whole invariant, if there are some.
    fn retried(&self) -> Option<Vec<Obligation>> {
        let retried: Vec<_> =
            self.checked.iter().flatten().flat_map(|checked| checked.retried.iter().copied()).collect();
        (!retried.is_empty()).then_some(retried)
    }
}
