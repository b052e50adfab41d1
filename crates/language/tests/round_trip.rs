//! Printing a system and reading it again gives the same system; formatting changes nothing but the layout,
//! and only once.

use polycube_language::diagnostic::Diagnostics;
use polycube_language::token::tokenize;
use polycube_language::{System, check, format};
use polycube_testing::generate::{Profile, random_system};
use polycube_testing::{Model, for_seeds, models, shared};

const SYSTEMS: u64 = 2_000;

fn system(source: &str, what: &str) -> System {
    let checked = check(source);
    let errors: Vec<_> = checked.diagnostics.iter().map(|diagnostic| &diagnostic.message).collect();
    checked.system.unwrap_or_else(|| panic!("{what}: {errors:#?}\n{source}"))
}

/// The comments of a text, without their white space.
fn comments(source: &str) -> Vec<String> {
    let tokens = tokenize(source, &mut Diagnostics::default());
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    tokens.comments.iter().map(|comment| squeezed(comment.text(source))).collect()
}

fn goes_round(model: &Model) {
    let name = model.path.display();
    let meaning = system(&model.text, &name.to_string());
    assert_eq!(system(&meaning.to_source(), "what is printed can be read"), meaning, "{name}");
    let formatted = format(&model.text).expect("a model without errors can be formatted");
    assert_eq!(system(&formatted, "what is formatted can be read"), meaning, "{name}");
    assert_eq!(format(&formatted).unwrap(), formatted, "{name}: formatting twice is formatting once");
    assert_eq!(comments(&formatted), comments(&model.text), "{name}: comments survive");
    assert!(!formatted.lines().any(|line| line.ends_with([' ', '\t'])), "{name}: no blanks at line ends");
}

#[test]
fn our_models() {
    for folder in ["safe", "unsafe", "rejected/warnings"] {
        models(folder).iter().for_each(goes_round);
    }
}

#[test]
fn our_models_are_in_canonical_layout() {
    for folder in ["safe", "unsafe"] {
        for model in models(folder) {
            assert_eq!(
                format(&model.text).unwrap(),
                model.text,
                "run `polycube fmt {}`",
                model.path.display()
            );
        }
    }
}

#[test]
fn published_models() {
    if let Some(published) = shared("corpus/cub") {
        assert_eq!(published.len(), 49);
        published.iter().for_each(goes_round);
    }
}

#[test]
fn random_systems_go_round() {
    for_seeds!(SYSTEMS, |seed| {
        let profile = [Profile::ALL, Profile::FINITE, Profile::CUBES][seed as usize % 3].clone();
        let generated = random_system(seed, &profile);
        let source = generated.to_source();
        assert_eq!(system(&source, "what is printed can be read"), generated, "{source}");
        assert_eq!(format(&source).unwrap(), source, "formatting twice is formatting once");
    });
}

/// The generator would be worth little if it never used half of the language.
#[test]
fn random_systems_use_the_whole_language() {
    let all: String = (0..500).map(|seed| random_system(seed, &Profile::ALL).to_source()).collect();
    for feature in [
        "number_procs",
        "#1",
        "type data",
        "const",
        " : int",
        " : real",
        " : proc",
        "[proc, proc]",
        "[proc, proc, proc]",
        "invariant",
        "forall ",
        "exists ",
        " <> p",
        " <=> ",
        "if ",
        " || ",
        "not ",
        "?",
        "case",
        " <= ",
        " * ",
        " - ",
        "true",
        "0.5",
    ] {
        assert!(all.contains(feature), "{feature}");
    }
}

/// Formulas that are used several times bind different variables each time, under names that fit the place.
#[test]
fn abbreviations_go_round() {
    let declarations = "var B : bool\narray F[proc] : bool\narray M[proc, proc] : bool\ninit { true }\n\
                        predicate some(f) { exists y. F[y] && f }\npredicate both(f) { f && (B || f) }\n\
                        predicate others(x) { forall_other y. M[x, y] }\n";
    for clause in [
        "unsafe { let f = exists x. F[x] in f || (f && B) }",
        "unsafe { let f = exists x. forall_other y. M[x, y] in f || (f && B) }",
        "unsafe (p) { some(exists y. M[p, y]) }",
        "unsafe (p) { some(some(exists y. forall_other z. M[y, z] || M[p, z])) }",
        "unsafe (p) { both(both(exists y. M[p, y])) }",
        "unsafe (p y) { others(p) && some(others(y)) && some(forall_other z. F[z]) }",
        "unsafe (p) { let f = forall x <> y. M[x, y] in exists x. f && F[x] && others(x) }",
        "unsafe { true || (exists x. F[x]) || (exists y. F[y]) }",
        "transition t (p) requires { some(F[p]) } { let f = exists_other q. M[p, q] in F[k] := case | f && M[k, p] : B | some(f) : ? | _ : F[k] }",
    ] {
        let model = format!("{declarations}{clause}\n");
        let meaning = system(&model, "the model");
        assert_eq!(
            system(&meaning.to_source(), "what is printed can be read"),
            meaning,
            "{clause}\n{}",
            meaning.to_source()
        );
    }
}

/// Comments at every place where a blank may stand.
#[test]
fn comments_survive_everywhere() {
    let model = "type t = P | Q\nvar X : t\narray A[proc] : t\ninit (i) { A[i] = P && (X = P || X = Q) }\n\
                 predicate p(i, j) { forall_other k. A[i] = A[j] && A[k] = P }\nunsafe (i j) { if p(i, j) then A[i] = Q else not (X = P) }\n\
                 transition s (i j) requires { A[i] = P && p(i, j) } { let v = A[j] in A[i] := v; X := case | A[i] = P : Q | _ : ? }\n";
    let meaning = system(model, "the model");
    let tokens = tokenize(model, &mut Diagnostics::default()).tokens;
    for comment in [
        " (* c *) ",
        " // c\n",
        "\n// c\n",
        "\n(* c\n   d *)\n",
        "\n\n(* c *)\n\n",
        " (* c *)\n",
        "\n(* c *) ",
        "\n(* c *)// d\n",
        " // c\r\n",
        "\r",
        " // c\r d\n",
    ] {
        for token in &tokens {
            let (before, after) = model.split_at(token.span.start as usize);
            let text = format!("{before}{comment}{after}");
            let formatted = format(&text).expect("comments do not matter");
            assert_eq!(system(&formatted, "formatted"), meaning, "{text}");
            assert_eq!(comments(&formatted), comments(&text), "{text}");
            assert_eq!(
                format(&formatted).unwrap(),
                formatted,
                "formatting twice is formatting once:\n{text}\nonce:\n{formatted}"
            );
        }
        // And at all places at once.
        let mut text = String::new();
        let mut end = 0;
        for token in &tokens {
            text += &model[end as usize..token.span.start as usize];
            text += comment;
            text += token.span.text(model);
            end = token.span.end;
        }
        let formatted = format(&text).expect("comments do not matter");
        assert_eq!(comments(&formatted), comments(&text));
        assert_eq!(
            format(&formatted).unwrap(),
            formatted,
            "formatting twice is formatting once:\n{text}\nonce:\n{formatted}"
        );
    }
}
