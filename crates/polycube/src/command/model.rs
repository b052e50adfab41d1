//! Reading the one model that a command works on.

use std::path::Path;
use std::time::Duration;

use polycube_engine::compile::domain::Bounds;
use polycube_language::System;
use polycube_language::span::Lines;
use polycube_language::system::Processes;

use super::stop::Stop;
use super::{Refusal, cut_off};
use crate::arguments::{Format, InstanceArguments, ResourceArguments};
use crate::console::Console;
use crate::model::{Model, NoModel};
use crate::report;

/// Reads a model, and shows its warnings.
pub fn read_model(path: &Path, format: Format, console: &mut Console) -> Result<Model, NoModel> {
    let model = Model::read(path)?;
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
    resources: &ResourceArguments,
    format: Format,
    console: &mut Console,
) -> Result<Limited, Refusal> {
    let bytes = resources.bytes();
    let stop = Stop::limited(resources.timeout, bytes);
    let apart = console.another();
    let cut_off = |_| cut_off::end_reading(path, &stop, format, apart);
    let model = stop.guard(Duration::ZERO, cut_off, || read_model(path, format, console))?;
    Ok(Limited { model, stop, bytes })
}

const DEFAULT_PROCESSES: u32 = 3;

/// With how many processes a model is explored, if nobody says it.
pub(super) fn default_processes(system: &System) -> u32 {
    match system.processes {
        Processes::Exactly(count) => count,
        Processes::Any => DEFAULT_PROCESSES,
    }
}

impl InstanceArguments {
    pub(super) fn processes(&self, system: &System) -> u32 {
        self.processes.unwrap_or_else(|| default_processes(system))
    }

    /// What bounds the types with infinitely many values.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds { numbers: self.int_range.0.clone(), values: self.values }
    }
}
