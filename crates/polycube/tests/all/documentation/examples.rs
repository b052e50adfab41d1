//! The examples of the library do what they say.

#[path = "../../../examples/explore.rs"]
mod explore;
#[path = "../../../examples/family.rs"]
mod family;

#[test]
fn a_family_of_models() {
    family::main().expect("all are verified");
    for (rooms, forgotten, answer) in
        [(1, None, Ok(())), (2, None, Ok(())), (2, Some(1), Err(2)), (2, Some(2), Err(4))]
    {
        let found = family::answer(family::rooms(rooms, forgotten)).expect("an answer");
        assert_eq!(found, answer, "{rooms} rooms, {forgotten:?}");
    }
}

#[test]
fn numbers_of_states() {
    explore::main().expect("all are explored");
    let model = explore::model().expect("a model");
    // A process is outside or waits; or one of them is inside, and the others are outside or wait.
    for processes in 1..=5 {
        let n = u64::from(processes);
        let each = 2_u64.pow(processes) + n * 2_u64.pow(processes - 1);
        assert_eq!(explore::count(&model, processes).expect("numbers"), (2 * n + 1, each));
    }
}
