//! Random systems: random walks are runs, spoilt walks are not, and the names of processes do not matter.

use std::sync::atomic::{AtomicU64, Ordering};

use polycube_certificate::{
    Assignment, Cell, Instance, Orders, State, Step, StepRejected, Trace, Value, cells, check_step, enabled,
    holds, is_initial, replay, successors, violates, why_not,
};
use polycube_language::System;
use polycube_language::formula::{Formula, Quantified, Quantifier};
use polycube_language::number::Number;
use polycube_language::system::{AbstractTypeId, EnumerationId, Processes, SymbolId, Type};
use polycube_testing::for_seeds;
use polycube_testing::generate::{Profile, Random, random_system};

use crate::support::{domain, initial_states, instance, number_of_results, steps};

const SYSTEMS: u64 = 300;
const STEPS: usize = 8;

/// A walk of a random system.
struct Walk {
    system: System,
    trace: Trace,
    states: Vec<State>,
    transitions: Vec<usize>,
}

/// The random walk with this seed, where an initial state is found.
fn random_walk(seed: u64) -> Option<(Walk, Random)> {
    let mut random = Random::new(seed);
    let walk = walk(random_system(seed, &Profile::ALL), &mut random)?;
    Some((walk, random))
}

/// Counts what is found: a test would mean little if nothing was.
#[derive(Default)]
struct Counter(AtomicU64);

impl Counter {
    fn add(&self, number: usize) {
        self.0.fetch_add(number as u64, Ordering::Relaxed);
    }

    /// There is at least one in this many of what was tried, where that was no choice by hand.
    #[track_caller]
    fn is_one_in(&self, times: u64, tried: Option<u64>) {
        let count = self.0.load(Ordering::Relaxed);
        assert!(tried.is_none_or(|tried| count > tried / times), "only {count} of {tried:?}");
    }
}

fn walk(system: System, random: &mut Random) -> Option<Walk> {
    let processes = match system.processes {
        Processes::Any => random.between(1, 3) as u32,
        Processes::Exactly(count) => count,
    };
    let instance = instance(&system, processes);
    let initial = initial_states(&instance, 2_000)?;
    if initial.is_empty() {
        return None;
    }
    let initial = random.pick(&initial).clone();
    let (mut states, mut transitions) = (vec![initial.clone()], Vec::new());
    let mut trace = Trace { processes, orders: Orders::default(), initial, steps: Vec::new() };
    for _ in 0..STEPS {
        let state = states.last().expect("the initial state");
        let few = random.number();
        let choices = |ty: Type| {
            let values = domain(&instance, ty);
            let first = few as usize % values.len();
            values.iter().cycle().skip(first).take(values.len().min(2)).cloned().collect()
        };
        let possible = steps(&instance, state, &choices, 256);
        if possible.is_empty() {
            break;
        }
        let (index, arguments, successor) = random.pick(&possible).clone();
        let transition = system.transitions[index].name.clone();
        trace.steps.push(Step { transition, arguments, changes: state.changes_to(&successor) });
        transitions.push(index);
        states.push(successor);
    }
    Some(Walk { system, trace, states, transitions })
}

#[test]
fn walks_are_runs() {
    let (accepted, steps) = (Counter::default(), Counter::default());
    let tried = for_seeds!(SYSTEMS, |seed| {
        let Some((walk, _)) = random_walk(seed) else { return };
        let run = replay(&walk.system, &walk.trace).unwrap_or_else(|rejected| panic!("{rejected}"));
        assert_eq!(run.states, walk.states);
        for (found, taken) in run.transitions.iter().zip(&walk.transitions) {
            // Names may repeat: then the first that allows the step is found.
            assert!(found <= taken);
            assert_eq!(walk.system.transitions[*found].name, walk.system.transitions[*taken].name);
        }
        accepted.add(1);
        steps.add(run.transitions.len());
    });
    accepted.is_one_in(3, tried);
    steps.is_one_in(1, tried);
}

/// All tuples of `length` processes, in order.
fn all_tuples(processes: u32, length: usize) -> Vec<Vec<u32>> {
    (0..length).fold(vec![Vec::new()], |tuples, _| {
        let extended =
            |tuple: &Vec<u32>| (1..=processes).map(|next| [tuple.as_slice(), &[next]].concat()).collect();
        tuples.iter().flat_map(|tuple| -> Vec<_> { extended(tuple) }).collect()
    })
}

#[test]
fn parameters_are_looked_for_as_all_tuples_say() {
    let (initial, others, bad) = (Counter::default(), Counter::default(), Counter::default());
    let tried = for_seeds!(SYSTEMS, |seed| {
        let Some((walk, _)) = random_walk(seed) else { return };
        let (system, processes) = (&walk.system, walk.trace.processes);
        let instance = instance(system, processes);
        for state in &walk.states {
            let fails = system.init.iter().enumerate().find_map(|(clause, init)| {
                let tuples = all_tuples(processes, init.parameters.len());
                let assigned = |tuple: &Vec<u32>| Assignment::of(&init.parameters, tuple);
                let first = tuples
                    .into_iter()
                    .find(|tuple| !holds(&instance, &init.formula, state, &assigned(tuple)));
                first.map(|tuple| (clause, tuple))
            });
            match &fails {
                None => initial.add(1),
                Some(_) => others.add(1),
            }
            assert_eq!(is_initial(&instance, state).err().map(|not| (not.clause, not.processes)), fails);
            for property in &system.properties {
                let is_one = |tuple: &Vec<u32>| {
                    (1..tuple.len()).all(|at| !tuple[..at].contains(&tuple[at]))
                        && holds(
                            &instance,
                            &property.formula,
                            state,
                            &Assignment::of(&property.parameters, tuple),
                        )
                };
                let exists = all_tuples(processes, property.parameters.len()).iter().any(is_one);
                let found = violates(&instance, property, state);
                assert!(found.as_ref().is_none_or(is_one));
                assert_eq!(found.is_some(), exists);
                bad.add(usize::from(exists));
            }
        }
    });
    initial.is_one_in(3, tried);
    others.is_one_in(3, tried);
    bad.is_one_in(20, tried);
}

#[test]
fn many_parameters_are_not_all_their_tuples() {
    let parameters = (1..=16).map(|at| format!("p{at}")).collect::<Vec<_>>();
    let some = parameters.iter().map(|name| format!("A[{name}] = True")).collect::<Vec<_>>().join(" || ");
    let text = format!(
        "array A[proc] : bool\ninit ({0}) {{ {some} }}\nunsafe ({0}) {{ {1} }}",
        parameters.join(" "),
        some.replace("True", "False").replace("||", "&&"),
    );
    let system = crate::support::system(&text);
    let instance = instance(&system, 16);
    for (text, is_one) in [("A[_] = True", true), ("A[_] = True; A[#16] = False", false)] {
        let state = crate::support::state(&system, 16, text);
        assert_eq!(is_initial(&instance, &state).is_ok(), is_one, "{text}");
        assert_eq!(violates(&instance, &system.properties[0], &state), None);
    }
}

#[test]
fn spoilt_walks_are_rejected_unless_they_are_runs_too() {
    let (rejected, accepted) = (Counter::default(), Counter::default());
    let tried = for_seeds!(SYSTEMS, |seed| {
        let Some((walk, mut random)) = random_walk(seed) else { return };
        if walk.trace.steps.is_empty() {
            return;
        }
        let instance = instance(&walk.system, walk.trace.processes);
        for _ in 0..12 {
            let at = random.below(walk.trace.steps.len());
            let (before, after) = (&walk.states[at], &walk.states[at + 1]);
            let all: Vec<Cell> = cells(&walk.system, walk.trace.processes).collect();
            let cell = random.pick(&all).clone();
            let values = domain(&instance, walk.system.symbol(cell.symbol).ty);
            let value = random.pick(&values).clone();
            if after.get(&cell) == Some(&value) {
                continue;
            }
            let mut spoilt = after.clone();
            spoilt.set(cell, value);
            let mut trace = walk.trace.clone();
            trace.steps.truncate(at + 1);
            trace.steps[at].changes = before.changes_to(&spoilt);
            let Some(legal) = is_successor(&instance, &trace.steps[at], before, &spoilt) else { continue };
            match replay(&walk.system, &trace) {
                Ok(run) => {
                    assert!(legal, "accepted");
                    assert_eq!(run.states.last(), Some(&spoilt));
                    accepted.add(1);
                }
                Err(reason) => {
                    assert!(!legal, "{reason}");
                    assert_eq!(reason.step, at + 1, "{reason}");
                    rejected.add(1);
                }
            }
        }
    });
    rejected.is_one_in(2, tried);
    accepted.is_one_in(60, tried);
}

/// Whether `after` is among the successors by a transition of the step's name; nothing where there are too
/// many to tell.
fn is_successor(instance: &Instance<'_>, step: &Step, before: &State, after: &State) -> Option<bool> {
    let system = instance.system();
    let choices = |ty: Type| {
        let of_type = after.iter().filter(|(cell, _)| system.symbol(cell.symbol).ty == ty);
        let mut values: Vec<Value> = of_type.map(|(_, value)| value.clone()).collect();
        values.sort();
        values.dedup();
        values
    };
    for transition in system.transitions.iter().filter(|transition| transition.name == step.transition) {
        if transition.parameters.len() != step.arguments.len() {
            continue;
        }
        if number_of_results(instance, transition, &step.arguments, before, &choices) > 4096 {
            return None;
        }
        if successors(instance, transition, &step.arguments, before, &choices).contains(after) {
            return Some(true);
        }
    }
    Some(false)
}

#[test]
fn arguments_are_possible_exactly_where_there_is_no_reason_against_them() {
    let (possible, impossible) = (Counter::default(), Counter::default());
    let tried = for_seeds!(SYSTEMS, |seed| {
        let Some((walk, _)) = random_walk(seed) else { return };
        let instance = instance(&walk.system, walk.trace.processes);
        let state = walk.states.last().expect("the initial state");
        for transition in &walk.system.transitions {
            let enabled = enabled(&instance, transition, state);
            let others: Vec<u32> = (1..=transition.parameters.len() as u32).rev().collect();
            let fits = others.len() <= walk.trace.processes as usize;
            for arguments in enabled.iter().chain(fits.then_some(&others)) {
                let reasons = why_not(&instance, transition, arguments, state);
                assert_eq!(reasons.is_empty(), enabled.contains(arguments));
                let step = check_step(&instance, state, transition, arguments, state);
                assert_eq!(!reasons.is_empty(), step == Err(StepRejected::GuardFails(reasons)));
            }
            possible.add(enabled.len());
            impossible.add(usize::from(fits && !enabled.contains(&others)));
        }
    });
    possible.is_one_in(3, tried);
    impossible.is_one_in(6, tried);
}

/// Whatever a trace says, it is rejected or accepted.
#[test]
fn nonsense_does_not_lead_to_a_panic() {
    let rejected = Counter::default();
    let tried = for_seeds!(SYSTEMS, |seed| {
        let Some((walk, mut random)) = random_walk(seed) else { return };
        for _ in 0..5 {
            let mut trace = walk.trace.clone();
            for _ in 0..random.between(1, 2) {
                spoil(&mut trace, &mut random);
            }
            rejected.add(usize::from(replay(&walk.system, &trace).is_err()));
        }
    });
    rejected.is_one_in(1, tried);
}

/// Puts something into a trace that need not make sense.
fn spoil(trace: &mut Trace, random: &mut Random) {
    const NUMBERS: [u32; 7] = [0, 1, 2, 3, 4, 65, u32::MAX];
    let number = |random: &mut Random| *random.pick(&NUMBERS);
    let numbers =
        |random: &mut Random| -> Vec<u32> { (0..random.below(4)).map(|_| number(random)).collect() };
    let value = |random: &mut Random| match random.below(4) {
        0 => Value::Process(number(random)),
        1 => Value::Constructor(EnumerationId(number(random)), number(random)),
        2 => Value::Number(Number::parse("0.5").expect("a number") * &Number::from(random.below(5) as i64)),
        _ => Value::Abstract(AbstractTypeId(number(random)), number(random)),
    };
    let cell = |random: &mut Random| Cell { symbol: SymbolId(number(random)), indices: numbers(random) };
    let at = random.below(trace.steps.len().max(1));
    match (random.below(8), trace.steps.get_mut(at)) {
        (0, _) => trace.processes = number(random),
        (1, _) => trace.orders.processes = Some(numbers(random)),
        (2, _) => drop(trace.orders.enumerations.insert(EnumerationId(number(random)), numbers(random))),
        (3, Some(step)) => step.transition = ["t0", "t1", "again", ""][random.below(4)].to_owned(),
        (4, Some(step)) => step.arguments = numbers(random),
        (5 | 6, Some(step)) => step.changes.push((cell(random), value(random))),
        _ => drop(trace.initial.set(cell(random), value(random))),
    }
}

/// Nothing in a system without `#k` tells two processes apart, other than their order.
#[test]
fn processes_can_be_renamed() {
    let renamed_walks = Counter::default();
    let tried = for_seeds!(SYSTEMS, |seed| {
        let Some((walk, mut random)) = random_walk(seed) else { return };
        if walk.system.processes != Processes::Any || walk.trace.processes == 1 {
            return;
        }
        let mut names: Vec<u32> = (1..=walk.trace.processes).collect();
        for at in (1..names.len()).rev() {
            names.swap(at, random.below(at + 1));
        }
        let run = replay(&walk.system, &walk.trace).unwrap_or_else(|rejected| panic!("{rejected}"));
        let renamed = replay(&walk.system, &renamed(&walk.trace, &names))
            .unwrap_or_else(|rejected| panic!("{names:?}: {rejected}"));
        assert_eq!(run.transitions, renamed.transitions);
        let violated = |violations: &[polycube_certificate::Violation]| -> Vec<usize> {
            violations.iter().map(|violation| violation.property).collect()
        };
        assert_eq!(violated(&run.violations), violated(&renamed.violations));
        assert_eq!(violated(&run.earlier_violations), violated(&renamed.earlier_violations));
        renamed_walks.add(1);
    });
    renamed_walks.is_one_in(8, tried);
}

/// The trace with `names[k - 1]` in place of process k, which keeps its place in the order.
fn renamed(trace: &Trace, names: &[u32]) -> Trace {
    let name = |process: &u32| names[*process as usize - 1];
    let rename = |cell: &Cell, value: &Value| {
        let cell = Cell { symbol: cell.symbol, indices: cell.indices.iter().map(name).collect() };
        let value = match value {
            Value::Process(process) => Value::Process(name(process)),
            other => other.clone(),
        };
        (cell, value)
    };
    let step = |step: &Step| Step {
        transition: step.transition.clone(),
        arguments: step.arguments.iter().map(name).collect(),
        changes: step.changes.iter().map(|(cell, value)| rename(cell, value)).collect(),
    };
    Trace {
        processes: trace.processes,
        orders: Orders { processes: Some(names.to_vec()), ..Orders::default() },
        initial: trace.initial.iter().map(|(cell, value)| rename(cell, value)).collect(),
        steps: trace.steps.iter().map(step).collect(),
    }
}

/// A formula and its dual, with every connective and relation replaced by its opposite, never agree.
#[test]
fn a_formula_holds_where_its_dual_does_not() {
    let (true_ones, false_ones) = (Counter::default(), Counter::default());
    let tried = for_seeds!(SYSTEMS, |seed| {
        let Some((walk, _)) = random_walk(seed) else { return };
        let instance = instance(&walk.system, walk.trace.processes);
        for transition in &walk.system.transitions {
            if transition.parameters.len() > walk.trace.processes as usize {
                continue;
            }
            let arguments: Vec<u32> = (1..=transition.parameters.len() as u32).collect();
            let assignment = Assignment::of(&transition.parameters, &arguments);
            for state in &walk.states {
                let value = holds(&instance, &transition.guard, state, &assignment);
                assert_ne!(value, holds(&instance, &dual(&transition.guard), state, &assignment));
                if value { &true_ones } else { &false_ones }.add(1);
            }
        }
    });
    true_ones.is_one_in(1, tried);
    false_ones.is_one_in(1, tried);
}

fn dual(formula: &Formula) -> Formula {
    match formula {
        Formula::Constant(value) => Formula::Constant(!value),
        Formula::Compare(comparison) => Formula::Compare(comparison.clone().negated()),
        Formula::Not(part) => (**part).clone(),
        Formula::And(parts) => Formula::Or(parts.iter().map(dual).collect()),
        Formula::Or(parts) => Formula::And(parts.iter().map(dual).collect()),
        Formula::Iff(parts) => Formula::Iff(Box::new([parts[0].clone(), dual(&parts[1])])),
        Formula::IfThenElse(parts) => {
            let [condition, consequence, alternative] = &**parts;
            let swapped = [dual(condition), dual(alternative), dual(consequence)];
            Formula::IfThenElse(Box::new(swapped))
        }
        Formula::Quantified(quantified) => Formula::Quantified(Quantified {
            quantifier: match quantified.quantifier {
                Quantifier::Forall => Quantifier::Exists,
                Quantifier::Exists => Quantifier::Forall,
            },
            body: Box::new(dual(&quantified.body)),
            ..quantified.clone()
        }),
    }
}
