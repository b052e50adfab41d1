//! What the formulas of an invariant are needed for: as numbers, and as a graph with the properties on top and
//! arrows down to what each needs.

use std::collections::BTreeMap;

use polycube_engine::backward::CubeFormula;
use polycube_language::System;
use polycube_language::span::Lines;
use polycube_lean::{LeanFormula, Needs};
use serde::Serialize;

use super::cube::Clause;
use super::lean::Shown;
use super::trace::{abridged, kind_of_clause, listed};

/// What a formula is needed for, by number.
pub(crate) struct Needed {
    /// The lines of properties.
    pub(crate) properties: Vec<usize>,
    /// Formulas, from 1, with the transitions that preserve them because of it.
    pub(crate) formulas: BTreeMap<usize, Vec<String>>,
}

impl Needed {
    pub(crate) fn new(system: &System, lines: &Lines<'_>, formula: &LeanFormula) -> Needed {
        let (mut properties, mut formulas) = (Vec::new(), BTreeMap::<usize, Vec<String>>::new());
        for needs in &formula.needed_for {
            match needs {
                Needs::Property(property) => properties.push(line(system, lines, *property)),
                Needs::Formula { formula, transition } => {
                    let name = system.transition_in_words(&system.transitions[*transition].name).to_owned();
                    let names = formulas.entry(formula + 1).or_default();
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
            }
        }
        Needed { properties, formulas }
    }

    pub(crate) fn describe(&self) -> String {
        let lines: Vec<String> = self.properties.iter().map(usize::to_string).collect();
        let properties = match &lines[..] {
            [] => None,
            [line] => Some(format!("the property at line {line}")),
            several => Some(format!("the properties at lines {}", listed(several))),
        };
        let formulas =
            self.formulas.iter().map(|(formula, names)| format!("{formula} ({})", abridged(names)));
        listed(&properties.into_iter().chain(formulas).collect::<Vec<_>>())
    }
}

/// The graph.
#[derive(Serialize)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) arrows: Vec<Arrow>,
}

#[derive(Serialize)]
pub(crate) struct Node {
    pub(crate) name: String,
    /// What it says; the premise, if there is one, and what follows.
    pub(crate) premise: Option<String>,
    pub(crate) conclusions: Vec<String>,
    /// Where it stands in the model, if it is one of its properties.
    pub(crate) line: Option<usize>,
}

/// Who needs whom, by number, and because of which transitions.
#[derive(Serialize)]
pub(crate) struct Arrow {
    pub(crate) user: usize,
    pub(crate) needed: usize,
    pub(crate) transitions: Vec<String>,
}

impl Graph {
    /// The properties of the system, and then the formulas.
    pub(crate) fn new(system: &System, lines: &Lines<'_>, formulas: &[LeanFormula]) -> Graph {
        let property = |at: usize| {
            let property = &system.properties[at];
            let cube =
                CubeFormula { parameters: property.parameters.clone(), formula: property.formula.clone() };
            let line = line(system, lines, at);
            Node {
                name: format!("{}, line {line}", kind_of_clause(system, at)),
                premise: None,
                conclusions: vec![Clause::new(system, &cube).to_text()],
                line: Some(line),
            }
        };
        let count = system.properties.len();
        let mut nodes: Vec<Node> = (0..count).map(property).collect();
        let mut arrows = Vec::new();
        for (at, formula) in formulas.iter().enumerate() {
            let Shown { range, premise, conclusions, .. } = Shown::new(system, formula);
            let head: Vec<String> = range.into_iter().chain(premise).collect();
            let premise = (!head.is_empty()).then(|| head.join(" "));
            nodes.push(Node { name: (at + 1).to_string(), premise, conclusions, line: None });
            let (needed, number) = (Needed::new(system, lines, formula), count + at);
            let properties =
                (0..count).filter(|&property| needed.properties.contains(&line(system, lines, property)));
            arrows.extend(properties.map(|property| Arrow {
                user: property,
                needed: number,
                transitions: Vec::new(),
            }));
            let users = needed.formulas.into_iter();
            arrows.extend(users.map(|(user, transitions)| Arrow {
                user: count + user - 1,
                needed: number,
                transitions,
            }));
        }
        Graph { nodes, arrows }
    }
}

/// The line in which a property starts.
fn line(system: &System, lines: &Lines<'_>, property: usize) -> usize {
    lines.position(system.properties[property].origin.0.start).line
}
