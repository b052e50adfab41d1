//! Types, and the numbers in them.

use polycube_language::diagnostic::{Code, Diagnostic};
use polycube_language::span::Span;

use super::Checker;
use super::scope::Meaning;
use crate::model::{Size, Type, TypeId, TypeKind};
use crate::syntax::{self, Expr, ExprKind, Operator, TypeExpr};

/// How many values a type may have that is not a number of processes: what is listed has to end.
pub const MAX_VALUES: i64 = 100_000;

/// How many elements a multiset may have room for: they are compared with each other.
const MAX_ELEMENTS: i64 = 256;

impl<'s> Checker<'s, '_> {
    pub(super) fn ty(&mut self, ty: &TypeExpr<'s>) -> TypeId {
        let kind = match &ty.kind {
            syntax::TypeKind::Named(name) => match self.scope.get(name.text) {
                Some(Meaning::Type(id)) => return *id,
                Some(_) => {
                    self.mistake(Code::TypeMismatch, name.span, format!("`{}` is not a type", name.text));
                    return TypeId::ERROR;
                }
                None => {
                    self.unknown(*name);
                    return TypeId::ERROR;
                }
            },
            syntax::TypeKind::Boolean => return TypeId::BOOLEAN,
            syntax::TypeKind::Error => return TypeId::ERROR,
            syntax::TypeKind::Range(bounds) => {
                let [low, high] = [self.number(&bounds[0]), self.number(&bounds[1])];
                if low.value > high.value {
                    let message = format!("the range {}..{} is empty", low.value, high.value);
                    self.mistake(Code::TypeMismatch, ty.span, message);
                    return TypeId::ERROR;
                }
                if high.value.checked_sub(low.value).is_none_or(|most| most >= MAX_VALUES) {
                    let message = format!("this type has more than {MAX_VALUES} values");
                    self.mistake(Code::TooLarge, ty.span, message);
                    return TypeId::ERROR;
                }
                TypeKind::Range(low, high)
            }
            syntax::TypeKind::Scalarset(size) => {
                let size = self.number(size);
                if size.value < 1 {
                    let message = format!("a scalarset with {} values", size.value);
                    self.mistake(Code::TypeMismatch, ty.span, message);
                    return TypeId::ERROR;
                }
                if size.value > MAX_VALUES {
                    let message = format!("this type has more than {MAX_VALUES} values");
                    self.mistake(Code::TooLarge, ty.span, message);
                    return TypeId::ERROR;
                }
                TypeKind::Scalarset(size)
            }
            syntax::TypeKind::Enumeration(names) => {
                let id = self.add_type(TypeKind::Enumeration(Vec::new()), ty.span);
                for (at, name) in (0..).zip(names) {
                    self.bind(*name, Meaning::Constant(id, at));
                }
                let names = names.iter().map(|name| name.text.to_owned()).collect();
                self.model.types[id.0 as usize].kind = TypeKind::Enumeration(names);
                return id;
            }
            syntax::TypeKind::Record(fields) => {
                let mut all: Vec<(String, TypeId)> = Vec::new();
                for field in fields {
                    let id = self.ty(&field.ty);
                    for name in &field.names {
                        if all.iter().any(|(other, _)| other == name.text) {
                            let message = format!("the record has two fields `{}`", name.text);
                            self.mistake(Code::DuplicateName, name.span, message);
                        }
                        all.push((name.text.to_owned(), id));
                    }
                }
                TypeKind::Record(all)
            }
            syntax::TypeKind::Array { index, element } => {
                let (at, element) = (self.ty(index), self.ty(element));
                if !self.is_simple(at) || at == TypeId::INTEGER {
                    let name = self.model.type_name(at);
                    self.mistake(Code::TypeMismatch, index.span, format!("{name} cannot be an index"));
                    return TypeId::ERROR;
                }
                TypeKind::Array { index: at, element }
            }
            syntax::TypeKind::Union(members) => {
                let members: Vec<TypeId> = members.iter().map(|member| self.member(member)).collect();
                TypeKind::Union(members)
            }
            syntax::TypeKind::Multiset { size, element } => {
                let (room, element) = (self.number(size), self.ty(element));
                if !(1..=MAX_ELEMENTS).contains(&room.value) {
                    let message = format!("a multiset has room for 1 to {MAX_ELEMENTS} elements");
                    self.mistake(Code::TooLarge, size.span, message);
                    return TypeId::ERROR;
                }
                if self.model.has_multiset(element) {
                    self.mistake(Code::Unsupported, ty.span, "multisets of multisets are not supported");
                    return TypeId::ERROR;
                }
                TypeKind::Multiset { size: room, element }
            }
            syntax::TypeKind::Real => {
                self.mistake(Code::Unsupported, ty.span, "real numbers are not supported");
                return TypeId::ERROR;
            }
        };
        self.add_type(kind, ty.span)
    }

    fn member(&mut self, member: &TypeExpr<'s>) -> TypeId {
        let id = self.ty(member);
        let is_allowed = matches!(
            self.model.ty(id).kind,
            TypeKind::Scalarset(_) | TypeKind::Enumeration(_) | TypeKind::Error
        );
        if is_allowed {
            return id;
        }
        let name = self.model.type_name(id);
        self.mistake(Code::TypeMismatch, member.span, format!("{name} cannot be part of a union"));
        TypeId::ERROR
    }

    pub(super) fn add_type(&mut self, kind: TypeKind, span: Span) -> TypeId {
        let id = TypeId(u32::try_from(self.model.types.len()).expect("a text has fewer than 2^32 types"));
        self.model.types.push(Type { name: None, kind, span });
        id
    }

    /// Whether it has no parts.
    pub(super) fn is_simple(&self, id: TypeId) -> bool {
        !matches!(
            self.model.ty(id).kind,
            TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Multiset { .. }
        )
    }

    pub(super) fn is_number(&self, id: TypeId) -> bool {
        matches!(self.model.ty(id).kind, TypeKind::Integer | TypeKind::Range(..) | TypeKind::Error)
    }

    pub(super) fn is_boolean(&self, id: TypeId) -> bool {
        matches!(self.model.ty(id).kind, TypeKind::Boolean | TypeKind::Error)
    }

    /// Whether a value of one type may stand where the other one is expected, or the other way round.
    pub(super) fn is_compatible(&self, one: TypeId, other: TypeId) -> bool {
        let members = |id: TypeId| match &self.model.ty(id).kind {
            TypeKind::Union(members) => members.clone(),
            _ => vec![id],
        };
        let is_same = |one: TypeId, other: TypeId| {
            one == other
                || one == TypeId::ERROR
                || other == TypeId::ERROR
                || (self.is_number(one) && self.is_number(other))
        };
        is_same(one, other)
            || members(one).iter().any(|one| members(other).iter().any(|other| is_same(*one, *other)))
    }

    /// Whether two types are one, or are written alike.
    pub(super) fn is_same(&self, one: TypeId, other: TypeId) -> bool {
        let [one_kind, other_kind] = [one, other].map(|id| &self.model.ty(id).kind);
        one == other || one_kind == other_kind || one == TypeId::ERROR || other == TypeId::ERROR
    }

    /// The value of a constant expression.
    pub(super) fn number(&mut self, expr: &Expr<'s>) -> Size {
        let not_constant = |checker: &mut Self| {
            let message = "this is not a number that is known before the model runs";
            checker.mistake(Code::TypeMismatch, expr.span, message);
            Size::fixed(1)
        };
        match &expr.kind {
            ExprKind::Integer(digits) => self.digits(digits, expr.span),
            ExprKind::Name(name) => match self.scope.get(name.text) {
                Some(Meaning::Number(size)) => size.clone(),
                Some(_) => not_constant(self),
                None => {
                    self.unknown(*name);
                    Size::fixed(1)
                }
            },
            ExprKind::Negative(inner) => {
                let size = self.number(inner);
                self.computed(Operator::Subtract, size.value.checked_neg(), [Size::fixed(0), size], expr.span)
            }
            ExprKind::Binary(operator, sides) => {
                let [left, right] = [self.number(&sides[0]), self.number(&sides[1])];
                let value = match operator {
                    Operator::Add => left.value.checked_add(right.value),
                    Operator::Subtract => left.value.checked_sub(right.value),
                    Operator::Multiply => left.value.checked_mul(right.value),
                    Operator::Divide => left.value.checked_div(right.value),
                    Operator::Remainder => left.value.checked_rem(right.value),
                    _ => return not_constant(self),
                };
                self.computed(*operator, value, [left, right], expr.span)
            }
            ExprKind::Error => Size::fixed(1),
            _ => not_constant(self),
        }
    }

    pub(super) fn digits(&mut self, digits: &str, span: Span) -> Size {
        let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16),
            None => digits.parse(),
        };
        Size::fixed(value.unwrap_or_else(|_| {
            self.report(
                Diagnostic::error(Code::TooLarge, span, "this number is too large")
                    .note(format!("numbers are at most {}", i64::MAX)),
            );
            1
        }))
    }

    fn computed(
        &mut self,
        operator: Operator,
        value: Option<i64>,
        [left, right]: [Size; 2],
        span: Span,
    ) -> Size {
        let value = value.unwrap_or_else(|| {
            self.mistake(
                Code::TooLarge,
                span,
                "this number cannot be computed: it is too large, or divided by 0",
            );
            1
        });
        Size::computed(operator, value, &left, &right)
    }
}
