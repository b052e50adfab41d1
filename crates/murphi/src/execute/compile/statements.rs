//! Statements, and what they store into.

use polycube_language::span::Span;

use super::{Compiler, MAX_WIDTH, Result, refuse};
use crate::execute::domain::UNDEFINED;
use crate::execute::program::{Act, Added, Range, Statement, Target};
use crate::model::{self, StatementKind, TypeId, TypeKind};

impl Compiler<'_> {
    pub(super) fn statements(&mut self, statements: &[model::Statement]) -> Result<Vec<Statement>> {
        self.deeper(|compiler| statements.iter().map(|statement| compiler.statement(statement)).collect())
    }

    pub(super) fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let done = part(self);
        self.depth -= 1;
        done
    }

    pub(super) fn statement(&mut self, statement: &model::Statement) -> Result<Statement> {
        let span = statement.span;
        let kind = match &statement.kind {
            StatementKind::Assign(place, value) if self.is_simple(place.ty) => {
                let domain = self.domain(place.ty);
                Act::Assign(self.place(place)?, domain, self.expression(value)?)
            }
            StatementKind::Assign(place, value) => {
                let target = self.target(place.ty, Some(value.ty), span)?;
                Act::Copy(self.place(place)?, target, self.whole(value)?)
            }
            StatementKind::If(branches, otherwise) => {
                let branches = branches
                    .iter()
                    .map(|(condition, body)| Ok((self.expression(condition)?, self.statements(body)?)));
                Act::If(branches.collect::<Result<_>>()?, self.statements(otherwise)?)
            }
            StatementKind::Switch(value, cases, otherwise) => {
                let value = self.expression(value)?;
                let cases = cases.iter().map(|(values, body)| {
                    let values = values.iter().map(|value| self.expression(value)).collect::<Result<_>>()?;
                    Ok((values, self.statements(body)?))
                });
                let cases = cases.collect::<Result<_>>()?;
                Act::Switch(value, cases, self.statements(otherwise)?)
            }
            StatementKind::For(local, range, body) => {
                Act::For(local.0 as usize, self.range(range)?, self.statements(body)?)
            }
            StatementKind::While(condition, body) => {
                Act::While(self.expression(condition)?, self.statements(body)?)
            }
            StatementKind::Alias(local, value, body) => {
                Act::Alias(local.0 as usize, self.aliased(value)?, self.statements(body)?)
            }
            StatementKind::Call(routine, arguments) => Act::Call(self.call(*routine, arguments, span)?),
            StatementKind::Return(None) => Act::Return,
            StatementKind::Return(Some(value)) => match self.result {
                Some(ty) if self.is_simple(ty) => Act::ReturnValue(self.domain(ty), self.expression(value)?),
                Some(ty) => Act::ReturnWhole(self.target(ty, Some(value.ty), span)?, self.whole(value)?),
                None => unreachable!("only functions return a value"),
            },
            StatementKind::Undefine(place) => Act::Undefine(self.place(place)?, self.width(place.ty)),
            StatementKind::Clear(place) => {
                let mut least = Vec::new();
                self.least(place.ty, span, &mut least)?;
                Act::Clear(self.place(place)?, least)
            }
            StatementKind::Error(text) => {
                Act::Error(self.text(text.as_deref().unwrap_or("an error is raised")))
            }
            StatementKind::Assert(condition, text) => {
                let text = self.text(text.as_deref().unwrap_or("an assertion fails"));
                Act::Assert(self.expression(condition)?, text)
            }
            StatementKind::Put(value) if self.is_simple(value.ty) => Act::Evaluate(self.expression(value)?),
            StatementKind::Put(value) => Act::EvaluateWhole(self.whole(value)?, self.width(value.ty)),
            StatementKind::MultisetAdd(place, value) => {
                let TypeKind::Multiset { element, .. } = self.model.ty(place.ty).kind else {
                    unreachable!("it is a multiset")
                };
                let target = self.target(element, Some(value.ty), span)?;
                let added = match self.is_simple(element) {
                    true => Added::Value(self.expression(value)?),
                    false => Added::Whole(self.whole(value)?),
                };
                Act::Add(self.multiset(place)?, target, added)
            }
            StatementKind::MultisetRemove(place, index) => {
                Act::Remove(self.multiset(place)?, self.expression(index)?)
            }
            StatementKind::MultisetRemovePred(elements) => Act::RemoveAll(self.elements(elements)?),
        };
        Ok(Statement { kind, span })
    }

    pub(super) fn text(&mut self, text: &str) -> usize {
        self.texts.push(text.to_owned());
        self.texts.len() - 1
    }

    /// What is stored into. Where a record or an array is copied to one of the same type, its leaves fit.
    pub(super) fn target(&self, ty: TypeId, from: Option<TypeId>, span: Span) -> Result<Target> {
        let width = self.width(ty);
        if width > MAX_WIDTH {
            return refuse(span, "this has too many parts");
        }
        let fits = !self.is_simple(ty) && from.is_none_or(|from| from == ty || from == TypeId::ERROR);
        let domains = (!fits).then(|| {
            let mut domains = Vec::new();
            self.collect_leaves(ty, &mut domains);
            domains
        });
        Ok(Target { width, domains })
    }

    /// The least values of the leaves of a type. A multiset is empty then.
    pub(super) fn least(&self, ty: TypeId, span: Span, found: &mut Vec<i64>) -> Result<()> {
        match &self.model.ty(ty).kind {
            TypeKind::Record(fields) => fields.iter().try_for_each(|(_, ty)| self.least(*ty, span, found)),
            TypeKind::Array { index, element } => {
                (0..self.domain(*index).count()).try_for_each(|_| self.least(*element, span, found))
            }
            TypeKind::Multiset { .. } => {
                found.extend(std::iter::repeat_n(UNDEFINED, self.width(ty)));
                Ok(())
            }
            TypeKind::Scalarset(_) => refuse(span, "a scalarset has no least value"),
            TypeKind::Union(members) => self.least(members[0], span, found),
            _ => {
                found.push(self.domain(ty).value(0));
                Ok(())
            }
        }
    }

    pub(super) fn range(&mut self, range: &model::Range) -> Result<Range> {
        Ok(match range {
            model::Range::Type(ty) => Range::Values(self.domain(*ty)),
            model::Range::Steps { from, to, by } => {
                Range::Steps { from: self.expression(from)?, to: self.expression(to)?, by: by.value }
            }
        })
    }
}
