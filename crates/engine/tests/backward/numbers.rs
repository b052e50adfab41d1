//! Integers.

use polycube_engine::backward::{Answer, Options, verify};

/// A sum that is even, and a difference that is odd: over the rationals there are many, and no bound that helps to see that
/// there are none over the integers. Branching alone does not end; `smt/lattice.rs` decides it.
#[test]
fn parities_of_unbounded_integers() {
    let model = "
        var X : int
        var Y : int
        var A : int
        var B : int
        var Met : bool
        init () { Met = False }
        unsafe () { Met = True }
        transition meet () requires { X + Y = 2 * A && X - Y = 2 * B + 1 } { Met := True }";
    let system = crate::system(model);
    let answers = |system| verify(system, &Options::default(), &mut ()).expect("within the limits").answers;
    assert_eq!(answers(&system), [Answer::Safe]);
    let system = crate::system(&model.replace("+ 1 }", "}"));
    assert!(matches!(answers(&system)[0], Answer::Unsafe(_)));
}
