//! Models written for Murphi: text to a transition system, for every number of processes if that can be said.
//!
//! ```text
//! text ─token─> tokens ─parse─> syntax tree ─check─> Model ─translate─> System
//! ```

// What others read as documentation is complete.
#![warn(missing_docs)]

pub mod check;
pub mod execute;
pub mod model;
pub mod parameter;
mod parse;
mod request;
mod sizes;
mod syntax;
mod token;
pub mod translate;

use polycube_language::System;
use polycube_language::diagnostic::{Diagnostic, Diagnostics, Severity};

use check::{Checked, check};
use execute::Executable;
use model::Model;
pub use request::{Otherwise, Request};
pub use sizes::{Parameter, Refused, Sizes};

/// What a text means.
#[derive(Debug)]
pub struct Translation {
    /// The system, if the text has no mistakes and can be said as it was asked for.
    pub system: Option<System>,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Diagnostics,
    /// For which sizes the system stands.
    pub sizes: Option<Sizes>,
    /// What is to be executed in place of the system, which then has no run.
    pub execution: Option<Execution>,
}

/// A model that is executed as it is written.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The model.
    pub executable: Executable,
    /// Why it is not translated.
    pub because: Diagnostic,
}

/// Reads a model, and chooses what its processes are.
pub fn translated(source: &str, request: Request<'_>) -> Translation {
    let Checked { model, mut diagnostics } = check(source, &[]);
    let translated = model.ok_or_else(Vec::new).and_then(|model| meaning(&model, request));
    match translated {
        Ok(Meaning { system, sizes, execution }) => {
            let warning = sizes.refused.as_ref().map(|refused| warning(refused, &sizes));
            diagnostics.extend(warning);
            Translation { system: Some(system), diagnostics, sizes: Some(sizes), execution }
        }
        Err(refused) => {
            diagnostics.extend(refused);
            Translation { system: None, diagnostics, sizes: None, execution: None }
        }
    }
}

/// What a model means.
struct Meaning {
    system: System,
    sizes: Sizes,
    execution: Option<Execution>,
}

fn first(diagnostics: &Diagnostics) -> Diagnostic {
    diagnostics.iter().next().cloned().expect("what is refused is refused for a reason")
}

fn meaning(model: &Model, request: Request<'_>) -> Result<Meaning, Vec<Diagnostic>> {
    let (parameter, refusal) = match request.processes(model) {
        Ok(Some(processes)) => match translate::translate(model, processes) {
            Ok(system) => {
                let sizes = Sizes::for_every_number(model, processes, &system);
                return Ok(Meaning { system, sizes, execution: None });
            }
            Err(refusal) => (Some(sizes::name(model, processes)), first(&refusal)),
        },
        Ok(None) => return at_its_sizes(model, Sizes::of_the_file(model, None), request.otherwise),
        // A name that was asked for and is none is a mistake.
        Err(unknown) if request.parameter.is_some() => return Err(vec![*unknown]),
        Err(nothing) => (None, *nothing),
    };
    if request.otherwise == Otherwise::Refused {
        return Err(vec![refusal.help("try `polycube explore`: it looks at the sizes of the file")]);
    }
    let refused = Refused { parameter, diagnostic: refusal };
    at_its_sizes(model, Sizes::of_the_file(model, Some(refused)), request.otherwise)
}

/// What a model means at the sizes of the file.
fn at_its_sizes(model: &Model, sizes: Sizes, otherwise: Otherwise) -> Result<Meaning, Vec<Diagnostic>> {
    let translated = match otherwise {
        Otherwise::Executed => translate::translate_easily(model),
        Otherwise::Refused | Otherwise::SizesOfTheFile => translate::translate_at_its_sizes(model),
    };
    let because = match translated {
        Ok(system) => return Ok(Meaning { system, sizes, execution: None }),
        Err(refusal) => first(&refusal),
    };
    match (Executable::new(model), otherwise) {
        (Err(refusal), Otherwise::Executed) => Err(vec![*refusal]),
        (Ok(executable), Otherwise::Executed) => {
            let system = executable.outline();
            Ok(Meaning { system, sizes, execution: Some(Execution { executable, because }) })
        }
        (Ok(_), _) => {
            let help = "`polycube explore` can execute it, in one process and without checkpoints";
            Err(vec![because.help(help)])
        }
        (Err(_), _) => Err(vec![because]),
    }
}

/// What is said where a model has the sizes of the file only.
fn warning(refused: &Refused, sizes: &Sizes) -> Diagnostic {
    let whom = match &refused.parameter {
        Some(name) => format!("every number of {name}"),
        None => "every number of processes".to_owned(),
    };
    let diagnostic = refused.diagnostic.clone();
    let message = format!("this cannot be verified for {whom}: {}", diagnostic.message);
    Diagnostic { severity: Severity::Warning, message, ..diagnostic }
        .note(format!("this is about one instance, {}", sizes.instances))
}
