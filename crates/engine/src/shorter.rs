//! Shorter runs than those that a search came upon.
//!
//! A search ends with the first run that it finds. It may have met it in a large instance, or on a detour:
//! a person wants the smallest. So small instances are explored once more, to less than its depth.

use polycube_certificate::Trace;
use polycube_language::System;
use polycube_language::system::Processes;

use crate::backward::{Answer, Options, Verification};
use crate::forward::{self, Goal, Limits, explore};

/// How many states of each instance are looked at. One that has more ends it: larger ones have even more.
const STATES: u64 = 3_000;

/// Among how many states the steps from one state may choose.
const CHOICES: u64 = 8 * STATES;

/// How many parts the formulas of an instance may have.
const PARTS: u64 = 200_000;

/// Replaces runs by shorter ones, or equally long ones with fewer processes, where looking at all states of
/// small instances finds them: with as many processes as the known run has at most.
pub fn shorten(system: &System, verification: &mut Verification, options: &Options) {
    let size = |trace: &Trace| (trace.steps.len(), trace.processes);
    let known = verification.answers.iter().filter_map(|answer| match answer {
        Answer::Unsafe(trace) => Some(size(trace)),
        _ => None,
    });
    let Some((steps, processes)) = known.reduce(|one, other| (one.0.max(other.0), one.1.max(other.1))) else {
        return;
    };
    let sizes = match system.processes {
        Processes::Any => 1..=processes,
        Processes::Exactly(count) => count..=count,
    };
    for processes in sizes {
        let limits = Limits {
            depth: Some(steps),
            states: Some(STATES),
            bytes: options.limits.bytes.map(|bytes| bytes / 2),
            parts: Some(PARTS),
            choices: Some(CHOICES),
        };
        let exploring = forward::Options {
            goal: Goal::Everything,
            limits,
            interrupt: options.interrupt.clone(),
            ..forward::Options::new(processes)
        };
        // An instance that is too large for that has nothing to offer.
        let Ok(found) = explore(system, &exploring, &mut ()) else { return };
        for violation in found.violations {
            if let Answer::Unsafe(known) = &mut verification.answers[violation.property]
                && size(&violation.trace) < size(known)
            {
                *known = violation.trace;
            }
        }
        if found.states >= STATES {
            return;
        }
    }
}
