//! Reading the one model that a command works on.

use std::path::Path;

use polycube_engine::compile::domain::Bounds;
use polycube_language::span::{Lines, Span};
use polycube_language::system::Processes;
use polycube_murphi::{Parameter, Refused, Request, Sizes};

use super::stop::Stop;
use super::{Refusal, cut_off};
use crate::arguments::{Format, InstanceArguments, ResourceArguments};
use crate::console::Console;
use crate::input::Impossible;
use crate::model::{Model, NoModel};
use crate::report;

/// Reads a model, and shows its warnings.
pub fn read_model(
    path: &Path,
    request: Request<'_>,
    format: Format,
    console: &mut Console,
) -> Result<Model, NoModel> {
    let model = Model::read_as(path, request)?;
    if format == Format::Human {
        let Model { input, diagnostics, .. } = &model;
        console.remark(&report::diagnostics(diagnostics, &input.name, &Lines::new(&input.text)));
    }
    Ok(model)
}

/// A model, and the limits of the command that works on it.
pub struct Limited {
    pub model: Model,
    pub stop: Stop,
    /// How much memory it may use, if that is limited.
    pub bytes: Option<usize>,
}

/// [Reads a model](read_model) within the limits of a command, which begin to count here.
pub fn read_limited(
    path: &Path,
    request: Request<'_>,
    resources: &ResourceArguments,
    format: Format,
    console: &mut Console,
) -> Result<Limited, Refusal> {
    let bytes = resources.bytes();
    let stop = Stop::limited(resources.timeout, bytes);
    let (apart, file, timeout) = (console.another(), path.to_owned(), resources.timeout);
    let cut_off = move |cause| {
        let why = cut_off::describe(cause, timeout, bytes);
        cut_off::end_reading(&file, (cause, &why), format, apart)
    };
    let model = stop.guard_alone(cut_off, || read_model(path, request, format, console))?;
    Ok(Limited { model, stop, bytes })
}

const DEFAULT_PROCESSES: u32 = 3;

/// With how many processes a model is explored, if nobody says it.
pub(super) fn default_processes(model: &Model) -> u32 {
    let of_the_file = model.sizes.as_ref().and_then(|sizes| sizes.parameter.as_ref());
    match model.system.processes {
        Processes::Exactly(count) => count,
        Processes::Any => of_the_file.map_or(DEFAULT_PROCESSES, |parameter| parameter.count),
    }
}

impl InstanceArguments {
    /// How many there are. A model that has the sizes of its file has no number of them.
    pub(super) fn processes(&self, model: &Model) -> Result<u32, Impossible> {
        let Some(count) = self.processes else { return Ok(default_processes(model)) };
        match &model.sizes {
            Some(Sizes { parameter: None, instances, refused }) => {
                let name = &model.input.name;
                let reason = match refused {
                    Some(refused) => format!(": {}", because(refused, &Lines::new(&model.input.text))),
                    None => " (--parameter none)".to_owned(),
                };
                let reason = format!("`{name}` has no number of processes{reason}");
                Err(Impossible::new(reason).or(format!("without -n, it is explored {instances}")))
            }
            Some(Sizes { parameter: Some(Parameter { name, least, .. }), .. }) if count < *least => {
                let file = &model.input.name;
                let reason = format!(
                    "`{file}` speaks of {least} values of {name} by their numbers: {count} are too few"
                );
                Err(Impossible::new(reason).or(format!("-n {least}, or more")))
            }
            _ => Ok(count),
        }
    }

    /// What bounds the types with infinitely many values.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds { numbers: self.int_range.0.clone(), values: self.values }
    }
}

/// Why a model is not said for every number of processes: `it cannot be verified for every number of NODE because of
/// line 12: ...`.
pub(super) fn because(refused: &Refused, lines: &Lines<'_>) -> String {
    let whom = refused.parameter.as_deref().unwrap_or("processes");
    let diagnostic = &refused.diagnostic;
    let place = match diagnostic.primary.span {
        nowhere if nowhere == Span::default() => String::new(),
        span => format!(" of line {}", lines.position(span.start).line),
    };
    format!("it cannot be verified for every number of {whom} because{place}: {}", diagnostic.message)
}
