//! Predicates: abbreviations with parameters, expanded at each call.
//!
//! Arguments are bound to values and formulas, not replaced as text, so what a predicate binds never catches
//! a name of its caller. Two things come from the place of the call, as in Cubicle, and with a warning: names
//! that are neither declared nor parameters, and what `forall_other` leaves out.

use crate::diagnostic::{Code, Diagnostic};
use crate::formula::Formula;
use crate::span::Span;
use crate::syntax::{Expr, Name, Predicate};
use crate::uses::{Binder, DefinitionKind, Role};

use super::scope::{Binding, Scope};
use super::{Checker, Declared, Global, PredicateEntry};

impl<'s, 'f> Checker<'s, 'f> {
    pub(super) fn predicate_declaration(&mut self, declaration: &'f Predicate<'s>, span: Span) {
        self.define_global(declaration.name, DefinitionKind::Predicate, span);
        let index = self.predicate_list.len();
        if let Some(&first) = self.predicates.get(declaration.name.text) {
            let first = self.predicate_list[first].declaration.name.span;
            self.duplicate("predicate", declaration.name, Some(first));
        } else {
            self.predicates.insert(declaration.name.text, index);
        }
        self.predicate_list.push(PredicateEntry { declaration, used: false, broken: false });
    }

    /// Reads each predicate once with parameters of unknown type. So a mistake inside is found even if nothing
    /// calls it, and is reported once, not at every call.
    pub(super) fn predicates_by_themselves(&mut self) {
        for index in 0..self.predicate_list.len() {
            let Predicate { name, parameters, body } = self.predicate_list[index].declaration;
            let errors = self.diagnostics.errors();
            self.scope = Scope::default();
            let mark = self.scope.mark();
            for (position, &parameter) in parameters.iter().enumerate() {
                if let Some(first) = parameters[..position].iter().find(|other| other.text == parameter.text)
                {
                    self.duplicate("parameter", parameter, Some(first.span));
                }
                self.define_local(parameter, Binder::PredicateParameter, name.span.to(body.span));
                self.scope.bind(parameter, Binder::PredicateParameter, Binding::Unknown);
            }
            self.reading_predicate = Some(index);
            self.formula(body);
            self.reading_predicate = None;
            let entries = self.scope.leave(&mark);
            self.unused_names(&entries);
            self.predicate_list[index].broken = self.diagnostics.errors() > errors;
        }
        self.recursive_predicates();
        // Calls between predicates do not make either of them used.
        for entry in &mut self.predicate_list {
            entry.used = false;
        }
        self.expanded = 0;
    }

    /// A predicate is replaced by its body, with the arguments in place of the parameters.
    pub(super) fn call(&mut self, name: Name<'s>, arguments: &[Expr<'s>], span: Span) -> Option<Formula> {
        let bindings: Vec<Binding> = arguments.iter().map(|argument| self.binding(argument)).collect();
        let Some(&index) = self.predicates.get(name.text) else {
            self.unknown_predicate(name, arguments);
            return None;
        };
        let entry = &mut self.predicate_list[index];
        entry.used = true;
        let (declaration, broken) = (entry.declaration, entry.broken);
        self.note(name.span, Some(declaration.name.span), Role::Reads);
        let expected = declaration.parameters.len();
        if bindings.len() != expected {
            let (text, given) = (name.text, bindings.len());
            let plural = if expected == 1 { "argument" } else { "arguments" };
            let parameters: Vec<&str> =
                declaration.parameters.iter().map(|parameter| parameter.text).collect();
            let message = format!("the predicate `{text}` takes {expected} {plural}, not {given}");
            return self.refuse(
                Diagnostic::error(Code::Arity, span, message)
                    .label(format!("{given} given"))
                    .also(declaration.name.span, "declared here")
                    .help(format!("write `{text}({})`", parameters.join(", "))),
            );
        }
        if let Some(caller) = self.reading_predicate {
            self.calls_between_predicates.push((caller, index, span));
            return None;
        }
        if broken {
            return None;
        }
        let mark = self.scope.mark();
        self.scope.start_frame();
        for (&parameter, binding) in declaration.parameters.iter().zip(bindings) {
            self.scope.bind(parameter, Binder::PredicateParameter, binding);
        }
        self.calls.push((index, span));
        let body = self.formula(&declaration.body);
        self.calls.pop();
        self.scope.leave(&mark);
        body
    }

    pub(super) fn unknown_predicate(&mut self, name: Name<'s>, arguments: &[Expr<'s>]) {
        let text = name.text;
        if let Some(Declared { what: Global::Symbol(_), .. }) = self.globals.get(text) {
            let shown = self.quote_list(arguments);
            self.error(
                Diagnostic::error(Code::Arity, name.span, format!("`{text}` is not a predicate"))
                    .label("it cannot be called")
                    .help(format!("arrays are indexed with brackets: `{text}[{shown}]`")),
            );
            return;
        }
        let known = self.suggestions(&self.predicates);
        let advice = "there are no functions; a formula is named by `predicate p(x) { ... }`";
        self.unknown_name("predicate", name, &known, Some(advice));
    }

    /// `forall_other` inside a predicate leaves out all processes that are visible where the predicate is
    /// called, also those that it is not told about.
    pub(super) fn warn_of_silent_exclusion(&mut self, span: Span) {
        let Some(&(predicate, call)) = self.calls.last() else { return };
        let Some(unnamed) = self.scope.variable_unknown_to_frame() else { return };
        let name = self.predicate_list[predicate].declaration.name.text;
        let message = format!(
            "`{name}` speaks of all processes other than `{unnamed}` too, which is not among its arguments"
        );
        self.warning(
            Diagnostic::warning(Code::Captured, call, message)
                .label("called here")
                .also(span, "other than all processes that are visible at the call")
                .help(format!(
                    "give `{unnamed}` to `{name}` as an argument, or write `forall q. q = p || ...` inside"
                )),
        );
    }

    fn recursive_predicates(&mut self) {
        let calls = std::mem::take(&mut self.calls_between_predicates);
        let mut callees: Vec<Vec<(usize, Span)>> = vec![Vec::new(); self.predicate_list.len()];
        for (caller, callee, span) in calls {
            callees[caller].push((callee, span));
        }
        #[derive(Clone, Copy, PartialEq)]
        enum Visit {
            New,
            Open,
            Done,
        }
        let mut visits = vec![Visit::New; callees.len()];
        for root in 0..callees.len() {
            // Depth first, with an explicit stack: a chain of calls may be as long as the file.
            let mut path = if visits[root] == Visit::New { vec![(root, 0)] } else { continue };
            visits[root] = Visit::Open;
            while let Some((predicate, next)) = path.last_mut() {
                let Some(&(callee, span)) = callees[*predicate].get(*next) else {
                    visits[*predicate] = Visit::Done;
                    path.pop();
                    continue;
                };
                *next += 1;
                match visits[callee] {
                    Visit::Done => {}
                    Visit::New => {
                        visits[callee] = Visit::Open;
                        path.push((callee, 0));
                    }
                    Visit::Open => {
                        let open = path.iter().map(|&(predicate, _)| predicate);
                        let cycle: Vec<usize> = open.skip_while(|&predicate| predicate != callee).collect();
                        self.recursion(&cycle, span);
                    }
                }
            }
        }
    }

    fn recursion(&mut self, cycle: &[usize], call: Span) {
        for &predicate in cycle {
            self.predicate_list[predicate].broken = true;
        }
        let first = self.predicate_list[cycle[0]].declaration.name;
        let through: Vec<String> = cycle[1..]
            .iter()
            .map(|&at| format!("`{}`", self.predicate_list[at].declaration.name.text))
            .take(5)
            .collect();
        let message = if through.is_empty() {
            format!("the predicate `{}` calls itself", first.text)
        } else {
            format!("the predicate `{}` calls itself through {}", first.text, through.join(", "))
        };
        self.error(
            Diagnostic::error(Code::RecursivePredicate, call, message)
                .label("this call would never end")
                .also(first.span, "declared here")
                .note("a predicate is an abbreviation: it is replaced by its formula"),
        );
    }
}
