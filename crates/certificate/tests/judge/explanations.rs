//! Why a guard does not hold.

use polycube_certificate::{Explanation, Instance, Orders, why_not};
use polycube_language::system::System;

use crate::support::{instance, state, system};

const DECLARATIONS: &str = "type t = P | Q\n var G : proc\n var X : int\n array A[proc] : t\n array M[proc, proc] : t\n \
                            init { true }\n predicate low (z) { X < 3 || A[z] = Q }\n";
const STATE: &str = "G = #1; X = 5; A[_] = P; A[#3] = Q; M[_] = P";

fn model(guard: &str) -> (String, System) {
    let text = format!("{DECLARATIONS}transition t (p q) requires {{ {guard} }} {{ }}");
    let system = system(&text);
    (text, system)
}

fn reasons(guard: &str) -> (String, Vec<Explanation>) {
    let (text, system) = model(guard);
    let instance = instance(&system, 3);
    let reasons = why_not(&instance, &system.transitions[0], &[1, 2], &state(&system, 3, STATE));
    (text, reasons)
}

/// The reasons for p = #1 and q = #2, as text.
fn check(guard: &str, expected: &[&str]) {
    let (_, reasons) = reasons(guard);
    assert_eq!(reasons.iter().map(Explanation::to_string).collect::<Vec<_>>(), expected, "{guard}");
}

#[test]
fn what_holds_has_no_reason() {
    check("A[p] = P", &[]);
    check("forall j. X = 5", &[]);
}

#[test]
fn comparisons_say_the_values() {
    check("A[p] = Q", &["`A[p] = Q` is false for p = #1 (A[#1] is P)"]);
    check("A[p] <> M[q, p]", &["`A[p] <> M[q, p]` is false for p = #1, q = #2 (A[#1] is P, M[#2,#1] is P)"]);
    check("q = G", &["`q = G` is false for q = #2 (G is #1)"]);
    check("A[G] = Q", &["`A[G] = Q` is false (G is #1, A[#1] is P)"]);
    check("X < 5", &["`X < 5` is false (X is 5)"]);
    check("2 * X + 1 <= X", &["`2 * X + 1 <= X` is false (X is 5, the left side is 11)"]);
    check("p = q", &["`p = q` is false for p = #1, q = #2"]);
}

#[test]
fn orders_that_the_model_leaves_open_are_said() {
    check("q < p", &["`q < p` is false for p = #1, q = #2 (#1 < #2 in this run)"]);
    check("p < p", &["`p < p` is false for p = #1"]);
    let (_, system) = model("p < q");
    let orders = Orders { processes: Some(vec![3, 2, 1]), ..Orders::default() };
    let instance = Instance::new(&system, 3, orders).expect("an instance");
    let reasons = why_not(&instance, &system.transitions[0], &[1, 2], &state(&system, 3, STATE));
    assert_eq!(reasons[0].detail.as_deref(), Some("#2 < #1 in this run"));
}

#[test]
fn conjunctions_give_all_parts_that_fail() {
    check(
        "A[p] = Q && X = 5 && (A[q] = Q && X = 4)",
        &[
            "`A[p] = Q` is false for p = #1 (A[#1] is P)",
            "`A[q] = Q` is false for q = #2 (A[#2] is P)",
            "`X = 4` is false (X is 5)",
        ],
    );
}

#[test]
fn universal_guards_name_the_first_process() {
    check("forall j. A[j] = P && X = 5", &["`A[j] = P` is false for j = #3 (A[#3] is Q)"]);
    check(
        "forall j. forall k. M[j, k] = A[k]",
        &["`M[j, k] = A[k]` is false for j = #1, k = #3 (M[#1,#3] is P, A[#3] is Q)"],
    );
    check(
        "forall_other j. A[j] = P",
        &["`j = p || j = q || A[j] = P` is false for p = #1, q = #2, j = #3 (A[#3] is Q)"],
    );
}

#[test]
fn disjunctions_and_existentials_are_whole() {
    check("A[p] = Q || X < 3", &["`A[p] = Q || X < 3` is false for p = #1 (A[#1] is P, X is 5)"]);
    check(
        "exists j. A[j] = M[j, p] && X = 3",
        &["`exists j. A[j] = M[j, p] && X = 3` is false for p = #1 (X is 5)"],
    );
    check("not (A[p] = P && X = 5)", &["`not (A[p] = P && X = 5)` is false for p = #1 (A[#1] is P, X is 5)"]);
    check("A[p] = P <=> X = 3", &["`A[p] = P <=> X = 3` is false for p = #1 (A[#1] is P, X is 5)"]);
    check("false", &["`false` is false"]);
}

#[test]
fn reasons_point_into_the_model() {
    let places = |guard: &str| -> Vec<String> {
        let (text, reasons) = reasons(guard);
        reasons.iter().map(|reason| reason.origin.0.text(&text).to_owned()).collect()
    };
    assert_eq!(places("A[p] = Q && X = 4"), ["A[p] = Q", "X = 4"]);
    assert_eq!(places("X = 5 && (A[p] = Q || X < 3)"), ["A[p] = Q || X < 3"]);
    assert_eq!(places("X = 5 && exists j. M[j, j] = Q"), ["exists j. M[j, j] = Q"]);
    assert_eq!(places("forall j. A[j] = P"), ["A[j] = P"]);
    // What comes from a predicate has no one place in the transition.
    let whole = "transition t (p q) requires { low(p) } { }";
    assert_eq!(places("low(p)"), [whole]);
}
