//! Formulas with a premise and several conclusions, for people.

use polycube_language::System;
use polycube_language::formula::{Formula, Quantified, Quantifier, Variable};
use polycube_language::system::{Enumeration, EnumerationId};
use polycube_lean::{Conclusion, LeanFormula, Values};

use super::cube;
use super::trace::labelled;

/// A formula in words of the language, and `in {...}`.
pub(crate) struct Shown {
    /// `forall p.`, if it speaks of processes.
    pub(crate) range: Option<String>,
    pub(crate) premise: Option<String>,
    pub(crate) conclusions: Vec<String>,
}

impl Shown {
    pub(crate) fn new(system: &System, formula: &LeanFormula) -> Shown {
        let parameters = &formula.parameters;
        Shown {
            range: (!parameters.is_empty()).then(|| range(parameters, &[])),
            premise: formula.premise.as_ref().map(|premise| literal(system, parameters, premise)),
            conclusions: show_conclusions(system, parameters, &formula.conclusions),
        }
    }

    /// The formula in lines of its own, behind its number: `1.`.
    pub(crate) fn in_lines(&self, number: &str) -> String {
        let head: Vec<&str> =
            [&self.range, &self.premise].into_iter().flatten().map(String::as_str).collect();
        let mut conclusions = self.conclusions.iter();
        let behind = 2 + number.len() + 1;
        let mut text = match head[..] {
            // Nothing stands before the first conclusion.
            [] => labelled(2, number, conclusions.next().map_or("", String::as_str)),
            _ => labelled(2, number, &head.join(" ")),
        };
        let sign = |at: usize| if at == 0 && !head.is_empty() { " =>" } else { "and" };
        for (at, conclusion) in conclusions.enumerate() {
            text += &labelled(behind, sign(at), conclusion);
        }
        text
    }

    /// The formula in one line.
    pub(crate) fn to_text(&self) -> String {
        let quantified = |text: &String| text.starts_with("forall ") || text.contains(" or ");
        let conclusions: Vec<String> = match &self.conclusions[..] {
            [one] => vec![one.clone()],
            several => several
                .iter()
                .map(|text| if quantified(text) { format!("({text})") } else { text.clone() })
                .collect(),
        };
        let conclusions = conclusions.join(" and ");
        let range = self.range.iter().map(|range| format!("{range} ")).collect::<String>();
        match &self.premise {
            Some(premise) => format!("{range}{premise} => {conclusions}"),
            None => format!("{range}{conclusions}"),
        }
    }
}

/// `forall p, q. p <> q =>`, for processes that differ from each other and from those that are known.
fn range(variables: &[Variable], known: &[Variable]) -> String {
    let names = |variables: &[Variable]| variables.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    let (new, all) = (names(variables), names(&[known, variables].concat()));
    let differ = match &all[..] {
        [] | [_] => String::new(),
        [one, other] => format!(" {other} <> {one} =>"),
        several => format!(" distinct({}) =>", several.join(", ")),
    };
    format!("forall {}.{differ}", new.join(", "))
}

/// The conclusions; what is said of the same other processes is said at once.
fn show_conclusions(system: &System, parameters: &[Variable], conclusions: &[Conclusion]) -> Vec<String> {
    let mut shown: Vec<(&[Variable], Vec<String>)> = Vec::new();
    for Conclusion { others, holds } in conclusions {
        let all = [parameters, others].concat();
        let holds: Vec<String> = holds.iter().map(|part| literal(system, &all, part)).collect();
        let holds = holds.join(" or ");
        match shown.iter_mut().find(|(known, _)| !others.is_empty() && known == others) {
            Some((_, parts)) => parts.push(holds),
            None => shown.push((others, vec![holds])),
        }
    }
    let text = |(others, mut parts): (&[Variable], Vec<String>)| {
        if parts.len() > 1 {
            let is_open = |part: &&mut String| part.contains(" or ") || part.starts_with("exists ");
            parts.iter_mut().filter(is_open).for_each(|part| *part = format!("({part})"));
        }
        let parts = parts.join(" and ");
        if others.is_empty() { parts } else { format!("{} {parts}", range(others, parameters)) }
    };
    shown.into_iter().map(text).collect()
}

/// A literal: `Shr[p]`, `not Shr[p]`, `Cache[p] in {Shared, Exclusive}`.
fn literal(system: &System, parameters: &[Variable], formula: &Formula) -> String {
    if let Formula::Not(inner) = formula
        && let Formula::Quantified(Quantified { quantifier: Quantifier::Forall, variable, body, .. }) =
            &**inner
    {
        let parts = match &**body {
            Formula::Or(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        let parameters = [parameters, std::slice::from_ref(variable)].concat();
        let negated = parts.into_iter().map(|part| match Values::of(system, &part) {
            Some(values) => values.complement(system).to_formula(system),
            None => Formula::not(part),
        });
        let parts = Values::combined(system, negated);
        let parts: Vec<String> = parts.iter().map(|part| literal(system, &parameters, part)).collect();
        return format!("exists {}. {}", variable.name, parts.join(" and "));
    }
    let values = match formula {
        Formula::Not(inner) => Values::of(system, inner).map(|values| values.complement(system)),
        other => Values::of(system, other),
    };
    let Some(values) = values else { return cube::literal(system, parameters, formula) };
    let others = values.complement(system);
    let name = |value: &u32| system.constructor_in_words(values.ty, *value).to_owned();
    let set = |values: &Values| values.values.iter().map(name).collect::<Vec<_>>().join(", ");
    // The cell alone: what stands before the comparison.
    let one = Values { values: [0].into(), ..values.clone() }.to_formula(system);
    let text = system.display_in_words(&one, parameters).to_string();
    let cell =
        text.rsplit_once(" = ").or_else(|| text.rsplit_once(" <> ")).map_or(text.as_str(), |(cell, _)| cell);
    if values.ty == EnumerationId::BOOL && values.values.len() == 1 {
        let holds = values.values.contains(&Enumeration::TRUE);
        return if holds { cell.to_owned() } else { format!("not {cell}") };
    }
    match (values.values.len(), others.values.len()) {
        (1, _) => format!("{cell} = {}", set(&values)),
        (_, 1) => format!("{cell} <> {}", set(&others)),
        (some, rest) if some <= rest => format!("{cell} in {{{}}}", set(&values)),
        _ => format!("{cell} not in {{{}}}", set(&others)),
    }
}
