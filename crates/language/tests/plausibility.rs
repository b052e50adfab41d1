//! The checker says "this can never hold" only where that is so: random systems, evaluated in random states.
//!
//! This matters beyond the warnings: the same test decides whether a `case` without default is exhaustive,
//! and then the last condition is dropped.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use polycube_language::diagnostic::{Code, Diagnostic};
use polycube_language::formula::{Access, Formula, Linear, Quantifier, Relation, Term, Variable, VariableId};
use polycube_language::number::Number;
use polycube_language::span::Origin;
use polycube_language::system::{Processes, SymbolKind, System, Type};
use polycube_language::{Checked, check};
use polycube_testing::for_seeds;
use polycube_testing::generate::{Profile, Random, random_system};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Process(usize),
    Number(Number),
    /// Of an enumeration or abstract type; their order is unknown, so this one will do.
    Element(u32),
}

/// A state of an instance with this many processes.
struct State {
    processes: usize,
    cells: HashMap<(u32, Vec<usize>), Value>,
}

type Assignment = HashMap<VariableId, usize>;

impl State {
    fn random(system: &System, processes: usize, random: &mut Random) -> Self {
        let mut cells = HashMap::new();
        let half = Number::parse("0.5").expect("a number");
        for (at, symbol) in system.symbols.iter().enumerate() {
            let dimensions = match symbol.kind {
                SymbolKind::Array { dimensions } => dimensions,
                SymbolKind::Constant | SymbolKind::Variable => 0,
            };
            for indices in tuples(processes, dimensions) {
                let value = match symbol.ty {
                    Type::Process => Value::Process(random.below(processes)),
                    Type::Integer => Value::Number(Number::from(random.below(6) as i64 - 2)),
                    Type::Real => {
                        let number = Number::from(random.below(10) as i64 - 4);
                        let linear = Linear::constant(number).scaled(&half);
                        Value::Number(linear.constant)
                    }
                    Type::Enumeration(id) => {
                        Value::Element(random.below(system.enumeration(id).constructors.len()) as u32)
                    }
                    Type::Abstract(_) => Value::Element(random.below(3) as u32),
                };
                cells.insert((at as u32, indices), value);
            }
        }
        State { processes, cells }
    }

    fn holds(&self, formula: &Formula, assignment: &mut Assignment) -> bool {
        match formula {
            Formula::Constant(value) => *value,
            Formula::Compare(comparison) => {
                let (left, right) =
                    (self.value(&comparison.left, assignment), self.value(&comparison.right, assignment));
                match comparison.relation {
                    Relation::Equal => left == right,
                    Relation::NotEqual => left != right,
                    Relation::Less => left < right,
                    Relation::LessEqual => left <= right,
                }
            }
            Formula::Not(part) => !self.holds(part, assignment),
            Formula::And(parts) => parts.iter().all(|part| self.holds(part, assignment)),
            Formula::Or(parts) => parts.iter().any(|part| self.holds(part, assignment)),
            Formula::Iff(sides) => self.holds(&sides[0], assignment) == self.holds(&sides[1], assignment),
            Formula::IfThenElse(parts) => {
                let branch = if self.holds(&parts[0], assignment) { 1 } else { 2 };
                self.holds(&parts[branch], assignment)
            }
            Formula::Quantified(quantified) => {
                let mut holds_for = |process| {
                    assignment.insert(quantified.variable.id, process);
                    self.holds(&quantified.body, assignment)
                };
                match quantified.quantifier {
                    Quantifier::Forall => (0..self.processes).all(&mut holds_for),
                    Quantifier::Exists => (0..self.processes).any(&mut holds_for),
                }
            }
        }
    }

    fn value(&self, term: &Term, assignment: &Assignment) -> Value {
        match term {
            Term::Variable(variable) => Value::Process(assignment[variable]),
            Term::Process(number) => Value::Process(*number as usize - 1),
            Term::Constructor(_, index) => Value::Element(*index),
            Term::Access(access) => self.cell(access, assignment),
            Term::Linear(linear) => {
                let parts = linear.terms.iter().map(|(factor, access)| match self.cell(access, assignment) {
                    Value::Number(number) => Linear::constant(number).scaled(factor),
                    other => panic!("{other:?} is not a number"),
                });
                let sum = Linear::sum(parts.chain([Linear::constant(linear.constant.clone())]));
                Value::Number(sum.constant)
            }
        }
    }

    fn cell(&self, access: &Access, assignment: &Assignment) -> Value {
        let indices = access.indices.iter().map(|index| match self.value(index, assignment) {
            Value::Process(process) => process,
            other => panic!("{other:?} is not a process"),
        });
        self.cells[&(access.symbol.0, indices.collect())].clone()
    }

    /// All choices of processes for variables.
    fn assignments(&self, variables: &[Variable], distinct: bool) -> Vec<Assignment> {
        let all = tuples(self.processes, variables.len()).into_iter();
        let kept =
            all.filter(|tuple| !distinct || (1..tuple.len()).all(|at| !tuple[..at].contains(&tuple[at])));
        kept.map(|tuple| variables.iter().map(|variable| variable.id).zip(tuple).collect()).collect()
    }
}

fn tuples(processes: usize, length: usize) -> Vec<Vec<usize>> {
    (0..length).fold(vec![Vec::new()], |tuples, _| {
        let longer = |tuple: Vec<usize>| (0..processes).map(move |next| [&tuple[..], &[next]].concat());
        tuples.into_iter().flat_map(longer).collect()
    })
}

/// Whether a diagnostic lies in what `origin` names.
fn is_about(diagnostic: &Diagnostic, origin: Origin) -> bool {
    (origin.0.start..origin.0.end).contains(&diagnostic.primary.span.start)
}

/// Random states of instances with one to three processes.
fn states(system: &System, random: &mut Random) -> Vec<State> {
    let sizes = match system.processes {
        Processes::Any => vec![1, 2, 3],
        Processes::Exactly(count) => vec![count as usize],
    };
    sizes
        .into_iter()
        .flat_map(|size| (0..12).map(move |_| size))
        .map(|size| State::random(system, size, random))
        .collect()
}

/// Systems rich in formulas, so that many contradict themselves.
fn profile() -> Profile {
    Profile { max_symbols: 3, max_depth: 2, max_dimensions: 2, ..Profile::ALL }
}

/// How many systems are tried.
const SYSTEMS: u64 = 2_000;

#[test]
fn warnings_about_random_formulas_are_right() {
    let found: Mutex<HashMap<&str, u64>> = Mutex::new(HashMap::new());
    let count = |kind| *found.lock().expect("not poisoned").entry(kind).or_default() += 1;
    let tried = for_seeds!(SYSTEMS, |seed| {
        let source = random_system(seed, &profile()).to_source();
        let Checked { system, diagnostics, .. } = check(&source);
        let system = system.expect("a random system is right");
        let relevant: Vec<&Diagnostic> = diagnostics
            .iter()
            .filter(|diagnostic| {
                matches!(diagnostic.code, Code::NeverHolds | Code::AlwaysHolds | Code::Unreachable)
            })
            .collect();
        if relevant.is_empty() {
            return;
        }
        let mut random = Random::new(seed);
        for state in states(&system, &mut random) {
            for diagnostic in &relevant {
                let wrong = |what: &str| panic!("{} ({what})\n{source}", diagnostic.message);
                for property in
                    system.properties.iter().filter(|property| is_about(diagnostic, property.origin))
                {
                    count(diagnostic.code.name());
                    let assignments = state.assignments(&property.parameters, true);
                    let few = diagnostic.message.contains("or more processes")
                        || diagnostic.message.contains("different processes");
                    if assignments.is_empty() && !few && diagnostic.code == Code::AlwaysHolds {
                        wrong("too few processes");
                    }
                    for mut assignment in assignments {
                        if state.holds(&property.formula, &mut assignment)
                            != (diagnostic.code == Code::AlwaysHolds)
                        {
                            wrong("property");
                        }
                    }
                }
                for transition in
                    system.transitions.iter().filter(|transition| is_about(diagnostic, transition.origin))
                {
                    count(diagnostic.code.name());
                    for mut assignment in state.assignments(&transition.parameters, true) {
                        if diagnostic.code == Code::NeverHolds {
                            if state.holds(&transition.guard, &mut assignment) {
                                wrong("guard");
                            }
                            continue;
                        }
                        for update in
                            transition.updates.iter().filter(|update| is_about(diagnostic, update.origin))
                        {
                            for cell in state.assignments(&update.indices, false) {
                                assignment.extend(cell);
                                let first = update
                                    .branches
                                    .iter()
                                    .find(|branch| state.holds(&branch.condition, &mut assignment));
                                if first.is_some_and(|branch| is_about(diagnostic, branch.origin)) {
                                    wrong("branch");
                                }
                            }
                        }
                    }
                }
                let about_init = system.init.iter().any(|init| is_about(diagnostic, init.origin));
                let needed = if diagnostic.message.contains("two or more") { 2 } else { 1 };
                if about_init && state.processes >= needed {
                    count("init");
                    let initial = system.init.iter().all(|init| {
                        let assignments = state.assignments(&init.parameters, false);
                        assignments
                            .into_iter()
                            .all(|mut assignment| state.holds(&init.formula, &mut assignment))
                    });
                    if initial {
                        wrong("init");
                    }
                }
            }
        }
    });
    if let Some(tried) = tried {
        let found = found.into_inner().expect("not poisoned");
        for kind in ["never-holds", "always-holds", "unreachable", "init"] {
            assert!(found.get(kind).copied().unwrap_or(0) > tried / 12, "{kind} is tested: {found:?}");
        }
    }
}

/// Leaves out the default of each `case` in turn: where that is accepted, some branch applies whenever the
/// guard holds.
#[test]
fn random_cases_without_default_are_exhaustive() {
    let (accepted, refused) = (AtomicU64::new(0), AtomicU64::new(0));
    let tried = for_seeds!(SYSTEMS, |seed| {
        let source = random_system(seed, &profile()).to_source();
        let system = check(&source).system.expect("a random system is right");
        for (start, _) in source.match_indices("\n    | _ : ") {
            let end = start + 1 + source[start + 1..].find('\n').expect("the end of the line");
            let without = format!("{};{}", &source[..start], &source[end..]);
            let checked = check(&without);
            let codes: Vec<Code> = checked
                .diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.severity.name() == "error")
                .map(|diagnostic| diagnostic.code)
                .collect();
            if codes == [Code::Syntax] || codes == [Code::CaseNotExhaustive] {
                // A `case` needs at least one branch.
                refused.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            assert_eq!(codes, []);
            accepted.fetch_add(1, Ordering::Relaxed);
            let mut random = Random::new(seed);
            let inside = |origin: Origin| (origin.0.start as usize..origin.0.end as usize).contains(&start);
            let transition =
                system.transitions.iter().find(|transition| inside(transition.origin)).expect("a transition");
            let update = transition.updates.iter().find(|update| inside(update.origin)).expect("an update");
            for state in states(&system, &mut random) {
                for mut assignment in state.assignments(&transition.parameters, true) {
                    if !state.holds(&transition.guard, &mut assignment) {
                        continue;
                    }
                    for cell in state.assignments(&update.indices, false) {
                        assignment.extend(cell);
                        let applies = update
                            .branches
                            .iter()
                            .any(|branch| state.holds(&branch.condition, &mut assignment));
                        assert!(applies, "{without}");
                    }
                }
            }
        }
    });
    if let Some(tried) = tried {
        let (accepted, refused) = (accepted.into_inner(), refused.into_inner());
        assert!(accepted > tried / 200 && refused > tried / 10, "{accepted} accepted, {refused} refused");
    }
}
