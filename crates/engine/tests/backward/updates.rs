//! Updates of whole arrays, and properties that relate two of the cells that they change.

use polycube_engine::backward::{Options, verify};

fn answer(model: &str) -> &'static str {
    let system = polycube_language::check(model).system.expect("a correct model");
    verify(&system, &Options::default(), &mut ()).expect("a supported system").verdict().word()
}

/// The index of one cell stays what it is while the value of the other is looked at.
#[test]
fn a_row_that_a_pointer_chooses() {
    let model = "
        number_procs 2
        var Row : proc
        array Copy[proc] : int
        array Table[proc, proc] : int
        init (p) {
          Row = #2 && Copy[p] = 0 && Table[#1, p] = 0 && Table[#2, #1] = 1 && Table[#2, #2] = 2
        }
        unsafe { Copy[#1] < Copy[#2] }
        transition load () { Copy[k] := case | _ : Table[Row, k] }
    ";
    assert_eq!(answer(model), "unsafe");
    assert_eq!(answer(&model.replace("Copy[#1] < Copy[#2]", "Copy[#2] < Copy[#1]")), "safe");
}

#[test]
fn a_sum_of_what_a_pointer_and_an_index_give() {
    let model = "
        number_procs 2
        array To[proc] : proc
        array Sum[proc] : int
        array One[proc] : int
        array Other[proc] : int
        init (p) {
          To[#1] = #2 && To[#2] = #1 && Sum[p] = 0 && One[p] = 0 && Other[#1] = 1 && Other[#2] = 2
        }
        unsafe { Sum[#1] < Sum[#2] }
        transition add () { Sum[k] := case | _ : One[To[k]] + Other[k] }
    ";
    assert_eq!(answer(model), "unsafe");
    assert_eq!(answer(&model.replace("Sum[#1] < Sum[#2]", "Sum[#2] < Sum[#1]")), "safe");
}
