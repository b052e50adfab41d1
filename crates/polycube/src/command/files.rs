//! The files that a command writes beside its report: the report as a page, and its run in the formats of other
//! tools.

use std::path::Path;

use polycube_certificate::Trace;
use serde::Serialize;

use super::Outcome;
use super::output::Target;
use crate::arguments::{FileArguments, Format};
use crate::console::Console;
use crate::input::Impossible;
use crate::model::Model;
use crate::report::html::Page;
use crate::report::impossible;
use crate::report::itf::to_itf;
use crate::report::mermaid::to_mermaid;
use crate::report::trace::paragraph;

/// The files that are wanted.
#[derive(Default)]
pub(super) struct Files<'a> {
    html: Option<Target<'a>>,
    itf: Option<Target<'a>>,
    mermaid: Option<Target<'a>>,
}

/// A run that is written.
pub(super) struct Ran<'r> {
    pub(super) trace: &'r Trace,
    /// What is special about its last state, in a sentence.
    pub(super) end: Option<String>,
}

impl<'a> Files<'a> {
    /// Checks the paths before the work, so that long work does not end in such an error.
    pub(super) fn prepare(arguments: &'a FileArguments) -> Result<Files<'a>, Impossible> {
        let FileArguments { html, itf, mermaid, force } = arguments;
        let wanted = [html, itf, mermaid].map(Option::as_deref);
        for (at, path) in wanted.iter().enumerate().filter(|(_, path)| path.is_some()) {
            if wanted[..at].contains(path) {
                let name = path.unwrap_or(Path::new("")).display();
                return Err(Impossible::new(format!("`{name}` cannot be written twice"))
                    .or("name another file for one of the options"));
            }
        }
        let prepare = |path: Option<&'a Path>| path.map(|path| Target::prepare(path, *force)).transpose();
        let [html, itf, mermaid] = wanted.map(prepare);
        Ok(Files { html: html?, itf: itf?, mermaid: mermaid? })
    }

    /// The page alone, for commands that have no runs to write.
    pub(super) fn page(path: Option<&'a Path>, force: bool) -> Result<Files<'a>, Impossible> {
        let html = path.map(|path| Target::prepare(path, force)).transpose()?;
        Ok(Files { html, ..Files::default() })
    }

    /// Writes the files after the report was printed. What is written is a result of its own, so a failure is
    /// a remark also beside JSON, and how the command ends.
    pub(super) fn finish<'p, R: Serialize + 'p>(
        &self,
        model: &Model,
        page: impl FnOnce() -> Page<'p, R>,
        ran: Option<&Ran<'_>>,
        (outcome, format): (Outcome, Format),
        console: &mut Console,
    ) -> Outcome {
        match self.write(model, page, ran) {
            Ok(said) => {
                if format == Format::Human && !said.is_empty() {
                    console.print(&said);
                }
                outcome
            }
            Err(failure) => {
                console.remark(&impossible(&failure));
                Outcome::Wrong
            }
        }
    }

    /// Writes the files, and says where they are.
    fn write<'p, R: Serialize + 'p>(
        &self,
        model: &Model,
        page: impl FnOnce() -> Page<'p, R>,
        ran: Option<&Ran<'_>>,
    ) -> Result<String, Impossible> {
        let mut said = String::new();
        if let Some(target) = &self.html {
            target.write(page().to_html().as_bytes())?;
            said += &paragraph(&format!("The page is in {}.", target.path.display()));
        }
        let (system, name) = (&model.system, &model.input.name);
        let run = |target: &Target<'_>, text: Option<String>| {
            let path = target.path.display();
            let Some(text) = text else { return Ok(format!("There is no run, so {path} was not written.")) };
            target.write(text.as_bytes())?;
            Ok(format!("The run is in {path}."))
        };
        if let Some(target) = &self.itf {
            said += &paragraph(&run(target, ran.map(|ran| to_itf(system, ran.trace, name)))?);
        }
        if let Some(target) = &self.mermaid {
            let text = ran.map(|ran| to_mermaid(system, ran.trace, name, ran.end.as_deref()));
            said += &paragraph(&run(target, text)?);
        }
        Ok(said)
    }
}
