//! Backward reachability: known answers, and random systems against exploration.

use polycube_engine::backward::{Options, verify};
use polycube_language::System;
use polycube_testing::Model;

mod brab;
mod initial;
mod metamorphic;
mod numbers;
mod published;
mod quirks;
mod random;
mod shortest;
mod spurious;
mod threads;
mod updates;

fn two_threads() -> Options {
    Options { threads: 2, ..Options::default() }
}

/// The system that a text means, which has no mistakes.
fn system(text: &str) -> System {
    polycube_language::check(text).system.unwrap_or_else(|| panic!("not a correct model: {text}"))
}

/// The system of a published model.
fn published_system(models: &[Model], name: &str) -> System {
    let model = models.iter().find(|model| model.name() == name);
    system(&model.unwrap_or_else(|| panic!("{name} is not published")).text)
}

/// What is said of a supported system, without approximations.
fn answer(system: &System, options: &Options) -> &'static str {
    verify(system, options, &mut ()).expect("a supported system").verdict().word()
}
