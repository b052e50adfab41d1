//! `#{p | F}`: how many processes satisfy a formula.

use crate::count::{Count, Unfollowed};
use crate::diagnostic::{Code, Diagnostic};
use crate::formula::{Access, Formula, Linear, Relation, Term, Variable, VariableId};
use crate::number::Number;
use crate::span::{Origin, Span};
use crate::syntax::{Expr, ExprKind, Name};
use crate::system::Type;
use crate::uses::Binder;

use super::Checker;
use super::typed::Typed;

impl<'s> Checker<'s, '_> {
    /// The number as a term. Without a name for the processes that are counted, it is the one name in the
    /// formula that nothing else binds.
    pub(super) fn count(
        &mut self,
        variable: Option<Name<'s>>,
        body: &Expr<'s>,
        summand: Option<&Expr<'s>>,
        span: Span,
    ) -> Option<Typed> {
        let name = match variable {
            Some(name) => name,
            None => self.name_to_count(body, summand, span)?,
        };
        let mark = self.scope.mark();
        self.warn_of_shadowing(name);
        self.define_local(name, Binder::Count, span);
        let counted = self.scope.bind_process(name, Binder::Count);
        let formula = self.whole_formula(body);
        let summand = summand.map(|summand| (self.numeric(summand), summand));
        let entries = self.scope.leave(&mark);
        let formula = formula?;
        self.unused_names(&entries);
        let summand = match summand {
            None => Linear::constant(Number::ONE),
            Some((typed, expr)) => {
                let typed = typed?;
                if typed.ty != Type::Integer {
                    let error = Diagnostic::error(Code::Count, expr.span, "only integers are summed up");
                    return self.refuse(error.label("this is a `real`"));
                }
                typed.into_linear()
            }
        };
        let of_summand = Formula::compare_integers(summand.clone(), Relation::Equal, summand.clone());
        let all = Formula::And(vec![formula.clone(), of_summand]);
        if let Some((why, help)) = self.cannot_be_counted(&all) {
            let error = Diagnostic::error(Code::Count, body.span, "these processes cannot be counted");
            return self.refuse(error.label(why).help(help));
        }
        let others = other_variables(&all, &counted);
        if others.len() > Count::MAX_INDICES {
            let error = Diagnostic::error(Code::Count, body.span, "these processes cannot be counted");
            return self.refuse(error.label("it speaks of more than one other process").help(
                "count the processes that something holds for, or that are related to one given process",
            ));
        }
        let size = 1 + all.size();
        let count = Count::sum(&formula, &summand, &others, &counted, Origin(span));
        let symbol = self.system.intern(count);
        let indices = others.into_iter().map(Term::Variable).collect();
        Some(Typed {
            term: Term::access(Access { symbol, indices }, Type::Integer),
            ty: Type::Integer,
            size,
            depth: 1,
        })
    }

    /// Why not, and what to write instead.
    fn cannot_be_counted(&self, formula: &Formula) -> Option<(&'static str, &'static str)> {
        if formula.has_quantifier() {
            return Some((
                "a formula with a quantifier cannot be counted",
                "let an array say it of each process, which the transitions keep up to date, and count with that",
            ));
        }
        let mut has_count = false;
        formula.for_each_access(&mut |access| has_count |= self.system.count(access.symbol).is_some());
        has_count.then_some((
            "it has another count inside",
            "let an array say it of each process, which the transitions keep up to date, and count with that",
        ))
    }

    fn name_to_count(&mut self, body: &Expr<'s>, summand: Option<&Expr<'s>>, span: Span) -> Option<Name<'s>> {
        // Something was said about it.
        if let ExprKind::Error = body.kind {
            return None;
        }
        let mut names = Vec::new();
        [Some(body), summand].into_iter().flatten().for_each(|part| lower_names(part, &mut names));
        let mut unknown: Vec<Name<'s>> = Vec::new();
        for name in names {
            let is_known = self.scope.names().any(|known| known == name.text);
            if !is_known && !unknown.iter().any(|other| other.text == name.text) {
                unknown.push(name);
            }
        }
        if let [only] = unknown[..] {
            return Some(only);
        }
        let error = Diagnostic::error(Code::Count, span, "which processes are counted?");
        let error = match unknown.len() {
            0 => error.label("no name in it stands for them"),
            _ => error.label("several names could stand for them"),
        };
        self.refuse(error.help("say which name stands for them: `#{p | State[p] = Waiting}`"))
    }

    /// Adds what transitions do to counts.
    pub(super) fn follow_counts(&mut self) {
        let Err(Unfollowed { origin, transition }) = self.system.follow_counts(Vec::new()) else { return };
        let error = Diagnostic::error(Code::Count, origin.0, "this number cannot be kept track of");
        let error = match transition {
            None => error.label(format!("more than {} numbers of processes are needed", Count::MOST)),
            Some(at) => {
                let transition = &self.system.transitions[at];
                let message = format!("`{}` changes it in a way that is too complicated", transition.name);
                error.label("how it changes is not clear").also(transition.origin.0, message).help(
                    "transitions may change the cells of the processes that they name to values, and those of all others in a way that depends on their own cells only",
                )
            }
        };
        self.error(error);
    }
}

/// The free variables of a formula but one, in the order of the text.
fn other_variables(formula: &Formula, counted: &Variable) -> Vec<VariableId> {
    let mut found = Vec::new();
    formula.for_each_mentioned(&mut |variable| {
        if variable != counted.id && !found.contains(&variable) {
            found.push(variable);
        }
    });
    found
}

/// The lower-case names in an expression that quantifiers and `let`s in it do not bind.
fn lower_names<'s>(expr: &Expr<'s>, names: &mut Vec<Name<'s>>) {
    let mut all = |parts: &[Expr<'s>]| parts.iter().for_each(|part| lower_names(part, names));
    match &expr.kind {
        ExprKind::Name(name) if name.is_lower() => names.push(*name),
        ExprKind::Error
        | ExprKind::Constant(_)
        | ExprKind::Integer(_)
        | ExprKind::Real(_)
        | ExprKind::Process(_)
        | ExprKind::Name(_)
        | ExprKind::Any => {}
        ExprKind::Access { indices: parts, .. }
        | ExprKind::Call { arguments: parts, .. }
        | ExprKind::And(parts)
        | ExprKind::Or(parts)
        | ExprKind::Product(parts) => all(parts),
        ExprKind::Implies(parts) | ExprKind::Iff(parts) | ExprKind::Compare(_, parts) => all(&parts[..]),
        ExprKind::If(parts) => all(&parts[..]),
        ExprKind::Sum(parts) => parts.iter().for_each(|(_, part)| lower_names(part, names)),
        ExprKind::Not(inner) | ExprKind::Negate(inner) | ExprKind::Group(inner) => lower_names(inner, names),
        ExprKind::Quantified { variables, body, .. } => {
            let mut inside = Vec::new();
            lower_names(body, &mut inside);
            names.extend(inside.into_iter().filter(|name| variables.iter().all(|one| one.text != name.text)));
        }
        ExprKind::Count { variable, body, summand } => {
            let mut inside = Vec::new();
            lower_names(body, &mut inside);
            summand.iter().for_each(|summand| lower_names(summand, &mut inside));
            names.extend(inside.into_iter().filter(|name| variable.is_none_or(|one| one.text != name.text)));
        }
        ExprKind::Let { name: bound, value_and_body } => {
            let [value, body] = &**value_and_body;
            lower_names(value, names);
            let mut inside = Vec::new();
            lower_names(body, &mut inside);
            names.extend(inside.into_iter().filter(|name| name.text != bound.text));
        }
    }
}
