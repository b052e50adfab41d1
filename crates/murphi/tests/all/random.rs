//! The same states, steps and errors on random models.

use std::sync::atomic::{AtomicU64, Ordering};

use polycube_murphi::check::check;
use polycube_murphi::parameter::candidates;
use polycube_murphi::translate::translate;
use polycube_testing::for_seeds;

use crate::comparison::compare;
use crate::{generate, interpreter};

/// How many models are tried.
const MODELS: u64 = 300;

/// Larger explorations end after the layer in which this number is passed.
const MOST_STATES: usize = 400;

#[test]
fn random_models_are_translated_exactly() {
    let totals = Totals::default();
    let Some(tried) = for_seeds!(MODELS, |seed| compare_one(seed, &totals)) else { return };
    // The test would mean little if most models were refused, or trivial.
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    assert!(count(&totals.accepted) > tried * 6 / 10, "{totals:?}");
    assert!(count(&totals.complete) > tried / 5, "{totals:?}");
    assert!(count(&totals.states) > tried * 5, "{totals:?}");
    assert!(count(&totals.errors) > tried / 20, "{totals:?}");
    assert!(count(&totals.violated) > tried / 20, "{totals:?}");
}

#[derive(Debug, Default)]
struct Totals {
    accepted: AtomicU64,
    complete: AtomicU64,
    states: AtomicU64,
    errors: AtomicU64,
    violated: AtomicU64,
}

fn compare_one(seed: u64, totals: &Totals) {
    let text = generate::model(seed);
    let checked = check(&text, &[]);
    let said: Vec<&String> = checked.diagnostics.iter().map(|diagnostic| &diagnostic.message).collect();
    let Some(model) = checked.model else { panic!("seed {seed}: {said:?}\n{text}") };
    let processes = *candidates(&model).first().expect("there is a type for processes");
    let expected = interpreter::explore(&model, MOST_STATES);
    let system = match (translate(&model, processes), &expected) {
        (Ok(system), Ok(_)) => system,
        (Ok(_), Err(span)) => panic!("seed {seed}: an error in a start state at {span:?}\n{text}"),
        (Err(_), _) => return,
    };
    let expected = expected.expect("there is no error in a start state");
    let add = |counter: &AtomicU64, number: u64| counter.fetch_add(number, Ordering::Relaxed);
    add(&totals.accepted, 1);
    add(&totals.complete, u64::from(expected.is_complete));
    add(&totals.states, expected.states.len() as u64);
    add(&totals.errors, u64::from(!expected.errors.is_empty()));
    add(&totals.violated, u64::from(!expected.violated.is_empty()));
    if let Err(what) = compare(&model, &system, processes, &expected) {
        panic!("seed {seed}: {what}\n{text}\n{}", system.to_source());
    }
}
