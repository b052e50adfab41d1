//! Numbers of processes, and sums: what they are in a state.

use polycube_certificate::{Cell, Instance, Orders, State, Value, counted, violates};
use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::system::{EnumerationId, Type};
use polycube_testing::for_seeds;
use polycube_testing::generate::Random;

const MODEL: &str = "type place = Out | In | Busy
array Place[proc] : place
array Flag[proc] : bool
array Level[proc] : int
var X : int
var Y : int
init (p) { true }
";

/// A formula about the process q.
fn formula(random: &mut Random, depth: usize) -> String {
    let place = *random.pick(&["Out", "In", "Busy"]);
    match random.below(if depth == 0 { 5 } else { 8 }) {
        0 => format!("Place[q] = {place}"),
        1 => format!("Place[q] <> {place}"),
        2 => "Flag[q] = True".to_owned(),
        3 => format!("Level[q] <= {}", random.below(3)),
        4 => "true".to_owned(),
        5 => format!("({} && {})", formula(random, depth - 1), formula(random, depth - 1)),
        6 => format!("({} || {})", formula(random, depth - 1), formula(random, depth - 1)),
        _ => format!("not ({})", formula(random, depth - 1)),
    }
}

fn count(random: &mut Random) -> String {
    let formula = formula(random, 2);
    match random.below(4) {
        0 => format!("#{{q | {formula} : Level[q]}}"),
        1 => format!("#{{q | {formula} : 2 * Level[q] + 1}}"),
        _ => format!("#{{q | {formula}}}"),
    }
}

fn system(clause: &str) -> System {
    let checked = polycube_language::check(&format!("{MODEL}{clause}\n"));
    checked.system.unwrap_or_else(|| panic!("{clause}: {:?}", checked.diagnostics.iter().next()))
}

fn is_violated(clause: &str, state: &State) -> bool {
    let system = system(clause);
    let instance = Instance::new(&system, 3, Orders::default()).expect("an instance");
    let state = counted(&instance, state.clone()).expect("a state");
    violates(&instance, &system.properties[0], &state).is_some()
}

/// What several numbers say together in one model is what each of them says in a model of its own: none is taken for
/// another.
#[test]
fn random_numbers_are_not_confused() {
    for_seeds!(2_000, |seed| {
        let mut random = Random::new(seed);
        let (first, second) = (count(&mut random), count(&mut random));
        let bare = system("");
        let state = State::new(&bare, 3, |cell: &Cell| match bare.symbol(cell.symbol).ty {
            Type::Integer => Value::Number(Number::from(random.below(4) as i64)),
            Type::BOOL => Value::Constructor(EnumerationId::BOOL, random.below(2) as u32),
            Type::Enumeration(id) => Value::Constructor(id, random.below(3) as u32),
            ty => panic!("no symbol has the type {ty:?}"),
        });
        let alone = [format!("unsafe {{ X = {first} }}"), format!("unsafe {{ Y = {second} }}")];
        let both = format!("unsafe {{ X = {first} && Y = {second} }}");
        let expected = alone.iter().all(|clause| is_violated(clause, &state));
        assert_eq!(is_violated(&both, &state), expected, "{both}\n{state:?}");
    });
}

/// The numbers are what one would count by hand.
#[test]
fn numbers_in_a_state() {
    let bare = system("");
    let levels = [4, -1, 3];
    let state = State::new(&bare, 3, |cell: &Cell| {
        let process = cell.indices.first().map_or(0, |process| *process as usize - 1);
        match bare.symbol(cell.symbol).ty {
            Type::Integer => {
                Value::Number(Number::from(if cell.indices.is_empty() { 0 } else { levels[process] }))
            }
            Type::BOOL => Value::Constructor(EnumerationId::BOOL, u32::from(process == 2)),
            Type::Enumeration(id) => Value::Constructor(id, [0, 1, 1][process]),
            ty => panic!("no symbol has the type {ty:?}"),
        }
    });
    for (term, value) in [
        ("#{p | true}", 3),
        ("#{p | Place[p] = In}", 2),
        ("#{p | Place[p] = Busy}", 0),
        ("#{p | Place[p] = In && not Flag[p]}", 1),
        ("#{p | true : Level[p]}", 6),
        ("#{p | Place[p] = In : Level[p]}", 2),
        ("#{p | Level[p] >= 0 : 2 * Level[p] + 1}", 16),
        ("#{Level[k] = Level[k]}", 3),
    ] {
        assert!(is_violated(&format!("unsafe {{ {term} = {value} }}"), &state), "{term}");
        assert!(!is_violated(&format!("unsafe {{ {term} <> {value} }}"), &state), "{term}");
    }
}
