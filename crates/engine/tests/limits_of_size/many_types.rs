//! More types than fit into 8 bits, and more than fit into 16.

use std::fmt::Write;

use polycube_engine::backward::{Answer, Options};
use polycube_engine::cube::MAX_TYPES;
use polycube_engine::cube::Unsupported;
use polycube_engine::engine::{Engine, verify};
use polycube_engine::oracle::Plan;
use polycube_language::{System, check};

/// Enumerations of three values, `proc` and `bool` not counted.
const ENUMERATIONS: usize = 300;

/// After these steps the three variables are compared.
const STEPS: usize = 40;

/// Flags that steps set, each for itself: they make the search long.
const FLAGS: usize = 60;

/// A chain of steps, at the end of which three variables of one of many types, which nothing ever sets, must not be
/// different.
fn chain(enumerations: usize, chosen: usize, flags: usize) -> System {
    let mut model = String::new();
    let mut line = |text: String| writeln!(model, "{text}").expect("a text can be written");
    (0..enumerations).for_each(|at| line(format!("type t{at} = A{at} | B{at} | C{at}")));
    let places: Vec<String> = (0..STEPS).map(|at| format!("S{at}")).collect();
    line(format!("type place = {}", places.join(" | ")));
    line("var S : place".to_owned());
    ["X", "Y", "Z"].iter().for_each(|name| line(format!("var {name} : t{chosen}")));
    (0..flags).for_each(|at| line(format!("var F{at} : bool")));
    let unset: String = (0..flags).map(|at| format!(" && F{at} = False")).collect();
    line(format!("init () {{ S = S0{unset} }}"));
    line(format!("unsafe () {{ S = S{} && X <> Y && Y <> Z && X <> Z }}", STEPS - 1));
    for at in 1..STEPS {
        line(format!("transition step{at} () requires {{ S = S{} }} {{ S := S{at} }}", at - 1));
    }
    for at in 0..flags {
        line(format!("transition set{at} () requires {{ F{at} = False }} {{ F{at} := True }}"));
    }
    let checked = check(&model);
    checked.system.unwrap_or_else(|| panic!("a system: {:?}", checked.diagnostics))
}

fn steps_to_unsafe(system: &System, engine: Engine) -> usize {
    let found = verify(system, engine, &Options::default(), Plan::default(), &mut ());
    match found.expect("the system is supported").verdict() {
        Answer::Unsafe(trace) => trace.steps.len(),
        other => panic!("three values can be different: {other:?}"),
    }
}

/// Whatever the number of the type is: some of all, and all around the 256th.
#[test]
fn three_variables_of_any_type_can_be_different() {
    for chosen in (0..ENUMERATIONS).filter(|number| number % 16 == 0 || (248..264).contains(number)) {
        let steps = steps_to_unsafe(&chain(ENUMERATIONS, chosen, FLAGS), Engine::Backward);
        assert_eq!(steps, STEPS - 1, "type {chosen}");
    }
}

/// The types that would have the numbers 255, 0 and 1, had a number 8 bits: of `proc` and of `bool`, for instance.
#[test]
fn approximations_do_not_confuse_types() {
    for chosen in [10, 253, 254, 255, 256] {
        let steps = steps_to_unsafe(&chain(ENUMERATIONS, chosen, FLAGS), Engine::Auto);
        assert_eq!(steps, STEPS - 1, "type {chosen}");
    }
}

/// The last type that has a number of 16 bits can be used; with one more type, the system is refused.
#[test]
fn types_beyond_the_limit_are_refused() {
    // Besides these: `proc`, `bool` and the places.
    let most = MAX_TYPES - 3;
    assert_eq!(steps_to_unsafe(&chain(most, most - 1, 1), Engine::Backward), STEPS - 1);
    let refused =
        verify(&chain(most + 1, most, 1), Engine::Backward, &Options::default(), Plan::default(), &mut ());
    assert_eq!(refused.err(), Some(Unsupported::Types(MAX_TYPES + 1)));
}
