//! The same states, steps and errors on random models.

use std::sync::atomic::{AtomicU64, Ordering};

use polycube_language::system::Type;
use polycube_murphi::check::check;
use polycube_murphi::parameter::candidates;
use polycube_murphi::translate::{translate, translate_at_its_sizes};
use polycube_testing::for_seeds;

use crate::comparison::Comparison;
use crate::{generate, interpreter};

/// How many models are tried.
const MODELS: u64 = 150;

/// Larger explorations end after the layer in which this number is passed.
const MOST_STATES: usize = 400;

#[test]
fn random_models_are_translated_exactly() {
    let totals = Totals::default();
    let Some(tried) = for_seeds!(MODELS, |seed| compare(seed, &totals)) else { return };
    // The test would mean little if most models were refused, or trivial.
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    assert!(count(&totals.accepted) > tried * 5 / 10, "{totals:?}");
    assert!(count(&totals.accepted_at_sizes) > tried * 8 / 10, "{totals:?}");
    assert!(count(&totals.multisets) > tried / 10, "{totals:?}");
    assert!(count(&totals.counters) > tried / 10, "{totals:?}");
    assert!(count(&totals.complete) > tried / 5, "{totals:?}");
    assert!(count(&totals.states) > tried * 5, "{totals:?}");
    assert!(count(&totals.errors) > tried / 20, "{totals:?}");
    assert!(count(&totals.violated) > tried / 20, "{totals:?}");
}

#[derive(Debug, Default)]
struct Totals {
    accepted: AtomicU64,
    accepted_at_sizes: AtomicU64,
    multisets: AtomicU64,
    counters: AtomicU64,
    complete: AtomicU64,
    states: AtomicU64,
    errors: AtomicU64,
    violated: AtomicU64,
    left_out: AtomicU64,
}

fn compare(seed: u64, totals: &Totals) {
    let text = generate::model(seed);
    let checked = check(&text, &[]);
    let said: Vec<&String> = checked.diagnostics.iter().map(|diagnostic| &diagnostic.message).collect();
    let Some(model) = checked.model else { panic!("seed {seed}: {said:?}\n{text}") };
    let processes = *candidates(&model).first().expect("there is a type for processes");
    let expected = interpreter::explore(&model, MOST_STATES);
    let add = |counter: &AtomicU64, number: u64| counter.fetch_add(number, Ordering::Relaxed);
    for processes in [Some(processes), None] {
        let translated = match processes {
            Some(processes) => translate(&model, processes),
            None => translate_at_its_sizes(&model),
        };
        let (system, expected) = match (translated, &expected) {
            (Ok(system), Ok(expected)) => (system, expected),
            (Ok(_), Err(span)) => panic!("seed {seed}: an error in a start state at {span:?}\n{text}"),
            (Err(_), _) => continue,
        };
        let comparison = Comparison { model: &model, system: &system, processes };
        let left_out = comparison.compare(expected).unwrap_or_else(|what| {
            panic!("seed {seed}, processes {processes:?}: {what}\n{text}\n{}", system.to_source())
        });
        if processes.is_none() {
            add(&totals.accepted_at_sizes, 1);
            let has_multisets = model.globals.iter().any(|variable| model.has_multiset(variable.ty));
            add(&totals.multisets, u64::from(has_multisets));
            assert!(!left_out, "seed {seed}: a leaf is left out\n{text}");
            continue;
        }
        add(&totals.accepted, 1);
        let has_counter = system.symbols[..system.declared()].iter().any(|symbol| symbol.ty == Type::Integer);
        add(&totals.counters, u64::from(has_counter));
        add(&totals.left_out, u64::from(left_out));
        add(&totals.complete, u64::from(expected.is_complete));
        add(&totals.states, expected.states.len() as u64);
        add(&totals.errors, u64::from(!expected.errors.is_empty()));
        add(&totals.violated, u64::from(!expected.violated.is_empty()));
    }
}
