//! `polycube check-certificate`: whether a certificate is one, without any search.

use super::certificate::{judge, script_bytes, solvers};
use super::model::{refuse, report_unreadable};
use super::stop::{self, Cause, Stop};
use super::{Outcome, cut_off};
use crate::arguments::{CheckCertificateArguments, Format};
use crate::certificate::MODEL;
use crate::certificate::audit::{self, Flaw};
use crate::console::Console;
use crate::input::read;
use crate::report::json::print;
use crate::report::{error, number::counted, trace::paragraph};

pub(super) fn run(arguments: &CheckCertificateArguments, console: &mut Console) -> Outcome {
    let format = arguments.format;
    let model = match arguments.model.as_deref().map(read).transpose() {
        Ok(model) => model,
        Err(unreadable) => {
            report_unreadable(&unreadable, format, console);
            return Outcome::Wrong;
        }
    };
    let name = arguments.directory.display().to_string();
    let resources = &arguments.solvers.resources;
    let bytes = resources.bytes();
    let stop = Stop::limited(resources.timeout, bytes);
    stop.watch_signals();
    let apart = console.another();
    let cut_off = |reason| {
        let why = cut_off::describe(reason, resources.timeout, bytes);
        let text = not_checked(&name, &why, reason, format);
        cut_off::end(&text, format, Outcome::Unknown, apart)
    };
    let goes_on = || !stop.is_set();
    let read = || audit::read(&arguments.directory, script_bytes(bytes), &goes_on);
    let (certificate, scripts) = match stop.guard(stop::GRACE, cut_off, read) {
        Ok(read) => read,
        Err(Flaw::Stopped) => {
            let why = cut_off::describe(stop.reason(), resources.timeout, bytes);
            let text = not_checked(&name, &why, stop.reason(), format);
            match format {
                Format::Human => console.print(&text),
                Format::Json => console.pass_on(&text),
            }
            return Outcome::Unknown;
        }
        Err(Flaw::Unreadable(why)) => {
            refuse(&format!("`{name}` is no certificate: {why}"), None, format, console);
            return Outcome::Wrong;
        }
        Err(Flaw::Changed(why)) => {
            let message = format!("the certificate in `{name}` was changed, or is incomplete: {why}");
            return no_certificate(&name, &message, format, console);
        }
    };
    if let Some(model) = model
        && model.text != certificate.text
    {
        let message = format!("the certificate in `{name}` is about another model than `{}`", model.name);
        return no_certificate(&name, &message, format, console);
    }
    let solvers = match solvers(&arguments.solvers) {
        Ok(solvers) => solvers,
        Err(impossible) => {
            refuse(&impossible.reason, impossible.help.as_deref(), format, console);
            return Outcome::Wrong;
        }
    };
    if format == Format::Human {
        let clauses = counted(certificate.invariant.clauses.len() as u64, "clause");
        let scripts = counted(scripts.len() as u64, "script");
        let text = format!(
            "The files in {name} are what {MODEL} and the invariant of {clauses} give: {scripts}, and a theory for Why3."
        );
        console.print(&format!("{}\n", paragraph(&text)));
    }
    match judge(&certificate, &scripts, &solvers, &arguments.solvers, &stop, console) {
        // Not the name that the certificate claims.
        Ok(judgement) => {
            let model = arguments.model.clone().unwrap_or_else(|| arguments.directory.join(MODEL));
            let model = model.display().to_string();
            judgement.report(&model, &certificate, &arguments.directory, format, console)
        }
        Err(impossible) => {
            refuse(&impossible.reason, impossible.help.as_deref(), format, console);
            Outcome::Wrong
        }
    }
}

/// What is said if there was no time, or no memory, to compare the files.
fn not_checked(name: &str, why: &str, reason: Cause, format: Format) -> String {
    match format {
        Format::Human => paragraph(&format!("Not certified: {why}.")),
        Format::Json => print(&serde_json::json!({
            "directory": name,
            "certified": false,
            "interrupted": true,
            "reason": cut_off::code(reason),
            "solvers": [],
        })),
    }
}

/// The certificate is not what it should be.
fn no_certificate(name: &str, message: &str, format: Format, console: &mut Console) -> Outcome {
    match format {
        Format::Human => console.remark(&error(message, None)),
        Format::Json => {
            let object = serde_json::json!({ "directory": name, "certified": false, "changed": message });
            console.pass_on(&print(&object));
        }
    }
    Outcome::No
}
