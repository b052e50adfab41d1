//! Invariants of random systems, as they are and corrupted.

use std::collections::BTreeMap;
use std::sync::Mutex;

use polycube_language::System;
use polycube_solver::{Kind, Solver};
use polycube_testing::for_seeds;
use polycube_testing::generate::{Profile, Random, has_universals, random_system};

use crate::ask::{installed, unproved};
use crate::corrupted::{Fate, fate};
use crate::corruption::corruptions;
use crate::{induction, invariant, not_proved, shown};

/// How many systems are tried: a third of them is safe.
const SYSTEMS: u64 = 150;

/// The same for those that say something of all processes, and what they have.
const SYSTEMS_ABOUT_ALL: u64 = 100;
const ABOUT_ALL: Profile = Profile { process_constants: false, max_dimensions: 2, ..Profile::FINITE };

/// How many nodes a search may have.
const NODES: u64 = 40;

/// How many systems are tried whose invariants are corrupted, and how often each is.
const CORRUPTED_SYSTEMS: u64 = 80;
const CORRUPTED: usize = 2;

#[test]
fn invariants_of_random_systems_are_accepted() {
    let Some(z3) = installed(Kind::Z3) else { return };
    let is_proved = Mutex::default();
    if let Some(tried) = for_seeds!(SYSTEMS, |seed| accept(&z3, &system(seed), &is_proved)) {
        are_mostly_proved(&is_proved, tried);
    }
}

/// The same, where guards or properties speak of all processes.
#[test]
fn invariants_of_random_systems_about_all_are_accepted() {
    let Some(z3) = installed(Kind::Z3) else { return };
    let is_proved = Mutex::default();
    let tried = for_seeds!(SYSTEMS_ABOUT_ALL, |seed| {
        let seeds = (0..).map(|at| seed.wrapping_mul(1000).wrapping_add(at));
        let mut systems =
            seeds.map(|seed| random_system(seed, &Profile { places: seed % 2 == 1, ..ABOUT_ALL }));
        let system = systems.find(has_universals).expect("every fourth or so is one");
        accept(&z3, &system, &is_proved);
    });
    if let Some(tried) = tried {
        are_mostly_proved(&is_proved, tried);
    }
}

/// If the system is safe, z3 proves its invariant; whether the judge does is noted.
fn accept(z3: &Solver, system: &System, is_proved: &Mutex<Vec<bool>>) {
    let Some((system, invariant)) = invariant(system.clone(), Some(NODES)) else { return };
    let system = &system;
    let induction = induction(system, &invariant);
    if let Some((obligation, counterexample)) = induction.refuted() {
        let why = counterexample.display(system);
        panic!("{obligation:?} does not hold: {why}\n{}", shown(system, &invariant));
    }
    let unproved = unproved(z3, system, &invariant, &induction.hints());
    assert!(
        unproved.is_empty(),
        "{unproved:?} by {z3}, {:?} by the judge\n{}",
        not_proved(&induction),
        shown(system, &invariant)
    );
    is_proved.lock().expect("not poisoned").push(induction.is_proved());
}

fn are_mostly_proved(is_proved: &Mutex<Vec<bool>>, tried: u64) {
    let is_proved = is_proved.lock().expect("not poisoned");
    let (safe, open) = (is_proved.len(), is_proved.iter().filter(|is_proved| !**is_proved).count());
    assert!(safe as u64 > tried / 5, "only {safe} are safe");
    assert!(open <= 6 + safe / 50, "{open} of {safe} are left open");
}

#[test]
fn corrupted_invariants_of_random_systems_are_rejected() {
    let Some(z3) = installed(Kind::Z3) else { return };
    let solvers = [z3];
    let totals: Mutex<BTreeMap<Fate, usize>> = Mutex::new(BTreeMap::new());
    let tried = for_seeds!(CORRUPTED_SYSTEMS, |seed| {
        let system = system(seed);
        let Some((system, invariant)) = invariant(system, Some(NODES)) else { return };
        let corrupted = corruptions(&system, &invariant, &mut Random::new(seed));
        for corrupted in corrupted.iter().take(CORRUPTED) {
            let fate = fate(&solvers, &system, &corrupted.invariant)
                .unwrap_or_else(|wrong| panic!("{wrong}\n{}", shown(&system, &corrupted.invariant)));
            *totals.lock().expect("not poisoned").entry(fate).or_default() += 1;
        }
    });
    if let Some(tried) = tried {
        let totals = totals.into_inner().expect("not poisoned");
        let all: usize = totals.values().sum();
        assert!(all as u64 > tried / 4, "{totals:?}");
        assert!(totals.get(&Fate::Unknown).is_none_or(|unknown| *unknown <= 5 + all / 100), "{totals:?}");
    }
}

/// Systems of all kinds.
fn system(seed: u64) -> System {
    let profile = match seed % 5 {
        0 => Profile::CUBES,
        1 => Profile { quantified_properties: false, ..Profile::FINITE },
        2 => Profile { universal_guards: false, quantified_properties: false, ..Profile::ALL },
        3 => Profile { quantified_properties: false, ..Profile::ALL },
        _ => Profile::ALL,
    };
    random_system(seed, &Profile { places: seed / 5 % 2 == 1, ..profile })
}
