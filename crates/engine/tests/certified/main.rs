//! The invariants that the engines report, as those see them who do not believe the engines: the routine of the judge that
//! decides by itself, and outside solvers.

mod accepted;
mod ask;
mod corrupted;
mod corruption;
mod nested;
mod random;
mod vacuity;

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use polycube_certificate::{Clause, Invariant, Obligation, smtlib};
use polycube_engine::backward::{Limits, Options};
use polycube_engine::engine::{Engine, verify};
use polycube_engine::oracle::Plan;
use polycube_induction::{Effort, Finding, Induction, Wanted};
use polycube_language::System;
use polycube_testing::{Model, models, within};

/// What is tested: a safe system, and the invariant that was found for it.
struct Subject {
    name: String,
    system: System,
    invariant: Invariant,
}

impl Subject {
    /// The system that a text means, with its invariant, if it is safe.
    fn of(model: &Model) -> Option<Subject> {
        let system = polycube_language::check(&model.text).system.expect("a correct model");
        let (system, invariant) = invariant(system, None)?;
        Some(Subject { name: model.name().to_owned(), system, invariant })
    }

    /// Those of our safe models that are wanted.
    fn models(wanted: &dyn Fn(&str) -> bool) -> Vec<Subject> {
        let models: Vec<Model> = models("safe").into_iter().filter(|model| wanted(model.name())).collect();
        on_all_cores(&models, &|model| Subject::of(model).expect("a safe model"))
    }
}

/// The invariant that is found for a system with at most this many nodes, if it is safe; and the system that counts what
/// it speaks of.
fn invariant(system: System, nodes: Option<u64>) -> Option<(System, Invariant)> {
    let options = Options { limits: Limits { nodes, ..Limits::default() }, ..Options::default() };
    let interrupt = Arc::clone(&options.interrupt);
    // One node of a random system may take minutes. (Without a limit it is a model, which does not.)
    let time = if nodes.is_some() { Duration::from_secs(2) } else { Duration::MAX };
    let verification =
        within(time, &interrupt, || verify(&system, Engine::Auto, &options, Plan::default(), &mut ()).ok())?;
    let clauses = verification
        .invariant
        .iter()
        .map(|cube| Clause { parameters: cube.parameters.clone(), never: cube.formula.clone() });
    let invariant = Invariant { clauses: clauses.collect() };
    let is_safe = verification.verdict().word() == "safe";
    is_safe.then(|| (verification.counting.unwrap_or(system), invariant))
}

/// What the judge finds out about an invariant.
fn induction(system: &System, invariant: &Invariant) -> Induction {
    let effort = Effort { goes_on: &|| true, threads: 1, wanted: Wanted::Hints };
    Induction::of(system, invariant, &effort, &mut |_, _| {})
}

/// All scripts, however large they are.
fn scripts(
    system: &System,
    invariant: &Invariant,
    hints: &polycube_certificate::hint::Hints,
) -> Vec<smtlib::Script> {
    let room = smtlib::Room::new(usize::MAX, &|| true);
    smtlib::scripts(system, invariant, hints, &room).expect("there is room for everything")
}

/// A system and an invariant, for whoever looks into a failure.
fn shown(system: &System, invariant: &Invariant) -> String {
    let mut text = system.to_source();
    for Clause { parameters, never } in &invariant.clauses {
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let never = system.display_formula(never, parameters);
        text += &format!("\nnever ({}) {{ {never} }}", names.join(" "));
    }
    text
}

/// What is not proved by it.
fn not_proved(induction: &Induction) -> Vec<(&Obligation, &Finding)> {
    induction.findings.iter().filter(|(_, finding)| !matches!(finding, Finding::Proved(_))).collect()
}

/// What `work` makes of each item, in their order.
fn on_all_cores<T: Sync, R: Send>(items: &[T], work: &(dyn Fn(&T) -> R + Sync)) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let at = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(item) = items.get(at)
                {
                    // After the first failure, the others need not go on.
                    let result = std::panic::catch_unwind(AssertUnwindSafe(|| work(item)));
                    let result = result.unwrap_or_else(|panic| {
                        next.store(items.len(), Ordering::Relaxed);
                        std::panic::resume_unwind(panic)
                    });
                    results.lock().expect("nobody fails while holding it").push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("nobody fails while holding it");
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}
