//! Initial states that do not exist, or do, which takes some thought to find out.

use polycube_engine::backward::{Options, verify};

#[test]
fn an_index_that_leads_elsewhere_in_one_case_says_something_in_the_others() {
    // With `X = 1`, and at least two processes: each p points at some q, so p has all marks; but it has one
    // mark too few, since it does not point at all others.
    let model = "
        var X : int
        array Next[proc] : proc
        array Mark[proc, proc] : bool
        init (p q r) {
          X = 2 || (if Next[p] <> r then Mark[r, Next[r]] = False else Mark[p, q] = True)
        }
        unsafe (p q) { X = 1 }
        transition t (p) requires { X = 3 } { X := 1; }
    ";
    let system = crate::system(model);
    let verification = verify(&system, &Options::default(), &mut ()).expect("a supported system");
    assert_eq!(verification.verdict().word(), "safe", "{:?}", verification.answers);
}

#[test]
fn a_process_that_has_to_exist_has_to_satisfy_the_rest() {
    // Somebody is at `Busy`, but everybody is at `Idle`: there are no initial states.
    let model = "
        type place = Idle | Busy
        var X : bool
        array At[proc] : place
        init () { exists q. At[q] = Busy }
        init (p) { At[p] = Idle }
        unsafe () { X = True }
        transition t (p) requires { X = False } { X := True; }
    ";
    let system = crate::system(model);
    let verification = verify(&system, &Options::default(), &mut ()).expect("a supported system");
    assert_eq!(verification.verdict().word(), "safe", "{:?}", verification.answers);
}

/// A clause that says one thing or another, each of another cell, says nothing of any one cell.
#[test]
fn one_of_two_cells_is_not_each_of_them() {
    let model = "array M[proc, proc] : bool\nvar B : bool\n\
        init (p q) { B = False && (M[p,q] = False || M[q,p] = False) }\nunsafe { B = True }\n\
        transition t (p q) requires { M[p,q] = True } { B := True; }";
    let system = crate::system(model);
    let verification = verify(&system, &Options::default(), &mut ()).expect("a supported system");
    assert_eq!(verification.verdict().word(), "unsafe", "{:?}", verification.answers);
}
