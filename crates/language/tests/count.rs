//! Numbers of processes in models.

use polycube_language::system::System;
use polycube_language::{check, format};
use polycube_testing::for_seeds;
use polycube_testing::generate::random_counters;

fn system(text: &str) -> System {
    let checked = check(text);
    checked.system.unwrap_or_else(|| panic!("{:?}\n{text}", checked.diagnostics.iter().next()))
}

const START: &str = "type t = A | B | C\narray T[proc] : t\nvar X : int\ninit (p) { T[p] = A && X = 0 }\n";

fn with(rest: &str) -> System {
    system(&format!("{START}{rest}\ntransition go (p) requires {{ T[p] = A }} {{ T[p] := B; X := X + 1 }}\n"))
}

/// Printing a model that counts, and formatting it, keeps what it means.
#[test]
fn random_models_that_count_are_read_as_they_are_printed() {
    for_seeds!(500, |seed| {
        let text = random_counters(seed);
        let meant = system(&text);
        assert_eq!(system(&meant.to_source()), meant, "{text}");
        let formatted = format(&text).expect("a model");
        assert_eq!(system(&formatted), meant, "{formatted}");
        assert_eq!(format(&formatted).expect("a model"), formatted);
    });
}

/// The same number is counted once, however it is written.
#[test]
fn the_same_number() {
    let named = with("unsafe { #{p | T[p] = B} > X }");
    assert_eq!(with("unsafe { #{T[p] = B} > X }"), named);
    let counts = |rest: &str| with(rest).counts.len();
    assert_eq!(counts("unsafe { #{p | T[p] = B} > X }"), 1);
    assert_eq!(counts("unsafe { #{p | T[p] = B} > X && #{q | T[q] <> A && T[q] <> C} > 1 }"), 1);
    // All processes begin in A: how many that are has to be said, too.
    assert_eq!(counts("unsafe { #{p | T[p] = A} > X }"), 2);
    assert_eq!(counts("unsafe { #{p | T[p] = B : 2} > #{p | T[p] = B} }"), 2);
    assert_eq!(counts("unsafe (q) { #{p | T[p] = T[q]} > X }"), 2);
}

/// What is no number of processes is refused, once.
#[test]
fn mistakes() {
    for (clause, message) in [
        ("unsafe { #{p | forall q. T[q] = A} = 1 }", "these processes cannot be counted"),
        ("unsafe { #{p | X = #{q | T[q] = A}} = 1 }", "these processes cannot be counted"),
        ("unsafe (q r) { #{p | T[p] = T[q] || T[p] = T[r]} = 1 }", "these processes cannot be counted"),
        ("unsafe (p) { #{T[p] = A} = 1 }", "which processes are counted?"),
        ("unsafe { #{T[p] = T[q]} = 1 }", "which processes are counted?"),
        ("unsafe { #{p | T[p]} = 1 }", "a formula is expected here"),
        ("unsafe { #{p | T[p] = A : T[p]} = 1 }", "arithmetic needs numbers"),
        ("unsafe { #{p | T[p] = A : 1.5} = 1 }", "only integers are summed up"),
        ("unsafe { #{} = 1 }", "expected a formula or term, found `}`"),
        (
            "unsafe { #{p | T[p] = A} = 1 } transition any () { T[k] := case | _ : ? }",
            "this number cannot be kept track of",
        ),
    ] {
        let checked = check(&format!("{START}{clause}\ntransition go (p) {{ T[p] := B; X := X + 1 }}\n"));
        let errors: Vec<&str> = (checked.diagnostics.iter())
            .filter(|one| one.severity == polycube_language::diagnostic::Severity::Error)
            .map(|one| one.message.as_str())
            .collect();
        assert_eq!(errors, [message], "{clause}");
    }
}
