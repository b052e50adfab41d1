//! Runs in the Informal Trace Format: what is written is read again, and what is wrong is refused.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use polycube_testing::generate::{Profile, random_system};
use polycube_testing::{for_seeds, models, repository};
use serde_json::{Value, json};

use crate::program::{code, err, folder, out, run};

const SYSTEMS: u64 = 40;

const MODEL: &str = "type place = Out | In
type data
const Limit : int
const Half : real
var Turn : proc
var Count : int
var Load : real
var Held : data
array Place[proc] : place
array Seen[proc, proc] : bool
init (p q) { Place[p] = Out && Count = 0 && Load = 0.5 && Limit = 7 && Half = 0.5 && not Seen[p, q] }
unsafe (p q) { Place[p] = In && Place[q] = In }
transition enter (p) requires { Place[p] = Out } { Place[p] := In; Count := Count - 1; Load := Load - 2.5; }
transition see (p q) requires { Place[p] = In && Place[q] = Out } { Seen[p, q] := True; Turn := q; Held := ?; }
";

/// The trace that a command has written.
fn written(folder: &Path, name: &str) -> Value {
    let text = fs::read_to_string(folder.join(name)).expect("a trace");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Reads a trace again in both ways: with the names of its steps, and without.
fn is_read_again(folder: &Path, trace: &str, model: &str) {
    let output = run(folder, &["replay", trace, model, "--itf", "again.itf.json", "--force"], b"");
    assert_eq!(code(&output), 0, "{model}: {}{}", out(&output), err(&output));
    let original = written(folder, trace);
    assert_eq!(original["states"], written(folder, "again.itf.json")["states"], "{model}");
    let mut unnamed = original.clone();
    for state in unnamed["states"].as_array_mut().expect("states") {
        *state.as_object_mut().expect("a state").get_mut("#meta").expect("an object") = json!({});
    }
    fs::write(folder.join("unnamed.itf.json"), unnamed.to_string()).expect("a file is written");
    let output =
        run(folder, &["replay", "unnamed.itf.json", model, "--itf", "again.itf.json", "--force"], b"");
    assert_eq!(code(&output), 0, "{model}, without names: {}{}", out(&output), err(&output));
    let mut found = written(folder, "again.itf.json");
    let states = original["states"].as_array().expect("states");
    for (found, state) in found["states"].as_array_mut().expect("states").iter_mut().zip(states) {
        // It may be another step with the same effect.
        found["#meta"] = state["#meta"].clone();
    }
    assert_eq!(found["states"], original["states"], "{model}, without names");
}

#[test]
fn runs_of_all_models_with_bugs() {
    let folder = folder(&[]);
    for model in models("unsafe") {
        let path = model.path.to_str().expect("a name");
        let arguments = ["verify", path, "--itf", "run.itf.json", "--format", "json", "--force"];
        let output = run(folder.path(), &arguments, b"");
        assert_eq!(code(&output), 1, "{path}: {}", err(&output));
        let found: Value = serde_json::from_str(out(&output)).expect("JSON");
        let trace = written(folder.path(), "run.itf.json");
        assert_eq!(trace["#meta"]["format"], "ITF");
        assert_eq!(trace["#meta"]["processes"], found["processes"]);
        let steps = found["trace"]["steps"].as_array().expect("steps").len();
        assert_eq!(trace["states"].as_array().expect("states").len(), steps + 1, "{path}");
        is_read_again(folder.path(), "run.itf.json", path);
    }
}

#[test]
fn random_walks() {
    let (walks, longest) = (AtomicU64::new(0), AtomicU64::new(0));
    let tried = for_seeds!(SYSTEMS, |seed: u64| {
        let system = random_system(seed, &Profile::ALL);
        let folder = folder(&[("model.cub", &system.to_source())]);
        let arguments = ["simulate", "model.cub", "--steps", "6", "-n", "2", "--itf", "run.itf.json"];
        // The model may fix another number of processes, or have no initial state.
        let output = run(folder.path(), &arguments, b"");
        if code(&output) == 0 {
            walks.fetch_add(1, Ordering::Relaxed);
            let states = written(folder.path(), "run.itf.json")["states"].as_array().map_or(0, Vec::len);
            longest.fetch_max(states as u64, Ordering::Relaxed);
            is_read_again(folder.path(), "run.itf.json", "model.cub");
        }
    });
    if let Some(tried) = tried {
        let (walks, longest) = (walks.into_inner(), longest.into_inner());
        assert!(walks > tried / 4 && longest > 3, "only {walks} walks of {tried}, up to {longest} states");
    }
}

#[test]
fn the_documentation_shows_a_real_trace() {
    let folder = folder(&[]);
    let file = folder.path().join("run.itf.json");
    let file = file.to_str().expect("a name");
    let output = run(&repository(), &["verify", "models/unsafe/mutex_no_turn_check.cub", "--itf", file], b"");
    assert_eq!(code(&output), 1, "{}", err(&output));
    let documentation = fs::read_to_string(repository().join("docs/reports.md")).expect("the documentation");
    let (_, shown) = documentation.split_once("```json\n").expect("a trace");
    let (shown, _) = shown.split_once("```").expect("its end");
    assert_eq!(shown, fs::read_to_string(file).expect("a trace"));
}

/// Every type of value, as the documentation says.
#[test]
fn values() {
    let folder = folder(&[("model.cub", MODEL)]);
    let arguments = ["simulate", "model.cub", "--steps", "5", "-n", "2", "--itf", "run.itf.json"];
    assert_eq!(code(&run(folder.path(), &arguments, b"")), 0);
    let trace = written(folder.path(), "run.itf.json");
    assert_eq!(trace["params"], json!(["Limit", "Half"]));
    assert_eq!(trace["vars"], json!(["Turn", "Count", "Load", "Held", "Place", "Seen"]));
    let first = &trace["states"][0];
    assert_eq!(first["Limit"], json!({ "#bigint": "7" }));
    assert_eq!(first["Half"], json!({ "#unserializable": "1/2" }));
    assert_eq!(first["Place"], json!({ "#map": [["#1", "Out"], ["#2", "Out"]] }));
    assert_eq!(first["Seen"]["#map"][1], json!([{ "#tup": ["#1", "#2"] }, false]));
    assert!(first["Held"].as_str().is_some_and(|held| held.starts_with("data!")), "{first}");
    assert!(first["Turn"].as_str().is_some_and(|turn| turn.starts_with('#')), "{first}");
    assert_eq!(first["#meta"], json!({ "index": 0 }));
    assert_eq!(trace["states"][1]["#meta"]["transition"], "enter");
    is_read_again(folder.path(), "run.itf.json", "model.cub");
}

/// What other tools may write in another way.
#[test]
fn other_ways_to_say_it() {
    let model = "type place = Out | In\n array Place[proc] : place\n var Turn : proc\n var N : int
        init (p) { Place[p] = Out && N = 0 }
        unsafe (p q) { Place[p] = In && Place[q] = In }
        transition enter (p) { Place[p] := In; N := N + 1; Turn := p; }";
    let folder = folder(&[("model.cub", model)]);
    let trace = json!({
        "vars": ["Place", "Turn", "N"],
        "states": [
            { "Place": { "#map": [[1, "Out"], [{ "#tup": [2] }, { "tag": "Out", "value": {} }]] }, "Turn": 1, "N": 0,
              "mbt::actionTaken": "init" },
            { "Place": { "#map": [["#2", "In"], ["#1", "Out"]] }, "Turn": { "#bigint": "2" }, "N": { "#bigint": "1" } },
        ],
    });
    fs::write(folder.path().join("run.itf.json"), trace.to_string()).expect("a file is written");
    let output = run(folder.path(), &["replay", "run.itf.json", "model.cub"], b"");
    assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    assert!(out(&output).contains("2 processes") && out(&output).contains("enter(#2)"), "{}", out(&output));
}

/// What is not a trace of the model is refused, with the place; what is not a run is none.
#[test]
fn wrong_traces() {
    let folder = folder(&[("model.cub", MODEL)]);
    let arguments = ["simulate", "model.cub", "--steps", "3", "-n", "2", "--itf", "run.itf.json"];
    assert_eq!(code(&run(folder.path(), &arguments, b"")), 0);
    let right = written(folder.path(), "run.itf.json");
    let spoilt = |spoil: &dyn Fn(&mut Value)| {
        let mut trace = right.clone();
        spoil(&mut trace);
        let output = run(folder.path(), &["replay", "-", "model.cub"], trace.to_string().as_bytes());
        (code(&output), format!("{}{}", out(&output), err(&output)))
    };
    let refused = |said: &str, spoil: &dyn Fn(&mut Value)| {
        let (code, text) = spoilt(spoil);
        assert!(code == 2 && text.replace('\n', " ").contains(said), "{said}: {code}, {text}");
    };
    refused("no states", &|trace| trace["states"] = json!([]));
    refused("state 1, `Count` has no value", &|trace| {
        trace["states"][1].as_object_mut().expect("a state").remove("Count");
    });
    refused("the model has no variable `Cuont`", &|trace| trace["states"][1]["Cuont"] = json!(1));
    refused("is not a value of type `int`", &|trace| trace["states"][0]["Count"] = json!("many"));
    refused("is not a value of type `int`", &|trace| trace["states"][0]["Count"] = json!(1.5));
    refused("an array is a map", &|trace| trace["states"][0]["Place"] = json!("Out"));
    refused("is not a key and a value", &|trace| trace["states"][0]["Place"]["#map"][0] = json!(["#1"]));
    refused("is not a key and a value", &|trace| trace["states"][0]["Seen"]["#map"][0] = json!(["#1", true]));
    refused("is not the only value of its key", &|trace| {
        trace["states"][0]["Place"]["#map"][0] = json!(["#2", "Out"]);
    });
    refused("`Place[#2]` has no value", &|trace| {
        trace["states"][0]["Place"]["#map"] = json!([["#1", "Out"]]);
    });
    refused("is not a number of processes", &|trace| trace["#meta"]["processes"] = json!("two"));
    refused("at most 64", &|trace| trace["#meta"]["processes"] = json!(65));
    refused("is not a process", &|trace| trace["states"][1]["#meta"]["arguments"] = json!(["#x"]));
    refused("the model has no transition `entre`", &|trace| {
        trace["states"][1]["#meta"] = json!({ "transition": "entre" });
    });
    refused("malformed", &|trace| trace["states"] = json!([3]));
    let not_a_run = |said: &str, spoil: &dyn Fn(&mut Value)| {
        let (code, text) = spoilt(spoil);
        assert!(code == 1 && text.replace('\n', " ").contains(said), "{said}: {code}, {text}");
    };
    not_a_run("does not start in an initial state", &|trace| {
        trace["states"][0]["Count"] = json!({ "#bigint": "3" });
    });
    not_a_run("Count", &|trace| trace["states"][1]["Count"] = json!(9));
    not_a_run("step 1 is not possible: no transition leads from the state before it", &|trace| {
        trace["states"][1]["Count"] = json!(9);
        trace["states"][1]["#meta"] = json!({});
    });
}
