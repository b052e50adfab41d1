//! The definition of a system, case by case.

use std::collections::{BTreeMap, BTreeSet};

use polycube_certificate::{
    Cell, Instance, NoInstance, Orders, State, StepRejected, Value, check_step, enabled, is_initial, replay,
    successors, violates,
};
use polycube_language::System;
use polycube_language::system::EnumerationId;

use crate::support::{after, domain, instance, state, system, trace, transition, with};

const DECLARATIONS: &str = "
    type t = P | Q | R
    type data
    const C : int
    var X : int
    var Y : int
    var Z : real
    var G : proc
    var H : proc
    var U : t
    var B : bool
    var V : data
    array A[proc] : t
    array N[proc] : int
    array Next[proc] : proc
    array M[proc, proc] : t
    array T[proc, proc, proc] : t
    init { true }
";

/// A state of every instance.
const BEFORE: &str = "C = 7; X = 0; Y = 1; Z = 1/2; G = #1; H = #1; U = P; B = False; V = data!1; A[_] = P; N[_] = 0; \
                      Next[_] = #1; M[_] = P; T[_] = P";

fn model(text: &str) -> System {
    system(&format!("{DECLARATIONS}{text}"))
}

/// In an instance of `processes`, the transition `call` changes [`BEFORE`] with `given` by `expected` and by
/// nothing else.
fn changes(processes: u32, text: &str, call: &str, given: &str, expected: &str) {
    let system = model(text);
    let instance = instance(&system, processes);
    let before = with(&system, processes, &state(&system, processes, BEFORE), given);
    let expected = with(&system, processes, &before, expected);
    assert_eq!(before.changes_to(&after(&instance, &before, call)), before.changes_to(&expected), "{text}");
}

/// The tuples for which the guard of `t (parameters)` holds in [`BEFORE`] with `given`.
fn enabled_for(processes: u32, parameters: &str, guard: &str, given: &str) -> Vec<Vec<u32>> {
    let system = model(&format!("transition t ({parameters}) requires {{ {guard} }} {{ }}"));
    let instance = instance(&system, processes);
    let state = with(&system, processes, &state(&system, processes, BEFORE), given);
    enabled(&instance, &system.transitions[0], &state)
}

/// Whether a formula without variables holds in [`BEFORE`] with `given`.
fn is_true(processes: u32, formula: &str, given: &str) -> bool {
    !enabled_for(processes, "", formula, given).is_empty()
}

#[test]
fn updates_are_simultaneous() {
    changes(1, "transition t () { X := Y; Y := X; }", "t()", "X = 3; Y = 5", "X = 5; Y = 3");
    changes(
        2,
        "transition t (p q) { A[k] := case | k = p : A[q] | k = q : A[p] | _ : A[k]; }",
        "t(#1,#2)",
        "A[#1] = Q; A[#2] = R",
        "A[#1] = R; A[#2] = Q",
    );
    changes(2, "transition t () { G := H; A[G] := Q; }", "t()", "G = #1; H = #2", "G = #2; A[#1] = Q");
}

#[test]
fn conditions_read_the_old_state() {
    let text = "transition t () { X := 1; Y := case | X = 0 : 5 | X = 1 : 6 | _ : 7; }";
    changes(1, text, "t()", "X = 0", "X = 1; Y = 5");
    changes(1, text, "t()", "X = 1", "Y = 6");
    changes(1, text, "t()", "X = 2", "X = 1; Y = 7");
}

#[test]
fn the_first_branch_that_holds_counts() {
    let text = "transition t () { Y := case | X <= 5 : 50 | X <= 9 : 90 | _ : 100; }";
    for (x, y) in [("5", "50"), ("6", "90"), ("9", "90"), ("10", "100")] {
        changes(1, text, "t()", &format!("X = {x}"), &format!("Y = {y}"));
    }
}

#[test]
fn index_variables_stand_for_every_tuple() {
    // Also for the processes of the parameters ...
    changes(3, "transition t (p) { A[k] := case | _ : Q; }", "t(#2)", "", "A[_] = Q");
    changes(3, "transition t (p) { A[k] := case | k = p : R | _ : Q; }", "t(#2)", "", "A[_] = Q; A[#2] = R");
    // ... and for tuples with repetitions.
    changes(
        2,
        "transition t () { M[i, j] := case | i = j : Q | _ : R; }",
        "t()",
        "",
        "M[_] = R; M[#1,#1] = Q; M[#2,#2] = Q",
    );
    changes(
        2,
        "transition t (p) { M[i, j] := case | i = p : Q | j = p : R | _ : M[i, j]; }",
        "t(#2)",
        "",
        "M[#2,#1] = Q; M[#2,#2] = Q; M[#1,#2] = R",
    );
}

#[test]
fn cells_of_arrays_of_several_dimensions() {
    changes(3, "transition t (p q) { M[p, q] := Q; }", "t(#3,#1)", "", "M[#3,#1] = Q");
    changes(3, "transition t (p q) { M[q, p] := Q; }", "t(#3,#1)", "", "M[#1,#3] = Q");
    changes(3, "transition t (p q r) { T[p, q, r] := Q; }", "t(#3,#1,#2)", "", "T[#3,#1,#2] = Q");
    changes(3, "transition t (p q) { T[q, p, q] := Q; }", "t(#3,#1)", "", "T[#1,#3,#1] = Q");
    changes(
        2,
        "transition t () { M[i, j] := case | _ : M[j, i]; }",
        "t()",
        "M[#1,#2] = Q",
        "M[#1,#2] = P; M[#2,#1] = Q",
    );
    assert_eq!(enabled_for(2, "p q", "M[p, q] = Q", "M[#2,#1] = Q"), [[2, 1]]);
    assert_eq!(enabled_for(3, "p q r", "T[q, r, p] = Q", "T[#1,#2,#3] = Q"), [[3, 1, 2]]);
}

#[test]
fn processes_are_values_and_values_are_indices() {
    changes(3, "transition t (p) { G := p; }", "t(#3)", "", "G = #3");
    changes(3, "transition t () { A[G] := Q; }", "t()", "G = #2", "A[#2] = Q");
    changes(3, "transition t (p) { U := A[Next[p]]; }", "t(#1)", "Next[#1] = #3; A[#3] = R", "U = R");
    changes(3, "transition t () { Next[G] := Next[H]; }", "t()", "H = #2; Next[#2] = #3", "Next[#1] = #3");
    assert_eq!(enabled_for(3, "p", "G = p", "G = #2"), [[2]]);
    assert_eq!(enabled_for(3, "p", "A[Next[G]] = Q && p = Next[G]", "Next[#1] = #3; A[#3] = Q"), [[3]]);
    assert_eq!(enabled_for(3, "p", "A[Next[G]] = Q && p = Next[G]", "Next[#1] = #3; A[#1] = Q"), [[0; 0]; 0]);
}

#[test]
fn what_has_no_update_keeps_its_value() {
    let system = model("transition t () { X := 1 }");
    let instance = instance(&system, 2);
    let before = state(&system, 2, BEFORE);
    let after = with(&system, 2, &before, "X = 1");
    let check = |after: &State| check_step(&instance, &before, &system.transitions[0], &[], after);
    assert_eq!(check(&after), Ok(()));
    for change in ["C = 8", "Y = 2", "Z = 1", "G = #2", "A[#2] = Q", "T[#1,#2,#1] = R", "V = data!2"] {
        let rejected = check(&with(&system, 2, &after, change)).expect_err(change);
        let (name, value) = change.split_once(" = ").expect("a change");
        let message = rejected.to_string();
        assert!(message.starts_with(&format!("`{name}` stays ")), "{message}");
        assert!(message.ends_with(&format!("it does not become `{value}`")), "{message}");
    }
    let rejected = check(&with(&system, 2, &after, "X = 2")).expect_err("another value");
    assert_eq!(rejected.to_string(), "`X` becomes `1`, not `2`");
    assert!(check(&before).is_err(), "what is updated does not keep its value");
}

#[test]
fn each_cell_chooses_for_itself() {
    let system = model("transition t (p) { A[k] := case | k = p : A[k] | _ : ?; X := ?; }");
    let instance = instance(&system, 3);
    let (before, transition) = (state(&system, 3, BEFORE), &system.transitions[0]);
    let choices = |ty| domain(&instance, ty);
    let all = successors(&instance, transition, &[2], &before, &choices);
    // Two cells with three constructors each, and four integers.
    assert_eq!(all.len(), 3 * 3 * 4);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    for after in &all {
        assert_eq!(check_step(&instance, &before, transition, &[2], after), Ok(()));
        let kept = |cell: &Cell| {
            system.symbol(cell.symbol).name != "X" && cell.indices != [1] && cell.indices != [3]
        };
        assert!(before.changes_to(after).iter().all(|(cell, _)| !kept(cell)));
    }
    // Also what `choices` does not list.
    let far = with(&system, 3, &before, "X = -1000000; A[#1] = Q; A[#3] = R");
    assert_eq!(check_step(&instance, &before, transition, &[2], &far), Ok(()));
    let wrong = with(&system, 3, &before, "A[#2] = Q");
    assert!(matches!(
        check_step(&instance, &before, transition, &[2], &wrong),
        Err(StepRejected::OtherValue { .. })
    ));
}

#[test]
fn a_choice_is_of_the_right_type() {
    let system = model("transition t () { X := ?; Z := ?; G := ?; U := ?; V := ?; }");
    let instance = instance(&system, 2);
    let before = state(&system, 2, BEFORE);
    let check = |name: &str, value: &Value| {
        let mut after = before.clone();
        after.set(Cell::parse(&system, name).expect("a cell"), value.clone());
        check_step(&instance, &before, &system.transitions[0], &[], &after)
    };
    let half = Value::Number(polycube_language::number::Number::parse("0.5").expect("a number"));
    assert_eq!(check("Z", &half), Ok(()));
    assert!(matches!(check("X", &half), Err(StepRejected::After(_))));
    assert_eq!(check("G", &Value::Process(2)), Ok(()));
    for process in [0, 3, u32::MAX] {
        assert!(matches!(check("G", &Value::Process(process)), Err(StepRejected::After(_))));
    }
    assert_eq!(check("U", &Value::Constructor(EnumerationId(1), 2)), Ok(()));
    assert!(check("U", &Value::Constructor(EnumerationId(1), 3)).is_err());
    assert!(check("U", &Value::Constructor(EnumerationId(0), 1)).is_err());
    assert_eq!(check("V", &Value::Abstract(polycube_language::system::AbstractTypeId(0), 99)), Ok(()));
    assert!(check("V", &Value::Abstract(polycube_language::system::AbstractTypeId(0), 0)).is_err());
}

#[test]
fn parameters_of_transitions_are_pairwise_distinct() {
    assert_eq!(enabled_for(2, "p q", "true", ""), [[1, 2], [2, 1]]);
    assert_eq!(enabled_for(3, "p q r", "true", "").len(), 6);
    assert_eq!(enabled_for(1, "p q", "true", ""), [[0; 0]; 0]);
    assert_eq!(enabled_for(2, "", "true", ""), [[0; 0]]);
    // The values of symbols may coincide with parameters.
    assert_eq!(enabled_for(2, "p", "G = p", "G = #1"), [[1]]);
    let system = model("transition t (p q) { }");
    let instance = instance(&system, 2);
    let before = state(&system, 2, BEFORE);
    let check =
        |arguments: &[u32]| check_step(&instance, &before, &system.transitions[0], arguments, &before);
    assert_eq!(check(&[2, 1]), Ok(()));
    assert_eq!(check(&[1, 1]), Err(StepRejected::SameProcessTwice(1)));
    assert!(successors(&instance, &system.transitions[0], &[1, 1], &before, &|_| Vec::new()).is_empty());
}

#[test]
fn parameters_of_properties_are_pairwise_distinct() {
    let violated = |processes: u32, property: &str, given: &str| {
        let system = model(property);
        let state = with(&system, processes, &state(&system, processes, BEFORE), given);
        violates(&instance(&system, processes), &system.properties[0], &state)
    };
    assert_eq!(violated(2, "unsafe (p q) { A[p] = Q && A[q] = Q }", "A[#1] = Q"), None);
    assert_eq!(violated(2, "unsafe (p q) { A[p] = Q && A[q] = Q }", "A[_] = Q"), Some(vec![1, 2]));
    assert_eq!(
        violated(3, "unsafe (p q) { A[p] = Q && A[q] = R }", "A[#3] = Q; A[#1] = R"),
        Some(vec![3, 1])
    );
    // A parameter that is not mentioned says that there are this many processes.
    assert_eq!(violated(1, "unsafe (p q) { X = 0 }", ""), None);
    assert_eq!(violated(2, "unsafe (p q) { X = 0 }", ""), Some(vec![1, 2]));
    assert_eq!(violated(1, "unsafe { X = 0 }", ""), Some(Vec::new()));
    // An invariant is the negation of its property's formula.
    assert_eq!(violated(1, "invariant { X = 0 }", "X = 1"), None);
    assert_eq!(violated(1, "invariant { X = 0 }", "X = 0"), Some(Vec::new()));
}

#[test]
fn parameters_of_init_may_coincide() {
    let system = system("type t = P | Q\n array M[proc, proc] : t\n init (x y) { M[x, y] = P }");
    let instance = instance(&system, 2);
    let initial = state(&system, 2, "M[_] = P");
    assert_eq!(is_initial(&instance, &initial), Ok(()));
    for (cell, processes) in [("M[#1,#1]", [1, 1]), ("M[#1,#2]", [1, 2]), ("M[#2,#2]", [2, 2])] {
        let other = with(&system, 2, &initial, &format!("{cell} = Q"));
        let refused = is_initial(&instance, &other).expect_err("not initial");
        assert_eq!((refused.clause, &refused.processes[..]), (0, &processes[..]));
    }
}

#[test]
fn every_init_clause_holds() {
    let system = system("var X : int\n array N[proc] : int\n init { X = 0 }\n init (p) { N[p] = 1 }");
    let instance = instance(&system, 2);
    assert_eq!(is_initial(&instance, &state(&system, 2, "X = 0; N[_] = 1")), Ok(()));
    let clause =
        |text: &str| is_initial(&instance, &state(&system, 2, text)).expect_err("not initial").clause;
    assert_eq!(clause("X = 1; N[_] = 1"), 0);
    assert_eq!(clause("X = 0; N[_] = 1; N[#2] = 0"), 1);
}

#[test]
fn quantifiers_range_over_all_processes() {
    let all_but_one = "A[_] = Q; A[#2] = P";
    assert_eq!(enabled_for(3, "p", "forall j. A[j] = Q", "A[_] = Q").len(), 3);
    // `p` included.
    assert!(enabled_for(3, "p", "forall j. A[j] = Q", all_but_one).is_empty());
    assert_eq!(enabled_for(3, "p", "forall_other j. A[j] = Q", all_but_one), [[2]]);
    assert_eq!(enabled_for(3, "p", "exists j. A[j] = P", all_but_one).len(), 3);
    assert_eq!(enabled_for(3, "p", "exists_other j. A[j] = P", all_but_one), [[1], [3]]);
    assert_eq!(enabled_for(1, "p", "forall_other j. false", "").len(), 1);
    assert!(enabled_for(1, "p", "exists_other j. true", "").is_empty());
    assert!(is_true(2, "exists i. forall j. M[i, j] = Q", "M[#2,#1] = Q; M[#2,#2] = Q"));
    assert!(!is_true(2, "exists i. forall j. M[i, j] = Q", "M[#1,#1] = Q; M[#2,#2] = Q"));
    assert!(is_true(2, "forall j. exists i. M[i, j] = Q", "M[#1,#1] = Q; M[#2,#2] = Q"));
    assert!(!is_true(2, "forall j. exists i. M[i, j] = Q", "M[#1,#1] = Q; M[#2,#1] = Q"));
}

#[test]
fn connectives() {
    for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let given = format!("X = {x}; Y = {y}");
        let (a, b) = (x == 1, y == 1);
        for (formula, expected) in [
            ("X = 1 && Y = 1", a && b),
            ("X = 1 || Y = 1", a || b),
            ("X = 1 => Y = 1", !a || b),
            ("X = 1 <=> Y = 1", a == b),
            ("not (X = 1 && Y = 1)", !(a && b)),
            ("not (X = 1 <=> Y = 1)", a != b),
            ("if X = 1 then Y = 1 else Y = 0", a == b),
            ("if X = 1 then B = False else Y = 1", a || b),
            ("X <> Y", x != y),
            ("X < Y", x < y),
            ("X <= Y", x <= y),
            ("X > Y", x > y),
            ("X >= Y", x >= y),
        ] {
            assert_eq!(is_true(1, formula, &given), expected, "{formula} where {given}");
        }
    }
}

#[test]
fn numbers_are_exact() {
    changes(1, "transition t () { X := 2 * X - Y - C + 3; }", "t()", "X = 5; Y = -1; C = 7", "X = 7");
    changes(1, "transition t () { X := -3 * X; }", "t()", "X = 5", "X = -15");
    let large = "100000000000000000000000000000000000000000";
    let larger = "100000000000000000000000000000000000000001";
    changes(1, "transition t () { X := X + 1; }", "t()", &format!("X = {large}"), &format!("X = {larger}"));
    changes(1, "transition t () { Z := Z + 0.1; }", "t()", "Z = 1/5", "Z = 3/10");
    changes(1, "transition t () { Z := 0.5 * Z - 2.0; }", "t()", "Z = 1/8", "Z = -31/16");
    assert!(is_true(1, "Z + 0.1 = 0.3", "Z = 1/5"));
    assert!(is_true(1, "Z < 0.3", "Z = 1/5"));
    assert!(!is_true(1, "Z < 0.3", "Z = 3/10"));
    assert!(is_true(1, "Z <= 0.3", "Z = 3/10"));
    assert!(is_true(1, "Z < 0.0", "Z = -1/2"));
    assert!(is_true(1, "2 * X <= Y + 1", "X = 3; Y = 5"));
    assert!(!is_true(1, "2 * X <= Y + 1", "X = 3; Y = 4"));
    assert_eq!(enabled_for(3, "p", "N[p] + 1 = X", "X = 5; N[#2] = 4"), [[2]]);
}

#[test]
fn the_order_of_processes_is_what_the_instance_says() {
    let system =
        model("transition less (p q) requires { p < q } { } transition not_more (p) requires { p <= G } { }");
    let state = state(&system, 3, BEFORE);
    let possible = |order: Option<Vec<u32>>, name: &str| {
        let orders = Orders { processes: order, ..Orders::default() };
        let instance = Instance::new(&system, 3, orders).expect("an instance");
        enabled(&instance, transition(&system, name), &state)
    };
    assert_eq!(possible(None, "less"), [[1, 2], [1, 3], [2, 3]]);
    assert_eq!(possible(Some(vec![1, 2, 3]), "less"), [[1, 2], [1, 3], [2, 3]]);
    assert_eq!(possible(Some(vec![2, 3, 1]), "less"), [[2, 1], [2, 3], [3, 1]]);
    // `G` is #1.
    assert_eq!(possible(None, "not_more"), [[1]]);
    assert_eq!(possible(Some(vec![3, 1, 2]), "not_more"), [[1], [3]]);
}

#[test]
fn the_order_of_an_enumeration_is_what_the_instance_says() {
    let system = model("transition t (p) requires { A[p] < U && B < True } { }");
    let state = with(&system, 3, &state(&system, 3, BEFORE), "A[#2] = Q; A[#3] = R; U = Q; B = False");
    let possible = |order: Option<Vec<u32>>, booleans: Vec<u32>| {
        let mut enumerations = BTreeMap::from([(EnumerationId::BOOL, booleans)]);
        enumerations.extend(order.map(|order| (EnumerationId(1), order)));
        let orders = Orders { processes: None, enumerations };
        let instance = Instance::new(&system, 3, orders).expect("an instance");
        enabled(&instance, &system.transitions[0], &state)
    };
    assert_eq!(possible(None, vec![0, 1]), [[1]]);
    assert_eq!(possible(Some(vec![2, 0, 1]), vec![0, 1]), [[1], [3]]);
    assert_eq!(possible(Some(vec![1, 2, 0]), vec![0, 1]), [[0; 0]; 0]);
    assert_eq!(possible(None, vec![1, 0]), [[0; 0]; 0]);
}

#[test]
fn abstract_values_are_equal_or_not_and_ordered_by_number() {
    let system = model(
        "var W : data transition same () requires { V = W } { } transition less () requires { V < W } { }",
    );
    let possible = |name: &str, v: u32, w: u32| {
        let given = format!("{BEFORE}; V = data!{v}; W = data!{w}");
        !enabled(&instance(&system, 1), transition(&system, name), &state(&system, 1, &given)).is_empty()
    };
    assert!(possible("same", 2, 2) && !possible("same", 1, 2));
    assert!(possible("less", 1, 2) && !possible("less", 2, 1) && !possible("less", 2, 2));
}

#[test]
fn a_fixed_number_of_processes() {
    let text = "number_procs 2\n array N[proc] : int\n init (p) { N[p] = 0 }\n transition t () { N[#2] := N[#1] + 1; }";
    let system = system(text);
    let fixed = instance(&system, 2);
    let before = state(&system, 2, "N[#1] = 4; N[#2] = 0");
    assert_eq!(after(&fixed, &before, "t()"), state(&system, 2, "N[#1] = 4; N[#2] = 5"));
    let refused = Instance::new(&system, 3, Orders::default()).expect_err("another number");
    assert_eq!(refused, NoInstance::OtherNumber { fixed: 2, given: 3 });
}

#[test]
fn any_transition_of_the_name_will_do() {
    let system = system(
        "var X : int init { X = 0 } transition t () requires { X = 0 } { X := 1 } transition other () { } \
         transition t () requires { X = 1 } { X := 2 } transition t () { }",
    );
    let steps = [("t()", "X = 1"), ("t()", "X = 2"), ("other()", ""), ("t()", "")];
    let run = replay(&system, &trace(&system, 1, "X = 0", &steps)).expect("a run");
    assert_eq!(run.transitions, [0, 2, 1, 3]);
    assert_eq!(run.states.last(), Some(&state(&system, 1, "X = 2")));
    let rejected = replay(&system, &trace(&system, 1, "X = 0", &[("t()", "X = 2")])).expect_err("no run");
    assert_eq!(
        rejected.to_string(),
        "step 1: transition `t` does not allow this: `X` becomes `1`, not `2`; or its guard does not hold: `X = 1` is \
         false (X is 0); or `X` stays `0`, it does not become `2`"
    );
}

#[test]
fn a_run_says_which_properties_are_violated_and_where() {
    let system = system(
        "var X : int array N[proc] : int init (p) { X = 0 && N[p] = 0 } unsafe { X = 1 } unsafe (p) { N[p] = 1 } \
         unsafe { X = 2 } transition next () { X := X + 1 } transition mark (p) { N[p] := 1 }",
    );
    let steps = [("next()", "X = 1"), ("mark(#2)", "N[#2] = 1"), ("next()", "X = 2")];
    let run = replay(&system, &trace(&system, 2, "X = 0; N[_] = 0", &steps)).expect("a run");
    let plain = |violations: &[polycube_certificate::Violation]| -> Vec<(usize, usize, Vec<u32>)> {
        violations.iter().map(|found| (found.state, found.property, found.processes.clone())).collect()
    };
    assert_eq!(plain(&run.violations), [(3, 1, vec![2]), (3, 2, vec![])]);
    assert_eq!(plain(&run.earlier_violations), [(1, 0, vec![]), (2, 0, vec![]), (2, 1, vec![2])]);
    let run = replay(&system, &trace(&system, 2, "X = 0; N[_] = 0", &[])).expect("a run");
    assert_eq!((run.states.len(), run.violations.len(), run.earlier_violations.len()), (1, 0, 0));
}
