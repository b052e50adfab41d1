//! Models with mistakes in them: nothing panics, and errors mark text.

use std::sync::atomic::AtomicBool;

use polycube_language::diagnostic::Diagnostics;
use polycube_language::token::tokenize;
use polycube_murphi::check::check;
use polycube_murphi::execute::{Executable, Goal, Limits, Options};
use polycube_murphi::{Otherwise, Request, translated};
use polycube_testing::generate::Random;
use polycube_testing::{for_seeds, repository, shared_text};

/// Our models, and those of others where they are present.
fn models() -> Vec<String> {
    let mut models = Vec::new();
    for folder in ["safe", "unsafe"] {
        let files = std::fs::read_dir(repository().join("models/murphi").join(folder)).expect("a folder");
        let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
        paths.sort();
        models.extend(paths.iter().map(|path| std::fs::read_to_string(path).expect("a model")));
    }
    let list = shared_text("corpus/murphi/origin.tsv").unwrap_or_default();
    let files = list.lines().skip(1).filter_map(|line| line.split('\t').next());
    // Of large ones, most mutants are alike, and each takes long.
    let texts = files.filter_map(|file| shared_text(&format!("corpus/murphi/{file}")));
    models.extend(texts.filter(|text| text.len() < 20_000));
    models
}

/// Reads a text as the program does. Panics where a promise is broken.
fn read(text: &str) {
    if let Some(executable) = check(text, &[]).model.and_then(|model| Executable::new(&model).ok()) {
        let limits = Limits { states: Some(20), ..Limits::default() };
        let options = Options { goal: Goal::Everything, limits, interrupt: &AtomicBool::new(false) };
        // An error in a start state is a mistake of the model.
        let _ = executable.explore(&options, &mut |_| {});
    }
    for otherwise in [Otherwise::Refused, Otherwise::SizesOfTheFile] {
        let translation = translated(text, Request { otherwise, ..Request::default() });
        assert_eq!(
            translation.system.is_some(),
            !translation.diagnostics.has_errors(),
            "a system, or errors"
        );
        for diagnostic in &translation.diagnostics {
            for label in std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary) {
                let (start, end) = (label.span.start as usize, label.span.end as usize);
                assert!(text.get(start..end).is_some(), "{} marks no text", diagnostic.message);
            }
        }
    }
}

#[test]
fn random_mutations_are_read_to_their_end() {
    let models = models();
    for_seeds!(1500, |seed| {
        let mut random = Random::new(seed);
        let model = random.pick(&models);
        // Words of either language are good enough to be moved around.
        let tokens = tokenize(model, &mut Diagnostics::default()).tokens;
        let mut words: Vec<&str> = tokens.iter().map(|token| token.span.text(model)).collect();
        for _ in 0..random.size(1, 4) {
            let (at, other) = (random.below(words.len()), random.below(words.len()));
            match random.below(4) {
                0 if words.len() > 1 => drop(words.remove(at)),
                1 => words.insert(at, words[at]),
                2 => words.insert(at, words[other]),
                _ => words.swap(at, other),
            }
        }
        read(&words.join(" "));
    });
}

#[test]
fn random_beginnings_are_read_to_their_end() {
    let models = models();
    for_seeds!(300, |seed| {
        let mut random = Random::new(seed);
        let model = random.pick(&models);
        let end = random.below(model.len());
        read(&model[..model.floor_char_boundary(end)]);
    });
}
