//! Facts about numbers of processes: what is true of counts in every state, because they are right.
//!
//! They are instances of one schema, in two directions. If pairwise different processes satisfy the formula of a
//! count, then it is at least as large as what they add up to, where no process adds less than nothing; and if it
//! is not just that, then another process satisfies the formula. Nothing else is assumed of counts: their updates
//! are those of the system.

use polycube_language::System;
use polycube_language::count::Count;
use polycube_language::formula::{Access, Formula, Linear, Quantifier, Relation, Term, Variable, VariableId};
use polycube_language::number::Number;
use polycube_language::span::Origin;
use polycube_language::system::{Processes, SymbolId};

use crate::instance::Instance;
use crate::interpreter::{Assignment, holds, value};
use crate::invariant::{Clause, Invariant};
use crate::state::{Cell, State};
use crate::tuples::tuples;
use crate::value::Value;

/// The most processes that a fact names besides the index of a count.
const MOST: usize = 6;

/// The facts that are used, as clauses. A property may speak of some number of processes: there are facts for
/// as many; and for as many as there are, if that is known.
pub fn facts(system: &System) -> Vec<Clause> {
    let named = system.properties.iter().map(|property| property.parameters.len()).max().unwrap_or(0);
    let all = match system.processes {
        Processes::Any => 0,
        Processes::Exactly(count) => usize::try_from(count).unwrap_or(usize::MAX),
    };
    let most = named.max(all).clamp(2, MOST);
    let mut facts = Vec::new();
    for (symbol, count) in system.counts() {
        let most_added = if count.is_never_negative() { most + 1 } else { 0 };
        for number in 0..most_added {
            facts.push(at_least(symbol, count, number, Index::Another));
            if !count.indices.is_empty() && number > 0 {
                facts.push(at_least(symbol, count, number, Index::First));
            }
        }
        if count.formula != Formula::TRUE {
            for number in 0..most {
                facts.push(there_is_another(symbol, count, number, Index::Another));
                if !count.indices.is_empty() && number > 0 {
                    facts.push(there_is_another(symbol, count, number, Index::First));
                }
            }
        }
    }
    facts
}

/// The clauses of an invariant, and then the facts: all that may be assumed of a state of the invariant.
pub fn known(system: &System, invariant: &Invariant) -> Vec<Clause> {
    [&invariant.clauses[..], &facts(system)].concat()
}

/// How many processes a count counts in a state, and where it is kept; for all processes in place of its
/// indices.
pub fn numbers(instance: &Instance<'_>, state: &State) -> Vec<(Cell, Value)> {
    let mut numbers = Vec::new();
    for (symbol, count) in instance.system().counts() {
        for indices in tuples(instance.processes(), count.indices.len()) {
            let assignment = Assignment::of(&count.indices, &indices);
            let is_counted = |process: &u32| {
                holds(instance, &count.formula, state, &assignment.with(count.variable.id, *process))
            };
            let mut sum = Number::ZERO;
            for process in (1..=instance.processes()).filter(is_counted) {
                let worth = Term::from(count.summand.clone());
                let assignment = assignment.with(count.variable.id, process);
                let Value::Number(worth) = value(instance, &worth, state, &assignment) else {
                    panic!("only numbers are added")
                };
                sum = sum + &worth;
            }
            numbers.push((Cell { symbol, indices }, Value::Number(sum)));
        }
    }
    numbers
}

/// Whether the index of a count is the first process that it counts, or another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Index {
    First,
    Another,
}

/// What a fact is about.
struct Named {
    parameters: Vec<Variable>,
    indices: Vec<Term>,
    /// The count.
    value: Linear,
    /// That the formula holds for the first parameters.
    hold: Formula,
    /// What they add up to.
    sum: Linear,
}

fn named(symbol: SymbolId, count: &Count, number: usize, index: Index) -> Named {
    let name = |prefix: &str, at: usize, id: usize| Variable {
        id: VariableId(u32::try_from(id).expect("there are few parameters")),
        name: format!("{prefix}{at}"),
        origin: Origin::default(),
    };
    let mut parameters: Vec<Variable> = (0..number).map(|at| name("z", at + 1, at)).collect();
    let indices: Vec<Term> = match index {
        Index::First => count.indices.iter().map(|_| Term::Variable(parameters[0].id)).collect(),
        Index::Another => {
            let others = (0..count.indices.len()).map(|at| name("i", at + 1, number + at));
            parameters.extend(others);
            parameters[number..].iter().map(|index| Term::Variable(index.id)).collect()
        }
    };
    let processes: Vec<Term> = parameters[..number].iter().map(|one| Term::Variable(one.id)).collect();
    let hold = processes.iter().map(|process| count.holds_for(&indices, process)).collect::<Vec<_>>();
    let sum = Linear::sum(processes.iter().map(|process| count.worth(&indices, process)));
    let value = Linear::access(Access { symbol, indices: indices.clone() });
    Named { parameters, indices, value, hold: Formula::and(hold), sum }
}

/// Never: so many processes satisfy the formula, and the count is less than what they add up to.
fn at_least(symbol: SymbolId, count: &Count, number: usize, index: Index) -> Clause {
    let Named { parameters, value, hold, sum, .. } = named(symbol, count, number, index);
    Clause { parameters, never: Formula::and([hold, Formula::compare_integers(value, Relation::Less, sum)]) }
}

/// Never: so many processes satisfy the formula and no others do, and the count is something else than what they
/// add up to.
fn there_is_another(symbol: SymbolId, count: &Count, number: usize, index: Index) -> Clause {
    let Named { parameters, indices, value, hold, sum } = named(symbol, count, number, index);
    let id = VariableId(u32::try_from(parameters.len()).expect("there are few parameters"));
    let other = Variable { id, name: "j".to_owned(), origin: Origin::default() };
    let not = Formula::not(count.holds_for(&indices, &Term::Variable(id)));
    let excluded: Vec<VariableId> = parameters[..number].iter().map(|one| one.id).collect();
    let others = Formula::quantified(Quantifier::Forall, other, &excluded, not, Origin::default());
    let relation = if count.is_never_negative() { Relation::Less } else { Relation::NotEqual };
    Clause {
        parameters,
        never: Formula::and([hold, Formula::compare_integers(sum, relation, value), others]),
    }
}
