//! Quantifiers inside others: a formula that holds in some state is not proved to hold in none, neither by the judge nor by
//! the scripts that outside solvers get. Both replace processes of which the formula says that they exist by names.

use polycube_certificate::hint::Hints;
use polycube_certificate::{Clause, Instance, Invariant, Obligation, Orders, State, Value, violates};
use polycube_induction::Finding;
use polycube_language::System;
use polycube_language::system::Type;
use polycube_solver::Kind;
use polycube_testing::for_seeds;
use polycube_testing::generate::Random;

use crate::ask::{installed, unproved_in};
use crate::{induction, scripts, shown};

/// How many states are looked at.
const STATES: usize = 60;

/// Two of so many are shown to a solver, which takes a process of its own.
const ASKED: u64 = 20;

const EXCLUDED: Obligation = Obligation::Excludes { property: 0 };
const PRESERVED: Obligation = Obligation::Preserved { transition: 0, clause: 0 };

#[test]
fn random_formulas_that_hold_somewhere_are_not_excluded() {
    for_seeds!(1_000, |seed| {
        let mut random = Random::new(seed);
        let formula = formula(&mut random, &mut vec!["i".to_owned()], 5);
        if holds_somewhere(&formula, STATES, &mut random) {
            is_not_proved(&formula, if seed % 2 == 0 { EXCLUDED } else { PRESERVED }, seed % ASKED < 2);
        }
    });
}

/// Each process has one of four colours, and needs another one with the next colour: so there are four of them, more than
/// have a name.
const COLOURS: &str =
    "A[i] && X && (A[i] <=> forall a. (X <=> exists b. (A[b] <=> M[a, a]) && (M[b, b] <=> not A[a])))";

/// No single process will do in place of `b`: in one case of the outer equivalence, there is one `a`; in the other one, each
/// has a `b` of its own.
#[test]
fn a_witness_in_one_case_is_none_in_the_other() {
    for formula in [
        "forall a. exists b. b <> a && M[a, b]",
        "A[i] && X && (A[i] <=> forall a. (X <=> exists b. b <> a && M[a, b]))",
        "A[i] && X && (if forall a. (X <=> exists b. b <> a && M[a, b]) then A[i] else false)",
        "forall a. (X || exists b. b <> a && M[a, b]) && not X && exists c. exists d. c <> d && M[c, d]",
        COLOURS,
    ] {
        assert!(holds_somewhere(formula, 10_000, &mut Random::new(0)), "{formula}");
        is_not_proved(formula, EXCLUDED, true);
        is_not_proved(formula, PRESERVED, true);
    }
}

/// Neither is it proved that the formula holds nowhere, nor that a step that it allows changes nothing.
fn is_not_proved(formula: &str, wrong: Obligation, asks: bool) {
    let system = system(&match wrong {
        Obligation::Preserved { .. } => {
            format!("unsafe () {{ Changed }} transition t (i) requires {{ {formula} }} {{ Changed := True }}")
        }
        _ => format!("unsafe (i) {{ {formula} }}"),
    });
    let never = self::system("unsafe () { Changed }").properties.remove(0).formula;
    let invariant = Invariant { clauses: vec![Clause { parameters: Vec::new(), never }] };
    let finding = induction(&system, &invariant).findings.remove(&wrong);
    assert!(
        !matches!(finding, Some(Finding::Proved(_)) | None),
        "{finding:?} {}",
        shown(&system, &invariant)
    );
    if let Some(z3) = asks.then(|| installed(Kind::Z3)).flatten() {
        let unproved = unproved_in(&z3, &scripts(&system, &invariant, &Hints::new()));
        assert!(unproved.contains_key(&wrong), "{}", shown(&system, &invariant));
    }
}

fn system(rest: &str) -> System {
    let text = format!(
        "array A[proc] : bool array M[proc, proc] : bool var X : bool var Changed : bool
         init (p) {{ not Changed }} {rest}"
    );
    polycube_language::check(&text).system.expect("a model")
}

/// Whether a formula about `i` holds in one of some states with a few processes, in which nothing has changed.
fn holds_somewhere(formula: &str, states: usize, random: &mut Random) -> bool {
    let system = system(&format!("unsafe (i) {{ {formula} }}"));
    let Type::Enumeration(bool) = Type::BOOL else { unreachable!("it has two values") };
    (0..states).any(|_| {
        let processes = random.between(1, 4) as u32;
        let instance = Instance::new(&system, processes, Orders::default()).expect("a small instance");
        let state = State::new(&system, processes, |cell| {
            let is_changed = system.symbol(cell.symbol).name == "Changed";
            Value::Constructor(bool, u32::from(!is_changed && random.percent(50)))
        });
        violates(&instance, &system.properties[0], &state).is_some()
    })
}

/// A formula about some of these processes, mostly one with quantifiers.
fn formula(random: &mut Random, processes: &mut Vec<String>, depth: usize) -> String {
    if depth == 0 || random.percent(10) {
        let [left, right] = [0; 2].map(|_| random.pick(processes).clone());
        let is_not = if random.percent(50) { "not " } else { "" };
        return match random.below(5) {
            0 => format!("{is_not}X"),
            1 | 2 => format!("{is_not}A[{left}]"),
            _ => format!("{is_not}M[{left}, {right}]"),
        };
    }
    if random.percent(55) {
        let name = format!("p{}", processes.len());
        let quantifier = random.pick(&["forall", "exists", "forall_other", "exists_other"]);
        processes.push(name.clone());
        let body = formula(random, processes, depth - 1);
        processes.pop();
        return format!("({quantifier} {name}. {body})");
    }
    let mut part = || formula(random, processes, depth - 1);
    let (first, second, third) = (part(), part(), part());
    match random.below(8) {
        0..2 => format!("({first} && {second})"),
        2..4 => format!("({first} || {second})"),
        4..7 => format!("({first} <=> {second})"),
        _ => format!("(if {first} then {second} else {third})"),
    }
}
