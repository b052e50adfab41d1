//! What must hold for every text, however wrong.

use polycube::report::{self, json, json::File};
use polycube_language::diagnostic::Diagnostics;
use polycube_language::span::Lines;
use polycube_language::token::tokenize;
use polycube_language::{check, format};
use polycube_murphi::{Otherwise, Request, translated};

/// Reads, checks and formats a text. Panics where the front-end breaks a promise.
pub fn front_end(text: &str) {
    let checked = check(text);
    assert_eq!(checked.system.is_some(), !checked.diagnostics.has_errors(), "a system, or errors");
    let lines = Lines::new(text);
    marks(&checked.diagnostics, text, &lines);
    report::diagnostics(&checked.diagnostics, "model.cub", &lines);
    let file = File::checked("model.cub", &lines, checked.system.as_ref(), &checked.diagnostics);
    json::checked(vec![file], checked.diagnostics.errors(), checked.diagnostics.warnings());
    if let Some(system) = &checked.system {
        let printed = check(&system.to_source());
        assert_eq!(printed.system.as_ref(), Some(system), "what is printed means the same");
    }
    if let Ok(formatted) = format(text) {
        assert_eq!(format(&formatted).as_ref().ok(), Some(&formatted), "formatting twice is formatting once");
        assert_eq!(check(&formatted).system, checked.system, "formatting does not change the meaning");
        assert_eq!(comments(text), comments(&formatted), "comments survive");
    }
}

/// Reads and translates a model that was written for Murphi. Panics where the front-end breaks a promise.
pub fn murphi(text: &str) {
    for otherwise in [Otherwise::Refused, Otherwise::SizesOfTheFile] {
        let translation = translated(text, Request { otherwise, ..Request::default() });
        assert_eq!(
            translation.system.is_some(),
            !translation.diagnostics.has_errors(),
            "a system, or errors"
        );
        let lines = Lines::new(text);
        marks(&translation.diagnostics, text, &lines);
        report::diagnostics(&translation.diagnostics, "model.m", &lines);
        if let Some(system) = &translation.system {
            assert!(check(&system.to_source()).system.is_some(), "what is printed can be read");
        }
    }
}

fn marks(diagnostics: &Diagnostics, text: &str, lines: &Lines<'_>) {
    for diagnostic in diagnostics {
        for label in std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary) {
            assert!(
                text.get(label.span.start as usize..label.span.end as usize).is_some(),
                "labels mark text"
            );
            lines.position(label.span.end);
        }
    }
}

/// The comments of a text, without their white space.
fn comments(text: &str) -> Vec<String> {
    let tokens = tokenize(text, &mut Diagnostics::default());
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    tokens.comments.iter().map(|comment| squeezed(comment.text(text))).collect()
}
