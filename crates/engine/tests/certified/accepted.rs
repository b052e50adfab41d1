//! Invariants of models are accepted by everybody.

use polycube_certificate::smtlib::{self, Hints};
use polycube_solver::Kind;
use polycube_testing::{Model, shared, shared_text};

use crate::ask::{installed, unproved_in};
use crate::{Subject, induction, not_proved, on_all_cores};

/// Models that take too many nodes, or that are not supported.
const LEFT_OUT: [&str; 5] = ["bakery", "chandra_toueg_omission", "lamport_distributed", "splitter", "ticket"];

/// Published models that are not decided, or not certified, within seconds.
const LONG_PUBLISHED: [&str; 7] = [
    "chandra_toueg",
    "distrib_lamport",
    "flash",
    "flash_buggy",
    "flash_nodata",
    "ricart_abdulla_int1",
    "ricart_agrawala",
];

/// With fewer clauses than this, solvers do not need hints.
const FEW: usize = 20;

#[test]
fn invariants_of_models_are_accepted() {
    let subjects = Subject::models(&|name| !LEFT_OUT.contains(&name));
    on_all_cores(&subjects, &is_accepted);
}

#[test]
fn invariants_of_published_models_are_accepted() {
    let Some(mut models) = shared("corpus/cub") else { return };
    models.retain(|model| !LONG_PUBLISHED.contains(&model.name()));
    let accepted = on_all_cores(&models, &|model| Subject::of(model).map(|subject| is_accepted(&subject)));
    let count = accepted.iter().flatten().count();
    assert!(count >= 39, "only {count} are safe");
}

#[test]
fn invariants_of_quirks_are_accepted() {
    let Some(models) = shared("reference/quirks") else { return };
    let expected = shared_text("reference/quirks/expected.tsv").expect("the answers lie beside the models");
    let is_safe = |model: &Model| expected.lines().any(|line| line == format!("{}\tsafe", model.name()));
    let safe: Vec<Model> = models.into_iter().filter(is_safe).collect();
    let accepted = on_all_cores(&safe, &|model| match Subject::of(model) {
        Some(subject) => is_accepted(&subject),
        // What universal guards say of processes that a cube does not name is not used yet.
        None => assert!(model.name().starts_with("q12_"), "{} is safe", model.name()),
    });
    assert!(accepted.len() > 10, "only {} are safe", accepted.len());
}

/// The judge proves all obligations by itself, and so do all solvers: from what the judge has used, and small invariants
/// as they are.
fn is_accepted(subject: &Subject) {
    let Subject { name, system, invariant } = subject;
    let induction = induction(system, invariant);
    assert!(induction.is_proved(), "{name}: {:?}", not_proved(&induction));
    let hints = smtlib::hints(&induction);
    for solver in Kind::ALL.into_iter().filter_map(installed) {
        let unproved_with = |hints| unproved_in(&solver, &smtlib::scripts(system, invariant, hints));
        let unproved = unproved_with(&hints);
        assert!(unproved.is_empty(), "{name} by {solver}: {unproved:?}");
        if invariant.clauses.len() < FEW {
            let unproved = unproved_with(&Hints::new());
            assert!(unproved.is_empty(), "{name} by {solver}, without hints: {unproved:?}");
        }
    }
}
