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
}

/// Reads a model, and chooses what its processes are.
pub fn translated(source: &str, request: Request<'_>) -> Translation {
    let Checked { model, mut diagnostics } = check(source, &[]);
    let translated = model.ok_or_else(Vec::new).and_then(|model| meaning(&model, request));
    let (system, sizes) = match translated {
        Ok((system, sizes)) => {
            let warning = sizes.refused.as_ref().map(|refused| warning(refused, &sizes));
            diagnostics.extend(warning);
            (Some(system), Some(sizes))
        }
        Err(refused) => {
            diagnostics.extend(refused);
            (None, None)
        }
    };
    Translation { system, diagnostics, sizes }
}

fn meaning(model: &Model, request: Request<'_>) -> Result<(System, Sizes), Vec<Diagnostic>> {
    let at_its_sizes = || translate::translate_at_its_sizes(model);
    let first = |diagnostics: &Diagnostics| {
        diagnostics.iter().next().cloned().expect("what is refused is refused for a reason")
    };
    let (parameter, refusal) = match request.processes(model) {
        Ok(Some(processes)) => match translate::translate(model, processes) {
            Ok(system) => {
                let sizes = Sizes::for_every_number(model, processes, &system);
                return Ok((system, sizes));
            }
            Err(refusal) => (Some(sizes::name(model, processes)), first(&refusal)),
        },
        Ok(None) => {
            let system = at_its_sizes().map_err(|refusal| vec![first(&refusal)])?;
            return Ok((system, Sizes::of_the_file(model, None)));
        }
        // A name that was asked for and is none is a mistake.
        Err(unknown) if request.parameter.is_some() => return Err(vec![*unknown]),
        Err(nothing) => (None, *nothing),
    };
    if request.otherwise == Otherwise::Refused {
        return Err(vec![refusal.help("try `polycube explore`: it looks at the sizes of the file")]);
    }
    let system = at_its_sizes().map_err(|refusal| vec![first(&refusal)])?;
    let refused = Refused { parameter, diagnostic: refusal };
    Ok((system, Sizes::of_the_file(model, Some(refused))))
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
