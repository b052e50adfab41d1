//! `polycube check-certificate`: whether a certificate is one, without any search.

use std::path::Path;

use super::certificate::{judge, not_certified, script_bytes, solvers};
use super::model::read_model;
use super::stop::{self, Stop};
use super::{Outcome, Refusal, cut_off};
use crate::arguments::{CheckCertificateArguments, Format};
use crate::certificate::MODEL;
use crate::certificate::audit::{self, Flaw};
use crate::console::Console;
use crate::input::{Impossible, read};
use crate::report::json::print;
use crate::report::{error, number::counted, trace::paragraph};

pub(super) fn run(arguments: &CheckCertificateArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let (format, directory) = (arguments.format, &arguments.directory);
    let model = arguments.model.as_deref().map(|path| own_text(path, arguments, console)).transpose()?;
    let name = directory.display().to_string();
    let resources = &arguments.solvers.resources;
    let bytes = resources.bytes();
    let stop = Stop::limited(resources.timeout, bytes);
    stop.watch_signals();
    let apart = console.another();
    let not_checked = || not_certified(None, directory, &stop, format);
    let cut_off = |_| cut_off::end(&not_checked(), format, Outcome::Unknown, apart);
    let goes_on = || !stop.is_set();
    let read = || audit::read(directory, script_bytes(bytes), &goes_on);
    let (certificate, scripts) = match stop.guard(stop::GRACE, cut_off, read) {
        Ok(read) => read,
        Err(Flaw::Stopped) => {
            console.report(&not_checked(), format);
            return Ok(Outcome::Unknown);
        }
        Err(Flaw::Unreadable(why)) => {
            return Err(Impossible::new(format!("`{name}` is no certificate: {why}")).into());
        }
        Err(Flaw::Changed(why)) => {
            let message = format!("the certificate in `{name}` was changed, or is incomplete: {why}");
            return Ok(no_certificate(&name, &message, format, console));
        }
    };
    if let Some((model, text)) = model
        && text != certificate.text
    {
        let message = format!("the certificate in `{name}` is about another model than `{model}`");
        return Ok(no_certificate(&name, &message, format, console));
    }
    let solvers = solvers(&arguments.solvers)?;
    if format == Format::Human {
        let clauses = counted(certificate.invariant.clauses.len() as u64, "clause");
        let scripts = counted(scripts.len() as u64, "script");
        let text = format!(
            "The files in {name} are what {MODEL} and the invariant of {clauses} give: {scripts}, and a theory \
             and a program for Why3."
        );
        console.print(&format!("{}\n", paragraph(&text)));
    }
    // Not the name that the certificate claims.
    let model = arguments.model.clone().unwrap_or_else(|| directory.join(MODEL)).display().to_string();
    let what = (&certificate, model.as_str(), directory.as_path());
    Ok(judge(what, &scripts, &solvers, &arguments.solvers, &stop, console)?.report(format, console))
}

/// The name of a model, and its text as a certificate has it.
fn own_text(
    path: &Path,
    arguments: &CheckCertificateArguments,
    console: &mut Console,
) -> Result<(String, String), Refusal> {
    let input = read(path)?;
    if !input.is_murphi() {
        return Ok((input.name, input.text));
    }
    let model = read_model(path, arguments.murphi.for_every_number(), arguments.format, console)?;
    Ok((input.name, model.own_text().into_owned()))
}

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
