//! `polycube replay`: which traces are runs, and what is said about the others.

use std::process::Output;

use crate::program::{code, err, folder, out, run};
use polycube_testing::repository;
use serde_json::{Value, json};

const MODEL: &str = "\
type letter = A | B
var Turn : proc
var Count : int
var Letter : letter
array Inside[proc] : bool
array Link[proc,proc] : bool

init (p) { not Inside[p] && Count = 0 }
init (p q) { not Link[p,q] }

unsafe (p q) { Inside[p] && Inside[q] }
invariant { Count = 2 && Letter < B }

transition enter (p)
  requires { Turn = p && not Inside[p] }
{ Inside[p] := True; Count := Count + 1 }

transition pass (p q)
  requires { Turn = p }
{ Turn := q }

transition pass ()
  requires { Count > 5 }
{ Turn := ? }
";

/// A run of the model with two processes, at whose end both clauses are violated.
fn good() -> Value {
    json!({
        "processes": 2,
        "order": { "proc": ["#2", "#1"] },
        "initial": {
            "Turn": "#1", "Count": "0", "Letter": "A",
            "Inside[#1]": "False", "Inside[#2]": "False",
            "Link[#1,#1]": "False", "Link[#1,#2]": "False", "Link[#2,#1]": "False", "Link[#2,#2]": "False",
        },
        "steps": [
            { "transition": "enter", "arguments": ["#1"], "changes": { "Inside[#1]": "True", "Count": "1" } },
            { "transition": "pass", "arguments": ["#1", "#2"], "changes": { "Turn": "#2" } },
            { "transition": "enter", "arguments": ["#2"], "changes": { "Inside[#2]": "True", "Count": "2" } },
        ],
    })
}

/// Replays a text.
fn replay(text: &str, options: &[&str]) -> Output {
    let folder = folder(&[("model.cub", MODEL)]);
    run(folder.path(), &[&["replay", "-", "model.cub"], options].concat(), text.as_bytes())
}

/// Both outputs and the exit code.
fn answer(text: &str) -> String {
    let output = replay(text, &[]);
    let warnings_end = err(&output).find("error:").unwrap_or(err(&output).len());
    format!("{}{}exit code {}\n", out(&output), &err(&output)[warnings_end..], code(&output))
}

#[test]
fn runs_are_accepted() {
    insta::assert_snapshot!("accepted", answer(&good().to_string()));
    let mut shorter = good();
    shorter["steps"].as_array_mut().expect("steps").truncate(1);
    insta::assert_snapshot!("accepted_without_violation", answer(&shorter.to_string()));
    let mut longer = good();
    let step = json!({ "transition": "pass", "arguments": ["#2", "#1"], "changes": {} });
    let back =
        json!({ "transition": "pass", "arguments": ["#2", "#1"], "changes": { "Turn": "#1", "Count": "2" } });
    longer["steps"].as_array_mut().expect("steps").push(back);
    insta::assert_snapshot!("accepted_after_violation", answer(&longer.to_string()));
    longer["steps"][3] = step;
    assert!(answer(&longer.to_string()).contains("exit code 1"), "a change is missing");
}

#[test]
fn json_says_the_same() {
    let accepted = replay(&good().to_string(), &["--format", "json"]);
    assert_eq!((code(&accepted), err(&accepted)), (0, ""));
    insta::assert_snapshot!("json_accepted", out(&accepted));
    let mut wrong = good();
    wrong["steps"][2]["arguments"] = json!(["#1"]);
    let rejected = replay(&wrong.to_string(), &["--format", "json"]);
    assert_eq!((code(&rejected), err(&rejected)), (1, ""));
    insta::assert_snapshot!("json_rejected", out(&rejected));
    let refused = replay("{", &["--format", "json"]);
    assert_eq!((code(&refused), err(&refused)), (2, ""));
    let report: Value = serde_json::from_str(out(&refused)).expect("JSON");
    assert!(report["error"].as_str().is_some_and(|error| error.contains("it is not JSON")), "{report}");
}

/// Traces of this model that are no runs.
#[test]
fn what_is_no_run_is_rejected() {
    let tampered: [(&str, &str, Value); 9] = [
        ("not_initial", "/initial/Count", json!("7")),
        ("other_value", "/steps/0/changes/Count", json!("5")),
        ("should_not_change", "/steps/1/changes", json!({ "Turn": "#2", "Letter": "B" })),
        ("guard_fails", "/steps/1/arguments", json!(["#2", "#1"])),
        ("same_process_twice", "/steps/1/arguments", json!(["#1", "#1"])),
        ("number_of_arguments", "/steps/0/arguments", json!([])),
        ("no_such_process", "/steps/2/arguments", json!(["#3"])),
        ("unknown_transition", "/steps/2/transition", json!("leave")),
        ("no_such_cell", "/steps/0/changes", json!({ "Inside[#9]": "True" })),
    ];
    let mut answers = String::new();
    for (name, pointer, value) in tampered {
        let mut trace = good();
        *trace.pointer_mut(pointer).expect("a place in the trace") = value;
        let answer = answer(&trace.to_string());
        assert!(answer.ends_with("exit code 1\n"), "{name}: {answer}");
        let from = answer.find("Not a run of").unwrap_or_else(|| panic!("{name}: {answer}"));
        answers += &format!("{name}\n{}\n", &answer[from..]);
    }
    let twice = good().to_string().replace("{\"Turn\":\"#2\"}", "{\"Turn\":\"#2\",\"Turn\":\"#2\"}");
    let answer = answer(&twice);
    answers += &format!("twice\n{}", &answer[answer.find("Not a run of").expect("an answer")..]);
    insta::assert_snapshot!("rejected", answers);
}

#[test]
fn the_steps_before_are_shown() {
    let mut trace = good();
    trace["steps"][2]["arguments"] = json!(["#1"]);
    insta::assert_snapshot!("steps_before", answer(&trace.to_string()));
}

/// What is no trace of this model at all.
#[test]
fn what_is_no_trace_is_refused() {
    let plain = |text: &str| (text.to_owned(), text.to_owned());
    let changed = |pointer: &str, value: Value| {
        let mut trace = good();
        let name = format!("{pointer} = {value}");
        *trace.pointer_mut(pointer).expect("a place in the trace") = value;
        (name, trace.to_string())
    };
    let initial = |name: &str, value: &str| {
        let mut trace = good();
        trace["initial"][name] = json!(value);
        (format!("initially {name} = {value}"), trace.to_string())
    };
    let order = |name: &str, values: Value| changed("/order", json!({ name: values }));
    let mut missing = good();
    missing["initial"].as_object_mut().expect("an object").remove("Turn");
    let twice = good().to_string().replace("\"Turn\":\"#1\"", "\"Turn\":\"#1\",\"Turn\":\"#2\"");
    let cases = [
        plain(""),
        plain(" \n"),
        plain("run"),
        plain("{\n  \"processes\": 2,\n  \"steps\": [,]\n}"),
        plain(&good().to_string()[..100]),
        plain("17"),
        plain("[1, 2]"),
        plain("{}"),
        plain("{\"error\": \"wrong input\"}"),
        plain("{\"initial\": {}}"),
        plain("{\"violations\": [], \"states\": 17}"),
        plain("{\"violations\": [{\"kind\": \"unsafe\"}], \"deadlock\": true}"),
        plain("{\"violations\": 3}"),
        plain("{\"trace\": {\"processes\": 2}}"),
        changed("/processes", json!("2")),
        changed("/processes", json!(-1)),
        changed("/processes", json!(0)),
        changed("/processes", json!(1)),
        changed("/processes", json!(3)),
        changed("/processes", json!(65)),
        changed("/steps", json!({})),
        changed("/steps/0", json!("enter")),
        changed("/steps/0/arguments", json!(["1"])),
        changed("/steps/0/arguments", json!([1])),
        changed("/steps/0/changes", json!(["Turn"])),
        changed("/steps/0/changes", json!({ "Turn": 1 })),
        changed("/steps/0/changes", json!({ "Turn": "Invalid" })),
        changed("/steps/0/changes", json!({ "Cuont": "1" })),
        initial("Turn", "#3"),
        initial("Count", "many"),
        initial("Count", "1/2"),
        initial("Letter", &"C".repeat(100)),
        initial("Inside[#3]", "True"),
        initial("Insid[#1]", "True"),
        initial("Turn[#1]", "#1"),
        initial("Inside", "True"),
        initial("Link[#1]", "True"),
        initial("Cache[#1]", "Shared"),
        ("initially no Turn".to_owned(), missing.to_string()),
        ("initially Turn twice".to_owned(), twice),
        order("proc", json!(["#1"])),
        order("proc", json!(["#1", "2"])),
        order("letter", json!(["A", "A"])),
        order("letter", json!(["A", "C"])),
        order("lettre", json!(["A", "B"])),
    ];
    let mut answers = String::new();
    for (name, text) in &cases {
        let answer = answer(text);
        assert!(answer.starts_with("error: ") && answer.ends_with("exit code 2\n"), "{name}: {answer}");
        answers += &format!("{name}\n{}\n", answer.replace("\nexit code 2\n", ""));
    }
    insta::assert_snapshot!("refused", answers);
}

#[test]
fn traces_are_found_in_reports() {
    let source = |report: &Value| {
        let output = replay(&report.to_string(), &["--format", "json"]);
        assert_eq!(code(&output), 0, "{}", out(&output));
        serde_json::from_str::<Value>(out(&output)).expect("JSON")["source"].clone()
    };
    let (trace, none) = (good(), json!({ "kind": "unsafe" }));
    assert_eq!(source(&trace), Value::Null);
    assert_eq!(source(&json!({ "trace": trace, "violations": [none], "deadlock": false })), "trace");
    assert_eq!(
        source(&json!({ "processes": 2, "violations": [{ "trace": trace }, { "trace": trace }] })),
        "violations[0].trace"
    );
    assert_eq!(
        source(&json!({ "violations": [none, { "trace": null }, { "trace": trace }] })),
        "violations[2].trace"
    );
    assert_eq!(source(&json!({ "violations": [], "deadlock": { "trace": trace } })), "deadlock.trace");
    let text = format!("\u{FEFF}{}", json!({ "violations": [{ "trace": good() }] }));
    let output = replay(&text, &[]);
    assert!(out(&output).starts_with("The trace of the first violation in <stdin>:\n"), "{}", out(&output));
}

#[test]
fn huge_and_deep_texts_do_no_harm() {
    let deep = |start: &str, end: &str| format!("{}{}", start.repeat(200_000), end.repeat(200_000));
    let numbers = "0,".repeat(2_000_000);
    let cases = [
        deep("[", "]"),
        deep("{\"trace\":", "}"),
        format!("{{\"violations\":{}}}", deep("[", "]")),
        format!("{{\"other\":[{numbers}0]}}"),
        format!("{{\"initial\":[{numbers}0]}}"),
        format!("{{\"deadlock\":[{numbers}0]}}"),
    ];
    for case in &cases {
        let output = replay(case, &[]);
        assert_eq!((code(&output), out(&output)), (2, ""), "{}", err(&output));
    }
    let mut trace = good();
    trace["other"] = json!(vec![0; 100_000]);
    assert_eq!(code(&replay(&trace.to_string(), &[])), 0, "what is not asked for is skipped");
    trace["initial"]["Count"] = json!("9".repeat(20_000));
    assert_eq!(code(&replay(&trace.to_string(), &[])), 1);
}

#[test]
fn either_file_may_be_standard_input() {
    let folder = folder(&[("model.cub", MODEL), ("trace.json", &good().to_string())]);
    let replay = |arguments: &[&str], input: &str| {
        run(folder.path(), &[&["replay"], arguments].concat(), input.as_bytes())
    };
    assert_eq!(code(&replay(&["trace.json", "model.cub"], "")), 0);
    assert_eq!(code(&replay(&["trace.json", "-"], MODEL)), 0);
    let both = replay(&["-", "-"], MODEL);
    assert_eq!(code(&both), 2);
    assert!(err(&both).contains("cannot both be read from standard input"), "{}", err(&both));
}

#[test]
fn files_that_cannot_be_read() {
    let folder =
        folder(&[("model.cub", MODEL), ("wrong.cub", "init { Y }"), ("trace.json", &good().to_string())]);
    std::fs::write(folder.path().join("latin1.json"), b"{\"caf\xE9\": 1}").expect("a file is written");
    let cases = [
        (["missing.json", "model.cub"], "`missing.json` cannot be read: there is no such file"),
        ([".", "model.cub"], "`.` cannot be read: it is a directory"),
        (["latin1.json", "model.cub"], "`latin1.json` cannot be replayed: it is not UTF-8 text"),
        (["trace.json", "missing.cub"], "`missing.cub` cannot be read: there is no such file"),
        (["trace.json", "wrong.cub"], "unknown name `Y`"),
        (["model.cub", "model.cub"], "`model.cub` cannot be replayed: it is not JSON"),
    ];
    for (arguments, expected) in cases {
        let output = run(folder.path(), &[&["replay"], &arguments[..]].concat(), b"");
        assert_eq!((code(&output), out(&output)), (2, ""), "{arguments:?}");
        assert!(err(&output).contains(expected), "{arguments:?}: {}", err(&output));
        let output = run(folder.path(), &[&["replay", "--format=json"], &arguments[..]].concat(), b"");
        assert_eq!((code(&output), err(&output)), (2, ""), "{arguments:?}");
        serde_json::from_str::<Value>(out(&output)).expect("JSON");
    }
}

#[test]
fn a_trace_of_another_model() {
    let root = repository();
    let german = run(&root, &["simulate", "models/safe/german.cub", "--format", "json"], b"");
    let replay = |model: &str| run(&root, &["replay", "-", model], &german.stdout);
    let other = replay("models/safe/mutex.cub");
    assert_eq!(code(&other), 2);
    let expected =
        "this looks like a trace of another model: in the initial state, the model has no array `Cache`";
    assert!(err(&other).contains(expected), "{}", err(&other));
}

/// What `explore` finds is a run to a bad state.
#[test]
fn what_explore_finds_is_a_run() {
    let root = repository();
    for name in ["mutex_no_turn_check", "german_no_invalidate_ack", "szymanski_entrance_any_order"] {
        let model = format!("models/unsafe/{name}.cub");
        let explored = run(&root, &["explore", &model, "--format", "json"], b"");
        assert_eq!(code(&explored), 1, "{model}: {}", err(&explored));
        let replayed = run(&root, &["replay", "-", &model], &explored.stdout);
        assert_eq!(code(&replayed), 0, "{model}: {}", err(&replayed));
        assert!(out(&replayed).starts_with("The trace of the first violation"), "{}", out(&replayed));
        let words: Vec<&str> = out(&replayed).split_whitespace().collect();
        assert!(words.join(" ").contains("holds in the last state"), "{}", out(&replayed));
    }
}
