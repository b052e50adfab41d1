//! The invariant is checked once more before the program says Safe.

use polycube::bug::write_report;
use polycube::{Failed, Rechecked};
use polycube_certificate::{Clause, Invariant, Obligation};
use polycube_engine::backward::Options;
use polycube_engine::engine::{Engine, verify};
use polycube_engine::oracle::Plan;
use polycube_language::System;
use polycube_language::check::check;

use super::*;

fn recheck(system: &System, invariant: &Invariant) -> Result<Rechecked, Failed> {
    polycube::recheck(system, invariant, 1, &|| true, &mut |_, _| {})
}

/// The meaning of one of our models, and its text.
fn system(name: &str) -> (System, String) {
    let text = fs::read_to_string(repository().join("models/safe").join(name)).expect("a model");
    (check(&text).system.expect("our models are correct"), text)
}

/// The invariant that the engine finds.
fn invariant(system: &System) -> Invariant {
    let options = Options { threads: 1, ..Options::default() };
    let found = verify(system, Engine::Auto, &options, Plan::default(), &mut ()).expect("it is supported");
    let clauses = found.invariant.into_iter();
    Invariant {
        clauses: clauses.map(|cube| Clause { parameters: cube.parameters, never: cube.formula }).collect(),
    }
}

/// The invariant that consists of the `unsafe` clauses, which are not enough in general.
fn properties(system: &System) -> Invariant {
    let clause = |property: &polycube_language::system::Property| Clause {
        parameters: property.parameters.clone(),
        never: property.formula.clone(),
    };
    Invariant { clauses: system.properties.iter().map(clause).collect() }
}

#[test]
fn good_invariants() {
    for name in ["mutex.cub", "german.cub", "szymanski_atomic.cub", "peterson_two.cub"] {
        let (system, _) = system(name);
        let invariant = invariant(&system);
        let rechecked = recheck(&system, &invariant).expect("it is inductive");
        assert_eq!((rechecked.proved, rechecked.stopped), (rechecked.obligations, 0), "{name}");
    }
    let safe = "array Inside[proc] : bool\ninit (p) { not Inside[p] }\nunsafe (p) { Inside[p] }\n\
                transition stay (p) { Inside[p] := False }\n";
    let system = check(safe).system.expect("a model");
    assert!(recheck(&system, &properties(&system)).is_ok());
}

/// Without one of its clauses, or with another one, it is not inductive: all three kinds of obligations can fail.
#[test]
fn bad_invariants() {
    let (system, _) = system("mutex.cub");
    let good = invariant(&system);
    assert_eq!(good.clauses.len(), 2);
    let failed = |invariant: &Invariant| recheck(&system, invariant).expect_err("it is none").obligation;
    assert_eq!(failed(&properties(&system)), Obligation::Preserved { transition: 1, clause: 0 });
    assert_eq!(failed(&Invariant::default()), Obligation::Excludes { property: 0 });
    let nobody = check(
        "var Turn : proc\narray Asks[proc] : bool\narray Inside[proc] : bool\ninit (p) { not Asks[p] && not Inside[p] }\n\
         unsafe (p) { not Asks[p] }\n",
    );
    let wrong = properties(&nobody.system.expect("a model"));
    let with_wrong = Invariant { clauses: [&good.clauses[..], &wrong.clauses].concat() };
    assert_eq!(failed(&with_wrong), Obligation::Initially { clause: 2 });
}

/// Where there is no time for it, nothing is found but what needs none: a step that changes nothing a clause speaks of.
#[test]
fn no_time() {
    let (system, _) = system("mutex.cub");
    let invariant = properties(&system);
    let rechecked = polycube::recheck(&system, &invariant, 2, &|| false, &mut |_, _| {});
    let rechecked = rechecked.expect("nothing was looked at");
    assert_eq!((rechecked.obligations, rechecked.proved, rechecked.stopped), (5, 1, 4));
    assert!(recheck(&system, &invariant).is_err());
}

#[test]
fn the_report() {
    let (system, text) = system("mutex.cub");
    let invariant = properties(&system);
    let failed = recheck(&system, &invariant).expect_err("it is none");
    let report = failed.report(&system, &invariant, "models/mutex.cub", &text);
    assert!(
        report.starts_with(&format!("polycube {}\ncommand line: ", env!("CARGO_PKG_VERSION"))),
        "{report}"
    );
    assert!(report.ends_with(&format!("\nThe model models/mutex.cub:\n\n{text}\n")), "{report}");
    // In between is what is wrong; the command line is that of this test.
    let start = report.find("It is not true").expect("what is wrong");
    let end = report.find("The model models").expect("the model");
    insta::assert_snapshot!("report", &report[start..end]);
}

/// A report gets a file of its own, in the first folder that takes it.
#[test]
fn files_for_reports() {
    let folder = TempDir::new().expect("a temporary folder");
    let (missing, first, second) =
        (folder.path().join("missing"), folder.path().join("first"), folder.path().join("second"));
    fs::create_dir(&first).expect("a folder");
    fs::create_dir(&second).expect("a folder");
    let path = write_report("one", &[&missing, &first, &second]).expect("a file");
    assert_eq!(
        (path.parent(), fs::read_to_string(&path).expect("a report")),
        (Some(&*first), "one".to_owned())
    );
    let name = path.file_name().and_then(|name| name.to_str()).expect("text");
    assert!(name.starts_with("polycube-bug-") && name.ends_with(".txt"), "{name}");
    let other = write_report("two", &[&first]).expect("a file");
    assert_ne!(path, other, "nothing is overwritten");
    assert_eq!(fs::read_to_string(&path).expect("a report"), "one");
    assert_eq!(write_report("three", &[&missing, Path::new("/proc")]), None);
    assert_eq!((names(&first).len(), names(&second).len()), (2, 0));
}

/// The text says what was rechecked, and so does JSON; `--no-recheck` leaves it out, and the invariant is not made
/// smaller.
#[test]
fn what_is_said() {
    let folder = models();
    let steady = |output: &Output| -> String {
        let text = out(output);
        let (start, end) = (text.find("\nThat is proved by "), text.find("\nGuessed: "));
        let proof = start.zip(end).map_or("", |(start, end)| &text[start..end]);
        let rechecked = proof.find("\nRechecked ").map_or("", |at| &proof[at..]);
        let text = text.replace(proof, rechecked);
        let lines = text.lines().filter(|line| !line.contains(" solver calls, "));
        lines.map(|line| format!("{line}\n")).collect()
    };
    for (model, said) in [
        ("mutex.cub", "Rechecked 9 of 9 obligations, by a routine that the search has no part in.\n\n"),
        ("counter.cub", "Rechecked 8 of 8 obligations, by a routine that the search has no part in.\n\n"),
    ] {
        let search = ["verify", model, "--engine", "brab"];
        let with = run(folder.path(), &search, b"");
        let without = run(folder.path(), &[&search[..], &["--no-recheck"]].concat(), b"");
        assert_eq!((code(&with), err(&with)), (0, ""), "{model}");
        assert!(steady(&with).contains(said), "{}", steady(&with));
        assert_eq!(steady(&with).replace(said, ""), steady(&without), "{model}");
    }
    let with = run(folder.path(), &["verify", "german.cub", "--format", "json"], b"");
    let with: Value = serde_json::from_str(out(&with)).expect("JSON");
    assert_eq!(with["recheck"]["obligations"], with["recheck"]["proved"]);
    assert!(with["recheck"]["proved"].as_u64().is_some_and(|proved| proved > 100), "{with}");
    // There is nothing to check about a run, or if nothing is known, or what rests on clauses that are taken as given.
    for (model, option, expected) in [
        ("bad.cub", "--procs=1", 1),
        ("ever.cub", "--max-nodes=10", 3),
        ("mutex.cub", "--trust-invariants", 0),
        ("mutex.cub", "--no-recheck", 0),
    ] {
        let output = run(folder.path(), &["verify", model, option, "--format", "json"], b"");
        let json: Value = serde_json::from_str(out(&output)).expect("JSON");
        assert_eq!((code(&output), json.get("recheck")), (expected, None), "{model} {option}");
    }
}
