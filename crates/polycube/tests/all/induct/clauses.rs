//! What is printed for a clause says the same as the clause.

use polycube::certificates::{Instance, Orders, State, Value, violates};
use polycube::language::System;
use polycube::language::check::normalize;
use polycube::language::system::{Init, Property, PropertyKind, Transition, Type};
use polycube_testing::for_seeds;
use polycube_testing::generate::{Profile, Random, random_system};

use super::json;

const SYSTEMS: u64 = 60;

/// In how many states of each instance a clause and its text are compared.
const STATES: usize = 20;

/// The same declarations, with all formulas of the system as clauses, and no steps.
fn of_clauses(system: &System) -> System {
    let mut clauses = system.properties.clone();
    let mut add = |parameters: &[_], formula: &_| {
        let (parameters, formula) = (parameters.to_vec(), Clone::clone(formula));
        clauses.push(Property {
            kind: PropertyKind::Unsafe,
            parameters,
            formula,
            origin: system.init[0].origin,
        });
    };
    system.init.iter().for_each(|Init { parameters, formula, .. }| add(parameters, formula));
    system.transitions.iter().for_each(|Transition { parameters, guard, .. }| add(parameters, guard));
    let mut system = System { properties: clauses, transitions: Vec::new(), ..system.clone() };
    normalize(&mut system);
    system
}

/// The text as a formula of the language: `and` is `&&` there, and a quantifier has one variable.
fn in_the_language(text: &str) -> String {
    let text = text.replace(" and ", " && ").replace(" or ", " || ");
    let Some((names, rest)) = text.strip_prefix("forall ").and_then(|text| text.split_once(". ")) else {
        return text;
    };
    let range: String = names.split(", ").map(|name| format!("forall {name}. ")).collect();
    let names: Vec<&str> = names.split(", ").collect();
    let pairs =
        names.iter().enumerate().flat_map(|(at, one)| names[..at].iter().map(move |other| (other, one)));
    let differ: Vec<String> = pairs.map(|(one, other)| format!("{one} <> {other}")).collect();
    let distinct = format!("distinct({})", names.join(", "));
    range + &rest.replacen(&distinct, &format!("({})", differ.join(" && ")), 1)
}

fn value(system: &System, ty: Type, processes: u32, random: &mut Random) -> Value {
    let mut below = |count: usize| u32::try_from(random.below(count)).expect("few values");
    match ty {
        Type::Process => Value::Process(1 + below(processes as usize)),
        Type::Enumeration(id) => Value::Constructor(id, below(system.enumeration(id).constructors.len())),
        other => panic!("{other:?} is not finite"),
    }
}

#[test]
fn texts_of_random_clauses_say_what_the_clauses_say() {
    let count = std::sync::atomic::AtomicUsize::new(0);
    let tried = for_seeds!(SYSTEMS, |seed| {
        let profile =
            Profile { order: false, process_constants: false, max_dimensions: 2, ..Profile::FINITE };
        let system = of_clauses(&random_system(seed, &profile));
        let source = system.to_source();
        let found = json(&source, &["--procs", "1"]);
        let texts: Vec<&str> = found["clauses"]
            .as_array()
            .expect("clauses")
            .iter()
            .map(|one| one["text"].as_str().unwrap())
            .collect();
        assert_eq!(texts.len(), system.properties.len());

        let negations = texts.iter().map(|text| format!("unsafe {{ not ({}) }}\n", in_the_language(text)));
        let declarations = System { properties: Vec::new(), ..system.clone() }.to_source();
        let again = declarations + &negations.collect::<String>();
        let checked = polycube::language::check(&again);
        let read = checked.system.unwrap_or_else(|| panic!("{again}\n{:?}", checked.diagnostics));
        let mut random = Random::new(seed);
        for processes in 1..=3 {
            let instance = Instance::new(&system, processes, Orders::default()).expect("an instance");
            for _ in 0..STATES {
                let state = State::new(&system, processes, |cell| {
                    value(&system, system.symbol(cell.symbol).ty, processes, &mut random)
                });
                for ((clause, negation), text) in system.properties.iter().zip(&read.properties).zip(&texts) {
                    let [is_bad, is_said] =
                        [clause, negation].map(|one| violates(&instance, one, &state).is_some());
                    let shown = system.display_formula(&clause.formula, &clause.parameters);
                    assert_eq!(is_bad, is_said, "{shown}\n{text}");
                    count.fetch_add(usize::from(is_bad), std::sync::atomic::Ordering::Relaxed);
                }
            }
        }
    });
    if tried.is_some() {
        assert!(count.into_inner() > 1000, "few clauses are violated");
    }
}

const QUANTIFIERS: &str = "\
array W[proc,proc] : bool
array A[proc] : bool
array B[proc] : bool
init (p q) { W[p,q] && A[p] && B[p] }
unsafe { exists p. forall q. not W[p,q] }
unsafe { (forall p. not A[p]) && (exists q. not B[q]) }
unsafe { (exists p. A[p] || not B[p]) && forall q. not B[q] }
unsafe (p q) { (A[p] || B[p] && A[q]) && not (A[q] <=> B[q]) }
";

#[test]
fn quantifiers_are_negated_and_do_not_reach_too_far() {
    let found = json(QUANTIFIERS, &[]);
    let texts: Vec<&str> = (0..4).map(|at| found["clauses"][at]["text"].as_str().unwrap()).collect();
    let expected = [
        "forall p. exists q. W[p, q]",
        "(forall p. not A[p]) => forall q. B[q]",
        "(exists p. A[p] or not B[p]) => exists q. B[q]",
        "forall p, q. p <> q and (A[p] or (B[p] and A[q])) => (A[q] <=> B[q])",
    ];
    assert_eq!(texts, expected);
}
