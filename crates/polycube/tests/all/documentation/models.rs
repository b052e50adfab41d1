//! Every model in the documentation gets the answer that its block says.

use std::path::Path;

use super::pages::{Block, pages};
use crate::program::{code, err, out, run};

/// The options with which a model is read by a command, and the exit code that is expected.
fn questions(block: &Block<'_>) -> Vec<(&'static [&'static str], i32)> {
    let verify = |answer| {
        // A search that does not end is given up early, at the same place on every machine.
        let verify: &[&str] = &["verify", "--max-nodes", "30", "-"];
        vec![(FORMATTED, 0), (CHECKED, 0), (verify, answer)]
    };
    match block.kind {
        "" => verify(0),
        "unsafe" => verify(1),
        "unknown" => verify(3),
        // Declarations that belong to a model which is not there: names are not known, but all else is.
        "fragment" => vec![(FORMATTED, 0)],
        "rejected" => vec![(CHECKED, 2)],
        other => panic!("{}: what is a model that is {other}?", block.place),
    }
}

const FORMATTED: &[&str] = &["fmt", "--check", "-"];
const CHECKED: &[&str] = &["check", "--deny-warnings", "-"];

#[test]
fn models_get_their_answers() {
    let mut counts = [0; 5];
    for page in pages() {
        for block in page.blocks().iter().filter(|block| block.language == "cub") {
            for (arguments, expected) in questions(block) {
                let output = run(Path::new("."), arguments, block.text.as_bytes());
                let said = format!("{}{}", out(&output), err(&output));
                assert_eq!(code(&output), expected, "{}: {arguments:?}\n{}{said}", block.place, block.text);
            }
            let kinds = ["", "unsafe", "unknown", "fragment", "rejected"];
            counts[kinds.iter().position(|kind| *kind == block.kind).expect("a kind")] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 0), "there are models of all kinds: {counts:?}");
}

/// A model in which nothing happens is safe, too: in those of the documentation, every transition is possible.
#[test]
fn something_happens_in_safe_models() {
    for page in pages() {
        for block in page.blocks().iter().filter(|block| block.language == "cub" && block.kind.is_empty()) {
            let arguments = ["explore", "--max-states", "1000", "--format", "json", "-"];
            let output = run(Path::new("."), &arguments, block.text.as_bytes());
            let report: serde_json::Value = serde_json::from_str(out(&output)).expect("JSON");
            assert_eq!(report["never_fired"], serde_json::json!([]), "{}", block.place);
        }
    }
}

/// No model hides in a block that nobody looks at.
#[test]
fn models_are_marked_as_such() {
    for page in pages() {
        for block in page.blocks().iter().filter(|block| block.language.is_empty()) {
            let words = ["transition ", "unsafe ", "invariant ", "init ", "array ", "type "];
            let is_declaration = words.iter().any(|word| block.text.starts_with(word));
            let reads = || code(&run(Path::new("."), FORMATTED, block.text.as_bytes())) == 0;
            assert!(!is_declaration || !reads(), "{}: write ```cub,fragment", block.place);
        }
    }
}
