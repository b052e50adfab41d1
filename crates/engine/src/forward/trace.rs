//! Packed states and steps as values that people, and the judge, understand.

use polycube_certificate::{self as certificate, Cell, State, Step, Trace, Value};
use polycube_language::system::{EnumerationId, Type};

use super::peers::{Lost, Peers};
use super::search::{Found, Search, Stop};
use crate::compile::Instance;
use crate::compile::domain::Domain;

/// A run to a state, as a trace; none if any process is told to stop before it is found. All processes ask this together.
pub fn trace_to<const W: usize>(
    instance: &Instance<'_>,
    search: &Search<'_, W>,
    target: Found<W>,
    stop: Stop<'_>,
    peers: &mut dyn Peers,
) -> Result<Option<Trace>, Lost> {
    let Some(run) = search.run_to(target, stop, peers)? else { return Ok(None) };
    let trace = follow(instance, search, &run, stop);
    // Each process finds the same steps, but one may have been told to stop.
    let found = peers.gather(&[u64::from(trace.is_some())])?;
    Ok(trace.filter(|_| found.iter().all(|found| found == &[1])))
}

/// The steps of a run, of which each state is known up to renaming.
fn follow<const W: usize>(
    instance: &Instance<'_>,
    search: &Search<'_, W>,
    run: &[[u64; W]],
    stop: Stop<'_>,
) -> Option<Trace> {
    let mut packed = run[0];
    let initial = state(instance, &packed);
    let mut before = initial.clone();
    let mut steps = Vec::new();
    for representative in &run[1..] {
        // With symmetry, the state at hand is some renaming of the representative before, so it has a step to
        // a renaming of the next one.
        let Some((rule, after)) = search.step(&packed, representative, stop) else {
            assert!(stop(), "there is a step from one representative to the next");
            return None;
        };
        let rule = &instance.rules[rule];
        let after_state = state(instance, &after);
        steps.push(Step {
            transition: instance.system.transitions[rule.transition as usize].name.clone(),
            arguments: rule.arguments.iter().map(|process| process + 1).collect(),
            changes: before.changes_to(&after_state),
        });
        (packed, before) = (after, after_state);
    }
    Some(Trace { processes: instance.slots.processes(), orders: orders_of(instance), initial, steps })
}

pub fn state(instance: &Instance<'_>, packed: &[u64]) -> State {
    codes_to_state(instance, |slot| instance.layout.fields[slot].get_from(packed))
}

/// The state in which every slot has the given code.
pub fn codes_to_state(instance: &Instance<'_>, code: impl Fn(usize) -> u64) -> State {
    // Both list the cells in the same order.
    let mut slots = instance.slots.iter();
    State::new(instance.system, instance.slots.processes(), |_: &Cell| {
        let slot = slots.next().expect("a slot for every cell");
        let code = code(slot.0 as usize);
        let value = |values: &[u32]| values[usize::try_from(code).expect("a code is an index of a value")];
        let ty = instance.system.symbol(instance.slots.symbol(slot)).ty;
        match (instance.slots.domain(slot), ty) {
            (Domain::Numbers(format), _) => Value::Number(format.number(code)),
            (Domain::Finite(values), Type::Enumeration(id)) => Value::Constructor(id, value(values)),
            (Domain::Finite(values), Type::Abstract(id)) => Value::Abstract(id, value(values) + 1),
            (Domain::Finite(values), _) => Value::Process(value(values) + 1),
        }
    })
}

/// The orders of an instance, as the judge knows them.
pub fn orders_of(instance: &Instance<'_>) -> certificate::Orders {
    let orders = &instance.orders;
    // From the rank of each value to the values by rank.
    let by_rank = |ranking: &[u32]| {
        let mut values: Vec<(u32, u32)> = ranking.iter().copied().zip(0..).collect();
        values.sort_unstable();
        values.into_iter().map(|(_, value)| value).collect::<Vec<u32>>()
    };
    let mut result = certificate::Orders::default();
    if let Some(ranking) = orders.ranking(Type::Process) {
        result.processes = Some(by_rank(ranking).into_iter().map(|process| process + 1).collect());
    }
    for (_, id) in instance.system.enumerations.iter().zip((0..).map(EnumerationId)) {
        if let Some(ranking) = orders.ranking(Type::Enumeration(id)) {
            result.enumerations.insert(id, by_rank(ranking));
        }
    }
    result
}
