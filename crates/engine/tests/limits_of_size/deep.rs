//! Formulas that are nested so deep that what is counted along them doubles more than 64 times.

use polycube_engine::backward::{Answer, Options};
use polycube_engine::engine::{Engine, verify};
use polycube_engine::forward::{self, explore};
use polycube_engine::oracle::Plan;
use polycube_language::{System, check};

/// `A[Held] = Bad`, in the consequences of this many conditions that always hold.
fn nested(depth: usize) -> String {
    let wrap = |formula, _| format!("if F = True then ({formula}) else X = True");
    (0..depth).fold("A[Held] = Bad".to_owned(), wrap)
}

/// Each model goes wrong as soon as the cell of the process in `Held` is bad.
fn models(depth: usize) -> [System; 3] {
    let formula = nested(depth);
    let head = "type t = Good | Bad
        var Held : proc
        array A[proc] : t
        var X : bool
        var F : bool
        var Wrong : bool
        init (p) { A[p] = Good && X = False && F = True && Wrong = False }
        transition spoil (p) { A[p] := Bad }";
    [
        format!("{head} unsafe () {{ {formula} }}"),
        format!("{head} unsafe () {{ Wrong = True }} transition go () requires {{ {formula} }} {{ Wrong := True }}"),
        format!(
            "{head} unsafe () {{ Wrong = True }}
            transition go () {{ Wrong := case | {formula} : True | _ : False }}"
        ),
    ]
    .map(|model| {
        let checked = check(&model);
        checked.system.unwrap_or_else(|| panic!("a system: {:?}", checked.diagnostics))
    })
}

/// A process that only an index stands for is looked for, however often the formula with that index may be needed.
#[test]
fn no_process_is_left_out() {
    for depth in [0, 1, 2].into_iter().chain(60..68).chain([126, 127, 128, 190]) {
        for (number, system) in models(depth).iter().enumerate() {
            let found = verify(system, Engine::Backward, &Options::default(), Plan::default(), &mut ());
            let found = found.expect("the system is supported");
            let is_unsafe = matches!(found.verdict(), Answer::Unsafe(_));
            assert!(is_unsafe, "depth {depth}, model {number}: {:?}", found.answers);
            let explored = explore(system, &forward::Options::new(1), &mut ()).expect("an instance");
            assert_eq!(explored.violations.len(), 1, "depth {depth}, model {number}");
        }
    }
}
