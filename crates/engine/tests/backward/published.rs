//! Published models: the answers that are known for them.

use polycube_testing::{shared, shared_text};

use crate::{answer, published_system, two_threads};

/// What another tool's plain backward search answers within a minute, we answer too, and in the same way.
#[test]
fn published_models_get_their_answer() {
    let Some(models) = shared("corpus/cub") else { return };
    let known = shared_text("reference/cubicle-times.tsv").expect("the measurements lie beside the models");
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in known.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[name, "plain", expected @ ("safe" | "unsafe"), ..] = &columns[..] else { continue };
        let file = name.strip_suffix(".cub").expect("a model");
        let found = answer(&published_system(&models, file), &two_threads());
        count += 1;
        if found != expected {
            wrong.push(format!("{name}: {found} instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 30, "only {count} models");
}

/// These take that tool longer, or it has no answer.
#[test]
fn harder_models_get_their_answer() {
    let Some(models) = shared("corpus/cub") else { return };
    for (name, expected) in [
        ("german.ctc", "safe"),
        ("german_pfs", "safe"),
        ("szymanski_at", "safe"),
        ("szymanski_boleslaw_bool_at", "safe"),
        // All its steps are exact but for universal guards, and no run reaches the unsafe states.
        ("distrib_lamport", "safe"),
    ] {
        assert_eq!(answer(&published_system(&models, name), &two_threads()), expected, "{name}");
    }
}
