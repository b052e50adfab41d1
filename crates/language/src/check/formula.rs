//! Formulas: connectives, quantifiers, comparisons, predicate calls.

use crate::diagnostic::{Code, Diagnostic};
use crate::formula::{Comparison, Formula, Quantifier, Term};
use crate::span::{Origin, Span};
use crate::syntax::{Comparator, Expr, ExprKind, Name, QuantifierKeyword};
use crate::system::{EnumerationId, Type};
use crate::uses::Binder;

use super::scope::{Binding, Entry};
use super::typed::Typed;
use super::{Checker, all};

impl<'s> Checker<'s, '_> {
    /// The meaning of a whole formula; none if an error was reported.
    pub(super) fn whole_formula(&mut self, expr: &Expr<'s>) -> Option<Formula> {
        let formula = self.formula(expr)?;
        if formula.depth() > Formula::MAX_DEPTH { self.too_deep(expr.span) } else { Some(formula) }
    }

    pub(super) fn formula(&mut self, expr: &Expr<'s>) -> Option<Formula> {
        self.inside(expr.span, |checker| checker.formula_inside(expr))
    }

    fn formula_inside(&mut self, expr: &Expr<'s>) -> Option<Formula> {
        match &expr.kind {
            ExprKind::Error => None,
            ExprKind::Group(inner) => self.formula(inner),
            ExprKind::Constant(value) => Some(Formula::Constant(*value)),
            ExprKind::Not(inner) => Some(Formula::not(self.formula(inner)?)),
            ExprKind::And(parts) => Some(Formula::and(self.formulas(parts)?)),
            ExprKind::Or(parts) => Some(Formula::or(self.formulas(parts)?)),
            ExprKind::Implies(sides) | ExprKind::Iff(sides) => {
                let [left, right] = self.formulas(&sides[..])?.try_into().ok()?;
                let join = if let ExprKind::Iff(_) = expr.kind { Formula::iff } else { Formula::implies };
                Some(join(left, right))
            }
            ExprKind::If(parts) => {
                let [condition, consequence, alternative] = self.formulas(&parts[..])?.try_into().ok()?;
                Some(Formula::if_then_else(condition, consequence, alternative))
            }
            ExprKind::Compare(comparator, sides) => self.comparison(*comparator, sides, expr.span),
            ExprKind::Quantified { keyword, variables, body } => {
                self.quantified(*keyword, variables, body, expr.span)
            }
            ExprKind::Let { name, value_and_body } => {
                let [value, body] = &**value_and_body;
                self.in_let(*name, value, body, Self::formula)
            }
            ExprKind::Call { predicate, arguments } => self.call(*predicate, arguments, expr.span),
            ExprKind::Name(name) if name.is_lower() => match self.look_up(*name)? {
                Binding::Formula(mut formula, _) => {
                    self.scope.rebind(&mut formula);
                    Some(formula)
                }
                Binding::Unknown => None,
                Binding::Process(_) | Binding::Term(_) => self.boolean_term(expr),
            },
            _ => self.boolean_term(expr),
        }
    }

    fn formulas(&mut self, parts: &[Expr<'s>]) -> Option<Vec<Formula>> {
        all(parts.iter().map(|part| self.formula(part)))
    }

    /// A Boolean term alone: it is `True`.
    fn boolean_term(&mut self, expr: &Expr<'s>) -> Option<Formula> {
        let typed = self.term(expr)?;
        if typed.ty == Type::BOOL {
            return Some(Formula::is_true(typed.term, Origin(expr.span)));
        }
        let (ty, text) = (self.type_name(typed.ty), self.quote(expr.span));
        let help = match typed.term {
            Term::Constructor(..) => {
                format!("each part of a formula needs its own comparison: `... = {text}`")
            }
            _ => format!("compare it with something: `{text} = ...`; only a `bool` stands alone"),
        };
        let error = Diagnostic::error(Code::TypeMismatch, expr.span, "a formula is expected here");
        self.refuse(error.label(format!("this is a value of type {ty}")).help(help))
    }

    fn comparison(&mut self, comparator: Comparator, sides: &[Expr<'s>; 2], span: Span) -> Option<Formula> {
        let (left, right) = (self.term(&sides[0]), self.term(&sides[1]));
        let (left, right) = (left?, right?);
        if left.ty != right.ty {
            self.incomparable((&sides[0], &left), (&sides[1], &right));
            return None;
        }
        let (ty, origin) = (left.ty, Origin(span));
        let (left, relation, right) = match comparator {
            Comparator::Straight(relation) => (left, relation, right),
            Comparator::Reversed(relation) => (right, relation, left),
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
            let message = format!("the order of the values of {name} is not specified");
            self.warning(
                Diagnostic::warning(Code::UnspecifiedOrder, span, message)
                    .label("compared by an unknown order")
                    .note("an answer will hold for every total order of these values")
                    .help("write out the cases that you mean, with `=` and `||`"),
            );
        }
    }

    fn quantified(
        &mut self,
        keyword: QuantifierKeyword,
        names: &[Name<'s>],
        body: &Expr<'s>,
        span: Span,
    ) -> Option<Formula> {
        let QuantifierKeyword { quantifier, other } = keyword;
        let others = if other { self.scope.process_variables() } else { Vec::new() };
        if !others.is_empty() {
            self.warn_of_silent_exclusion(span);
            self.scope.use_all_processes();
        }
        let mark = self.scope.mark();
        let mut variables = Vec::with_capacity(names.len());
        for (position, &name) in names.iter().enumerate() {
            match names[..position].iter().find(|other| other.text == name.text) {
                Some(first) => self.duplicate("variable", name, Some(first.span)),
                None if names.len() > 1 && self.scope.hidden_by(name.text).is_some() => {
                    self.bound_again(quantifier, names, name);
                    self.scope.look_up(name.text);
                    self.scope.leave(&mark);
                    return None;
                }
                None => self.warn_of_shadowing(name),
            }
            self.define_local(name, Binder::Quantifier, span);
            variables.push(self.scope.bind_process(name, Binder::Quantifier));
        }
        let body = self.formula(body);
        let entries = self.scope.leave(&mark);
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
    fn bound_again(&mut self, quantifier: Quantifier, names: &[Name<'s>], name: Name<'s>) {
        let text = name.text;
        let other = names.iter().find(|other| other.text != text).map_or("j", |other| other.text);
        let (all, others) = match quantifier {
            Quantifier::Forall => ("forall", format!("forall {other}. {other} = {text} || ...")),
            Quantifier::Exists => ("exists", format!("exists {other}. {other} <> {text} && ...")),
        };
        let message = format!("the quantifier binds both names, but `{text}` is bound already");
        let mut error = Diagnostic::error(Code::DuplicateName, name.span, message)
            .label("this would be a new variable")
            .help(format!("for the other processes write `{all}_other {other}. ...`, or `{others}`"));
        if let Some(hidden) = self.scope.hidden_by(text) {
            error = error.also(hidden.span, "already bound here");
        }
        self.error(error);
    }

    pub(super) fn warn_of_shadowing(&mut self, name: Name<'s>) {
        if let Some(hidden) = self.scope.hidden_by(name.text) {
            let message = format!("this `{0}` hides another `{0}`", name.text);
            self.warning(
                Diagnostic::warning(Code::Shadowed, name.span, message)
                    .label("bound again here")
                    .also(hidden.span, "the hidden one")
                    .help("choose another name for one of them"),
            );
        }
    }

    /// Reads the body of a `let`, with its name bound.
    pub(super) fn in_let<T>(
        &mut self,
        name: Name<'s>,
        value: &Expr<'s>,
        body: &Expr<'s>,
        read: impl FnOnce(&mut Self, &Expr<'s>) -> Option<T>,
    ) -> Option<T> {
        let mark = self.scope.mark();
        self.bind_let(name, value, body.span);
        let result = read(self, body);
        let entries = self.scope.leave(&mark);
        self.unused_names(&entries);
        result
    }

    pub(super) fn bind_let(&mut self, name: Name<'s>, value: &Expr<'s>, scope: Span) {
        let binding = self.binding(value);
        self.warn_of_shadowing(name);
        self.define_local(name, Binder::Let, scope);
        self.scope.bind(name, Binder::Let, binding);
    }

    /// What a `let` or an argument binds: a term or a formula.
    pub(super) fn binding(&mut self, value: &Expr<'s>) -> Binding {
        let bound = value.ungrouped();
        let binding = match &bound.kind {
            ExprKind::Name(name) if name.is_lower() => self.look_up(*name),
            ExprKind::Let { name, value_and_body } => {
                let [value, body] = &**value_and_body;
                self.in_let(*name, value, body, |checker, body| Some(checker.binding(body)))
            }
            _ if bound.is_formula() => self.whole_formula(bound).map(|formula| {
                let size = formula.size();
                Binding::Formula(formula, size)
            }),
            _ => self.term(bound).map(Binding::Term),
        };
        binding.unwrap_or(Binding::Unknown)
    }

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
                // `#{p | true}` is the number of all processes.
                Binder::TransitionParameter | Binder::UpdateIndex | Binder::Count => continue,
            };
            self.warning(warning);
        }
    }
}
