//! What a message advises can be pasted: put in place of the mistake, it is right.

use polycube_language::check;
use polycube_language::diagnostic::Severity;

const DECLARATIONS: &str = "type t = Idle | Busy\n var X : int\n var B : bool\n array S[proc] : t\n array V[proc] : int\n \
     array F[proc] : bool\n array W[proc, proc] : bool\n init { true }\n unsafe { X = 1 && B }\n";

/// The one mistake of a text has advice with these words between backquotes, and they are right.
fn pasted(model: impl Fn(&str) -> String, wrong: &str, advised: &str) {
    let diagnostics = check(&model(wrong)).diagnostics;
    let mut errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let error = errors.next().unwrap_or_else(|| panic!("`{wrong}` is a mistake"));
    assert!(errors.next().is_none(), "`{wrong}` is one mistake: {diagnostics:#?}");
    assert!(
        error.help.iter().any(|help| help.contains(&format!("`{advised}`"))),
        "`{wrong}` has the advice `{advised}`: {error:#?}"
    );
    let right = check(&model(advised));
    assert!(right.system.is_some(), "`{advised}` is right: {:#?}", right.diagnostics);
}

#[test]
fn in_updates() {
    let model = |update: &str| format!("{DECLARATIONS}transition s (p q) {{ {update}; }}");
    let cases = [
        ("V[p] += 1", "V[p] := V[p] + 1"),
        ("V[p] -= X + 1", "V[p] := V[p] - (X + 1)"),
        ("X *= 2", "X := X * 2"),
        ("X++", "X := X + 1"),
        ("V[q]--", "V[q] := V[q] - 1"),
        ("++V[q]", "V[q] := V[q] + 1"),
        ("if B then X := 1 else X := 2", "X := case | B : 1 | _ : 2"),
        ("if B then X := 1; else X := 2", "X := case | B : 1 | _ : 2"),
        ("if X = 1 || B then X := 1", "X := case | X = 1 || B : 1 | _ : X"),
        ("if B then S[q] := Busy", "S[k] := case | k = q && B : Busy | _ : S[k]"),
        (
            "if B || X = 1 then V[p] := 1 else V[p] := X + 1",
            "V[k] := case | k = p && (B || X = 1) : 1 | k = p : X + 1 | _ : V[k]",
        ),
        ("B := not B", "B := case | not B : True | _ : False"),
        ("B := X = 1 || X = 2", "B := case | X = 1 || X = 2 : True | _ : False"),
        ("X := if B then 1 else 2", "X := case | B : 1 | _ : 2"),
        ("V[p] := if B then 1 else 2", "V[k] := case | k = p && B : 1 | k = p : 2 | _ : V[k]"),
        (
            "W[p, q] := X = 1 || B",
            "W[k, l] := case | k = p && l = q && (X = 1 || B) : True | k = p && l = q : False | _ : W[k, l]",
        ),
    ];
    for (wrong, advised) in cases {
        pasted(model, wrong, advised);
    }
}

/// What is new in the advice has no other meaning.
#[test]
fn names_are_new() {
    let model = |update: &str| format!("{DECLARATIONS}transition s (k m) {{ {update}; }}");
    pasted(model, "F[k] := not B", "F[l] := case | l = k && not B : True | l = k : False | _ : F[l]");
    pasted(
        model,
        "W[k, m] := not B",
        "W[l, n] := case | l = k && n = m && not B : True | l = k && n = m : False | _ : W[l, n]",
    );
    pasted(model, "if B then F[k] := True", "F[l] := case | l = k && B : True | _ : F[l]");
}

/// Where no update can be told from the words, the advice is general; and nothing is said twice.
#[test]
fn conditions_without_advice() {
    let cases = [
        "if B then X := 1 else B := True",
        "if B then W[p, q] := True",
        "if B then",
        "if then X := 1",
        "if",
        "if B { X := 1 }",
        "if B then X",
        "if B then X :=",
        "if B then X := 1 else",
    ];
    for update in cases {
        let text =
            format!("{DECLARATIONS}transition s (p q) {{ {update}; B := True; }}\nunsafe {{ X = 2 }}\n");
        let diagnostics = check(&text).diagnostics;
        assert!(diagnostics.has_errors(), "{update}");
        let first = diagnostics.iter().next().expect("an error");
        assert!(
            first.message.starts_with("expected an update, found the keyword `if`"),
            "{update}: {first:?}"
        );
    }
}

#[test]
fn in_cells() {
    pasted(|cell| format!("{DECLARATIONS}transition s (p q) {{ {cell} := True; }}"), "W[p][q]", "W[p, q]");
    pasted(|cell| format!("{DECLARATIONS}unsafe (p q) {{ {cell} }}"), "W[p][q]", "W[p, q]");
}

#[test]
fn in_formulas() {
    let model = |formula: &str| format!("{DECLARATIONS}unsafe (p) {{ {formula} }}");
    pasted(model, "0 <= X < 4", "0 <= X && X < 4");
    pasted(model, "if B then X = 1", "(B) => (X = 1)");
}

#[test]
fn in_branches() {
    let model = |branch: &str| format!("{DECLARATIONS}transition s () {{ S[other] := case {branch}; }}");
    pasted(
        |default| model(&format!("| B : Idle {}", if default == "..." { "" } else { default })),
        "...",
        "| _ : S[other]",
    );
    pasted(|branch| model(&format!("{branch} | _ : Idle")), "| B => Busy", "| B : Busy");
}

#[test]
fn in_declarations() {
    let model = |declaration: &str| format!("{DECLARATIONS}{declaration}\n");
    pasted(model, "type lamp = off | on", "type lamp = Off | On");
    pasted(model, "int Y", "var Y : int");
}
