//! What the name of a ruleset, loop or quantifier ranges over.

use polycube_language::formula::{Formula, Term, Variable};
use polycube_language::span::Span;

use super::place::Environment;
use super::value::{Atom, Cases, Constant, known};
use super::{Result, Translator, refuse};
use crate::check::MAX_VALUES;
use crate::model::Range;

/// One of the values, or all processes.
pub(super) struct Member {
    /// When it belongs to the range: bounds may depend on the state.
    pub when: Formula,
    /// The variable that stands for each process.
    pub variable: Option<Variable>,
    pub value: Cases,
}

impl Member {
    fn always(value: Constant) -> Member {
        Member { when: Formula::TRUE, variable: None, value: known(value) }
    }
}

impl Translator<'_> {
    /// What a name ranges over, in order. The bounds are evaluated once, before the first value.
    pub(super) fn ranged(
        &mut self,
        range: &Range,
        environment: &mut Environment,
        span: Span,
    ) -> Result<Vec<Member>> {
        let (from, to, by) = match range {
            Range::Type(ty) => {
                self.expect_listed(*ty, span)?;
                let mut all: Vec<Member> = self.values(*ty).into_iter().map(Member::always).collect();
                if self.has_process(*ty) {
                    let variable = self.fresh("k");
                    let value = vec![(Formula::TRUE, Atom::Process(Term::Variable(variable.id)))];
                    all.push(Member { when: Formula::TRUE, variable: Some(variable), value });
                }
                return Ok(all);
            }
            Range::Steps { from, to, by } => (from, to, by),
        };
        self.expect_fixed(by, span)?;
        let by = by.value;
        let (from, to) = (self.used(from, environment)?, self.used(to, environment)?);
        let (from, to) = (self.numbers(&from, span)?, self.numbers(&to, span)?);
        let is_fixed = |bound: &[(Formula, i64)]| bound.len() == 1;
        if by.abs() != 1 && !is_fixed(&from) {
            return refuse(span, "where this range starts depends on the state, and its steps are not 1");
        }
        let numbers = |bound: &[(Formula, i64)]| bound.iter().map(|(_, number)| *number).collect::<Vec<_>>();
        let (starts, ends) = (numbers(&from), numbers(&to));
        let bounds = match by > 0 {
            true => starts.iter().min().zip(ends.iter().max()),
            false => starts.iter().max().zip(ends.iter().min()),
        };
        let Some((&first, &last)) = bounds else { return Ok(Vec::new()) };
        let mut members = Vec::new();
        let mut next = first;
        while is_before(by, next, last) {
            if members.len() as i64 == MAX_VALUES {
                return refuse(span, format!("this is more than {MAX_VALUES} values"));
            }
            let among = |bound: &[(Formula, i64)], is_within: &dyn Fn(i64) -> bool| {
                if bound.iter().all(|(_, number)| is_within(*number)) {
                    return Formula::TRUE;
                }
                let within = bound.iter().filter(|(_, number)| is_within(*number));
                Formula::or(within.map(|(when, _)| when.clone()).collect::<Vec<_>>())
            };
            let has_started = among(&from, &|start| is_before(by, start, next));
            let goes_on = among(&to, &|end| is_before(by, next, end));
            let when = Formula::and([has_started, goes_on]);
            members.push(Member { when, ..Member::always(Constant::number(next)) });
            let Some(after) = next.checked_add(by) else { break };
            next = after;
        }
        Ok(members)
    }

    /// The numbers that a bound can be, and when it is that.
    fn numbers(&self, bound: &Cases, span: Span) -> Result<Vec<(Formula, i64)>> {
        let mut numbers = Vec::new();
        for (when, atom) in bound {
            if let Atom::Process(_) = atom {
                return refuse(span, "a process is the bound of a range");
            }
            if let Atom::Number(_) = atom {
                return refuse(span, "the bound of this range depends on the number of processes");
            }
            let possible = self.possible(atom).into_iter();
            numbers.extend(possible.map(|(is, value)| (Formula::and([when.clone(), is]), value.number)));
        }
        Ok(numbers)
    }
}

/// Whether steps lead from one number to another one, or they are the same.
fn is_before(by: i64, one: i64, other: i64) -> bool {
    if by > 0 { one <= other } else { one >= other }
}
