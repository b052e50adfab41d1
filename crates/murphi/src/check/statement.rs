//! Statements.

use polycube_language::diagnostic::{Code, Diagnostic};

use super::Checker;
use crate::model::{Base, Expr, LocalId, Place, Statement, StatementKind};
use crate::syntax::{self, Alias};

impl<'s> Checker<'s, '_> {
    pub(super) fn statements(&mut self, statements: &[syntax::Statement<'s>]) -> Vec<Statement> {
        statements.iter().filter_map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: &syntax::Statement<'s>) -> Option<Statement> {
        let span = statement.span;
        let kind = match &statement.kind {
            syntax::StatementKind::Assign { target, value } => {
                let (target, value) = (self.target(target), self.expression(value));
                let target = target?;
                if !self.is_compatible(target.ty, value.ty) {
                    let [one, other] = [value.ty, target.ty].map(|ty| self.model.type_name(ty));
                    let message = format!("this is {one}, expected {other}");
                    self.report(
                        Diagnostic::error(Code::TypeMismatch, value.span, message).also(target.span, other),
                    );
                }
                StatementKind::Assign(target, value)
            }
            syntax::StatementKind::If { branches, otherwise } => {
                let branches = branches.iter().map(|(condition, body)| {
                    let condition = self.condition(condition);
                    (condition, self.statements(body))
                });
                let branches = branches.collect();
                StatementKind::If(branches, self.statements(otherwise))
            }
            syntax::StatementKind::Switch { value, cases, otherwise } => {
                let value = self.expression(value);
                let mut checked = Vec::new();
                for (values, body) in cases {
                    let values: Vec<Expr> = values.iter().map(|value| self.expression(value)).collect();
                    values.iter().for_each(|case| self.expect_compatible(&value, case));
                    checked.push((values, self.statements(body)));
                }
                StatementKind::Switch(value, checked, self.statements(otherwise))
            }
            syntax::StatementKind::For { quantifiers, body } => {
                self.scope.enter();
                let bound: Vec<_> = quantifiers.iter().map(|one| self.bound(one)).collect();
                let body = self.statements(body);
                self.scope.leave();
                let nested = bound.into_iter().rev().fold(body, |body, (local, range)| {
                    vec![Statement { kind: StatementKind::For(local, range, body), span }]
                });
                return nested.into_iter().next();
            }
            syntax::StatementKind::While { condition, body } => {
                StatementKind::While(self.condition(condition), self.statements(body))
            }
            syntax::StatementKind::Alias { aliases, body } => {
                self.scope.enter();
                let bound: Vec<_> = aliases.iter().map(|alias| self.alias(alias)).collect();
                let body = self.statements(body);
                self.scope.leave();
                let nested = bound.into_iter().rev().fold(body, |body, (local, value)| {
                    vec![Statement { kind: StatementKind::Alias(local, value, body), span }]
                });
                return nested.into_iter().next();
            }
            syntax::StatementKind::Call { name, arguments } => {
                let (id, arguments) = self.call(*name, arguments)?;
                StatementKind::Call(id, arguments)
            }
            syntax::StatementKind::Return(value) => {
                let value = value.as_ref().map(|value| self.expression(value));
                match (self.result, &value) {
                    (Some(wanted), Some(value)) if !self.is_compatible(wanted, value.ty) => {
                        let [one, other] = [value.ty, wanted].map(|ty| self.model.type_name(ty));
                        let message = format!("this is {one}, expected {other}");
                        self.mistake(Code::TypeMismatch, value.span, message);
                    }
                    (Some(_), None) => self.mistake(Code::TypeMismatch, span, "a function returns a value"),
                    (None, Some(_)) => {
                        self.mistake(Code::TypeMismatch, span, "only functions return a value");
                    }
                    _ => {}
                }
                StatementKind::Return(value)
            }
            syntax::StatementKind::Undefine(place) => StatementKind::Undefine(self.target(place)?),
            syntax::StatementKind::Clear(place) => StatementKind::Clear(self.target(place)?),
            syntax::StatementKind::Error(text) => StatementKind::Error(text.map(|text| text.text.to_owned())),
            syntax::StatementKind::Assert { condition, message } => {
                StatementKind::Assert(self.condition(condition), message.map(|text| text.text.to_owned()))
            }
            syntax::StatementKind::Put(value) => StatementKind::Put(self.expression(value.as_ref()?)),
            syntax::StatementKind::MultisetAdd { value, multiset } => self.added(value, multiset)?,
            syntax::StatementKind::MultisetRemove { index, multiset } => self.removed(index, multiset)?,
            syntax::StatementKind::MultisetRemovePred(elements) => {
                StatementKind::MultisetRemovePred(self.elements(elements)?)
            }
        };
        Some(Statement { kind, span })
    }

    /// A name for a place or a value.
    pub(super) fn alias(&mut self, alias: &Alias<'s>) -> (LocalId, Expr) {
        let value = self.expression(&alias.value);
        (self.local(alias.name, value.ty), value)
    }

    /// A place to which something is assigned.
    fn target(&mut self, expr: &syntax::Expr<'s>) -> Option<Place> {
        let place = self.place(expr)?;
        if let Base::Local(local) = place.base
            && place.selectors.is_empty()
            && self.fixed.contains(&local)
        {
            let name = self.frame.locals[local.0 as usize].name.clone();
            self.mistake(
                Code::NotAssignable,
                expr.span,
                format!("`{name}` is bound here and cannot be assigned"),
            );
        }
        Some(place)
    }
}
