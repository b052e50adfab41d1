//! What formulas and terms mean in a state, word for word as [`polycube_language::system`] defines it.
//!
//! Everything here expects a state that [`fits`](crate::fits) the instance, and processes of the instance for
//! all free variables.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{self, Display, Formatter};

use polycube_language::formula::{
    Access, Comparison, Formula, Quantifier, Relation, Term, Variable, VariableId,
};
use polycube_language::system::Property;

use crate::explain::{Explanation, joined, why_fails};
use crate::instance::Instance;
use crate::state::{Cell, State};
use crate::value::Value;

/// Processes for variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    processes: BTreeMap<VariableId, u32>,
}

impl Assignment {
    /// These processes for these variables, in order.
    pub fn of(variables: &[Variable], processes: &[u32]) -> Assignment {
        let ids = variables.iter().map(|variable| variable.id);
        Assignment { processes: ids.zip(processes.iter().copied()).collect() }
    }

    /// The same, and one more.
    #[must_use]
    pub fn with(&self, variable: VariableId, process: u32) -> Assignment {
        let mut extended = self.clone();
        extended.processes.insert(variable, process);
        extended
    }

    /// The process for a variable, if it has one.
    pub fn get(&self, variable: VariableId) -> Option<u32> {
        self.processes.get(&variable).copied()
    }
}

/// Whether the formula holds.
///
/// # Panics
/// If the state does not fit the instance, or if a free variable has no process.
pub fn holds(instance: &Instance<'_>, formula: &Formula, state: &State, assignment: &Assignment) -> bool {
    truth(instance, formula, state, assignment).expect("every free variable has a process")
}

/// Whether the formula holds, if that is the same for all processes in place of the variables that have none.
/// (It may be the same and not be seen: what is said here is right, and all there is to say once all variables
/// have a process.)
fn truth(instance: &Instance<'_>, formula: &Formula, state: &State, assignment: &Assignment) -> Option<bool> {
    let truth_of = |part: &Formula| truth(instance, part, state, assignment);
    match formula {
        Formula::Constant(value) => Some(*value),
        Formula::Compare(comparison) => comparison_holds(instance, comparison, state, assignment),
        Formula::Not(part) => truth_of(part).map(|value| !value),
        Formula::And(parts) => all(parts.iter().map(truth_of)),
        Formula::Or(parts) => any(parts.iter().map(truth_of)),
        Formula::Iff(parts) => Some(truth_of(&parts[0])? == truth_of(&parts[1])?),
        Formula::IfThenElse(parts) => truth_of(if truth_of(&parts[0])? { &parts[1] } else { &parts[2] }),
        Formula::Quantified(quantified) => {
            let truth_for = |process: u32| {
                let extended = assignment.with(quantified.variable.id, process);
                truth(instance, &quantified.body, state, &extended)
            };
            let values = (1..=instance.processes()).map(truth_for);
            match quantified.quantifier {
                Quantifier::Forall => all(values),
                Quantifier::Exists => any(values),
            }
        }
    }
}

/// Whether all hold: not if one does not, whatever the others do.
fn all(mut values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    let fails = values.any(|value| {
        result = result.and(value);
        value == Some(false)
    });
    if fails { Some(false) } else { result }
}

/// Whether one holds.
fn any(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(values.map(|value| value.map(|value| !value))).map(|value| !value)
}

/// The value of a term.
///
/// # Panics
/// If the state does not fit the instance, or if a variable has no process.
pub fn value(instance: &Instance<'_>, term: &Term, state: &State, assignment: &Assignment) -> Value {
    known_value(instance, term, state, assignment).expect("every free variable has a process")
}

/// The value of a term, if all its variables have a process.
fn known_value(
    instance: &Instance<'_>,
    term: &Term,
    state: &State,
    assignment: &Assignment,
) -> Option<Value> {
    let read = |access: &Access| {
        let cell = known_cell(instance, access, state, assignment)?;
        Some(state.get(&cell).expect("a state that fits has a value for every cell").clone())
    };
    Some(match term {
        Term::Variable(variable) => Value::Process(assignment.get(*variable)?),
        Term::Process(process) => Value::Process(*process),
        Term::Constructor(enumeration, index) => Value::Constructor(*enumeration, *index),
        Term::Access(access) => read(access)?,
        Term::Linear(linear) => {
            let mut sum = linear.constant.clone();
            for (coefficient, access) in &linear.terms {
                let Value::Number(number) = read(access)? else {
                    panic!("only numbers are added");
                };
                sum = sum + &(number * coefficient);
            }
            Value::Number(sum)
        }
    })
}

/// The cell that is meant by `X` or `A[t1, ..., tn]`.
///
/// # Panics
/// As [`value()`] does.
pub fn accessed_cell(
    instance: &Instance<'_>,
    access: &Access,
    state: &State,
    assignment: &Assignment,
) -> Cell {
    known_cell(instance, access, state, assignment).expect("every free variable has a process")
}

fn known_cell(
    instance: &Instance<'_>,
    access: &Access,
    state: &State,
    assignment: &Assignment,
) -> Option<Cell> {
    let process = |index: &Term| match known_value(instance, index, state, assignment)? {
        Value::Process(process) => Some(process),
        other => panic!("only processes are indices, not {other:?}"),
    };
    let indices = access.indices.iter().map(process).collect::<Option<_>>()?;
    Some(Cell { symbol: access.symbol, indices })
}

fn comparison_holds(
    instance: &Instance<'_>,
    comparison: &Comparison,
    state: &State,
    assignment: &Assignment,
) -> Option<bool> {
    let left = known_value(instance, &comparison.left, state, assignment)?;
    let right = known_value(instance, &comparison.right, state, assignment)?;
    Some(match comparison.relation {
        Relation::Equal => left == right,
        Relation::NotEqual => left != right,
        Relation::Less => instance.is_less(&left, &right),
        Relation::LessEqual => left == right || instance.is_less(&left, &right),
    })
}

/// An `init` clause that does not hold in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotInitial {
    /// Its index in the system.
    pub clause: usize,
    /// The first processes in place of its parameters for which it does not hold.
    pub processes: Vec<u32>,
    /// What part of it does not hold for them.
    pub reasons: Vec<Explanation>,
}

/// Whether all `init` clauses hold, for all processes in place of their parameters. Those may coincide.
pub fn is_initial(instance: &Instance<'_>, state: &State) -> Result<(), NotInitial> {
    for (clause, init) in instance.system().init.iter().enumerate() {
        let wanted = Wanted { truth: false, are_distinct: false };
        if let Some(processes) = wanted.find(instance, &init.formula, &init.parameters, state) {
            let reasons =
                why_fails(instance, &init.formula, &init.parameters, &processes, state, init.origin);
            return Err(NotInitial { clause, processes, reasons });
        }
    }
    Ok(())
}

/// Pairwise distinct processes in place of the parameters of a property for which its formula holds: where
/// there are some, the state is one that must not be reached. The first ones, if it mentions all parameters.
pub fn violates(instance: &Instance<'_>, property: &Property, state: &State) -> Option<Vec<u32>> {
    first_distinct(instance, &property.formula, &property.parameters, state)
}

/// Pairwise distinct processes in place of the parameters for which a formula holds.
pub fn first_distinct(
    instance: &Instance<'_>,
    formula: &Formula,
    parameters: &[Variable],
    state: &State,
) -> Option<Vec<u32>> {
    Wanted { truth: true, are_distinct: true }.find(instance, formula, parameters, state)
}

/// What to look for: processes in place of parameters for which a formula holds, or does not.
#[derive(Clone, Copy)]
struct Wanted {
    truth: bool,
    are_distinct: bool,
}

impl Wanted {
    /// The first such processes, if there are any. Parameters get their processes one by one, and no more of them once it is
    /// known that the formula does what it should not: so a disjunction of many parameters does not mean all their tuples.
    /// Those that the formula does not mention come last.
    fn find(
        self,
        instance: &Instance<'_>,
        formula: &Formula,
        parameters: &[Variable],
        state: &State,
    ) -> Option<Vec<u32>> {
        let count = instance.processes();
        if (self.are_distinct && parameters.len() > count as usize) || (count == 0 && !parameters.is_empty())
        {
            return None;
        }
        let mentioned = mentioned(formula, parameters);
        let mut chosen: Vec<u32> = Vec::new();
        loop {
            let assigned = mentioned.iter().zip(&chosen).map(|(&at, &process)| (parameters[at].id, process));
            let truth = truth(instance, formula, state, &Assignment { processes: assigned.collect() });
            match truth {
                Some(truth) if truth == self.truth => break,
                Some(_) => {}
                None => chosen.push(0),
            }
            // The next process for the last parameter that has one left.
            loop {
                let last = chosen.pop()?;
                let is_free = |process: &u32| !self.are_distinct || !chosen.contains(process);
                if let Some(process) = (last + 1..=count).find(is_free) {
                    chosen.push(process);
                    break;
                }
            }
        }
        let mut processes = vec![0; parameters.len()];
        mentioned.iter().zip(chosen).for_each(|(&at, process)| processes[at] = process);
        for at in 0..processes.len() {
            if processes[at] == 0 {
                let is_free = |process: &u32| !self.are_distinct || !processes.contains(process);
                processes[at] = (1..=count).find(is_free).expect("there are as many processes as parameters");
            }
        }
        Some(processes)
    }
}

/// The places of the parameters that a formula mentions.
fn mentioned(formula: &Formula, parameters: &[Variable]) -> Vec<usize> {
    let mut is_mentioned = vec![false; parameters.len()];
    let mut note = |term: &Term| {
        if let Term::Variable(variable) = term
            && let Some(at) = parameters.iter().position(|parameter| parameter.id == *variable)
        {
            is_mentioned[at] = true;
        }
    };
    formula.for_each_comparison(&mut |comparison| {
        comparison.left.for_each_part(&mut note);
        comparison.right.for_each_part(&mut note);
    });
    (0..parameters.len()).filter(|&at| is_mentioned[at]).collect()
}

impl Display for NotInitial {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "an `init` clause does not hold: {}", joined(&self.reasons))
    }
}

impl Error for NotInitial {}
