//! Formulas with a premise and several conclusions, for people.

use polycube_language::System;
use polycube_language::formula::{Formula, Quantified, Quantifier, Variable};
use polycube_language::system::{Enumeration, EnumerationId};
use polycube_language::words::Murphi;
use polycube_lean::{Conclusion, LeanFormula, Values};

use super::murphi::{Expression, Writer, differ};
use super::trace::labelled;

/// A formula in words of the language, and `in {...}`; or as Murphi writes it.
pub(crate) struct Shown {
    /// `forall p.`, if it speaks of processes.
    pub(crate) range: Option<String>,
    pub(crate) premise: Option<String>,
    pub(crate) conclusions: Vec<String>,
    notation: Notation,
}

/// How the parts of a formula are joined.
enum Notation {
    /// `forall p. a => b and c`
    Words,
    /// `forall p: NODE do a -> b & c end`, with so many `end`.
    Murphi { ends: usize },
}

impl Notation {
    fn follows(&self) -> &'static str {
        match self {
            Notation::Words => "=>",
            Notation::Murphi { .. } => "->",
        }
    }

    fn and(&self) -> &'static str {
        match self {
            Notation::Words => "and",
            Notation::Murphi { .. } => "&",
        }
    }

    fn end(&self) -> Option<String> {
        match self {
            Notation::Words | Notation::Murphi { ends: 0 } => None,
            Notation::Murphi { ends } => Some(vec!["end"; *ends].join(" ")),
        }
    }
}

impl Shown {
    pub(crate) fn new(system: &System, formula: &LeanFormula) -> Shown {
        if let Some(murphi) = &system.words.murphi {
            return Shown::in_murphi(&Writer { system, murphi }, formula).0;
        }
        let parameters = &formula.parameters;
        Shown {
            range: (!parameters.is_empty()).then(|| range(parameters, &[])),
            premise: formula.premise.as_ref().map(|premise| literal(system, parameters, premise)),
            conclusions: show_conclusions(system, parameters, &formula.conclusions),
            notation: Notation::Words,
        }
    }

    /// A formula in lines of a file in Murphi, and whether Murphi can read it.
    pub(crate) fn for_murphi(system: &System, murphi: &Murphi, formula: &LeanFormula) -> (Vec<String>, bool) {
        let (shown, is_readable) = Shown::in_murphi(&Writer { system, murphi }, formula);
        let premise = shown.premise.map(|premise| format!("  {premise} ->"));
        let conclusion =
            |(at, text): (usize, String)| format!("    {}{text}", if at == 0 { "" } else { "& " });
        let mut lines: Vec<String> = shown.range.into_iter().chain(premise).collect();
        lines.extend(shown.conclusions.into_iter().enumerate().map(conclusion));
        lines.extend(shown.notation.end());
        (lines, is_readable)
    }

    fn in_murphi(writer: &Writer<'_>, formula: &LeanFormula) -> (Shown, bool) {
        let parameters = writer.renamed(&formula.parameters);
        let range =
            parameters.iter().map(|one| format!("forall {}: {} do", one.name, writer.murphi.processes));
        let premise = formula.premise.iter().map(|premise| writer.formula(premise, &parameters));
        let premises: Vec<Expression> = differ(&parameters, &[]).into_iter().chain(premise).collect();
        let has_premise = !premises.is_empty();
        let premise = Expression::all(premises);
        // What is said of the same other processes is said at once.
        let mut said: Vec<(Vec<Variable>, Vec<Expression>)> = Vec::new();
        for Conclusion { others, holds } in &formula.conclusions {
            let others = writer.renamed(others);
            let all = [&parameters[..], &others].concat();
            let holds = Expression::any(holds.iter().map(|part| writer.formula(part, &all)).collect());
            match said.iter_mut().find(|(known, _)| !others.is_empty() && *known == others) {
                Some((_, parts)) => parts.push(holds),
                None => said.push((others, vec![holds])),
            }
        }
        let conclusion = |(others, mut parts): (Vec<Variable>, Vec<Expression>)| {
            Expression::drop_implied(&mut parts);
            let follows = Expression::all(parts).follows_from(differ(&others, &parameters));
            follows.for_all(&others, writer.murphi)
        };
        let mut conclusions: Vec<Expression> = said.into_iter().map(conclusion).collect();
        Expression::drop_implied(&mut conclusions);
        let is_readable = premise.is_readable && conclusions.iter().all(|one| one.is_readable);
        let is_alone = conclusions.len() == 1;
        let shown = Shown {
            range: (!parameters.is_empty()).then(|| range.collect::<Vec<_>>().join(" ")),
            premise: has_premise.then_some(premise.text),
            conclusions: conclusions
                .into_iter()
                .map(|one| if is_alone { one.text } else { one.as_part() })
                .collect(),
            notation: Notation::Murphi { ends: parameters.len() },
        };
        (shown, is_readable)
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
        let (follows, and, end) = (self.notation.follows(), self.notation.and(), self.notation.end());
        let sign = |at: usize| match (at, &self.premise, head.is_empty()) {
            (0, None, false) if end.is_some() => "   ".to_owned(),
            (0, _, false) => format!(" {follows}"),
            _ => format!("{and:>3}"),
        };
        for (at, conclusion) in conclusions.enumerate() {
            text += &labelled(behind, &sign(at), conclusion);
        }
        text.extend(end.map(|end| format!("{}{end}\n", " ".repeat(behind))));
        text
    }

    /// The formula in one line.
    pub(crate) fn to_text(&self) -> String {
        let enclosed = |text: &String| match self.notation {
            Notation::Words => enclosed(text),
            Notation::Murphi { .. } => text.clone(),
        };
        let conclusions: Vec<String> = match &self.conclusions[..] {
            [one] => vec![one.clone()],
            several => several.iter().map(enclosed).collect(),
        };
        let (follows, and) = (self.notation.follows(), self.notation.and());
        let conclusions = conclusions.join(&format!(" {and} "));
        let range = self.range.iter().map(|range| format!("{range} ")).collect::<String>();
        let end = self.notation.end().map(|end| format!(" {end}")).unwrap_or_default();
        match &self.premise {
            Some(premise) => format!("{range}{premise} {follows} {conclusions}{end}"),
            None => format!("{range}{conclusions}{end}"),
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
        let holds = match &holds[..] {
            [one] => one.clone(),
            several => several.iter().map(|one| enclosed(one)).collect::<Vec<_>>().join(" or "),
        };
        match shown.iter_mut().find(|(known, _)| !others.is_empty() && known == others) {
            Some((_, parts)) => parts.push(holds),
            None => shown.push((others, vec![holds])),
        }
    }
    let text = |(others, mut parts): (&[Variable], Vec<String>)| {
        if parts.len() > 1 {
            parts.iter_mut().for_each(|part| *part = enclosed(part));
        }
        let parts = parts.join(" and ");
        if others.is_empty() { parts } else { format!("{} {parts}", range(others, parameters)) }
    };
    shown.into_iter().map(text).collect()
}

/// A text beside `and` or `or`: in parentheses if it would reach into what follows.
fn enclosed(text: &str) -> String {
    let is_quantified = ["forall ", "exists "].iter().any(|quantifier| text.starts_with(quantifier));
    let mut depth = 0;
    let is_outside = |(_, sign): &(usize, char)| {
        depth += i32::from(*sign == '(') - i32::from(*sign == ')');
        depth == 0
    };
    let mut outside = text.char_indices().filter(is_outside);
    let is_open = is_quantified || outside.any(|(at, _)| text[at..].starts_with(" or "));
    if is_open { format!("({text})") } else { text.to_owned() }
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
        let parts = parts.iter().map(|part| literal(system, &parameters, part));
        let parts: Vec<String> = match parts.len() {
            1 => parts.collect(),
            _ => parts.map(|part| enclosed(&part)).collect(),
        };
        return format!("exists {}. {}", variable.name, parts.join(" and "));
    }
    let values = match formula {
        Formula::Not(inner) => Values::of(system, inner).map(|values| values.complement(system)),
        other => Values::of(system, other),
    };
    let Some(values) = values else {
        return system.display_part_of_statement(formula, parameters).to_string();
    };
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
