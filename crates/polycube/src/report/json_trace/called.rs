//! Which transition is meant where people name one: several may be one rule of a file, for different values of its
//! parameters or different answers to what it asks.

use polycube_certificate::{Instance, State, check_step, counted};
use polycube_language::System;
use polycube_language::system::Transition;

/// The transitions that people call so. Those with as many parameters, if there are any.
pub(crate) fn called<'s>(system: &'s System, word: &str, parameters: usize) -> Vec<&'s Transition> {
    let is_called = |one: &&Transition| system.transition_in_words(&one.name) == word;
    let all: Vec<&Transition> = system.transitions.iter().filter(is_called).collect();
    let fitting: Vec<&Transition> =
        all.iter().copied().filter(|one| one.parameters.len() == parameters).collect();
    if fitting.is_empty() { all } else { fitting }
}

/// The name of the transition that leads from one state to another: the first of several that does, or the first.
/// Nothing is believed of the states: the judge looks at the step again.
pub(crate) fn name_of_step(
    instance: &Instance<'_>,
    all: &[&Transition],
    (before, after): (&State, &State),
    arguments: &[u32],
) -> Option<String> {
    let first = all.first()?;
    if all.iter().all(|one| one.name == first.name) {
        return Some(first.name.clone());
    }
    let [before, after] = [before, after].map(|state| recounted(instance, state));
    let leads = |one: &&&Transition| match (&before, &after) {
        (Some(before), Some(after)) => check_step(instance, before, one, arguments, after).is_ok(),
        _ => false,
    };
    Some(all.iter().find(leads).unwrap_or(first).name.clone())
}

/// The state with the numbers of processes that follow from the rest of it.
fn recounted(instance: &Instance<'_>, state: &State) -> Option<State> {
    let system = instance.system();
    let rest = state.iter().filter(|(cell, _)| system.count(cell.symbol).is_none());
    counted(instance, rest.map(|(cell, value)| (cell.clone(), value.clone())).collect()).ok()
}
