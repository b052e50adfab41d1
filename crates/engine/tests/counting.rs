//! Numbers of processes: that they are right, and that nothing wrong follows from them.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use polycube_certificate::{Clause, Invariant, fits, replay};
use polycube_engine::backward::{Answer, Limits, Options};
use polycube_engine::engine::{Engine, verify};
use polycube_engine::forward::{self, End, explore_states, orders_of, state};
use polycube_engine::oracle::Plan;
use polycube_induction::{Effort, Induction, Wanted};
use polycube_language::System;
use polycube_testing::generate::{Profile, Random, random_counters, random_system};
use polycube_testing::{for_seeds, shared, within};

/// How many states of an instance are explored.
const STATES: u64 = 1_000;

fn explored(processes: u32) -> forward::Options {
    let limits = forward::Limits { states: Some(STATES), choices: Some(8 * STATES), ..Default::default() };
    forward::Options { limits, ..forward::Options::new(processes) }
}

fn counters(seed: u64) -> System {
    let text = random_counters(seed);
    let checked = polycube_language::check(&text);
    checked.system.unwrap_or_else(|| panic!("{text}\n{:?}", checked.diagnostics.iter().next()))
}

/// Published models that are safe because of what everybody does, or how many do it; and linear systems, but for one that
/// needs a disjunction.
#[test]
fn published_models_get_their_answer() {
    for (folder, open) in [("corpus/universal", &[][..]), ("corpus/arith", &["safe3"])] {
        let Some(models) = shared(folder) else { return };
        for model in models.iter().filter(|model| !open.contains(&model.name())) {
            let system = polycube_language::check(&model.text).system.expect("a correct model");
            let found = verify(&system, Engine::Auto, &Options::default(), Plan::default(), &mut ());
            let found = found.expect("a system that is supported");
            let expected = if model.name().starts_with("unsafe") { "unsafe" } else { "safe" };
            assert_eq!(found.verdict().word(), expected, "{}", model.name());
        }
    }
}

/// A run says what each sum is, also where several are about the same processes.
#[test]
fn sums_over_the_same_processes() {
    let text = "array A[proc] : bool\narray B[proc] : int\nvar X : int
        init (p) { A[p] = False && B[p] = 0 && X = 0 }
        unsafe { #{p | A[p]} = 2 && #{p | A[p] : B[p]} = 3 && #{p | A[p] : 2 * B[p]} = X }
        transition add (p) { B[p] := B[p] + 1; X := X + 2 }
        transition choose (p) requires { not A[p] } { A[p] := True }";
    let system = polycube_language::check(text).system.expect("a model");
    let found = verify(&system, Engine::Auto, &Options::default(), Plan::default(), &mut ());
    let found = found.expect("a system that is supported");
    let Answer::Unsafe(trace) = &found.answers[0] else { panic!("{:?}", found.answers) };
    assert_eq!(trace.steps.len(), 5);
    assert!(replay(&system, trace).is_ok_and(|run| !run.violations.is_empty()));
    // The number of all processes, where it is fixed.
    let text = "number_procs 3\nvar X : int\ninit { X = 0 }\nunsafe { X > 3 }
        transition t () requires { X < #{p | true} } { X := X + 1 }";
    let system = polycube_language::check(text).system.expect("a model");
    let found = verify(&system, Engine::Auto, &Options::default(), Plan::default(), &mut ());
    assert_eq!(found.expect("it is supported").verdict().word(), "safe");
}

/// In each state that is explored, each count is the number of processes that it counts: so what transitions do to
/// counts is right. (`fits` counts them.)
#[test]
fn random_counts_are_right_in_every_state() {
    let (states, counted) = (Mutex::new(0), Mutex::new(0));
    let tried = for_seeds!(250, |seed| {
        let mut random = Random::new(seed);
        let system = if random.percent(60) { counters(seed) } else { random_system(seed, &Profile::ALL) };
        // What the search would count, and what its properties say of one process.
        let Some(system) = polycube_engine::counting::everything(&system) else { return };
        let processes = random.between(1, 3) as u32;
        let mut options = explored(processes);
        options.limits.states = Some(200);
        let result = explore_states(&system, &options, &mut (), &mut |instance, packed| {
            let judge = polycube_certificate::Instance::new(&system, processes, orders_of(instance));
            let judge = judge.expect("an instance");
            if let Err(why) = fits(&judge, &state(instance, packed)) {
                panic!("{why}\n{}", system.to_source());
            }
            *states.lock().expect("no thread panicked") += 1;
        });
        if result.is_ok() {
            *counted.lock().expect("no thread panicked") += system.counts.len() as u64;
        }
    });
    if let Some(tried) = tried {
        let (states, counted) = (states.into_inner().expect("done"), counted.into_inner().expect("done"));
        assert!(states > tried && counted > tried, "{states} states and {counted} counts in {tried} systems");
    }
}

/// No answer is wrong: a run is one, a safe system has no bad state that exploration finds, and its invariant is
/// proved by a routine that the search has no part in.
#[test]
fn answers_to_random_counters_agree_with_exploration() {
    let answers: Mutex<BTreeMap<&str, usize>> = Mutex::default();
    let count = |answer| *answers.lock().expect("no thread panicked").entry(answer).or_default() += 1;
    let tried = for_seeds!(200, |seed| {
        let system = counters(seed);
        // Also what is decided when the search has to end early is right.
        let nodes = if seed % 2 == 0 { 100 } else { seed / 2 % 20 };
        let options =
            Options { limits: Limits { nodes: Some(nodes), ..Limits::default() }, ..Options::default() };
        let found = within(Duration::from_millis(1_000), &options.interrupt, || {
            verify(&system, Engine::Auto, &options, Plan::default(), &mut ())
        });
        let found = found.unwrap_or_else(|why| panic!("{why:?}"));
        for (property, answer) in found.answers.iter().enumerate() {
            count(answer.word());
            match answer {
                Answer::Unsafe(trace) => {
                    let run = replay(&system, trace)
                        .unwrap_or_else(|why| panic!("{why}\n{}", random_counters(seed)));
                    assert!(run.violations.iter().any(|violation| violation.property == property));
                }
                Answer::Safe => {
                    for processes in 1..=4 {
                        let explored = forward::explore(&system, &explored(processes), &mut ());
                        let explored = explored.expect("it can be explored");
                        let is_violated = |violation: &forward::Violation| violation.property == property;
                        assert!(
                            !explored.violations.iter().any(is_violated),
                            "{processes} processes\n{}",
                            random_counters(seed)
                        );
                        if matches!(explored.end, End::Complete) && processes == 4 {
                            count("explored completely");
                        }
                    }
                }
                Answer::Unknown(_) | Answer::Trusted => {}
            }
        }
        if found.answers.iter().all(|answer| *answer == Answer::Safe) {
            let clause = |cube: &polycube_engine::backward::CubeFormula| Clause {
                parameters: cube.parameters.clone(),
                never: cube.formula.clone(),
            };
            let invariant = Invariant { clauses: found.invariant.iter().map(clause).collect() };
            let effort = Effort { goes_on: &|| true, threads: 1, wanted: Wanted::Answers };
            let system = found.counting.as_ref().unwrap_or(&system);
            let induction = Induction::of(system, &invariant, &effort, &mut |_, _| {});
            if let Some((obligation, counterexample)) = induction.refuted() {
                panic!("{obligation:?}\n{}\n{}", counterexample.display(system), random_counters(seed));
            }
            count(if induction.is_proved() { "proved" } else { "not proved" });
            count(if system.counts.is_empty() { "without counts" } else { "with counts" });
        }
    });
    let answers = answers.into_inner().expect("no thread panicked");
    if tried.is_some() {
        let number = |answer| answers.get(answer).copied().unwrap_or(0);
        assert!(number("unsafe") > 50 && number("safe") > 50, "{answers:?}");
        assert!(number("proved") > 10 * number("not proved"), "{answers:?}");
    }
}
