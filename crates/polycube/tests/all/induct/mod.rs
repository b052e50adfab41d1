//! `polycube induct`: are clauses inductive, and what is missing if they are not?

mod clauses;

use crate::program::{self, code, documented, err, folder, out, run};
use polycube_testing::{models, repository};
use serde_json::Value;

const LOCK_SERVER: &str = include_str!("lock_server.cub");
const DIRECTORY: &str = include_str!("directory.cub");
const TICKET: &str = include_str!("ticket.cub");

const DOOR: &str = "\
array Inside[proc] : bool
init (p) { not Inside[p] }
unsafe (p q) { Inside[p] && Inside[q] }
transition enter (p) requires { not Inside[p] } { Inside[p] := True; }
";

/// What it says of a model, without the time, and its exit code.
fn answer(text: &str, arguments: &[&str], input: &str) -> (i32, String) {
    let folder = folder(&[("model.cub", text)]);
    let output = run(folder.path(), &[&["induct", "model.cub"], arguments].concat(), input.as_bytes());
    assert!(code(&output) == 2 || err(&output).is_empty(), "{}", err(&output));
    if code(&output) == 2 {
        return (2, err(&output).to_owned());
    }
    (code(&output), untimed(out(&output)))
}

fn untimed(text: &str) -> String {
    let is_time = |line: &&str| line.ends_with(" s") && line[..line.len() - 2].parse::<f64>().is_ok();
    text.lines().filter(|line| !is_time(line)).collect::<Vec<_>>().join("\n")
}

fn json(text: &str, arguments: &[&str]) -> Value {
    let folder = folder(&[("model.cub", text)]);
    let all = [&["induct", "model.cub", "--format", "json"], arguments].concat();
    serde_json::from_str(out(&run(folder.path(), &all, b""))).expect("JSON")
}

/// The model without the `invariant` clauses that contain a text; there has to be one.
fn without(model: &str, text: &str) -> String {
    let is_left_out = |line: &&str| line.starts_with("invariant") && line.contains(text);
    assert_eq!(model.lines().filter(is_left_out).count(), 1, "{text}");
    model.lines().filter(|line| !is_left_out(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_clause_of_the_lock_server_is_missing() {
    let (code, text) = answer(&without(LOCK_SERVER, "Holds[p] && Returned[q]"), &["--clause", "2"], "");
    assert_eq!(code, 3);
    insta::assert_snapshot!("lock_server", text);
}

#[test]
fn a_clause_of_the_directory_is_missing() {
    let (code, text) = answer(&without(DIRECTORY, "not ExclusiveOut"), &[], "");
    assert_eq!(code, 3);
    insta::assert_snapshot!("directory", text);
}

#[test]
fn a_clause_of_the_ticket_lock_is_missing() {
    let (code, text) = answer(&without(TICKET, "Ticket[p] <> Serving"), &[], "");
    assert_eq!(code, 3);
    insta::assert_snapshot!("ticket", text);
}

/// Invariants written by hand are inductive, and no clause can be left out; what is missing then is what the first counterexample
/// begins with.
#[test]
fn whichever_clause_is_missing() {
    for model in [LOCK_SERVER, DIRECTORY, TICKET] {
        let found = json(model, &[]);
        assert_eq!((&found["verdict"], &found["inductive"]), (&"safe".into(), &true.into()));
        for clause in model.lines().filter(|line| line.starts_with("invariant")) {
            let found = json(&without(model, clause), &[]);
            assert_eq!(
                (&found["verdict"], &found["inductive"]),
                (&"unknown".into(), &false.into()),
                "{clause}"
            );
            let first = &found["counterexamples"][0];
            let state = first["before"].as_object().expect("a state").len();
            let matters = first["matters"].as_object().expect("a part of it").len();
            assert!(matters < state, "{clause}: {matters} of {state} cells matter");
            assert!(first["processes"].as_u64() <= Some(2), "{clause}");
        }
    }
}

/// Accepting what is suggested first leads to a proof, which `verify` confirms; nothing but the suggestions is added.
#[test]
fn applied_suggestions() {
    let folder = folder(&[("0.cub", DIRECTORY)]);
    let text: String =
        DIRECTORY.lines().filter(|line| !line.starts_with("invariant")).map(|l| format!("{l}\n")).collect();
    std::fs::write(folder.path().join("0.cub"), &text).expect("a model");
    for step in 0..10 {
        let (from, to) = (format!("{step}.cub"), format!("{}.cub", step + 1));
        let output = run(folder.path(), &["induct", &from, "--apply", &to], b"");
        let written = std::fs::read_to_string(folder.path().join(&to)).expect("a model");
        assert!(written.starts_with(text.trim_end()));
        if code(&output) == 0 {
            let output = run(folder.path(), &["verify", &to], b"");
            assert_eq!(code(&output), 0, "{}", out(&output));
            return;
        }
        assert_eq!(code(&output), 3, "{}", out(&output));
    }
    panic!("there is no end to it");
}

#[test]
fn a_conversation() {
    let text: String =
        DIRECTORY.lines().filter(|line| !line.starts_with("invariant")).map(|l| format!("{l}\n")).collect();
    let (code, text) =
        answer(&text, &["--interactive"], "help\ne\nreject a\nundo\nundo\nnext\na\nwhat\nundo\na\na\na\na\n");
    insta::assert_snapshot!("conversation", text);
    assert_eq!(code, 0);
}

/// What was accepted is in the file at once; leaving in the middle is no answer.
#[test]
fn a_conversation_is_kept() {
    let folder = folder(&[(
        "model.cub",
        DOOR.replace("enter (p) requires {", "enter (p) requires { Turn = p &&").as_str(),
    )]);
    let model = folder.path().join("model.cub");
    let text = format!(
        "var Turn : proc\n{}transition leave (p) requires {{ Inside[p] }} {{ Inside[p] := False; Turn := ?; }}\n",
        std::fs::read_to_string(&model).expect("a model")
    );
    std::fs::write(&model, &text).expect("a model");
    let output = run(folder.path(), &["induct", "model.cub", "-i", "--apply", "kept.cub"], b"a\nquit\n");
    let kept = std::fs::read_to_string(folder.path().join("kept.cub")).expect("a model");
    assert!(kept.starts_with(text.trim_end()) && kept.trim_end().ends_with('}') && kept.len() > text.len());
    assert_eq!(std::fs::read_to_string(&model).expect("a model"), text);
    assert_eq!(code(&output), 0, "{}", out(&output));
    let output = run(folder.path(), &["induct", "model.cub", "-i"], b"quit\n");
    assert_eq!(code(&output), 3);
    let output = run(folder.path(), &["induct", "-", "-i"], b"");
    assert_eq!(code(&output), 2);
}

#[test]
fn bad_input() {
    let (code, text) = answer("var X : bool\ninit { not X }\ntransition t () { X := False; }\n", &[], "");
    assert_eq!(code, 2);
    assert!(text.contains("the model has no `unsafe` or `invariant` clause"), "{text}");
    // False initially.
    let (code, text) = answer(&format!("{DOOR}invariant (p) {{ not Inside[p] }}\n"), &["--clause", "2"], "");
    assert_eq!(code, 1);
    assert!(
        text.starts_with("Wrong invariant: ") && text.contains("is violated in the initial state"),
        "{text}"
    );
    // Refuted by a run.
    let (code, text) = answer(DOOR, &[], "");
    assert_eq!(code, 1);
    insta::assert_snapshot!("refuted", text);
    // No transitions.
    let (code, text) = answer("var X : bool\ninit { not X }\nunsafe { X }\n", &[], "");
    assert_eq!(code, 0);
    assert!(text.contains("The model has no transitions"), "{text}");
    let (code, text) = answer(DOOR, &["--clause", "2"], "");
    assert_eq!(code, 2);
    assert!(text.contains("the model has no clause 2") && text.contains("1 is its only one"), "{text}");
    let (code, text) = answer(LOCK_SERVER, &["--clause", "0"], "");
    assert_eq!(code, 2);
    assert!(text.contains("they are 1 to 12"), "{text}");
    let (code, text) = answer(LOCK_SERVER, &["--transition", "gant"], "");
    assert_eq!(code, 2);
    assert!(text.contains("did you mean grant?"), "{text}");
    let folder = folder(&[("model.cub", DOOR), ("mine.cub", "mine")]);
    let output = run(folder.path(), &["induct", "model.cub", "--apply", "mine.cub"], b"");
    assert_eq!(program::code(&output), 2);
    assert_eq!(std::fs::read_to_string(folder.path().join("mine.cub")).expect("a file"), "mine");
}

/// A model with a bug has no inductive invariant: a run is shown, whatever is claimed.
#[test]
fn bugs_are_shown() {
    for model in models("unsafe") {
        let found = json(&model.text, &["--timeout", "60"]);
        assert_eq!(found["verdict"], "unsafe", "{}", model.name());
        let clauses = found["clauses"].as_array().expect("clauses");
        assert!(clauses.iter().any(|clause| clause["run"]["trace"].is_object()), "{}", model.name());
    }
}

/// What is refuted is shown on demand, and a run of it.
#[test]
fn refuted_suggestions() {
    let text = models("safe").into_iter().find(|model| model.name() == "mutex").expect("a model").text;
    let (code, text) = answer(&text, &["--all"], "");
    assert_eq!(code, 3);
    insta::assert_snapshot!("all", text);
}

/// The same answer with any number of threads.
#[test]
fn threads() {
    let text = models("safe").into_iter().find(|model| model.name() == "flash_data").expect("a model").text;
    let with = |threads: &str| {
        let mut found = json(&text, &["-j", threads]);
        found["seconds"].take();
        found
    };
    assert_eq!(with("1"), with("2"));
}

#[test]
fn limits_hold() {
    let text = models("safe").into_iter().find(|model| model.name() == "flash_data").expect("a model").text;
    let (code, text) = answer(&text, &["--timeout", "0.01"], "");
    assert_eq!(code, 3);
    assert!(text.contains("the time of 0.01 s was up") || text.starts_with("Not inductive"), "{text}");
}

#[test]
fn json_is_as_documented() {
    let mutex = models("safe").into_iter().find(|model| model.name() == "mutex").expect("a model").text;
    let (open, bad) = (json(&mutex, &["--all"]), json(DOOR, &[]));
    let section = documented::section("induct");
    for (part, heading) in [
        (&open, "prints one object:"),
        (&bad, "prints one object:"),
        (&open["clauses"][0], "A clause:"),
        (&bad["clauses"][0], "A clause:"),
        (&open["counterexamples"][0], "A counterexample:"),
        (&open["counterexamples"][0]["suggestions"][0], "A suggestion:"),
        (&open["counterexamples"][0]["refuted"][0], "A refuted one:"),
    ] {
        documented::check(part, &documented::table(&section, heading));
    }
}

/// What the documentation shows is what the program prints, apart from the time.
#[test]
fn the_documentation_shows_real_output() {
    let read = |file: &str| std::fs::read_to_string(repository().join(file)).expect("the documentation");
    let mut count = 0;
    for text in [read("docs/tutorial.md"), read("docs/command-line.md")] {
        for block in text.split("```").filter(|block| block.contains("\n$ polycube induct models/")) {
            let block = block.split_once('\n').expect("a block").1;
            let (command, shown) = block.split_once('\n').expect("its output");
            if shown.starts_with("$ ") {
                continue;
            }
            let arguments: Vec<&str> = command.split(' ').skip(2).collect();
            let output = run(&repository(), &arguments, b"");
            assert_eq!(untimed(out(&output)), untimed(shown), "{command}");
            count += 1;
        }
    }
    assert_eq!(count, 3);
}

/// The rounds of the tutorial: German's protocol from the coherence property to a proof.
#[test]
fn the_rounds_of_the_tutorial() {
    let tutorial = std::fs::read_to_string(repository().join("docs/tutorial.md")).expect("the tutorial");
    let folder = folder(&[]);
    let german = repository().join("models/safe/german.cub");
    std::fs::copy(german, folder.path().join("german_0.cub")).expect("a copy");
    for round in 0..=11 {
        let [from, to] = [round, round + 1].map(|round| format!("german_{round}.cub"));
        let output = run(folder.path(), &["induct", &from, "--apply", &to], b"");
        assert_eq!(code(&output), if round == 11 { 0 } else { 3 }, "round {round}: {}", out(&output));
        if round == 11 {
            let answer = out(&output).split("\n\n").next().expect("a sentence");
            assert!(
                tutorial.contains(&format!("$ polycube induct german_11.cub\n{answer}\n```")),
                "{answer}"
            );
        }
    }
}

/// Without states, every clause holds: none is worth a suggestion.
#[test]
fn nothing_is_suggested_without_initial_states() {
    let model = DOOR.replace("init (p) { not Inside[p] }", "init (p) { Inside[p] && not Inside[p] }");
    let folder = folder(&[("model.cub", &model)]);
    let text = untimed(out(&run(folder.path(), &["induct", "model.cub"], b"")));
    assert!(text.contains("is initial."), "{text}");
    assert!(!text.contains("all 0 states") && !text.contains("invariant"), "{text}");
    let found = json(&model, &[]);
    assert_eq!(found["counterexamples"][0]["suggestions"], serde_json::json!([]));
    let text = untimed(out(&run(folder.path(), &["verify", "model.cub"], b"")));
    assert!(text.contains("Guessed: nothing: no state of 2 processes is initial."), "{text}");
}
