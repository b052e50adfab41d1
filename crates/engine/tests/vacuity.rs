//! What never comes true: nothing in our safe models, and what was made impossible.

use std::sync::Arc;

use polycube_engine::backward::{Limits, Options, Witnesses};
use polycube_engine::engine::{Engine, verify};
use polycube_engine::oracle::{Known, Plan};
use polycube_engine::vacuity::{Knowledge, Look, Vacuity, vacuity};
use polycube_language::System;
use polycube_testing::models;

fn system(text: &str) -> System {
    polycube_language::check(text).system.expect("a correct model")
}

fn look(system: &System) -> Vacuity {
    look_with(system, &Known::default())
}

fn look_with(system: &System, known: &Known) -> Vacuity {
    let witnesses = &Witnesses::new(system, known);
    let knowledge = Knowledge { witnesses, excludes: &|_| false };
    vacuity(system, knowledge, Look::UntilAllIsSeen, 1, &Arc::default())
}

/// What never comes true is the same, whether the states of the search are asked or not.
#[test]
fn states_of_the_search_tell_the_same() {
    let (mut spared, mut looked_at) = (0, 0);
    for model in models("safe") {
        let mut system = system(&model.text);
        for is_mutated in [false, true] {
            if is_mutated {
                system.transitions[0].guard = polycube_language::formula::Formula::FALSE;
            }
            let limits = Limits { nodes: Some(60), ..Limits::default() };
            let options = Options { limits, ..Options::default() };
            let Ok(found) = verify(&system, Engine::Auto, &options, Plan::default(), &mut ()) else {
                continue;
            };
            if found.counting.is_some() {
                continue;
            }
            let (own, told) = (look(&system), look_with(&system, &found.known));
            looked_at += 1;
            spared += usize::from(told.instances.is_empty());
            // Where only a sample was looked at, each may have seen what the other has not.
            if own.is_exact {
                assert_eq!(
                    (told.nowhere, &told.transitions, &told.parts),
                    (own.nowhere, &own.transitions, &own.parts),
                    "{}",
                    model.name()
                );
            }
        }
    }
    assert!(looked_at > 50 && spared > 20, "{spared} of {looked_at}");
}

/// States of the search are asked about the processes that are named: what one of them does, the other does not.
#[test]
fn states_of_the_search_tell_apart_processes_with_names() {
    let system = system(
        "number_procs 2 type place = Out | In array P[proc] : place
         init { P[#1] = Out && P[#2] = Out }
         unsafe { P[#1] = In && P[#2] = In }
         transition enter () requires { P[#1] = Out } { P[#1] := In }",
    );
    let found = verify(&system, Engine::Auto, &Options::default(), Plan::default(), &mut ());
    let told = look_with(&system, &found.expect("a small system").known);
    let parts = told.parts.iter().map(|part| system.display_formula(&part.formula, &[]).to_string());
    assert_eq!(parts.collect::<Vec<_>>(), ["P[#2] = In"]);
    assert_eq!((told.transitions, told.parts[0].is_impossible), (vec![], false));
}

#[test]
fn our_models_are_not_vacuous() {
    for model in models("safe") {
        let found = look(&system(&model.text));
        assert!(!found.nowhere && !found.is_bad, "{}", model.name());
        assert!(
            !found.is_exact || found.transitions.is_empty() && found.parts.is_empty(),
            "{}",
            model.name()
        );
        assert!(!found.instances.is_empty(), "{}", model.name());
    }
}

#[test]
fn a_guard_that_never_holds() {
    let mut looked_at = 0;
    for model in models("safe") {
        let mut system = system(&model.text);
        // Whatever it needs, it never gets.
        for at in 0..system.transitions.len().min(3) {
            let guard = std::mem::replace(
                &mut system.transitions[at].guard,
                polycube_language::formula::Formula::FALSE,
            );
            let found = look(&system);
            assert!(found.transitions.contains(&at), "{}: {at}", model.name());
            system.transitions[at].guard = guard;
            looked_at += 1;
        }
    }
    assert!(looked_at > 50, "{looked_at}");
}

#[test]
fn parts_of_a_property() {
    let lock = |unsafe_clause: &str| {
        format!(
            "type place = Out | In | Ghost array P[proc] : place array F[proc] : bool \
             init (p) {{ P[p] = Out && F[p] = False }} {unsafe_clause} \
             transition t (p) requires {{ P[p] = Out }} {{ P[p] := In; F[p] := True }} \
             transition u (p) requires {{ P[p] = In }} {{ P[p] := Out; F[p] := False }}"
        )
    };
    let parts = |clause: &str| {
        let system = system(&lock(clause));
        let found = look(&system);
        let text = |part: &polycube_engine::vacuity::Part| {
            system.display_formula(&part.formula, &system.properties[part.property].parameters).to_string()
        };
        found.parts.iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(parts("unsafe (p q) { P[p] = In && P[q] = Ghost }"), ["P[q] = Ghost"]);
    let together = "unsafe (p q) { P[p] = In && F[p] = False && P[q] = In }";
    assert_eq!(parts(together), ["P[p] = In && F[p] = False"]);
    assert_eq!(parts("unsafe (p) { P[p] = In && F[p] = False }"), [""; 0]);
}

#[test]
fn nowhere_to_start() {
    let text = "var X : int init { X < 3 && 5 < X } unsafe { X = 4 } transition t () { X := X + 1 }";
    assert!(look(&system(text)).nowhere);
}
