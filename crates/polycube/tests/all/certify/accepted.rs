//! Certificates that are good.

use super::*;
use crate::program::run_program;
use fake::are_installed;
use polycube_language::check::check;

/// The files that a certificate of this model should have.
fn expected_files(model: &str) -> Vec<String> {
    let system = check(model).system.expect("our models are correct");
    let mut files: Vec<String> =
        ["initially.smt2", "manifest.json", "model.cub", "program.mlw", "theory.why"]
            .map(str::to_owned)
            .to_vec();
    let steps = system.transitions.iter().enumerate();
    files.extend(steps.map(|(at, transition)| format!("step-{:02}-{}.smt2", at + 1, transition.name)));
    files.extend((1..=system.properties.len()).map(|number| format!("property-{number}.smt2")));
    files.sort();
    files
}

/// Asks a solver as anybody would, who has nothing but the certificate.
fn ask_by_hand(directory: &Path, solver: &[&str]) {
    for file in manifest(directory)["files"].as_array().expect("a list of files") {
        let (name, Some(checks)) = (file["file"].as_str().expect("a name"), file["checks"].as_u64()) else {
            continue;
        };
        let output = run_program(solver[0], directory, &[&solver[1..], &[name]].concat(), b"");
        assert_eq!(out(&output), "unsat\n".repeat(checks as usize), "{solver:?}, {name}");
    }
}

/// They are proved by both solvers, also by hand, and nothing else is said about them.
#[test]
fn our_models() {
    if !are_installed() {
        return;
    }
    let folder = models();
    let path = folder.path();
    for name in ["mutex", "german", "szymanski_atomic", "peterson_two"] {
        let (file, directory) = (format!("{name}.cub"), path.join(name));
        let output = run(path, &["certify", &file, name], b"");
        assert_eq!((code(&output), err(&output)), (0, ""), "{name}");
        answer(&output);
        let manifest = manifest(&directory);
        let count = manifest["obligations"].as_array().expect("a list of obligations").len();
        let last = out(&output).lines().last().expect("an answer");
        let says = |last: &str| {
            last.starts_with("Safe, certified by z3 ")
                && last.contains(" and cvc5 ")
                && last.ends_with(&format!(": {count} obligations"))
        };
        assert!(says(last), "{last}");
        let text = fs::read_to_string(path.join(&file)).expect("a model");
        assert_eq!(names(&directory), expected_files(&text), "{name}");
        assert_eq!(fs::read_to_string(directory.join("model.cub")).expect("a model"), text);
        ask_by_hand(&directory, &["z3"]);
        ask_by_hand(&directory, &["cvc5", "--incremental"]);

        let checked = run(path, &["check-certificate", name, "--model", &file], b"");
        assert_eq!((code(&checked), err(&checked)), (0, ""), "{name}");
        let text = answer(&checked);
        assert!(text.starts_with(&format!("The files in {name} are what model.cub and the ")), "{text}");
        assert!(out(&checked).lines().last().is_some_and(says), "{text}");
        for solver in ["z3", "cvc5"] {
            let checked = run(path, &["check-certificate", name, "--solver", solver], b"");
            let text = answer(&checked);
            let last = out(&checked).lines().last().expect("an answer");
            assert!(code(&checked) == 0 && !last.contains(" and "), "{text}");
            assert!(last.starts_with(&format!("Safe, certified by {solver} ")), "{text}");
        }
    }
}

/// What it looks like; here with programs in place of solvers, so that it always looks the same.
#[test]
fn what_is_said() {
    let (folder, programs) = (models(), Programs::agreeing().with("cvc5", "says unsat"));
    let certified = run_with(&programs, folder.path(), &["certify", "german.cub"]);
    let checked = run_with(&programs, folder.path(), &["check-certificate", "german.certificate"]);
    insta::assert_snapshot!("certified", format!("{}\n{}", answer(&certified), answer(&checked)));
}

#[test]
fn json() {
    let (folder, programs) = (models(), Programs::agreeing().with("cvc5", "says unsat"));
    let steady = |output: &Output| {
        let mut object = object(output);
        for solver in object["solvers"].as_array_mut().expect("a list") {
            assert!(solver["seconds"].take().is_number());
        }
        object
    };
    let expected = |file: &str| {
        let solver = |name: &str, version: &str| json!({ "name": name, "version": version, "proved": 9, "retried": 0, "seconds": null, "open": [] });
        json!({
            "file": file, "directory": "c", "certified": true, "interrupted": false, "clauses": 2, "obligations": 9,
            "solvers": [solver("z3", "4.8.12"), solver("cvc5", "1.0.3")],
        })
    };
    let certified = run_with(&programs, folder.path(), &["certify", "mutex.cub", "c", "--format", "json"]);
    assert_eq!((code(&certified), steady(&certified)), (0, expected("mutex.cub")));
    let checked = run_with(&programs, folder.path(), &["check-certificate", "c", "--format", "json"]);
    assert_eq!((code(&checked), steady(&checked)), (0, expected("c/model.cub")));
}

/// A solver that is named twice is asked once.
#[test]
fn each_solver_is_asked_once() {
    let (folder, programs) = (models(), Programs::agreeing().with("cvc5", "says unsat"));
    let twice = ["--solver", "z3", "--solver", "cvc5", "--solver", "z3"];
    let output = run_with(&programs, folder.path(), &[&["certify", "mutex.cub"], &twice[..]].concat());
    assert!(
        out(&output).ends_with("\nSafe, certified by z3 4.8.12 and cvc5 1.0.3: 9 obligations\n"),
        "{}",
        out(&output)
    );
}

/// Whoever writes a certificate, and with however many threads: it is the same.
#[test]
fn the_same_for_everybody() {
    let (folder, programs) = (models(), Programs::agreeing());
    let path = folder.path();
    for model in ["german.cub", "szymanski_atomic.cub", "peterson_two.cub"] {
        let directory = |name: &str| format!("{model}.{name}");
        let certified = run_with(&programs, path, &["certify", model, &directory("certify")]);
        assert_eq!(code(&certified), 0);
        let expected = content(&path.join(directory("certify")));
        for threads in ["1", "2"] {
            let to = directory(threads);
            assert_eq!(code(&run_with(&programs, path, &["certify", model, &to, "-j", threads])), 0);
            assert!(content(&path.join(&to)) == expected, "{model}: {threads} threads");
            let to = directory(&format!("verify-{threads}"));
            assert_eq!(code(&run(path, &["verify", model, "--certificate", &to, "-j", threads], b"")), 0);
            assert!(content(&path.join(&to)) == expected, "{model}: verify with {threads} threads");
        }
    }
}

/// The name of the file is no matter but in the origin; from standard input, there is none.
#[test]
fn from_standard_input() {
    let folder = models();
    let path = folder.path();
    let text = fs::read(path.join("mutex.cub")).expect("a model");
    write_certificate(path, "mutex.cub", "file");
    let output = run(path, &["verify", "-", "--certificate", "input"], &text);
    assert_eq!((code(&output), err(&output)), (0, ""));
    let (mut file, mut input) = (content(&path.join("file")), content(&path.join("input")));
    let (of_file, of_input) = (file.remove("manifest.json"), input.remove("manifest.json"));
    assert!(file == input);
    let of_file = String::from_utf8(of_file.expect("a manifest")).expect("text");
    let of_input = String::from_utf8(of_input.expect("a manifest")).expect("text");
    assert_eq!(of_file.replace("\"file\":\"mutex.cub\"", "\"file\":\"<stdin>\""), of_input);
    if are_installed() {
        let output = run(path, &["certify", "-"], &text);
        assert_eq!((code(&output), err(&output)), (0, ""));
        assert!(content(&path.join("model.certificate")).remove("manifest.json").is_some());
    }
    // And `check-certificate` may read the model from there.
    let checked = run(path, &["check-certificate", "file", "--model", "-", "--solver", "z3"], b"another one");
    assert_eq!(code(&checked), 1);
    assert!(err(&checked).contains("`<stdin>`"), "{}", err(&checked));
}

/// Where nothing else is said, the certificate lies where we are, whatever folder the model is in.
#[test]
fn the_usual_place() {
    let (folder, programs) = (models(), Programs::agreeing());
    let path = folder.path();
    fs::create_dir(path.join("work")).expect("a folder");
    let output = run_with(&programs, &path.join("work"), &["certify", "../mutex.cub"]);
    assert_eq!((code(&output), err(&output)), (0, ""));
    assert_eq!(names(&path.join("work")), ["mutex.certificate"]);
    assert!(out(&output).starts_with("The certificate is in mutex.certificate: "), "{}", out(&output));
}

/// Whoever may see what is beside it may see the certificate, too.
#[test]
fn permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = models();
    write_certificate(folder.path(), "mutex.cub", "c");
    fs::create_dir(folder.path().join("usual")).expect("a folder");
    let mode = |name: &str| fs::metadata(folder.path().join(name)).expect("a file").permissions().mode();
    assert_eq!(mode("c"), mode("usual"));
    assert_eq!(mode("c/manifest.json"), mode("mutex.cub"));
}

/// `verify` says the same with a certificate, and where that is.
#[test]
fn verify_says_where_it_is() {
    let folder = models();
    let steady = |output: &Output| -> Vec<String> {
        let lines = out(output).lines().map(str::to_owned);
        lines.filter(|line| !line.contains(" solver calls, ")).collect()
    };
    let without = run(folder.path(), &["verify", "mutex.cub"], b"");
    let with = run(folder.path(), &["verify", "mutex.cub", "--certificate", "c"], b"");
    let said = "The certificate is in c: 2 clauses, 9 obligations in 5 scripts, and a theory and";
    let (before, after) = (steady(&without), steady(&with));
    let at = after.iter().position(|line| line == said).expect("a line about the certificate");
    let rest = [&after[..at], &after[at + 3..]].concat();
    assert_eq!(after[at + 1..at + 3], ["a program for Why3.", ""]);
    assert_eq!(rest, before);
}

/// Names of transitions may be longer than names of files.
#[test]
fn long_names() {
    let folder = models();
    let text = fs::read_to_string(folder.path().join("mutex.cub")).expect("a model");
    let long = text.replace("transition ask", &format!("transition ask{}", "_and_wait".repeat(40)));
    fs::write(folder.path().join("long.cub"), long).expect("a file is written");
    write_certificate(folder.path(), "long.cub", "c");
    let checked = run_with(&Programs::agreeing(), folder.path(), &["check-certificate", "c"]);
    assert_eq!((code(&checked), err(&checked)), (0, ""));
}
