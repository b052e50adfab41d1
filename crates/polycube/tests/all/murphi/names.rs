//! Names are those of the file, in everything that other programs read; and what is written can be read again.

use std::collections::BTreeSet;
use std::path::Path;

use polycube_testing::repository;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::models;
use crate::program::{code, err, folder, out, run};

/// Words of a text: letters, digits and `_`, but for numbers.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|one: char| !one.is_ascii_alphanumeric() && one != '_');
    words.filter(|word| word.starts_with(|first: char| first.is_ascii_alphabetic()))
}

/// All texts in a trace, those that are names of fields included.
fn texts<'t>(value: &'t Value, found: &mut Vec<&'t str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(parts) => parts.iter().for_each(|part| texts(part, found)),
        Value::Object(fields) => {
            for (name, field) in fields {
                if !["initial", "steps", "transition", "arguments", "changes", "processes"]
                    .contains(&&name[..])
                {
                    found.push(name);
                }
                texts(field, found);
            }
        }
        _ => {}
    }
}

/// Names in a trace that the file does not have. Elements of scalarsets have none there.
fn foreign_names(model: &Path, trace: &Value) -> Vec<String> {
    let text = std::fs::read_to_string(model).expect("a model");
    let own: BTreeSet<&str> = words(&text).collect();
    let is_element = |word: &str| {
        let parts = word.rsplit_once('_');
        parts.is_some_and(|(ty, number)| own.contains(ty) && number.bytes().all(|one| one.is_ascii_digit()))
    };
    let mut found = Vec::new();
    texts(trace, &mut found);
    let names = found.into_iter().flat_map(words);
    let foreign = names.filter(|word| {
        !own.contains(word) && !["undefined", "true", "false", "present"].contains(word) && !is_element(word)
    });
    foreign.map(str::to_owned).collect()
}

/// Says that a trace is a run of the model, and of which length.
fn replayed(place: &TempDir, trace: &str, model: &Path) -> u64 {
    let path = model.to_str().expect("a name");
    let output = run(place.path(), &["replay", trace, path, "--format", "json"], b"");
    assert_eq!(code(&output), 0, "{path}, {trace}: {}{}", out(&output), err(&output));
    let report: Value = serde_json::from_str(out(&output)).expect("JSON");
    report["steps"].as_u64().expect("a number of steps")
}

/// A run in the Informal Trace Format that does not say which steps lead from state to state.
fn without_steps(text: &str) -> String {
    let mut trace: Value = serde_json::from_str(text).expect("JSON");
    for state in trace["states"].as_array_mut().expect("states") {
        let meta = state["#meta"].as_object_mut().expect("an object");
        meta.retain(|field, _| field == "index");
    }
    trace.to_string()
}

#[test]
fn runs_to_bad_states_go_round() {
    let place = folder(&[]);
    for model in models("unsafe") {
        let path = model.to_str().expect("a name");
        let arguments = ["verify", path, "--format", "json", "--itf", "run.itf.json", "--force"];
        let output = run(place.path(), &arguments, b"");
        let report: Value = serde_json::from_str(out(&output)).expect("JSON");
        let steps = report["trace"]["steps"].as_array().expect("steps").len() as u64;
        assert_eq!(foreign_names(&model, &report["trace"]), [""; 0], "{path}");
        std::fs::write(place.path().join("run.json"), out(&output)).expect("a file is written");
        let itf = std::fs::read_to_string(place.path().join("run.itf.json")).expect("a run");
        std::fs::write(place.path().join("bare.itf.json"), without_steps(&itf)).expect("a file is written");
        for trace in ["run.json", "run.itf.json", "bare.itf.json"] {
            assert_eq!(replayed(&place, trace, &model), steps, "{path}, {trace}");
        }
    }
}

/// Among them runs through rules that are several transitions, and with variables that hold no process.
#[test]
fn random_runs_go_round() {
    let place = folder(&[]);
    let (mut steps, mut undefined) = (0, false);
    for model in models("safe") {
        let path = model.to_str().expect("a name");
        for seed in ["1", "2"] {
            let arguments = [
                "simulate",
                path,
                "--steps",
                "60",
                "--seed",
                seed,
                "--format",
                "json",
                "--itf",
                "run.itf.json",
            ];
            let output = run(place.path(), &[&arguments[..], &["--force"]].concat(), b"");
            let report: Value = serde_json::from_str(out(&output)).expect("JSON");
            assert_eq!(foreign_names(&model, &report["trace"]), [""; 0], "{path}");
            undefined |= out(&output).contains("\"undefined\"");
            std::fs::write(place.path().join("run.json"), out(&output)).expect("a file is written");
            let length = replayed(&place, "run.json", &model);
            assert_eq!(replayed(&place, "run.itf.json", &model), length, "{path}");
            steps += length;
        }
    }
    assert!(steps > 1000 && undefined, "{steps} steps");
}

/// Records are records, and arrays are maps.
#[test]
fn parts_of_variables_in_itf() {
    let place = folder(&[]);
    let model = repository().join("models/murphi/safe/records.m");
    let path = model.to_str().expect("a name");
    let arguments = ["simulate", path, "-n", "2", "--steps", "1", "--seed", "1", "--itf", "run.itf.json"];
    let output = run(place.path(), &arguments, b"");
    assert_eq!(code(&output), 0, "{}", err(&output));
    let text = std::fs::read_to_string(place.path().join("run.itf.json")).expect("a run");
    let trace: Value = serde_json::from_str(&text).expect("JSON");
    let first = &trace["states"][0];
    assert_eq!(trace["vars"], json!(["Channels", "Holds", "Server"]), "{text}");
    assert_eq!(first["Server"], json!({ "Lock": { "Taken": false } }), "{text}");
    assert_eq!(
        first["Channels"]["#map"][1],
        json!(["#2", { "ToServer": "None", "ToClient": "None" }]),
        "{text}"
    );
}

/// Nothing is believed of a trace, whatever its names are.
#[test]
fn wrong_traces() {
    let place = folder(&[]);
    let model = repository().join("models/murphi/unsafe/undefined_wish.m");
    let path = model.to_str().expect("a name");
    let output = run(place.path(), &["explore", path, "-n", "2", "--format", "json"], b"");
    let report: Value = serde_json::from_str(out(&output)).expect("JSON");
    let good = &report["violations"][0]["trace"];
    let answer = |trace: &Value| {
        std::fs::write(place.path().join("run.json"), trace.to_string()).expect("a file is written");
        let output = run(place.path(), &["replay", "run.json", path], b"");
        (code(&output), format!("{}{}", out(&output), err(&output)))
    };
    assert_eq!(answer(good).0, 0, "{good}");
    for (change, expected) in [
        (("/initial/AtDesk", json!("#1")), (1, "does not start in an initial state")),
        (("/initial/AtDesk", json!("defined")), (2, "`AtDesk`: `defined` is not a value of type `proc`")),
        (("/initial/AtDesk", json!("#7")), (2, "`AtDesk` cannot be `#7`")),
        (("/steps/0/changes", json!({ "AtDask": "#1" })), (2, "did you mean `AtDesk`?")),
        (("/steps/0/changes", json!({ "Served[#9]": "true" })), (1, "there is no `Served[#9]`")),
        (("/steps/0/transition", json!("come_in")), (1, "come_in")),
    ] {
        let ((pointer, value), (exit, text)) = (change, expected);
        let mut trace = good.clone();
        *trace.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}: {good}")) = value;
        let (found, said) = answer(&trace);
        assert!(found == exit && said.replace('\n', " ").contains(text), "{pointer}: {found}, {said}");
    }
}

/// Formulas in reports are Murphi's, and so are the clauses that `induct` writes into a file.
#[test]
fn formulas() {
    let place = folder(&[]);
    let model = repository().join("models/murphi/safe/same_parameters.m");
    let path = model.to_str().expect("a name");
    let report = |arguments: &[&str]| -> Value {
        let output = run(place.path(), &[arguments, &["--format", "json"]].concat(), b"");
        serde_json::from_str(out(&output)).expect("JSON")
    };
    let verified = report(&["verify", path]);
    let second = &verified["invariants"][1];
    assert_eq!(
        (&second["text"], &second["never"]),
        (
            &json!("forall p: Person do forall q: Person do q != p & Has[p] -> !Has[q] end end"),
            &json!("Has[p] & Has[q]")
        )
    );
    let discovered = report(&["discover", path]);
    let first = json!("invariant exists k: Person do Has[k] end;");
    assert!(discovered["clauses"].as_array().is_some_and(|all| all.contains(&first)), "{discovered}");
    let model = repository().join("models/murphi/safe/errors.m");
    let path = model.to_str().expect("a name");
    let found = report(&["induct", path, "--apply", "more.m"]);
    let clause = "invariant forall n: Node do Is[n] = Committed -> Decided = Commit end;";
    assert_eq!(found["applied"], json!([clause]));
    let text = std::fs::read_to_string(place.path().join("more.m")).expect("a model");
    assert!(text.ends_with(&format!("\n\n{clause}\n")), "{text}");
    assert_eq!(report(&["verify", "more.m"])["verdict"], "safe", "{text}");
}

/// A page says what JSON says, and names rules as the file does.
#[test]
fn pages() {
    let place = folder(&[]);
    let model = repository().join("models/murphi/unsafe/literals_lent_while_used.m");
    let path = model.to_str().expect("a name");
    let output = run(place.path(), &["verify", path, "--html", "page.html"], b"");
    assert_eq!(code(&output), 1, "{}", err(&output));
    let page = std::fs::read_to_string(place.path().join("page.html")).expect("a page");
    let (_, behind) = page.split_once("id=\"data\">").expect("data");
    let (data, _) = behind.split_once("</script>").expect("an end");
    let data: Value = serde_json::from_str(data).expect("JSON");
    let names: Vec<&str> = data["transitions"]
        .as_array()
        .expect("transitions")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names, ["lend", "use", "used", "give back"]);
    assert_eq!(foreign_names(&model, &data["report"]["trace"]), [""; 0]);
    assert_eq!(data["murphi"], json!(true));
}

/// In a conversation, a rule has the name that it has in the file, blanks included.
#[test]
fn conversations() {
    let model = repository().join("models/murphi/safe/literals.m");
    let path = model.to_str().expect("a name");
    let commands = b"why give back\nwhy take\nlist\nquit\n";
    let output = run(Path::new("."), &["simulate", "--interactive", path, "-n", "2"], commands);
    let said = out(&output);
    assert!(said.contains("give back(#2) is not possible:\n    line 51: "), "{said}");
    assert!(said.contains("There is no transition `take`."), "{said}");
    assert!(!said.contains("give_back") && !said.contains("Process_1"), "{said}");
}
