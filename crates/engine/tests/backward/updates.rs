//! Updates of whole arrays, and properties that relate two of the cells that they change.

use std::sync::atomic::{AtomicU64, Ordering};

use polycube_engine::backward::Options;
use polycube_engine::forward::{self, explore};
use polycube_testing::for_seeds;
use polycube_testing::generate::Random;

fn answer(model: &str) -> &'static str {
    crate::answer(&crate::system(model), &Options::default())
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

/// One step that changes a whole array, from one initial state; then two of its cells are compared. What the values read,
/// they read for the right cell.
#[test]
fn random_updates_of_arrays_agree_with_exploration() {
    let (safe, unsafe_ones) = (AtomicU64::new(0), AtomicU64::new(0));
    let tried = for_seeds!(300, |seed| {
        let mut random = Random::new(seed);
        let index =
            |random: &mut Random| (*random.pick(&["k", "X", "To[k]", "To[X]", "To[To[k]]"])).to_owned();
        let read = |random: &mut Random| match random.below(3) {
            0 => format!("One[{}]", index(random)),
            1 => format!("Goal[{}]", index(random)),
            _ => {
                let (row, column) = (index(random), index(random));
                format!("Table[{row}, {column}]")
            }
        };
        let (first, second) = (read(&mut random), read(&mut random));
        let value =
            (*random.pick(&[first.clone(), format!("{first} + {second}"), format!("{first} - {second}")]))
                .clone();
        let mut init = vec![format!("X = #{}", random.between(1, 2)), "Done = False".to_owned()];
        for process in 1..=2 {
            init.push(format!("To[#{process}] = #{}", random.between(1, 2)));
            for array in ["Goal", "One"] {
                init.push(format!("{array}[#{process}] = {}", random.below(3)));
            }
            for column in 1..=2 {
                init.push(format!("Table[#{process}, #{column}] = {}", random.below(3)));
            }
        }
        let bad = *random.pick(&[
            "Goal[#1] < Goal[#2]",
            "Goal[#2] < Goal[#1]",
            "Goal[#1] = Goal[#2]",
            "Goal[#1] <> Goal[#2]",
        ]);
        let model = format!(
            "number_procs 2\nvar X : proc\nvar Done : bool\narray To[proc] : proc\narray Goal[proc] : int\n\
             array One[proc] : int\narray Table[proc, proc] : int\ninit {{ {} }}\nunsafe {{ Done = True && {bad} }}\n\
             transition go () requires {{ Done = False }} {{ Done := True; Goal[k] := case | _ : {value} }}",
            init.join(" && ")
        );
        let explored =
            explore(&crate::system(&model), &forward::Options::new(2), &mut ()).expect("a small instance");
        let expected = if explored.violations.is_empty() { &safe } else { &unsafe_ones };
        expected.fetch_add(1, Ordering::Relaxed);
        assert_eq!(answer(&model), if explored.violations.is_empty() { "safe" } else { "unsafe" }, "{model}");
    });
    let least = |count: AtomicU64| tried.is_none_or(|tried| count.into_inner() > tried / 10);
    assert!(least(safe) && least(unsafe_ones), "one answer is too rare");
}
