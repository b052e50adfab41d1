//! `polycube discover`: invariants that people read.

#[path = "program/documented.rs"]
mod documented;
mod program;

use polycube_testing::repository;
use program::{code, err, folder, out, run};
use serde_json::Value;

/// What it prints, without the time.
fn answer(model: &str) -> String {
    let output = run(&repository(), &["discover", model], b"");
    assert_eq!((code(&output), err(&output)), (0, ""), "{model}");
    let words = out(&output).replace(", in 0.", ", in 0.\u{0}");
    words.split('\u{0}').map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())).collect()
}

#[test]
fn german() {
    insta::assert_snapshot!("german", answer("models/safe/german.cub"));
}

#[test]
fn somebody_exists() {
    insta::assert_snapshot!("splitter", answer("models/safe/splitter.cub"));
}

#[test]
fn json_is_as_documented() {
    let output = run(&repository(), &["discover", "models/safe/german.cub", "--format", "json"], b"");
    let found: Value = serde_json::from_str(out(&output)).expect("JSON");
    let section = documented::section("discover");
    documented::check(&found, &documented::table(&section, "prints one object"));
    documented::check(&found["formulas"][0], &documented::table(&section, "A formula:"));
}

/// The model with its invariant is a model, and its invariant needs no search.
#[test]
fn an_invariant_is_an_artefact() {
    let folder = folder(&[]);
    for model in ["german", "splitter", "gate_barrier", "szymanski_atomic"] {
        let (file, out_file) = (format!("{model}.cub"), "with.cub");
        std::fs::copy(repository().join("models/safe").join(&file), folder.path().join(&file))
            .expect("a copy");
        let output = run(folder.path(), &["discover", &file, "--invariant-out", out_file, "--force"], b"");
        assert_eq!((code(&output), err(&output)), (0, ""), "{model}");
        let output = run(folder.path(), &["verify", out_file, "--format", "json"], b"");
        let found: Value = serde_json::from_str(out(&output)).expect("JSON");
        assert_eq!(found["verdict"], "safe", "{model}");
        assert!(found["statistics"]["depth"].as_u64() <= Some(1), "{model}: {}", found["statistics"]);
        let formatted = run(folder.path(), &["fmt", "--check", out_file], b"");
        assert_eq!(code(&formatted), 0, "{model}");
    }
}

#[test]
fn nothing_is_overwritten_by_mistake() {
    let folder = folder(&[("mine.cub", "mine")]);
    let model = repository().join("models/safe/mutex.cub");
    let model = model.to_str().expect("a name");
    let output = run(folder.path(), &["discover", model, "--invariant-out", "mine.cub"], b"");
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("`mine.cub` exists already; it is not overwritten"), "{}", err(&output));
    assert_eq!(std::fs::read_to_string(folder.path().join("mine.cub")).expect("a file"), "mine");
    let output = run(folder.path(), &["discover", model, "--invariant-out", "nowhere/mine.cub"], b"");
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("`nowhere/mine.cub` cannot be written"), "{}", err(&output));
}

/// What is said of two processes is not said of all.
#[test]
fn a_fixed_number_of_processes() {
    let text = answer("models/safe/peterson_two.cub");
    assert!(
        text.starts_with("Safe: no bad state is reachable, with the 2 processes of the model.\n"),
        "{text}"
    );
    let output = run(&repository(), &["discover", "models/safe/peterson_two.cub", "--format", "json"], b"");
    let found: Value = serde_json::from_str(out(&output)).expect("JSON");
    assert_eq!(found["number_procs"], 2);
}

/// Where there is no invariant, it says what `verify` says.
#[test]
fn other_answers() {
    let root = repository();
    let unsafe_model = "models/unsafe/mutex_no_turn_check.cub";
    let [discovered, verified] =
        ["discover", "verify"].map(|command| run(&root, &[command, unsafe_model], b""));
    assert_eq!((code(&discovered), code(&verified)), (1, 1));
    assert_eq!(out(&discovered).lines().next(), out(&verified).lines().next());
    let output = run(&root, &["discover", "models/safe/bakery.cub", "--max-nodes", "5"], b"");
    assert_eq!(code(&output), 3);
    let folder = folder(&[("nothing.cub", "var X : bool\ninit { not X }\ntransition t () { X := True; }\n")]);
    let output = run(folder.path(), &["discover", "nothing.cub"], b"");
    assert_eq!(code(&output), 2, "{}", err(&output));
}

/// The result does not depend on threads.
#[test]
fn threads() {
    let with = |threads: &str| {
        let output = run(
            &repository(),
            &["discover", "models/safe/flash_control.cub", "-j", threads, "--format", "json"],
            b"",
        );
        let mut found: Value = serde_json::from_str(out(&output)).expect("JSON");
        found["seconds"].take();
        found
    };
    assert_eq!(with("1"), with("2"));
}
