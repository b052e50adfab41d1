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

use crate::explain::{Reason, joined, why_fails};
use crate::instance::Instance;
use crate::state::{Cell, State};
use crate::tuples::{distinct_tuples, tuples};
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
    let part_holds = |part: &Formula| holds(instance, part, state, assignment);
    match formula {
        Formula::Constant(value) => *value,
        Formula::Compare(comparison) => comparison_holds(instance, comparison, state, assignment),
        Formula::Not(part) => !part_holds(part),
        Formula::And(parts) => parts.iter().all(part_holds),
        Formula::Or(parts) => parts.iter().any(part_holds),
        Formula::Iff(parts) => part_holds(&parts[0]) == part_holds(&parts[1]),
        Formula::IfThenElse(parts) => {
            if part_holds(&parts[0]) {
                part_holds(&parts[1])
            } else {
                part_holds(&parts[2])
            }
        }
        Formula::Quantified(quantified) => {
            let body_holds = |process: u32| {
                let extended = assignment.with(quantified.variable.id, process);
                holds(instance, &quantified.body, state, &extended)
            };
            match quantified.quantifier {
                Quantifier::Forall => (1..=instance.processes()).all(body_holds),
                Quantifier::Exists => (1..=instance.processes()).any(body_holds),
            }
        }
    }
}

/// The value of a term.
///
/// # Panics
/// If the state does not fit the instance, or if a variable has no process.
pub fn value(instance: &Instance<'_>, term: &Term, state: &State, assignment: &Assignment) -> Value {
    match term {
        Term::Variable(variable) => {
            Value::Process(assignment.get(*variable).expect("every free variable has a process"))
        }
        Term::Process(process) => Value::Process(*process),
        Term::Constructor(enumeration, index) => Value::Constructor(*enumeration, *index),
        Term::Access(access) => read(instance, access, state, assignment),
        Term::Linear(linear) => {
            let mut sum = linear.constant.clone();
            for (coefficient, access) in &linear.terms {
                let Value::Number(number) = read(instance, access, state, assignment) else {
                    panic!("only numbers are added");
                };
                sum = sum + &(number * coefficient);
            }
            Value::Number(sum)
        }
    }
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
    let process = |index: &Term| match value(instance, index, state, assignment) {
        Value::Process(process) => process,
        other => panic!("only processes are indices, not {other:?}"),
    };
    Cell { symbol: access.symbol, indices: access.indices.iter().map(process).collect() }
}

/// An `init` clause that does not hold in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotInitial {
    /// Its index in the system.
    pub clause: usize,
    /// The first processes in place of its parameters for which it does not hold.
    pub processes: Vec<u32>,
    /// What part of it does not hold for them.
    pub reasons: Vec<Reason>,
}

/// Whether all `init` clauses hold, for all processes in place of their parameters. Those may coincide.
pub fn is_initial(instance: &Instance<'_>, state: &State) -> Result<(), NotInitial> {
    for (clause, init) in instance.system().init.iter().enumerate() {
        // What stands for a parameter that the formula does not mention makes no difference.
        let mentioned = mentioned(&init.formula, &init.parameters);
        for chosen in tuples(instance.processes(), mentioned.len()) {
            let mut processes = vec![1; init.parameters.len()];
            mentioned.iter().zip(chosen).for_each(|(&at, process)| processes[at] = process);
            if !holds(instance, &init.formula, state, &Assignment::of(&init.parameters, &processes)) {
                let reasons =
                    why_fails(instance, &init.formula, &init.parameters, &processes, state, init.origin);
                return Err(NotInitial { clause, processes, reasons });
            }
        }
    }
    Ok(())
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

/// The first pairwise distinct processes in place of the parameters of a property for which its formula
/// holds: where there are some, the state is one that must not be reached.
pub fn violates(instance: &Instance<'_>, property: &Property, state: &State) -> Option<Vec<u32>> {
    distinct_tuples(instance.processes(), property.parameters.len()).find(|processes| {
        holds(instance, &property.formula, state, &Assignment::of(&property.parameters, processes))
    })
}

fn comparison_holds(
    instance: &Instance<'_>,
    comparison: &Comparison,
    state: &State,
    assignment: &Assignment,
) -> bool {
    let left = value(instance, &comparison.left, state, assignment);
    let right = value(instance, &comparison.right, state, assignment);
    match comparison.relation {
        Relation::Equal => left == right,
        Relation::NotEqual => left != right,
        Relation::Less => instance.is_less(&left, &right),
        Relation::LessEqual => left == right || instance.is_less(&left, &right),
    }
}

fn read(instance: &Instance<'_>, access: &Access, state: &State, assignment: &Assignment) -> Value {
    let cell = accessed_cell(instance, access, state, assignment);
    state.get(&cell).expect("a state that fits has a value for every cell").clone()
}

impl Display for NotInitial {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "an `init` clause does not hold: {}", joined(&self.reasons))
    }
}

impl Error for NotInitial {}
