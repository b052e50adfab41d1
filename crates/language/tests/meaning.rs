//! What the text means: each short form beside the long form that it stands for.
//!
//! The long forms use the least of the language: cases with defaults, quantifiers over one variable,
//! comparisons by `=`, `<>`, `<`, `<=`, and parentheses wherever precedence could matter.

use polycube_language::diagnostic::Severity;
use polycube_language::system::{Processes, Value};
use polycube_language::{System, check};

const DECLARATIONS: &str = "type t = P | Q | R\n type data\n const C : int\n const Tick : real\n var X : t\n var Y : t\n var B : bool\n \
     var D : bool\n var G : proc\n var N : int\n var M : int\n var Z : real\n var V : data\n array A[proc] : t\n array F[proc] : bool\n \
     array W[proc, proc] : bool\n array T[proc, proc, proc] : t\n array Next[proc] : proc\n array K[proc] : int\n";

fn system(text: &str) -> System {
    let checked = check(text);
    let errors: Vec<_> = checked.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    checked.system.unwrap_or_else(|| panic!("{text}: {errors:#?}"))
}

/// Both texts, put behind the declarations, mean the same.
fn same(short: &str, long: &str) {
    let both = [short, long].map(|text| system(&format!("{DECLARATIONS}init {{ true }}\n{text}\n")));
    assert_eq!(both[0], both[1], "\n{short}\n{long}\n{}\n{}", both[0].to_source(), both[1].to_source());
}

/// Both formulas mean the same for two processes `p` and `q`.
fn same_formula(short: &str, long: &str) {
    same(&format!("unsafe (p q) {{ {short} }}"), &format!("unsafe (p q) {{ {long} }}"));
    same(
        &format!("transition s (p q) requires {{ {short} }} {{ }}"),
        &format!("transition s (p q) requires {{ {long} }} {{ }}"),
    );
}

/// Both bodies of a transition with parameters `p` and `q` mean the same.
fn same_body(short: &str, long: &str) {
    same(&format!("transition s (p q) {{ {short} }}"), &format!("transition s (p q) {{ {long} }}"));
}

#[test]
fn two_different_formulas_are_different() {
    let model =
        |formula: &str| system(&format!("{DECLARATIONS}init {{ true }}\nunsafe (p q) {{ {formula} }}"));
    for (one, other) in [
        ("F[p]", "F[q]"),
        ("X = P", "X <> P"),
        ("X = P => Y = Q", "Y = Q => X = P"),
        ("N < M", "M < N"),
        ("N <= M", "N < M"),
        ("W[p, q]", "W[q, p]"),
        ("forall r. F[r]", "exists r. F[r]"),
        ("forall r. F[r]", "forall_other r. F[r]"),
    ] {
        assert_ne!(model(one), model(other), "{one}, {other}");
    }
}

#[test]
fn connectives() {
    same_formula("X = P => Y = P", "(X <> P) || (Y = P)");
    same_formula("X = P => Y = P => B", "X <> P || (Y <> P || B = True)");
    same_formula("X = P <=> Y = P <=> B", "X = P <=> (Y = P <=> B = True)");
    same_formula("X = P => Y = P <=> B", "X <> P || (Y = P <=> B = True)");
    same_formula("X = P && Y = P || B && D", "(X = P && Y = P) || (B && D)");
    same_formula("X = P || Y = P && B", "X = P || (Y = P && B)");
    same_formula("X = P || Y = P => B && D", "not (X = P || Y = P) || (B && D)");
    same_formula("not X = P && Y = P", "(X <> P) && (Y = P)");
    same_formula("not not B", "B = True");
    same_formula("!B && !(X = P)", "B <> True && X <> P");
    same_formula("if X = P then Y = P else B && D", "(if X = P then Y = P else B) && D");
    same_formula("not (if X = P then Y = P else B)", "not ((if X = P then Y = P else B = True))");
    same_formula("if X = P then true else B", "X = P || B");
    same_formula("if X = P then false else B", "X <> P && B");
    same_formula("if X = P then B else true", "X <> P || B");
    same_formula("if X = P then B else false", "X = P && B");
    same_formula("B <=> true", "B");
    same_formula("B <=> false", "not B");
    same_formula("true && B", "B");
    same_formula("B || false", "B");
    same_formula("not (X = P || false)", "X <> P");
}

#[test]
fn comparisons() {
    same_formula("N > M", "M < N");
    same_formula("N >= M", "M <= N");
    same_formula("not N > M", "N <= M");
    same_formula("not N >= M", "N < M");
    same_formula("not N < M", "M <= N");
    same_formula("X != P", "X <> P");
    same_formula("p > q", "q < p");
    same_formula("B", "B = True");
    same_formula("F[p]", "F[p] = True");
    same_formula("V = V", "V = V");
}

#[test]
fn arithmetic() {
    same_formula("N-1 = M", "N - 1 = M");
    same_formula("N -1 = M", "N + (-1) = M");
    same_formula("N - -1 = M", "N + 1 = M");
    same_formula("- N = M", "(-1) * N = M");
    same_formula("N - M - 1 = 0", "N + (-1) * M + (-1) = 0");
    same_formula("N - (M - 1) = 0", "N + (-1) * M + 1 = 0");
    same_formula("2 * N + N = M", "3 * N = M");
    same_formula("N * 2 * 3 = M", "6 * N = M");
    same_formula("-2 * N = M", "(-2) * N = M");
    same_formula("N - N = M", "0 = M");
    same_formula("2 * (N + 3 * (M - C)) = 0", "2 * N + 6 * M - 6 * C = 0");
    same_formula("1 + N = M + K[p]", "N + 1 = K[p] + M");
    same_formula("Z + 0.5 + 0.25 = 1.", "Z + 0.75 = 1.0");
    same_formula("2 * Tick = Z", "2.0 * Tick = Z");
    same_formula("N = 007", "N = 7");
    same_formula("0.1 * Z = 0.3", "0.10 * Z = 0.300");
}

#[test]
fn quantifiers() {
    same_formula("forall_other r. F[r]", "forall r. r = p || r = q || F[r]");
    same_formula("exists_other r. F[r]", "exists r. r <> p && r <> q && F[r]");
    same_formula("forall r <> s. W[r, s]", "forall r. forall s. s = r || W[r, s]");
    same_formula("exists r <> s. W[r, s]", "exists r. exists s. s <> r && W[r, s]");
    same_formula(
        "forall r <> s <> u. T[r, s, u] = P",
        "forall r. forall s. s = r || (forall u. u = r || u = s || T[r, s, u] = P)",
    );
    same_formula(
        "forall_other r. exists_other s. W[r, s]",
        "forall r. r = p || r = q || (exists s. s <> p && s <> q && s <> r && W[r, s])",
    );
    same_formula("B && forall r. F[r] || D", "B && (forall r. (F[r] || D))");
    same_formula("not forall r. F[r] && D", "not (forall r. (F[r] && D))");
    same_formula("(forall r. F[r]) && (forall r. A[r] = P)", "(forall r. F[r]) && (forall r. A[r] = P)");
    // A variable that hides another one is another variable.
    same_formula("exists p. F[p]", "exists p_1. F[p_1]");
}

#[test]
fn cell_updates() {
    same_body("A[p] := Q", "A[k] := case | k = p : Q | _ : A[k]");
    same_body("A[p] := ?", "A[k] := case | k = p : ? | _ : A[k]");
    same_body("A[G] := Q", "A[k] := case | k = G : Q | _ : A[k]");
    same_body("A[Next[p]] := A[Next[Next[q]]]", "A[k] := case | k = Next[p] : A[Next[Next[q]]] | _ : A[k]");
    same_body("W[p, q] := B", "W[k, l] := case | k = p && l = q : B | _ : W[k, l]");
    same_body("W[q, q] := B", "W[k, l] := case | k = q && l = q : B | _ : W[k, l]");
    same_body("T[p, q, G] := R", "T[k, l, m] := case | k = p && l = q && m = G : R | _ : T[k, l, m]");
    same_body("K[p] := K[q] + 1", "K[k] := case | k = p : K[q] + 1 | _ : K[k]");
    // A parameter that is called like the index.
    same("transition s (k) { A[k] := Q }", "transition s (k) { A[k_1] := case | k_1 = k : Q | _ : A[k_1] }");
}

#[test]
fn updates() {
    same_body("X := .", "X := ?");
    same_body("X := case | _ : Y", "X := Y");
    same_body("X := Q; Y := X;", "X := Q; Y := X");
    same_body("", ";;");
    same_body("X := case | B : P | not B : Q", "X := case | B : P | _ : Q");
    same_body("X := case | X = P : Q | X = Q : R | X = R : P", "X := case | X = P : Q | X = Q : R | _ : P");
    same_body("N := case | M < 0 : -1 | M = 0 : 0 | M > 0 : 1", "N := case | M < 0 : -1 | M = 0 : 0 | _ : 1");
    // Exhaustive because of the guard.
    same(
        "transition s () requires { X <> R } { Y := case | X = P : Q | X = Q : P }",
        "transition s () requires { X <> R } { Y := case | X = P : Q | _ : P }",
    );
    same("transition s (p) requires { true } { }", "transition s (p) { }");
    same("transition s (p) require { F[p] } { }", "transition s (p) requires { F[p] } { }");
    let transition =
        &system(&format!("{DECLARATIONS}init {{ true }}\ntransition s (p) {{ X := case | B : ? | _ : X }}"))
            .transitions[0];
    assert_eq!(transition.updates[0].branches[0].value, Value::Any);
}

#[test]
fn lets() {
    same_body("let v = Y in X := v", "X := Y");
    same_body("let v = N + 1 in let w = v + v in N := w; M := v", "N := 2 * N + 2; M := N + 1");
    same_body("let r = Next[p] in A[r] := A[q]", "A[k] := case | k = Next[p] : A[q] | _ : A[k]");
    same_body(
        "let b = X = P || B in Y := case | b : P | not b : Q | _ : R",
        "Y := case | X = P || B : P | not (X = P || B) : Q | _ : R",
    );
    same_formula("let r = Next[p] in F[r] && W[r, r]", "F[Next[p]] && W[Next[p], Next[p]]");
    same_formula("B && let v = X in v = P || v = Q", "B && (X = P || X = Q)");
    // What a `let` binds is not caught by a quantifier inside.
    same_formula("let v = A[p] in exists p. A[p] = v", "exists p_1. A[p_1] = A[p]");
}

#[test]
fn predicates() {
    let with = |predicates: &str, short: &str, long: &str| {
        let both = [short, long].map(|formula| {
            system(&format!("{DECLARATIONS}{predicates}\ninit {{ true }}\nunsafe (p q) {{ {formula} }}"))
        });
        assert_eq!(both[0], both[1], "\n{short}\n{long}\n{}", both[0].to_source());
    };
    with("predicate w(x, y) { W[x, y] }", "w(q, p)", "W[q, p]");
    with("predicate w(x, y) { W[x, y] }", "not w(p, Next[G],)", "not W[p, Next[G]]");
    with("predicate is(a, b) { a = b }", "is(X, P) && is(N + 1, 2)", "X = P && N + 1 = 2");
    with("predicate either(f, g) { f || g }", "either(B, X = P && D)", "B || (X = P && D)");
    with("predicate two(x) { one(x) && F[x] }\npredicate one(x) { A[x] = P }", "two(q)", "A[q] = P && F[q]");
    with("predicate never() { false }", "B || never()", "B");
    // Arguments are not caught by what the predicate binds.
    with("predicate some(x) { exists p. W[p, x] }", "some(p)", "exists p_1. W[p_1, p]");
    with(
        "predicate all(f) { forall r. F[r] && f }",
        "all(exists r. W[p, r])",
        "forall r. F[r] && (exists r_1. W[p, r_1])",
    );
    // A name that is no parameter comes from the call.
    with("predicate loose(x) { W[x, q] }", "loose(p)", "W[p, q]");
    // The others are other than all that is visible at the call.
    with(
        "predicate alone(x) { forall_other r. not W[x, r] }",
        "alone(p)",
        "forall r. r = p || r = q || not W[p, r]",
    );
    with(
        "predicate alone(x) { forall_other r. not W[x, r] }",
        "exists s. alone(s)",
        "exists s. (forall r. r = p || r = q || r = s || not W[s, r])",
    );
}

#[test]
fn clauses() {
    same("unsafe (p q) { F[p] }\nunsafe () { B }", "unsafe (p q) { F[p] = True }\nunsafe { B = True }");
    let model = system(
        "array F[proc] : bool\ninit (x y) { F[x] || F[y] }\ninit { true }\nunsafe (p q) { F[p] }\ninvariant (p) { F[p] }",
    );
    assert_eq!(model.init.len(), 2, "clauses stay apart: their conjunction is meant");
    assert_eq!(model.init[0].parameters.len(), 2);
    assert_eq!(model.properties[0].parameters.len(), 2, "a parameter that is not used still counts");
    assert_eq!((model.unsafe_clauses().count(), model.invariant_clauses().count()), (1, 1));
}

/// A variable that is no process, says `init`: parameters and quantifiers leave it out.
#[test]
fn processes_apart() {
    let declarations = "var Home : proc\nvar Turn : proc\narray F[proc] : bool\n";
    let said = "init (p) { Home <> p && not F[p] }
        unsafe (p) { F[p] }
        transition t (p) requires { not F[p] && forall q. F[q] } { F[p] := True; }
        transition u () requires { exists q. F[q] } { Turn := Home; }";
    let meant = "init (p) { not F[p] }
        unsafe (p) { p <> Home && F[p] }
        transition t (p) requires { p <> Home && not F[p] && forall q. (q = Home || F[q]) } { F[p] := True; }
        transition u () requires { exists q. (q <> Home && F[q]) } { Turn := Home; }";
    let model = |text: &str| system(&format!("{declarations}{text}"));
    assert_eq!(model(said), model(meant));
    // One that changes is different from all processes at the start, which is impossible.
    let changing = "init (p) { Turn <> p }\ntransition u () { Turn := Home; }";
    assert_eq!(model(changing).init[0].formula.size(), 3);
}

#[test]
fn order_of_declarations_does_not_matter() {
    let items = [
        "var X : t",
        "type t = P | Q",
        "array A[proc] : t",
        "init (z) { ok(z) && A[z] = P }",
        "predicate ok(z) { X = P || A[z] = Q }",
    ];
    let forwards = system(&items.join("\n"));
    let mut reversed: Vec<&str> = items.to_vec();
    reversed.swap(0, 4);
    reversed.swap(1, 3);
    let backwards = system(&reversed.join("\n"));
    assert_eq!(forwards.init, {
        // Symbols are numbered in the order of their declarations: compare as text.
        let again = system(
            &backwards.to_source().replace("array A[proc] : t\nvar X : t", "var X : t\narray A[proc] : t"),
        );
        again.init
    });
}

#[test]
fn numbers_of_processes() {
    let processes = |text: &str| system(&format!("{text}\ninit {{ true }}")).processes;
    assert_eq!(processes(""), Processes::Any);
    assert_eq!(processes("number_procs 3"), Processes::Exactly(3));
    assert_eq!(processes("number_procs 0"), Processes::Any, "as in Cubicle");
    let two = |text: &str| {
        system(&format!("number_procs 2\narray A[proc] : bool\ninit {{ true }}\nunsafe {{ {text} }}"))
    };
    assert_ne!(two("A[#1]"), two("A[#2]"), "process constants keep their identity");
}
