//! `polycube explore`: what it finds, what it says about it, and how it ends.

mod program;

use std::path::Path;
use std::process::Output;

use polycube_language::generate::{Profile, random_system};
use polycube_testing::repository;
use program::{code, err, folder, out, run, run_program};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Two processes may be inside; and once nobody is outside, nothing is possible any more.
const DOOR: &str = "\
array Inside[proc] : bool
init (p) { not Inside[p] }
unsafe (p q) { Inside[p] && Inside[q] }
invariant (p) { Inside[p] }
transition enter (p) requires { not Inside[p] } { Inside[p] := True }
";

/// No clause is violated, and a transition is never possible.
const LIFT: &str = "\
type floor = Ground | Top | Roof
var Floor : floor
var Door : bool
init { Floor = Ground && not Door }
unsafe { Floor = Roof }
transition up () requires { Floor = Ground } { Floor := Top }
transition open () requires { Floor = Top && Door = False } { Door := True }
transition jump () requires { Floor = Roof } { Floor := Ground }
";

/// Doubles a number until it cannot be stored.
const DOUBLE: &str = "\
var X : int
init { X = 1 }
unsafe { X = 0 }
transition double () { X := X + X }
";

/// One step chooses a value for each process.
const MIX: &str = "\
array X[proc] : bool
init (p) { not X[p] }
unsafe (p) { X[p] && not X[p] || p <> p }
transition mix () { X[k] := case | _ : ? }
";

/// Numbers and abstract values that may be any.
const ANY: &str = "\
type data
var X : int
var Y : int
var D : data
array E[proc] : data
init { X > 10 && Y = 0 }
unsafe { Y = 7 }
transition choose (p) { Y := ?; E[p] := D }
";

/// Every transition compares by an order that the language leaves open.
const ORDERS: &str = "\
number_procs 3
type level = Low | High
var Level : level
var Who : proc
init { Level = Low && Who = #1 }
unsafe { Level = High && Who = #3 }
transition raise () requires { Level < High } { Level := High }
transition climb (p) requires { Who < p } { Who := p }
";

/// What may differ from one run to the next.
const VARYING: [&str; 5] = ["threads", "seconds", "states_per_second", "bytes", "bytes_per_state"];

fn models() -> TempDir {
    folder(&[
        ("door.cub", DOOR),
        ("lift.cub", LIFT),
        ("double.cub", DOUBLE),
        ("mix.cub", MIX),
        ("any.cub", ANY),
        ("orders.cub", ORDERS),
        (
            "halve.cub",
            &DOUBLE
                .replace("int", "real")
                .replace("= 1", "= 1.0")
                .replace("= 0", "= 0.0")
                .replace("X + X", "0.5 * X"),
        ),
        (
            "never.cub",
            "var X : proc\nvar Y : bool\ninit (p) { X <> p }\nunsafe { Y }\ntransition t () { Y := True }\n",
        ),
        (
            "gap.cub",
            "var X : int\nvar Y : int\ninit { X > 10 && Y > X + 10 }\nunsafe { X = 3 }\ntransition t () { X := 3 }\n",
        ),
        ("wrong.cub", "var X : int\ninit { Y = 0 }\n"),
        (
            "cube.cub",
            "array A[proc,proc,proc] : bool\ninit (p q r) { not A[p,q,r] }\nunsafe (p) { A[p,p,p] }\ntransition t (p) { A[p,p,p] := True }\n",
        ),
    ])
}

fn explore(folder: &Path, arguments: &[&str]) -> Output {
    run(folder, &[&["explore"], arguments].concat(), b"")
}

/// The exit code and the JSON report.
fn report(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let output = explore(folder, &[arguments, &["--format", "json"]].concat());
    assert_eq!(err(&output), "", "{arguments:?}");
    (code(&output), serde_json::from_str(out(&output)).expect("JSON"))
}

/// The report without what may differ from one run to the next.
fn steady_report(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let (code, mut report) = report(folder, arguments);
    let fields = report.as_object_mut().expect("an object");
    VARYING.iter().for_each(|name| assert!(fields.remove(*name).is_some(), "{name}"));
    (code, report)
}

/// A report for people without times and sizes, and without the layout that depends on how long these are.
fn steady(text: &str) -> String {
    let steady_line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [name @ ("time" | "memory"), ..] if line.starts_with("  ") => format!("  {name} ...\n"),
            ["states" | "transitions" | "depth", ..] if line.starts_with("  ") => {
                format!("  {}\n", words.join(" "))
            }
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(steady_line).collect()
}

/// All that is printed, and the exit code.
fn answer(folder: &Path, arguments: &[&str]) -> String {
    let output = explore(folder, arguments);
    for line in out(&output).lines() {
        assert!(line.len() <= 80, "{line}");
    }
    format!("{}{}exit code {}\n", steady(out(&output)), err(&output), code(&output))
}

/// The words behind the numbers, in one line.
fn last_words(text: &str) -> String {
    let behind = &text[text.rfind("\n\n").map_or(0, |at| at + 2)..];
    behind.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_safe_model() {
    insta::assert_snapshot!("safe", answer(&repository(), &["models/safe/mutex.cub"]));
    let (code, report) = report(&repository(), &["models/safe/german.cub"]);
    assert_eq!((code, &report["complete"], &report["end"]), (0, &json!(true), &json!("complete")));
    assert_eq!(report["states"], 5115);
}

#[test]
fn an_unsafe_model() {
    insta::assert_snapshot!("unsafe", answer(&repository(), &["models/unsafe/mutex_no_turn_check.cub"]));
}

#[test]
fn several_runs() {
    let folder = models();
    insta::assert_snapshot!("door", answer(folder.path(), &["door.cub"]));
    let all = answer(folder.path(), &["door.cub", "-n", "2", "--keep-going", "--deadlock", "error"]);
    insta::assert_snapshot!("door_keep_going", all);
}

#[test]
fn a_failing_invariant() {
    let folder = folder(&[("door.cub", &DOOR.replace("unsafe (p q)", "invariant (p q)"))]);
    let (code, report) = report(folder.path(), &["door.cub", "-n", "4"]);
    assert_eq!((code, &report["complete"]), (1, &json!(true)), "an invariant does not end the search");
    assert_eq!(report["states"], 5);
    let violations = report["violations"].as_array().expect("an array");
    let seen: Vec<_> = violations.iter().map(|one| (&one["kind"], &one["line"], &one["steps"])).collect();
    let invariant = json!("invariant");
    assert_eq!(seen, [(&invariant, &json!(3), &json!(2)), (&invariant, &json!(4), &json!(1))]);
}

#[test]
fn a_bad_state_to_start_from() {
    let text = answer(
        folder(&[("door.cub", &DOOR.replace("not Inside[p] }\nunsafe", "Inside[p] }\nunsafe"))]).path(),
        &["door.cub"],
    );
    assert!(text.contains("The unsafe clause at door.cub:3 holds in the initial state"), "{text}");
}

#[test]
fn deadlocks() {
    let folder = models();
    let ways = ["warn", "error", "ignore"].map(|way| answer(folder.path(), &["lift.cub", "--deadlock", way]));
    insta::assert_snapshot!("deadlocks", ways.join("\n"));
    let (code, found) = report(folder.path(), &["lift.cub"]);
    assert_eq!((code, &found["deadlocks"], &found["deadlock"]["steps"]), (0, &json!(1), &json!(2)));
    let replayed =
        run(folder.path(), &["replay", "-", "lift.cub", "--format", "json"], found.to_string().as_bytes());
    let replayed: Value = serde_json::from_str(out(&replayed)).expect("JSON");
    assert_eq!((&replayed["accepted"], &replayed["source"]), (&json!(true), &json!("deadlock.trace")));
    let (code, found) = report(&repository(), &["models/safe/german.cub"]);
    assert_eq!((code, &found["deadlocks"], found.get("deadlock")), (0, &json!(0), None));
}

#[test]
fn transitions_that_are_never_possible() {
    let folder = models();
    assert_eq!(report(folder.path(), &["lift.cub"]).1["never_fired"], json!(["jump"]));
    assert!(
        answer(folder.path(), &["lift.cub"]).contains("\nwarning: 1 transition is never possible: jump.\n")
    );
    let partial = answer(folder.path(), &["lift.cub", "--depth", "1"]);
    assert!(
        partial.contains("\nnote: 2 transitions were not taken before the search ended: open, jump.\n"),
        "{partial}"
    );
}

/// Every field that is documented is there, and no other.
#[test]
fn json_is_as_documented() {
    let text = std::fs::read_to_string(repository().join("docs/json.md")).expect("the documentation");
    let section = text.split("\n## ").find(|section| section.starts_with("explore\n")).expect("a section");
    let documented = |heading: &str| -> Vec<(String, String)> {
        let table = section.split(heading).nth(1).expect("a table").split("\n\n").nth(1).expect("its rows");
        let rows = table.lines().skip(2).map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
        let fields = rows.flat_map(|row| {
            let names: Vec<String> =
                row[1].split(", ").map(|name| name.trim_matches(['`', '"']).to_owned()).collect();
            names.into_iter().map(move |name| (name, row[2].to_owned()))
        });
        fields.collect()
    };
    let check = |object: &Value, table: &[(String, String)]| {
        let object = object.as_object().expect("an object");
        for (name, ty) in table {
            let Some(value) = object.get(name) else {
                assert!(ty.contains("absent"), "{name} is missing");
                continue;
            };
            let is = match ty.split([' ', ',']).next().expect("a type") {
                "string" => value.is_string(),
                "integer" => value.is_u64(),
                "number" => value.is_number(),
                "boolean" => value.is_boolean(),
                "array" => value.is_array(),
                "object" | "[trace](#traces)" => value.is_object(),
                other => panic!("what is {other}?"),
            };
            assert!(is, "{name} is {value}, not {ty}");
        }
        for name in object.keys() {
            assert!(table.iter().any(|(known, _)| known == name), "{name} is not documented");
        }
    };
    let (fields, violation) = (documented("prints one object:"), documented("### Violation"));
    let ends: Vec<String> = documented("### Ends").into_iter().map(|(name, _)| name).collect();
    assert!(fields.len() > 20 && violation.len() == 6 && ends.len() == 10);
    let folder = models();
    for (model, options) in
        [("door.cub", "--keep-going"), ("lift.cub", "--depth=1"), ("any.cub", "-n2"), ("never.cub", "-j3")]
    {
        let (_, report) = report(folder.path(), &[model, options]);
        check(&report, &fields);
        assert!(ends.contains(&report["end"].as_str().expect("text").to_owned()), "{report}");
        let violations = report["violations"].as_array().expect("an array");
        violations.iter().for_each(|one| check(one, &violation));
        let texts = report["bounds"]
            .as_array()
            .into_iter()
            .flatten()
            .chain(report["never_fired"].as_array().into_iter().flatten());
        assert!(texts.into_iter().all(Value::is_string), "{report}");
    }
}

#[test]
fn a_run_is_a_run() {
    for (model, folder) in [("door.cub", models()), ("orders.cub", models())] {
        let explored = explore(folder.path(), &[model, "--format", "json"]);
        assert_eq!(code(&explored), 1);
        let replayed = run(folder.path(), &["replay", "-", model, "--format", "json"], &explored.stdout);
        let replayed: Value = serde_json::from_str(out(&replayed)).expect("JSON");
        assert_eq!(replayed["source"], "violations[0].trace");
        assert_eq!(replayed["violations"][0]["kind"], "unsafe", "{replayed}");
    }
}

/// Random systems have everything that the language has.
#[test]
fn random_systems() {
    let mut violated = 0;
    for seed in 0..60 {
        let model = random_system(seed, &Profile::ALL).to_source();
        let folder = folder(&[("model.cub", &model)]);
        let limits = [
            "model.cub",
            "-n2",
            "--max-states",
            "2000",
            "--depth",
            "20",
            "--keep-going",
            "--deadlock",
            "error",
        ];
        let (code, report) = report(folder.path(), &limits);
        assert_eq!(code == 2, report["error"].is_string(), "seed {seed}: {model}\n{report}");
        if code == 1 {
            let replayed = run(folder.path(), &["replay", "-", "model.cub"], report.to_string().as_bytes());
            assert_eq!(program::code(&replayed), 0, "seed {seed}: {model}\n{}", err(&replayed));
            violated += 1;
        }
    }
    assert!(violated > 20, "{violated}");
}

#[test]
fn renaming() {
    let root = repository();
    for (model, classes, states) in [("mutex", 9, 36), ("readers_writers", 19, 71), ("german", 5115, 28647)] {
        let model = format!("models/safe/{model}.cub");
        let (_, with) = report(&root, &[&model]);
        let (_, without) = report(&root, &[&model, "--no-symmetry"]);
        assert_eq!((&with["states"], &with["symmetry"]), (&json!(classes), &json!(true)), "{model}");
        assert_eq!((&without["states"], &without["symmetry"]), (&json!(states), &json!(false)), "{model}");
    }
    let (_, ordered) = report(&root, &["models/safe/burns.cub"]);
    assert_eq!(ordered["symmetry"], false, "its processes are compared by `<`");
    let (_, one) = report(&root, &["models/safe/mutex.cub", "-n", "1"]);
    assert_eq!(one["symmetry"], false, "there is nothing to rename");
}

/// Whatever does not count states is the same without symmetry.
#[test]
fn renaming_changes_no_answer() {
    let mut compared = 0;
    for seed in 0..60 {
        let model = random_system(seed, &Profile::ALL).to_source();
        let folder = folder(&[("model.cub", &model)]);
        let limits = ["model.cub", "-n3", "--depth", "4", "--max-states", "20000", "--keep-going"];
        let [with, without] = [&limits[..], &[&limits[..], &["--no-symmetry"]].concat()]
            .map(|arguments| report(folder.path(), arguments));
        if with.0 == 2 || without.1["end"] == "states" {
            continue;
        }
        assert_eq!(with.0, without.0, "seed {seed}: {model}");
        let (with, without) = (with.1, without.1);
        for pointer in ["/end", "/depth", "/never_fired", "/bounds", "/orders", "/deadlock/steps"] {
            assert_eq!(with.pointer(pointer), without.pointer(pointer), "seed {seed}, {pointer}: {model}");
        }
        let clauses = |report: &Value| -> Vec<[Value; 2]> {
            let violations = report["violations"].as_array().expect("an array").iter();
            violations.map(|one| ["line", "steps"].map(|name| one[name].clone())).collect()
        };
        assert_eq!(clauses(&with), clauses(&without), "seed {seed}: {model}");
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn orders() {
    let folder = models();
    let output = explore(folder.path(), &["orders.cub"]);
    assert_eq!(code(&output), 1);
    insta::assert_snapshot!("orders", steady(out(&output)));
    let (_, found) = report(folder.path(), &["orders.cub"]);
    assert_eq!(found["orders"], 12, "three processes of which two are named, and two levels");
    assert_eq!(found["initial_states"], 12);
}

#[test]
fn bounds() {
    let folder = models();
    insta::assert_snapshot!("bounds", answer(folder.path(), &["any.cub", "-n", "2"]));
    let (code, found) = report(folder.path(), &["any.cub", "-n", "1", "--values", "1"]);
    // 11 is next to 10, with which `init` compares; 0 to 3 are not above 10.
    assert_eq!((code, &found["initial_states"], &found["states"]), (0, &json!(1), &json!(4)));
    let (code, found) = report(folder.path(), &["any.cub", "-n", "1", "--values", "1", "--int-range=-2..12"]);
    assert_eq!((code, &found["initial_states"]), (1, &json!(2)), "11 and 12, and 7 is reached");
    assert_eq!(found["violations"][0]["steps"], 1);
    let states = |values: &str| {
        report(folder.path(), &["any.cub", "-n3", "--no-symmetry", "--depth=0", "--values", values]).1["states"].clone()
    };
    assert_eq!((states("1"), states("2"), states("3")), (json!(1), json!(16), json!(81)));
}

#[test]
fn nothing_to_start_from() {
    let folder = models();
    insta::assert_snapshot!("never", answer(folder.path(), &["never.cub"]));
    let (code, found) = report(folder.path(), &["never.cub"]);
    assert_eq!((code, &found["initial_states"], &found["states"]), (0, &json!(0), &json!(0)));
    insta::assert_snapshot!("gap", answer(folder.path(), &["gap.cub"]));
    assert_eq!(report(folder.path(), &["gap.cub", "--int-range", "0..30"]).0, 1);
}

/// The same JSON for any number of threads, also where a limit ends the search.
#[test]
fn threads_make_no_difference() {
    let (root, folder) = (repository(), models());
    let cases: [(&Path, &[&str]); 12] = [
        (&root, &["models/safe/german.cub", "-n5"]),
        (&root, &["models/safe/german.cub", "-n5", "--max-states=20000", "--no-symmetry"]),
        (&root, &["models/safe/flash_control.cub", "-n3", "--depth=12"]),
        (&root, &["models/safe/flash_data.cub", "--max-states=30000"]),
        (&root, &["models/safe/bakery.cub", "--max-states=30000"]),
        (&root, &["models/safe/two_phase_commit.cub", "-n4", "--depth=9"]),
        (&root, &["models/safe/chandra_toueg.cub", "-n5", "--deadlock=error"]),
        (&root, &["models/safe/dijkstra.cub", "-n5", "--max-memory=1M"]),
        (&root, &["models/unsafe/german_data_no_write_back.cub", "-n2", "--keep-going"]),
        (&root, &["models/unsafe/flash_writeback_race.cub", "-n3"]),
        (folder.path(), &["double.cub"]),
        (folder.path(), &["mix.cub", "-n12", "--no-symmetry", "--max-states=4000"]),
    ];
    for (place, arguments) in cases {
        let one = steady_report(place, &[arguments, &["-j", "1"]].concat());
        let four = steady_report(place, &[arguments, &["-j", "4"]].concat());
        assert_eq!(one, four, "{arguments:?}");
    }
}

#[test]
fn limits() {
    let (root, folder) = (repository(), models());
    let german = "models/safe/german.cub";
    let cases: [(&Path, &[&str], &str, &str); 9] = [
        (&root, &[german, "--depth", "3"], "depth", "the search ended 3 steps from the start (--depth)"),
        (&root, &[german, "--depth", "0"], "depth", "the search ended 0 steps from the start (--depth)"),
        (
            &root,
            &[german, "--max-states", "1000"],
            "states",
            "the limit of 1,000 states was reached (--max-states)",
        ),
        (
            &root,
            &[german, "-n6", "--max-memory", "1M"],
            "memory",
            "the limit of 1.0 MB of memory was reached (--max-memory)",
        ),
        (
            &root,
            &[german, "-n6", "--no-symmetry", "--timeout", "0.2"],
            "timeout",
            "the time of 0.20 s was up (--timeout)",
        ),
        (folder.path(), &["double.cub"], "overflow", "a number for `X` is too large to be stored"),
        (folder.path(), &["halve.cub"], "overflow", "a number for `X` is too large or too fine to be stored"),
        (
            folder.path(),
            &["mix.cub", "-n21"],
            "choices",
            "one step of `mix` can lead to more than a million states",
        ),
        (
            &root,
            &["models/safe/bakery.cub", "--max-states", "0"],
            "states",
            "the limit of 0 states was reached (--max-states)",
        ),
    ];
    for (place, arguments, end, sentence) in cases {
        let (code, found) = report(place, arguments);
        assert_eq!(
            (code, &found["end"], &found["complete"]),
            (3, &json!(end), &json!(false)),
            "{arguments:?}"
        );
        assert!(found["states"].as_u64().is_some_and(|states| states > 0), "{found}");
        let output = explore(place, arguments);
        assert_eq!(program::code(&output), 3);
        let expected = format!("Incomplete: {sentence}. No bad state is among those that were found.");
        assert_eq!(last_words(out(&output)), expected);
    }
    let (_, found) = report(&root, &[german, "-n5", "--max-states", "2000"]);
    assert!(found["states"].as_u64().is_some_and(|states| (2000..3000).contains(&states)), "{found}");
    let (_, found) = report(&root, &[german, "-n6", "--max-memory", "1M"]);
    assert!(found["bytes"].as_u64().is_some_and(|bytes| bytes < 2 << 20), "{found}");
}

#[test]
fn a_bad_state_before_the_limit() {
    let folder = models();
    let output = explore(folder.path(), &["door.cub", "-n3", "--depth", "2", "--keep-going"]);
    assert_eq!(code(&output), 1);
    assert_eq!(
        last_words(out(&output)),
        "Bad states are reachable with 3 processes. Incomplete: the search ended 2 steps from the start (--depth)."
    );
}

/// Ctrl-C asks for what was found until then.
#[cfg(unix)]
#[test]
fn interrupted() {
    use std::process::{Command, Stdio};
    for format in ["human", "json"] {
        let child = Command::new(env!("CARGO_BIN_EXE_polycube"))
            .current_dir(repository())
            .args(["explore", "models/safe/bakery.cub", "--timeout", "60", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(std::time::Duration::from_secs(1));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!((code(&output), err(&output)), (3, ""));
        if format == "human" {
            let expected =
                "Incomplete: the search was interrupted. No bad state is among those that were found.";
            assert_eq!(last_words(out(&output)), expected);
        } else {
            let found: Value = serde_json::from_str(out(&output)).expect("JSON");
            assert_eq!((&found["end"], &found["complete"]), (&json!("interrupted"), &json!(false)));
            assert!(found["states"].as_u64().is_some_and(|states| states > 0), "{found}");
        }
    }
}

#[test]
fn what_cannot_be_explored() {
    let folder = models();
    let cases: [(&[&str], &str); 12] = [
        (&["door.cub", "-n", "0"], "there is at least one process"),
        (&["door.cub", "-n", "65"], "65 processes are too many: at most 64 are supported"),
        (&["orders.cub", "-n", "2"], "exactly 3 processes (`number_procs 3`), not 2"),
        (&["cube.cub", "-n", "40"], "a state would take 64000 bits; at most 4096 are supported"),
        (&["cube.cub", "-n", "41"], "a state would have 68921 cells; at most 65536 are supported"),
        (&["door.cub", "--timeout", "nan"], "is no number of seconds"),
        (
            &["any.cub", "--int-range", "9223372036854775800..9223372036854775807"],
            "the number 9223372036854775807 is too large",
        ),
        (&["wrong.cub"], "unknown name `Y`"),
        (&["missing.cub"], "`missing.cub` cannot be read: there is no such file"),
        (&["dor.cub"], "`dor.cub` cannot be read: there is no such file"),
        (&["."], "`.` cannot be read: it is a directory"),
        (&["-"], "this file contains no model"),
    ];
    for (arguments, expected) in cases {
        let output = explore(folder.path(), arguments);
        assert_eq!((code(&output), out(&output)), (2, ""), "{arguments:?}");
        assert!(err(&output).contains(expected), "{arguments:?}: {}", err(&output));
        let (code, failure) = report(folder.path(), arguments);
        assert_eq!(code, 2);
        assert!(failure["error"].as_str().is_some_and(|text| text.contains(expected)), "{failure}");
    }
}

#[test]
fn wrong_command_lines() {
    let folder = models();
    let cases: [(&[&str], &str); 14] = [
        (&[], "<FILE>"),
        (&["door.cub", "lift.cub"], "unexpected argument 'lift.cub'"),
        (&["door.cub", "-n", "two"], "invalid value 'two' for '--processes <N>'"),
        (&["door.cub", "-n", "-1"], "invalid value '-1' for '--processes <N>'"),
        (&["door.cub", "--int-range", "0..99999999"], "that is 100000000 numbers; at most 1048576 are tried"),
        (&["door.cub", "--int-range", "3..1"], "no number is between 3 and 1"),
        (&["door.cub", "--int-range", "3"], "expected LO..HI, for example 0..3 or -2..2"),
        (&["door.cub", "--values", "0"], "0 is not in 1..=64"),
        (&["door.cub", "--values", "65"], "65 is not in 1..=64"),
        (&["door.cub", "--max-memory", "much"], "expected a number of bytes, for example 500M or 8G"),
        (&["door.cub", "--deadlock", "fatal"], "possible values: warn, error, ignore"),
        (&["door.cub", "--timeout", "soon"], "invalid value 'soon' for '--timeout <SECONDS>'"),
        (&["door.cub", "-j", "0"], "0 is not in 1..=256"),
        (&["door.cub", "--depth", "1.5"], "invalid value '1.5' for '--depth <STEPS>'"),
    ];
    for (arguments, expected) in cases {
        let output = explore(folder.path(), arguments);
        assert_eq!((code(&output), out(&output)), (2, ""), "{arguments:?}");
        assert!(err(&output).contains(expected), "{arguments:?}: {}", err(&output));
    }
}

#[test]
fn standard_input() {
    let output = run(Path::new("."), &["explore", "-", "-n", "2"], DOOR.as_bytes());
    assert_eq!(code(&output), 1);
    assert!(out(&output).contains("\n<stdin>, 2 processes\n"), "{}", out(&output));
    assert!(out(&output).contains("The unsafe clause at <stdin>:3 holds"), "{}", out(&output));
}

#[test]
fn colours_only_on_demand() {
    let folder = models();
    let coloured = explore(folder.path(), &["door.cub", "--color", "always"]);
    assert!(out(&coloured).contains('\x1b'));
    assert!(!out(&explore(folder.path(), &["door.cub"])).contains('\x1b'));
    let json = explore(folder.path(), &["door.cub", "--color", "always", "--format", "json"]);
    assert!(!out(&json).contains('\x1b'));
}

/// `polycube explore ... | head -1`: the reader goes away, and nobody complains.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let folder = models();
    for format in ["human", "json"] {
        let program = env!("CARGO_BIN_EXE_polycube");
        let script = format!(
            "'{program}' explore door.cub -n 60 --format {format} | head -n 1; echo \"${{PIPESTATUS[*]}}\""
        );
        let output = run_program("bash", folder.path(), &["-c", &script], b"");
        assert!(
            out(&output).ends_with("\n1 0\n") && err(&output).is_empty(),
            "{}{}",
            out(&output),
            err(&output)
        );
    }
}

/// What the documentation shows is what the program prints, apart from times and sizes.
#[cfg(unix)]
#[test]
fn the_documentation_shows_real_output() {
    let read = |file: &str| {
        std::fs::read_to_string(repository().join("docs").join(file)).expect("the documentation")
    };
    let tutorial = read("tutorial.md");
    let lock =
        tutorial.split("```cub\n").nth(1).and_then(|block| block.split("```").next()).expect("a model");
    let broken = lock.replace(" && not Locked }", " }");
    assert_eq!(broken.len() + " && not Locked".len(), lock.len());
    let folder = folder(&[("lock.cub", lock), ("broken.cub", &broken)]);
    for (text, place, count) in
        [(tutorial.clone(), folder.path(), 2), (read("command-line.md"), &repository(), 2)]
    {
        let blocks: Vec<&str> =
            text.split("```").filter(|block| block.contains("\n$ polycube explore ")).collect();
        assert_eq!(blocks.len(), count);
        for block in blocks {
            let (command, shown) =
                block[block.find("$ ").expect("a command")..].split_once('\n').expect("its output");
            let arguments: Vec<&str> = command.split(' ').skip(2).collect();
            assert_eq!(steady(out(&run(place, &arguments, b""))), steady(shown), "{command}");
        }
    }
    let json = read("json.md");
    for example in json.split("The output of `polycube explore ").skip(1) {
        let (arguments, shown) = example.split_once("`:\n\n```json\n").expect("a block");
        let arguments: Vec<&str> = std::iter::once("explore").chain(arguments.split(' ')).collect();
        let shown = shown.split("```").next().expect("its end");
        let [mut shown, mut printed] = [shown, out(&run(&repository(), &arguments, b""))]
            .map(|text| serde_json::from_str::<Value>(text).expect("JSON"));
        for name in VARYING {
            for report in [&mut shown, &mut printed] {
                report.as_object_mut().expect("an object").remove(name);
            }
        }
        assert_eq!(printed, shown, "{arguments:?}");
    }
}
