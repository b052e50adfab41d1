//! Models written for Murphi: text to a transition system for every number of processes.
//!
//! ```text
//! text ─token─> tokens ─parse─> syntax tree ─check─> Model ─translate─> System
//! ```

// What others read as documentation is complete.
#![warn(missing_docs)]

pub mod check;
pub mod model;
pub mod parameter;
mod parse;
mod syntax;
mod token;
pub mod translate;

use polycube_language::System;
use polycube_language::diagnostic::{Code, Diagnostic, Diagnostics};
use polycube_language::span::Span;

use check::{Checked, check};
use model::{Model, TypeId, TypeKind};

/// What a text means.
#[derive(Debug)]
pub struct Translation {
    /// The system, if the text has no mistakes and can be said for every number of processes.
    pub system: Option<System>,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Diagnostics,
    /// For which instances an answer holds: `for every number of NODE; DATA has 2 values, as in the file`.
    pub instances: Option<String>,
}

/// Reads a model, and chooses what its processes are.
pub fn translated(source: &str) -> Translation {
    let Checked { model, mut diagnostics } = check(source, &[]);
    let Some(model) = model else { return Translation { system: None, diagnostics, instances: None } };
    let Some(&processes) = parameter::candidates(&model).first() else {
        diagnostics.push(
            Diagnostic::error(
                Code::Unsupported,
                Span::default(),
                "no scalarset or range that could be the processes",
            )
            .help(
                "declare their number as a constant, and a type of that size: `Node: scalarset(NodeCount);`",
            ),
        );
        return Translation { system: None, diagnostics, instances: None };
    };
    match translate::translate(&model, processes) {
        Ok(system) => {
            Translation { system: Some(system), diagnostics, instances: Some(instances(&model, processes)) }
        }
        Err(refused) => {
            diagnostics.extend(refused.iter().cloned());
            Translation { system: None, diagnostics, instances: None }
        }
    }
}

/// For which instances an answer holds.
fn instances(model: &Model, processes: TypeId) -> String {
    let name = |id: TypeId| model.ty(id).name.clone().unwrap_or_else(|| model.type_name(id));
    let sizes = parameter::candidates(model).into_iter().filter(|id| *id != processes).map(|id| {
        let count = match &model.ty(id).kind {
            TypeKind::Scalarset(size) => size.value,
            TypeKind::Range(low, high) => high.value - low.value + 1,
            _ => 0,
        };
        let values = if count == 1 { "1 value".to_owned() } else { format!("{count} values") };
        format!("{} has {values}", name(id))
    });
    let sizes: Vec<String> = sizes.collect();
    let whole = format!("for every number of {}", name(processes));
    if sizes.is_empty() { whole } else { format!("{whole}; {}, as in the file", sizes.join(", ")) }
}
