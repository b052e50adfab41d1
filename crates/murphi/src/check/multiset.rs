//! Multisets, their elements, and the indices of these.
//!
//! An index comes from `choose`, `multisetcount` or `multisetremovepred`, and is good for a multiset of that type only.

use polycube_language::diagnostic::Code;

use super::Checker;
use crate::model::{Elements, Expr, LocalId, Place, StatementKind, TypeId, TypeKind};
use crate::syntax::{self, Name};

impl<'s> Checker<'s, '_> {
    /// `multisetadd(value, multiset)`
    pub(super) fn added(
        &mut self,
        value: &syntax::Expr<'s>,
        multiset: &syntax::Expr<'s>,
    ) -> Option<StatementKind> {
        let (value, (place, element)) = (self.expression(value), self.multiset(multiset)?);
        if !self.is_compatible(element, value.ty) {
            let [one, other] = [value.ty, element].map(|ty| self.model.type_name(ty));
            self.mistake(Code::TypeMismatch, value.span, format!("this is {one}, expected {other}"));
        }
        Some(StatementKind::MultisetAdd(place, value))
    }

    /// `multisetremove(index, multiset)`
    pub(super) fn removed(
        &mut self,
        index: &syntax::Expr<'s>,
        multiset: &syntax::Expr<'s>,
    ) -> Option<StatementKind> {
        let (index, (place, _)) = (self.expression(index), self.multiset(multiset)?);
        self.expect_index_of(place.ty, &index);
        Some(StatementKind::MultisetRemove(place, index))
    }

    /// `i : multiset, condition`
    pub(super) fn elements(&mut self, elements: &syntax::Elements<'s>) -> Option<Elements> {
        self.scope.enter();
        let bound = self.element(elements.name, &elements.multiset);
        let condition = bound.is_some().then(|| self.condition(&elements.condition));
        self.scope.leave();
        let (index, multiset) = bound?;
        Some(Elements { multiset, index, condition: condition? })
    }

    /// Binds the name of an index.
    pub(super) fn element(
        &mut self,
        name: Name<'s>,
        multiset: &syntax::Expr<'s>,
    ) -> Option<(LocalId, Place)> {
        let (place, _) = self.multiset(multiset)?;
        let ty = self.add_type(TypeKind::Slot(place.ty), name.span);
        let local = self.local(name, ty);
        self.fixed.push(local);
        Some((local, place))
    }

    /// Whether an expression is the index of an element of a multiset of this type.
    pub(super) fn expect_index_of(&mut self, multiset: TypeId, index: &Expr) {
        let is_index = match self.model.ty(index.ty).kind {
            TypeKind::Slot(of) => self.is_same(of, multiset),
            TypeKind::Error => true,
            _ => false,
        };
        if !is_index {
            let name = self.model.type_name(index.ty);
            let message = format!("{name} is no index of an element of this multiset");
            self.mistake(Code::TypeMismatch, index.span, message);
        }
    }

    /// A multiset, and the type of its elements.
    fn multiset(&mut self, expr: &syntax::Expr<'s>) -> Option<(Place, TypeId)> {
        let place = self.place(expr)?;
        match self.model.ty(place.ty).kind {
            TypeKind::Multiset { element, .. } => Some((place, element)),
            TypeKind::Error => None,
            _ => {
                let message = format!("{} is not a multiset", self.model.type_name(place.ty));
                self.mistake(Code::TypeMismatch, expr.span, message);
                None
            }
        }
    }
}
