//! Whole instances, explored layer by layer, beside searches that take long.
//!
//! A bug that is many steps deep in a small instance is hard to find backwards, if many cells are involved; and the samples
//! that guesses are tested with are not made to find it. But all states of that instance may be a few million.
//!
//! Sound: what is found is the run of an instance. Nothing else is concluded from what was explored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use polycube_language::System;
use polycube_language::system::Processes;

use crate::backward::{Exploring, Observer, Progress};
use crate::forward::{self, Clock, End, Extent, Limits, Violation, explore};
use crate::oracle::{Explored, Plan, least_processes};

/// Among this many times as many states as an instance may have, the steps from one state may choose.
const CHOICES: u64 = 16;

/// Where programs have more instructions than this, fewer states are explored: each takes longer then.
const INSTRUCTIONS: u64 = 4_000;

/// How many parts the formulas of an instance may have.
const PARTS: u64 = 1_000_000;

/// How many more processes the last instance has than steps and properties speak of. (Bugs that need more are rare; and a
/// model whose processes do nothing has the same few states with any number of them.)
const SPARE: u32 = 4;

/// Instances of a system, smaller ones first.
#[derive(Debug)]
pub struct Whole<'s> {
    system: &'s System,
    clock: Option<Clock>,
    interrupt: Arc<AtomicBool>,
    /// The number of processes of the next one, and of the last one.
    next: u32,
    last: u32,
    found: Vec<Violation>,
    explored: Vec<Explored>,
}

impl<'s> Whole<'s> {
    /// None explored yet.
    pub fn new(system: &'s System, plan: Plan, interrupt: Arc<AtomicBool>) -> Whole<'s> {
        let (next, last) = match (system.processes, plan.processes) {
            (Processes::Exactly(count), _) | (Processes::Any, Some(count)) => (count, count),
            (Processes::Any, None) => {
                let least = least_processes(system);
                (least, least.saturating_add(SPARE))
            }
        };
        Whole { system, clock: plan.clock, interrupt, next, last, found: Vec::new(), explored: Vec::new() }
    }

    /// Explores instances, as long as they have no more states than this. What was found, now or before: nothing is
    /// looked for after a first violation.
    pub fn explore(
        &mut self,
        states: u64,
        bytes: Option<usize>,
        threads: usize,
        progress: Progress,
        observer: &mut dyn Observer,
    ) -> &[Violation] {
        while self.found.is_empty() && self.next <= self.last && !self.interrupt.load(Ordering::Relaxed) {
            let options = forward::Options {
                extent: Extent::Everything,
                threads,
                limits: Limits {
                    states: Some(states),
                    bytes,
                    parts: Some(PARTS),
                    choices: Some(states.saturating_mul(CHOICES)),
                    depth: None,
                    instructions: Some(states.saturating_mul(INSTRUCTIONS)),
                },
                interrupt: Arc::clone(&self.interrupt),
                clock: self.clock,
                ..forward::Options::new(self.next)
            };
            let mut observer = Exploring { progress, observer };
            // An instance that is too large for exploration has nothing to offer, and no larger one has.
            let Ok(explored) = explore(self.system, &options, &mut observer) else {
                self.last = 0;
                break;
            };
            self.explored.push(Explored::of(self.next, &explored));
            self.found = explored.violations;
            if explored.end != End::Complete {
                break;
            }
            self.next += 1;
        }
        &self.found
    }

    /// The instances that were explored.
    pub fn instances(self) -> Vec<Explored> {
        self.explored
    }
}

#[cfg(test)]
mod tests {
    use polycube_certificate::replay;

    use super::*;
    use crate::backward::{Answer, Options, Reason, Statistics};
    use crate::engine::{Engine, verify};

    /// A counter of so many bits, which may be reset by one process when all bits are set.
    fn counter(bits: usize) -> System {
        let mut text = String::from("array A[proc] : bool\n");
        let all = |bits: usize, value: &str, with: &str| {
            (0..bits).map(|bit| format!("B{bit} {with} {value}")).collect::<Vec<String>>()
        };
        for bit in 0..bits {
            text += &format!("var B{bit} : bool\n");
        }
        text += &format!("init (p) {{ A[p] = False && {} }}\n", all(bits, "False", "=").join(" && "));
        text += "unsafe (p) { A[p] = True }\n";
        for bit in 0..bits {
            let (mut guard, mut update) = (all(bit, "True", "="), all(bit, "False", ":="));
            guard.push(format!("B{bit} = False"));
            update.push(format!("B{bit} := True"));
            text += &format!(
                "transition set{bit} () requires {{ {} }} {{ {} }}\n",
                guard.join(" && "),
                update.join("; ")
            );
        }
        text += &format!(
            "transition reset (p) requires {{ {} }} {{ A[p] := True }}\n",
            all(bits, "True", "=").join(" && ")
        );
        polycube_language::check(&text).system.expect("a correct model")
    }

    fn progress() -> Progress {
        let statistics = Statistics::default();
        Progress { statistics, queue: 0, exploring: None, diverging: None, open: 1, properties: 1 }
    }

    #[test]
    fn instances_are_explored_until_one_is_too_large() {
        let system = counter(6);
        let mut whole = Whole::new(&system, Plan::default(), Arc::default());
        assert!(whole.explore(20, None, 1, progress(), &mut ()).is_empty());
        let found = whole.explore(1_000, None, 1, progress(), &mut ());
        let [violation] = found else { panic!("{found:?}") };
        assert_eq!(violation.trace.steps.len(), 64);
        replay(&system, &violation.trace).expect("a run");
    }

    #[test]
    fn a_model_with_few_states_is_explored_for_a_few_sizes() {
        let text = "var X : bool init () { X = False } unsafe () { X = True } \
                    transition t () requires { X = False } { X := False }";
        let system = polycube_language::check(text).system.expect("a correct model");
        let mut whole = Whole::new(&system, Plan::default(), Arc::default());
        assert!(whole.explore(1_000, None, 1, progress(), &mut ()).is_empty());
        assert_eq!(whole.next, whole.last + 1);
    }

    /// Searches give up at once; the samples that they look at end before the bug.
    #[test]
    fn nothing_is_unknown_before_instances_were_explored() {
        let system = counter(12);
        let mut options = Options::default();
        options.limits.nodes = Some(1);
        let found =
            |engine| verify(&system, engine, &options, Plan::default(), &mut ()).expect("a small system");
        assert!(matches!(found(Engine::Brab).answers[0], Answer::Unknown(Reason::Nodes)));
        let Answer::Unsafe(trace) = &found(Engine::Auto).answers[0] else { panic!("it is unsafe") };
        assert_eq!(trace.steps.len(), 4096);
        replay(&system, trace).expect("a run");
    }
}
