//! What a model says that never comes true, as far as small instances tell.
//!
//! A model in which nobody can ever enter is safe, but its author did not mean it. So small instances are
//! explored: is there a state to start from, is each transition taken, and can each part of a property be true?
//! This is for warnings only: no answer rests on it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use polycube_language::System;
use polycube_language::formula::{Formula, VariableId};
use polycube_language::system::{Processes, Property};

use crate::forward::{End, Exploration, Extent, Goal, Limits, Options, explore};
use crate::oracle::{Explored, least_processes};

/// How many states are looked at first, and how many where something has not come true by then.
const FEW: u64 = 3_000;
const MANY: u64 = 10_000;

/// Of how many states of each layer the successors are looked at, where not all can be.
const WIDTH: usize = 500;
const STARTS: usize = 64;

/// How many parts the formulas of an instance may have.
const PARTS: u64 = 500_000;

/// What did not come true in any state that was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vacuity {
    /// Which instances were looked at.
    pub instances: Vec<Explored>,
    /// Whether none of them has an initial state.
    pub nowhere: bool,
    /// Whether all states of an instance were looked at: all that are within the bounds on numbers and abstract values.
    pub is_exact: bool,
    /// Whether a property describes one of them.
    pub is_bad: bool,
    /// The transitions that were never possible.
    pub transitions: Vec<usize>,
    /// The parts of properties that were never true.
    pub parts: Vec<Part>,
}

/// A part of a property: some of its conjuncts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The index of the property.
    pub property: usize,
    /// What holds in no state that was looked at, whatever the processes.
    pub formula: Formula,
}

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Until everything came true.
    UntilAllIsSeen,
    /// At all states that there is time for: whether a bad one is among them is worth knowing.
    AtAll,
}

/// Looks at small instances of a system.
pub fn vacuity(system: &System, look: Look, threads: usize, interrupt: &Arc<AtomicBool>) -> Vacuity {
    let parts: Vec<Part> = (0..system.properties.len()).flat_map(|at| parts(system, at)).collect();
    let property =
        |part: &Part| Property { formula: part.formula.clone(), ..system.properties[part.property].clone() };
    let properties = parts.iter().map(property).chain(system.properties.iter().cloned()).collect();
    let asked = System { properties, ..system.clone() };
    let mut found = Findings::new(&asked, parts.len());
    let least = least_processes(system);
    let sizes = match system.processes {
        Processes::Any => [least, least + 1].to_vec(),
        Processes::Exactly(count) => vec![count],
    };
    'sizes: for processes in sizes {
        // After all states of a smaller instance, what is missing will hardly be found.
        let attempts: &[_] = match found.instances[..] {
            [] => &[(FEW, false), (MANY, true)],
            _ => &[(FEW / 3, true)],
        };
        for &(states, is_sample) in attempts {
            let extent =
                if is_sample { Extent::Sample { starts: STARTS, width: WIDTH } } else { Extent::Everything };
            let options = Options {
                extent,
                threads,
                goal: if look == Look::AtAll { Goal::Everything } else { found.missing() },
                runs: false,
                limits: Limits {
                    states: Some(states),
                    parts: Some(PARTS),
                    choices: Some(8 * states),
                    ..Limits::default()
                },
                interrupt: Arc::clone(interrupt),
                ..Options::new(processes)
            };
            // An instance that is too large tells nothing.
            let Ok(exploration) = explore(&asked, &options, &mut ()) else { break 'sizes };
            let is_complete = exploration.end == End::Complete;
            found.add(processes, &exploration);
            if found.is_nothing_missing() {
                break 'sizes;
            }
            if is_complete {
                continue 'sizes;
            }
        }
        // A larger instance would be known even less.
        break;
    }
    let Findings { instances, starts, fired, mut reached, may_start, parts: count } = found;
    let is_bad = reached.split_off(count).contains(&true);
    let mut parts: Vec<Part> = missing(&reached).map(|at| parts[at].clone()).collect();
    // Of what is never true, a part of it says enough.
    let all = parts.clone();
    parts.retain(|part| !all.iter().any(|other| is_smaller(other, part)));
    Vacuity {
        nowhere: !instances.is_empty() && starts == 0 && !may_start,
        is_exact: instances.iter().any(|instance| instance.complete),
        transitions: missing(&fired).collect(),
        is_bad,
        parts,
        instances,
    }
}

struct Findings {
    instances: Vec<Explored>,
    starts: u64,
    /// Whether not all initial states were looked for.
    may_start: bool,
    fired: Vec<bool>,
    /// For each part, and then for each property.
    reached: Vec<bool>,
    /// How many parts there are.
    parts: usize,
}

impl Findings {
    fn new(system: &System, parts: usize) -> Findings {
        Findings {
            instances: Vec::new(),
            starts: 0,
            may_start: false,
            fired: vec![false; system.transitions.len()],
            reached: vec![false; system.properties.len()],
            parts,
        }
    }

    fn add(&mut self, processes: u32, exploration: &Exploration) {
        let Exploration { states, depth, end, .. } = *exploration;
        let complete = end == End::Complete;
        self.instances.push(Explored { processes, states, depth, complete });
        self.starts += exploration.initial_states;
        self.may_start |= !complete || !exploration.cuts.is_empty();
        for (at, fired) in self.fired.iter_mut().enumerate() {
            *fired |= !exploration.never_fired.contains(&at);
        }
        for (reached, also) in self.reached.iter_mut().zip(&exploration.reached) {
            *reached |= also;
        }
    }

    /// What did not come true yet.
    fn missing(&self) -> Goal {
        Goal::Seen {
            transitions: missing(&self.fired).collect(),
            properties: missing(&self.reached[..self.parts]).collect(),
        }
    }

    fn is_nothing_missing(&self) -> bool {
        self.fired.iter().all(|&fired| fired) && self.reached[..self.parts].iter().all(|&reached| reached)
    }
}

/// The numbers of what was not seen.
fn missing(seen: &[bool]) -> impl Iterator<Item = usize> {
    seen.iter().enumerate().filter(|(_, seen)| !**seen).map(|(at, _)| at)
}

/// The parts of a property that should be true somewhere, if it is worth being proved: each of its conjuncts, and
/// all that is said of one of its parameters alone, but not the whole of it.
fn parts(system: &System, property: usize) -> Vec<Part> {
    let Property { formula, parameters, .. } = &system.properties[property];
    let Formula::And(conjuncts) = formula else { return Vec::new() };
    let mut found: Vec<Formula> = conjuncts.clone();
    for parameter in parameters {
        let own = conjuncts.iter().filter(|conjunct| mentioned(conjunct) == [parameter.id]);
        let own: Vec<Formula> = own.cloned().collect();
        if (2..conjuncts.len()).contains(&own.len()) {
            found.push(Formula::and(own));
        }
    }
    found.into_iter().map(|formula| Part { property, formula }).collect()
}

/// The variables that a formula mentions.
fn mentioned(formula: &Formula) -> Vec<VariableId> {
    let mut variables = Vec::new();
    formula.for_each_mentioned(&mut |variable| variables.push(variable));
    variables.sort_unstable();
    variables.dedup();
    variables
}

/// Whether a part has some of the conjuncts of another, not all.
fn is_smaller(part: &Part, other: &Part) -> bool {
    let Formula::And(conjuncts) = &other.formula else { return false };
    part.property == other.property && conjuncts.contains(&part.formula)
}
