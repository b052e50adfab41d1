//! Properties with symbolic runs that no run executes.

use polycube_engine::backward::{Answer, Options, Reason, verify};

/// What comes from a property with such a run covers nothing of another property: the cubes between its end
/// and the initial states are not known to be unreachable.
#[test]
fn cubes_of_a_spurious_run_cover_nothing_of_another_property() {
    // The first property needs two processes for `mark`, and then `all`, for which each other process would
    // need yet another: no cube says that. The second one, which takes longer, meets the same states on its
    // way back, and has a run.
    let model = "
        type phase = Start | Ready | Marked | Ended | First | Second | Third | Fourth
        var Phase : phase
        array Mark[proc] : bool
        array Done[proc] : bool
        init (p) { Phase = Start && Mark[p] = False && Done[p] = False }
        unsafe (p) { Phase = Ended && Mark[p] = True }
        unsafe () { Phase = Fourth }
        transition start () requires { Phase = Start } { Phase := Ready }
        transition mark (p q) requires { Phase = Ready && Done[q] = False } { Phase := Marked; Mark[p] := True }
        transition all (p)
          requires { Phase = Marked && forall_other o. Done[o] = True || exists_other r. Done[r] = True }
        { Phase := Ended }
        transition first (p q) requires { Phase = Ready && Done[q] = False } { Phase := First }
        transition second () requires { Phase = First } { Phase := Second }
        transition third () requires { Phase = Second } { Phase := Third }
        transition fourth () requires { Phase = Third } { Phase := Fourth }";
    let system = crate::system(model);
    let answers = verify(&system, &Options::default(), &mut ()).expect("within the limits").answers;
    assert!(
        matches!(answers[0], Answer::Unknown(Reason::Weakened(..) | Reason::Unconfirmed(_))),
        "{answers:?}"
    );
    assert!(matches!(answers[1], Answer::Unsafe(_)), "{answers:?}");
}
