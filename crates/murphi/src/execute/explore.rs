//! Every state that can be reached, layer by layer.
//!
//! A state is looked at when it is expanded: then its invariants are checked, and its rules run. A layer with a bad state is
//! looked at to its end; what it leads to does not count.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use polycube_language::diagnostic::{Code, Diagnostic};

use super::domain::UNDEFINED;
use super::machine::{Fault, Fired, Machine, Stop};
use super::program::{Program, Slots};
use super::visited::{Packing, Visited};

/// How often progress is told, in states.
const STATES_BETWEEN_REPORTS: usize = 1 << 12;

/// What to explore, and how far.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// When to stop.
    pub goal: Goal,
    /// How far to go.
    pub limits: Limits,
    /// Set by the caller, it ends the exploration at once.
    pub interrupt: &'o AtomicBool,
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// After the layer with the first bad state.
    FirstBad,
    /// When there is nothing more to find.
    Everything,
}

/// How far to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// How many steps from the start states.
    pub depth: Option<usize>,
    /// How many states: the search stops after the state with which there are so many.
    pub states: Option<u64>,
    /// How many bytes of memory.
    pub bytes: Option<usize>,
}

/// How an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// There are no other states.
    Complete,
    /// Bad states were found.
    Bad,
    /// The limit on the depth was reached.
    Depth,
    /// The limit on the number of states was reached.
    States,
    /// The limit on memory was reached.
    Memory,
    /// More states than can be numbered.
    Full,
    /// Cancelled by the caller.
    Interrupted,
}

/// How far an exploration has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many states were found.
    pub states: u64,
    /// How many of them are still to be looked at.
    pub queue: u64,
    /// How many rules have fired.
    pub transitions: u64,
    /// How many steps from the start states.
    pub depth: usize,
    /// How many bytes of memory are in use.
    pub bytes: usize,
}

/// What is wrong with a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wrong {
    /// An invariant does not hold: its place among all.
    Violated(usize),
    /// Something that a rule or an invariant does is an error.
    Fault(Fault),
}

/// A rule, start state or invariant with one choice of its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instance {
    Rule(usize, usize),
    Invariant(usize, usize),
}

/// A bad state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bad {
    pub state: usize,
    /// What was run in it.
    pub instance: Instance,
}

/// What was found.
pub(super) struct Explored {
    pub end: End,
    pub visited: Visited,
    pub packing: Packing,
    pub states: usize,
    pub inspected: usize,
    pub starts: usize,
    pub transitions: u64,
    pub depth: usize,
    pub bad: BTreeMap<Wrong, Bad>,
    pub deadlocks: u64,
    pub deadlock: Option<usize>,
    pub has_fired: Vec<bool>,
    /// Whether each leaf was undefined in some state.
    pub undefined: Vec<bool>,
    pub bytes: usize,
}

/// How the layer that is being looked at began.
struct Layer {
    first: usize,
    last: usize,
    transitions: u64,
}

pub(super) fn explore(
    program: &Program,
    options: &Options<'_>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Explored, Box<Diagnostic>> {
    let packing = Packing::new(&program.leaves);
    let mut search = Search {
        program,
        options,
        machine: Machine::new(program, options.interrupt),
        after: vec![UNDEFINED; program.leaves.len()],
        packed: vec![0; packing.words()],
        found: Explored {
            end: End::Complete,
            visited: Visited::new(packing.words()),
            packing,
            states: 0,
            inspected: 0,
            starts: 0,
            transitions: 0,
            depth: 0,
            bad: BTreeMap::new(),
            deadlocks: 0,
            deadlock: None,
            has_fired: vec![false; program.rules.len()],
            undefined: vec![false; program.leaves.len()],
            bytes: 0,
        },
        is_storing: true,
    };
    search.start()?;
    search.layers(progress);
    let mut found = search.found;
    found.bytes = found.bytes.max(found.visited.bytes());
    Ok(found)
}

struct Search<'p, 'o> {
    program: &'p Program,
    options: &'o Options<'p>,
    machine: Machine<'p>,
    after: Vec<i64>,
    packed: Vec<u64>,
    found: Explored,
    /// Whether states that are found are kept: not where a limit is reached.
    is_storing: bool,
}

impl Search<'_, '_> {
    fn start(&mut self) -> Result<(), Box<Diagnostic>> {
        let nothing = vec![UNDEFINED; self.program.leaves.len()];
        self.machine.enter(&nothing);
        for start in &self.program.starts {
            for instance in &start.instances {
                match self.machine.fire(start, instance) {
                    Ok(Fired::Yes) => self.take(None),
                    Ok(Fired::No | Fired::Missing) => {}
                    Err(Stop::Interrupted) => {
                        self.found.end = End::Interrupted;
                        return Ok(());
                    }
                    Err(Stop::Fault(Fault { span, what })) => {
                        let message = format!("an error in a start state: {}", what.text(self.program));
                        return Err(Box::new(Diagnostic::error(Code::Unsupported, span, message)));
                    }
                }
            }
        }
        self.found.starts = self.found.visited.len();
        Ok(())
    }

    fn layers(&mut self, progress: &mut dyn FnMut(&Progress)) {
        let mut layer = Layer { first: 0, last: self.found.visited.len(), transitions: 0 };
        let limits = &self.options.limits;
        while self.found.end == End::Complete && layer.first < layer.last {
            if limits.depth.is_some_and(|depth| self.found.depth >= depth) {
                self.stop_storing(End::Depth);
            }
            for state in layer.first..layer.last {
                if state.is_multiple_of(STATES_BETWEEN_REPORTS) {
                    progress(&self.progress(state));
                }
                if !self.inspect(state) {
                    self.found.end = End::Interrupted;
                    self.found.states = self.found.visited.len();
                    return;
                }
                self.found.inspected = state + 1;
                self.check_limits();
            }
            let is_over = self.options.goal == Goal::FirstBad && !self.found.bad.is_empty();
            if is_over || self.found.end == End::Depth {
                // What this layer leads to was not asked for.
                self.found.bytes = self.found.visited.bytes();
                self.found.visited.truncate(layer.last);
                self.found.transitions = layer.transitions;
                if is_over {
                    self.found.end = End::Bad;
                }
            } else {
                layer = Layer {
                    first: layer.last,
                    last: self.found.visited.len(),
                    transitions: self.found.transitions,
                };
                self.found.depth += usize::from(layer.first < layer.last);
            }
            // Where a limit was reached, what was found is still looked at.
            if matches!(self.found.end, End::States | End::Memory | End::Full) {
                for state in self.found.inspected..self.found.visited.len() {
                    if self.options.interrupt.load(Ordering::Relaxed) || !self.inspect(state) {
                        break;
                    }
                    self.found.inspected = state + 1;
                }
            }
        }
        self.found.states = self.found.visited.len();
    }

    fn progress(&self, state: usize) -> Progress {
        Progress {
            states: self.found.visited.len() as u64,
            queue: (self.found.visited.len() - state) as u64,
            transitions: self.found.transitions,
            depth: self.found.depth,
            bytes: self.found.visited.bytes(),
        }
    }

    fn stop_storing(&mut self, end: End) {
        (self.found.end, self.is_storing) = (end, false);
    }

    fn check_limits(&mut self) {
        if !self.is_storing {
            return;
        }
        let limits = &self.options.limits;
        let visited = &self.found.visited;
        if limits.states.is_some_and(|most| visited.len() as u64 >= most) {
            self.stop_storing(End::States);
        } else if limits.bytes.is_some_and(|most| visited.bytes() >= most) {
            self.stop_storing(End::Memory);
        } else if visited.is_full() {
            self.stop_storing(End::Full);
        }
    }

    /// Checks the invariants of a state, and runs its rules. Whether it was not cancelled meanwhile.
    fn inspect(&mut self, state: usize) -> bool {
        if self.options.interrupt.load(Ordering::Relaxed) {
            return false;
        }
        let mut before = std::mem::take(&mut self.after);
        self.found.packing.unpack(self.found.visited.state(state), &mut before);
        self.machine.enter(&before);
        self.after = before;
        self.packed.copy_from_slice(self.found.visited.state(state));
        let own = self.packed.clone();
        for (at, invariant) in self.program.invariants.iter().enumerate() {
            for (choice, instance) in invariant.instances.iter().enumerate() {
                let wrong = match self.machine.fire(invariant, instance) {
                    Ok(Fired::Yes | Fired::Missing) => continue,
                    Ok(Fired::No) => Wrong::Violated(at),
                    Err(Stop::Fault(fault)) => Wrong::Fault(fault),
                    Err(Stop::Interrupted) => return false,
                };
                self.note(wrong, Bad { state, instance: Instance::Invariant(at, choice) });
            }
        }
        let (mut is_stuck, transitions) = (true, self.found.transitions);
        for (at, rule) in self.program.rules.iter().enumerate() {
            for (choice, instance) in rule.instances.iter().enumerate() {
                match self.machine.fire(rule, instance) {
                    Ok(Fired::No | Fired::Missing) => {}
                    Ok(Fired::Yes) => {
                        self.found.transitions += u64::from(self.is_storing);
                        self.found.has_fired[at] = true;
                        self.take(Some(state));
                        is_stuck &= self.packed == own;
                    }
                    Err(Stop::Fault(fault)) => {
                        is_stuck = false;
                        self.note(Wrong::Fault(fault), Bad { state, instance: Instance::Rule(at, choice) });
                    }
                    Err(Stop::Interrupted) => {
                        self.found.transitions = transitions;
                        return false;
                    }
                }
            }
        }
        if is_stuck {
            self.found.deadlocks += 1;
            self.found.deadlock.get_or_insert(state);
        }
        true
    }

    fn note(&mut self, wrong: Wrong, bad: Bad) {
        self.found.bad.entry(wrong).or_insert(bad);
    }

    /// Takes the state that a rule has led to.
    fn take(&mut self, parent: Option<usize>) {
        self.after.copy_from_slice(self.machine.state());
        sort_all(self.program, &mut self.after);
        for (known, value) in self.found.undefined.iter_mut().zip(&self.after) {
            *known |= *value == UNDEFINED;
        }
        self.found.packing.pack(&self.after, &mut self.packed);
        if self.is_storing {
            self.found.visited.insert(&self.packed, parent);
        }
    }
}

/// The state in which the elements of multisets are in order.
pub(super) fn sort_all(program: &Program, state: &mut [i64]) {
    for slots in &program.multisets {
        sort(slots, state);
    }
}

/// The elements of a multiset in order, and behind them free slots.
fn sort(slots: &Slots, state: &mut [i64]) {
    let &Slots { start, count, width } = slots;
    let leaves = &mut state[start..start + count * width];
    for slot in leaves.chunks_mut(width) {
        if slot[0] != 1 {
            slot.fill(UNDEFINED);
            slot[0] = 0;
        }
    }
    // Those with an element come first.
    let is_before = |one: &[i64], other: &[i64]| (other[0], &one[1..]) < (one[0], &other[1..]);
    for last in 1..count {
        let mut at = last;
        while at > 0
            && is_before(&leaves[at * width..(at + 1) * width], &leaves[(at - 1) * width..at * width])
        {
            for leaf in 0..width {
                leaves.swap(at * width + leaf, (at - 1) * width + leaf);
            }
            at -= 1;
        }
    }
}
