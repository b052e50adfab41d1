//! Evaluates formulas and terms in a state. Each case follows its definition in
//! [`polycube_language::system`].
//!
//! Everything here expects a state that [`fits`](crate::fits) the instance, and only processes of the
//! instance for variables.

use std::collections::BTreeMap;

use polycube_language::formula::{
    Access, Comparison, Formula, Quantifier, Relation, Term, Variable, VariableId,
};

use crate::instance::Instance;
use crate::state::{Cell, State};
use crate::value::Value;

/// Processes for variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    processes: BTreeMap<VariableId, u32>,
}

impl Assignment {
    /// These processes for these variables, in order. Variables beyond the last process have none.
    pub fn of<'v>(variables: impl IntoIterator<Item = &'v Variable>, processes: &[u32]) -> Assignment {
        let ids = variables.into_iter().map(|variable| variable.id);
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
    let truth = Context { instance, state, assignment }.truth(formula);
    truth.expect("every free variable has a process, and every cell a value")
}

/// Whether the formula holds, if that is the same whatever the cells hold that the state has no value for, and whatever the
/// processes in place of variables that have none. What is said is right, but not all that could be said.
pub fn truth(
    instance: &Instance<'_>,
    formula: &Formula,
    state: &State,
    assignment: &Assignment,
) -> Option<bool> {
    Context { instance, state, assignment }.truth(formula)
}

/// The value of a term; panics as [`holds`] does.
pub(crate) fn value(instance: &Instance<'_>, term: &Term, state: &State, assignment: &Assignment) -> Value {
    let value = Context { instance, state, assignment }.value(term);
    value.expect("every free variable has a process, and every cell a value")
}

/// The cell that is meant by `X` or `A[t1, ..., tn]`, if all variables in it have a process.
pub fn accessed_cell(
    instance: &Instance<'_>,
    access: &Access,
    state: &State,
    assignment: &Assignment,
) -> Option<Cell> {
    Context { instance, state, assignment }.cell(access)
}

/// What formulas are evaluated in: a state, and processes for some of the variables.
pub(crate) struct Context<'c> {
    pub(crate) instance: &'c Instance<'c>,
    pub(crate) state: &'c State,
    pub(crate) assignment: &'c Assignment,
}

impl Context<'_> {
    /// Whether the formula holds, if its truth is the same for all processes in place of the variables that
    /// have none. What is said is right, but not all that could be said: `p = p` is unknown as long as p has
    /// no process. Once all free variables have one, nothing is unknown.
    pub(crate) fn truth(&self, formula: &Formula) -> Option<bool> {
        match formula {
            Formula::Constant(value) => Some(*value),
            Formula::Compare(comparison) => self.comparison(comparison),
            Formula::Not(part) => self.truth(part).map(|value| !value),
            Formula::And(parts) => all(parts.iter().map(|part| self.truth(part))),
            Formula::Or(parts) => any(parts.iter().map(|part| self.truth(part))),
            Formula::Iff(parts) => Some(self.truth(&parts[0])? == self.truth(&parts[1])?),
            Formula::IfThenElse(parts) => {
                self.truth(if self.truth(&parts[0])? { &parts[1] } else { &parts[2] })
            }
            Formula::Quantified(quantified) => {
                let values = (1..=self.instance.processes()).map(|process| {
                    let assignment = &self.assignment.with(quantified.variable.id, process);
                    Context { assignment, ..*self }.truth(&quantified.body)
                });
                match quantified.quantifier {
                    Quantifier::Forall => all(values),
                    Quantifier::Exists => any(values),
                }
            }
        }
    }

    fn comparison(&self, comparison: &Comparison) -> Option<bool> {
        let (left, right) = (self.value(&comparison.left)?, self.value(&comparison.right)?);
        Some(match comparison.relation {
            Relation::Equal => left == right,
            Relation::NotEqual => left != right,
            Relation::Less => self.instance.is_less(&left, &right),
            Relation::LessEqual => left == right || self.instance.is_less(&left, &right),
        })
    }

    /// The value of a term, if all its variables have a process, and all its cells a value.
    pub(crate) fn value(&self, term: &Term) -> Option<Value> {
        let read = |access: &Access| self.state.get(&self.cell(access)?).cloned();
        Some(match term {
            Term::Variable(variable) => Value::Process(self.assignment.get(*variable)?),
            Term::Process(process) => Value::Process(*process),
            Term::Constructor(enumeration, index) => Value::Constructor(*enumeration, *index),
            Term::Access(access) => read(access)?,
            Term::Linear(linear) => {
                let mut sum = linear.constant.clone();
                for (coefficient, access) in &linear.terms {
                    let Value::Number(number) = read(access)? else { panic!("only numbers are added") };
                    sum = sum + &(number * coefficient);
                }
                Value::Number(sum)
            }
        })
    }

    fn cell(&self, access: &Access) -> Option<Cell> {
        let process = |index: &Term| match self.value(index)? {
            Value::Process(process) => Some(process),
            other => panic!("only processes are indices, not {other:?}"),
        };
        let indices = access.indices.iter().map(process).collect::<Option<_>>()?;
        Some(Cell { symbol: access.symbol, indices })
    }
}

/// Whether all hold: if one does not, the others make no difference, and may be unknown.
fn all(mut values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    let fails = values.any(|value| {
        result = result.and(value);
        value == Some(false)
    });
    if fails { Some(false) } else { result }
}

fn any(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(values.map(|value| value.map(|value| !value))).map(|value| !value)
}
