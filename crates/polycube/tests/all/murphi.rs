//! Models written for Murphi: each gets the answer that its folder says, and has the states that Murphi finds.

mod executed;
mod names;
mod sizes;

use std::path::{Path, PathBuf};
use std::process::Command;

use polycube_testing::{repository, skip_without_tool};
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{code, err, folder, out, run, run_program};

/// The models in a folder of `models/murphi`, in the order of their names.
fn models(folder: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(repository().join("models/murphi").join(folder)).expect("a folder");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    assert!(paths.len() > 20, "{folder} has {} models", paths.len());
    paths
}

/// The exit code of a command, and its report as data.
fn report(arguments: &[&str], model: &Path) -> (i32, Value) {
    let path = model.to_str().expect("a name");
    let output = run(Path::new("."), &[arguments, &["--format", "json", path]].concat(), b"");
    let report = serde_json::from_str(out(&output));
    (code(&output), report.unwrap_or_else(|_| panic!("{path}: {}", err(&output))))
}

#[test]
fn safe_models() {
    for model in models("safe") {
        let (exit, found) = report(&["verify", "--timeout", "60"], &model);
        assert_eq!((exit, &found["verdict"]), (0, &"safe".into()), "{}", model.display());
    }
}

/// In a safe model, every rule is possible.
#[test]
fn something_happens_in_safe_models() {
    for model in models("safe") {
        let (exit, found) = report(&["explore", "-n", "3", "--max-states", "10000"], &model);
        assert_eq!((exit, &found["never_fired"]), (0, &serde_json::json!([])), "{}", model.display());
    }
}

/// What the header of an unsafe model says of its run: `A run: 2 processes, 4 steps`.
fn promised(model: &Path) -> (u64, u64) {
    let text = std::fs::read_to_string(model).expect("a model");
    let line = text.lines().find_map(|line| line.strip_prefix("-- A run: ")).expect("a run in the header");
    let number = |part: &str| part.split(' ').next().and_then(|word| word.parse().ok()).expect("a number");
    let (processes, steps) = line.split_once(", ").expect("processes, steps");
    (number(processes), number(steps))
}

#[test]
fn unsafe_models() {
    for model in models("unsafe") {
        let (exit, found) = report(&["verify", "--timeout", "60"], &model);
        let name = model.display();
        assert_eq!((exit, &found["verdict"]), (1, &"unsafe".into()), "{name}");
        let steps = found["trace"]["steps"].as_array().expect("steps").len() as u64;
        let processes = found["trace"]["processes"].as_u64().expect("a number of processes");
        assert_eq!((processes, steps), promised(&model), "{name}");
    }
}

/// Every unsafe model is a safe one with a mistake, and every safe one has such a twin.
#[test]
fn models_have_twins() {
    let name = |path: &PathBuf| path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
    let safe: Vec<String> = models("safe").iter().map(name).collect();
    let broken: Vec<String> = models("unsafe").iter().map(name).collect();
    for one in &safe {
        assert!(broken.iter().any(|other| other.starts_with(&format!("{one}_"))), "{one} has no twin");
    }
    for one in &broken {
        assert!(safe.iter().any(|other| one.starts_with(&format!("{other}_"))), "{one} has no twin");
    }
}

/// Whether [`counted_by_rumur`] can be asked.
fn has_rumur() -> bool {
    let is_installed = |program| Command::new(program).arg("--version").output().is_ok();
    let are_installed = ["rumur", "cc"].into_iter().all(is_installed);
    if !are_installed {
        skip_without_tool("rumur and cc are not both installed");
    }
    are_installed
}

/// How many states a checker that rumur makes finds, and how many rules it fires.
///
/// Without symmetry reduction, as `explore --no-symmetry` counts.
fn counted_by_rumur(model: &Path, place: &TempDir) -> (u64, u64) {
    let path = model.to_str().expect("a name");
    let made = ["--symmetry-reduction=off", "--deadlock-detection=off", "--output", "checker.c", path];
    let output = run_program("rumur", place.path(), &made, b"");
    assert_eq!(code(&output), 0, "{path}: {}", err(&output));
    // Checkers want wide atomic operations, which not every machine offers without being asked.
    let wide: &[&str] = if cfg!(target_arch = "x86_64") { &["-mcx16"] } else { &[] };
    let compiled = ["-O1", "-std=c11", "-w", "-o", "checker", "checker.c", "-lpthread"];
    let output = run_program("cc", place.path(), &[wide, &compiled].concat(), b"");
    assert_eq!(code(&output), 0, "{path}: {}", err(&output));
    let checker = place.path().join("checker");
    let output = run_program(checker.to_str().expect("a name"), place.path(), &[], b"");
    let line = out(&output).lines().find(|line| line.contains(" rules fired")).expect("numbers");
    assert!(out(&output).contains("No error found"), "{path}: {}", out(&output));
    let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    (numbers[0], numbers[1])
}

/// The numbers of states and steps are those of another tool, also where a variable holds a process, and where the file
/// names one by a number.
#[test]
fn numbers_of_states() {
    if !has_rumur() {
        return;
    }
    let place = folder(&[]);
    for (name, size) in [
        ("records", "3"),
        ("same_parameters", "3"),
        ("counted_loops", "2"),
        ("undefined", "3"),
        ("counters", "3"),
        ("messages", "3"),
        ("numbers", "3"),
        ("literals", "3"),
        ("order", "3"),
        ("procedures", "3"),
    ] {
        let model = repository().join(format!("models/murphi/safe/{name}.m"));
        let (exit, found) = report(&["explore", "--no-symmetry", "-n", size], &model);
        assert_eq!((exit, &found["complete"]), (0, &true.into()), "{name}");
        let counted = (found["states"].as_u64(), found["transitions"].as_u64());
        let (states, rules) = counted_by_rumur(&model, &place);
        assert_eq!(counted, (Some(states), Some(rules)), "{name}");
    }
}

/// What `discover` writes is a file that Murphi reads, and the invariants in it hold.
#[test]
fn files_with_invariants() {
    let place = folder(&[]);
    let (mut written, mut left_out) = (0, Vec::new());
    for model in models("safe") {
        let name = model.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let copy = place.path().join(&name);
        let target = copy.to_str().expect("a name");
        let (exit, _) = report(&["discover", "--invariant-out", target], &model);
        assert_eq!(exit, 0, "{name}");
        let text = std::fs::read_to_string(&copy).unwrap_or_else(|error| panic!("{name}: {error}"));
        written += text.matches("invariant \"inductive ").count();
        left_out.extend(text.contains(" is left out").then_some(name.clone()));
        let (exit, found) = report(&["verify", "--timeout", "60"], &copy);
        assert_eq!((exit, &found["verdict"]), (0, &"safe".into()), "{name}:\n{text}");
    }
    assert!(written > 40, "{written}");
    // Elements of scalarsets have no names, and numbers of processes neither.
    assert_eq!(left_out, ["counters.m", "messages.m", "numbers.m", "other_indices.m"]);
    let is_installed = |program| Command::new(program).arg("--version").output().is_ok();
    if !["rumur", "cc"].into_iter().all(is_installed) {
        return skip_without_tool("rumur and cc are not both installed");
    }
    for name in ["records.m", "undefined.m", "order.m"] {
        let model = repository().join("models/murphi/safe").join(name);
        let before = counted_by_rumur(&model, &place);
        assert_eq!(before, counted_by_rumur(&place.path().join(name), &place), "{name}");
    }
}

/// A certificate is about the file, and nothing else in the directory speaks Murphi.
#[test]
fn certificates() {
    let place = folder(&[]);
    let model = repository().join("models/murphi/safe/undefined.m");
    let other = repository().join("models/murphi/safe/order.m");
    let [model, other] = [&model, &other].map(|path| path.to_str().expect("a name"));
    let solver = "z3";
    if Command::new(solver).arg("--version").output().is_err() {
        return polycube_testing::skip_without_solver("there is no solver");
    }
    let certified = run(place.path(), &["certify", model, "c", "--solver", solver], b"");
    assert_eq!(code(&certified), 0, "{}{}", out(&certified), err(&certified));
    let check = |about: &str| {
        run(place.path(), &["check-certificate", "c", "--model", about, "--solver", solver], b"")
    };
    assert_eq!(code(&check(model)), 0, "{}", err(&check(model)));
    assert_eq!(code(&check(other)), 1, "{}", out(&check(other)));
    let written = std::fs::read_to_string(place.path().join("c/model.cub")).expect("a model");
    let translated = run(place.path(), &["translate", model], b"");
    assert_eq!(written, out(&translated));
}

/// A state that every rule leads back to is a deadlock, as in Murphi. Where a variable is left out, because its value would
/// depend on an order, no such thing is said.
#[test]
fn deadlocks_are_those_of_murphi() {
    let model = |more: &str, idle: &str| {
        format!(
            "const N: 2;
             type Node: scalarset(N);
             var Tokens: 0..3; {more}
             startstate begin Tokens := 3; end;
             ruleset n: Node do
               rule \"spend\" Tokens > 0 ==> begin Tokens := Tokens - 1; end;
               rule \"idle\" Tokens = 0 ==> begin {idle} end;
             end;
             invariant \"few\" Tokens <= 3;"
        )
    };
    let explore = |text: &str, arguments: &[&str]| {
        let place = folder(&[("model.m", text)]);
        run(place.path(), &[&["explore", "model.m"], arguments].concat(), b"")
    };
    let same = model("", "Tokens := 0;");
    let output = explore(&same, &[]);
    assert!(
        out(&output).contains("warning: in 1 state no rule leads to another state, 3 steps"),
        "{}",
        out(&output)
    );
    let output = explore(&same, &["--deadlock", "error"]);
    assert_eq!(code(&output), 1);
    assert!(out(&output).contains("No rule leads to another state in the last state."), "{}", out(&output));
    for (more, idle) in [("Last: Node;", "Last := n;"), ("Last: Node;", "for m: Node do Last := m; end;")] {
        let output = explore(&model(more, idle), &[]);
        assert!(!out(&output).contains("another state"), "{}", out(&output));
    }
}

/// What the file claims has its name in reports for other programs, and on pages.
#[test]
fn claims_have_the_names_of_the_file() {
    let model = repository().join("models/murphi/unsafe/ranges_below_zero.m");
    let path = model.to_str().expect("a name");
    let (_, found) = report(&["verify"], &model);
    let names: Vec<&str> = found["properties"]
        .as_array()
        .expect("properties")
        .iter()
        .map(|property| property["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["error \"a value is out of range\"", "invariant \"permits\"", "invariant \"time\""]);
    for (format, text) in [
        ("junit", "name=\"error &quot;a value is out of range&quot; in line 36\""),
        (
            "github",
            "title=unsafe::error \"a value is out of range\": a run reaches a bad state (2 steps with 3 processes)",
        ),
    ] {
        let output = run(Path::new("."), &["verify", "--format", format, path], b"");
        assert!(out(&output).contains(text), "{format}: {}", out(&output));
    }
}

/// A rule whose body asks about all processes is several transitions. It is possible if one of them is.
#[test]
fn a_rule_is_possible_if_a_part_of_it_is() {
    let text = "const N: 2;
                type Node: scalarset(N);
                var A: array [Node] of boolean; Flag: boolean;
                startstate begin for n: Node do A[n] := false; end; Flag := false; end;
                rule \"look\" begin
                  if exists n: Node do A[n] end then Flag := true; else Flag := !Flag; end;
                end;
                rule \"never\" exists n: Node do A[n] end ==> begin Flag := false; end;
                invariant \"none\" forall n: Node do !A[n] end;";
    let place = folder(&[("model.m", text)]);
    let parts = run(place.path(), &["translate", "model.m"], b"");
    assert_eq!(out(&parts).matches("transition look").count(), 2, "{}", out(&parts));
    let explored = run(place.path(), &["explore", "model.m"], b"");
    assert!(out(&explored).contains("1 transition is never possible: never."), "{}", out(&explored));
    let verified = run(place.path(), &["verify", "model.m"], b"");
    let said = format!("{}{}", out(&verified), err(&verified));
    assert!(said.contains("the transition `never` is never possible"), "{said}");
    assert!(!said.contains("`look`"), "{said}");
}
