//! Lean invariants are invariants, and lean.

use std::sync::Arc;
use std::time::Duration;

use polycube_certificate::{Clause, Invariant};
use polycube_engine::backward::{Limits, Options, Suggester, Witnesses};
use polycube_engine::engine::{Engine, verify};
use polycube_engine::oracle::{Known, Plan};
use polycube_induction::{Effort, Induction, Wanted};
use polycube_language::System;
use polycube_lean::{Formulas, LeanFormula, discover, grow, literals_of, shrink};
use polycube_testing::generate::{Profile, random_system};
use polycube_testing::{for_seeds, models, within};

/// How many random systems are tried.
const RANDOM: u64 = 150;

/// How many formulas, and how many literals, the invariants of some models have at most.
const MODELS: [(&str, usize, usize); 10] = [
    ("mutex", 1, 2),
    ("germanish", 3, 6),
    ("german", 5, 23),
    ("mesi", 2, 4),
    ("moesi", 2, 5),
    ("splitter", 4, 9),
    ("gate_barrier", 3, 17),
    ("szymanski_atomic", 4, 15),
    ("flash_control", 6, 30),
    ("chandra_toueg", 3, 32),
];

fn effort() -> Effort<'static> {
    Effort { goes_on: &|| true, threads: 1, wanted: Wanted::Hints }
}

/// The invariant that is found for a system, if it is safe; the system that counts what it speaks of, and states of it.
fn invariant(system: System, nodes: Option<u64>) -> Option<(System, Invariant, Known)> {
    let options = Options { limits: Limits { nodes, ..Limits::default() }, ..Options::default() };
    let time = if nodes.is_some() { Duration::from_secs(2) } else { Duration::MAX };
    let found = within(time, &options.interrupt, || {
        verify(&system, Engine::Auto, &options, Plan::default(), &mut ()).ok()
    })?;
    let clauses = (found.invariant.iter())
        .map(|cube| Clause { parameters: cube.parameters.clone(), never: cube.formula.clone() });
    let invariant = Invariant { clauses: clauses.collect() };
    let is_safe = found.verdict().word() == "safe";
    is_safe.then(|| (found.counting.unwrap_or(system), invariant, found.known))
}

/// Makes an invariant smaller, and checks what comes out: as clauses, and as the clauses that formulas stand
/// for.
fn lean(system: &System, found: &Invariant, known: &Known) -> Option<Formulas> {
    let lean = shrink(system, found, &effort())?;
    assert!(lean.clauses.len() <= found.clauses.len());
    assert!(literals_of(&lean) <= literals_of(found));
    let formulas = Formulas::of(system, &lean, &effort()).expect("what was proved can be proved again");
    assert_eq!(prove(system, &formulas), lean.clauses.len());
    // The same with little effort, from the proof of what was found.
    let induction = Induction::of(system, found, &effort(), &mut |_, _| {});
    let few = induction.obligations() / 4;
    let quick = |known: &Known| {
        let witnesses = Witnesses::new(system, known);
        Formulas::of_proof(system, found, induction.clone(), few, &witnesses, &effort())
            .expect("it is proved")
    };
    let (without, with) = (quick(&Known::default()), quick(known));
    assert!(prove(system, &with) <= found.clauses.len());
    // What known states contradict would not have been proved.
    assert_eq!(with.formulas, without.formulas, "{}", system.to_source());
    Some(formulas)
}

/// Proves the clauses that formulas stand for. How many there are.
fn prove(system: &System, formulas: &Formulas) -> usize {
    let clauses = formulas.formulas.iter().flat_map(LeanFormula::clauses);
    let invariant = Invariant { clauses: clauses.collect() };
    let induction = Induction::of(system, &invariant, &effort(), &mut |_, _| {});
    assert!(induction.is_proved(), "the formulas say what the clauses say");
    invariant.clauses.len()
}

#[test]
fn our_models() {
    let models = models("safe");
    for (name, most, literals) in MODELS {
        let model = models.iter().find(|model| model.name() == name).expect("there is such a model");
        let system = polycube_language::check(&model.text).system.expect("a correct model");
        let (system, found, _) = invariant(system, None).expect("a safe model");
        let lean = discover(&system, &found, None, &Arc::default(), &effort());
        let formulas = Formulas::of(&system, &lean, &effort()).expect("its invariant is proved");
        let seen = (formulas.formulas.len(), formulas.literals());
        assert!(seen.0 <= most && seen.1 <= literals, "{name}: {seen:?}");
    }
}

#[test]
fn random_systems() {
    let shrunk = std::sync::atomic::AtomicU64::new(0);
    let tried = for_seeds!(RANDOM, |seed| {
        let profile = match seed % 3 {
            0 => Profile::CUBES,
            1 => Profile { process_constants: false, max_dimensions: 2, ..Profile::FINITE },
            _ => Profile { max_dimensions: 2, ..Profile::ALL },
        };
        let system = random_system(seed, &Profile { places: seed / 3 % 2 == 1, ..profile });
        let Some((system, found, known)) = invariant(system, Some(40)) else { return };
        // The routine may leave something open, and then there is nothing to make smaller.
        if lean(&system, &found, &known).is_some() {
            shrunk.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    });
    if let Some(tried) = tried {
        assert!(shrunk.into_inner() > tried / 5);
    }
}

/// What grows from the properties of random systems is inductive, or there is nothing; and of systems that are
/// not safe, there is nothing.
#[test]
fn random_growth() {
    let counts = [(); 2].map(|()| std::sync::atomic::AtomicU64::new(0));
    let tried = for_seeds!(RANDOM, |seed| {
        let profile = if seed % 2 == 0 { Profile::CUBES } else { Profile::FINITE };
        let system = random_system(seed, &Profile { places: seed % 3 == 1, ..profile });
        let interrupt = Arc::default();
        let Ok(mut suggester) = Suggester::new(&system, Plan::default(), None, &interrupt) else { return };
        let start = std::time::Instant::now();
        let goes_on = || start.elapsed() < Duration::from_secs(1);
        let effort = Effort { goes_on: &goes_on, threads: 1, wanted: Wanted::Hints };
        let is_safe = suggester.explore(2_000, 1, &mut ()).is_empty();
        let Some(grown) = grow(&system, &suggester, &effort) else { return };
        let induction = Induction::of(&system, &grown, &self::effort(), &mut |_, _| {});
        if !is_safe {
            return assert!(!induction.is_proved());
        }
        counts[usize::from(induction.is_proved())].fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    });
    if let Some(tried) = tried {
        let [open, proved] = counts.map(std::sync::atomic::AtomicU64::into_inner);
        assert!(proved > tried / 10 && open * 4 < proved, "{proved} proved, {open} not, of {tried}");
    }
}

/// What is not an invariant does not become one.
#[test]
fn what_is_not_inductive() {
    let models = models("safe");
    let model = models.iter().find(|model| model.name() == "german").expect("there is such a model");
    let system = polycube_language::check(&model.text).system.expect("a correct model");
    let (system, mut found, _) = invariant(system, None).expect("a safe model");
    found.clauses.remove(found.clauses.len() / 2);
    assert_eq!(shrink(&system, &found, &effort()), None);
}
