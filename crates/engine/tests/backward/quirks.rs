//! Small models on which another tool answers wrongly, with the right answers.

use polycube_engine::backward::Options;
use polycube_testing::{shared, shared_text};

#[test]
fn quirks_get_the_right_answer() {
    let Some(models) = shared("reference/quirks") else { return };
    let expected = shared_text("reference/quirks/expected.tsv").expect("the answers lie beside the models");
    let mut wrong = Vec::new();
    for line in expected.lines() {
        let (name, expected) = line.split_once('\t').expect("a name and an answer");
        let model = models.iter().find(|model| model.name() == name).expect("a model for each answer");
        let found = answer(&model.text);
        if found != expected {
            wrong.push(format!("{name}: {found} instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn answer(text: &str) -> &'static str {
    let Some(system) = polycube_language::check(text).system else { return "error" };
    crate::answer(&system, &Options::default())
}
