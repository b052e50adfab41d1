//! The answer does not depend on the order of clauses, transitions, parameters and literals, nor on names,
//! nor on what else is asked.

use std::time::Duration;

use polycube_engine::backward::{Answer, Reason};
use polycube_engine::engine::{Engine, verify};
use polycube_engine::oracle::Plan;
use polycube_language::System;
use polycube_language::formula::{Formula, Variable};
use polycube_language::system::Property;
use polycube_testing::generate::Random;
use polycube_testing::generate::has_universals;
use polycube_testing::{for_seeds, within};

use crate::random::{options, system};

/// How many systems are tried.
const SYSTEMS: u64 = 250;

#[test]
fn the_answer_to_a_random_system_does_not_depend_on_order_or_names() {
    for_seeds!(SYSTEMS, |seed| compare(seed, Engine::Backward));
}

#[test]
fn approximations_of_a_random_system_do_not_depend_on_order_or_names() {
    for_seeds!(SYSTEMS / 2, |seed| compare(seed, [Engine::Brab, Engine::Auto][seed as usize % 2]));
}

#[test]
fn the_answer_to_a_random_system_does_not_depend_on_other_properties() {
    for_seeds!(SYSTEMS, |seed| {
        let together = system(seed);
        let Some(first) = answers(&together, Engine::Backward) else { return };
        for (at, property) in together.properties.iter().enumerate() {
            let alone = System { properties: vec![property.clone()], ..together.clone() };
            let Some(second) = answers(&alone, Engine::Backward) else { continue };
            agree(&together, seed, at, &first[at], &second[0]);
        }
    });
}

fn compare(seed: u64, engine: Engine) {
    let original = system(seed);
    let mut random = Random::new(seed ^ 0x3E7A);
    let (changed, places) = shuffled(&original, &mut random);
    let (Some(first), Some(second)) = (answers(&original, engine), answers(&changed, engine)) else { return };
    for (property, answer) in first.iter().enumerate() {
        agree(&original, seed, property, answer, &second[places[property]]);
    }
}

fn answers(system: &System, engine: Engine) -> Option<Vec<Answer>> {
    let options = options();
    let found = within(Duration::from_secs(1), &options.interrupt, || {
        verify(system, engine, &options, Plan::default(), &mut ())
    });
    found.ok().map(|verification| verification.answers)
}

fn agree(system: &System, seed: u64, property: usize, answer: &Answer, other: &Answer) {
    let pair = (kind(answer), kind(other));
    let agree = match pair {
        // A limit may be reached in one order and not in the other.
        ("limit", _) | (_, "limit") => true,
        // Which of many symbolic runs are looked at depends on the order; one may be real.
        ("unclear", "unsafe") | ("unsafe", "unclear") => has_universals(system),
        (first, second) => first == second,
    };
    assert!(agree, "seed {seed}, property {property}: {pair:?}\n{}", system.to_source());
}

fn kind(answer: &Answer) -> &'static str {
    match answer {
        Answer::Safe => "safe",
        Answer::Unsafe(_) => "unsafe",
        Answer::Trusted => "trusted",
        Answer::Unknown(Reason::Weakened(..) | Reason::Unconfirmed(_)) => "unclear",
        Answer::Unknown(_) => "limit",
    }
}

/// The same system, written differently; where each property went.
fn shuffled(original: &System, random: &mut Random) -> (System, Vec<usize>) {
    let mut system = original.clone();
    shuffle(&mut system.init, random);
    for init in &mut system.init {
        shuffle(&mut init.parameters, random);
        shuffle_formula(&mut init.formula, random);
    }
    let mut properties: Vec<(usize, Property)> = system.properties.into_iter().enumerate().collect();
    shuffle(&mut properties, random);
    let mut places = vec![0; properties.len()];
    for (place, (property, _)) in properties.iter().enumerate() {
        places[*property] = place;
    }
    system.properties = properties.into_iter().map(|(_, property)| property).collect();
    for property in &mut system.properties {
        shuffle(&mut property.parameters, random);
        shuffle_formula(&mut property.formula, random);
    }
    shuffle(&mut system.transitions, random);
    for (number, transition) in system.transitions.iter_mut().enumerate() {
        transition.name = format!("step_{number}");
        shuffle(&mut transition.parameters, random);
        shuffle_formula(&mut transition.guard, random);
        shuffle(&mut transition.updates, random);
        let rename = |variables: &mut Vec<Variable>| {
            variables.iter_mut().for_each(|variable| variable.name = format!("q{}", variable.id.0));
        };
        rename(&mut transition.parameters);
        for update in &mut transition.updates {
            rename(&mut update.indices);
            update.branches.iter_mut().for_each(|branch| shuffle_formula(&mut branch.condition, random));
        }
    }
    for (number, symbol) in system.symbols.iter_mut().enumerate() {
        symbol.name = format!("S{number}");
    }
    (system, places)
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last + 1));
    }
}

fn shuffle_formula(formula: &mut Formula, random: &mut Random) {
    match formula {
        Formula::Constant(_) | Formula::Compare(_) => {}
        Formula::Not(part) => shuffle_formula(part, random),
        Formula::And(parts) | Formula::Or(parts) => {
            shuffle(parts, random);
            parts.iter_mut().for_each(|part| shuffle_formula(part, random));
        }
        Formula::Iff(parts) => {
            shuffle(&mut parts[..], random);
            parts.iter_mut().for_each(|part| shuffle_formula(part, random));
        }
        Formula::IfThenElse(parts) => parts.iter_mut().for_each(|part| shuffle_formula(part, random)),
        Formula::Quantified(quantified) => shuffle_formula(&mut quantified.body, random),
    }
}
