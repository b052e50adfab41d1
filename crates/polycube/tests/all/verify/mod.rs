//! `polycube verify`: its answers, what it says about them, and how it ends.

mod as_written;
mod documented;
mod graph;
mod honest;
mod limits;
mod several;

use std::path::Path;
use std::process::Output;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::program::{self, code, err, folder, out, run, run_program};
use polycube_testing::generate::{Profile, random_system};
use polycube_testing::{for_seeds, models, repository};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Two processes may be inside, and the invariant does not hold either; but nobody gets on the roof.
const DOOR: &str = "\
type place = Outside | Inside | Roof
array Place[proc] : place
init (p) { Place[p] = Outside }
unsafe (p q) { Place[p] = Inside && Place[q] = Inside }
unsafe (p) { Place[p] = Roof }
invariant (p) { Place[p] = Inside }
transition enter (p) requires { Place[p] = Outside } { Place[p] := Inside }
";

/// Safe, and the invariant is half of the proof.
const COUNTER: &str = "\
var X : int
var Y : int
init { X = 0 && Y = 0 }
unsafe { Y < 0 }
invariant { X < 0 }
transition up () { X := X + 1 }
transition copy () { Y := X }
";

/// A bad state that is reached by processes that crash, and by no others.
const WATCH: &str = "\
array Watches[proc] : proc
var Locked : bool
init (p) { Watches[p] = p && not Locked }
unsafe { Locked }
transition lock () requires { forall p. exists_other q. Watches[q] = p } { Locked := True }
";

/// Exactly this many processes.
const PAIR: &str = "\
number_procs 2
var Turn : proc
array Inside[proc] : bool
init (p) { not Inside[p] && Turn = #1 }
unsafe { Inside[#1] && Inside[#2] }
transition enter (p) requires { Turn = p } { Inside[p] := True }
";

/// Is never decided: backwards, the factor of Y grows without end.
const EVER: &str = "\
var X : int
var Y : int
init { X = Y && 0 <= Y }
unsafe { X + Y < 0 }
transition mix () { X := X + 2 * Y }
";

fn small_models() -> TempDir {
    let german = std::fs::read_to_string(repository().join("models/safe/german.cub")).expect("a model");
    folder(&[
        ("german.cub", &german),
        ("door.cub", DOOR),
        ("counter.cub", COUNTER),
        ("watch.cub", WATCH),
        ("pair.cub", PAIR),
        ("ever.cub", EVER),
        ("both.cub", &both()),
        ("start.cub", &DOOR.replace("= Outside }\nunsafe", "= Inside }\nunsafe")),
        ("nothing.cub", "var X : bool\ninit { X }\ntransition t () { X := False }\n"),
        ("invariant.cub", "var X : bool\ninit { X }\ninvariant { not X }\ntransition t () { X := False }\n"),
        ("wrong.cub", "var X : int\ninit { Y = 0 }\n"),
    ])
}

const TWO: &str = "\
array T[proc] : bool
array S[proc,proc] : bool
init (p q) { not S[p,q] && T[p] }
unsafe { forall p. forall q. not T[p] && not S[p,q] }
transition t (p q) requires { T[p] } { T[p] := False; S[p,q] := True; }
";

const ALTERNATING: &str = "\
array W[proc,proc] : bool
init (p q) { W[p,q] }
unsafe { forall p. exists q. not W[q,p] }
transition off (p q) requires { exists_other r. W[p,r] } { W[p,q] := False; }
";

/// Two clauses of which one is never decided.
fn both() -> String {
    let declarations = EVER.replace(
        "init { X = Y && 0 <= Y }",
        "array A[proc] : bool\nvar Turn : proc\ninit (p) { X = Y && 0 <= Y && not A[p] }",
    );
    declarations
        + "unsafe (p q) { A[p] && A[q] }
transition enter (p) requires { Turn = p } { A[p] := True }
transition leave (p) requires { A[p] } { A[p] := False; Turn := ? }
"
}

fn verify(folder: &Path, arguments: &[&str]) -> Output {
    run(folder, &[&["verify"], arguments].concat(), b"")
}

/// The exit code and the JSON report.
fn report(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let output = verify(folder, &[arguments, &["--format", "json"]].concat());
    assert_eq!(err(&output), "", "{arguments:?}");
    (code(&output), serde_json::from_str(out(&output)).expect("JSON"))
}

/// Without what may differ from one run to the next.
fn steady_report(mut report: Value) -> Value {
    assert!(report.as_object_mut().expect("an object").remove("threads").is_some());
    assert!(report["statistics"].as_object_mut().expect("an object").remove("seconds").is_some());
    if let Some(recheck) = report.get_mut("recheck") {
        assert!(recheck.as_object_mut().expect("an object").remove("seconds").is_some());
    }
    report
}

/// A report for people without the numbers of the search, which change with every improvement of it.
fn steady(text: &str) -> String {
    let mut lines = Vec::new();
    let mut numbers = false;
    for line in text.lines() {
        let begins = line.starts_with("  ") && line.contains(" covered, depth ");
        numbers = begins || numbers && line.starts_with("      ");
        if begins {
            lines.push("  ... nodes");
        } else if !numbers {
            lines.push(line);
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// All that is printed, and the exit code.
fn answer(folder: &Path, arguments: &[&str]) -> String {
    let output = verify(folder, arguments);
    for line in out(&output).lines() {
        assert!(line.len() <= 80, "{line}");
    }
    format!("{}{}exit code {}\n", steady(out(&output)), err(&output), code(&output))
}

/// The verdict on each property.
fn verdicts(report: &Value) -> Value {
    report["properties"].as_array().expect("an array").iter().map(|one| one["verdict"].clone()).collect()
}

/// The models that need more than a second or two, and how many nodes they get: with more, or with a better
/// engine, they may be decided.
const HARD: [(&str, &str); 1] = [("chandra_toueg_omission", "300")];

/// The folder of a model is its verdict, and every run is one.
#[test]
fn our_models() {
    for (place, expected) in [("safe", 0), ("unsafe", 1)] {
        for model in models(place) {
            let name = model.name();
            let path = model.path.to_str().expect("the names of our models are text");
            let limit = HARD.iter().find(|(hard, _)| *hard == name).map(|(_, nodes)| *nodes);
            let limited = limit.map(|nodes| vec!["--max-nodes", nodes]).unwrap_or_default();
            let arguments = [&[path], &limited[..]].concat();
            let (code, found) = report(&repository(), &arguments);
            assert!(code == expected || limit.is_some() && code == 3, "{name}: exit code {code}");
            let verdict = ["safe", "unsafe", "wrong", "unknown"][code as usize];
            assert_eq!(found["verdict"], verdict, "{name}");
            assert_eq!(
                code == 0,
                found["invariants"].as_array().is_some_and(|all| !all.is_empty()),
                "{name}"
            );
            if code == 1 {
                let replayed = run(&repository(), &["replay", "-", path], found.to_string().as_bytes());
                assert_eq!(program::code(&replayed), 0, "{name}: {}", err(&replayed));
                let words: Vec<&str> = out(&replayed).split_whitespace().collect();
                let words = words.join(" ");
                assert!(words.starts_with("The trace of the verification"), "{words}");
                assert!(words.contains(" holds in the last state"), "{words}");
            }
        }
    }
}

#[test]
fn a_safe_model() {
    insta::assert_snapshot!("safe", answer(&repository(), &["models/safe/mutex.cub", "--show-invariant"]));
    let without = answer(&repository(), &["models/safe/mutex.cub"]);
    assert!(
        without.contains("\nThat is proved by an inductive invariant of 1 formula with 2 literals:\n"),
        "{without}"
    );
    let long = answer(&repository(), &["models/safe/german.cub", "--engine", "backward"]);
    assert!(long.contains(" more (--show-invariant)\n"), "{long}");
    let all = answer(&repository(), &["models/safe/german.cub", "--engine", "backward", "--show-invariant"]);
    assert!(!all.contains("(--show-invariant)") && all.lines().count() > 100, "{all}");
}

#[test]
fn an_unsafe_model() {
    insta::assert_snapshot!("unsafe", answer(&repository(), &["models/unsafe/mutex_no_turn_check.cub"]));
}

#[test]
fn several_clauses() {
    let folder = small_models();
    insta::assert_snapshot!("door", answer(folder.path(), &["door.cub"]));
    let (code, found) = report(folder.path(), &["door.cub"]);
    assert_eq!((code, &found["verdict"], &found["processes"]), (1, &json!("unsafe"), &json!(2)));
    let properties = found["properties"].as_array().expect("an array").iter();
    let seen: Vec<Value> = properties
        .map(|one| json!([one["kind"], one["line"], one["verdict"], one["steps"], one["processes"]]))
        .collect();
    let expected = [
        json!(["unsafe", 4, "unsafe", 2, ["#1", "#2"]]),
        json!(["unsafe", 5, "safe", null, null]),
        json!(["invariant", 6, "unsafe", 1, ["#1"]]),
    ];
    assert_eq!(seen, expected);
    assert_eq!(
        found["trace"], found["properties"][0]["trace"],
        "what is unsafe, not the shorter run to a helper"
    );
    assert_eq!(found["invariants"], json!([]));
}

#[test]
fn a_bad_state_to_start_from() {
    let folder = small_models();
    insta::assert_snapshot!("start", answer(folder.path(), &["start.cub"]));
}

#[test]
fn a_failing_invariant_makes_a_model_unsafe() {
    let folder = small_models();
    let (code, found) = report(folder.path(), &["invariant.cub"]);
    assert_eq!(
        (code, &found["verdict"], &found["properties"][0]["kind"]),
        (1, &json!("unsafe"), &json!("invariant"))
    );
}

#[test]
fn invariants_help_and_can_be_trusted() {
    let folder = small_models();
    let (code, found) = report(folder.path(), &["counter.cub"]);
    assert_eq!((code, &found["properties"][1]["verdict"]), (0, &json!("safe")), "{found}");
    insta::assert_snapshot!("trusted", answer(folder.path(), &["counter.cub", "--trust-invariants"]));
    // A trusted invariant that does not hold makes the answer wrong, unless a run is found on the way.
    let (code, found) = report(folder.path(), &["door.cub", "--trust-invariants"]);
    assert_eq!((code, verdicts(&found)), (1, json!(["unsafe", "safe", "trusted"])));
    let (code, found) = report(folder.path(), &["door.cub", "--trust-invariants", "--engine", "backward"]);
    assert_eq!((code, verdicts(&found)), (0, json!(["safe", "safe", "trusted"])));
}

#[test]
fn a_guard_that_is_checked_in_part() {
    let folder = small_models();
    insta::assert_snapshot!("weakened", answer(folder.path(), &["watch.cub"]));
    let (code, found) = report(folder.path(), &["watch.cub"]);
    let property = &found["properties"][0];
    assert_eq!((code, &found["reason"], &property["reason"]), (3, &json!("weakened"), &json!("weakened")));
    assert_eq!(property["symbolic_run"]["steps"], json!([{ "transition": "lock", "arguments": [] }]));
    assert_eq!(
        (found.get("trace"), property.get("trace")),
        (None, None),
        "what is no run is not called a trace"
    );
    let replayed = run(folder.path(), &["replay", "-", "watch.cub"], found.to_string().as_bytes());
    assert_eq!(program::code(&replayed), 2);
    assert!(err(&replayed).contains("it is a report without a trace"), "{}", err(&replayed));
}

/// What is said of two unnamed processes at once is checked in part, and that is the reason why a run may not be one.
#[test]
fn a_clause_that_is_checked_in_part() {
    let later = ALTERNATING
        .replace("init (p q) {", "var Ended : bool\ninit (p q) { not Ended &&")
        .replace("unsafe {", "unsafe { Ended &&");
    let later = later + "transition end () { Ended := True }\n";
    let folder = folder(&[("at_once.cub", ALTERNATING), ("later.cub", &later)]);
    for arguments in [["at_once.cub", "--engine", "backward"], ["later.cub", "--engine", "backward"]] {
        let (code, found) = report(folder.path(), &arguments);
        assert_eq!((code, &found["reason"]), (3, &json!("weakened")), "{found}");
        let text = answer(folder.path(), &arguments);
        assert!(text.contains("The clause says something about all processes"), "{text}");
        assert!(!text.contains("possible one after the other"), "{text}");
    }
}

#[test]
fn long_parts_of_formulas_are_wrapped() {
    let folder = folder(&[("two.cub", TWO)]);
    let text = answer(folder.path(), &["two.cub", "--engine", "backward"]);
    assert!(text.contains("that name more and more processes"), "{text}");
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
}

#[test]
fn a_fixed_number_of_processes() {
    let folder = small_models();
    insta::assert_snapshot!("pair", answer(folder.path(), &["pair.cub", "--show-invariant"]));
    assert_eq!(report(folder.path(), &["pair.cub"]).1["number_procs"], 2);
}

/// Every order finds the same verdict.
#[test]
fn orders_of_the_search() {
    for search in ["bfs", "dfs", "few-processes", "few-literals"] {
        for (model, expected) in
            [("safe/germanish", 0), ("safe/readers_writers", 0), ("unsafe/mesi_write_without_invalidate", 1)]
        {
            let model = format!("models/{model}.cub");
            let (code, found) = report(&repository(), &[&model, "--search", search, "--engine", "backward"]);
            assert_eq!(
                (code, &found["search"], &found["engine"]),
                (expected, &json!(search), &json!("backward")),
                "{model}"
            );
        }
    }
}

/// The same JSON for any number of threads, also where a limit ends the search.
#[test]
fn threads_make_no_difference() {
    let cases: [&[&str]; 6] = [
        &["models/safe/german.cub"],
        &["models/safe/german.cub", "--max-nodes", "200"],
        &["models/safe/two_phase_commit.cub", "--search", "bfs"],
        &["models/safe/bakery.cub", "--max-nodes", "150"],
        &["models/safe/flash_control.cub", "--max-depth", "2"],
        &["models/unsafe/german_data_clean_ack_written.cub"],
    ];
    for arguments in cases {
        let [one, four] =
            ["-j1", "-j4"].map(|threads| report(&repository(), &[arguments, &[threads]].concat()));
        assert_eq!((one.0, steady_report(one.1)), (four.0, steady_report(four.1)), "{arguments:?}");
    }
}

/// Random systems have everything that the language has. What is said to be safe is safe with two processes.
#[test]
fn random_systems() {
    let (safe, violated) = (AtomicU64::new(0), AtomicU64::new(0));
    let tried = for_seeds!(30, |seed| {
        let model = random_system(seed, &Profile::ALL).to_source();
        let folder = folder(&[("model.cub", &model)]);
        let (code, found) = report(folder.path(), &["model.cub", "--max-nodes", "100", "--timeout", "5"]);
        assert_eq!(code == 2, found["error"].is_string(), "{model}\n{found}");
        if code == 1 {
            let replayed = run(folder.path(), &["replay", "-", "model.cub"], found.to_string().as_bytes());
            assert_eq!(program::code(&replayed), 0, "{model}\n{}", err(&replayed));
            violated.fetch_add(1, Ordering::Relaxed);
        }
        if code == 0 {
            let processes = if found["number_procs"].is_null() { &["-n", "2"][..] } else { &[] };
            let limits = ["explore", "model.cub", "--max-states", "2000", "--depth", "10", "--timeout", "5"];
            let explored = run(folder.path(), &[&limits, processes].concat(), b"");
            assert_ne!(program::code(&explored), 1, "{model}\n{}", out(&explored));
            safe.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(tried.is_none_or(|_| safe.into_inner() > 0 && violated.into_inner() > 0));
}

/// Not every fraction is a decimal.
#[test]
fn fractions() {
    let model = "var X : real\ninit { X = 0.0 }\nunsafe { 3.0 * X = 5.0 }\ntransition t () { X := 1.0 }\n";
    let folder = folder(&[("model.cub", model)]);
    let (code, found) = report(folder.path(), &["model.cub"]);
    assert_eq!((code, found["invariants"].as_array().map(Vec::len)), (0, Some(1)), "{found}");
}

#[test]
fn standard_input() {
    let output = run(Path::new("."), &["verify", "-"], DOOR.as_bytes());
    assert_eq!(code(&output), 1);
    assert!(out(&output).contains("The unsafe clause at <stdin>:4 holds"), "{}", out(&output));
}

#[test]
fn colours_only_on_demand() {
    let folder = small_models();
    let coloured = verify(folder.path(), &["door.cub", "--color", "always"]);
    assert!(out(&coloured).starts_with('\x1b'));
    assert!(!out(&verify(folder.path(), &["door.cub"])).contains('\x1b'));
    let json = verify(folder.path(), &["door.cub", "--color", "always", "--format", "json"]);
    assert!(!out(&json).contains('\x1b'));
}

/// `polycube verify ... | head -1`: the reader goes away, and nobody complains.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    for format in ["human", "json"] {
        let program = env!("CARGO_BIN_EXE_polycube");
        let script = format!(
            "'{program}' verify models/safe/german.cub --show-invariant --format {format} | head -n 1; echo \"${{PIPESTATUS[*]}}\""
        );
        let output = run_program("bash", &repository(), &["-c", &script], b"");
        assert!(
            out(&output).ends_with("\n0 0\n") && err(&output).is_empty(),
            "{}{}",
            out(&output),
            err(&output)
        );
    }
}

/// One clause whose search does not end does not keep the other from being decided; and that it does not end is said.
#[test]
fn what_is_decided_is_said() {
    let folder = small_models();
    for arguments in [&["both.cub", "--max-nodes", "30"][..], &["both.cub", "--timeout", "2"]] {
        let (code, found) = report(folder.path(), arguments);
        let verdicts: Vec<&Value> =
            found["properties"].as_array().expect("a list").iter().map(|one| &one["verdict"]).collect();
        assert_eq!((code, verdicts), (3, vec![&json!("unknown"), &json!("safe")]), "{arguments:?}");
        let diverging = &found["properties"][0]["diverging"];
        assert_eq!(diverging["growth"], "numbers");
        assert_eq!(diverging["examples"], json!(["X + Y < 0", "X + 3 * Y < 0", "X + 5 * Y < 0"]));
        assert!(found["properties"][1].get("diverging").is_none());
    }
    // A way out is looked for in 5 s, which is not enough on a machine that is busy: there is none, then.
    let answer = answer(folder.path(), &["both.cub", "--max-nodes", "30"]);
    let known =
        ["\nCounterexample 1 of 1", "\nWhat to try"].iter().filter_map(|part| answer.find(part)).min();
    insta::assert_snapshot!("both", &answer[..known.expect("a way out, or advice")]);
}
