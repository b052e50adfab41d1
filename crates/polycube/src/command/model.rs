//! Reading the one model that a command works on.

use std::path::Path;
use std::time::Duration;

use polycube_engine::compile::domain::Bounds;
use polycube_language::System;
use polycube_language::diagnostic::{Diagnostics, Label};
use polycube_language::span::Lines;
use polycube_language::system::Processes;

use super::cut_off;
use super::stop::Stop;
use crate::arguments::{Format, InstanceArguments, ResourceArguments};
use crate::console::Console;
use crate::input::{Input, Unreadable};
use crate::model::{Mistakes, Model, NoModel};
use crate::report::{self, json};

/// Reads a model. Reports what is wrong with it; none if that is an error.
pub fn read_model(path: &Path, format: Format, console: &mut Console) -> Option<Model> {
    let remark = |input: &Input, diagnostics: &Diagnostics, console: &mut Console| {
        console.remark(&report::diagnostics(diagnostics, &input.name, &Lines::new(&input.text)));
    };
    match (Model::read(path), format) {
        (Ok(model), Format::Human) => {
            remark(&model.input, &model.diagnostics, console);
            Some(model)
        }
        (Ok(model), Format::Json) => Some(model),
        (Err(NoModel::Unreadable(error)), _) => {
            report_unreadable(&error, format, console);
            None
        }
        (Err(NoModel::Wrong(mistakes)), Format::Human) => {
            let Mistakes { input, diagnostics } = *mistakes;
            remark(&input, &diagnostics, console);
            console.remark(&report::totals(diagnostics.errors(), diagnostics.warnings()));
            None
        }
        (Err(NoModel::Wrong(mistakes)), Format::Json) => {
            let Mistakes { input, diagnostics } = *mistakes;
            let file = json::File::checked(&input.name, &Lines::new(&input.text), None, &diagnostics);
            console.pass_on(&json::failed(vec![file]));
            None
        }
    }
}

/// A model, and the limits of the command that works on it.
pub struct Limited {
    pub model: Model,
    /// What ends the command.
    pub stop: Stop,
    /// How much memory it may use, if that is limited.
    pub bytes: Option<usize>,
}

/// [Reads a model](read_model) within the limits of a command, which begin to count here.
pub fn read_limited(
    path: &Path,
    resources: &ResourceArguments,
    format: Format,
    console: &mut Console,
) -> Option<Limited> {
    let bytes = resources.bytes();
    let stop = Stop::limited(resources.timeout, bytes);
    let apart = console.another();
    let cut_off = |reason| cut_off::end_reading(path, reason, resources, bytes, format, apart);
    let model = stop.guard(Duration::ZERO, cut_off, || read_model(path, format, console))?;
    Some(Limited { model, stop, bytes })
}

/// How many processes an instance has by default.
const DEFAULT_PROCESSES: u32 = 3;

impl InstanceArguments {
    /// The number of processes.
    pub fn processes(&self, system: &System) -> u32 {
        self.processes.unwrap_or(match system.processes {
            Processes::Exactly(count) => count,
            Processes::Any => DEFAULT_PROCESSES,
        })
    }

    /// What bounds the types with infinitely many values.
    pub fn bounds(&self) -> Bounds {
        Bounds { numbers: self.int_range.0.clone(), values: self.values }
    }
}

/// Reports that a file cannot be read.
pub fn report_unreadable(error: &Unreadable, format: Format, console: &mut Console) {
    match format {
        Format::Human => {
            console.remark(&report::unreadable(&error.name, "read", &error.reason, error.help.as_deref()));
        }
        Format::Json => console.pass_on(&json::failed(vec![json::File::unreadable(error)])),
    }
}

/// Reports that a command cannot be done as asked.
pub fn refuse(message: &str, help: Option<&str>, format: Format, console: &mut Console) {
    match format {
        Format::Human => console.remark(&report::error(message, help)),
        Format::Json => console.pass_on(&json::refused(message, help)),
    }
}

/// Reports that a command cannot be done because of what stands at a place of the model.
pub fn refuse_at(
    model: &Model,
    message: &str,
    place: &Label,
    help: &str,
    format: Format,
    console: &mut Console,
) {
    let lines = Lines::new(&model.input.text);
    match format {
        Format::Human => {
            console.remark(&report::error_at(message, place, help, &model.input.name, &lines));
        }
        Format::Json => console.pass_on(&json::refused_at(message, place, help, &lines)),
    }
}
