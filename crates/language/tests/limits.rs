//! Texts made to break a reader: nothing overflows the stack, nothing takes long, nothing grows without
//! bound.
//!
//! Tests run on threads with small stacks, so a recursion without limit would show here.

use std::fmt::Write;
use std::time::Duration;

use polycube_language::diagnostic::{Code, Diagnostics};
use polycube_language::{Checked, check, format};
use polycube_testing::{processor_time, skip};

/// Checks and formats a text, and returns the code of its first error.
fn first_error(text: &str) -> Option<Code> {
    let start = processor_time();
    let Checked { diagnostics, system, .. } = check(text);
    let _ = format(text);
    drop(system);
    // A generous bound for slow machines without optimisation; what explodes takes for ever.
    let took = start.zip(processor_time()).map(|(start, end)| end - start);
    assert!(took.is_none_or(|took| took < Duration::from_secs(60)), "this takes too long");
    diagnostics
        .iter()
        .find(|diagnostic| diagnostic.severity.name() == "error")
        .map(|diagnostic| diagnostic.code)
}

#[test]
fn deep_nesting_is_an_error() {
    let n = 100_000;
    let formulas = [
        format!("{}X = 1{}", "(".repeat(n), ")".repeat(n)),
        format!("X = {}1{}", "(".repeat(n), ")".repeat(n)),
        "(".repeat(n),
        format!("{}B", "not ".repeat(n)),
        format!("{}B", "!".repeat(n)),
        format!("X = {}1", "-".repeat(n)),
        format!("{}B", "B => ".repeat(n)),
        format!("{}B", "B <=> ".repeat(n)),
        format!("{}i{} = i", "N[".repeat(n), "]".repeat(n)),
        format!("{}B", "forall j. ".repeat(n)),
        format!("{}B", "let v = B in ".repeat(n)),
        format!("{}B", "if B then B else ".repeat(n)),
        format!("{}B", "if ".repeat(n)),
        format!("p({}", "p(".repeat(n)),
    ];
    for formula in formulas {
        let model = format!("var X : int\nvar B : bool\narray N[proc] : proc\ninit (i) {{ {formula} }}\n");
        assert_eq!(first_error(&model), Some(Code::TooDeep), "{}", &formula[..40]);
    }
}

/// What is accepted may be as deep as the limit allows: everything that walks it must manage.
#[test]
fn nesting_up_to_the_limit_is_fine() {
    let formula = format!("{}B{}", "(C <=> not (".repeat(80), "))".repeat(80));
    let model = format!("var B : bool\nvar C : bool\ninit {{ {formula} }}\nunsafe {{ B }}");
    let system = check(&model).system.expect("accepted");
    assert_eq!(check(&system.to_source()).system.as_ref(), Some(&system));
    assert!(format(&model).is_ok());
    let parentheses =
        format!("var B : bool\ninit {{ {}B{} }}\nunsafe {{ B }}", "(".repeat(500), ")".repeat(500));
    assert!(check(&parentheses).system.is_some());
}

#[test]
fn names_cannot_be_used_to_nest_deeply() {
    let mut chain = String::from("var B : bool\npredicate p0() { B }\n");
    let mut formula_lets =
        String::from("var B : bool\nvar C : bool\ninit { B }\ntransition t () { let v0 = B in ");
    let mut term_lets = String::from(
        "array N[proc] : proc\nvar G : proc\ninit { true }\ntransition t (i) { let v0 = N[i] in ",
    );
    for k in 0..5_000 {
        let next = k + 1;
        let _ = writeln!(chain, "predicate p{next}() {{ not (p{k}() || B) }}");
        let _ = writeln!(formula_lets, "let v{next} = (v{k} <=> C) in");
        let _ = writeln!(term_lets, "let v{next} = N[v{k}] in");
    }
    chain += "init { p5000() }\n";
    formula_lets += "C := B }\n";
    term_lets += "G := v5000 }\n";
    for model in [chain, formula_lets, term_lets] {
        assert_eq!(first_error(&model), Some(Code::TooDeep));
    }
}

#[test]
fn names_cannot_be_used_to_explode() {
    let mut laughs = String::from("var B : bool\nvar C : bool\npredicate p0() { B }\n");
    let mut formula_lets =
        String::from("var B : bool\nvar C : bool\ninit { B }\ntransition t () { let v0 = B <=> C in ");
    let mut term_lets = String::from(
        "array M[proc, proc] : proc\nvar G : proc\ninit { true }\ntransition t (i) { let v0 = M[i, i] in ",
    );
    for k in 0..60 {
        let next = k + 1;
        let _ = writeln!(laughs, "predicate p{next}() {{ p{k}() && p{k}() || C }}");
        let _ = writeln!(formula_lets, "let v{next} = (v{k} <=> v{k}) in");
        let _ = writeln!(term_lets, "let v{next} = M[v{k}, v{k}] in");
    }
    laughs += "init { p60() }\n";
    formula_lets += "C := B }\n";
    term_lets += "G := v60 }\n";
    let arguments = format!(
        "var B : bool\npredicate p(f) {{ f && not f }}\ninit {{ {}B{} }}\n",
        "p(".repeat(200),
        ")".repeat(200)
    );
    for model in [laughs, formula_lets, term_lets, arguments] {
        assert_eq!(first_error(&model), Some(Code::TooLarge));
    }
    let product = format!("var X : int\ninit {{ X = {} }}", vec!["9".repeat(999); 1000].join(" * "));
    assert_eq!(first_error(&product), Some(Code::TooLarge));
    let digits = format!("var X : int\ninit {{ X = {} }}", "9".repeat(1_000_000));
    assert_eq!(first_error(&digits), Some(Code::Lexical));
}

/// Texts on which a careless reader takes quadratic time or memory: twice the text may take a few times as
/// long, not more.
#[test]
fn time_grows_with_the_text() {
    let lines =
        |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<Vec<_>>().join("\n");
    let sums = "var X : int\npredicate big() { X + X + X + X + X + X + X + X > 0 }\ninit { true }\n";
    let texts: [(&str, &dyn Fn(usize) -> String); 14] = [
        ("a formula used often", &|n| {
            let formula = vec!["B"; n].join(" || ");
            format!("var B : bool\ninit {{ let v = {formula} in {} }}", vec!["v"; n].join(" && "))
        }),
        ("terms in predicates", &|n| format!("{sums}{}", lines(n, &|_| "unsafe { big() }".to_owned()))),
        ("unknown types", &|n| {
            format!("{}\n{}", lines(n, &|k| format!("type t{k}")), lines(n, &|k| format!("var X{k} : zork")))
        }),
        ("unknown names", &|n| {
            format!(
                "{}\n{}",
                lines(n, &|k| format!("var X{k} : int")),
                lines(n, &|k| format!("unsafe {{ Y{k} = 1 }}"))
            )
        }),
        ("comments on one line", &|n| format!("init {{ true }} {}", "(**)".repeat(n))),
        ("lets", &|n| {
            let lets = lines(n, &|k| format!("let v{k} = B in"));
            format!("var B : bool\ninit {{ true }}\ntransition t () {{ {lets} B := v0 }}")
        }),
        ("others", &|n| {
            let others = vec!["(forall_other z. F[z])"; n].join(" && ");
            let parameters = lines(60, &|k| format!("p{k}"));
            format!("array F[proc] : bool\ninit {{ true }}\nunsafe ({parameters}) {{ {others} }}")
        }),
        ("excluded numbers", &|n| {
            let parts: Vec<String> = (0..n).map(|k| format!("X <> {k}")).collect();
            format!("var X : int\ninit {{ true }}\nunsafe {{ {} }}", parts.join(" && "))
        }),
        ("a long case", &|n| {
            let branches = lines(n, &|k| format!("| X = {k} : {k}"));
            format!("var X : int\ninit {{ true }}\ntransition t () {{ X := case {branches} }}")
        }),
        ("equal processes", &|n| {
            let declarations = lines(n, &|k| format!("var G{k} : proc"));
            let parts: Vec<String> = (1..n).map(|k| format!("G{k} = G{}", k - 1)).collect();
            format!("{declarations}\ninit {{ true }}\nunsafe {{ {} }}", parts.join(" && "))
        }),
        ("wrong updates", &|n| format!("init {{ true }}\ntransition t () {{ {} }}", "foo := 1;".repeat(n))),
        ("many init clauses", &|n| {
            format!("array A[proc] : int\n{}", lines(n, &|k| format!("init (a) {{ A[a] <> {k} }}")))
        }),
        ("disjunctions", &|n| {
            let parts: Vec<String> = (0..n).map(|k| format!("(X = {k} || Y = {k})")).collect();
            format!("var X : int\nvar Y : int\ninit {{ true }}\nunsafe {{ {} }}", parts.join(" && "))
        }),
        ("errors on one line", &|n| format!("var X : int {}", "unsafe { Y = 1 } ".repeat(n))),
    ];
    for (what, text) in texts {
        let time = |size: usize| {
            let text = text(size);
            let start = processor_time()?;
            let _ = (check(&text), format(&text));
            Some(processor_time()? - start)
        };
        let times = || time(2_000).zip(time(8_000));
        // Four times the text: quadratic time would be sixteen times as long. A floor keeps noise out.
        let is_fine =
            |(small, large): &(Duration, Duration)| *large < 12 * (*small).max(Duration::from_millis(20));
        let Some(first) = times() else {
            return skip("the operating system does not say how long a thread has worked");
        };
        // What disturbed it once does not disturb it always.
        if !is_fine(&first) {
            let second = times().filter(is_fine);
            assert!(second.is_some(), "{what}: {:?}, then {:?}", first.0, first.1);
        }
    }
}

#[test]
fn there_is_a_limit_on_names() {
    let names: Vec<String> = (0..100).map(|k| format!("p{k}")).collect();
    let (blanks, commas, different) = (names.join(" "), names.join(", "), names.join(" <> "));
    let dimensions = vec!["proc"; 100].join(", ");
    for text in [
        format!("init ({blanks}) {{ true }}"),
        format!("init {{ true }} transition t ({blanks}) {{ }}"),
        format!("init {{ true }} predicate p({commas}) {{ true }}"),
        format!("init {{ forall {different}. true }}"),
        format!("init {{ true }} array A[{dimensions}] : bool"),
    ] {
        assert_eq!(first_error(&text), Some(Code::TooLarge), "{}", &text[..40]);
    }
}

#[test]
fn warnings_do_not_crowd_out_errors() {
    let mut text = String::from("init { Unknown = 1 }\n");
    for k in 0..2 * Diagnostics::LIMIT {
        let _ = writeln!(text, "unsafe (p{k}) {{ true }}");
    }
    assert_eq!(first_error(&text), Some(Code::UnknownName));
}

#[test]
fn long_predicate_cycles_are_found() {
    let mut model = String::from("var B : bool\ninit { B }\n");
    for k in 0..5_000 {
        let _ = writeln!(model, "predicate p{k}() {{ p{}() }}", (k + 1) % 5_000);
    }
    assert_eq!(first_error(&model), Some(Code::RecursivePredicate));
}

#[test]
fn long_formulas_stay_flat() {
    let values: Vec<String> = (0..50).map(|k| format!("C{k}")).collect();
    let part = |k: usize, joint: &str| format!("(X = C{} {joint} A[i] = C{})", k % 50, k * 7 % 50);
    let disjunction: Vec<String> = (0..10_000).map(|k| part(k, "&&")).collect();
    let conjunction: Vec<String> = (0..10_000).map(|k| format!("not {}", part(k, "&&"))).collect();
    for formula in [disjunction.join(" || "), conjunction.join(" && ")] {
        let model = format!(
            "type t = {}\nvar X : t\narray A[proc] : t\ninit (i) {{ X = C0 && A[i] = C0 }}\nunsafe (i) {{ A[i] = C1 }}\n\
             transition t (i) requires {{ {formula} }} {{ X := C1 }}",
            values.join(" | ")
        );
        assert_eq!(first_error(&model), None);
        let system = check(&model).system.expect("accepted");
        assert!(system.transitions[0].guard.depth() <= 4, "the meaning is as flat as the text");
        assert!(system.transitions[0].guard.size() <= 100_000, "no normal form is built");
    }
    let sum = format!("var X : int\ninit {{ X = {} }}\nunsafe {{ X = 1 }}", vec!["X"; 50_000].join(" + "));
    assert_eq!(first_error(&sum), None);
}

#[test]
fn rubbish_gives_a_bounded_list() {
    let diagnostics = check(&"@ x ".repeat(100_000)).diagnostics;
    assert!(diagnostics.iter().count() <= Diagnostics::LIMIT);
    assert_eq!(
        diagnostics.iter().count() + diagnostics.omitted(),
        diagnostics.errors() + diagnostics.warnings()
    );
    assert!(diagnostics.omitted() > 0);
}

/// Marks lie between characters, also where the text is not ASCII.
#[test]
fn marks_lie_between_characters() {
    for text in [
        "var X : int\ninit { X = 0 }\ntransition t () { X := é\nX := 1 }",
        "init { é",
        "é",
        "transition t () { X := 1 é X := 2 }",
    ] {
        for diagnostic in &check(text).diagnostics {
            for label in std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary) {
                assert!(
                    text.get(label.span.start as usize..label.span.end as usize).is_some(),
                    "{text}: {}",
                    diagnostic.message
                );
            }
        }
    }
}

/// A file that ends in the middle of anything is an error, never a panic, and the error lies within the text.
#[test]
fn every_prefix_of_a_model_is_read() {
    let model = "(* c (* d *) *)\nnumber_procs 2\ntype t = | P | Q\ntype data\nvar X : t\nconst C : real\narray A[proc, proc] : int\n\
                 init (i j) { A[i, j] = 0 && (X = P || not X <> Q) && C >= 1.5 }\n\
                 predicate p(i, j) { forall x <> y. A[x, y] = A[i, j] => if A[i, i] < 3 then X = P else exists k. A[k, #1] = -2 }\n\
                 unsafe (i) { exists_other j. p(i, j) <=> false }\ninvariant { forall j. A[j, #2] > 2 * A[j, j] + 1 }\n\
                 transition s (i j) requires { p(i, j) && forall_other k. A[k, i] <> 7 }\n\
                 { let v = A[i, j] + 1 in A[i, j] := v; X := case | X = P : Q | _ : ?; } // end\n";
    assert_eq!(first_error(model), None);
    for end in 0..model.len() {
        let text = &model[..end];
        let checked = check(text);
        for diagnostic in &checked.diagnostics {
            assert!(diagnostic.primary.span.end as usize <= text.len());
        }
        if let Ok(formatted) = format(text) {
            assert_eq!(format(&formatted).unwrap(), formatted);
        }
    }
    // And every text with one token left out, or written twice.
    let words: Vec<&str> = model.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
    for at in 0..words.len() {
        let without = [&words[..at], &words[at + 1..]].concat().concat();
        let twice = [&words[..at], &words[at..=at], &words[at..]].concat().concat();
        for text in [without, twice] {
            let checked = check(&text);
            assert_eq!(checked.system.is_some(), !checked.diagnostics.has_errors());
            let _ = format(&text);
        }
    }
}
