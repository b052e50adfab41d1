//! Models at the sizes of their files: where no type becomes the processes, because none can or nobody wants it.

use std::path::{Path, PathBuf};

use polycube_testing::repository;
use serde_json::Value;

use super::{counted_by_rumur, has_rumur, report};
use crate::program::{code, err, folder, out, run};

fn models() -> Vec<(PathBuf, String)> {
    let files = std::fs::read_dir(repository().join("models/murphi/sizes")).expect("a folder");
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a model");
        (path, text)
    };
    let mut models: Vec<_> = files.map(|file| read(file.expect("a file").path())).collect();
    models.sort();
    models
}

/// The numbers in a line of the header: `-- States: 20, steps: 54`.
fn promised(text: &str, start: &str) -> Option<Vec<u64>> {
    let line = text.lines().find_map(|line| line.strip_prefix(start))?;
    let words = line.split(|letter: char| !letter.is_ascii_digit());
    Some(words.filter_map(|word| word.parse().ok()).collect())
}

fn model(name: &str) -> PathBuf {
    repository().join(format!("models/murphi/{name}.m"))
}

/// Runs a command on a model: the exit code, and what is said.
fn said(arguments: &[&str], model: &Path) -> (i32, String) {
    let path = model.to_str().expect("a name");
    let output = run(Path::new("."), &[arguments, &[path]].concat(), b"");
    // Lines are broken wherever there is room.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    (code(&output), words(&format!("{} {}", out(&output), err(&output))))
}

#[test]
fn numbers_of_states_and_steps() {
    let mut seen = 0;
    for (model, text) in models() {
        let Some(promised) = promised(&text, "-- States: ") else { continue };
        let (exit, found) = report(&["explore"], &model);
        let counted = vec![found["states"].as_u64(), found["transitions"].as_u64()];
        let promised: Vec<Option<u64>> = promised.into_iter().map(Some).collect();
        assert_eq!((exit, counted), (0, promised), "{}", model.display());
        assert_eq!(found["complete"], true);
        assert!(found["sizes"].as_str().is_some_and(|sizes| sizes.starts_with("at the sizes of the file")));
        assert!(found["not_for_every_number"].is_string());
        seen += 1;
    }
    assert!(seen > 2, "{seen} models");
}

#[test]
fn bad_states() {
    let mut seen = 0;
    for (model, text) in models() {
        let Some(promised) = promised(&text, "-- A run: ") else { continue };
        let (exit, found) = report(&["explore"], &model);
        let steps = found["violations"][0]["trace"]["steps"].as_array().expect("steps").len() as u64;
        assert_eq!((exit, vec![steps]), (1, promised), "{}", model.display());
        seen += 1;
    }
    assert!(seen > 1, "{seen} models");
}

#[test]
fn numbers_of_another_tool() {
    if !has_rumur() {
        return;
    }
    let place = folder(&[]);
    for name in ["sizes/counting", "safe/literals", "safe/order", "safe/undefined", "safe/other_indices"] {
        let (exit, found) = report(&["explore", "--parameter", "none"], &model(name));
        assert_eq!(exit, 0, "{name}");
        let counted = (found["states"].as_u64(), found["transitions"].as_u64());
        let (states, rules) = counted_by_rumur(&model(name), &place);
        assert_eq!(counted, (Some(states), Some(rules)), "{name}");
    }
}

/// What cannot be said for every number is refused where that is asked for, with what can be done instead.
#[test]
fn verify_refuses() {
    for command in ["verify", "check", "translate"] {
        let (exit, text) = said(&[command], &model("sizes/counting"));
        assert_eq!(exit, 2, "{text}");
        assert!(text.contains("values of `Worker` are processes, which have no successor"), "{text}");
        assert!(text.contains("try `polycube explore`: it looks at the sizes of the file"), "{text}");
    }
}

#[test]
fn explore_says_what_it_is_about() {
    let (exit, text) = said(&["explore"], &model("sizes/counting"));
    assert_eq!(exit, 0, "{text}");
    for part in [
        "counting.m, at the sizes of the file: Worker has 4 values",
        "this cannot be verified for every number of Worker: values of `Worker` are processes",
        "counting.m:50:",
        "No bad state is reachable at the sizes of the file.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (exit, text) = said(&["explore"], &model("safe/records"));
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("3 processes: the values of "), "{text}");
    assert!(text.contains(", as in the file"), "{text}");
}

#[test]
fn no_number_of_processes() {
    for command in ["explore", "simulate"] {
        let (exit, text) = said(&[command, "-n", "3"], &model("sizes/counting"));
        assert_eq!(exit, 2, "{text}");
        let reason =
            "has no number of processes: it cannot be verified for every number of Worker because of line 50";
        assert!(text.contains(reason), "{text}");
        assert!(text.contains("without -n, it is explored at the sizes of the file"), "{text}");
    }
    let (exit, text) = said(&["explore", "-n", "3", "--parameter", "none"], &model("safe/records"));
    assert_eq!(exit, 2, "{text}");
    assert!(text.contains("has no number of processes (--parameter none)"), "{text}");
}

#[test]
fn parameters() {
    let two = model("safe/other_indices");
    for (parameter, answer) in [
        ("Person", "for every number of Person; Colour has 2 values"),
        ("PersonCount", "for every number of Person; Colour has 2 values"),
        ("Colour", "for every number of Colour; Person has "),
    ] {
        let (_, text) = said(&["explore", "--format", "json", "--parameter", parameter], &two);
        assert!(text.contains(answer), "{parameter}: {text}");
    }
    for command in ["verify", "explore", "simulate", "check", "translate", "discover", "induct"] {
        let (exit, text) = said(&[command, "--parameter", "Door"], &two);
        assert_eq!(exit, 2, "{command}: {text}");
        assert!(text.contains("`Door` is no type whose values could be the processes"), "{command}: {text}");
        assert!(text.contains("candidates: `Person`, "), "{command}: {text}");
    }
    let (exit, text) = said(&["verify", "--parameter", "none"], &model("safe/records"));
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("Safe: no bad state is reachable, at the sizes of the file: "), "{text}");
    let (exit, text) =
        said(&["verify", "--parameter", "Person"], &repository().join("models/safe/mutex.cub"));
    assert_eq!(exit, 2, "{text}");
    assert!(text.contains("`--parameter` chooses a type of a model that was written for Murphi"), "{text}");
}

/// Who speaks of the third process has proved nothing of two: with two, all have set, and the invariant is violated.
#[test]
fn processes_that_are_called_by_numbers_exist() {
    let text = "const N: 3;
        type Node: 1..N;
        var a: array [Node] of boolean; all: boolean;
        startstate for n: Node do a[n] := false; end; all := false; end;
        ruleset n: Node do rule \"set\" n != 3 & !a[n] ==> a[n] := true; end; end;
        rule \"all\" forall n: Node do a[n] end ==> all := true; end;
        invariant \"not all\" !all;";
    let files = folder(&[("three.m", text), ("two.m", &text.replace("N: 3", "N: 2"))]);
    let (three, two) = (files.path().join("three.m"), files.path().join("two.m"));
    let (exit, text) = said(&["verify"], &three);
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("for every number of Node from 3 on"), "{text}");
    let (_, report) = report(&["verify"], &three);
    assert_eq!(report["sizes"], "for every number of Node from 3 on");
    let (exit, text) = said(&["explore", "-n", "2"], &three);
    assert_eq!(exit, 2, "{text}");
    assert!(text.contains("speaks of 3 values of Node by their numbers: 2 are too few"), "{text}");
    assert_eq!(said(&["explore", "-n", "4"], &three).0, 0);
    assert_eq!(said(&["explore", "--parameter", "none"], &two).0, 1);
    let (exit, text) = said(&["verify"], &two);
    assert_eq!(exit, 2, "{text}");
    assert!(text.contains("there is no process 3: with the sizes of the file the last is 2"), "{text}");
}

/// A size that is a number can be left open, too.
#[test]
fn sizes_that_are_numbers() {
    let text = "type Node: scalarset(4); Place: 1..2;
        var a: array [Node] of boolean; b: array [Place] of boolean;
        startstate for n: Node do a[n] := false; end; for p: Place do b[p] := false; end; end;
        ruleset n: Node; p: Place do rule \"set\" !a[n] & forall q: Node do !a[q] end ==> a[n] := true; end; end;
        ruleset n: Node; m: Node do invariant \"one\" n = m | !(a[n] & a[m]); end;";
    let files = folder(&[("four.m", text)]);
    let (exit, text) = said(&["verify"], &files.path().join("four.m"));
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("for every number of Node."), "{text}");
    let (exit, text) = said(&["check", "--parameter", "Place"], &files.path().join("four.m"));
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("for every number of Place"), "{text}");
}

/// What is printed in Polycube's language means the same.
#[test]
fn translations() {
    let (exit, text) = said(&["translate", "--parameter", "none"], &model("sizes/multisets"));
    assert_eq!(exit, 0, "{text}");
    let path = model("sizes/multisets");
    let path = path.to_str().expect("a name");
    let output = run(Path::new("."), &["translate", "--parameter", "none", path], b"");
    let place = folder(&[("bag.cub", out(&output))]);
    let (exit, found) = report(&["explore"], &place.path().join("bag.cub"));
    assert_eq!((exit, &found["states"], &found["transitions"]), (0, &20.into(), &54.into()));
}

/// Runs at the sizes of the file are runs of the model.
#[test]
fn runs() {
    let bad = model("sizes/multisets_full");
    let path = bad.to_str().expect("a name");
    let place = folder(&[]);
    for command in ["explore", "simulate"] {
        let output = run(place.path(), &[command, "--format", "json", path], b"");
        std::fs::write(place.path().join("run.json"), out(&output)).expect("a file");
        let output = run(place.path(), &["replay", "--format", "json", "run.json", path], b"");
        let replayed: Value = serde_json::from_str(out(&output)).expect("a report");
        assert_eq!((code(&output), &replayed["accepted"]), (0, &true.into()), "{}", err(&output));
    }
}
