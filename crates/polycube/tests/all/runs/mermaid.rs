//! Runs as sequence diagrams: a lane for each process that acts, an arrow for each step, and nothing that Mermaid
//! would take for its own words.

use std::fs;

use polycube_testing::{models, repository};
use serde_json::Value;

use crate::program::{code, err, folder, out, run};

#[test]
fn a_diagram() {
    let output = folder(&[]);
    let model = "models/unsafe/two_locks_either_order.cub";
    let file = output.path().join("run.mmd");
    let file = file.to_str().expect("a name");
    let printed = run(&repository(), &["verify", model, "--mermaid", file], b"");
    assert_eq!(code(&printed), 1, "{}", err(&printed));
    insta::assert_snapshot!(fs::read_to_string(file).expect("a diagram"));
}

/// All that Mermaid could take for more than text is written as a number.
#[test]
fn nothing_breaks_out_of_a_diagram() {
    let name = "a;b#c%%{d} \"e\" <f> end\u{2028}.cub";
    let text =
        fs::read_to_string(repository().join("models/unsafe/mutex_no_turn_check.cub")).expect("a model");
    let folder = folder(&[(name, &text)]);
    let output = run(folder.path(), &["explore", name, "-n", "2", "--mermaid", "run.mmd"], b"");
    assert_eq!(code(&output), 1, "{}", err(&output));
    let diagram = fs::read_to_string(folder.path().join("run.mmd")).expect("a diagram");
    assert!(diagram.contains("a#59;b#35;c#37;#37;#123;d#125;"), "{diagram}");
    for line in diagram.lines().skip(1) {
        let plain = line.replace("<br/>", "").replace("->>", "");
        assert!(!plain.contains(['<', '>', '%', '{', '}', '"', '\u{2028}']), "{line}");
        // Every `;` ends a number, and every `#` begins one.
        for part in plain.split('#').skip(1) {
            let (number, _) = part.split_once(';').unwrap_or_else(|| panic!("{line}"));
            assert!(number.parse::<u32>().is_ok(), "{line}");
        }
        assert_eq!(plain.matches('#').count(), plain.matches(';').count(), "{line}");
    }
}

/// As many arrows as steps, or more where a step has more than two processes; every lane is declared.
#[test]
fn diagrams_of_models_with_bugs() {
    let folder = folder(&[]);
    // Some of them: that all have runs is tested elsewhere.
    for model in models("unsafe").iter().step_by(5) {
        let path = model.path.to_str().expect("a name");
        let arguments = ["verify", path, "--mermaid", "run.mmd", "--format", "json", "--force"];
        let output = run(folder.path(), &arguments, b"");
        let found: Value = serde_json::from_str(out(&output)).expect("JSON");
        let diagram = fs::read_to_string(folder.path().join("run.mmd")).expect("a diagram");
        let steps = found["trace"]["steps"].as_array().expect("steps");
        let arrows = steps
            .iter()
            .map(|step| step["arguments"].as_array().map_or(1, |all| all.len().saturating_sub(1).max(1)));
        assert_eq!(diagram.matches("->>").count(), arrows.sum::<usize>(), "{path}: {diagram}");
        for line in diagram.lines().filter(|line| line.contains("->>")) {
            let (ends, _) = line.trim().split_once(": ").expect("a label");
            for lane in ends.split("->>") {
                assert!(diagram.contains(&format!("participant {lane} as ")), "{path}: {line}");
            }
        }
        assert!(
            diagram.trim_end().lines().next_back().is_some_and(|last| last.contains("Note over")),
            "{path}"
        );
    }
}
