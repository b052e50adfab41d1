//! Functions that change something, and where they may be called.
//!
//! In which order the parts of an expression are evaluated, the tools do not agree on. It matters only if one of them
//! changes something: so a function that does may be called where there is no other part, as in `x := f();`.

use polycube_language::span::Span;

use super::{Refused, Result, refuse};
use crate::model::{
    Base, Binder, Elements, Expr, ExprKind, Model, Place, Range, Routine, RoutineId, Selector, Statement,
    StatementKind,
};

/// Refuses a model in which the order of evaluation matters.
pub(super) fn expect_order(model: &Model) -> Result<()> {
    let effects = Effects { model, changes: changing(model) };
    let bodies = model.rules.iter().chain(&model.starts).map(|rule| &rule.body);
    let bodies = bodies.chain(model.routines.iter().map(|routine| &routine.body));
    bodies.flatten().try_for_each(|statement| effects.statement(statement))?;
    for binder in model.rules.iter().chain(&model.starts).flat_map(|rule| &rule.binders) {
        if let Binder::Alias(_, value) = binder {
            effects.expect_none(value)?;
        }
    }
    model
        .rules
        .iter()
        .filter_map(|rule| rule.guard.as_ref())
        .try_for_each(|guard| effects.expect_none(guard))?;
    model.invariants.iter().try_for_each(|invariant| effects.expect_none(&invariant.formula))
}

/// For each routine, whether it changes anything but its own variables.
fn changing(model: &Model) -> Vec<bool> {
    let mut changes = vec![false; model.routines.len()];
    // A routine that calls one that changes something does so too: until nothing is added.
    loop {
        let known = changes.clone();
        for (routine, changes) in model.routines.iter().zip(&mut changes) {
            *changes |= changes_itself(routine) || calls(&routine.body).iter().any(|id| known[id.0 as usize]);
        }
        if changes == known {
            return changes;
        }
    }
}

/// Whether a routine writes a variable of the state, or one that it was given. What an alias stands for is not looked
/// at: it may be such a variable.
fn changes_itself(routine: &Routine) -> bool {
    let is_own = |place: &Place| match place.base {
        Base::Global(_) => false,
        Base::Local(local) => {
            let is_copy = |formal: &&crate::model::Formal| formal.local == local && !formal.is_reference;
            routine.variables.contains(&local) || routine.formals.iter().any(|formal| is_copy(&formal))
        }
    };
    let mut changes = false;
    for_each_statement(&routine.body, &mut |statement| {
        changes |= match &statement.kind {
            StatementKind::Assign(place, _)
            | StatementKind::Undefine(place)
            | StatementKind::Clear(place)
            | StatementKind::MultisetAdd(place, _)
            | StatementKind::MultisetRemove(place, _)
            | StatementKind::MultisetRemovePred(Elements { multiset: place, .. }) => !is_own(place),
            _ => false,
        };
    });
    changes
}

/// The routines that some statements call.
fn calls(body: &[Statement]) -> Vec<RoutineId> {
    let mut found = Vec::new();
    for_each_statement(body, &mut |statement| {
        if let StatementKind::Call(routine, _) = &statement.kind {
            found.push(*routine);
        }
        for part in parts(&statement.kind) {
            for_each_call(part, &mut |routine, _| found.push(routine));
        }
    });
    found
}

struct Effects<'m> {
    model: &'m Model,
    changes: Vec<bool>,
}

impl Effects<'_> {
    fn statement(&self, statement: &Statement) -> Result<()> {
        let mut refused: Option<Refused> = None;
        for_each_statement(std::slice::from_ref(statement), &mut |statement| {
            if refused.is_none() {
                refused = self.one(statement).err();
            }
        });
        refused.map_or(Ok(()), Err)
    }

    /// One statement, without those within it.
    fn one(&self, statement: &Statement) -> Result<()> {
        let is_alone = match &statement.kind {
            // What it is assigned to would be found before or after.
            StatementKind::Assign(place, _) => {
                !place.selectors.iter().any(|one| matches!(one, Selector::Index(_)))
            }
            StatementKind::If(branches, _) => branches.len() == 1,
            StatementKind::Return(_) | StatementKind::Assert(..) | StatementKind::Put(_) => true,
            _ => false,
        };
        for part in parts(&statement.kind) {
            match only_call(part) {
                Some(arguments) if is_alone => {
                    arguments.iter().try_for_each(|argument| self.expect_none(argument))?;
                }
                _ => self.expect_none(part)?,
            }
        }
        Ok(())
    }

    /// No call in an expression changes anything.
    fn expect_none(&self, expr: &Expr) -> Result<()> {
        let mut found: Option<(RoutineId, Span)> = None;
        for_each_call(expr, &mut |routine, span| {
            if self.changes[routine.0 as usize] {
                found = found.or(Some((routine, span)));
            }
        });
        let Some((routine, span)) = found else { return Ok(()) };
        let name = &self.model.routine(routine).name;
        let message = format!(
            "`{name}` changes variables: beside other parts of an expression, it would matter which is evaluated first"
        );
        refuse(span, message)
    }
}

/// The arguments of a call beside which there is nothing but constants: `f(x)`, `f(x) = Idle`.
fn only_call(expr: &Expr) -> Option<&[Expr]> {
    let is_constant = |expr: &Expr| {
        matches!(expr.kind, ExprKind::Integer(_) | ExprKind::Boolean(_) | ExprKind::Constant(..))
    };
    match &expr.kind {
        ExprKind::Call(_, arguments) => Some(arguments),
        ExprKind::Not(inner) | ExprKind::Negative(inner) => only_call(inner),
        ExprKind::Binary(_, sides) => match &**sides {
            [one, other] if is_constant(other) => only_call(one),
            [one, other] if is_constant(one) => only_call(other),
            _ => None,
        },
        _ => None,
    }
}

/// The expressions that a statement evaluates itself.
fn parts(kind: &StatementKind) -> Vec<&Expr> {
    match kind {
        StatementKind::Assign(place, value) => indices(place).chain([value]).collect(),
        StatementKind::If(branches, _) => branches.iter().map(|(condition, _)| condition).collect(),
        StatementKind::Switch(value, cases, _) => {
            [value].into_iter().chain(cases.iter().flat_map(|(values, _)| values)).collect()
        }
        StatementKind::For(_, Range::Steps { from, to, .. }, _) => vec![from, to],
        StatementKind::While(condition, _) | StatementKind::Assert(condition, _) => vec![condition],
        StatementKind::Alias(_, value, _) | StatementKind::Put(value) => vec![value],
        StatementKind::Call(_, arguments) => arguments.iter().collect(),
        StatementKind::Return(value) => value.iter().collect(),
        StatementKind::Undefine(place) | StatementKind::Clear(place) => indices(place).collect(),
        StatementKind::MultisetAdd(place, value) | StatementKind::MultisetRemove(place, value) => {
            indices(place).chain([value]).collect()
        }
        StatementKind::MultisetRemovePred(elements) => {
            indices(&elements.multiset).chain([&elements.condition]).collect()
        }
        StatementKind::For(..) | StatementKind::Error(_) => Vec::new(),
    }
}

fn indices(place: &Place) -> impl Iterator<Item = &Expr> {
    place.selectors.iter().filter_map(|selector| match selector {
        Selector::Index(index) => Some(index),
        Selector::Field(_) => None,
    })
}

fn for_each_statement<'m>(body: &'m [Statement], visit: &mut dyn FnMut(&'m Statement)) {
    for statement in body {
        visit(statement);
        match &statement.kind {
            StatementKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| for_each_statement(body, visit));
                for_each_statement(otherwise, visit);
            }
            StatementKind::Switch(_, cases, otherwise) => {
                cases.iter().for_each(|(_, body)| for_each_statement(body, visit));
                for_each_statement(otherwise, visit);
            }
            StatementKind::For(_, _, body)
            | StatementKind::While(_, body)
            | StatementKind::Alias(_, _, body) => for_each_statement(body, visit),
            _ => {}
        }
    }
}

fn for_each_call(expr: &Expr, visit: &mut dyn FnMut(RoutineId, Span)) {
    let inner: Vec<&Expr> = match &expr.kind {
        ExprKind::Call(routine, arguments) => {
            visit(*routine, expr.span);
            arguments.iter().collect()
        }
        ExprKind::Place(place) | ExprKind::IsUndefined(place) => indices(place).collect(),
        ExprKind::Not(inner) | ExprKind::Negative(inner) | ExprKind::IsMember(inner, _) => vec![&**inner],
        ExprKind::Binary(_, sides) => sides.iter().collect(),
        ExprKind::Conditional(parts) => parts.iter().collect(),
        ExprKind::Quantified(_, _, range, inner) => match &**range {
            Range::Steps { from, to, .. } => vec![from, to, &**inner],
            Range::Type(_) => vec![&**inner],
        },
        ExprKind::MultisetCount(elements) => {
            indices(&elements.multiset).chain([&elements.condition]).collect()
        }
        ExprKind::Integer(_)
        | ExprKind::Boolean(_)
        | ExprKind::Constant(..)
        | ExprKind::Undefined
        | ExprKind::Error => Vec::new(),
    };
    inner.into_iter().for_each(|part| for_each_call(part, visit));
}
