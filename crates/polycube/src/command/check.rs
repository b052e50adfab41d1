//! `polycube check`: reads models and reports mistakes.

use std::collections::BTreeSet;

use polycube_engine::cube::check_supported;
use polycube_language::span::Lines;
use polycube_language::system::System;
use polycube_language::words::Claim;
use polycube_murphi::Sizes;

use super::Outcome;
use super::refusal::warning;

use crate::arguments::{CheckArguments, Format};
use crate::console::Console;
use crate::input::read;
use crate::model::{Meaning, check_input};
use crate::report;
use crate::report::json::{self, Counts};

pub(super) fn run(arguments: &CheckArguments, console: &mut Console) -> Outcome {
    let (mut errors, mut warnings) = (0, 0);
    let mut files = Vec::new();
    for (at, path) in arguments.files.iter().enumerate() {
        let input = match read(path) {
            Ok(input) => input,
            Err(error) => {
                errors += 1;
                match arguments.format {
                    Format::Human => console.remark(&report::unreadable(&error)),
                    Format::Json => files.push(json::File::unreadable(&error)),
                }
                continue;
            }
        };
        let Meaning { system, mut diagnostics, sizes, .. } =
            check_input(&input, arguments.murphi.for_every_number());
        if let Some(system) = &system
            && let Err(unsupported) = check_supported(system)
        {
            diagnostics.push(warning(system, &input.text, &unsupported));
        }
        errors += diagnostics.errors();
        warnings += diagnostics.warnings();
        let lines = Lines::new(&input.text);
        match arguments.format {
            Format::Human => {
                console.remark(&report::diagnostics(&diagnostics, &input.name, &lines));
                if let Some(system) = &system
                    && !arguments.quiet
                {
                    let summary = match &sizes {
                        Some(sizes) => summary_of_file(system, sizes),
                        None => summary(system),
                    };
                    console.print(&format!("{}: {summary}\n", input.name));
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
        Format::Human => console.remark(&report::totals(errors, warnings)),
        Format::Json => console.pass_on(&json::checked(files, errors, warnings)),
    }
    let wrong = errors > 0 || arguments.deny_warnings && warnings > 0;
    if wrong { Outcome::Wrong } else { Outcome::Success }
}

fn summary(system: &System) -> String {
    let counts = Counts::of(system);
    let parts = [
        (counts.constants, "constant"),
        (counts.variables, "variable"),
        (counts.arrays, "array"),
        (counts.transitions, "transition"),
        (counts.unsafe_clauses, "unsafe clause"),
        (counts.invariants, "invariant"),
    ];
    described(parts)
}

/// The same for a file in another language: what stands in it, and what can go wrong.
fn summary_of_file(system: &System, sizes: &Sizes) -> String {
    let claimed = |is: fn(&Claim) -> bool| {
        let claims = system.words.properties.iter().filter(|(_, claim)| is(claim));
        claims.map(|(at, _)| system.properties[*at].origin.0.start).collect::<BTreeSet<u32>>().len()
    };
    let rules: BTreeSet<u32> = system.transitions.iter().map(|rule| rule.origin.0.start).collect();
    let parts = [
        (rules.len(), "rule"),
        (claimed(|claim| matches!(claim, Claim::Holds(_))), "invariant"),
        (claimed(|claim| matches!(claim, Claim::Never(_))), "possible error"),
    ];
    format!("{}; {}", described(parts), sizes.instances)
}

fn described<const N: usize>(parts: [(usize, &str); N]) -> String {
    let parts =
        parts.into_iter().filter(|&(count, _)| count > 0).map(|(count, what)| report::counted(count, what));
    let words: Vec<String> = std::iter::once("ok".to_owned()).chain(parts).collect();
    words.join(", ")
}
