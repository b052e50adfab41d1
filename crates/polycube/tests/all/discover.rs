//! `polycube discover`: invariants that people read.

use crate::program::{code, documented, err, folder, out, run};
use polycube_testing::repository;
use serde_json::Value;

/// What it prints, without the time.
fn answer(model: &str) -> String {
    let output = run(&repository(), &["discover", model], b"");
    assert_eq!((code(&output), err(&output)), (0, ""), "{model}");
    let (answer, time) = out(&output).rsplit_once(", in ").expect("a time");
    format!("{answer}, in 0.{}", time.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit()))
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
        let confirmed = run(folder.path(), &["induct", out_file], b"");
        assert_eq!(code(&confirmed), 0, "{model}: {}", out(&confirmed));
        // The same by way of JSON.
        let output = run(folder.path(), &["discover", &file, "--format", "json"], b"");
        let found: Value = serde_json::from_str(out(&output)).expect("JSON");
        let clauses = found["clauses"].as_array().expect("clauses").iter();
        let clauses: Vec<&str> = clauses.map(|clause| clause.as_str().expect("text")).collect();
        let text = std::fs::read_to_string(folder.path().join(&file)).expect("a model");
        let confirmed =
            run(folder.path(), &["induct", "-"], format!("{text}\n{}\n", clauses.join("\n")).as_bytes());
        assert_eq!(code(&confirmed), 0, "{model}: {}", out(&confirmed));
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

/// Solvers believe what is printed.
#[test]
fn certificates_of_lean_invariants() {
    let is_installed = |solver| std::process::Command::new(solver).arg("--version").output().is_ok();
    if !["z3", "cvc5"].into_iter().all(is_installed) {
        return polycube_testing::skip_without_solver("z3 and cvc5 are not both installed");
    }
    let folder = folder(&[]);
    for model in ["german", "flash_control", "chandra_toueg", "splitter", "szymanski_atomic"] {
        let file = repository().join(format!("models/safe/{model}.cub"));
        let file = file.to_str().expect("a name");
        let output = run(folder.path(), &["discover", file, "--certificate", model, "--format", "json"], b"");
        let found: Value = serde_json::from_str(out(&output)).expect("JSON");
        let output = run(folder.path(), &["check-certificate", model, "--format", "json"], b"");
        let checked: Value = serde_json::from_str(out(&output)).expect("JSON");
        assert_eq!(code(&output), 0, "{model}: {checked}");
        assert_eq!(checked["clauses"], found["lean"]["clauses"], "{model}");
    }
}

/// The graph of formulas: every formula is in it, and every need is an arrow.
#[test]
fn explanations() {
    let folder = folder(&[]);
    let german = repository().join("models/safe/german.cub");
    let german = german.to_str().expect("a name");
    let explain = |file: &str| {
        let output = run(folder.path(), &["discover", german, "--explain", file, "--format", "json"], b"");
        let found: Value = serde_json::from_str(out(&output)).expect("JSON");
        (code(&output), found)
    };
    let (exit, found) = explain("why.html");
    assert_eq!(exit, 0);
    let page = std::fs::read_to_string(folder.path().join("why.html")).expect("a page");
    let (_, data) = page.split_once("id=\"data\">").expect("data");
    let (data, _) = data.split_once("</script>").expect("an end");
    let page: Value = serde_json::from_str(data).expect("JSON");
    let (nodes, drawn) = (&page["graph"]["nodes"], page["graph"]["arrows"].as_array().expect("arrows"));
    let (exit, _) = explain("why.dot");
    assert_eq!(exit, 0);
    let dot = std::fs::read_to_string(folder.path().join("why.dot")).expect("a graph");
    let formulas = found["formulas"].as_array().expect("formulas");
    let mut arrows = 0;
    for (at, formula) in formulas.iter().enumerate() {
        let premise = formula["premise"].as_str().expect("a premise");
        let node = &nodes[at + 1];
        assert_eq!(node["name"], (at + 1).to_string());
        assert!(node["premise"].as_str().is_some_and(|text| text.ends_with(premise)), "{premise}");
        assert!(dot.contains(premise), "{premise}");
        let needed = &formula["needed_for"];
        arrows += needed["properties"].as_array().expect("lines").len();
        for user in needed["formulas"].as_array().expect("users") {
            let user = user["formula"].as_u64().expect("a number");
            assert!(dot.contains(&format!("  n{user} -> n{} [", at + 1)), "{user} needs {}", at + 1);
            arrows += 1;
        }
    }
    assert_eq!((dot.matches(" -> ").count(), drawn.len()), (arrows, arrows));
    // It is there already; and that is no file for a graph.
    let (exit, found) = explain("why.html");
    assert!(
        exit == 2 && found["error"].as_str().is_some_and(|text| text.contains("exists already")),
        "{found}"
    );
    let output = run(folder.path(), &["discover", german, "--explain", "why.png"], b"");
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains(".html, .svg or .dot"), "{}", err(&output));
}

/// A formula needs later ones, or ones that need it.
#[test]
fn the_order_of_formulas() {
    for model in
        ["models/safe/german.cub", "models/safe/flash_control.cub", "models/safe/szymanski_atomic.cub"]
    {
        let output = run(&repository(), &["discover", model, "--format", "json"], b"");
        let found: Value = serde_json::from_str(out(&output)).expect("JSON");
        let formulas = found["formulas"].as_array().expect("formulas");
        let users = |at: usize| -> Vec<usize> {
            let users = formulas[at]["needed_for"]["formulas"].as_array().expect("users").iter();
            users.map(|user| user["formula"].as_u64().expect("a number") as usize - 1).collect()
        };
        // Who needs it, directly or not.
        let above = |at: usize| {
            let mut above = users(at);
            let mut next = 0;
            while next < above.len() {
                let more: Vec<usize> =
                    users(above[next]).into_iter().filter(|user| !above.contains(user)).collect();
                above.extend(more);
                next += 1;
            }
            above
        };
        for at in 0..formulas.len() {
            for user in users(at) {
                assert!(user < at || above(user).contains(&at), "{model}: {} needs {}", user + 1, at + 1);
            }
        }
    }
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
