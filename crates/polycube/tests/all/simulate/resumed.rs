//! Runs that are loaded, and go on.

use super::*;

/// A run is taken up where it ended, or before.
#[test]
fn runs_go_on() {
    let folder = folder(&[("door.cub", DOOR), ("choices.cub", CHOICES), ("empty.json", "{}")]);
    let at = folder.path();
    let explored = run(at, &["explore", "door.cub", "-n", "2", "--format", "json"], b"");
    let found = run(at, &["verify", "door.cub", "--format", "json"], b"");
    for (name, output) in [("explored.json", &explored), ("verified.json", &found)] {
        assert_eq!((code(output), err(output)), (1, ""));
        std::fs::write(at.join(name), &output.stdout).expect("a file is written");
    }
    let commands = "load\nload -\nload missing.json\nload empty.json\nload explored.json\ngoto 1\nsave half.json\nload verified.json\nload half.json\n\
                    enter\nsave half.json\nsave whole.json\n";
    let output = run(at, &["simulate", "door.cub", "-i"], commands.as_bytes());
    assert_eq!((code(&output), err(&output)), (0, ""));
    insta::assert_snapshot!("loaded", out(&output));
    for (file, steps) in
        [("half.json", "1 step with 2 processes"), ("whole.json", "2 steps with 2 processes")]
    {
        let replayed = run(at, &["replay", file, "door.cub"], b"");
        assert_eq!(code(&replayed), 0, "{}", err(&replayed));
        assert!(out(&replayed).contains(steps), "{}", out(&replayed));
    }
    let session =
        run(at, &["simulate", "door.cub", "-i", "--from", "explored.json", "--at", "0"], b"redo 9\n");
    insta::assert_snapshot!("from", out(&session));
}

/// Random steps behind a run are a run, too.
#[test]
fn random_steps_go_on() {
    let folder = folder(&[("choices.cub", CHOICES)]);
    let at = folder.path();
    let start = run(at, &["simulate", "choices.cub", "-n", "4", "--steps", "5", "--format", "json"], b"");
    std::fs::write(at.join("run.json"), &start.stdout).expect("a file is written");
    for (step, expected) in [(None, 8), (Some("2"), 5), (Some("0"), 3)] {
        let mut arguments =
            vec!["simulate", "choices.cub", "--from", "run.json", "--steps", "3", "--format", "json"];
        arguments.extend(step.into_iter().flat_map(|step| ["--at", step]));
        let longer = run(at, &arguments, b"");
        let report: serde_json::Value = serde_json::from_str(out(&longer)).expect("JSON");
        assert_eq!(report["trace"]["steps"].as_array().expect("steps").len(), expected);
        let replayed = run(at, &["replay", "-", "choices.cub"], &longer.stdout);
        assert_eq!(code(&replayed), 0, "{}{}", out(&replayed), err(&replayed));
        assert!(out(&replayed).contains("with 4 processes"), "{}", out(&replayed));
    }
    let longer = run(at, &["simulate", "choices.cub", "--from", "-", "--steps", "1"], &start.stdout);
    let expected = "\nA run of choices.cub: 5 steps as loaded, then 1 at random (seed 0).\n";
    assert!(out(&longer).contains(expected), "{}", out(&longer));
}

/// What was wrong in the run that goes on is not forgotten.
#[test]
fn violations_before_the_start() {
    let folder = folder(&[("door.cub", DOOR)]);
    let found = run(folder.path(), &["simulate", "door.cub", "--format", "json"], b"");
    let longer =
        run(folder.path(), &["simulate", "door.cub", "--from", "-", "--format", "json"], &found.stdout);
    let [found, longer] =
        [found, longer].map(|output| serde_json::from_str::<serde_json::Value>(out(&output)).expect("JSON"));
    assert_eq!(found["violations"][0]["step"], 2);
    assert_eq!(found, longer);
}

#[test]
fn runs_that_cannot_go_on() {
    let trace = r##"{"processes": 2, "initial": {"Inside[#1]": "False", "Inside[#2]": "False"}, "steps": [
        {"transition": "enter", "arguments": ["#1"], "changes": {}}]}"##;
    let folder = folder(&[("door.cub", DOOR), ("wrong.json", trace), ("text.json", "run")]);
    let run_of = |from: &str, more: &[&str]| {
        run(folder.path(), &[&["simulate", "door.cub", "--from", from], more].concat(), b"")
    };
    let right = trace.replace(r#""changes": {}"#, r##""changes": {"Inside[#1]": "True"}"##);
    std::fs::write(folder.path().join("right.json"), right).expect("a file is written");
    let cases: [(&str, &[&str], &str); 7] = [
        ("missing.json", &[], "there is no such file"),
        ("text.json", &[], "`text.json` cannot be loaded: it is not JSON"),
        ("wrong.json", &[], "`wrong.json` is not a run of this model: step 1"),
        ("right.json", &["--at", "2"], "there is no step 2: `right.json` has 1 step"),
        ("right.json", &["-n", "3"], "cannot be used with"),
        ("right.json", &["--at", "-1"], "expected the number of a step, 0 or more"),
        ("-", &["-i"], "the run cannot be read from standard input"),
    ];
    for (from, more, expected) in cases {
        let output = run_of(from, more);
        assert_eq!((code(&output), out(&output)), (2, ""), "{from} {more:?}");
        assert!(err(&output).contains(expected), "{from} {more:?}: {}", err(&output));
    }
}
