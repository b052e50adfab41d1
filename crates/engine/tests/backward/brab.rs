//! Approximations: whatever the oracle says, the answers stay right.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use polycube_certificate::replay;
use polycube_engine::backward::{Answer, Reason, Verification, verify_with};
use polycube_engine::engine::{Engine, verify};
use polycube_engine::forward::states::States;
use polycube_engine::forward::{self, End, Extent, Goal};
use polycube_engine::oracle::Plan;
use polycube_engine::oracle::{Atom, Oracle, Reached};
use polycube_engine::oracle::{Fixed, Guide};
use polycube_language::System;
use polycube_language::system::Processes;
use polycube_testing::lies::lie;
use polycube_testing::{for_seeds, shared, within};

use crate::random::{compare, options, system};

/// How many systems are tried, with each oracle.
const SYSTEMS: u64 = 200;

/// Rejects nothing.
#[derive(Debug)]
struct Credulous;

impl Oracle for Credulous {
    fn processes(&self) -> u32 {
        3
    }

    fn knows_all(&self) -> bool {
        true
    }

    fn rejects(&self, _: &[Atom], _: u64, _: &mut u64) -> Option<u64> {
        None
    }
}

/// Says anything; the same whenever it is asked the same.
#[derive(Debug)]
struct Liar(u64);

impl Oracle for Liar {
    fn processes(&self) -> u32 {
        2
    }

    fn knows_all(&self) -> bool {
        self.0.is_multiple_of(2)
    }

    fn rejects(&self, atoms: &[Atom], chosen: u64, _: &mut u64) -> Option<u64> {
        lie(self.0, 50, atoms.len(), chosen)
    }
}

#[test]
fn no_oracle_makes_an_answer_of_a_random_system_wrong() {
    let refuted = AtomicU64::new(0);
    let approximations = AtomicU64::new(0);
    let tried = for_seeds!(SYSTEMS, |seed| {
        let system = system(seed);
        let explored = explored(&system);
        let oracles: [Option<&dyn Oracle>; 3] =
            [explored.as_ref().map(|oracle| oracle as &dyn Oracle), Some(&Credulous), Some(&Liar(seed))];
        for (number, oracle) in oracles.into_iter().enumerate() {
            let Some(verification) = answers(&system, oracle) else { continue };
            approximations.fetch_add(verification.statistics.approximations, Ordering::Relaxed);
            refuted.fetch_add(verification.statistics.refuted, Ordering::Relaxed);
            for (property, answer) in verification.answers.iter().enumerate() {
                if let Answer::Unsafe(trace) = answer {
                    let run = replay(&system, trace).unwrap_or_else(|error| panic!("{number}: {error}"));
                    let violated = run.violations.iter().any(|violation| violation.property == property);
                    assert!(violated, "oracle {number}: the run does not end in property {property}");
                }
            }
            compare(seed, &system, &verification);
        }
    });
    // The test would mean little if nothing was approximated, or nothing taken back.
    if let Some(tried) = tried {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        assert!(count(&approximations) > tried / 2, "{approximations:?}");
        assert!(count(&refuted) > tried / 20, "{refuted:?}");
    }
}

/// With and without approximations, what is known is the same.
#[test]
fn approximations_change_no_answer_of_a_random_system() {
    for_seeds!(SYSTEMS / 2, |seed| {
        let system = system(seed);
        let (Some(plain), Some(other)) = (answers(&system, None), answers(&system, Some(&Liar(seed)))) else {
            return;
        };
        for (property, pair) in plain.answers.iter().zip(&other.answers).enumerate() {
            let contradiction =
                matches!(pair, (Answer::Safe, Answer::Unsafe(_)) | (Answer::Unsafe(_), Answer::Safe));
            // Without approximations it is known that there is a run, real or not.
            let found_out = matches!(
                pair,
                (Answer::Unknown(Reason::Weakened(..) | Reason::Unconfirmed(_)), Answer::Safe)
            );
            assert!(
                !contradiction && !found_out,
                "seed {seed}, property {property}: {pair:?}\n{}",
                system.to_source()
            );
        }
    });
}

/// Without any choice by hand.
#[test]
fn published_models_get_their_answer() {
    let Some(models) = shared("corpus/cub") else { return };
    for (name, expected) in [
        ("bakery_lamport_na", "safe"),
        ("german.ctc", "safe"),
        ("german_pfs", "safe"),
        ("german_undip", "safe"),
        ("szymanski_na", "safe"),
        ("jml", "safe"),
        ("flash_nodata", "safe"),
        ("flash", "safe"),
        ("flash_buggy", "unsafe"),
    ] {
        let (system, options) = (crate::published_system(&models, name), crate::two_threads());
        let verification = verify(&system, Engine::Auto, &options, Plan::default(), &mut ());
        let verification = verification.expect("a supported system");
        assert_eq!(verification.verdict().word(), expected, "{name}");
        assert!(verification.statistics.approximations > 0, "{name}");
    }
}

fn answers(system: &System, oracle: Option<&dyn Oracle>) -> Option<Verification> {
    let options = options();
    within(Duration::from_secs(1), &options.interrupt, || {
        let guide = oracle.map(|oracle| Box::new(Fixed(oracle)) as Box<dyn Guide + '_>);
        verify_with(system, &options, guide, &[], &mut ())
    })
    .ok()
}

fn explored(system: &System) -> Option<Reached> {
    let processes = match system.processes {
        Processes::Exactly(count) => count,
        Processes::Any => 2,
    };
    explore(system, processes, 300)
}

fn explore(system: &System, processes: u32, states: u64) -> Option<Reached> {
    let mut options = forward::Options {
        extent: Extent::Sample { starts: 64, width: 1000 },
        goal: Goal::Everything,
        ..forward::Options::new(processes)
    };
    options.limits.states = Some(states);
    States::explore(system, &options, &mut ()).ok().map(|(states, exploration)| {
        let complete = exploration.end == End::Complete;
        Reached { states, complete, never_fired: exploration.never_fired }
    })
}
