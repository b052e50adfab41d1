//! The field `proof` of what `verify --format json` prints: what proves the answer, and how to check that.

use super::*;

fn report(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let output = run(folder, &[&["verify"], arguments, &["--format", "json"]].concat(), b"");
    (code(&output), object(&output))
}

/// Runs a command as it stands there, where our program is found.
fn execute(command: &str, folder: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_polycube")).parent().expect("a folder").display();
    let path = std::env::var("PATH").expect("the path is text");
    let script = format!("PATH='{program}:{path}'\n{command}");
    program::run_program("sh", folder, &["-c", &script], b"")
}

#[test]
fn a_safe_model() {
    let folder = models();
    let (code, found) = report(folder.path(), &["mutex.cub"]);
    let expected = json!({ "kind": "invariant", "at": "invariants", "check": "polycube certify mutex.cub" });
    assert_eq!((code, &found["proof"]), (0, &expected));
    assert!(found["invariants"].is_array());
    let (code, found) = report(folder.path(), &["mutex.cub", "--certificate", "c"]);
    let expected = json!({ "kind": "certificate", "at": "c", "check": "polycube check-certificate c" });
    assert_eq!((code, &found["proof"]), (0, &expected));
    assert!(folder.path().join("c/manifest.json").exists());
}

/// Whatever the files are called, the command is one.
#[test]
fn the_command_can_be_executed() {
    if !fake::are_installed() {
        return;
    }
    let folder = models();
    let path = folder.path();
    fs::create_dir(path.join("my models")).expect("a folder");
    let file = "my models/it's safe.cub";
    fs::copy(path.join("mutex.cub"), path.join(file)).expect("a copy");
    for arguments in [&[file][..], &[file, "--certificate", "my models/certificate & more"]] {
        let (code, found) = report(path, arguments);
        assert_eq!(code, 0);
        let command = found["proof"]["check"].as_str().expect("a command");
        let output = execute(command, path);
        assert_eq!((program::code(&output), err(&output)), (0, ""), "{command}");
        assert!(out(&output).contains("\nSafe, certified by "), "{}", out(&output));
    }
    let text = fs::read(path.join("mutex.cub")).expect("a model");
    let output = run(path, &["verify", "-", "--format", "json"], &text);
    assert_eq!(object(&output)["proof"]["check"], "polycube certify -");
}

#[test]
fn an_unsafe_model() {
    let folder = models();
    let path = folder.path();
    let (code, found) = report(path, &["bad.cub"]);
    let expected = json!({ "kind": "run", "at": "trace", "check": "polycube replay OUTPUT bad.cub" });
    assert_eq!((code, &found["proof"]), (1, &expected));
    assert!(found["trace"].is_object());
    let text = found.to_string();
    let replayed = run(path, &["replay", "-", "bad.cub"], text.as_bytes());
    assert_eq!((program::code(&replayed), err(&replayed)), (0, ""));
    fs::write(path.join("OUTPUT"), text).expect("a file is written");
    assert_eq!(program::code(&execute("polycube replay OUTPUT bad.cub", path)), 0);
}

/// Nothing is proved, and nothing is written.
#[test]
fn no_proof() {
    let folder = models();
    let before = names(folder.path());
    let cases: [(i32, &[&str]); 4] = [
        (3, &["ever.cub", "--max-nodes", "10", "--procs", "1", "--certificate", "c"]),
        (1, &["bad.cub", "--certificate", "c"]),
        (0, &["counter.cub", "--trust-invariants"]),
        (3, &["german.cub", "--max-depth", "1", "--engine", "backward", "--certificate", "c"]),
    ];
    for (expected, arguments) in cases {
        let (code, found) = report(folder.path(), arguments);
        assert_eq!(code, expected, "{arguments:?}");
        assert_eq!(found.get("proof").is_some(), code == 1, "{arguments:?}");
        assert_eq!(names(folder.path()), before, "{arguments:?}");
    }
}

#[test]
fn wrong_command_lines() {
    let folder = models();
    let cases: [(&[&str], &str); 6] = [
        (
            &["verify", "mutex.cub", "--certificate", "c", "--trust-invariants"],
            "'--certificate <DIR>' cannot be used with '--trust-invariants'",
        ),
        (&["verify", "mutex.cub", "--force"], "--graph <FILE>|--certificate <DIR>>"),
        (&["verify", "mutex.cub", "--certificate", ""], "a value is required for '--certificate <DIR>'"),
        (&["certify", "mutex.cub", "c", "--solver", "yices"], "possible values: z3, cvc5"),
        (&["certify", "mutex.cub", "c", "--timeout", "0"], "expected a positive number of seconds"),
        (&["check-certificate"], "<DIR>"),
    ];
    for (arguments, expected) in cases {
        let output = run(folder.path(), arguments, b"");
        assert_eq!((code(&output), out(&output)), (2, ""), "{arguments:?}");
        assert!(err(&output).contains(expected), "{arguments:?}: {}", err(&output));
        assert!(!folder.path().join("c").exists());
    }
}
