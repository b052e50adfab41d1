//! What the program says of every wrong model, word for word: to be read by people, in `tests/snapshots`.

use std::collections::BTreeSet;
use std::process::Command;

use polycube_language::diagnostic::Code;
use polycube_testing::{Model, models, repository};
use serde_json::Value;

/// Runs `polycube check` from the root of the repository, and returns the exit code and all that it prints.
fn output(model: &Model, options: &[&str]) -> String {
    let root = repository();
    let path = model.path.strip_prefix(&root).expect("our models lie in the repository");
    let run = Command::new(env!("CARGO_BIN_EXE_polycube"))
        .current_dir(&root)
        .arg("check")
        .args(options)
        .arg(path)
        .output()
        .expect("the program runs");
    let code = run.status.code().expect("the program exits");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program prints text").replace('\\', "/");
    format!("{}{}exit code {code}\n", text(run.stderr), text(run.stdout))
}

#[test]
fn errors() {
    for model in models("rejected") {
        let output = output(&model, &[]);
        assert!(output.ends_with("exit code 2\n"), "{}:\n{output}", model.name());
        insta::assert_snapshot!(model.name(), output);
    }
}

#[test]
fn warnings() {
    for model in models("rejected/warnings") {
        let accepted = output(&model, &[]);
        assert!(accepted.ends_with("exit code 0\n"), "{}:\n{accepted}", model.name());
        let denied = output(&model, &["--deny-warnings", "--quiet"]);
        assert!(denied.ends_with("exit code 2\n"), "{}:\n{denied}", model.name());
        insta::assert_snapshot!(format!("warning_{}", model.name()), accepted);
    }
}

/// Each file is about the class of mistake that its name says, and there is a file for each class.
#[test]
fn every_class_has_its_files() {
    let mut seen = BTreeSet::new();
    for (folder, severity) in [("rejected", "error"), ("rejected/warnings", "warning")] {
        for model in models(folder) {
            let name = model.name();
            let json = output(&model, &["--format", "json"]);
            let json = json.rsplit_once("exit code").expect("an exit code").0;
            let checked: Value = serde_json::from_str(json).expect("JSON");
            let diagnostics = checked["files"][0]["diagnostics"].as_array().expect("a list");
            assert!(diagnostics.iter().all(|diagnostic| diagnostic["severity"] == severity), "{name}");
            let codes: BTreeSet<String> = diagnostics
                .iter()
                .map(|diagnostic| diagnostic["code"].as_str().expect("a code").to_owned())
                .collect();
            if name != "many_mistakes" {
                assert_eq!(diagnostics.len(), 1, "{name}");
                let code = codes.first().expect("one diagnostic");
                assert!(name.replace('_', "-").starts_with(code), "{name} is about {code}");
            }
            seen.extend(codes);
        }
    }
    // What small instances tell is for `verify` to say.
    let is_said_by_verify =
        |code: &&Code| matches!(code, Code::NoInitialState | Code::NeverPossible | Code::NeverTrue);
    let all = Code::ALL.iter().filter(|code| !is_said_by_verify(code));
    let all: BTreeSet<String> = all.map(|code| code.name().to_owned()).collect();
    assert_eq!(seen, all, "every class of mistake has a file");
}

/// The documentation names every class.
#[test]
fn every_class_is_documented() {
    let documentation =
        std::fs::read_to_string(repository().join("docs/diagnostics.md")).expect("docs/diagnostics.md");
    for code in Code::ALL {
        assert!(
            documentation.contains(&format!("\n## {}\n", code.name())),
            "docs/diagnostics.md describes {}",
            code.name()
        );
    }
}
