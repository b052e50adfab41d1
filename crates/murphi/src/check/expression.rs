//! Expressions and places.

use polycube_language::diagnostic::{Code, Diagnostic};
use polycube_language::suggest::nearest;

use super::Checker;
use super::scope::Meaning;
use crate::model::{
    Base, Expr, ExprKind, Local, LocalId, Place, Range, RoutineId, Selector, Size, TypeId, TypeKind,
};
use crate::syntax::{self, Name, Operator, QuantifierExpr};

impl<'s> Checker<'s, '_> {
    pub(super) fn expression(&mut self, expr: &syntax::Expr<'s>) -> Expr {
        let span = expr.span;
        let (kind, ty) = match &expr.kind {
            syntax::ExprKind::Integer(digits) => {
                (ExprKind::Integer(self.digits(digits, span)), TypeId::INTEGER)
            }
            syntax::ExprKind::Boolean(value) => (ExprKind::Boolean(*value), TypeId::BOOLEAN),
            syntax::ExprKind::Name(name) => match self.scope.get(name.text).cloned() {
                Some(Meaning::Number(size)) => (ExprKind::Integer(size), TypeId::INTEGER),
                Some(Meaning::Boolean(value)) => (ExprKind::Boolean(value), TypeId::BOOLEAN),
                Some(Meaning::Constant(ty, at)) => (ExprKind::Constant(ty, at), ty),
                _ => self.value_at(expr),
            },
            syntax::ExprKind::Field(..) | syntax::ExprKind::Index(..) => self.value_at(expr),
            syntax::ExprKind::Call { name, arguments } => match self.call(*name, arguments) {
                Some((id, arguments)) => match self.model.routine(id).result {
                    Some(ty) => (ExprKind::Call(id, arguments), ty),
                    None => {
                        let message = format!("`{}` is a procedure: it has no value", name.text);
                        self.mistake(Code::TypeMismatch, span, message);
                        (ExprKind::Error, TypeId::ERROR)
                    }
                },
                None => (ExprKind::Error, TypeId::ERROR),
            },
            syntax::ExprKind::Not(inner) => (ExprKind::Not(Box::new(self.condition(inner))), TypeId::BOOLEAN),
            syntax::ExprKind::Negative(inner) => {
                (ExprKind::Negative(Box::new(self.numeric(inner))), TypeId::INTEGER)
            }
            syntax::ExprKind::Binary(operator, sides) => self.binary(*operator, sides),
            syntax::ExprKind::Conditional(parts) => {
                let condition = self.condition(&parts[0]);
                let (left, right) = (self.expression(&parts[1]), self.expression(&parts[2]));
                self.expect_compatible(&left, &right);
                let ty = if self.is_number(left.ty) { TypeId::INTEGER } else { left.ty };
                (ExprKind::Conditional(Box::new([condition, left, right])), ty)
            }
            syntax::ExprKind::Quantified { quantifier, variables, body } => {
                self.scope.enter();
                let bound: Vec<_> = variables.iter().map(|variable| self.bound(variable)).collect();
                let body = self.condition(body);
                self.scope.leave();
                let whole = bound.into_iter().rev().fold(body, |body, (local, range)| {
                    let kind = ExprKind::Quantified(*quantifier, local, Box::new(range), Box::new(body));
                    Expr { kind, ty: TypeId::BOOLEAN, span }
                });
                return whole;
            }
            syntax::ExprKind::IsUndefined(inner) => match self.place(inner) {
                Some(place) => (ExprKind::IsUndefined(place), TypeId::BOOLEAN),
                None => (ExprKind::Error, TypeId::BOOLEAN),
            },
            syntax::ExprKind::IsMember { value, ty } => {
                let (value, ty) = (self.expression(value), self.ty(ty));
                (ExprKind::IsMember(Box::new(value), ty), TypeId::BOOLEAN)
            }
            syntax::ExprKind::MultisetCount(elements) => match self.elements(elements) {
                Some(elements) => (ExprKind::MultisetCount(Box::new(elements)), TypeId::INTEGER),
                None => (ExprKind::Error, TypeId::INTEGER),
            },
            syntax::ExprKind::Undefined => (ExprKind::Undefined, TypeId::ERROR),
            syntax::ExprKind::Error => (ExprKind::Error, TypeId::ERROR),
        };
        Expr { kind, ty, span }
    }

    fn value_at(&mut self, expr: &syntax::Expr<'s>) -> (ExprKind, TypeId) {
        match self.place(expr) {
            Some(place) => {
                let ty = place.ty;
                (ExprKind::Place(place), ty)
            }
            None => (ExprKind::Error, TypeId::ERROR),
        }
    }

    fn binary(&mut self, operator: Operator, sides: &[syntax::Expr<'s>; 2]) -> (ExprKind, TypeId) {
        let [left, right] = sides;
        let (sides, ty) = match operator {
            Operator::Implies | Operator::Or | Operator::And => {
                ([self.condition(left), self.condition(right)], TypeId::BOOLEAN)
            }
            Operator::Equal | Operator::NotEqual => {
                let sides = [self.expression(left), self.expression(right)];
                self.expect_compatible(&sides[0], &sides[1]);
                (sides, TypeId::BOOLEAN)
            }
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
                ([self.numeric(left), self.numeric(right)], TypeId::BOOLEAN)
            }
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::Remainder => ([self.numeric(left), self.numeric(right)], TypeId::INTEGER),
        };
        (ExprKind::Binary(operator, Box::new(sides)), ty)
    }

    pub(super) fn condition(&mut self, expr: &syntax::Expr<'s>) -> Expr {
        let checked = self.expression(expr);
        if !self.is_boolean(checked.ty) {
            let name = self.model.type_name(checked.ty);
            self.report(
                Diagnostic::error(Code::TypeMismatch, expr.span, "this is not a condition")
                    .label(format!("this is {name}, expected `boolean`")),
            );
        }
        checked
    }

    pub(super) fn numeric(&mut self, expr: &syntax::Expr<'s>) -> Expr {
        let checked = self.expression(expr);
        if !self.is_number(checked.ty) {
            let name = self.model.type_name(checked.ty);
            self.report(
                Diagnostic::error(Code::TypeMismatch, expr.span, "this is not a number")
                    .label(format!("this is {name}"))
                    .note("order and arithmetic exist for numbers only: not for enumerations and scalarsets"),
            );
        }
        checked
    }

    pub(super) fn expect_compatible(&mut self, left: &Expr, right: &Expr) {
        if !self.is_compatible(left.ty, right.ty) {
            let [one, other] = [left, right].map(|side| self.model.type_name(side.ty));
            self.report(
                Diagnostic::error(
                    Code::TypeMismatch,
                    left.span.to(right.span),
                    "the two sides are of different types",
                )
                .label(format!("{one} and {other}")),
            );
        }
    }

    /// A call, whose arguments fit.
    pub(super) fn call(
        &mut self,
        name: Name<'s>,
        arguments: &[syntax::Expr<'s>],
    ) -> Option<(RoutineId, Vec<Expr>)> {
        let id = match self.scope.get(name.text) {
            Some(Meaning::Routine(id)) => *id,
            Some(_) => {
                let message = format!("`{}` is neither a function nor a procedure", name.text);
                self.mistake(Code::TypeMismatch, name.span, message);
                return None;
            }
            None => {
                self.unknown(name);
                return None;
            }
        };
        let checked: Vec<Expr> = arguments.iter().map(|argument| self.expression(argument)).collect();
        let routine = self.model.routine(id);
        if routine.formals.len() != checked.len() {
            let message =
                format!("`{}` takes {} arguments, not {}", name.text, routine.formals.len(), checked.len());
            let error = Diagnostic::error(Code::Arity, name.span, message);
            let error = error.also(routine.span, "declared here");
            self.report(error);
            return None;
        }
        let formals = routine.formals.iter();
        let formals = formals.map(|one| (routine.frame.locals[one.local.0 as usize].ty, one.is_reference));
        for ((wanted, is_reference), argument) in formals.collect::<Vec<_>>().into_iter().zip(&checked) {
            if is_reference && !matches!(argument.kind, ExprKind::Place(_) | ExprKind::Error) {
                let message = "this is passed by reference: it has to be a variable, or a part of one";
                self.mistake(Code::NotAssignable, argument.span, message);
            } else if is_reference && !self.is_same(wanted, argument.ty)
                || !self.is_compatible(wanted, argument.ty)
            {
                let [one, other] = [argument.ty, wanted].map(|ty| self.model.type_name(ty));
                let message = format!("this is {one}, expected {other}");
                self.mistake(Code::TypeMismatch, argument.span, message);
            }
        }
        Some((id, checked))
    }

    pub(super) fn place(&mut self, expr: &syntax::Expr<'s>) -> Option<Place> {
        let span = expr.span;
        match &expr.kind {
            syntax::ExprKind::Name(name) => match self.scope.get(name.text) {
                Some(Meaning::Global(at)) => {
                    let ty = self.model.globals[*at as usize].ty;
                    Some(Place { base: Base::Global(*at), selectors: Vec::new(), ty, span })
                }
                Some(Meaning::Local(local)) => {
                    let ty = self.frame.locals[local.0 as usize].ty;
                    Some(Place { base: Base::Local(*local), selectors: Vec::new(), ty, span })
                }
                Some(_) => {
                    let message = format!("`{}` is not a variable", name.text);
                    self.mistake(Code::TypeMismatch, span, message);
                    None
                }
                None => {
                    self.unknown(*name);
                    None
                }
            },
            syntax::ExprKind::Field(record, field) => {
                let mut place = self.place(record)?;
                let kind = &self.model.ty(place.ty).kind;
                let TypeKind::Record(fields) = kind else {
                    if *kind != TypeKind::Error {
                        let name = self.model.type_name(place.ty);
                        let message = format!("{name} has no field `{}`: it is not a record", field.text);
                        let mistake = Diagnostic::error(Code::TypeMismatch, field.span, message);
                        let is_array = matches!(kind, TypeKind::Array { .. });
                        self.report(match is_array {
                            true => mistake.help(format!("its elements may be: `...[...].{}`", field.text)),
                            false => mistake,
                        });
                    }
                    return None;
                };
                let Some(at) = fields.iter().position(|(name, _)| name == field.text) else {
                    let message =
                        format!("there is no field `{}` in {}", field.text, self.model.type_name(place.ty));
                    let names = fields.iter().map(|(name, _)| name.as_str());
                    let diagnostic = Diagnostic::error(Code::UnknownName, field.span, message);
                    let near = self.can_suggest().then(|| nearest(field.text, names)).flatten();
                    self.report(match near {
                        Some(near) => diagnostic.did_you_mean(near),
                        None => diagnostic,
                    });
                    return None;
                };
                let ty = fields[at].1;
                place.selectors.push(Selector::Field(at));
                Some(Place { ty, span, ..place })
            }
            syntax::ExprKind::Index(array, index) => {
                let mut place = self.place(array)?;
                let at = self.expression(index);
                let (wanted, element) = match self.model.ty(place.ty).kind {
                    TypeKind::Array { index, element } => (index, element),
                    TypeKind::Multiset { element, .. } => {
                        self.expect_index_of(place.ty, &at);
                        (at.ty, element)
                    }
                    TypeKind::Error => return None,
                    _ => {
                        let name = self.model.type_name(place.ty);
                        self.mistake(Code::TypeMismatch, array.span, format!("{name} is not an array"));
                        return None;
                    }
                };
                if !self.is_compatible(wanted, at.ty) {
                    let [one, other] = [at.ty, wanted].map(|ty| self.model.type_name(ty));
                    let message = format!("this index is {one}, expected {other}");
                    self.mistake(Code::TypeMismatch, index.span, message);
                }
                place.selectors.push(Selector::Index(at));
                Some(Place { ty: element, span, ..place })
            }
            syntax::ExprKind::Error => None,
            _ => {
                self.mistake(Code::TypeMismatch, span, "this is not a variable, or a part of one");
                None
            }
        }
    }

    /// Binds the name of a ruleset, loop or quantifier.
    pub(super) fn bound(&mut self, quantifier: &QuantifierExpr<'s>) -> (LocalId, Range) {
        let (range, ty) = match &quantifier.range {
            syntax::Range::Type(ty) => {
                let id = self.ty(ty);
                if !self.is_simple(id) || id == TypeId::INTEGER {
                    let name = self.model.type_name(id);
                    self.mistake(Code::TypeMismatch, ty.span, format!("{name} cannot be ranged over"));
                }
                (Range::Type(id), id)
            }
            syntax::Range::Steps { from, to, by } => {
                let (from, to) = (self.numeric(from), self.numeric(to));
                let step = by.as_ref().map_or(Size::fixed(1), |by| self.number(by));
                if let Some(by) = by.as_ref().filter(|_| step.value == 0) {
                    self.mistake(Code::TypeMismatch, by.span, "steps of 0 lead nowhere");
                }
                (Range::Steps { from, to, by: Box::new(step) }, TypeId::INTEGER)
            }
        };
        let local = self.local(quantifier.name, ty);
        self.fixed.push(local);
        (local, range)
    }

    /// A new name of the present rule or routine.
    pub(super) fn local(&mut self, name: Name<'s>, ty: TypeId) -> LocalId {
        let id = self.unbound(name, ty);
        self.bind(name, Meaning::Local(id));
        id
    }

    /// The same, before it can be used.
    pub(super) fn unbound(&mut self, name: Name<'s>, ty: TypeId) -> LocalId {
        let id = LocalId(u32::try_from(self.frame.locals.len()).expect("a text has fewer than 2^32 names"));
        self.frame.locals.push(Local { name: name.text.to_owned(), ty, span: name.span });
        id
    }
}
