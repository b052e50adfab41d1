//! What to verify, how far to go, and what is found.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use polycube_certificate::Trace;
use polycube_language::System;
use serde::Serialize;

use super::divergence::Divergence;
use super::graph::Graph;
use crate::cube::show::CubeFormula;
use crate::cube::vocabulary::MAX_NAMED;
use crate::forward;
use crate::oracle::{Explored, Known};

/// How many candidates of one cube the oracle is asked about, by default. More help little: FLASH is proved
/// with the same invariants with 500.
pub const DEFAULT_CANDIDATES: usize = 60;

/// What to verify, and how far to go.
#[derive(Clone, Debug)]
pub struct Options {
    /// In which order cubes are treated.
    pub order: SearchOrder,
    /// How many threads work on it. The result does not depend on it.
    pub threads: usize,
    /// How far to go.
    pub limits: Limits,
    /// What becomes of `invariant` clauses.
    pub invariants: Invariants,
    /// How many candidates for an approximation are looked at, for each cube.
    pub candidates: usize,
    /// What becomes of the other properties when one is violated.
    pub rest: Rest,
    /// Whether to keep the [`Graph`] of the search.
    pub graph: bool,
    /// Which of the cheap checks are made; all of them, unless their worth is measured.
    pub checks: Checks,
    /// Set by the caller, it ends the search at once, with what was found until then.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            order: SearchOrder::default(),
            threads: 1,
            limits: Limits::default(),
            invariants: Invariants::Prove,
            candidates: DEFAULT_CANDIDATES,
            rest: Rest::Decide,
            graph: false,
            checks: Checks::default(),
            interrupt: Arc::default(),
        }
    }
}

/// In which order cubes are treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchOrder {
    /// Those with the fewest processes first, among them those nearest to the unsafe states.
    FewProcesses,
    /// Those nearest to the unsafe states first.
    BreadthFirst,
    DepthFirst,
    /// Those with the fewest processes first, among them those that say the least.
    #[default]
    FewLiterals,
}

/// What becomes of `invariant` clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invariants {
    /// They are proved, together with the rest.
    Prove,
    /// They are believed.
    Trust,
}

/// What becomes of the other properties when one is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// They are decided, however long it takes.
    Decide,
    /// They are decided, unless it takes much longer than it took until then.
    Try,
}

/// Which of the cheap checks are made. None of them changes an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Is an equal cube known?
    pub equal: bool,
    /// Is a cube contained in a single visited one?
    pub contained: bool,
    /// Is it covered by several?
    pub union: bool,
    /// Are visited cubes dropped that a new one contains?
    pub deletion: bool,
    /// When an approximation is refuted, is only what depends on it retracted? Otherwise the search restarts.
    pub dependencies: bool,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks { equal: true, contained: true, union: true, deletion: true, dependencies: true }
    }
}

/// How far to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// How many cubes are expanded.
    pub nodes: Option<u64>,
    /// How many steps from the unsafe states.
    pub depth: Option<usize>,
    /// How many bytes of memory.
    pub bytes: Option<usize>,
}

/// What is known about one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No reachable state has it, whatever the number of processes.
    Safe,
    /// This run reaches it: accepted by the judge.
    Unsafe(Trace),
    /// Not known.
    Unknown(Reason),
    /// It is an `invariant` clause, and was believed.
    Trusted,
}

impl Answer {
    pub fn word(&self) -> &'static str {
        match self {
            Answer::Safe => "safe",
            Answer::Unsafe(_) => "unsafe",
            Answer::Unknown(_) => "unknown",
            Answer::Trusted => "trusted",
        }
    }
}

/// Why something is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The limit on the number of expanded cubes was reached.
    Nodes,
    /// The limit on the depth was reached.
    Depth,
    /// The limit on memory was reached.
    Memory,
    /// Cancelled by the caller.
    Interrupted,
    /// Another property is violated, and this one was not decided soon after that was known.
    Violated,
    /// A cube would have named too many processes.
    Processes,
    /// A step has too many cases.
    Cases,
    /// Only runs were found that may not be real, because something was checked in part: this is one.
    Weakened(SymbolicRun, Weakening),
    /// This run was found, but no instance with a few processes has an initial state for it.
    Unconfirmed(SymbolicRun),
}

impl Display for Reason {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Reason::Nodes => "the limit on the number of nodes was reached",
            Reason::Depth => "the limit on the depth was reached",
            Reason::Memory => "the limit on memory was reached",
            Reason::Interrupted => "the search was interrupted",
            Reason::Violated => "another clause is violated, and the search ended soon after",
            Reason::Processes => {
                return write!(out, "more than {MAX_NAMED} processes would have to be told apart");
            }
            Reason::Cases => "a step has too many cases",
            Reason::Weakened(..) => "only runs that may not be real were found to reach a bad state",
            Reason::Unconfirmed(_) => {
                "steps that lead to a bad state were found, but no state to start them from"
            }
        })
    }
}

/// What was checked in part on a symbolic run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weakening {
    /// What a guard says of all processes.
    Guard,
    /// What the property says of all processes.
    Property,
    /// The values of constants, or those that a step chooses.
    Values,
}

/// A run that need not be one: it is known by its transitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicRun {
    /// The names of the transitions, in order, with processes that are named consistently: numbers from 1.
    pub steps: Vec<(String, Vec<u32>)>,
    /// How many processes it speaks of.
    pub processes: u32,
    /// The states along it: first one that contains initial states, last one of the property.
    pub states: Vec<CubeFormula>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// For each property of the system, in order, what is known.
    pub answers: Vec<Answer>,
    /// For each property for which there is a run, what is known about runs that are smaller; nothing if that was
    /// not looked at.
    pub shortest: Vec<Shortest>,
    /// If all is safe: sets of states that together contain all unsafe states and every state from which they
    /// can be reached, but no initial one. That none of them is ever reached is the inductive invariant. If not
    /// all properties are safe: the same for those that are.
    pub invariant: Vec<CubeFormula>,
    /// How the search went.
    pub statistics: Statistics,
    /// The instances that were explored: to reject approximations; and whole ones, for bugs, where that took long.
    pub instances: Vec<Explored>,
    /// Their states.
    pub known: Known,
    /// Families of cubes because of which the search does not seem to end, one for each property that is not known
    /// and has one.
    pub diverging: Vec<Divergence>,
    /// The graph of the search, if it was asked for.
    pub graph: Option<Graph>,
    /// The system that the invariant and the graph speak of, if it counts more than the one that was verified.
    pub counting: Option<System>,
}

impl Verification {
    /// What is known if the end comes before anything was found.
    pub fn nothing(system: &System, reason: &Reason) -> Verification {
        Verification {
            answers: vec![Answer::Unknown(reason.clone()); system.properties.len()],
            shortest: Vec::new(),
            invariant: Vec::new(),
            statistics: Statistics::default(),
            instances: Vec::new(),
            known: Known::default(),
            diverging: Vec::new(),
            graph: None,
            counting: None,
        }
    }

    /// The answer to all properties together: one that is violated makes the system unsafe (the smallest run
    /// is the answer), and otherwise one that is not known makes it unknown.
    pub fn verdict(&self) -> &Answer {
        let weight = |answer: &&Answer| match answer {
            Answer::Unsafe(trace) => (0, trace.processes, trace.steps.len()),
            Answer::Unknown(_) => (1, 0, 0),
            Answer::Safe | Answer::Trusted => (2, 0, 0),
        };
        match self.answers.iter().min_by_key(weight) {
            None | Some(Answer::Trusted) => &Answer::Safe,
            Some(answer) => answer,
        }
    }
}

/// What is known about other runs to the same property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shortest {
    /// That none with as many processes has fewer steps.
    pub steps: bool,
    /// That none has fewer processes.
    pub processes: bool,
}

/// How a search went. (As JSON: a part of the report of `verify`.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// How many cubes were expanded.
    pub nodes: u64,
    /// How many of them are part of the invariant in the end.
    pub kept: u64,
    /// How many cubes were left in the queue.
    pub queue: u64,
    /// How many cubes were computed as predecessors.
    pub computed: u64,
    /// How many of them were known already.
    pub equal: u64,
    /// How many were subsumed by a visited cube.
    pub contained: u64,
    /// How many were covered by several visited cubes.
    pub covered: u64,
    /// How many visited cubes were dropped because a larger one was found.
    pub deleted: u64,
    /// How many questions were put to the solver: covers, and checks of relations.
    pub solver_calls: u64,
    /// How many questions the solver gave up.
    pub gave_up: u64,
    /// How many approximations were tried.
    pub approximations: u64,
    /// How many of them were refuted.
    pub refuted: u64,
    /// How many of the approximations say what all other processes are like, those that were named among
    /// them.
    pub absorptions: u64,
    /// How many of these were refuted.
    pub absorptions_refuted: u64,
    /// How often the search began again, because too much was forgotten of guards about all processes, or of
    /// constants.
    pub restarts: u64,
    /// How many questions were put to an oracle.
    pub questions: u64,
    /// The largest number of steps from the unsafe states.
    pub depth: usize,
    /// The largest number of processes that a cube named.
    pub processes: u32,
    /// How many bytes the cubes took in the end.
    pub bytes: usize,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub statistics: Statistics,
    pub queue: u64,
    /// While an instance is explored: how many states of it were found.
    pub exploring: Option<u64>,
    /// A property whose search does not seem to end.
    pub diverging: Option<usize>,
    /// How many properties are not decided yet, of how many.
    pub open: usize,
    pub properties: usize,
}

/// Watches a search, in whichever thread that is.
pub trait Observer: Send {
    /// Called now and then, at least some ten times a second.
    fn progress(&mut self, progress: &Progress);
}

/// Ignores progress.
impl Observer for () {
    fn progress(&mut self, _: &Progress) {}
}

/// Watches an exploration during a search.
pub(crate) struct Exploring<'w> {
    pub progress: Progress,
    pub observer: &'w mut dyn Observer,
}

impl forward::Observer for Exploring<'_> {
    fn progress(&mut self, progress: &forward::Progress) {
        self.observer.progress(&Progress { exploring: Some(progress.states), ..self.progress });
    }
}
