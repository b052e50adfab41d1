//! Manifests that somebody changed: each change is found, and named.

use super::*;
use bench::{Bench, edit, replace};

fn pop(manifest: &mut Value, list: &str) {
    manifest[list].as_array_mut().expect("a list").pop().expect("something to remove");
}

#[test]
fn the_invariant() {
    let bench = Bench::new("mutex.cub");
    let clause = |parameters: &'static [&str], never: &'static str| {
        move |c: &Path| {
            edit(c, |manifest| {
                manifest["invariant"][0] = json!({ "parameters": parameters, "never": never });
            });
        }
    };
    let good = "Inside[z1] = True && Inside[z2] = True";
    let both = &["z1", "z2"][..];
    let said = bench.verdicts(
        1,
        &[
            ("another formula", &clause(both, "Asks[z1] = True && Inside[z2] = True")),
            ("the same in other words", &clause(both, "Inside[z1] && Inside[z2]")),
            ("with a blank more", &clause(both, "Inside[z1] = True  && Inside[z2] = True")),
            ("no formula", &clause(both, "")),
            ("half a formula", &clause(both, "Inside[z1] = ")),
            ("a name that is unknown", &clause(both, "Inside[z1] = True && Outside[z2] = True")),
            ("a comment", &clause(both, "Inside[z1] = True (* *) && Inside[z2] = True")),
            ("a transition", &clause(both, "True } transition x () { Turn := ?; } unsafe () { True")),
            ("two clauses", &clause(both, "Inside[z1] } unsafe (z2) { Inside[z2]")),
            ("no process", &clause(&[], good)),
            ("too few processes", &clause(&["z1"], good)),
            ("the same one twice", &clause(&["z1", "z1"], good)),
            ("two in one", &clause(&["z1 z2"], good)),
            ("one without a name", &clause(&["z1", "", "z2"], good)),
            ("names of variables", &clause(&["Inside", "Turn"], good)),
            ("a key word", &clause(&["unsafe", "z2"], good)),
            ("an end", &clause(&["z1) { True } unsafe (z1", "z2"], good)),
            ("other names", &clause(&["p", "q"], "Inside[p] = True && Inside[q] = True")),
            ("comments across clauses", &|c| {
                edit(c, |manifest| {
                    manifest["invariant"][0]["never"] = json!("Asks[z1] } unsafe (z1 z2) { Inside[z1] (*");
                    manifest["invariant"][1]["never"] = json!("*) && Inside[z2]");
                });
            }),
            ("no clauses", &|c| edit(c, |manifest| manifest["invariant"] = json!([]))),
            ("a clause less", &|c| edit(c, |manifest| pop(manifest, "invariant"))),
            ("a clause twice", &|c| {
                edit(c, |manifest| manifest["invariant"][1] = manifest["invariant"][0].clone());
            }),
            ("the other way round", &|c| {
                edit(c, |manifest| manifest["invariant"].as_array_mut().expect("a list").reverse());
            }),
        ],
    );
    insta::assert_snapshot!("invariant", said);
}

/// What is too large for anybody is refused soon.
#[test]
fn too_much() {
    let bench = Bench::new("mutex.cub");
    let many: Vec<String> = (0..1000).map(|number| format!("z{number}")).collect();
    let changes: [&dyn Fn(&Path); 6] = [
        &|c| edit(c, |manifest| manifest["invariant"][0]["parameters"] = json!(many)),
        &|c| edit(c, |manifest| manifest["invariant"][0]["never"] = json!("(".repeat(100_000))),
        &|c| edit(c, |manifest| manifest["invariant"][0]["never"] = json!("not ".repeat(100_000) + "True")),
        &|c| edit(c, |manifest| manifest["invariant"] = json!(vec![manifest["invariant"][0].clone(); 2000])),
        &|c| edit(c, |manifest| manifest["obligations"][4]["from"] = json!(vec!["1 o1 o2"; 100_000])),
        &|c| {
            let obligation = manifest(c)["obligations"][4].clone();
            edit(c, |manifest| manifest["obligations"] = json!(vec![obligation.clone(); 10_000]));
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let (code, text) = bench.verdict(change);
        assert_eq!(code, 1, "{number}: {text}");
        assert!(text.contains(".json`") || text.contains(".smt2`"), "{number}: {text}");
        assert!(text.len() < 1000, "{number}: {text}");
    }
}

#[test]
fn lists() {
    let bench = Bench::new("mutex.cub");
    let change = |list: &'static str, at: usize, field: &'static str, value: Value| {
        move |c: &Path| edit(c, |manifest| manifest[list][at][field] = value.clone())
    };
    let from = |instance: &str| change("obligations", 4, "from", json!([instance]));
    let said = bench.verdicts(
        1,
        &[
            ("another clause", &change("obligations", 4, "clause", json!(2))),
            ("a clause that does not exist", &change("obligations", 4, "clause", json!(usize::MAX))),
            ("another transition", &change("obligations", 4, "transition", json!(3))),
            ("a property too much", &change("obligations", 4, "property", json!(1))),
            ("another kind", &change("obligations", 4, "kind", json!("initially"))),
            ("another file", &change("obligations", 4, "file", json!("step-01-ask.smt2"))),
            ("a file that is elsewhere", &change("obligations", 4, "file", json!("../../etc/passwd"))),
            ("less to follow from", &from("2 o1 p1")),
            ("nothing to follow from", &change("obligations", 4, "from", json!([]))),
            ("anything to follow from", &change("obligations", 4, "from", Value::Null)),
            ("a clause 0", &from("0 o1 o2")),
            ("a clause 3", &from("3 o1 o2")),
            ("too large a clause", &from("18446744073709551616 o1 o2")),
            ("a process 0", &from("1 o0 o2")),
            ("too many processes", &from("1 o1 o2 o3")),
            ("too few processes", &from("1 o1")),
            ("a process far away", &from("1 o1 o4000000000")),
            (
                "the process that is farthest away",
                &change("obligations", 8, "from", json!(["1 p1 o18446744073709551615"])),
            ),
            ("a parameter that is not there", &from("1 p1 p2")),
            ("a number of a process", &from("1 #1 #4294967295")),
            ("a witness", &from("1 w1 w2")),
            ("a cell", &from("2 Turn Turn")),
            ("a cell with an index", &from("2 Turn[o1] o1")),
            ("a cell without an end", &from("2 Turn[ o1")),
            ("a blank", &from(" 2 o1 p1")),
            ("rubbish", &from("🦀")),
            ("no words", &from("")),
            ("an obligation less", &|c| edit(c, |manifest| pop(manifest, "obligations"))),
            ("the first obligation less", &|c| {
                edit(c, |manifest| drop(manifest["obligations"].as_array_mut().expect("a list").remove(0)));
            }),
            ("no obligations", &|c| edit(c, |manifest| manifest["obligations"] = json!([]))),
            ("another hash", &change("files", 0, "sha256", json!("0"))),
            ("other words", &change("files", 0, "states", json!("Everything is fine."))),
            ("another number of questions", &change("files", 1, "checks", json!(1))),
            ("no number of questions", &change("files", 1, "checks", Value::Null)),
            ("a number of questions too much", &change("files", 5, "checks", json!(0))),
            ("a name", &change("files", 0, "file", json!("final.smt2"))),
            ("a file less", &|c| edit(c, |manifest| pop(manifest, "files"))),
            ("no files", &|c| edit(c, |manifest| manifest["files"] = json!([]))),
            ("the hash of the model", &|c| edit(c, |manifest| manifest["model"]["sha256"] = json!(""))),
            ("the name of the model", &|c| {
                edit(c, |manifest| manifest["model"]["file"] = json!("../mutex.cub"));
            }),
        ],
    );
    insta::assert_snapshot!("lists", said);
}

/// A manifest that cannot be read is none, so nobody can say what the certificate should be.
#[test]
fn not_a_manifest() {
    let bench = Bench::new("mutex.cub");
    let text =
        |text: Vec<u8>| move |c: &Path| fs::write(c.join("manifest.json"), &text).expect("a file is written");
    let good = fs::read(bench.path().join("good/manifest.json")).expect("a manifest");
    let said = bench.verdicts(
        2,
        &[
            ("a field more", &|c| edit(c, |manifest| manifest["author"] = json!("me"))),
            ("a field more inside", &|c| {
                edit(c, |manifest| manifest["obligations"][0]["proved"] = json!(true));
            }),
            ("a field less", &|c| edit(c, |manifest| drop(manifest["invariant"].take()))),
            ("a field twice", &|c| {
                replace(c, "manifest.json", "\"version\": 2", "\"version\": 2, \"version\": 2");
            }),
            ("a version to come", &|c| edit(c, |manifest| manifest["version"] = json!(3))),
            ("a version that never comes", &|c| edit(c, |manifest| manifest["version"] = json!(-1))),
            ("another format", &|c| edit(c, |manifest| manifest["format"] = json!("certificate"))),
            ("a clause 0.5", &|c| edit(c, |manifest| manifest["obligations"][0]["clause"] = json!(0.5))),
            ("no text", &text(vec![0xff, 0xfe])),
            ("nothing", &text(Vec::new())),
            ("half of it", &text(good[..good.len() / 2].to_vec())),
            ("more than it", &text([&good[..], b"{}"].concat())),
            ("no JSON", &text(b"the model is safe".to_vec())),
            ("a list", &text(b"[]".to_vec())),
            ("depth", &text(vec![b'['; 100_000])),
            ("depth inside", &|c| {
                let deep = format!("\"version\": {}", "[".repeat(100_000));
                replace(c, "manifest.json", "\"version\": 2", &deep);
            }),
            ("no manifest", &|c| fs::remove_file(c.join("manifest.json")).expect("it is removed")),
            ("a folder", &|c| {
                fs::remove_file(c.join("manifest.json")).expect("it is removed");
                fs::create_dir(c.join("manifest.json")).expect("a folder");
            }),
        ],
    );
    insta::assert_snapshot!("not_a_manifest", said);
}

/// With a fixed number of processes, these have numbers.
#[test]
fn processes_with_numbers() {
    let bench = Bench::new("peterson_two.cub");
    let list = manifest(&bench.path().join("good"))["obligations"].clone();
    let used = |one: &Value| one["kind"] == "preserved" && one["from"][1].is_string();
    let at = list.as_array().expect("a list").iter().position(used).expect("an obligation with instances");
    for instance in ["1 #3", "1 #0", "1 #4294967296", "1 p1", "2 #1", "1", "1 #1 #2 #3"] {
        let (code, text) = bench.verdict(&|c| {
            edit(c, |manifest| manifest["obligations"][at]["from"] = json!([instance]));
        });
        assert_eq!(code, 1, "{instance}");
        assert!(text.contains("manifest.json") || text.contains("step-"), "{text}");
    }
}

/// The origin is a note: nothing depends on it, and nothing that stands there reaches a terminal as it is.
#[test]
fn the_origin() {
    let bench = Bench::new("mutex.cub");
    let copy = bench.copy();
    edit(&copy, |manifest| manifest["origin"]["tool"] = json!("\u{1b}[31mred\u{7}"));
    assert_eq!(code(&bench.check(&[])), 0);
    fs::write(copy.join("theory.why"), "").expect("a file is written");
    let output = bench.check(&["--color", "always"]);
    assert_eq!(code(&output), 1);
    assert!(!err(&output).contains("\u{1b}[31m") && !err(&output).contains('\u{7}'), "{}", err(&output));
}
