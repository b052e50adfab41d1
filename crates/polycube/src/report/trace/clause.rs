//! Clauses of a model in messages: where they stand, for which processes they hold, and why they do not.

use std::collections::BTreeSet;
use std::fmt::Write;

use polycube_certificate::{Cell, Explanation, State, Trace, Violation};
use polycube_language::System;
use polycube_language::formula::{Access, Relation, Term};
use polycube_language::span::{Lines, Origin, Span};
use polycube_language::system::{Property, PropertyKind};
use polycube_language::words::Claim;
use serde::Serialize;

use super::layout::{indented, separate, wrapped};
use crate::report::murphi::Writer;

/// `unsafe clause at german.cub:45`, `invariant at german.cub:51`
pub(crate) fn clause_name(system: &System, property: usize, name: &str, lines: &Lines<'_>) -> String {
    let line = lines.position(system.properties[property].origin.0.start).line;
    format!("{} at {name}:{line}", claim(system, property).what)
}

/// What a clause is called, and how it is said that it is violated, and that it is not.
#[derive(Serialize)]
pub(crate) struct ClaimInWords<'s> {
    pub what: &'s str,
    pub violated: &'static str,
    pub kept: &'static str,
}

pub(crate) fn claim(system: &System, property: usize) -> ClaimInWords<'_> {
    let (what, violated, kept) =
        match (system.words.properties.get(&property), system.properties[property].kind) {
            (Some(claim @ Claim::Holds(_)), _) => (claim.name(), "is violated", "holds"),
            (Some(claim @ Claim::Never(_)), _) => (claim.name(), "happens", "never happens"),
            (None, PropertyKind::Unsafe) => ("unsafe clause", "holds", "never holds"),
            (None, PropertyKind::Invariant) => ("invariant", "is violated", "is never violated"),
        };
    ClaimInWords { what, violated, kept }
}

/// What a clause is: `unsafe clause`, `invariant clause`, or what a file calls it.
pub(crate) fn kind_of_clause(system: &System, property: usize) -> String {
    match system.words.properties.get(&property) {
        Some(claim) => claim.name().to_owned(),
        None => format!("{} clause", system.properties[property].kind.keyword()),
    }
}

/// A sentence in a line of its own: `The unsafe clause at german.cub:45 holds in the last state, for p = #1, q =
/// #2:`, where `when` is `in the last state`; then what the clause says of these processes.
pub(crate) fn violation(
    system: &System,
    name: &str,
    lines: &Lines<'_>,
    violation: &Violation,
    state: Option<&State>,
    when: &str,
) -> String {
    let property = &system.properties[violation.property];
    let verb = claim(system, violation.property).violated;
    let mut text = format!("The {} {verb} {when}", clause_name(system, violation.property, name, lines));
    let bindings = property.parameters.iter().zip(&violation.processes);
    // Each is one word: no line ends within it.
    let mut bindings: Vec<String> =
        bindings.map(|(parameter, process)| format!("{} = #{process}", parameter.name)).collect();
    if !bindings.is_empty() {
        text.push_str(", for");
        separate(&mut bindings);
    }
    bindings.last_mut().unwrap_or(&mut text).push(':');
    let words = text.split(' ').chain(bindings.iter().map(String::as_str));
    format!("{}\n{}", wrapped(words, 0), instantiated(system, property, violation, state))
}

/// What a clause says of the processes that violate it, and the values that do not stand in it.
fn instantiated(
    system: &System,
    property: &Property,
    violation: &Violation,
    state: Option<&State>,
) -> String {
    let process = |variable| {
        let at = property.parameters.iter().position(|parameter| parameter.id == variable)?;
        violation.processes.get(at).map(|&process| Term::Process(process))
    };
    let formula = property.formula.substituted(&process);
    let shown = match &system.words.murphi {
        Some(murphi) => Writer { system, murphi }.formula(&formula, &property.parameters).text,
        None => system.display_in_words(&formula, &property.parameters).to_string(),
    };
    let mut text = indented(&shown);
    let mut values: Vec<String> = Vec::new();
    formula.for_each_comparison(&mut |comparison| {
        // `Cache[#1] = Shared` says it already.
        let is_value = matches!(comparison.right, Term::Constructor(..) | Term::Process(_))
            && comparison.relation == Relation::Equal;
        if is_value {
            return;
        }
        for term in [&comparison.left, &comparison.right] {
            term.for_each_access(&mut |access| {
                let Some(value) = cell(access).and_then(|cell| state?.get(&cell).map(|value| (cell, value)))
                else {
                    return;
                };
                let value = format!("{} = {}", value.0.in_words(system), value.1.in_words(system));
                if !values.contains(&value) {
                    values.push(value);
                }
            });
        }
    });
    if !values.is_empty() {
        let start = "  where ";
        separate(&mut values);
        let _ = writeln!(text, "{start}{}", wrapped(&values, start.len()));
    }
    text
}

/// The cell that is accessed, if that does not depend on other cells.
fn cell(access: &Access) -> Option<Cell> {
    let index = |term: &Term| match term {
        Term::Process(process) => Some(*process),
        _ => None,
    };
    let indices = access.indices.iter().map(index).collect::<Option<Vec<u32>>>()?;
    Some(Cell { symbol: access.symbol, indices })
}

/// `in the initial state`, `after step 3`
pub(crate) fn when(violation: &Violation) -> String {
    match violation.state {
        0 => "in the initial state".to_owned(),
        step => format!("after step {step}"),
    }
}

/// The last state of a trace.
pub(crate) fn at_the_end(trace: &Trace) -> &'static str {
    if trace.steps.is_empty() { "in the initial state" } else { "in the last state" }
}

/// For each property, the first of the states that violate it.
pub(crate) fn first_of_each(violations: &[Violation]) -> Vec<Violation> {
    let mut known = BTreeSet::new();
    violations.iter().filter(|violation| known.insert(violation.property)).cloned().collect()
}

/// Why a clause or a guard does not hold: for each reason its line in the model, and what is wrong. What was translated from
/// another language stands where the whole does, if that stands anywhere.
pub(crate) fn reasons(lines: &Lines<'_>, reasons: &[Explanation], whole: Origin) -> String {
    let mut text = String::new();
    for reason in reasons {
        let places = [reason.origin.0, whole.0];
        let start = match places.into_iter().find(|place| *place != Span::default()) {
            Some(span) => format!("    line {}: ", lines.position(span.start).line),
            None => "    ".to_owned(),
        };
        let _ = writeln!(text, "{start}{}", wrapped(reason.to_string().split(' '), start.len()));
    }
    text
}
