//! What a model says that never comes true, as far as small instances tell.
//!
//! A model in which nobody can ever enter is safe, but its author did not mean it. Is there a state to start from, is
//! each transition taken, and can each part of a property be true? Most of that is known from states that the search
//! has found, or from its invariant; for the rest, small instances are explored. This is for warnings only: no answer
//! rests on it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use polycube_language::System;
use polycube_language::formula::{Formula, VariableId};
use polycube_language::system::{Processes, Property, PropertyKind, Transition};

use crate::backward::Witnesses;
use crate::forward::{End, Exploration, Extent, Goal, Limits, Options, explore};
use crate::oracle::{Explored, least_processes};

/// How many states are looked at first, and how many where something has not come true by then.
const FEW: u64 = 3_000;
const MANY: u64 = 10_000;

/// Of how many states of each layer the successors are looked at, where not all can be.
const WIDTH: usize = 500;
const STARTS: usize = 64;

/// Of how much that was not seen it is asked whether the invariant excludes it.
const ASKED: usize = 8;

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
    /// Those of them that the invariant excludes.
    pub impossible: Vec<usize>,
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
    /// Whether the invariant excludes it.
    pub is_impossible: bool,
}

/// What a search knows when it has ended.
#[derive(Clone, Copy)]
pub struct Knowledge<'k> {
    /// The states that it has found.
    pub witnesses: &'k Witnesses<'k>,
    /// Whether it has proved that no reachable state has a property. A "no" means nothing.
    pub excludes: &'k dyn Fn(&Property) -> bool,
}

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Until everything came true.
    UntilAllIsSeen,
    /// At all states that there is time for: whether a bad one is among them is worth knowing.
    AtAll,
}

/// Looks at small instances of a system, for what is not known.
pub fn vacuity(
    system: &System,
    knowledge: Knowledge<'_>,
    look: Look,
    threads: usize,
    interrupt: &Arc<AtomicBool>,
) -> Vacuity {
    let parts: Vec<Part> = (0..system.properties.len()).flat_map(|at| parts(system, at)).collect();
    let property =
        |part: &Part| Property { formula: part.formula.clone(), ..system.properties[part.property].clone() };
    let properties: Vec<Property> = parts.iter().map(property).collect();
    let mut found = Findings::new(system, parts.len());
    if look == Look::UntilAllIsSeen && knowledge.witnesses.exist() {
        found.learn(system, &properties, knowledge);
        if found.is_nothing_missing() {
            return found.report(parts);
        }
    }
    let properties = properties.into_iter().chain(system.properties.iter().cloned()).collect();
    let asked = System { properties, ..system.clone() };
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
    found.report(parts)
}

/// Whether something came true.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    Once,
    /// It never does: the invariant excludes it.
    Never,
}

impl Seen {
    fn note(&mut self, is_seen: bool) {
        if is_seen {
            *self = Seen::Once;
        }
    }
}

struct Findings {
    instances: Vec<Explored>,
    starts: u64,
    /// Whether not all initial states were looked for.
    may_start: bool,
    fired: Vec<Seen>,
    /// For each part, and then for each property.
    reached: Vec<Seen>,
    /// How many parts there are.
    parts: usize,
}

impl Findings {
    fn new(system: &System, parts: usize) -> Findings {
        Findings {
            instances: Vec::new(),
            starts: 0,
            may_start: false,
            fired: vec![Seen::Not; system.transitions.len()],
            reached: vec![Seen::Not; parts + system.properties.len()],
            parts,
        }
    }

    /// What came true in states that are known, and what never does.
    fn learn(
        &mut self,
        system: &System,
        parts: &[Property],
        Knowledge { witnesses, excludes }: Knowledge<'_>,
    ) {
        for (at, fired) in self.fired.iter_mut().enumerate() {
            fired.note(witnesses.have_fired(at));
        }
        for (reached, part) in self.reached.iter_mut().zip(parts) {
            reached.note(witnesses.satisfy(part));
        }
        let guards = self.fired.iter_mut().zip(system.transitions.iter().map(guard));
        let parts = self.reached.iter_mut().zip(parts.iter().cloned());
        for (seen, property) in guards.chain(parts).filter(|(seen, _)| **seen == Seen::Not).take(ASKED) {
            if excludes(&property) {
                *seen = Seen::Never;
            }
        }
    }

    fn add(&mut self, processes: u32, exploration: &Exploration) {
        self.instances.push(Explored::of(processes, exploration));
        self.starts += exploration.initial_states;
        self.may_start |= !exploration.is_complete();
        for (at, fired) in self.fired.iter_mut().enumerate() {
            fired.note(!exploration.never_fired.contains(&at));
        }
        for (reached, also) in self.reached.iter_mut().zip(&exploration.reached) {
            reached.note(*also);
        }
    }

    /// What did not come true yet.
    fn missing(&self) -> Goal {
        Goal::Seen {
            transitions: such(&self.fired, |seen| seen == Seen::Not),
            properties: such(&self.reached[..self.parts], |seen| seen == Seen::Not),
        }
    }

    fn is_nothing_missing(&self) -> bool {
        self.fired.iter().chain(&self.reached[..self.parts]).all(|&seen| seen != Seen::Not)
    }

    fn report(self, parts: Vec<Part>) -> Vacuity {
        let (of_parts, of_properties) = self.reached.split_at(self.parts);
        let parts = parts.into_iter().zip(of_parts).filter(|(_, seen)| **seen != Seen::Once);
        let parts = parts.map(|(part, seen)| Part { is_impossible: *seen == Seen::Never, ..part });
        let mut parts: Vec<Part> = parts.collect();
        // Of what is never true, a part of it says enough.
        let all = parts.clone();
        parts.retain(|part| !all.iter().any(|other| is_smaller(other, part)));
        Vacuity {
            nowhere: !self.instances.is_empty() && self.starts == 0 && !self.may_start,
            is_exact: self.instances.iter().any(|instance| instance.complete),
            is_bad: of_properties.contains(&Seen::Once),
            transitions: such(&self.fired, |seen| seen != Seen::Once),
            impossible: such(&self.fired, |seen| seen == Seen::Never),
            parts,
            instances: self.instances,
        }
    }
}

/// The numbers of what was seen like this.
fn such(all: &[Seen], is: impl Fn(Seen) -> bool) -> Vec<usize> {
    all.iter().enumerate().filter(|(_, seen)| is(**seen)).map(|(at, _)| at).collect()
}

/// The states in which a transition is possible.
fn guard(transition: &Transition) -> Property {
    Property {
        kind: PropertyKind::Invariant,
        parameters: transition.parameters.clone(),
        formula: transition.guard.clone(),
        origin: transition.origin,
    }
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
    found.into_iter().map(|formula| Part { property, formula, is_impossible: false }).collect()
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
