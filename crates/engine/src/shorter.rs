//! Smaller and shorter runs than those that a search came upon.
//!
//! A search ends with the first run that it finds. It may have met it in a large instance, or on a detour: a
//! person wants as few processes as possible, and with these the fewest steps. So processes that do nothing
//! are dropped, and then small instances are explored once more, layer by layer.

use polycube_certificate::{Cell, Instance, Orders, State, Step, Trace, Value, counted, replay};
use polycube_language::System;
use polycube_language::system::Processes;

use crate::backward::{Answer, Options, Shortest, Verification};
use crate::forward::{self, End, Exploration, Goal, Limits, explore};

/// How many states may be looked at in any case.
const STATES: u64 = 10_000;

/// How many more for each node of the search, which takes about as long: so a search that took long may look for a
/// short run for as long, and one that took a moment takes two.
const STATES_PER_NODE: u64 = 500;

/// How many at most.
const MOST_STATES: u64 = 1_000_000;

/// Among how many states the steps from one state may choose.
const CHOICES: u64 = 24_000;

/// How many parts the formulas of an instance may have.
const PARTS: u64 = 200_000;

/// Which part of what is left goes to the runs of further clauses, once one is as short as can be: bugs are mended
/// one at a time.
const REST: u64 = 4;

/// A run with fewer processes may have so many more steps. One that is longer is not easier to read; and instances
/// whose numbers grow for ever are not explored for ever.
const LONGER: usize = 8;

/// Replaces runs by some with fewer processes, or as many processes and fewer steps, where looking at the states
/// of small instances finds them.
pub fn shorten(system: &System, verification: &mut Verification, options: &Options) {
    for (property, answer) in verification.answers.iter_mut().enumerate() {
        if let Answer::Unsafe(trace) = answer {
            drop_idle(system, property, trace);
        }
    }
    verification.shortest = vec![Shortest::default(); verification.answers.len()];
    let known = verification.answers.iter().enumerate().filter_map(|(property, answer)| match answer {
        Answer::Unsafe(trace) => Some((property, trace.processes, trace.steps.len())),
        _ => None,
    });
    let mut open: Vec<(usize, u32, usize)> = known.collect();
    let largest = open.iter().map(|&(_, processes, _)| processes).max().unwrap_or(0);
    let mut sizes = match system.processes {
        Processes::Any => 1..=largest,
        Processes::Exactly(count) => count..=count,
    };
    // Whether no smaller instance has a run to a bad state that is not known.
    let mut is_smallest = true;
    // Whether a run to a bad state is as small as can be.
    let mut is_settled = false;
    let seen: u64 = verification.instances.iter().map(|instance| instance.states).sum();
    let most = STATES + seen + STATES_PER_NODE.saturating_mul(verification.statistics.nodes);
    // Those of instances with fewer processes than the known runs have; that with as many has its own.
    let most = most.min(MOST_STATES);
    let mut states = most;
    while let Some(size) = sizes.next()
        && !open.is_empty()
    {
        // An instance with as many processes as a known run is of interest up to the end of that run.
        let goal = open.iter().map(|&(property, processes, steps)| {
            let is_same = processes == size;
            (property, if is_same { steps.saturating_sub(1) } else { steps + LONGER })
        });
        let is_last = open.iter().all(|&(_, processes, _)| processes == size);
        let (states_here, parts) = match is_settled {
            true => (states / REST, PARTS / (8 * REST)),
            false if is_last => (most, PARTS),
            false => (states, PARTS),
        };
        let limits = Limits {
            depth: None,
            states: Some(states_here),
            bytes: options.limits.bytes.map(|bytes| bytes / 2),
            parts: Some(parts),
            choices: Some(CHOICES),
            instructions: None,
        };
        let exploring = forward::Options {
            goal: Goal::Each(goal.collect()),
            limits,
            threads: options.threads,
            interrupt: options.interrupt.clone(),
            ..forward::Options::new(size)
        };
        // An instance that is too large for that has nothing to offer.
        let Ok(found) = explore(system, &exploring, &mut ()) else {
            is_smallest = false;
            open.retain(|&(_, processes, _)| processes != size);
            continue;
        };
        states = states.saturating_sub(found.states);
        let is_exact = is_exact(&found);
        for violation in &found.violations {
            if let Answer::Unsafe(known) = &mut verification.answers[violation.property]
                && (violation.trace.processes, violation.trace.steps.len())
                    < (known.processes, known.steps.len())
            {
                *known = violation.trace.clone();
            }
        }
        open.retain(|&(property, processes, _)| {
            let is_over = processes == size || found.violations.iter().any(|one| one.property == property);
            if is_over {
                verification.shortest[property] = Shortest { steps: is_exact, processes: is_smallest };
            }
            !is_over
        });
        let mut settled = verification.shortest.iter().enumerate().filter(|(_, shortest)| shortest.steps);
        is_settled = settled.any(|(property, _)| system.is_main(property));
        is_smallest &= is_exact && matches!(found.end, End::Complete | End::Unsafe);
    }
}

/// Whether all states up to the depth at which it ended were looked at.
fn is_exact(found: &Exploration) -> bool {
    let is_over = matches!(found.end, End::Complete | End::Unsafe | End::Depth);
    is_over && found.cuts.is_empty()
}

/// Drops processes without which a run is still one, and still ends in a state of the property.
fn drop_idle(system: &System, property: usize, trace: &mut Trace) {
    if system.processes != Processes::Any {
        return;
    }
    for process in (1..=trace.processes).rev() {
        let still_bad = |trace: &Trace| {
            let is_last = |state: usize| state == trace.steps.len();
            let run = replay(system, trace).ok()?;
            run.violations.iter().find(|one| one.property == property && is_last(one.state)).map(|_| ())
        };
        if let Some(smaller) = without(system, trace, process)
            && still_bad(&smaller).is_some()
        {
            *trace = smaller;
        }
    }
}

/// A trace without a process. Nothing if others speak of it.
fn without(system: &System, trace: &Trace, process: u32) -> Option<Trace> {
    let number = |other: u32| (other != process).then(|| other - u32::from(other > process));
    let numbers = |others: &[u32]| others.iter().map(|&other| number(other)).collect::<Option<Vec<u32>>>();
    let value = |value: &Value| match value {
        Value::Process(other) => number(*other).map(Value::Process),
        value => Some(value.clone()),
    };
    // How many processes there are in a situation follows from the rest.
    let stays = |cell: &Cell| !cell.indices.contains(&process) && system.count(cell.symbol).is_none();
    let entry = |cell: &Cell, new: &Value| {
        Some((Cell { symbol: cell.symbol, indices: numbers(&cell.indices)? }, value(new)?))
    };
    let processes = trace.processes - 1;
    let mut orders: Orders = trace.orders.clone();
    orders.processes = orders.processes.map(|order| order.into_iter().filter_map(number).collect());
    let initial = trace.initial.iter().filter(|(cell, _)| stays(cell));
    let initial: State = initial.map(|(cell, value)| entry(cell, value)).collect::<Option<_>>()?;
    let step = |step: &Step| {
        let changes = step.changes.iter().filter(|(cell, _)| stays(cell));
        Some(Step {
            transition: step.transition.clone(),
            arguments: numbers(&step.arguments)?,
            changes: changes.map(|(cell, value)| entry(cell, value)).collect::<Option<_>>()?,
        })
    };
    let steps = trace.steps.iter().map(step).collect::<Option<_>>()?;
    let instance = Instance::new(system, processes, orders.clone()).ok()?;
    let initial = counted(&instance, initial).ok()?;
    Some(Trace { processes, orders, initial, steps })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "
        array P[proc] : bool
        array Friend[proc] : proc
        init (p) { P[p] = False }
        unsafe (p q) { P[p] = True && P[q] = True }
        transition enter (p) requires { P[p] = False } { P[p] := True }
    ";

    fn run(system: &System, processes: u32) -> Trace {
        let found = explore(system, &forward::Options::new(processes), &mut ()).expect("an instance");
        found.violations.into_iter().next().expect("a run").trace
    }

    #[test]
    fn processes_that_do_nothing_are_dropped() {
        let system = polycube_language::check(LOCK).system.expect("a correct model");
        let mut trace = run(&system, 5);
        // Nobody else may be named by those who stay.
        let friends: Vec<Cell> =
            trace.initial.iter().map(|(cell, _)| cell.clone()).filter(|cell| cell.symbol.0 == 1).collect();
        for cell in friends {
            let own = cell.indices[0];
            trace.initial.set(cell, Value::Process(own));
        }
        drop_idle(&system, 0, &mut trace);
        assert_eq!((trace.processes, trace.steps.len()), (2, 2));
        assert!(replay(&system, &trace).is_ok());
    }

    #[test]
    fn processes_that_others_name_stay() {
        let system = polycube_language::check(LOCK).system.expect("a correct model");
        let mut trace = run(&system, 3);
        let idle = (1..=3).find(|process| trace.steps.iter().all(|step| !step.arguments.contains(process)));
        let idle = idle.expect("one does nothing");
        let friends: Vec<Cell> =
            trace.initial.iter().map(|(cell, _)| cell.clone()).filter(|cell| cell.symbol.0 == 1).collect();
        for cell in friends {
            trace.initial.set(cell, Value::Process(idle));
        }
        drop_idle(&system, 0, &mut trace);
        assert_eq!(trace.processes, 3);
    }
}
