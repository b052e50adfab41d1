//! Random systems: what the verifier says against what exploration finds.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use polycube_certificate::replay;
use polycube_engine::backward::{Answer, Limits, Options, Reason, SymbolicRun, Verification, Weakening};
use polycube_engine::compile::domain::Bounds;
use polycube_engine::engine::{self, Engine};
use polycube_engine::forward::{self, Goal, explore};
use polycube_engine::oracle::Plan;
use polycube_language::System;
use polycube_language::formula::{Formula, Quantifier};
use polycube_language::span::Origin;
use polycube_language::system::{Processes, Property, PropertyKind, SymbolKind, Type};
use polycube_testing::generate::{Profile, Random, has_universals, random_system};
use polycube_testing::{for_seeds, within};

/// How many systems are tried.
const SYSTEMS: u64 = 1_000;

/// How many are tried with approximations, in each of two ways.
const APPROXIMATED: u64 = 400;

#[derive(Debug, Default)]
struct Totals {
    safe: AtomicU64,
    unsafe_: AtomicU64,
    unknown: AtomicU64,
    crashing: AtomicU64,
    unconfirmed: AtomicU64,
    violated: AtomicU64,
    nodes: AtomicU64,
    approximations: AtomicU64,
}

impl Totals {
    /// The tests would mean little if most answers were trivial.
    fn are_varied(&self, tried: u64) {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        assert!(count(&self.safe) > tried / 4, "{self:?}");
        assert!(count(&self.unsafe_) > tried / 4, "{self:?}");
        assert!(count(&self.unconfirmed) < tried / 30, "{self:?}");
    }

    fn have_approximations(&self, tried: u64) {
        assert!(self.approximations.load(Ordering::Relaxed) > tried / 20, "{self:?}");
    }
}

#[test]
fn answers_agree_with_exploration() {
    let totals = Totals::default();
    if let Some(tried) = for_seeds!(SYSTEMS, |seed| check(seed, Engine::Backward, &totals)) {
        totals.are_varied(tried);
        assert!(totals.nodes.into_inner() > tried, "most searches are short");
    }
}

#[test]
fn answers_with_approximations_agree_with_exploration() {
    let totals = Totals::default();
    if let Some(tried) = for_seeds!(APPROXIMATED, |seed| check(seed, Engine::Brab, &totals)) {
        totals.are_varied(tried);
        totals.have_approximations(tried);
    }
}

#[test]
fn answers_without_a_choice_by_hand_agree_with_exploration() {
    let totals = Totals::default();
    if let Some(tried) = for_seeds!(APPROXIMATED, |seed| check(seed, Engine::Auto, &totals)) {
        totals.are_varied(tried);
        totals.have_approximations(tried);
    }
}

/// Systems of all kinds.
pub fn system(seed: u64) -> System {
    let profile = match seed % 4 {
        0 => Profile::CUBES,
        1 => Profile::FINITE,
        2 => Profile { universal_guards: false, quantified_properties: false, ..Profile::ALL },
        _ => Profile::ALL,
    };
    // Arrays of three dimensions are expensive for cubes over many processes, and rare.
    let max_dimensions = if seed % 64 < 4 { 3 } else { 2 };
    // In every second block of four, the searches are deeper.
    let places = seed / 4 % 2 == 1;
    random_system(seed, &Profile { max_dimensions, places, ..profile })
}

pub fn options() -> Options {
    Options { limits: Limits { nodes: Some(40), ..Limits::default() }, ..Options::default() }
}

fn check(seed: u64, engine: Engine, totals: &Totals) {
    let system = system(seed);
    let add = |counter: &AtomicU64, number: u64| counter.fetch_add(number, Ordering::Relaxed);
    let options = options();
    let result = within(Duration::from_millis(1000), &options.interrupt, || {
        engine::verify(&system, engine, &options, Plan::default(), &mut ())
    });
    let verification = match result {
        Ok(verification) => verification,
        Err(error) => panic!("seed {seed}: {error:?}"),
    };
    add(&totals.nodes, verification.statistics.nodes);
    add(&totals.approximations, verification.statistics.approximations);
    for (property, answer) in verification.answers.iter().enumerate() {
        match answer {
            Answer::Safe => add(&totals.safe, 1),
            Answer::Unsafe(trace) => {
                let run = replay(&system, trace).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                assert!(
                    run.violations.iter().any(|violation| violation.property == property),
                    "seed {seed}: the run does not end in property {property}"
                );
                add(&totals.unsafe_, 1)
            }
            Answer::Unknown(Reason::Weakened(_, weakening)) => {
                let has_numbers = || system.symbols.iter().any(|symbol| symbol.ty.is_numeric());
                assert!(
                    has_universals(&system) || *weakening == Weakening::Values && has_numbers(),
                    "seed {seed}: no universal quantifiers, but crashing runs: {:?}\n{}",
                    answer,
                    system.to_source()
                );
                add(&totals.crashing, 1)
            }
            Answer::Unknown(Reason::Unconfirmed(run)) => {
                // It is not found out in all cases that no instance has an initial state: `init (p) { A[p] <
                // p }` has infinite models, and so has `init (p) { exists q. p < q }`.
                let dependent = system.init.iter().any(|init| {
                    let apart = init.parameters.is_empty();
                    needs_another(&init.formula, true, apart)
                });
                let pointers = system.symbols.iter().any(|symbol| {
                    symbol.ty == Type::Process && matches!(symbol.kind, SymbolKind::Array { .. })
                });
                assert!(
                    has_universals(&system) || (dependent || pointers) && starts_nowhere(&system, run),
                    "seed {seed}: {run:?}\n{}",
                    system.to_source()
                );
                add(&totals.unconfirmed, 1)
            }
            Answer::Unknown(Reason::Nodes | Reason::Processes | Reason::Cases | Reason::Interrupted) => {
                add(&totals.unknown, 1)
            }
            Answer::Unknown(Reason::Violated) if engine != Engine::Backward => {
                assert!(verification.verdict().word() == "unsafe", "seed {seed}");
                add(&totals.unknown, 1)
            }
            Answer::Unknown(reason) => panic!("seed {seed}: {reason:?}"),
            Answer::Trusted => panic!("seed {seed}: nothing was to be trusted"),
        };
    }
    totals.violated.fetch_add(compare(seed, &system, &verification), Ordering::Relaxed);
}

/// What exploration finds, the verifier must not call safe. How much it finds.
pub fn compare(seed: u64, system: &System, verification: &Verification) -> u64 {
    let mut violated = 0;
    if !verification.answers.contains(&Answer::Safe) {
        return violated;
    }
    let mut random = Random::new(seed ^ 0xB0D5);
    let sizes = match system.processes {
        Processes::Exactly(count) => count..=count,
        Processes::Any => 1..=4,
    };
    for processes in sizes {
        let mut options = forward::Options::new(processes);
        options.goal = Goal::Everything;
        options.bounds = Bounds {
            numbers: random.below(2) as i64 - 1..=random.below(3) as i64,
            values: random.between(1, 3) as u32,
        };
        options.limits.states = Some(1000);
        // Exploration is thorough as far as it gets in a moment.
        let Ok(exploration) = within(Duration::from_millis(150), &options.interrupt.clone(), || {
            explore(system, &options, &mut ())
        }) else {
            continue;
        };
        for violation in &exploration.violations {
            violated += 1;
            assert_ne!(
                verification.answers[violation.property],
                Answer::Safe,
                "seed {seed}: called safe, but violated with {processes} processes in {} steps\n{}",
                violation.trace.steps.len(),
                system.to_source()
            );
        }
    }
    violated
}

/// Whether exploration finds no initial state in the first cube of a symbolic run.
fn starts_nowhere(system: &System, run: &SymbolicRun) -> bool {
    let first = &run.states[0];
    let mut system = system.clone();
    system.properties = vec![Property {
        kind: PropertyKind::Unsafe,
        parameters: first.parameters.clone(),
        formula: first.formula.clone(),
        origin: Origin::default(),
    }];
    (1..=3).all(|processes| {
        let mut options = forward::Options::new(processes);
        options.bounds = Bounds { numbers: -3..=3, values: 3 };
        options.limits = forward::Limits { depth: Some(0), ..forward::Limits::default() };
        let exploration = within(Duration::from_millis(300), &options.interrupt.clone(), || {
            explore(&system, &options, &mut ())
        });
        exploration.is_ok_and(|exploration| exploration.violations.is_empty())
    })
}

/// Whether some process has to exist for a formula to hold, or to fail; not counting those that have to exist
/// `apart` from everything else.
fn needs_another(formula: &Formula, holds: bool, apart: bool) -> bool {
    match formula {
        Formula::Constant(_) | Formula::Compare(_) => false,
        Formula::Not(part) => needs_another(part, !holds, apart),
        Formula::And(parts) | Formula::Or(parts) => {
            let apart = apart && matches!(formula, Formula::And(_)) == holds;
            parts.iter().any(|part| needs_another(part, holds, apart))
        }
        Formula::Iff(parts) => {
            parts.iter().any(|part| needs_another(part, true, false) || needs_another(part, false, false))
        }
        Formula::IfThenElse(parts) => {
            parts.iter().any(|part| needs_another(part, true, false) || needs_another(part, false, false))
        }
        Formula::Quantified(one) => {
            let exists = (one.quantifier == Quantifier::Exists) == holds;
            exists && !apart || needs_another(&one.body, holds, apart && exists)
        }
    }
}
