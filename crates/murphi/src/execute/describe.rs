//! What was found, as a system: its runs are those that are shown, and nothing else.
//!
//! Reports, pages and the judge know systems. So what was executed becomes one afterwards: for each step of a run a
//! transition, with what it has read as its guard; for each thing that is wrong a property, with what was read when it
//! turned out to be wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use polycube_language::System;
use polycube_language::formula::{Formula, Relation, Term};
use polycube_language::span::Origin;
use polycube_language::system::{EnumerationId, SymbolId, Type, Update, Value};
use polycube_language::words::Claim;

use super::Executable;
use super::domain::UNDEFINED;
use super::explore::{Bad, End, Explored, Instance, Wrong, sort_all};
use super::machine::{Fired, Machine};
use super::program::Program;
use crate::translate::skeleton::Skeleton;
use crate::translate::value::{cell, compare};

/// What was found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// Symbols, rules and invariants of the file, errors that happen, and the runs below.
    pub system: System,
    /// Why it ended.
    pub end: End,
    /// How many states were found.
    pub states: u64,
    /// How many of them were looked at.
    pub inspected: u64,
    /// How many of them are start states.
    pub initial_states: u64,
    /// How many rules fired.
    pub transitions: u64,
    /// The largest number of steps to any state.
    pub depth: usize,
    /// The properties of the system that describe reachable states.
    pub violations: Vec<Violation>,
    /// How many states there are from which no rule leads to another one.
    pub deadlocks: u64,
    /// A shortest run to one of them.
    pub deadlock: Option<Run>,
    /// The transitions of rules that never fired.
    pub never_fired: Vec<usize>,
    /// How many bits a state has.
    pub state_bits: u64,
    /// How many bytes of memory the states took.
    pub bytes: usize,
}

/// A property that describes a reachable state.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Its place in the system.
    pub property: usize,
    /// A shortest run to such a state.
    pub run: Run,
}

/// A run of the system.
#[derive(Clone, Debug)]
pub struct Run {
    /// What each symbol holds at the beginning.
    pub initial: Vec<Held>,
    /// The names of transitions, and what is another value after each.
    pub steps: Vec<(String, Vec<Held>)>,
}

/// What a symbol holds.
pub type Held = (SymbolId, EnumerationId, u32);

pub(super) fn findings(executable: &Executable, explored: &Explored) -> Findings {
    let program = &*executable.program;
    let never = AtomicBool::new(false);
    let mut teller = Teller {
        program,
        machine: Machine::new(program, &never),
        skeleton: executable.skeleton.clone(),
        explored,
        called: BTreeMap::new(),
        told: BTreeSet::new(),
        starts: BTreeSet::new(),
    };
    let mut violations = Vec::new();
    for (wrong, bad) in &explored.bad {
        let reason = teller.reason(*bad);
        let property = match wrong {
            Wrong::Violated(at) => {
                teller.skeleton.system.properties[*at].formula = reason;
                *at
            }
            Wrong::Fault(fault) => {
                let claim = Claim::Never(format!("error \"{}\"", fault.what.text(program)));
                teller.skeleton.property(claim, reason, fault.span)
            }
        };
        violations.push(Violation { property, run: teller.run(bad.state) });
    }
    let deadlock = explored.deadlock.map(|state| teller.run(state));
    teller.begin();
    let keepers = teller.skeleton.leaves.iter().zip(&explored.undefined);
    if let Some(murphi) = &mut teller.skeleton.system.words.murphi {
        // Of the others nobody has to ask whether they are.
        let is_defined = keepers.filter(|(_, can_be_undefined)| !**can_be_undefined);
        is_defined.for_each(|(keeper, _)| _ = murphi.undefined.remove(&keeper.symbol));
    }
    let never_fired = explored.has_fired.iter().enumerate().filter(|(_, has_fired)| !**has_fired);
    Findings {
        end: explored.end,
        states: explored.states as u64,
        inspected: explored.inspected.min(explored.states) as u64,
        initial_states: explored.starts as u64,
        transitions: explored.transitions,
        depth: explored.depth,
        violations,
        deadlocks: explored.deadlocks,
        deadlock,
        never_fired: never_fired.map(|(rule, _)| rule).collect(),
        state_bits: explored.packing.bits() as u64,
        bytes: explored.bytes,
        system: teller.skeleton.system,
    }
}

struct Teller<'e> {
    program: &'e Program,
    machine: Machine<'e>,
    skeleton: Skeleton,
    explored: &'e Explored,
    /// The names of transitions, for rules with their parameters.
    called: BTreeMap<(usize, usize), String>,
    /// The steps that have a transition, and the states that are initial.
    told: BTreeSet<(usize, usize)>,
    starts: BTreeSet<usize>,
}

impl Teller<'_> {
    fn unpacked(&self, number: usize) -> Vec<i64> {
        let mut state = vec![UNDEFINED; self.program.leaves.len()];
        self.explored.packing.unpack(self.explored.visited.state(number), &mut state);
        state
    }

    /// What was read when a state turned out to be bad.
    fn reason(&mut self, bad: Bad) -> Formula {
        let state = self.unpacked(bad.state);
        self.machine.enter(&state);
        self.machine.reads = Some(BTreeSet::new());
        let program = self.program;
        let (rule, instance) = match bad.instance {
            Instance::Rule(rule, choice) => (&program.rules[rule], choice),
            Instance::Invariant(invariant, choice) => (&program.invariants[invariant], choice),
        };
        // How it ends is known.
        let _ = self.machine.fire(rule, &rule.instances[instance]);
        self.read(&state)
    }

    /// What the leaves hold that were read.
    fn read(&mut self, state: &[i64]) -> Formula {
        let reads = self.machine.reads.take().unwrap_or_default();
        self.holding(state, reads)
    }

    /// These leaves hold what they hold in a state.
    fn holding(&self, state: &[i64], leaves: impl IntoIterator<Item = usize>) -> Formula {
        let holds = |leaf: usize| {
            let (symbol, enumeration, constructor) = self.held(state, leaf);
            let value = Term::Constructor(enumeration, constructor);
            compare(cell(symbol, &[]), Relation::Equal, value, Type::Enumeration(enumeration))
        };
        Formula::and(leaves.into_iter().map(holds).collect::<Vec<_>>())
    }

    fn held(&self, state: &[i64], leaf: usize) -> Held {
        let position = match state[leaf] {
            UNDEFINED => None,
            value => self.program.leaves[leaf].position(value).map(|position| position as usize),
        };
        let keeper = &self.skeleton.leaves[leaf];
        (keeper.symbol, keeper.enumeration, keeper.constructor(position))
    }

    /// A shortest run to a state.
    fn run(&mut self, last: usize) -> Run {
        let mut states = vec![last];
        while let Some(&state) = states.last()
            && self.explored.visited.parent(state) != state
        {
            states.push(self.explored.visited.parent(state));
        }
        states.reverse();
        self.starts.insert(states[0]);
        let first = self.unpacked(states[0]);
        let initial = (0..first.len()).map(|leaf| self.held(&first, leaf)).collect();
        let steps = states.windows(2).map(|pair| self.step(pair[0], pair[1])).collect();
        Run { initial, steps }
    }

    /// The first rule that leads from a state to another one.
    fn step(&mut self, from: usize, to: usize) -> (String, Vec<Held>) {
        let (before, after) = (self.unpacked(from), self.unpacked(to));
        self.machine.enter(&before);
        let program = self.program;
        let rules = program.rules.iter().enumerate();
        let mut all = rules.flat_map(|(at, rule)| (0..rule.instances.len()).map(move |choice| (at, choice)));
        let leads = |&(at, choice): &(usize, usize)| {
            self.machine.reads = Some(BTreeSet::new());
            let rule = &program.rules[at];
            let mut state = match self.machine.fire(rule, &rule.instances[choice]) {
                Ok(Fired::Yes) => self.machine.state().to_vec(),
                _ => return false,
            };
            sort_all(program, &mut state);
            state == after
        };
        let (at, choice) = all.find(leads).expect("a state was reached by a rule");
        let guard = self.read(&before);
        let changed: Vec<Held> = (0..before.len())
            .filter(|&leaf| before[leaf] != after[leaf])
            .map(|leaf| self.held(&after, leaf))
            .collect();
        let name = self.name(at, choice);
        if self.told.insert((from, to)) {
            let update = |&(symbol, enumeration, constructor): &Held| Update {
                symbol,
                indices: Vec::new(),
                branches: Vec::new(),
                otherwise: Value::Term(Term::Constructor(enumeration, constructor)),
                origin: Origin::default(),
            };
            let updates = changed.iter().map(update).collect();
            self.skeleton.add_step(name.clone(), guard, updates, program.rules[at].span);
        }
        (name, changed)
    }

    /// The name of the transitions of a rule with these parameters.
    fn name(&mut self, at: usize, choice: usize) -> String {
        let rule = &self.program.rules[at];
        let values = &rule.instances[choice].values;
        if let Some(name) = self.called.get(&(at, choice)) {
            return name.clone();
        }
        let transition = match values.is_empty() {
            true => at,
            false => self.skeleton.transition(rule.name.as_deref(), values, rule.span),
        };
        let name = self.skeleton.system.transitions[transition].name.clone();
        self.called.insert((at, choice), name.clone());
        name
    }

    /// The states in which runs begin.
    fn begin(&mut self) {
        let whole = |&state: &usize| {
            let state = self.unpacked(state);
            self.holding(&state, 0..state.len())
        };
        let starts: Vec<Formula> = self.starts.iter().map(whole).collect();
        self.skeleton.begin(Formula::or(starts));
    }
}
