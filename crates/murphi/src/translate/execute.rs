//! Statements, one after the other, and calls, which are expanded in place.

use std::collections::BTreeSet;

use polycube_language::diagnostic::{Code, Diagnostic};
use polycube_language::formula::{Formula, Term};
use polycube_language::span::Span;

use super::layout::{LeafId, Node, Role};
use super::place::{Binding, Environment, Spot, Spots};
use super::range::Member;
use super::value::{Atom, Cases, Domain};
use super::writes::{Read, under};
use super::{Refused, Result, Translator, refuse, too_many_cases};
use crate::model::{Expr, ExprKind, LocalId, RoutineId, Statement, StatementKind, TypeKind};

/// How many calls may be inside each other: a routine that calls itself never ends here.
const MAX_CALLS: usize = 32;

/// How often the body of a `while` is run.
const MAX_ROUNDS: usize = 64;

/// A rule or routine that is being run.
#[derive(Clone, Debug)]
pub(super) struct Activation {
    /// When it has ended already.
    pub returned: Formula,
    /// Where the result of a function goes.
    pub result: Option<Spots>,
}

/// An argument that is passed by value.
struct Copied {
    from: Spot,
    to: Spot,
    span: Span,
}

impl Activation {
    pub fn new() -> Activation {
        Activation { returned: Formula::FALSE, result: None }
    }
}

impl Translator<'_> {
    pub(super) fn statements(
        &mut self,
        statements: &[Statement],
        environment: &mut Environment,
        activation: &mut Activation,
    ) -> Result<()> {
        for statement in statements {
            let goes_on = under(&self.path, Formula::not(activation.returned.clone()));
            if goes_on == Formula::FALSE || self.path == Formula::FALSE {
                break;
            }
            self.spend(self.path.size() + goes_on.size(), statement.span)?;
            // All that happens from here on happens under these conditions.
            if self.path.size() + goes_on.size() > self.room {
                return too_many_cases(statement.span, "whether this is reached");
            }
            self.within(goes_on, |translator| translator.statement(statement, environment, activation))?;
        }
        Ok(())
    }

    fn statement(
        &mut self,
        statement: &Statement,
        environment: &mut Environment,
        activation: &mut Activation,
    ) -> Result<()> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let Some(spots) = self.spots(target, environment)? else {
                    return refuse(target.span, "this name stands for a value, which cannot be assigned");
                };
                self.expect_no_element(&spots, target.span)?;
                self.assign(spots, value, environment, span)?;
            }
            StatementKind::If(branches, otherwise) => {
                let mut rest = Formula::TRUE;
                for (condition, body) in branches {
                    let holds =
                        self.within(rest.clone(), |translator| translator.condition(condition, environment))?;
                    let here = Formula::and([rest.clone(), holds.clone()]);
                    self.within(here, |translator| translator.statements(body, environment, activation))?;
                    rest = Formula::and([rest, Formula::not(holds)]);
                }
                self.within(rest, |translator| translator.statements(otherwise, environment, activation))?;
            }
            StatementKind::Switch(value, cases, otherwise) => {
                let switched = self.used(value, environment)?;
                let mut rest = Formula::TRUE;
                for (values, body) in cases {
                    let mut holds = Formula::FALSE;
                    for case in values {
                        let goes_on = Formula::and([rest.clone(), Formula::not(holds.clone())]);
                        let value = self.within(goes_on, |translator| translator.used(case, environment))?;
                        holds = Formula::or([holds, self.same(&switched, &value, case.span)?]);
                    }
                    let here = Formula::and([rest.clone(), holds.clone()]);
                    self.within(here, |translator| translator.statements(body, environment, activation))?;
                    rest = Formula::and([rest, Formula::not(holds)]);
                }
                self.within(rest, |translator| translator.statements(otherwise, environment, activation))?;
            }
            StatementKind::For(local, range, body) => {
                let (writes, reads) = (self.log.len(), self.reads.len());
                let all = self.ranged(range, environment, span)?;
                let has_both = all.len() > 1;
                for Member { when, variable, value } in all {
                    environment.bind(*local, Binding::Value(value));
                    let Some(variable) = variable else {
                        self.within(when, |translator| translator.statements(body, environment, activation))?;
                        continue;
                    };
                    let before = (self.log.len(), self.reads.len());
                    self.for_all((*local, &variable), body, environment, activation, span)?;
                    if has_both {
                        self.expect_apart((writes, reads), before, span)?;
                    }
                }
            }
            StatementKind::While(condition, body) => {
                let outer = self.path.clone();
                let mut is_ended = false;
                for _ in 0..MAX_ROUNDS {
                    let goes_on = under(&self.path, Formula::not(activation.returned.clone()));
                    self.path = Formula::and([self.path.clone(), goes_on]);
                    if self.path == Formula::FALSE {
                        is_ended = true;
                        break;
                    }
                    let holds = self.condition(condition, environment)?;
                    if holds == Formula::FALSE {
                        is_ended = true;
                        break;
                    }
                    self.path = Formula::and([self.path.clone(), under(&self.path, holds)]);
                    if self.path == Formula::FALSE {
                        is_ended = true;
                        break;
                    }
                    self.statements(body, environment, activation)?;
                }
                self.path = outer;
                if !is_ended {
                    return refuse(
                        span,
                        format!("it is not clear that this loop ends within {MAX_ROUNDS} rounds"),
                    );
                }
            }
            StatementKind::Alias(local, value, body) => {
                let binding = self.aliased(value, environment)?;
                environment.bind(*local, binding);
                self.statements(body, environment, activation)?;
            }
            StatementKind::Call(routine, arguments) => {
                self.expand(*routine, arguments, environment, span)?;
            }
            StatementKind::Return(value) => {
                if let (Some(value), Some(result)) = (value, activation.result.clone()) {
                    self.assign(result, value, environment, span)?;
                }
                activation.returned = Formula::or([activation.returned.clone(), self.path.clone()]);
            }
            StatementKind::Undefine(place) => {
                let spots = self.spots(place, environment)?.unwrap_or_default();
                self.expect_no_element(&spots, place.span)?;
                self.fill(spots, span, &mut |_, _| Ok(Atom::Undefined))?;
            }
            StatementKind::Clear(place) if self.model.has_multiset(place.ty) => {
                return refuse(span, "`clear` of a multiset; `undefine` makes it empty");
            }
            StatementKind::Clear(place) => {
                let spots = self.spots(place, environment)?.unwrap_or_default();
                self.expect_no_element(&spots, place.span)?;
                self.fill(spots, span, &mut |translator, leaf| translator.least(leaf, span))?;
            }
            StatementKind::Error(text) => {
                let what = text.clone().unwrap_or_else(|| "an error is raised".to_owned());
                self.mishap(Formula::TRUE, what, span);
            }
            StatementKind::Assert(condition, text) => {
                let holds = self.claim(condition, environment)?;
                let what = text.clone().unwrap_or_else(|| "an assertion fails".to_owned());
                self.mishap(Formula::not(holds), what, span);
            }
            StatementKind::Put(value) => match &value.kind {
                // A variable is shown whether it has a value or not.
                ExprKind::Place(place) => drop(self.spots(place, environment)?),
                _ => drop(self.value(value, environment)?),
            },
            StatementKind::MultisetAdd(place, value) => self.multiset_add(place, value, environment, span)?,
            StatementKind::MultisetRemove(place, index) => {
                self.multiset_remove(place, index, environment, span)?;
            }
            StatementKind::MultisetRemovePred(elements) => {
                self.multiset_remove_all(elements, environment, span)?;
            }
        }
        Ok(())
    }

    /// The least value that a leaf can have.
    fn least(&mut self, leaf: LeafId, span: Span) -> Result<Atom> {
        if let Some([low, _]) = &self.leaf(leaf).bounds {
            return Ok(Atom::Number(low.clone()));
        }
        if let Some(value) = self.leaf(leaf).values.first() {
            return Ok(Atom::Known(*value));
        }
        match &self.model.ty(self.leaf(leaf).ty).kind {
            TypeKind::Range(low, _) => Ok(Atom::Process(self.literal(low.value))),
            _ => refuse(span, "a scalarset has no least value"),
        }
    }

    pub(super) fn aliased(&mut self, value: &Expr, environment: &mut Environment) -> Result<Binding> {
        if let ExprKind::Place(place) = &value.kind
            && let Some(spots) = self.spots(place, environment)?
        {
            return Ok(Binding::Place(spots));
        }
        Ok(Binding::Value(self.value(value, environment)?))
    }

    fn assign(
        &mut self,
        spots: Spots,
        value: &Expr,
        environment: &mut Environment,
        span: Span,
    ) -> Result<()> {
        let is_leaf = spots.iter().all(|(_, spot)| matches!(self.node(spot.node), Node::Leaf(_)));
        if is_leaf {
            let cases = self.value(value, environment)?;
            for (condition, spot) in spots {
                let Node::Leaf(leaf) = *self.node(spot.node) else { unreachable!("all are leaves") };
                let cases = cases.clone();
                self.within(condition, |translator| translator.store(leaf, &spot.indices, cases, span))?;
            }
            return Ok(());
        }
        let from = match &value.kind {
            ExprKind::Place(place) => self.spots(place, environment)?,
            ExprKind::Call(routine, arguments) => self.expand(*routine, arguments, environment, span)?,
            ExprKind::Undefined => return self.fill(spots, span, &mut |_, _| Ok(Atom::Undefined)),
            _ => None,
        };
        let Some(from) = from else {
            return refuse(value.span, "whole records and arrays can only be copied from variables");
        };
        for (when, source) in &from {
            for (and_when, target) in &spots {
                let both = Formula::and([when.clone(), and_when.clone()]);
                self.within(both, |translator| translator.copy(source, target, span))?;
            }
        }
        Ok(())
    }

    /// Stores a value in a leaf, where it fits.
    pub(super) fn store(&mut self, leaf: LeafId, indices: &[Term], cases: Cases, span: Span) -> Result<()> {
        if self.leaf(leaf).bounds.is_some() {
            return self.store_number(leaf, indices, cases, span);
        }
        let values = self.leaf(leaf).values.clone();
        let sizes = cases.iter().map(|(condition, _)| condition.size());
        self.spend(cases.len() * self.path.size() + sizes.sum::<usize>() + values.len(), span)?;
        let mut fitting = Vec::new();
        for (condition, atom) in cases {
            match &atom {
                Atom::Undefined => fitting.push((condition, atom)),
                Atom::Last => {
                    // What a leaf gets from one that an order decides about, the order decides.
                    let reason = self.last.values().next().cloned();
                    if let Some(reason) = reason {
                        self.last.entry(leaf).or_insert(reason);
                    }
                    fitting.push((condition, atom));
                }
                Atom::Cell(cell) if self.leaf(leaf).has_process && cell.range.is_some() => {
                    return refuse(span, "a number that the state decides is stored as a process");
                }
                Atom::Number(_) if self.leaf(leaf).has_process => {
                    return refuse(span, "a number that the state decides is stored as a process");
                }
                Atom::Number(number) if self.is_added_to(leaf, number) => {
                    self.note_step((leaf, indices), &condition, number, span)?;
                    fitting.push((condition, atom));
                }
                Atom::Number(number) => {
                    let (cases, outside) = self.within_list(number, &values);
                    self.mishap(Formula::and([condition.clone(), outside]), "a value is out of range", span);
                    let within = cases.into_iter().map(|(when, value)| (when, Atom::Known(value)));
                    fitting
                        .extend(within.map(|(when, atom)| (Formula::and([condition.clone(), when]), atom)));
                }
                Atom::Process(_) => {
                    if !self.leaf(leaf).has_process {
                        return refuse(span, "a process is stored in a variable of another type");
                    }
                    fitting.push((condition, atom));
                }
                Atom::Known(value) if values.contains(value) => fitting.push((condition, atom)),
                Atom::Known(value) if self.leaf(leaf).has_process && value.domain == Domain::Number => {
                    let process = self.literal_of(*value, span)?;
                    fitting.push((condition, Atom::Process(process)));
                }
                Atom::Known(_) => self.mishap(condition, "a value is out of range", span),
                Atom::Cell(cell) => {
                    let possible = self.possible(&atom);
                    let outside: Vec<Formula> = (possible.iter())
                        .filter(|(_, value)| !values.contains(value))
                        .map(|(when, _)| when.clone())
                        .collect();
                    let out = Formula::and([condition.clone(), Formula::or(outside)]);
                    self.mishap(out, "a value is out of range", span);
                    let range = self.leaf(leaf).range();
                    let cell = super::value::CellAtom { range: cell.range.and(range), ..cell.clone() };
                    fitting.push((condition, Atom::Cell(cell)));
                }
            }
        }
        self.write(leaf, indices, fitting, span);
        Ok(())
    }

    /// The value of a function.
    pub(super) fn call(
        &mut self,
        routine: RoutineId,
        arguments: &[Expr],
        environment: &mut Environment,
        span: Span,
    ) -> Result<Cases> {
        let result = self.expand(routine, arguments, environment, span)?;
        let result = result.expect("a function has a result");
        let [(_, spot)] = &result[..] else { unreachable!("the result has one place") };
        let Node::Leaf(leaf) = *self.node(spot.node) else {
            return refuse(span, "whole records and arrays can only be assigned");
        };
        self.read(leaf, &[], span)
    }

    /// Runs a routine. Where its result is, if it is a function.
    fn expand(
        &mut self,
        id: RoutineId,
        arguments: &[Expr],
        environment: &mut Environment,
        span: Span,
    ) -> Result<Option<Spots>> {
        let model = self.model;
        let routine = model.routine(id);
        if self.calls == MAX_CALLS {
            return refuse(span, format!("`{}` calls itself", routine.name));
        }
        let mut inner = Environment::default();
        let start = self.log.len();
        let mut copied: Vec<Copied> = Vec::new();
        for (formal, argument) in routine.formals.iter().zip(arguments) {
            let local = &routine.frame.locals[formal.local.0 as usize];
            let binding = if formal.is_reference {
                self.aliased(argument, environment)?
            } else {
                let spots = self.local_variable(&local.name, local.ty, argument.span)?;
                self.assign(spots.clone(), argument, environment, argument.span)?;
                if let ExprKind::Place(place) = &argument.kind {
                    for (_, spot) in self.spots(place, environment)?.unwrap_or_default() {
                        copied.push(Copied { from: spot, to: spots[0].1.clone(), span: argument.span });
                    }
                }
                Binding::Place(spots)
            };
            inner.bind(formal.local, binding);
        }
        for Copied { from, to, .. } in &copied {
            let pairs = self.leaves_below(from).into_iter().zip(self.leaves_below(to));
            self.copies.extend(pairs.map(|((leaf, ..), (copy, ..))| (leaf, copy)));
        }
        self.declare_locals(&routine.variables, &routine.frame, &mut inner)?;
        let result = routine.result.map(|ty| self.local_variable("result", ty, routine.span)).transpose()?;
        let mut activation = Activation { returned: Formula::FALSE, result: result.clone() };
        self.calls += 1;
        let done = self.statements(&routine.body, &mut inner, &mut activation);
        self.calls -= 1;
        done?;
        for copied in copied {
            self.expect_same_by_reference(&copied, start, &routine.name)?;
        }
        if result.is_some() {
            self.mishap(Formula::not(activation.returned), "a function ends without `return`", span);
        }
        Ok(result)
    }

    /// Some tools copy what is passed by value, others pass a reference to it: then a parameter must not be used after
    /// its argument was changed, nor be passed on and used there. What is done for all processes at once, or to
    /// multisets, is not looked at in its order: there, the argument must not be changed.
    fn expect_same_by_reference(&mut self, copied: &Copied, start: usize, routine: &str) -> Result<()> {
        let (from, to) = (self.leaves_below(&copied.from), self.leaves_below(&copied.to));
        let has_order =
            self.processes.is_none() && !from.iter().any(|(leaf, ..)| self.leaf(*leaf).role == Role::Flag);
        for (at, (leaf, ..)) in from.iter().enumerate() {
            let Some(written) = self.log[start..].iter().position(|write| write.leaf == *leaf) else {
                continue;
            };
            let mut copies: BTreeSet<LeafId> = to.get(at).map(|(copy, ..)| *copy).into_iter().collect();
            // What is passed on is passed on after it was passed.
            for (from, to) in &self.copies {
                if copies.contains(from) {
                    copies.insert(*to);
                }
            }
            let is_later = |read: &Read| read.at > start + written && copies.contains(&read.leaf);
            if !has_order || self.reads.iter().any(is_later) {
                let message = format!("`{routine}` may change what it is given here by value");
                let diagnostic = Diagnostic::error(Code::Unsupported, copied.span, message);
                let change = self.log[start + written].span;
                return Err(Refused(Box::new(diagnostic.also(change, "changed here"))));
            }
        }
        Ok(())
    }

    /// Local variables start undefined.
    pub(super) fn declare_locals(
        &mut self,
        variables: &[LocalId],
        frame: &crate::model::Frame,
        environment: &mut Environment,
    ) -> Result<()> {
        for local in variables {
            let declared = &frame.locals[local.0 as usize];
            let spots = self.local_variable(&declared.name, declared.ty, declared.span)?;
            environment.bind(*local, Binding::Place(spots));
        }
        Ok(())
    }
}
