//! Sets of states, and that they are never reached, in the notation of the language.

use polycube_engine::backward::CubeFormula;
use polycube_language::System;
use polycube_language::formula::{Formula, Variable};
use polycube_language::system::Type;

use super::murphi::{Writer, differ};
use super::trace::hanging;

/// The formula in pieces that belong in one line each, unless there is room for several: joined by blanks
/// they are the formula.
pub(crate) fn pieces(system: &System, cube: &CubeFormula) -> Vec<String> {
    if let Some(murphi) = &system.words.murphi {
        let writer = Writer { system, murphi };
        let parameters = writer.renamed(&cube.parameters);
        let parts = conjuncts(&cube.formula).iter().map(|part| writer.formula(part, &parameters).as_part());
        return signed(parts, "& ");
    }
    let show = |part: &Formula| system.display_formula(part, &cube.parameters).to_string();
    let parts = conjuncts(&cube.formula);
    let mut pieces = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let operator = if at == 0 { "" } else { "&& " };
        match part {
            Formula::Or(choices) if parts.len() > 1 => {
                let start = pieces.len();
                pieces.extend(choices.iter().map(|choice| format!("|| {}", show(choice))));
                pieces[start].replace_range(..3, &format!("{operator}("));
                pieces.last_mut().expect("a disjunction has parts").push(')');
            }
            _ => pieces.push(format!("{operator}{}", show(part))),
        }
    }
    pieces
}

fn conjuncts(formula: &Formula) -> &[Formula] {
    match formula {
        Formula::And(parts) => parts,
        other => std::slice::from_ref(other),
    }
}

/// Each but the first behind a sign.
fn signed(parts: impl Iterator<Item = String>, sign: &str) -> Vec<String> {
    parts.enumerate().map(|(at, part)| if at == 0 { part } else { format!("{sign}{part}") }).collect()
}

pub(crate) fn formula(system: &System, cube: &CubeFormula) -> String {
    pieces(system, cube).join(" ")
}

/// That the set is never reached, as an implication: `forall z1, z2. z1 <> z2 and Cache[z1] = E => not
/// Shr[z2]`; or, where it says something of all other processes: `forall z1. Last = z1 => exists z2. z2 <> z1
/// and Door[z2]`. Or as Murphi writes it: `forall z1: Node do Cache[z1] = E -> !Shr[z1] end`.
pub(crate) struct Clause {
    /// What stands before the implication, in pieces: which processes, and what holds for them.
    range: Vec<String>,
    pub(crate) premises: Vec<String>,
    pub(crate) conclusion: String,
    /// What stands between premises, and before and behind the conclusion.
    signs: [&'static str; 2],
    end: Option<String>,
}

impl Clause {
    pub(crate) fn new(system: &System, cube: &CubeFormula) -> Clause {
        if let Some(murphi) = &system.words.murphi {
            return Clause::in_murphi(&Writer { system, murphi }, cube);
        }
        let parts = conjuncts(&cube.formula);
        let last = polycube_lean::conclusion(parts);
        let others = parts.iter().enumerate().filter(|(at, _)| *at != last);
        let premise = |part| system.display_part_of_statement(part, &cube.parameters).to_string();
        let mut premises: Vec<String> = others.map(|(_, part)| premise(part)).collect();
        let names = names(system, cube);
        let range = match names.as_slice() {
            [] => Vec::new(),
            names => vec!["forall".to_owned(), format!("{}.", names.join(", "))],
        };
        match names.as_slice() {
            [] | [_] => {}
            [first, second] => premises.insert(0, format!("{first} <> {second}")),
            several => premises.insert(0, format!("distinct({})", several.join(", "))),
        }
        let conclusion = Formula::not(parts[last].clone());
        let conclusion = match conclusion {
            // Beside `=>` it needs parentheses, for people.
            Formula::Iff(_) if !premises.is_empty() => {
                system.display_part_of_statement(&conclusion, &cube.parameters).to_string()
            }
            _ => system.display_statement(&conclusion, &cube.parameters).to_string(),
        };
        Clause { range, premises, conclusion, signs: ["and ", "=> "], end: None }
    }

    fn in_murphi(writer: &Writer<'_>, cube: &CubeFormula) -> Clause {
        let parameters = writer.renamed(&cube.parameters);
        let parts = conjuncts(&cube.formula);
        let last = polycube_lean::conclusion(parts);
        let others = parts.iter().enumerate().filter(|(at, _)| *at != last);
        let premises = others.map(|(_, part)| writer.formula(part, &parameters));
        let conclusion = writer.formula(&Formula::not(parts[last].clone()), &parameters);
        let processes = &writer.murphi.processes;
        Clause {
            range: parameters.iter().map(|one| format!("forall {}: {processes} do", one.name)).collect(),
            premises: differ(&parameters, &[]).into_iter().chain(premises).map(|one| one.as_part()).collect(),
            conclusion: conclusion.text,
            signs: ["& ", "-> "],
            end: (!parameters.is_empty()).then(|| vec!["end"; parameters.len()].join(" ")),
        }
    }

    /// The clause in pieces that belong in one line each, unless there is room for several.
    fn pieces(&self) -> Vec<String> {
        let mut pieces = self.range.clone();
        let [and, follows] = self.signs;
        pieces.extend(signed(self.premises.iter().cloned(), and));
        let arrow = if self.premises.is_empty() { "" } else { follows };
        pieces.push(format!("{arrow}{}", self.conclusion));
        pieces.extend(self.end.clone());
        pieces
    }

    /// The clause in a line.
    pub(crate) fn to_text(&self) -> String {
        self.pieces().join(" ")
    }

    /// The same in lines of its own.
    pub(crate) fn in_lines(&self) -> String {
        hanging(self.pieces())
    }
}

/// A clause as it is written in a model.
pub(crate) fn written(system: &System, clause: &polycube_certificate::Clause) -> String {
    if system.words.murphi.is_some() {
        let cube = CubeFormula { parameters: clause.parameters.clone(), formula: clause.never.clone() };
        return format!("invariant {};", Clause::new(system, &cube).to_text());
    }
    let names: Vec<&str> = clause.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let parameters = if names.is_empty() { String::new() } else { format!(" ({})", names.join(" ")) };
    let parts = conjuncts(&clause.never);
    let part = |part: &Formula| match part {
        Formula::Compare(one) if one.ty == Type::BOOL => {
            system.display_statement(part, &clause.parameters).to_string()
        }
        Formula::Or(_) | Formula::Quantified(_) if parts.len() > 1 => {
            format!("({})", system.display_formula(part, &clause.parameters))
        }
        _ => system.display_formula(part, &clause.parameters).to_string(),
    };
    let never: Vec<String> = parts.iter().map(part).collect();
    format!("invariant{parameters} {{ {} }}", never.join(" && "))
}

/// Whether what is [`written`] can be read: some values have no name in Murphi.
pub(crate) fn is_readable(system: &System, clause: &polycube_certificate::Clause) -> bool {
    let Some(murphi) = &system.words.murphi else { return true };
    let writer = Writer { system, murphi };
    writer.formula(&clause.never, &writer.renamed(&clause.parameters)).is_readable
}

/// The processes that the formula speaks about.
pub(crate) fn names(system: &System, cube: &CubeFormula) -> Vec<String> {
    let names = |all: &[Variable]| all.iter().map(|parameter| parameter.name.clone()).collect();
    match &system.words.murphi {
        Some(murphi) => names(&Writer { system, murphi }.renamed(&cube.parameters)),
        None => names(&cube.parameters),
    }
}
