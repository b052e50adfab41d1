//! Exploration of real models: published counts, known bugs, and the reports about models that are not what
//! their author meant.

use polycube_engine::compile::domain::Bounds;
use polycube_engine::forward::{End, Exploration, Goal, Options, Reduction, explore};
use polycube_language::system::{Processes, PropertyKind};
use polycube_language::{System, check};
use polycube_testing::{Model, models, shared};

fn system_of(model: &Model) -> System {
    check(&model.text).system.unwrap_or_else(|| panic!("{} is a model", model.name()))
}

fn run(system: &System, options: &Options) -> Exploration {
    explore(system, options, &mut ()).expect("an instance that can be explored")
}

/// `... 2 processes, 12 steps ...`
fn promised(text: &str) -> Option<(u32, usize)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| word.trim_matches(|letter: char| !letter.is_ascii_digit()).parse().ok();
    words.windows(4).find_map(|window| match window {
        [processes, noun, steps, last]
            if matches!(*noun, "process," | "processes,") && last.starts_with("step") =>
        {
            Some((number(processes)? as u32, number(steps)?))
        }
        _ => None,
    })
}

#[test]
fn bugs_are_found_by_the_runs_that_the_models_promise() {
    for model in models("unsafe") {
        let (system, name) = (system_of(&model), model.name());
        let (processes, steps) =
            promised(&model.text).unwrap_or_else(|| panic!("{name} says how long its run is"));
        let exploration = run(&system, &Options::new(processes));
        assert_eq!(exploration.end, End::Unsafe, "{name}");
        let violation = &exploration.violations[0];
        assert_eq!(violation.trace.steps.len(), steps, "{name}: the shortest run");
        assert_eq!(system.properties[violation.property].kind, PropertyKind::Unsafe);
        if processes > 1 && system.processes == Processes::Any {
            // The promised number of processes is the smallest, or the run is no longer with fewer.
            let fewer = run(&system, &Options { limits: small(), ..Options::new(processes - 1) });
            assert!(fewer.violations.iter().all(|violation| violation.trace.steps.len() >= steps), "{name}");
        }
    }
}

fn small() -> polycube_engine::forward::Limits {
    polycube_engine::forward::Limits { states: Some(50_000), ..Default::default() }
}

#[test]
fn safe_models_have_no_bad_state_and_no_dead_transition() {
    for model in models("safe") {
        let (system, name) = (system_of(&model), model.name());
        let counts = match system.processes {
            Processes::Exactly(count) => count..=count,
            Processes::Any => 1..=3,
        };
        let mut never: Vec<usize> = (0..system.transitions.len()).collect();
        for processes in counts {
            let exploration = run(&system, &Options { limits: small(), ..Options::new(processes) });
            assert_eq!(exploration.violations, [], "{name} with {processes}");
            assert!(exploration.initial_states > 0, "{name} with {processes}");
            never.retain(|transition| exploration.never_fired.contains(transition));
        }
        let never: Vec<&str> = never.iter().map(|&at| &*system.transitions[at].name).collect();
        assert!(never.is_empty(), "{name}: {never:?} are never possible");
    }
}

/// The counts of explicit-state checkers, for models that initialise everything: states and steps.
#[test]
fn published_models_have_the_counts_of_other_checkers() {
    let table = [
        ("german_baukus", 3, Reduction::None, 28_647, 115_020),
        ("german_baukus", 3, Reduction::Symmetry, 5_115, 20_529),
        ("german_baukus", 4, Reduction::Symmetry, 28_514, 153_456),
        ("german_pfs", 3, Reduction::None, 32_373, 137_484),
        ("german_pfs", 3, Reduction::Symmetry, 5_791, 24_601),
        ("german_pfs", 4, Reduction::Symmetry, 31_523, 177_568),
        ("szymanski_at", 8, Reduction::Symmetry, 468_259, 3_675_651),
    ];
    let Some(published) = shared("corpus/cub") else { return };
    for (name, processes, reduction, states, transitions) in table {
        let model = published.iter().find(|model| model.name() == name).expect("a published model");
        let system = system_of(model);
        let exploration = run(&system, &Options { reduction, threads: 2, ..Options::new(processes) });
        assert_eq!(
            (exploration.states, exploration.transitions),
            (states, transitions),
            "{name} {processes}"
        );
        assert_eq!((exploration.end, exploration.deadlocks), (End::Complete, 0));
    }
}

/// Small models that Cubicle gets wrong: instances with a few processes agree with the right answer.
#[test]
fn instances_of_small_models_agree_with_the_right_answer() {
    let Some(quirks) = shared("reference/quirks") else { return };
    let table = quirks[0].path.with_file_name("expected.tsv");
    let expected = std::fs::read_to_string(table).expect("the table of answers");
    let mut seen = 0;
    for line in expected.lines() {
        let (name, answer) = line.split_once('\t').expect("two columns");
        if answer == "error" {
            continue;
        }
        let model = quirks.iter().find(|model| model.name() == name).expect("a model for each answer");
        let system = system_of(model);
        let counts = match system.processes {
            Processes::Exactly(count) => count..=count,
            Processes::Any => 1..=4,
        };
        let bounds = Bounds { numbers: -2..=2, values: 2 };
        let is_bad = counts.into_iter().any(|processes| {
            let options = Options { bounds: bounds.clone(), limits: small(), ..Options::new(processes) };
            let found = run(&system, &options).violations;
            found.iter().any(|violation| system.properties[violation.property].kind == PropertyKind::Unsafe)
        });
        assert_eq!(is_bad, answer == "unsafe", "{name}");
        seen += 1;
    }
    assert!(seen >= 25, "only {seen} models");
}

const MEANINGLESS: &str = "
    type place = Out | In | Lost
    array Place[proc] : place
    var Open : bool
    init (p) { Place[p] = Out && Open = True }
    unsafe (p) { Place[p] = Lost }
    transition enter (p) requires { Place[p] = Out && Open = True } { Place[p] := In; Open := False }
    transition leave (p) requires { Place[p] = In && Open = True } { Place[p] := Out }
    transition lose (p) requires { Place[p] = Out && Open = False && forall_other q. Place[q] = Out } { Place[p] := Lost }
";

#[test]
fn deadlocks_and_dead_transitions_are_reported() {
    let system = check(MEANINGLESS).system.expect("a model");
    let exploration = run(&system, &Options::new(3));
    // Whoever enters shuts the door behind itself: nobody can leave, and nothing is possible any more.
    assert_eq!((exploration.states, exploration.transitions, exploration.depth), (2, 3, 1));
    assert_eq!((exploration.deadlocks, exploration.deadlock.expect("a run").steps.len()), (1, 1));
    assert_eq!(exploration.never_fired, [1, 2]);
    let plain = run(&system, &Options { reduction: Reduction::None, ..Options::new(3) });
    assert_eq!((plain.states, plain.transitions, plain.deadlocks), (4, 3, 3));
}

#[test]
fn invariants_that_fail_are_reported_and_do_not_stop_the_search() {
    let model = "
        var Count : int
        var Late : bool
        init { Count = 0 && Late = False }
        invariant () { Count = 2 }
        unsafe () { Late = True }
        transition count () requires { Count < 5 } { Count := Count + 1 }
        transition late () requires { Count = 5 } { Late := True }
    ";
    let system = check(model).system.expect("a model");
    let exploration = run(&system, &Options::new(1));
    let found: Vec<(usize, usize)> =
        exploration.violations.iter().map(|found| (found.property, found.trace.steps.len())).collect();
    assert_eq!(found, [(0, 2), (1, 6)]);
    assert_eq!(exploration.cuts, []);
}

#[test]
fn numbers_are_exact_until_they_are_reported() {
    // Doubling leaves every fixed width behind; nothing wraps around.
    let model = "
        var X : int
        init { X = 1 }
        unsafe () { X <= 0 }
        transition double () { X := X + X }
    ";
    let system = check(model).system.expect("a model");
    let exploration = run(&system, &Options::new(1));
    assert!(matches!(exploration.end, End::Overflow(_)), "{:?}", exploration.end);
    assert_eq!(exploration.violations, []);
    assert!(exploration.states >= 60);

    let model = "
        var X : real
        init { X = 1.0 }
        unsafe () { X = 0.0 }
        unsafe () { X < 0.001 }
        transition halve () { X := 0.5 * X }
    ";
    let system = check(model).system.expect("a model");
    let exploration = run(&system, &Options::new(1));
    let found: Vec<(usize, usize)> =
        exploration.violations.iter().map(|found| (found.property, found.trace.steps.len())).collect();
    assert_eq!(found, [(1, 10)], "1/1024 is the first power of one half below 0.001");
    let exploration = run(&system, &Options { goal: Goal::Everything, ..Options::new(1) });
    assert!(matches!(exploration.end, End::Overflow(_)), "{:?}", exploration.end);
}

#[test]
fn one_step_with_too_many_choices_ends_the_search() {
    let model = "
        array A[proc, proc] : bool
        init (p q) { A[p, q] = False }
        unsafe (p q) { A[p, q] = True && A[q, p] = False }
        transition scatter () { A[p, q] := case | _ : ? }
    ";
    let system = check(model).system.expect("a model");
    let exploration = run(&system, &Options::new(8));
    assert_eq!(exploration.end, End::Choices(0));
    assert_eq!(run(&system, &Options::new(2)).violations.len(), 1);
}

/// Two symbols that only a count compares: one code means the same value in both.
#[test]
fn what_is_counted_is_compared_by_values() {
    let text = "
        type color = Red | Green | Blue
        var Same : int
        var Different : int
        var Chosen : color
        array Seen[proc] : color
        init () { Same = 0 && Different = 0 && Chosen = Blue }
        init (k) { Seen[k] = Green }
        unsafe () { Different = 3 && Same = 0 }
        unsafe () { Same <> 0 }
        transition count () requires { Different = 0 } {
          Same := Same + #{k | Chosen = Seen[k]};
          Different := Different + #{k | Chosen <> Seen[k]};
        }
    ";
    let system = check(text).system.expect("a model");
    let found = run(&system, &Options::new(3));
    assert_eq!((found.states, found.reached), (2, vec![true, false]));
}
