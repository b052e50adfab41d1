//! `polycube check`: reads models and reports mistakes.

use polycube_language::check::Checked;
use polycube_language::span::Lines;
use polycube_language::system::{SymbolKind, System};

use super::Outcome;

use crate::arguments::{CheckArguments, Format};
use crate::console::Console;
use crate::input::read;
use crate::report::{self, json};

/// What was found in all files together.
#[derive(Default)]
struct Totals {
    errors: usize,
    warnings: usize,
}

pub(super) fn run(arguments: &CheckArguments, console: &mut Console) -> Outcome {
    let mut totals = Totals::default();
    let mut files = Vec::new();
    for (at, path) in arguments.files.iter().enumerate() {
        let input = match read(path) {
            Ok(input) => input,
            Err(error) => {
                totals.errors += 1;
                match arguments.format {
                    Format::Human => console.remark(&report::unreadable(&error)),
                    Format::Json => files.push(json::File::unreadable(&error)),
                }
                continue;
            }
        };
        let Checked { system, diagnostics } = crate::model::check_input(&input);
        totals.errors += diagnostics.errors();
        totals.warnings += diagnostics.warnings();
        let lines = Lines::new(&input.text);
        match arguments.format {
            Format::Human => {
                console.remark(&report::diagnostics(&diagnostics, &input.name, &lines));
                if let Some(system) = &system
                    && !arguments.quiet
                {
                    console.print(&format!("{}: {}\n", input.name, summary(system)));
                }
            }
            Format::Json => {
                files.push(json::File::checked(&input.name, &lines, system.as_ref(), &diagnostics));
            }
        }
        if at + 1 == arguments.files.len() {
            // The process ends now: giving a large model back piece by piece would take a tenth of the time.
            std::mem::forget(system);
        }
    }
    match arguments.format {
        Format::Human => console.remark(&report::totals(totals.errors, totals.warnings)),
        Format::Json => console.pass_on(&json::checked(files, totals.errors, totals.warnings)),
    }
    let wrong = totals.errors > 0 || arguments.deny_warnings && totals.warnings > 0;
    if wrong { Outcome::Wrong } else { Outcome::Success }
}

/// A model in a few words.
fn summary(system: &System) -> String {
    let arrays =
        system.symbols.iter().filter(|symbol| matches!(symbol.kind, SymbolKind::Array { .. })).count();
    let constants = system.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Constant).count();
    let variables = system.symbols.len() - arrays - constants;
    let parts = [
        (constants, "constant"),
        (variables, "variable"),
        (arrays, "array"),
        (system.transitions.len(), "transition"),
        (system.unsafe_clauses().count(), "unsafe clause"),
        (system.invariant_clauses().count(), "invariant"),
    ];
    let parts =
        parts.into_iter().filter(|&(count, _)| count > 0).map(|(count, what)| report::counted(count, what));
    let words: Vec<String> = std::iter::once("ok".to_owned()).chain(parts).collect();
    words.join(", ")
}
