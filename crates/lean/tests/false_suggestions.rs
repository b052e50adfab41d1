//! Claims that are too strong: known states refute them, and where they do not, no proof accepts them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use polycube_certificate::replay;
use polycube_engine::forward::{self, Extent};
use polycube_engine::oracle::Plan;
use polycube_induction::{Effort, Wanted};
use polycube_language::System;
use polycube_language::system::Type;
use polycube_lean::dialogue::Inquiry;
use polycube_testing::generate::Random;
use polycube_testing::{for_seeds, models};

/// How many claims are made that are false.
const CLAIMS: u64 = 1_000;

const MODELS: [&str; 4] = ["german", "szymanski_atomic", "two_phase_commit", "gate_barrier"];

/// A claim: something that one to three cells of two processes never hold together.
fn claim(system: &System, random: &mut Random) -> String {
    let mut literals = Vec::new();
    for _ in 0..random.between(1, 3) {
        let symbol = random.pick(&system.symbols);
        let process = |random: &mut Random| (*random.pick(&["p", "q"])).to_owned();
        let indices: Vec<String> = (0..symbol.dimensions()).map(|_| process(random)).collect();
        let cell = match indices.is_empty() {
            true => symbol.name.clone(),
            false => format!("{}[{}]", symbol.name, indices.join(", ")),
        };
        let value = match symbol.ty {
            Type::Enumeration(id) => random.pick(&system.enumeration(id).constructors).clone(),
            Type::Process => process(random),
            other => panic!("{other:?} is not finite"),
        };
        literals.push(format!("{cell} {} {value}", random.pick(&["=", "=", "<>"])));
    }
    format!("invariant (p q) {{ {} }}", literals.join(" && "))
}

fn check(text: &str) -> System {
    polycube_language::check(text).system.expect("a correct model")
}

/// Whether a reachable state with three processes violates the last property.
fn is_false(system: &System) -> bool {
    let mut alone = system.clone();
    alone.properties.drain(..system.properties.len() - 1);
    let options = forward::Options { extent: Extent::Everything, ..forward::Options::new(3) };
    let found = forward::explore(&alone, &options, &mut ()).expect("a small instance");
    let Some(violation) = found.violations.first() else { return false };
    !replay(&alone, &violation.trace).expect("a run").violations.is_empty()
}

#[test]
fn random_claims_that_are_false() {
    let models = models("safe");
    let models = MODELS.map(|name| models.iter().find(|model| model.name() == name).expect("a model"));
    let (refuted, not_proved) = (AtomicU64::new(0), AtomicU64::new(0));
    let tried = for_seeds!(CLAIMS, |seed| {
        let mut random = Random::new(seed);
        let model = models[random.below(models.len())];
        let system = check(&model.text);
        let claims = std::iter::repeat_with(|| format!("{}\n{}\n", model.text, claim(&system, &mut random)));
        let system = claims.map(|text| check(&text)).find(is_false).expect("most claims are wrong");
        // Who knows only the states near the beginning is taken in by many of them.
        let plan = Plan { depth: (seed % 2 == 0).then_some(1), ..Plan::default() };
        let effort = Effort { goes_on: &|| true, threads: 1, wanted: Wanted::Answers };
        let inquiry = Inquiry::new(&system, plan, None, &Arc::default(), &effort, &mut ());
        let inquiry = inquiry.expect("a system within the limits");
        assert!(!inquiry.is_inductive());
        let count = if inquiry.violations.is_empty() { &not_proved } else { &refuted };
        count.fetch_add(1, Ordering::Relaxed);
        // Nothing is left open: who is not refuted by a state leads to a counterexample to induction.
        assert!(!inquiry.violations.is_empty() || !inquiry.failures().is_empty());
        assert!(seed % 2 == 0 || !inquiry.violations.is_empty());
    });
    if tried.is_some() {
        let (refuted, not_proved) = (refuted.into_inner(), not_proved.into_inner());
        assert!(
            refuted > CLAIMS / 2 && not_proved > CLAIMS / 50,
            "{refuted} refuted, {not_proved} not proved"
        );
    }
}
