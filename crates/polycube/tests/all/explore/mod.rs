//! `polycube explore`: what it finds, what it says about it, and how it ends.

mod documented;
#[cfg(target_os = "linux")]
mod faults;
mod limits;
#[cfg(target_os = "linux")]
mod together;

use std::path::Path;
use std::process::Output;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::program::{self, code, err, folder, out, run, run_program};
use polycube_testing::generate::{Profile, random_system};
use polycube_testing::{for_seeds, repository};
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

/// Counts without end, past a bad state.
const EVER: &str = "\
var X : int
init { X = 0 }
unsafe { X = 2000 }
transition next () { X := X + 1 }
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
        ("ever.cub", EVER),
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
            "var X : proc\nvar Y : bool\ninit (p) { X <> p }\nunsafe { Y }\ntransition t () { Y := True; X := ? }\n",
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
fn renaming_changes_no_answer_of_a_random_system() {
    let compared = AtomicU64::new(0);
    let tried = for_seeds!(60, |seed| {
        let model = random_system(seed, &Profile::ALL).to_source();
        let folder = folder(&[("model.cub", &model)]);
        let limits =
            ["model.cub", "-n3", "--depth", "4", "--max-states", "20000", "--timeout", "10", "--keep-going"];
        let [with, without] = [&limits[..], &[&limits[..], &["--no-symmetry"]].concat()]
            .map(|arguments| report(folder.path(), arguments));
        let is_cut = |report: &Value| report["end"] == "states" || report["end"] == "timeout";
        if with.0 == 2 || is_cut(&with.1) || is_cut(&without.1) {
            return;
        }
        assert_eq!(with.0, without.0, "{model}");
        let (with, without) = (with.1, without.1);
        for pointer in ["/end", "/depth", "/never_fired", "/bounds", "/orders", "/deadlock/steps"] {
            assert_eq!(with.pointer(pointer), without.pointer(pointer), "{pointer}: {model}");
        }
        let clauses = |report: &Value| -> Vec<[Value; 2]> {
            let violations = report["violations"].as_array().expect("an array").iter();
            violations.map(|one| ["line", "steps"].map(|name| one[name].clone())).collect()
        };
        assert_eq!(clauses(&with), clauses(&without), "{model}");
        compared.fetch_add(1, Ordering::Relaxed);
    });
    assert!(tried.is_none_or(|tried| compared.into_inner() > tried / 6));
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
    let arguments = ["any.cub", "-n", "2", "--int-range=-1..3"];
    let (shown, (_, found)) = (explore(folder.path(), &arguments), report(folder.path(), &arguments));
    let shown = out(&shown).split_whitespace().collect::<Vec<_>>().join(" ");
    let mut bounds = found["bounds"].clone();
    for bound in bounds.as_array_mut().expect("an array") {
        let text = bound.as_object_mut().expect("an object").remove("text").expect("a text");
        assert!(shown.contains(&format!("note: {}.", text.as_str().expect("a text"))), "{text}");
    }
    let expected = json!([
        { "kind": "start", "names": ["X"], "low": -1, "high": 3 },
        { "kind": "choice", "names": ["Y"], "low": -1, "high": 3 },
        { "kind": "values", "names": ["data"], "count": 2 },
    ]);
    assert_eq!(bounds, expected);
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
