//! Every kind of wrong trace is rejected, with a reason, and never with a panic.

use std::collections::BTreeMap;

use polycube_certificate::{Cell, NoInstance, Orders, Rejection, State, Step, Trace, Value, replay};
use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::system::{AbstractTypeId, EnumerationId, SymbolId};

use crate::support::{system, trace};

fn model() -> System {
    system(
        "type t = Idle | Crit
         var Turn : proc
         var Count : int
         array A[proc] : t
         init (p) { A[p] = Idle && Count = 0 }
         unsafe (p q) { A[p] = Crit && A[q] = Crit }
         transition enter (p) requires { Turn = p && A[p] = Idle } { A[p] := Crit; Count := Count + 1; }
         transition pass (p q) requires { Turn = p } { Turn := q; }
         transition reset () { A[k] := case | _ : ?; }",
    )
}

const INITIAL: &str = "Turn = #1; Count = 0; A[_] = Idle";

fn good(system: &System) -> Trace {
    let steps = [
        ("enter(#1)", "A[#1] = Crit; Count = 1"),
        ("pass(#1,#2)", "Turn = #2"),
        ("enter(#2)", "A[#2] = Crit; Count = 2"),
        ("reset()", "A[#1] = Idle"),
    ];
    trace(system, 2, INITIAL, &steps)
}

fn number(number: i64) -> Value {
    Value::Number(Number::from(number))
}

/// The message about the trace after it was spoilt.
fn message(spoil: impl FnOnce(&System, &mut Trace)) -> String {
    let system = model();
    let mut trace = good(&system);
    spoil(&system, &mut trace);
    replay(&system, &trace).expect_err("this is no run").to_string()
}

/// The message about a trace of two processes with these steps.
fn message_of(steps: &[(&str, &str)]) -> String {
    let system = model();
    replay(&system, &trace(&system, 2, INITIAL, steps)).expect_err("this is no run").to_string()
}

#[test]
fn the_good_trace_is_accepted() {
    let system = model();
    let run = replay(&system, &good(&system)).expect("a run");
    assert_eq!(run.transitions, [0, 1, 0, 2]);
    assert_eq!(run.earlier_violations.len(), 1);
}

#[test]
fn numbers_of_processes() {
    assert_eq!(message(|_, trace| trace.processes = 0), "initial state: there must be at least one process");
    assert_eq!(message(|_, trace| trace.processes = 1), "initial state: there is no `A[#2]`");
    assert_eq!(message(|_, trace| trace.processes = 3), "initial state: `A[#3]` has no value");
    for processes in [65, u32::MAX] {
        let expected =
            format!("initial state: {processes} processes are too many: at most 64 can be treated");
        assert_eq!(message(|_, trace| trace.processes = processes), expected);
    }
    let fixed = system("number_procs 3 var X : int init { X = 0 }");
    let rejected = replay(&fixed, &trace(&fixed, 2, "X = 0", &[])).expect_err("another number");
    assert_eq!(
        rejected.to_string(),
        "initial state: the number of processes must be 3 (`number_procs 3`), not 2"
    );
}

#[test]
fn more_cells_than_there_is_memory() {
    let system = system(&format!("array A[{}] : bool init {{ true }}", vec!["proc"; 16].join(", ")));
    let orders = Orders::default();
    let trace = Trace { processes: 64, orders, initial: State::default(), steps: Vec::new() };
    let rejected = replay(&system, &trace).expect_err("too large");
    assert_eq!(rejected.reason, Rejection::NoInstance(NoInstance::TooManyCells));
}

#[test]
fn orders() {
    for order in [vec![], vec![1], vec![1, 1], vec![0, 1], vec![1, 3], vec![1, 2, 3], vec![2, 1, 2]] {
        let expected = "initial state: the order of processes does not list each process exactly once";
        assert_eq!(message(|_, trace| trace.orders.processes = Some(order)), expected);
    }
    for order in [vec![], vec![0], vec![1, 2], vec![0, 0], vec![0, 1, 2]] {
        let expected = "initial state: the order of `t` does not list each of its constructors exactly once";
        let enumerations = BTreeMap::from([(EnumerationId(1), order)]);
        assert_eq!(message(|_, trace| trace.orders.enumerations = enumerations), expected);
    }
    let enumerations = BTreeMap::from([(EnumerationId(5), vec![0])]);
    assert_eq!(
        message(|_, trace| trace.orders.enumerations = enumerations),
        "initial state: there is an order for enumeration 5, which does not exist"
    );
}

#[test]
fn initial_states_that_are_none() {
    assert_eq!(message(|_, trace| trace.initial = State::default()), "initial state: `Turn` has no value");
    let set = |cell: Cell, value: Value| {
        message(|_, trace| {
            trace.initial.set(cell, value);
        })
    };
    let cell = |symbol: u32, indices: &[u32]| Cell { symbol: SymbolId(symbol), indices: indices.to_vec() };
    for (wrong, name) in [
        (cell(9, &[]), "<symbol 9>"),
        (cell(0, &[1]), "Turn[#1]"),
        (cell(2, &[]), "A"),
        (cell(2, &[1, 2]), "A[#1,#2]"),
        (cell(2, &[0]), "A[#0]"),
        (cell(2, &[u32::MAX]), "A[#4294967295]"),
    ] {
        assert_eq!(set(wrong, number(0)), format!("initial state: there is no `{name}`"));
    }
    for (cell, value, text, name, ty) in [
        (cell(0, &[]), Value::Process(0), "#0", "Turn", "proc"),
        (cell(0, &[]), Value::Process(3), "#3", "Turn", "proc"),
        (cell(0, &[]), number(1), "1", "Turn", "proc"),
        (cell(1, &[]), Value::Number(Number::parse("0.5").expect("a number")), "1/2", "Count", "int"),
        (cell(1, &[]), Value::Process(1), "#1", "Count", "int"),
        (cell(2, &[2]), Value::Constructor(EnumerationId::BOOL, 0), "False", "A[#2]", "t"),
        (cell(2, &[2]), Value::Constructor(EnumerationId(1), 2), "<constructor 2 of t>", "A[#2]", "t"),
        (
            cell(2, &[2]),
            Value::Constructor(EnumerationId(8), 0),
            "<constructor 0 of enumeration 8>",
            "A[#2]",
            "t",
        ),
        (cell(2, &[2]), Value::Abstract(AbstractTypeId(0), 1), "<value 1 of abstract type 0>", "A[#2]", "t"),
    ] {
        let expected =
            format!("initial state: `{name}` cannot be `{text}`, which is not a value of type `{ty}`");
        assert_eq!(set(cell, value), expected);
    }
    assert_eq!(
        set(cell(1, &[]), number(3)),
        "initial state: an `init` clause does not hold: `Count = 0` is false (Count is 3)"
    );
    assert_eq!(
        set(cell(2, &[2]), Value::Constructor(EnumerationId(1), 1)),
        "initial state: an `init` clause does not hold: `A[p] = Idle` is false for p = #2 (A[#2] is Crit)"
    );
}

#[test]
fn transitions_and_arguments() {
    assert_eq!(message_of(&[("leave(#1)", "")]), "step 1: there is no transition `leave`");
    let prefix = "step 1: transition `pass` does not allow this: ";
    for (call, reason) in [
        ("pass()", "wrong number of arguments: 0 given, 2 expected"),
        ("pass(#1)", "wrong number of arguments: 1 given, 2 expected"),
        ("pass(#1,#2,#2)", "wrong number of arguments: 3 given, 2 expected"),
        ("pass(#1,#3)", "there is no process #3"),
        ("pass(#0,#1)", "there is no process #0"),
        ("pass(#4294967295,#1)", "there is no process #4294967295"),
        ("pass(#1,#1)", "#1 stands for two of its parameters, which are different processes"),
        ("pass(#2,#1)", "its guard does not hold: `Turn = p` is false for p = #2 (Turn is #1)"),
    ] {
        assert_eq!(message_of(&[(call, "Turn = #2")]), format!("{prefix}{reason}"));
    }
}

#[test]
fn changes() {
    let enter = ("enter(#1)", "A[#1] = Crit; Count = 1");
    for (steps, reason) in [
        (
            &[enter, ("pass(#1,#2)", "")][..],
            "transition `pass` does not allow this: `Turn` becomes `#2`, not `#1`",
        ),
        (
            &[enter, ("pass(#1,#2)", "Turn = #2; A[#1] = Idle")],
            "transition `pass` does not allow this: `A[#1]` stays `Crit`, it does not become `Idle`",
        ),
        (
            &[enter, ("reset()", "A[#1] = Idle; Turn = #2")],
            "transition `reset` does not allow this: `Turn` stays `#1`, it does not become `#2`",
        ),
        (&[enter, ("pass(#1,#2)", "Turn = #2; Turn = #2")], "`Turn` is changed twice"),
        (&[enter, ("pass(#1,#2)", "Turn = #2; A[#3] = Idle")], "there is no `A[#3]`"),
        (
            &[enter, ("pass(#1,#2)", "Turn = #3")],
            "`Turn` cannot be `#3`, which is not a value of type `proc`",
        ),
    ] {
        assert_eq!(message_of(steps), format!("step 2: {reason}"));
    }
    let change = |cell: Cell, value: Value| {
        message(|_, trace| {
            let step =
                Step { transition: "reset".to_owned(), arguments: vec![], changes: vec![(cell, value)] };
            trace.steps[1] = step;
        })
    };
    let cell = |symbol: u32, indices: &[u32]| Cell { symbol: SymbolId(symbol), indices: indices.to_vec() };
    assert_eq!(change(cell(7, &[1]), number(0)), "step 2: there is no `<symbol 7>[#1]`");
    assert_eq!(change(cell(2, &[]), number(0)), "step 2: there is no `A`");
    assert_eq!(change(cell(1, &[1]), number(0)), "step 2: there is no `Count[#1]`");
    assert_eq!(
        change(cell(2, &[1]), number(0)),
        "step 2: `A[#1]` cannot be `0`, which is not a value of type `t`"
    );
}

#[test]
fn to_name_a_cell_that_keeps_its_value_is_allowed() {
    let system = model();
    let mut trace = good(&system);
    trace.steps[1].changes.push((Cell { symbol: SymbolId(1), indices: vec![] }, number(1)));
    assert!(replay(&system, &trace).is_ok());
}
