//! Files of certificates that somebody changed: each change is found, and named.

use std::os::unix::fs::symlink;

use sha2::{Digest, Sha256};

use super::*;
use bench::{Bench, Change, edit, replace};

/// Makes the manifest agree with the model that is there.
fn fix_hash(directory: &Path) {
    let bytes = fs::read(directory.join("model.cub")).expect("a model");
    let hash: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    edit(directory, |manifest| manifest["model"]["sha256"] = json!(hash));
}

#[test]
fn files() {
    let bench = Bench::new("mutex.cub");
    let said = bench.verdicts(
        1,
        &[
            ("a letter of initially.smt2", &|c| replace(c, "initially.smt2", "s.Asks", "s.Aski")),
            ("a number in a step", &|c| {
                replace(c, "step-02-enter.smt2", "(clause.2 o.1 p.p)", "(clause.1 o.1 p.p)");
            }),
            ("a question less", &|c| replace(c, "step-03-leave.smt2", "(check-sat)\n", "")),
            ("a comment of a property", &|c| replace(c, "property-1.smt2", "; Types.", "; types.")),
            ("the end of a property", &|c| replace(c, "property-1.smt2", "(check-sat)\n", "(check-sat)")),
            ("a property with more", &|c| {
                replace(c, "property-1.smt2", "(check-sat)\n", "(check-sat)\n(exit)\n");
            }),
            ("a letter of theory.why", &|c| replace(c, "theory.why", "goal", "axiom")),
            ("an empty theory.why", &|c| fs::write(c.join("theory.why"), "").expect("a file is written")),
            ("a letter of model.cub", &|c| replace(c, "model.cub", "Turn = p }", "Turn = q }")),
            ("a comment of model.cub", &|c| replace(c, "model.cub", "Nobody asks", "Somebody asks")),
            ("another model.cub", &|c| {
                fs::copy(c.join("../german.cub"), c.join("model.cub")).expect("a copy");
            }),
            ("a file of somebody else", &|c| fs::write(c.join("notes.txt"), "").expect("a file is written")),
            ("a hidden one", &|c| fs::write(c.join(".hidden"), "").expect("a file is written")),
            ("a folder of somebody else", &|c| fs::create_dir(c.join("notes")).expect("a folder")),
        ],
    );
    insta::assert_snapshot!("files", said);
}

/// What the model says is checked against what is to be proved, not only its hash.
#[test]
fn a_model_with_its_hash() {
    let bench = Bench::new("mutex.cub");
    let said = bench.verdicts(
        1,
        &[
            ("another guard", &|c| {
                replace(c, "model.cub", "Turn = p }", "Turn <> p }");
                fix_hash(c);
            }),
            ("another property", &|c| {
                replace(c, "model.cub", "Inside[p] && Inside[q] }", "Inside[p] && Asks[q] }");
                fix_hash(c);
            }),
            ("another name", &|c| {
                replace(c, "model.cub", "transition ask ", "transition beg ");
                fix_hash(c);
            }),
            ("one transition more", &|c| {
                replace(
                    c,
                    "model.cub",
                    "transition ask",
                    "transition jump (p) { Inside[p] := True }\ntransition ask",
                );
                fix_hash(c);
            }),
            ("a mistake", &|c| {
                replace(c, "model.cub", "Turn = p }", "Turn = }");
                fix_hash(c);
            }),
            ("another model", &|c| {
                fs::copy(c.join("../german.cub"), c.join("model.cub")).expect("a copy");
                fix_hash(c);
            }),
        ],
    );
    insta::assert_snapshot!("model_with_hash", said);
    // A comment is no matter for a proof. Whoever has the model itself can see that it is another one.
    let copy = bench.copy();
    replace(&copy, "model.cub", "Nobody asks", "Somebody asks");
    fix_hash(&copy);
    assert_eq!(code(&bench.check(&[])), 0);
    let output = bench.check(&["--model", "mutex.cub"]);
    assert_eq!(code(&output), 1);
    assert!(err(&output).contains("is about another model than `mutex.cub`"), "{}", err(&output));
}

/// Each file in turn is replaced by something else.
#[test]
fn no_file() {
    let bench = Bench::new("mutex.cub");
    let files = names(&bench.path().join("good"));
    assert_eq!(files.len(), 9);
    let changes: [Change<'_>; 6] = [
        ("there is no such file", &|_| {}),
        ("it is a directory", &|file| fs::create_dir(file).expect("a folder")),
        ("it is not text", &|file| fs::write(file, b"\xff").expect("a file is written")),
        ("there is no such file", &|file| symlink("nowhere", file).expect("a link")),
        // Neither ends by itself.
        ("it is no file", &|file| symlink("/dev/zero", file).expect("a link")),
        ("it is no file", &|file| {
            let made = Command::new("mkfifo").arg(file).status().expect("mkfifo runs");
            assert!(made.success());
        }),
    ];
    for file in files {
        for (why, change) in changes {
            let (code, text) = bench.verdict(&|c| {
                fs::remove_file(c.join(&file)).expect("a file is removed");
                change(&c.join(&file));
            });
            assert_eq!(code, if file == "manifest.json" { 2 } else { 1 }, "{file}: {text}");
            assert!(text.contains(&format!("`{file}` cannot be read: {why}")), "{file}: {text}");
        }
    }
    // It is the text that counts, wherever it is.
    let copy = bench.copy();
    fs::remove_file(copy.join("theory.why")).expect("a file is removed");
    symlink("../good/theory.why", copy.join("theory.why")).expect("a link");
    assert_eq!(code(&bench.check(&[])), 0);
    fs::remove_file(copy.join("theory.why")).expect("a file is removed");
    symlink("../good/initially.smt2", copy.join("theory.why")).expect("a link");
    let output = bench.check(&[]);
    assert_eq!(code(&output), 1);
    assert!(err(&output).contains("`theory.why` is not what "), "{}", err(&output));
}

/// Parts of two certificates are not a certificate.
#[test]
fn another_certificate() {
    let bench = Bench::new("mutex.cub");
    write_certificate(bench.path(), "peterson_two.cub", "other");
    let (code, text) = bench.verdict(&|c| {
        fs::copy(c.join("../other/manifest.json"), c.join("manifest.json")).expect("a copy");
    });
    assert_eq!(code, 1);
    assert!(text.contains("`model.cub` is not the model that the manifest was made for"), "{text}");
    let output =
        run_with(&bench.programs, bench.path(), &["check-certificate", "other", "--model", "mutex.cub"]);
    assert_eq!((program::code(&output), out(&output)), (1, ""));
    assert!(err(&output).contains("is about another model than `mutex.cub`"), "{}", err(&output));
}
