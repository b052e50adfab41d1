//! `polycube simulate`: random runs, and conversations.

mod conversation;
mod resumed;
#[cfg(target_os = "linux")]
mod terminal;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::program::{self, code, err, folder, out, run};
use polycube_testing::generate::{Profile, random_system};
use polycube_testing::{for_seeds, models, repository};

/// Two processes may be inside; and once nobody is outside, nothing is possible any more.
const DOOR: &str = "\
array Inside[proc] : bool
init (p) { not Inside[p] }
unsafe (p q) { Inside[p] && Inside[q] }
transition enter (p) requires { not Inside[p] } { Inside[p] := True }
";

/// Something of every type, with choices and an order.
const CHOICES: &str = "\
type letter = A | B | C
type data

var Letter : letter
var Data : data
var Owner : proc
var Count : int
var Weight : real
array Mark[proc] : letter

init (p) { Letter = A && Count = 0 && Weight = 2.5 && Mark[p] = A }

unsafe { Count = 100 }

transition choose (p)
  requires { forall_other q. p < q }
{
  Letter := ?;
  Data := ?;
  Owner := ?;
  Count := ?;
  Weight := ?;
  Mark[k] := case
    | k = p : ?
    | _ : Mark[k];
}
";

#[test]
fn random_runs_are_runs() {
    let root = repository();
    let models = [models("safe"), models("unsafe")].concat();
    for (at, model) in models.iter().enumerate() {
        let path = model.path.to_str().expect("text");
        let seed = at.to_string();
        let run_of = ["simulate", path, "--seed", &seed, "--steps", "40", "--format", "json"];
        let simulated = run(&root, &run_of, b"");
        assert_eq!((code(&simulated), err(&simulated)), (0, ""), "{path}");
        let replayed = run(&root, &["replay", "-", path], &simulated.stdout);
        assert_eq!(code(&replayed), 0, "{path}, seed {seed}: {}{}", out(&replayed), err(&replayed));
    }
}

#[test]
fn random_runs_with_every_type_are_runs() {
    let folder = folder(&[("choices.cub", CHOICES)]);
    for seed in 0..20 {
        let seed = seed.to_string();
        let run_of = [
            "simulate",
            "choices.cub",
            "--seed",
            &seed,
            "--int-range=-2..1",
            "--values",
            "3",
            "--format=json",
        ];
        let simulated = run(folder.path(), &run_of, b"");
        let replayed = run(folder.path(), &["replay", "-", "choices.cub"], &simulated.stdout);
        assert_eq!(code(&replayed), 0, "seed {seed}: {}{}", out(&replayed), err(&replayed));
    }
}

/// Random systems have everything that the language has.
#[test]
fn random_runs_of_random_systems_are_runs() {
    let runs = AtomicU64::new(0);
    let tried = for_seeds!(60, |seed| {
        let model = random_system(seed, &Profile::ALL).to_source();
        let folder = folder(&[("model.cub", &model)]);
        let simulated = run(folder.path(), &["simulate", "model.cub", "--format=json"], b"");
        let report: serde_json::Value = serde_json::from_str(out(&simulated)).expect("JSON");
        if code(&simulated) == 2 && report["error"].is_string() {
            return;
        }
        assert_eq!(code(&simulated), 0, "{model}");
        let replayed = run(folder.path(), &["replay", "-", "model.cub"], &simulated.stdout);
        assert_eq!(code(&replayed), 0, "{model}\n{}{}", out(&replayed), err(&replayed));
        let session =
            run(folder.path(), &["simulate", "model.cub", "-i"], b"r 3\n1\nr\n1\nr\nundo\nwhy t0\nwhy t1\n");
        assert_eq!(code(&session), 0, "{model}\n{}", err(&session));
        runs.fetch_add(1, Ordering::Relaxed);
    });
    assert!(tried.is_none_or(|tried| runs.into_inner() > tried / 8), "most systems have initial states");
}

#[test]
fn the_seed_decides() {
    let folder = folder(&[("choices.cub", CHOICES)]);
    let simulate = |seed: &str, format: &str| {
        out(&run(folder.path(), &["simulate", "choices.cub", "--seed", seed, "--format", format], b""))
            .to_owned()
    };
    for format in ["human", "json"] {
        assert_eq!(simulate("7", format), simulate("7", format));
        assert_ne!(simulate("7", format), simulate("8", format));
    }
}

#[test]
fn a_random_run_for_people() {
    let root = repository();
    let german = run(&root, &["simulate", "models/safe/german.cub", "--seed", "3", "--steps", "12"], b"");
    insta::assert_snapshot!("german", out(&german));
    let bakery = run(&root, &["simulate", "models/safe/bakery.cub", "-n", "12", "--steps", "3"], b"");
    insta::assert_snapshot!("bakery", out(&bakery));
    for line in out(&german).lines().chain(out(&bakery).lines()) {
        assert!(line.len() <= 80, "{line}");
    }
}

#[test]
fn colours_only_on_demand() {
    let folder = folder(&[("door.cub", DOOR)]);
    let plain = run(folder.path(), &["simulate", "door.cub", "-i"], b"1\n");
    assert!(!out(&plain).contains('\x1b'), "a pipe gets no colours");
    let coloured = run(folder.path(), &["simulate", "door.cub", "-i", "--color", "always"], b"1\n");
    assert!(out(&coloured).contains("\x1b[1mTrue*\x1b[0m"), "{}", out(&coloured));
    let json = run(folder.path(), &["simulate", "door.cub", "--format=json", "--color", "always"], b"");
    assert!(!out(&json).contains('\x1b'));
}

#[test]
fn violations_and_deadlocks_are_mentioned() {
    let folder = folder(&[("door.cub", DOOR)]);
    let output = run(folder.path(), &["simulate", "door.cub", "-n", "2"], b"");
    assert_eq!(code(&output), 0, "a simulation answers no question");
    insta::assert_snapshot!("door", out(&output));
    let output = run(folder.path(), &["simulate", "door.cub", "-n", "2", "--format", "json"], b"");
    let report: serde_json::Value = serde_json::from_str(out(&output)).expect("JSON");
    assert_eq!(report["deadlock"], true);
    let expected = serde_json::json!([{
        "kind": "unsafe", "line": 3, "column": 1, "processes": ["#1", "#2"], "step": 2,
    }]);
    assert_eq!(report["violations"], expected);
    let output = run(folder.path(), &["simulate", "door.cub", "--steps", "1", "--format", "json"], b"");
    let report: serde_json::Value = serde_json::from_str(out(&output)).expect("JSON");
    assert_eq!(report["deadlock"], false);
    let output = run(folder.path(), &["simulate", "-", "--steps", "0"], DOOR.as_bytes());
    assert!(out(&output).contains("A random run of <stdin> (seed 0): 0 steps."), "{}", out(&output));
}

#[test]
fn choices_of_many_cells_take_no_time() {
    let model =
        "array X[proc,proc] : bool\ninit (p q) { not X[p,q] }\ntransition mix () { X[p,q] := case | _ : ? }";
    let folder = folder(&[("mix.cub", model)]);
    let output =
        run(folder.path(), &["simulate", "mix.cub", "-n", "30", "--steps", "5", "--format=json"], b"");
    let replayed = run(folder.path(), &["replay", "-", "mix.cub"], &output.stdout);
    assert_eq!(code(&replayed), 0, "{}", err(&replayed));
}

#[test]
fn what_cannot_be_simulated() {
    let folder = folder(&[
        ("door.cub", DOOR),
        ("two.cub", "number_procs 2\nvar X : bool\ninit { not X }\n"),
        ("never.cub", "var X : int\ninit { X < 0 && X > 5 }\n"),
        ("wrong.cub", "init { Y }\n"),
    ]);
    let cases: [(&[&str], &str); 8] = [
        (&["door.cub", "-n", "0"], "at least one process"),
        (&["door.cub", "-n", "65"], "65 processes are too many: at most 64 are supported"),
        (&["door.cub", "--int-range", "3..1"], "no number is between 3 and 1"),
        (&["two.cub", "-n", "3"], "exactly 2 processes (`number_procs 2`), not 3"),
        (&["never.cub"], "no state with 3 processes is initial"),
        (&["wrong.cub"], "unknown name `Y`"),
        (&["missing.cub"], "there is no such file"),
        (&["-", "--interactive"], "the model and the commands cannot both be read from standard input"),
    ];
    for (arguments, expected) in cases {
        let output = run(folder.path(), &[&["simulate"], arguments].concat(), b"");
        assert_eq!((code(&output), out(&output)), (2, ""), "{arguments:?}");
        assert!(err(&output).contains(expected), "{arguments:?}: {}", err(&output));
    }
    let output = run(folder.path(), &["simulate", "never.cub", "-n", "1", "--format", "json"], b"");
    assert_eq!((code(&output), err(&output)), (2, ""));
    let report: serde_json::Value = serde_json::from_str(out(&output)).expect("JSON");
    assert_eq!(report["error"], "no state with 1 process is initial");
}

/// What the tutorial shows is what the program prints.
#[cfg(unix)]
#[test]
fn the_tutorial_shows_real_output() {
    let text = std::fs::read_to_string(repository().join("docs/tutorial.md")).expect("the tutorial");
    let model = text.split("```cub\n").nth(1).and_then(|block| block.split("```").next()).expect("a model");
    let folder = folder(&[("lock.cub", model)]);
    assert!(shows_real_output(&text, folder.path()) >= 3, "the tutorial has examples");
}

/// So are the examples in the documentation of the command line and of the JSON output.
#[cfg(unix)]
#[test]
fn the_documentation_shows_real_output() {
    let read = |file: &str| std::fs::read_to_string(repository().join(file)).expect("the documentation");
    let commands = read("docs/command-line.md");
    let sections: String = commands
        .split_inclusive("\n## ")
        .filter(|section| section.starts_with("simulate\n") || section.starts_with("replay\n"))
        .collect();
    assert_eq!(shows_real_output(&sections, &repository()), 2);
    let json = read("docs/json.md");
    let (_, example) = json.split_once("The output of `polycube simulate ").expect("an example");
    let (arguments, example) = example.split_once("`:\n\n```json\n").expect("a block");
    let arguments: Vec<&str> = std::iter::once("simulate").chain(arguments.split(' ')).collect();
    assert_eq!(out(&run(&repository(), &arguments, b"")), example.split("```").next().expect("its end"));
}

/// Runs every command in the text, in this folder, and compares what it prints. In a conversation, the lines
/// behind `> ` are what is typed. Says how many there are.
#[cfg(unix)]
fn shows_real_output(text: &str, folder: &std::path::Path) -> usize {
    let blocks: Vec<&str> =
        text.split("```console\n").skip(1).filter_map(|block| block.split("```").next()).collect();
    for block in &blocks {
        let (command, expected) = block.split_once('\n').expect("a command");
        let typed = expected.lines().filter_map(|line| line.strip_prefix("> "));
        let typed: String = typed.map(|line| format!("{line}\n")).collect();
        let program = format!("'{}' ", env!("CARGO_BIN_EXE_polycube"));
        let script = command.strip_prefix("$ ").expect("a command").replace("polycube ", &program);
        let output =
            program::run_program("sh", folder, &["-c", &format!("({script}) 2>&1")], typed.as_bytes());
        assert_eq!(out(&output), expected, "{command}");
    }
    blocks.len()
}

#[test]
fn wrong_command_lines() {
    let cases = [
        (["--seed", "-1"], "expected a number from 0 to 18446744073709551615"),
        (["--steps", "-1"], "expected a number of steps, 0 or more"),
        (["--values", "0"], "expected a number from 1 to 64"),
        (["-n", "-1"], "expected a number of processes, 1 to 64"),
    ];
    for (option, expected) in cases {
        let output = run(&repository(), &["simulate", "models/safe/mutex.cub", option[0], option[1]], b"");
        assert_eq!((code(&output), out(&output)), (2, ""), "{option:?}");
        assert!(err(&output).contains(expected), "{option:?}: {}", err(&output));
    }
}
