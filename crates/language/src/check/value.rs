//! New values in updates.

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::{Expr, ExprKind, Update};
use crate::system::{SymbolId, Type, Value};

use super::Checker;
use super::term::formula_as_value;

/// Where a new value stands; decides which advice fits a mistake.
pub(super) enum Place<'s, 'u> {
    /// `X := value`
    Variable(&'u Update<'s>),
    /// `A[i] := value`, with these indices.
    Cell(&'u Update<'s>, &'u [Expr<'s>]),
    /// `| condition : value`
    Branch,
}

impl<'s> Checker<'s, '_> {
    /// A new value of the symbol's type.
    pub(super) fn value(
        &mut self,
        symbol: Option<SymbolId>,
        expr: &Expr<'s>,
        place: &Place<'s, '_>,
    ) -> Option<Value> {
        let written = &expr.ungrouped().kind;
        if matches!(written, ExprKind::Any) {
            return Some(Value::Any);
        }
        // What `term` says of an unknown predicate fits better.
        let is_unknown = matches!(written, ExprKind::Call { predicate, .. } if !self.predicates.contains_key(predicate.text));
        if expr.is_formula() && !is_unknown && !matches!(written, ExprKind::Constant(_)) {
            let is_boolean = symbol.is_none_or(|symbol| self.system.symbol(symbol).ty == Type::BOOL);
            let error = formula_as_value(expr);
            return self.refuse(match written {
                ExprKind::If(parts) => {
                    let [condition, value, other] = &**parts;
                    let [value, other] = [value, other].map(|part| self.quote(part.span));
                    error.help(self.case_for(place, condition, &value, &other))
                }
                _ if is_boolean => error.help(self.case_for(place, expr, "True", "False")),
                _ => error,
            });
        }
        let typed = self.term(expr)?;
        let symbol = self.system.symbol(symbol?);
        if typed.ty == symbol.ty {
            return Some(Value::Term(typed.term));
        }
        let (expected, found) = (self.type_name(symbol.ty), self.type_name(typed.ty));
        let both_numbers = typed.ty.is_numeric() && symbol.ty.is_numeric();
        let code = if both_numbers { Code::MixedNumbers } else { Code::TypeMismatch };
        let message = format!("`{}` has type {expected}, the new value {found}", symbol.name);
        let error = Diagnostic::error(code, expr.span, message)
            .label(format!("expected {expected}"))
            .also(symbol.origin.0, "declared here");
        let error = match (written, symbol.ty) {
            (ExprKind::Integer(digits), Type::Real) => error.help(format!("write `{digits}.0`")),
            (_, Type::Enumeration(id)) => error.help(self.values_of(id)),
            _ => error,
        };
        self.refuse(error)
    }

    /// Advice: what to write for a new value that depends on a condition.
    fn case_for(&self, place: &Place<'s, '_>, condition: &Expr<'s>, value: &str, other: &str) -> String {
        let mut shown = self.quote(condition.span);
        let is_loose = !matches!(
            condition.kind,
            ExprKind::Compare(..)
                | ExprKind::Not(_)
                | ExprKind::And(_)
                | ExprKind::Name(_)
                | ExprKind::Access { .. }
                | ExprKind::Call { .. }
                | ExprKind::Group(_)
        );
        if is_loose && !matches!(place, Place::Variable(_)) {
            shown = format!("({shown})");
        }
        match place {
            Place::Variable(update) => {
                format!("write `{} := case | {shown} : {value} | _ : {other}`", update.target.text)
            }
            Place::Cell(update, indices) => {
                let (cell, names) = (self.cell_condition(indices), self.new_names(indices.len()).join(", "));
                let array = update.target.text;
                format!(
                    "write `{array}[{names}] := case | {cell} && {shown} : {value} | {cell} : {other} | _ : {array}[{names}]`"
                )
            }
            Place::Branch => {
                format!("write two branches: `| ... && {shown} : {value}` and `| ... : {other}`")
            }
        }
    }
}
