//! Invariants of random systems, as they are and corrupted.

use std::collections::BTreeMap;
use std::ops::Range;

use polycube_certificate::smtlib;
use polycube_language::System;
use polycube_language::generate::{Profile, Random, random_system};
use polycube_solver::Kind;

use crate::ask::{installed, unproved};
use crate::corrupted::{Fate, fate};
use crate::corruption::corruptions;
use crate::{induction, invariant, not_proved, on_all_cores, shown};

/// How many systems are tried: a third of them is safe.
const SYSTEMS: u64 = 1_500;

/// How many nodes a search may have.
const NODES: u64 = 40;

/// How many systems are tried whose invariants are corrupted, and how often each is.
const CORRUPTED_SYSTEMS: u64 = 700;
const CORRUPTED: usize = 2;

#[test]
fn invariants_of_random_systems_are_accepted() {
    let Some(z3) = installed(Kind::Z3) else { return };
    let seeds: Vec<u64> = seeds(SYSTEMS).collect();
    let is_proved = on_all_cores(&seeds, &|&seed| {
        let system = system(seed);
        let invariant = invariant(&system, Some(NODES))?;
        let induction = induction(&system, &invariant);
        if let Some((obligation, counterexample)) = induction.refuted() {
            let why = counterexample.display(&system);
            panic!("seed {seed}: {obligation:?} does not hold: {why}\n{}", shown(&system, &invariant));
        }
        let unproved = unproved(&z3, &system, &invariant, &smtlib::hints(&induction));
        assert!(
            unproved.is_empty(),
            "seed {seed}: {unproved:?} by {z3}, {:?} by the judge\n{}",
            not_proved(&induction),
            shown(&system, &invariant)
        );
        Some(induction.is_proved())
    });
    let safe = is_proved.iter().flatten().count();
    let open = is_proved.iter().filter(|is_proved| **is_proved == Some(false)).count();
    assert!(named_seeds().is_some() || safe >= 500, "only {safe} are safe");
    assert!(open * 50 <= safe, "{open} of {safe} are left open");
}

#[test]
fn corrupted_invariants_of_random_systems_are_rejected() {
    let Some(z3) = installed(Kind::Z3) else { return };
    let solvers = [z3];
    let seeds: Vec<u64> = seeds(CORRUPTED_SYSTEMS).collect();
    let fates = on_all_cores(&seeds, &|&seed| {
        let system = system(seed);
        let Some(invariant) = invariant(&system, Some(NODES)) else { return Vec::new() };
        let corrupted = corruptions(&system, &invariant, &mut Random::new(seed));
        let fate = |invariant| {
            fate(&solvers, &system, invariant)
                .unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}\n{}", shown(&system, invariant)))
        };
        corrupted.iter().take(CORRUPTED).map(|corrupted| fate(&corrupted.invariant)).collect()
    });
    let mut totals: BTreeMap<Fate, usize> = BTreeMap::new();
    fates.iter().flatten().for_each(|fate| *totals.entry(*fate).or_default() += 1);
    let all: usize = totals.values().sum();
    assert!(named_seeds().is_some() || all >= 300, "{totals:?}");
    assert!(totals.get(&Fate::Unknown).is_none_or(|unknown| unknown * 100 <= all), "{totals:?}");
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

/// The first seeds, or those that the variables `POLYCUBE_SEED` and `POLYCUBE_SYSTEMS` name: the first, and how many.
fn seeds(count: u64) -> Range<u64> {
    named_seeds().unwrap_or(0..count)
}

fn named_seeds() -> Option<Range<u64>> {
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let first = number("POLYCUBE_SEED")?;
    Some(first..first + number("POLYCUBE_SYSTEMS").unwrap_or(1))
}
