//! What the check of invariants must not believe.

use std::sync::atomic::{AtomicUsize, Ordering};

use polycube_certificate::{Clause, Invariant, Obligation};
use polycube_induction::{Effort, Finding, Induction, Open, Wanted};
use polycube_language::System;

/// A model, and its properties as an invariant.
fn claim(text: &str) -> (System, Invariant) {
    let system = polycube_language::check(text).system.expect("a correct model");
    let clauses = system.properties.iter();
    let clauses = clauses
        .map(|property| Clause { parameters: property.parameters.clone(), never: property.formula.clone() });
    let invariant = Invariant { clauses: clauses.collect() };
    (system, invariant)
}

/// All that can be found out about an invariant: the same with and without hints, and for every number of threads.
fn induction(system: &System, invariant: &Invariant) -> Induction {
    let of = |threads, wanted| {
        Induction::of(system, invariant, &Effort { goes_on: &|| true, threads, wanted }, &mut |_, _| {})
    };
    let found = of(1, Wanted::Hints);
    assert_eq!(of(3, Wanted::Hints).findings, found.findings);
    let answers = of(2, Wanted::Answers);
    let counts = |one: &Induction| (one.obligations(), one.proved(), one.stopped);
    assert_eq!(counts(&answers), counts(&found));
    assert_eq!(counts(&found).0, Obligation::count(system, invariant));
    for (obligation, finding) in &answers.findings {
        let kind = |finding: &Finding| std::mem::discriminant(finding);
        assert_eq!(Some(kind(finding)), found.findings.get(obligation).map(kind));
    }
    found
}

fn finding(text: &str, obligation: Obligation) -> Finding {
    let (system, invariant) = claim(text);
    let found = induction(&system, &invariant).findings.remove(&obligation);
    found.unwrap_or(Finding::Open(Open::Stopped))
}

const FIRST: Obligation = Obligation::Preserved { transition: 0, clause: 0 };

#[test]
fn a_small_invariant_is_proved() {
    let (mut system, invariant) = claim(
        "type place = Out | In
         var Turn : proc
         array Place[proc] : place
         init (p) { Place[p] = Out }
         unsafe (p q) { Place[p] = In && Place[q] = In }
         unsafe (p q) { Turn = p && Place[q] = In }
         transition enter (p) requires { Turn = p } { Place[p] := In; }
         transition leave (p) requires { Place[p] = In } { Place[p] := Out; Turn := ?; }",
    );
    let found = induction(&system, &invariant);
    assert!(found.is_proved(), "{found:?}");
    // Without the second clause, the first is not inductive.
    system.properties.truncate(1);
    let part = Invariant { clauses: invariant.clauses[..1].to_vec() };
    let found = induction(&system, &part);
    let (obligation, counterexample) = found.refuted().expect("it is none");
    assert_eq!(obligation, FIRST);
    assert_eq!(counterexample.processes, 2);
    // And it has to be said of an initial state too.
    let wrong = claim(
        "array A[proc] : bool\n init (p) { A[p] }\n unsafe (p) { A[p] }\n transition t (p) { A[p] := True; }",
    );
    let found = induction(&wrong.0, &wrong.1);
    assert!(matches!(found.refuted(), Some((Obligation::Initially { clause: 0 }, _))));
}

/// The step changes nothing of the process that is named, and everything of all others.
#[test]
fn what_is_said_of_all_processes_is_not_unchanged_where_nothing_changes_for_some() {
    let text = "type t = X | Y
         array A[proc] : t
         init (p) { A[p] = X }
         unsafe () { forall y. A[y] = Y }
         transition t (p) requires { A[p] = Y } { A[k] := case | k = p : A[k] | _ : Y; }";
    assert!(!matches!(finding(text, FIRST), Finding::Proved(_)));
}

/// The process that the guard says exists is not the one that the clause says exists.
#[test]
fn numbers_of_variables_mean_nothing_elsewhere() {
    let text = "type t = I | C | W
         array A[proc] : t
         array F[proc] : bool
         init (p) { A[p] = I && not F[p] }
         unsafe (z) { A[z] = C && exists_other y. A[y] = W }
         unsafe (z) { F[z] && A[z] = W }
         transition t (p) requires { A[p] = I && exists_other q. F[q] } { A[p] := C; }";
    assert!(!matches!(finding(text, FIRST), Finding::Proved(_)));
}

/// That the first clause holds for the process that is named says nothing about others, and those come later.
#[test]
fn what_was_not_looked_at_to_the_end_is_not_proved() {
    let text = "type t = I | C
         array A[proc] : t
         var F : bool
         init (p) { A[p] = I && not F }
         unsafe (z) { A[z] = C }
         unsafe () { F }
         transition t (p) { A[k] := case | k = p : I | _ : C; F := True; }";
    assert!(!matches!(finding(text, FIRST), Finding::Proved(_)));
    let (system, invariant) = claim(text);
    for most in 0..20 {
        let questions = AtomicUsize::new(0);
        let goes_on = || questions.fetch_add(1, Ordering::Relaxed) < most;
        let effort = Effort { goes_on: &goes_on, threads: 1, wanted: Wanted::Hints };
        let induction = Induction::of(&system, &invariant, &effort, &mut |_, _| {});
        assert!(
            !matches!(induction.findings.get(&FIRST), Some(Finding::Proved(_))),
            "after {most} questions"
        );
    }
}

/// What is reached through several pointers is a process like all others, wherever the pointers lead.
#[test]
fn processes_behind_several_pointers() {
    let model = |guard: &str| {
        format!(
            "var S : bool\nvar T : proc\narray A[proc] : bool\narray N[proc] : proc
             init (p) {{ S = False && A[p] = True && N[p] = p }}
             unsafe () {{ S = True }}\nunsafe (p) {{ A[p] = False && N[p] = p }}
             transition t (p) requires {{ {guard} }} {{ S := True; }}"
        )
    };
    for guard in [
        "A[N[N[T]]] = False && N[N[N[T]]] = N[N[T]]",
        "A[N[N[p]]] = False && N[N[N[p]]] = N[N[p]]",
        "A[N[N[p]]] = False && N[N[p]] = N[p]",
        "A[N[N[p]]] = False && N[p] = p",
    ] {
        assert!(matches!(finding(&model(guard), FIRST), Finding::Proved(_)), "{guard}");
    }
    for guard in ["A[N[N[T]]] = False", "A[N[N[p]]] = False && N[N[N[p]]] = N[p]"] {
        assert!(matches!(finding(&model(guard), FIRST), Finding::Refuted(_)), "{guard}");
    }
}
