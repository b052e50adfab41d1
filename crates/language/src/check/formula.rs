//! Formulas: connectives, quantifiers, comparisons, predicate calls.

use crate::diagnostic::{Code, Diagnostic};
use crate::formula::{Comparison, Formula, Quantifier, Relation, Term};
use crate::span::{Origin, Span};
use crate::syntax::{Comparator, Expr, ExprKind, Name, QuantifierKeyword};
use crate::system::{EnumerationId, Type};

use super::scope::{Binder, Binding, Entry, Scope};
use super::term::ungrouped;
use super::typed::Typed;
use super::{Checker, MAX_RECURSION};

impl<'s> Checker<'s, '_> {
    /// The meaning of a whole formula; none if an error was reported.
    pub(super) fn whole_formula(&mut self, scope: &mut Scope<'s>, expr: &Expr<'s>) -> Option<Formula> {
        let formula = self.formula(scope, expr)?;
        if formula.depth() > Formula::MAX_DEPTH { self.too_deep(expr.span) } else { Some(formula) }
    }

    pub(super) fn formula(&mut self, scope: &mut Scope<'s>, expr: &Expr<'s>) -> Option<Formula> {
        if self.depth > MAX_RECURSION {
            return self.too_deep(expr.span);
        }
        if !self.calls.is_empty() && !self.spend(1, expr.span) {
            return None;
        }
        self.depth += 1;
        let formula = self.formula_inside(scope, expr);
        self.depth -= 1;
        formula
    }

    fn formula_inside(&mut self, scope: &mut Scope<'s>, expr: &Expr<'s>) -> Option<Formula> {
        match &expr.kind {
            ExprKind::Error => None,
            ExprKind::Group(inner) => self.formula(scope, inner),
            ExprKind::Constant(value) => Some(Formula::Constant(*value)),
            ExprKind::Not(inner) => Some(Formula::not(self.formula(scope, inner)?)),
            ExprKind::And(parts) => Some(Formula::and(self.formulas(scope, parts)?)),
            ExprKind::Or(parts) => Some(Formula::or(self.formulas(scope, parts)?)),
            ExprKind::Implies(sides) => {
                let [left, right] = self.formulas(scope, &sides[..])?.try_into().ok()?;
                Some(Formula::implies(left, right))
            }
            ExprKind::Iff(sides) => {
                let [left, right] = self.formulas(scope, &sides[..])?.try_into().ok()?;
                Some(Formula::iff(left, right))
            }
            ExprKind::If(parts) => {
                let [condition, consequence, alternative] =
                    self.formulas(scope, &parts[..])?.try_into().ok()?;
                Some(Formula::if_then_else(condition, consequence, alternative))
            }
            ExprKind::Compare(comparator, sides) => self.comparison(scope, *comparator, sides, expr.span),
            ExprKind::Quantified { quantifier, variables, body } => {
                self.quantified(scope, *quantifier, variables, body, expr.span)
            }
            ExprKind::Let { name, value_and_body } => {
                let [value, body] = &**value_and_body;
                self.in_let(scope, *name, value, |checker, scope| checker.formula(scope, body))
            }
            ExprKind::Call { predicate, arguments } => self.call(scope, *predicate, arguments, expr.span),
            ExprKind::Name(text) if text.starts_with(|first: char| first.is_ascii_lowercase()) => {
                let name = Name { text, span: expr.span };
                match self.look_up(scope, name)? {
                    Binding::Formula(mut formula, _) => {
                        scope.rebind(&mut formula);
                        Some(formula)
                    }
                    Binding::Unknown => None,
                    Binding::Process(_) | Binding::Term(_) => self.boolean_term(scope, expr),
                }
            }
            _ => self.boolean_term(scope, expr),
        }
    }

    /// All of `parts`; errors in each are reported.
    fn formulas(&mut self, scope: &mut Scope<'s>, parts: &[Expr<'s>]) -> Option<Vec<Formula>> {
        let formulas: Vec<Option<Formula>> = parts.iter().map(|part| self.formula(scope, part)).collect();
        formulas.into_iter().collect()
    }

    /// A Boolean term alone: it is `True`.
    fn boolean_term(&mut self, scope: &mut Scope<'s>, expr: &Expr<'s>) -> Option<Formula> {
        let typed = self.term(scope, expr)?;
        if typed.ty == Type::BOOL {
            return Some(Formula::is_true(typed.term, Origin(expr.span)));
        }
        let (ty, text) = (self.type_name(typed.ty), self.quote(expr.span));
        let error = Diagnostic::error(Code::TypeMismatch, expr.span, "a formula is expected here")
            .label(format!("this is a value of type {ty}"));
        self.error(match typed.term {
            Term::Constructor(..) => {
                error.help(format!("each part of a formula needs its own comparison: `... = {text}`"))
            }
            _ => error.help(format!("compare it with something: `{text} = ...`; only a `bool` stands alone")),
        });
        None
    }

    fn comparison(
        &mut self,
        scope: &mut Scope<'s>,
        comparator: Comparator,
        sides: &[Expr<'s>; 2],
        span: Span,
    ) -> Option<Formula> {
        let (left, right) = (self.term(scope, &sides[0]), self.term(scope, &sides[1]));
        let (left, right) = (left?, right?);
        if left.ty != right.ty {
            self.incomparable((&sides[0], &left), (&sides[1], &right));
            return None;
        }
        let (ty, origin) = (left.ty, Origin(span));
        let (left, relation, right) = match comparator {
            Comparator::Equal => (left, Relation::Equal, right),
            Comparator::NotEqual => (left, Relation::NotEqual, right),
            Comparator::Less => (left, Relation::Less, right),
            Comparator::LessEqual => (left, Relation::LessEqual, right),
            Comparator::Greater => (right, Relation::Less, left),
            Comparator::GreaterEqual => (right, Relation::LessEqual, left),
        };
        if relation.is_order() {
            self.warn_of_order(ty, span);
        }
        Some(Formula::Compare(Comparison { left: left.term, relation, right: right.term, ty, origin }))
    }

    fn incomparable(&mut self, left: (&Expr<'s>, &Typed), right: (&Expr<'s>, &Typed)) {
        if left.1.ty.is_numeric() && right.1.ty.is_numeric() {
            self.mixed_numbers((left.0, left.1.ty), (right.0, right.1.ty));
            return;
        }
        let (left_type, right_type) = (self.type_name(left.1.ty), self.type_name(right.1.ty));
        let error =
            Diagnostic::error(Code::TypeMismatch, right.0.span, "values of different types are compared")
                .label(format!("this has type {right_type}"))
                .also(left.0.span, format!("this has type {left_type}"));
        let error = match (left.1.ty, right.1.ty) {
            (Type::Process, other) | (other, Type::Process) if other.is_numeric() => {
                error.help("processes are not numbers: they are compared with each other only")
            }
            (Type::Enumeration(id), _) | (_, Type::Enumeration(id)) => error.help(self.values_of(id)),
            _ => error,
        };
        self.error(error);
    }

    /// "the values of `bool` are `False`, `True`"
    pub(super) fn values_of(&self, id: EnumerationId) -> String {
        let enumeration = self.system.enumeration(id);
        let shown: Vec<String> =
            enumeration.constructors.iter().take(12).map(|value| format!("`{value}`")).collect();
        let more = if enumeration.constructors.len() > shown.len() { ", ..." } else { "" };
        format!("the values of `{}` are {}{more}", enumeration.name, shown.join(", "))
    }

    /// Once per type: `<` on values for which the language defines no order.
    fn warn_of_order(&mut self, ty: Type, span: Span) {
        if matches!(ty, Type::Enumeration(_) | Type::Abstract(_)) && self.ordered_types.insert(ty) {
            let name = self.type_name(ty);
            self.warning(
                Diagnostic::warning(
                    Code::UnspecifiedOrder,
                    span,
                    format!("the order of the values of {name} is not specified"),
                )
                .label("compared by an unknown order")
                .note("an answer will hold for every total order of these values")
                .help("write out the cases that you mean, with `=` and `||`"),
            );
        }
    }

    fn quantified(
        &mut self,
        scope: &mut Scope<'s>,
        keyword: QuantifierKeyword,
        names: &[Name<'s>],
        body: &Expr<'s>,
        span: Span,
    ) -> Option<Formula> {
        let quantifier = match keyword {
            QuantifierKeyword::Forall | QuantifierKeyword::ForallOther => Quantifier::Forall,
            QuantifierKeyword::Exists | QuantifierKeyword::ExistsOther => Quantifier::Exists,
        };
        let others = match keyword {
            QuantifierKeyword::Forall | QuantifierKeyword::Exists => Vec::new(),
            QuantifierKeyword::ForallOther | QuantifierKeyword::ExistsOther => scope.process_variables(),
        };
        if !others.is_empty() {
            self.warn_of_silent_exclusion(scope, span);
            scope.use_all_processes();
        }
        let mark = scope.mark();
        let mut variables = Vec::with_capacity(names.len());
        for (position, &name) in names.iter().enumerate() {
            match names[..position].iter().find(|other| other.text == name.text) {
                Some(first) => self.duplicate("variable", name, Some(first.span)),
                None if names.len() > 1 && scope.hidden_by(name.text).is_some() => {
                    self.bound_again(scope, keyword, names, name);
                    scope.look_up(name.text);
                    scope.leave(&mark);
                    return None;
                }
                None => self.warn_of_shadowing(scope, name),
            }
            variables.push(scope.bind_process(name, Binder::Quantifier));
        }
        let body = self.formula(scope, body);
        let entries = scope.leave(&mark);
        self.unused_names(&entries);
        // Each variable differs from those that are left out, and from the ones before it.
        let mut formula = body?;
        while let Some(variable) = variables.pop() {
            let mut excluded = others.clone();
            excluded.extend(variables.iter().map(|before| before.id));
            formula = Formula::quantified(quantifier, variable, &excluded, formula, Origin(span));
        }
        Some(formula)
    }

    /// `forall j <> p. ...` where `p` is known: meant is most likely "all but `p`", but it would bind a new
    /// `p`.
    fn bound_again(
        &mut self,
        scope: &Scope<'s>,
        keyword: QuantifierKeyword,
        names: &[Name<'s>],
        name: Name<'s>,
    ) {
        let text = name.text;
        let other = names.iter().find(|other| other.text != text).map_or("j", |other| other.text);
        let (all, others) = match keyword {
            QuantifierKeyword::Forall | QuantifierKeyword::ForallOther => {
                ("forall", format!("forall {other}. {other} = {text} || ..."))
            }
            QuantifierKeyword::Exists | QuantifierKeyword::ExistsOther => {
                ("exists", format!("exists {other}. {other} <> {text} && ..."))
            }
        };
        let error = Diagnostic::error(
            Code::DuplicateName,
            name.span,
            format!("the quantifier binds both names, but `{text}` is bound already"),
        )
        .label("this would be a new variable");
        let error = match scope.hidden_by(text) {
            Some(hidden) => error.also(hidden.span, "already bound here"),
            None => error,
        };
        self.error(
            error.help(format!("for the other processes write `{all}_other {other}. ...`, or `{others}`")),
        );
    }

    pub(super) fn warn_of_shadowing(&mut self, scope: &Scope<'s>, name: Name<'s>) {
        if let Some(hidden) = scope.hidden_by(name.text) {
            let text = name.text;
            self.warning(
                Diagnostic::warning(
                    Code::Shadowed,
                    name.span,
                    format!("this `{text}` hides another `{text}`"),
                )
                .label("bound again here")
                .also(hidden.span, "the hidden one")
                .help("choose another name for one of them"),
            );
        }
    }

    /// Binds a name for the time of `body`.
    pub(super) fn in_let<T>(
        &mut self,
        scope: &mut Scope<'s>,
        name: Name<'s>,
        value: &Expr<'s>,
        body: impl FnOnce(&mut Self, &mut Scope<'s>) -> Option<T>,
    ) -> Option<T> {
        let mark = scope.mark();
        self.bind_let(scope, name, value);
        let result = body(self, scope);
        let entries = scope.leave(&mark);
        self.unused_names(&entries);
        result
    }

    pub(super) fn bind_let(&mut self, scope: &mut Scope<'s>, name: Name<'s>, value: &Expr<'s>) {
        let binding = self.binding(scope, value);
        self.warn_of_shadowing(scope, name);
        scope.bind(name, Binder::Let, binding);
    }

    /// What a `let` or an argument binds: a term or a formula.
    pub(super) fn binding(&mut self, scope: &mut Scope<'s>, value: &Expr<'s>) -> Binding {
        let bound = ungrouped(value);
        if let ExprKind::Name(text) = bound.kind
            && text.starts_with(|first: char| first.is_ascii_lowercase())
        {
            return self.look_up(scope, Name { text, span: bound.span }).unwrap_or(Binding::Unknown);
        }
        if let ExprKind::Let { name, value_and_body } = &bound.kind {
            let [value, body] = &**value_and_body;
            let inner = self.in_let(scope, *name, value, |checker, scope| Some(checker.binding(scope, body)));
            return inner.unwrap_or(Binding::Unknown);
        }
        if is_formula(bound) {
            return match self.whole_formula(scope, bound) {
                Some(formula) => {
                    let size = formula.size();
                    Binding::Formula(formula, size)
                }
                None => Binding::Unknown,
            };
        }
        self.term(scope, bound).map_or(Binding::Unknown, Binding::Term)
    }

    /// Warns of names that were bound and not used.
    pub(super) fn unused_names(&mut self, entries: &[Entry<'s>]) {
        for entry in entries.iter().filter(|entry| !entry.used) {
            let name = entry.name;
            let warning = |what: &str| {
                Diagnostic::warning(Code::Unused, entry.span, format!("the {what} `{name}` is not used"))
            };
            let warning = match entry.binder {
                Binder::InitParameter => warning("parameter").label("says nothing here").help("remove it"),
                Binder::PropertyParameter => warning("parameter")
                    .label("still says that one more process exists")
                    .help("remove it if you do not mean that"),
                Binder::PredicateParameter => warning("parameter").label("has no effect").help("remove it"),
                Binder::Quantifier => warning("variable")
                    .label("only says how many processes exist")
                    .help("remove the quantifier if you do not mean that"),
                Binder::Let => warning("name").label("bound here").help("remove this `let`"),
                // A transition may well need a process that it does not change, and an update may ignore the
                // index.
                Binder::TransitionParameter | Binder::UpdateIndex => continue,
            };
            self.warning(warning);
        }
    }
}

/// Whether an expression can only be a formula.
pub(super) fn is_formula(expr: &Expr<'_>) -> bool {
    match &expr.kind {
        ExprKind::Group(inner) => is_formula(inner),
        ExprKind::Let { value_and_body, .. } => is_formula(&value_and_body[1]),
        ExprKind::Constant(_)
        | ExprKind::Call { .. }
        | ExprKind::Not(_)
        | ExprKind::And(_)
        | ExprKind::Or(_)
        | ExprKind::Implies(_)
        | ExprKind::Iff(_)
        | ExprKind::Compare(..)
        | ExprKind::If(_)
        | ExprKind::Quantified { .. } => true,
        ExprKind::Error
        | ExprKind::Integer(_)
        | ExprKind::Real(_)
        | ExprKind::Process(_)
        | ExprKind::Name(_)
        | ExprKind::Access { .. }
        | ExprKind::Negate(_)
        | ExprKind::Sum(_)
        | ExprKind::Product(_)
        | ExprKind::Any => false,
    }
}
