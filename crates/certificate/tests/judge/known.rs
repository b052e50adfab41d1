//! Our models, of which it is known whether they are safe: small instances are searched with the judge
//! itself.

use polycube_certificate::{Instance, Orders, replay, violates};
use polycube_language::System;
use polycube_testing::models;

use crate::support::{explore, system};

const STATES: usize = 1500;

#[test]
fn safe_models_reach_no_bad_state() {
    let mut states = 0;
    for model in models("safe") {
        let system = system(&model.text);
        for instance in &small_instances(&system) {
            explore(instance, STATES, &mut |state, _| {
                states += 1;
                for property in &system.properties {
                    assert_eq!(violates(instance, property, state), None, "{}", model.name());
                }
                false
            });
        }
    }
    assert!(states > 10_000, "only {states} states were looked at");
}

#[test]
fn unsafe_models_reach_bad_states_by_traces_that_are_accepted() {
    let (mut found, mut missed) = (0, Vec::new());
    for model in models("unsafe") {
        let system = system(&model.text);
        let reached = small_instances(&system).iter().any(|instance| {
            let mut reached = false;
            explore(instance, STATES, &mut |state, trace| {
                reached =
                    system.properties.iter().any(|property| violates(instance, property, state).is_some());
                if reached {
                    let run = replay(&system, trace)
                        .unwrap_or_else(|rejected| panic!("{}: {rejected}", model.name()));
                    assert_eq!(run.states.last(), Some(state));
                    assert!(!run.violations.is_empty() && run.earlier_violations.is_empty());
                }
                reached
            });
            reached
        });
        if reached {
            found += 1;
        } else {
            missed.push(model.name().to_owned());
        }
    }
    // Some need more states than a test has time for.
    assert!(found > 2 * missed.len(), "missed {missed:?}");
}

/// The instances with two and three processes, as far as the system allows.
fn small_instances(system: &System) -> Vec<Instance<'_>> {
    [2, 3].into_iter().filter_map(|count| Instance::new(system, count, Orders::default()).ok()).collect()
}
