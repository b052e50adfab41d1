//! Places, calls and expressions.

use polycube_language::formula::Quantifier;
use polycube_language::span::Span;

use super::{Compiler, Result, refuse};
use crate::execute::domain::{UNDEFINED, element};
use crate::execute::program::{
    Aliased, Argument, Base, Call, Elements, Expression, Kind, Multiset, Place, Quantified, Step, Whole,
};
use crate::model::{self, Expr, ExprKind, RoutineId, Selector, TypeKind};

impl Compiler<'_> {
    pub(super) fn place(&mut self, place: &model::Place) -> Result<Place> {
        self.deeper(|compiler| compiler.place_within(place))
    }

    pub(super) fn place_within(&mut self, place: &model::Place) -> Result<Place> {
        let (base, mut offset, mut ty) = match place.base {
            model::Base::Global(at) => {
                (Base::State, self.globals[at as usize], self.model.globals[at as usize].ty)
            }
            model::Base::Local(local) => (Base::Local(local.0 as usize), 0, self.names[local.0 as usize]),
        };
        let mut steps = Vec::new();
        for selector in &place.selectors {
            match (selector, &self.model.ty(ty).kind) {
                (Selector::Field(field), TypeKind::Record(fields)) => {
                    offset += fields[..*field].iter().map(|(_, ty)| self.width(*ty)).sum::<usize>();
                    ty = fields[*field].1;
                }
                (Selector::Index(index), TypeKind::Array { index: index_type, element }) => {
                    let (domain, width) = (self.domain(*index_type), self.width(*element));
                    let index = self.expression(index)?;
                    match index.kind {
                        Kind::Constant(value) if domain.position(value).is_some() => {
                            offset += domain.position(value).map_or(0, |at| at as usize) * width;
                        }
                        _ => steps.push(Step { index, domain: Some(domain), width }),
                    }
                    ty = *element;
                }
                (Selector::Index(index), TypeKind::Multiset { element, .. }) => {
                    let width = self.width(*element) + 1;
                    offset += 1;
                    steps.push(Step { index: self.expression(index)?, domain: None, width });
                    ty = *element;
                }
                (selector, kind) => unreachable!("{selector:?} of {kind:?}"),
            }
        }
        Ok(Place { base, offset, steps, span: place.span })
    }

    pub(super) fn multiset(&mut self, place: &model::Place) -> Result<Multiset> {
        let TypeKind::Multiset { size, element } = &self.model.ty(place.ty).kind else {
            unreachable!("it is a multiset")
        };
        let (count, width) = (size.value as usize, self.width(*element) + 1);
        Ok(Multiset { place: self.place(place)?, count, width })
    }

    pub(super) fn elements(&mut self, elements: &model::Elements) -> Result<Elements> {
        let local = elements.index.0 as usize;
        let multiset = self.multiset(&elements.multiset)?;
        Ok(Elements { multiset, local, condition: self.expression(&elements.condition)? })
    }

    pub(super) fn aliased(&mut self, value: &Expr) -> Result<Aliased> {
        Ok(match &value.kind {
            ExprKind::Place(model::Place { base: model::Base::Local(local), selectors, .. })
                if selectors.is_empty() =>
            {
                Aliased::Name(local.0 as usize)
            }
            ExprKind::Place(place) => Aliased::Place(self.place(place)?),
            _ if self.is_simple(value.ty) => Aliased::Value(self.expression(value)?),
            _ => Aliased::Whole(self.whole(value)?, self.width(value.ty)),
        })
    }

    pub(super) fn call(&mut self, id: RoutineId, arguments: &[Expr], span: Span) -> Result<Call> {
        let routine = self.model.routine(id);
        let mut compiled = Vec::new();
        for (formal, argument) in routine.formals.iter().zip(arguments) {
            let ty = routine.frame.locals[formal.local.0 as usize].ty;
            compiled.push(match formal.is_reference {
                true => Argument::Reference(self.aliased(argument)?),
                false if self.is_simple(ty) => Argument::Value(self.expression(argument)?),
                false => Argument::Whole(self.whole(argument)?, argument.span),
            });
        }
        Ok(Call { routine: id, arguments: compiled, span })
    }

    /// A record or an array.
    pub(super) fn whole(&mut self, value: &Expr) -> Result<Whole> {
        self.deeper(|compiler| {
            Ok(match &value.kind {
                ExprKind::Place(place) => Whole::Place(compiler.place(place)?),
                ExprKind::Call(routine, arguments) => {
                    Whole::Call(Box::new(compiler.call(*routine, arguments, value.span)?))
                }
                ExprKind::Conditional(parts) => {
                    let [condition, one, other] = &**parts;
                    let parts = [compiler.whole(one)?, compiler.whole(other)?];
                    Whole::Conditional(compiler.expression(condition)?, Box::new(parts))
                }
                ExprKind::Undefined => Whole::Undefined,
                other => unreachable!("{other:?} is no record and no array"),
            })
        })
    }

    /// A simple value.
    pub(super) fn expression(&mut self, value: &Expr) -> Result<Expression> {
        self.deeper(|compiler| compiler.expression_within(value))
    }

    pub(super) fn boxed(&mut self, value: &Expr) -> Result<Box<Expression>> {
        Ok(Box::new(self.expression(value)?))
    }

    pub(super) fn expression_within(&mut self, value: &Expr) -> Result<Expression> {
        let kind = match &value.kind {
            _ if !self.is_simple(value.ty) => {
                return refuse(value.span, "whole records and arrays can only be assigned");
            }
            ExprKind::Integer(size) => Kind::Constant(size.value),
            ExprKind::Boolean(value) => Kind::Constant(i64::from(*value)),
            ExprKind::Constant(ty, at) => Kind::Constant(element(*ty, i64::from(*at))),
            ExprKind::Undefined => Kind::Constant(UNDEFINED),
            ExprKind::Place(place) => self.leaf(place)?,
            ExprKind::Call(routine, arguments) => {
                Kind::Call(Box::new(self.call(*routine, arguments, value.span)?))
            }
            ExprKind::Not(inner) => Kind::Not(self.boxed(inner)?),
            ExprKind::Negative(inner) => Kind::Negative(self.boxed(inner)?),
            ExprKind::Binary(operator, sides) => {
                let [left, right] = &**sides;
                Kind::Binary(*operator, Box::new([self.expression(left)?, self.expression(right)?]))
            }
            ExprKind::Conditional(parts) => {
                let [condition, one, other] = &**parts;
                let parts = [self.expression(condition)?, self.expression(one)?, self.expression(other)?];
                Kind::Conditional(Box::new(parts))
            }
            ExprKind::Quantified(quantifier, local, range, body) => Kind::Quantified(Box::new(Quantified {
                stop: *quantifier == Quantifier::Exists,
                local: local.0 as usize,
                range: self.range(range)?,
                body: self.expression(body)?,
            })),
            ExprKind::IsUndefined(place) => {
                if !self.is_simple(place.ty) {
                    return refuse(place.span, "only parts without parts of their own can be asked this");
                }
                let kind = self.leaf(place)?;
                Kind::IsUndefined(Box::new(Expression { kind, span: place.span }))
            }
            ExprKind::IsMember(inner, ty) => Kind::IsMember(self.boxed(inner)?, self.domain(*ty)),
            ExprKind::MultisetCount(elements) => Kind::Count(Box::new(self.elements(elements)?)),
            ExprKind::Error => unreachable!("checked models have none"),
        };
        Ok(Expression { kind, span: value.span })
    }

    pub(super) fn leaf(&mut self, place: &model::Place) -> Result<Kind> {
        Ok(match place.base {
            model::Base::Local(local) if place.selectors.is_empty() => Kind::Name(local.0 as usize),
            _ => Kind::Leaf(self.place(place)?),
        })
    }
}
