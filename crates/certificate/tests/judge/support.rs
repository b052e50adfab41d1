//! States, steps and instances as text, so that tests can be read.

use std::collections::VecDeque;

use polycube_certificate::fact::numbers;
use polycube_certificate::{
    Assignment, Cell, Instance, NewValue, Orders, State, Step, Trace, Value, cells, check_step, enabled,
    holds, is_initial, new_value, successors,
};
use polycube_language::formula::{Access, Formula, Term};
use polycube_language::number::Number;
use polycube_language::system::{Transition, Type};
use polycube_language::{System, check};

/// The meaning of a model.
pub fn system(text: &str) -> System {
    let checked = check(text);
    checked.system.unwrap_or_else(|| panic!("{text}: {:#?}", checked.diagnostics.iter().collect::<Vec<_>>()))
}

/// The instance with this many processes and natural orders.
pub fn instance(system: &System, processes: u32) -> Instance<'_> {
    Instance::new(system, processes, Orders::default()).unwrap_or_else(|none| panic!("{none}"))
}

/// `Turn = #1; A[_] = P; A[#2] = Q`: `_` stands for all cells, and what stands behind counts.
pub fn state(system: &System, processes: u32, text: &str) -> State {
    assignments(text).flat_map(|(cell, value)| assigned(system, processes, cell, value)).collect()
}

/// The state with a few other values.
pub fn with(system: &System, processes: u32, state: &State, text: &str) -> State {
    let mut state = state.clone();
    for (cell, value) in assignments(text).flat_map(|(cell, value)| assigned(system, processes, cell, value))
    {
        state.set(cell, value);
    }
    state
}

/// `enter(#1,#2)` with changes `A[#1] = Q; X = 3`.
pub fn step(system: &System, call: &str, changes: &str) -> Step {
    let (transition, arguments) = name_and_arguments(call);
    let changes = assignments(changes).flat_map(|(cell, value)| assigned(system, 0, cell, value)).collect();
    Step { transition: transition.to_owned(), arguments, changes }
}

/// A trace in natural orders.
pub fn trace(system: &System, processes: u32, initial: &str, steps: &[(&str, &str)]) -> Trace {
    let steps = steps.iter().map(|(call, changes)| step(system, call, changes)).collect();
    Trace { processes, orders: Orders::default(), initial: state(system, processes, initial), steps }
}

/// The first transition of this name.
pub fn transition<'s>(system: &'s System, name: &str) -> &'s Transition {
    system.transitions.iter().find(|transition| transition.name == name).expect("a transition of this name")
}

/// The only successor by `call`. Nothing else must be accepted: no state that differs from it in one cell.
pub fn after(instance: &Instance<'_>, before: &State, call: &str) -> State {
    let (name, arguments) = name_and_arguments(call);
    let transition = transition(instance.system(), name);
    assert!(enabled(instance, transition, before).contains(&arguments), "{call} is possible");
    let mut successors = successors(instance, transition, &arguments, before, &|_| Vec::new());
    assert_eq!(successors.len(), 1, "{call} has one successor");
    let successor = successors.remove(0);
    assert_eq!(check_step(instance, before, transition, &arguments, &successor), Ok(()));
    for (cell, value) in successor.iter() {
        for other in domain(instance, instance.system().symbol(cell.symbol).ty) {
            if other != *value {
                let mut wrong = successor.clone();
                wrong.set(cell.clone(), other);
                assert!(
                    check_step(instance, before, transition, &arguments, &wrong).is_err(),
                    "{call} {cell:?}"
                );
            }
        }
    }
    successor
}

/// All values of a type, or a few where there are infinitely many.
pub fn domain(instance: &Instance<'_>, ty: Type) -> Vec<Value> {
    match ty {
        Type::Process => (1..=instance.processes()).map(Value::Process).collect(),
        Type::Integer => (-1..=2).map(|number| Value::Number(Number::from(number))).collect(),
        Type::Real => {
            let half = Number::parse("0.5").expect("a number");
            [-2, 0, 1, 2, 4].map(|number| Value::Number(Number::from(number) * &half)).to_vec()
        }
        Type::Enumeration(id) => {
            let count = instance.system().enumeration(id).constructors.len() as u32;
            (0..count).map(|index| Value::Constructor(id, index)).collect()
        }
        Type::Abstract(id) => (1..=2).map(|number| Value::Abstract(id, number)).collect(),
    }
}

/// The initial states with values from [`domain`]; none where more than `limit` states would have to be
/// tried.
///
/// What the conjuncts of `init` say about one cell alone is used first, so that few are left to be tried.
pub fn initial_states(instance: &Instance<'_>, limit: usize) -> Option<Vec<State>> {
    let system = instance.system();
    let mut candidates: Vec<(Cell, Vec<Value>)> = cells(system, instance.processes())
        .map(|cell| {
            let values = domain(instance, system.symbol(cell.symbol).ty);
            (cell, values)
        })
        .collect();
    let scratch: State = candidates.iter().map(|(cell, values)| (cell.clone(), values[0].clone())).collect();
    for init in &system.init {
        for processes in tuples(instance.processes(), init.parameters.len()) {
            let assignment = Assignment::of(&init.parameters, &processes);
            for conjunct in conjuncts(&init.formula) {
                let Some(cell) = only_cell(instance, conjunct, &scratch, &assignment) else { continue };
                let (_, values) = candidates.iter_mut().find(|(other, _)| *other == cell).expect("a cell");
                let mut tried = scratch.clone();
                values.retain(|value| {
                    tried.set(cell.clone(), value.clone());
                    holds(instance, conjunct, &tried, &assignment)
                });
            }
        }
    }
    if candidates.iter().any(|(_, values)| values.is_empty()) {
        return Some(Vec::new());
    }
    let product =
        candidates.iter().try_fold(1usize, |product, (_, values)| product.checked_mul(values.len()));
    if product.is_none_or(|product| product > limit) {
        return None;
    }
    let mut states = vec![scratch];
    for (cell, values) in &candidates {
        let all = |state: State| {
            values.iter().map(move |value| {
                let mut state = state.clone();
                state.set(cell.clone(), value.clone());
                state
            })
        };
        states = states.into_iter().flat_map(all).collect();
    }
    // What is counted is not free.
    for state in &mut states {
        numbers(instance, state).into_iter().for_each(|(cell, number)| _ = state.set(cell, number));
    }
    states.sort();
    states.dedup();
    states.retain(|state| is_initial(instance, state).is_ok());
    Some(states)
}

/// The steps that are possible, with their results: `?` ranges over `choices`, unless there would be more
/// than `limit` results.
pub fn steps(
    instance: &Instance<'_>,
    state: &State,
    choices: &dyn Fn(Type) -> Vec<Value>,
    limit: usize,
) -> Vec<(usize, Vec<u32>, State)> {
    let mut steps = Vec::new();
    for (index, transition) in instance.system().transitions.iter().enumerate() {
        for arguments in enabled(instance, transition, state) {
            if number_of_results(instance, transition, &arguments, state, choices) > limit {
                continue;
            }
            for successor in successors(instance, transition, &arguments, state, choices) {
                steps.push((index, arguments.clone(), successor));
            }
        }
    }
    steps
}

/// How many states [`successors`] would return.
pub fn number_of_results(
    instance: &Instance<'_>,
    transition: &Transition,
    arguments: &[u32],
    state: &State,
    choices: &dyn Fn(Type) -> Vec<Value>,
) -> usize {
    let open = cells(instance.system(), instance.processes())
        .filter(|cell| new_value(instance, transition, arguments, cell, state) == NewValue::Any);
    open.map(|cell| choices(instance.system().symbol(cell.symbol).ty).len()).fold(1, usize::saturating_mul)
}

/// The states that can be reached, breadth first and at most `limit` of them, each with a trace that leads to
/// it, until `found` says that it has seen enough.
pub fn explore(instance: &Instance<'_>, limit: usize, found: &mut dyn FnMut(&State, &Trace) -> bool) {
    let initial = initial_states(instance, 20_000).unwrap_or_default();
    let mut seen: std::collections::BTreeSet<State> = initial.iter().cloned().collect();
    let start = |initial: State| {
        let trace = Trace {
            processes: instance.processes(),
            orders: Orders::default(),
            initial: initial.clone(),
            steps: Vec::new(),
        };
        (initial, trace)
    };
    let mut queue: VecDeque<(State, Trace)> = initial.into_iter().map(start).collect();
    while let Some((state, trace)) = queue.pop_front() {
        if found(&state, &trace) {
            return;
        }
        for (index, arguments, successor) in steps(instance, &state, &|ty| domain(instance, ty), 64) {
            if seen.len() < limit && seen.insert(successor.clone()) {
                let mut trace = trace.clone();
                let transition = instance.system().transitions[index].name.clone();
                trace.steps.push(Step { transition, arguments, changes: state.changes_to(&successor) });
                queue.push_back((successor, trace));
            }
        }
    }
}

fn assignments(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.split_once(" = ").expect("`cell = value`"))
}

fn assigned(system: &System, processes: u32, cell: &str, value: &str) -> Vec<(Cell, Value)> {
    let named: Vec<Cell> = match cell.split_once("[_]") {
        Some((name, _)) => {
            let all = cells(system, processes);
            all.filter(|cell| system.symbol(cell.symbol).name == name).collect()
        }
        None => vec![Cell::parse(system, cell).unwrap_or_else(|| panic!("{cell} is a cell"))],
    };
    let read = |cell: Cell| {
        let ty = system.symbol(cell.symbol).ty;
        let value = Value::parse(system, ty, value).unwrap_or_else(|| panic!("{value} is a value"));
        (cell, value)
    };
    named.into_iter().map(read).collect()
}

fn name_and_arguments(call: &str) -> (&str, Vec<u32>) {
    let (name, rest) = call.split_once('(').expect("`name(arguments)`");
    let arguments = rest.trim_end_matches(')').split(',').filter(|argument| !argument.is_empty());
    (name, arguments.map(|argument| argument.trim_start_matches('#').parse().expect("a number")).collect())
}

/// Written here once more: the tests should not depend on how the judge does it.
fn tuples(processes: u32, length: usize) -> Vec<Vec<u32>> {
    let longer = |tuples: Vec<Vec<u32>>| {
        let extended = |tuple: &Vec<u32>| {
            let tuple = tuple.clone();
            (1..=processes).map(move |process| [&tuple[..], &[process]].concat()).collect::<Vec<_>>()
        };
        tuples.iter().flat_map(extended).collect::<Vec<_>>()
    };
    (0..length).fold(vec![Vec::new()], |tuples, _| longer(tuples))
}

fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}

/// The cell of which a comparison speaks, if it speaks of one only, the same in every state.
fn only_cell(
    instance: &Instance<'_>,
    formula: &Formula,
    state: &State,
    assignment: &Assignment,
) -> Option<Cell> {
    let Formula::Compare(comparison) = formula else { return None };
    let accesses = |term: &Term| -> Vec<Access> {
        match term {
            Term::Access(access) => vec![access.clone()],
            Term::Linear(linear) => linear.terms.iter().map(|(_, access)| access.clone()).collect(),
            Term::Variable(_) | Term::Process(_) | Term::Constructor(..) => Vec::new(),
        }
    };
    let mentioned = [accesses(&comparison.left), accesses(&comparison.right)].concat();
    let [access] = &mentioned[..] else { return None };
    let fixed = |index: &Term| matches!(index, Term::Variable(_) | Term::Process(_));
    let cell = || polycube_certificate::accessed_cell(instance, access, state, assignment);
    access.indices.iter().all(fixed).then(cell)?
}
