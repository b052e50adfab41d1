//! More cells than fit into 16 bits.

use polycube_engine::backward::Options;
use polycube_engine::cube::Unsupported;
use polycube_engine::engine::{Engine, verify};
use polycube_engine::oracle::Plan;
use polycube_language::check;

/// The last variable is the 65,537th cell of one process. Counted in 16 bits it would be the first, which differs from it
/// initially: no state would be initial, and nothing reachable.
#[test]
fn cells_beyond_the_limit_are_refused() {
    let mut model = "var First : bool\n".to_owned();
    (1..1 << 16).for_each(|at| model.push_str(&format!("array A{at}[proc] : bool\n")));
    model.push_str(
        "var Last : bool
        init () { First = True && Last = False }
        unsafe () { Last = True }
        transition set () requires { First = True } { Last := True }",
    );
    let checked = check(&model);
    let system = checked.system.unwrap_or_else(|| panic!("a system: {:?}", checked.diagnostics));
    let found = verify(&system, Engine::Auto, &Options::default(), Plan::default(), &mut ());
    assert_eq!(found.err(), Some(Unsupported::Cells { processes: 1, given: (1 << 16) + 1 }));
}
