//! Random systems with much besides that has no effect. Whatever their size, what is found is what is found of the small
//! systems; or they are refused.

use polycube_engine::backward::{Answer, Limits, Options, Reason};
use polycube_engine::compile::TooLarge;
use polycube_engine::compile::slot::Slots;
use polycube_engine::cube::Unsupported;
use polycube_engine::cube::{MAX_CELLS, MAX_NAMED, MAX_TYPES, MAX_VALUES};
use polycube_engine::engine::{Engine, verify};
use polycube_engine::forward::{self, End, Exploration, Goal, explore};
use polycube_engine::oracle::Plan;
use polycube_language::System;
use polycube_language::system::Processes;
use polycube_testing::generate::{Padding, Profile, Random, padded, random_system};

/// How many cubes of a small system are expanded.
const NODES: u64 = 40;

/// How many states of a small system are explored.
const STATES: u64 = 300;

/// How many processes these instances have.
const PROCESSES: u32 = 2;

#[test]
fn enumerations() {
    for enumerations in [1, 2, 62, 63, 64].into_iter().chain(250..260) {
        check_all(40, &Padding { enumerations, ..Padding::default() });
    }
}

#[test]
fn abstract_types() {
    for abstract_types in [1, 2].into_iter().chain(250..260) {
        check_all(40, &Padding { abstract_types, ..Padding::default() });
    }
}

#[test]
fn types_up_to_the_limit() {
    for seed in 48..54 {
        let most = MAX_TYPES - types(&padded(&small(seed, &Padding::default()), &Padding::default()));
        for abstract_types in [most - 1, most, most + 1] {
            check(seed, &Padding { abstract_types, ..Padding::default() });
        }
    }
}

#[test]
fn constructors() {
    for constructors in [1, 2].into_iter().chain(MAX_VALUES - 5..MAX_VALUES + 2).chain(253..258) {
        check_all(30, &Padding { constructors, ..Padding::default() });
    }
    check_all(2, &Padding { constructors: 70_000, ..Padding::default() });
}

#[test]
fn variables_and_arrays() {
    for number in [1, 2, 62, 63, 64].into_iter().chain(253..258) {
        check_all(10, &Padding { variables: number, ..Padding::default() });
        check_all(10, &Padding { arrays: number, ..Padding::default() });
    }
}

/// With one more of them, there are too many cells for cubes over one process; with more still, for instances.
#[test]
fn cells_up_to_the_limit() {
    for seed in 0..3 {
        let own = padded(&small(seed, &Padding::default()), &Padding::default()).symbols.len();
        for number in [MAX_CELLS - own - 1, MAX_CELLS - own, MAX_CELLS - own + 1, 1 << 16] {
            check(seed, &Padding { variables: number, ..Padding::default() });
            check(seed, &Padding { arrays: number, ..Padding::default() });
        }
    }
}

#[test]
fn transitions() {
    for transitions in [1, 2].into_iter().chain(58..67).chain(253..258) {
        check_all(10, &Padding { transitions, ..Padding::default() });
    }
    // Which rules are independent is known for at most 2048.
    for transitions in (2040..2050).chain([(1 << 16) - 1, 1 << 16]) {
        check(1, &Padding { transitions, ..Padding::default() });
    }
}

#[test]
fn parameters() {
    let many = usize::from(MAX_NAMED);
    for parameters in [1, 2].into_iter().chain(many - 1..many + 3).chain(63..66).chain(253..258) {
        check_all(4, &Padding { parameters, transitions: 1, properties: 1, ..Padding::default() });
    }
}

#[test]
fn properties() {
    for properties in [1, 2, 62, 63, 64, 65].into_iter().chain(254..258) {
        check_all(4, &Padding { properties, ..Padding::default() });
    }
    check(1, &Padding { properties: (1 << 16) + 1, ..Padding::default() });
}

/// Several of these at the same time.
#[test]
fn several_at_once() {
    let sizes = [0, 0, 0, 1, 2, 63, 64, 65, 254, 255, 256, 257];
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let mut size = || *random.pick(&sizes);
        let padding = Padding {
            enumerations: size(),
            abstract_types: size(),
            constructors: size().min(MAX_VALUES - 5),
            variables: size(),
            arrays: size(),
            transitions: size(),
            parameters: size().min(usize::from(MAX_NAMED) - 2),
            properties: size(),
        };
        check(seed, &padding);
    }
}

/// The number of processes is part of the model: more than cubes can name are refused, and so are more than an instance can
/// have.
#[test]
fn processes() {
    for seed in 0..3 {
        let open = random_system(seed, &Profile { max_dimensions: 1, ..Profile::CUBES });
        let of_all_sizes = verified(&open, NODES).expect("the system is supported");
        for count in [1, 2, 3, 14, 15, 16, 63, 64, 65] {
            let fixed = System { processes: Processes::Exactly(count), ..open.clone() };
            let found = verified(&fixed, NODES / 8);
            assert_eq!(
                found.as_ref().err(),
                (count > MAX_NAMED.into()).then_some(&Unsupported::Processes(count))
            );
            for (one, all) in found.iter().flatten().zip(&of_all_sizes) {
                let contradict = matches!((one, all), (Answer::Unsafe(_), Answer::Safe));
                assert!(!contradict, "seed {seed}, {count} processes: {one:?} and {all:?}");
            }
            match explored(&fixed, count, STATES / 4) {
                Ok(exploration) => {
                    assert!(count <= TooLarge::MAX_PROCESSES);
                    no_violation_is_safe(&exploration, found.as_deref().unwrap_or(&of_all_sizes));
                }
                Err(TooLarge::Processes(refused)) => {
                    assert_eq!((refused, count > TooLarge::MAX_PROCESSES), (count, true));
                }
                Err(TooLarge::Code(_) | TooLarge::Bits(_) | TooLarge::Orders(_)) => assert!(count > 15),
                Err(error) => panic!("seed {seed}, {count} processes: {error:?}"),
            }
        }
    }
}

fn check_all(seeds: u64, padding: &Padding) {
    (0..seeds).for_each(|seed| check(seed, padding));
}

/// Compares what is found of a system with what is found of it when it is padded.
fn check(seed: u64, padding: &Padding) {
    let small = small(seed, padding);
    let large = padded(&small, padding);
    let context = format!("seed {seed}, {padding:?}");
    let few = verified(&small, NODES).expect("the system is supported");
    let answers = verified(&large, 2 * NODES);
    assert_eq!(answers.as_ref().err(), refusal(&large).as_ref(), "{context}");
    if let Ok(answers) = &answers {
        let (others, own) = answers.split_at(padding.properties);
        assert!(others.iter().all(|answer| !matches!(answer, Answer::Unsafe(_))), "{context}: {others:?}");
        for (before, after) in few.iter().zip(own) {
            compare(padding, before, after, &context);
        }
    }

    let exploration = explored(&small, PROCESSES, STATES).expect("an instance");
    let larger = match explored(&large, PROCESSES, STATES * Padding::STATES + 1) {
        Ok(larger) => larger,
        Err(TooLarge::Slots(count)) => {
            let cells = padding.variables + padding.arrays * PROCESSES as usize;
            assert!(count > Slots::MAX && cells > Slots::MAX as usize - 1000, "{context}: {count} cells");
            return;
        }
        // More values can be ordered in more ways.
        Err(TooLarge::Orders(_)) if padding.constructors > 0 => return,
        Err(error) => panic!("{context}: {error:?}"),
    };
    if exploration.end == End::Complete {
        assert_eq!(
            (larger.end, larger.states),
            (End::Complete, exploration.states * Padding::STATES),
            "{context}"
        );
        let violated = |exploration: &Exploration, first: usize| -> Vec<usize> {
            exploration.violations.iter().map(|violation| violation.property - first).collect()
        };
        assert_eq!(violated(&exploration, 0), violated(&larger, padding.properties), "{context}");
    }
    if let Ok(answers) = &answers {
        no_violation_is_safe(&larger, answers);
    }
}

/// A small system. With more constructors, it gives no cell a value that it does not name.
fn small(seed: u64, padding: &Padding) -> System {
    let profile = Profile { choice: padding.constructors == 0, abstract_types: true, ..Profile::CUBES };
    let mut system = random_system(seed, &profile);
    system.processes = Processes::Any;
    system
}

fn verified(system: &System, nodes: u64) -> Result<Vec<Answer>, Unsupported> {
    let options =
        Options { limits: Limits { nodes: Some(nodes), ..Limits::default() }, ..Options::default() };
    let found = verify(system, Engine::Backward, &options, Plan::default(), &mut ())?;
    Ok(found.answers)
}

fn explored(system: &System, processes: u32, states: u64) -> Result<Exploration, TooLarge> {
    let mut options = forward::Options::new(processes);
    options.goal = Goal::Everything;
    options.limits.states = Some(states);
    explore(system, &options, &mut ())
}

/// `proc`, enumerations and abstract types.
fn types(system: &System) -> usize {
    1 + system.enumerations.len() + system.abstract_types.len()
}

/// Why a system has to be refused, if it has.
fn refusal(system: &System) -> Option<Unsupported> {
    let given = |at: usize| system.enumerations[at].constructors.len();
    if let Some(at) = (0..system.enumerations.len()).find(|&at| given(at) > MAX_VALUES) {
        return Some(Unsupported::Values { name: system.enumerations[at].name.clone(), given: given(at) });
    }
    if types(system) > MAX_TYPES {
        return Some(Unsupported::Types(types(system)));
    }
    // With one process, each symbol has one cell.
    let cells = system.symbols.len();
    (cells > MAX_CELLS).then_some(Unsupported::Cells { processes: 1, given: cells })
}

/// An answer does not change; but where there are many cells or parameters, there may be none.
fn compare(padding: &Padding, before: &Answer, after: &Answer, context: &str) {
    let crowded = padding.variables + padding.arrays > 1000 || padding.parameters > usize::from(MAX_NAMED);
    match (before, after) {
        (Answer::Safe, Answer::Safe)
        | (Answer::Unsafe(_), Answer::Unsafe(_))
        | (Answer::Unknown(_), _)
        | (_, Answer::Unknown(Reason::Nodes)) => {}
        (_, Answer::Unknown(Reason::Processes | Reason::Unconfirmed(_))) if crowded => {}
        _ => panic!("{context}: {before:?} became {after:?}"),
    }
}

/// What exploration finds is not called safe.
fn no_violation_is_safe(exploration: &Exploration, answers: &[Answer]) {
    for violation in &exploration.violations {
        assert_ne!(answers[violation.property], Answer::Safe, "violated: {violation:?}");
    }
}
