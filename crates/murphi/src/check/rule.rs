//! Rules, start states, invariants, and routines.

use polycube_language::diagnostic::Code;

use super::Checker;
use super::scope::Meaning;
use crate::model::{Binder, Formal, Frame, Invariant, LocalId, Routine, RoutineId, Rule, Statement};
use crate::syntax::{self, Body, RuleKind};

impl<'s> Checker<'s, '_> {
    /// All routines: first what they are called with, since each may call the others.
    pub(super) fn routines(&mut self, routines: &[syntax::Routine<'s>]) {
        for (at, routine) in (0..).zip(routines) {
            self.scope.enter();
            self.frame = Frame::default();
            let mut formals = Vec::new();
            for formal in &routine.formals {
                let ty = self.ty(&formal.ty);
                for name in &formal.names {
                    formals.push(Formal { local: self.local(*name, ty), is_reference: formal.is_reference });
                }
            }
            let result = routine.result.as_ref().map(|ty| self.ty(ty));
            self.scope.leave();
            self.model.routines.push(Routine {
                name: routine.name.text.to_owned(),
                formals,
                result,
                frame: std::mem::take(&mut self.frame),
                variables: Vec::new(),
                body: Vec::new(),
                span: routine.name.span,
            });
            self.bind(routine.name, Meaning::Routine(RoutineId(at)));
        }
        for (at, routine) in routines.iter().enumerate() {
            self.scope.enter();
            self.fixed.clear();
            self.frame = std::mem::take(&mut self.model.routines[at].frame);
            let names = routine.formals.iter().flat_map(|formal| &formal.names);
            for (local, name) in (0..).zip(names) {
                let _ = self.scope.bind(*name, Meaning::Local(LocalId(local)));
            }
            // Calls of itself look at its parameters.
            self.model.routines[at].frame = self.frame.clone();
            self.result = self.model.routines[at].result;
            let body = self.body(&routine.body);
            self.result = None;
            self.scope.leave();
            let checked = &mut self.model.routines[at];
            checked.body = body;
            checked.frame = std::mem::take(&mut self.frame);
            checked.variables = std::mem::take(&mut self.variables);
        }
    }

    fn body(&mut self, body: &Body<'s>) -> Vec<Statement> {
        for declaration in &body.declarations {
            self.declaration(declaration, &mut |checker, name, ty| {
                let id = checker.unbound(name, ty);
                checker.variables.push(id);
                Meaning::Local(id)
            });
        }
        self.statements(&body.statements)
    }

    pub(super) fn rules(&mut self, rules: &[syntax::Rule<'s>]) {
        for rule in rules {
            self.frame = Frame::default();
            self.fixed.clear();
            self.rule(rule, &[]);
        }
    }

    /// A rule, inside what binds these names. What stands around several rules is part of each.
    fn rule(&mut self, rule: &syntax::Rule<'s>, binders: &[Binder]) {
        match &rule.kind {
            RuleKind::Ruleset { quantifiers, rules } => {
                self.scope.enter();
                let mut inner = binders.to_vec();
                for quantifier in quantifiers {
                    let (local, range) = self.bound(quantifier);
                    inner.push(Binder::Each(local, range));
                }
                self.each(rules, &inner);
                self.scope.leave();
            }
            RuleKind::Alias { aliases, rules } => {
                self.scope.enter();
                let mut inner = binders.to_vec();
                for alias in aliases {
                    let (local, value) = self.alias(alias);
                    inner.push(Binder::Alias(local, value));
                }
                self.each(rules, &inner);
                self.scope.leave();
            }
            RuleKind::Choose { name, multiset, rules } => {
                self.scope.enter();
                if let Some((local, multiset)) = self.element(*name, multiset) {
                    let inner = [binders, &[Binder::Choose(local, multiset)]].concat();
                    self.each(rules, &inner);
                }
                self.scope.leave();
            }
            RuleKind::Unsupported { keyword } => {
                let message = format!("`{}` is not supported", keyword.text);
                self.mistake(Code::Unsupported, keyword.span, message);
            }
            RuleKind::Simple { name, guard, body } => {
                self.scope.enter();
                let guard = guard.as_ref().map(|guard| self.condition(guard));
                let body = self.body(body);
                self.scope.leave();
                let rule = self.finished(name.map(|name| name.text), binders, guard, body, rule.span);
                self.model.rules.push(rule);
            }
            RuleKind::Start { name, body } => {
                self.scope.enter();
                let body = self.body(body);
                self.scope.leave();
                let rule = self.finished(name.map(|name| name.text), binders, None, body, rule.span);
                self.model.starts.push(rule);
            }
            RuleKind::Invariant { name, formula } => {
                let formula = self.condition(formula);
                self.model.invariants.push(Invariant {
                    name: name.map(|name| name.text.to_owned()),
                    binders: binders.to_vec(),
                    frame: self.frame.clone(),
                    formula,
                    span: rule.span,
                });
            }
        }
    }

    /// Each of some rules binds its own names, after those around it.
    fn each(&mut self, rules: &[syntax::Rule<'s>], binders: &[Binder]) {
        let (outer, fixed) = (self.frame.clone(), self.fixed.len());
        for rule in rules {
            self.rule(rule, binders);
            self.frame = outer.clone();
            self.fixed.truncate(fixed);
        }
    }

    fn finished(
        &mut self,
        name: Option<&str>,
        binders: &[Binder],
        guard: Option<crate::model::Expr>,
        body: Vec<Statement>,
        span: polycube_language::span::Span,
    ) -> Rule {
        Rule {
            name: name.map(str::to_owned),
            binders: binders.to_vec(),
            guard,
            frame: self.frame.clone(),
            variables: std::mem::take(&mut self.variables),
            body,
            span,
        }
    }
}
