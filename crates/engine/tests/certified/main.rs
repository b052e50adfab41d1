//! The invariants that the engines report, as outside solvers see them.

mod solver;

use polycube_certificate::{Clause, Invariant, Obligation, smtlib};
use polycube_engine::backward::{Limits, Options, Verification};
use polycube_engine::brab::instances::Plan;
use polycube_engine::engine::{Engine, verify};
use polycube_language::System;
use polycube_language::generate::{Profile, random_system};
use polycube_testing::models;

use solver::{Solver, Verdict};

/// Models that take too many nodes, or that are not supported.
const LEFT_OUT: [&str; 5] = ["bakery", "chandra_toueg_omission", "lamport_distributed", "splitter", "ticket"];

/// Models whose questions take cvc5 more than some seconds.
const LONG_FOR_CVC5: [&str; 2] = ["chandra_toueg", "flash_data"];

/// How many random systems have to be safe, so that their invariants are looked at.
const SAFE: usize = 500;

/// The invariant of a system, if it is safe.
fn invariant(system: &System, nodes: Option<u64>) -> Option<Invariant> {
    let options = Options { limits: Limits { nodes, ..Limits::default() }, ..Options::default() };
    let verification: Verification = verify(system, Engine::Auto, &options, Plan::default(), &mut ()).ok()?;
    let clauses = verification
        .invariant
        .iter()
        .map(|cube| Clause { parameters: cube.parameters.clone(), never: cube.formula.clone() });
    (verification.verdict().word() == "safe").then(|| Invariant { clauses: clauses.collect() })
}

/// The obligations of an invariant that the solver does not prove.
fn rejected(solver: Solver, system: &System, invariant: &Invariant) -> Vec<(Obligation, Verdict)> {
    let asked = Obligation::all(system, invariant)
        .into_iter()
        .map(|obligation| (obligation, solver.ask(&smtlib::question(system, invariant, obligation))));
    asked.filter(|(_, verdict)| *verdict != Verdict::Unsatisfiable).collect()
}

#[test]
fn invariants_of_models_are_accepted() {
    for solver in Solver::installed() {
        for model in models("safe").iter().filter(|model| !LEFT_OUT.contains(&model.name())) {
            if solver == Solver::Cvc5 && LONG_FOR_CVC5.contains(&model.name()) {
                continue;
            }
            let system = polycube_language::check(&model.text).system.expect("a correct model");
            let invariant = invariant(&system, None).expect("a safe model");
            let rejected = rejected(solver, &system, &invariant);
            assert!(rejected.is_empty(), "{} by {solver:?}: {rejected:?}", model.name());
        }
    }
}

/// The solvers do not accept just anything: of these invariants, no clause can be left out.
#[test]
fn invariants_without_a_clause_are_rejected() {
    for solver in Solver::installed() {
        for model in models("safe")
            .iter()
            .filter(|model| ["german", "germanish", "szymanski_atomic"].contains(&model.name()))
        {
            let system = polycube_language::check(&model.text).system.expect("a correct model");
            let whole = invariant(&system, None).expect("a safe model");
            for left_out in 0..whole.clauses.len() {
                let mut part = whole.clone();
                part.clauses.remove(left_out);
                let rejected = rejected(solver, &system, &part);
                let refuted = rejected.iter().any(|(_, verdict)| *verdict == Verdict::Satisfiable);
                assert!(refuted, "{} without clause {left_out} by {solver:?}: {rejected:?}", model.name());
            }
        }
    }
}

/// Systems of all kinds.
fn system(seed: u64) -> System {
    let profile = match seed % 4 {
        0 => Profile::CUBES,
        1 => Profile { quantified_properties: false, ..Profile::FINITE },
        2 => Profile { universal_guards: false, quantified_properties: false, ..Profile::ALL },
        _ => Profile { quantified_properties: false, ..Profile::ALL },
    };
    random_system(seed, &Profile { places: seed / 4 % 2 == 1, ..profile })
}

#[test]
fn invariants_of_random_systems_are_accepted() {
    if !Solver::installed().contains(&Solver::Z3) {
        return;
    }
    let safe = (0..).map(|seed| (seed, system(seed))).filter_map(|(seed, system)| {
        let invariant = invariant(&system, Some(40))?;
        Some((seed, system, invariant))
    });
    for (seed, system, invariant) in safe.take(SAFE) {
        let rejected = rejected(Solver::Z3, &system, &invariant);
        assert!(rejected.is_empty(), "seed {seed}: {rejected:?}\n{}", system.to_source());
    }
}
