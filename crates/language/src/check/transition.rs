//! Transitions: guards and updates.

use rustc_hash::FxHashMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::formula::{Access, Formula, Relation, Term, Variable, ids};
use crate::span::{Origin, Span};
use crate::syntax::{self, Expr, Name, UpdateValue};
use crate::system::{Branch, SymbolId, SymbolKind, Transition, Type, Update, Value};
use crate::uses::{Binder, DefinitionKind, Role};

use super::contradiction::never_holds;
use super::scope::Scope;
use super::typed::Typed;
use super::value::Place;
use super::{Checker, Global, all};

/// Names for the indices of an update of one cell.
const INDEX_NAMES: [&str; 4] = ["k", "l", "m", "n"];

impl<'s> Checker<'s, '_> {
    pub(super) fn transition(&mut self, transition: &syntax::Transition<'s>, span: Span) {
        self.scope = Scope::default();
        let mark = self.scope.mark();
        self.define_global(transition.name, DefinitionKind::Transition, span);
        let parameters = self.parameters(&transition.parameters, Binder::TransitionParameter, span);
        let guard = match &transition.guard {
            Some(guard) => self.whole_formula(guard),
            None => Some(Formula::TRUE),
        };
        for binding in &transition.lets {
            let scope = Span::new(binding.span.end, transition.body.end);
            self.bind_let(binding.name, &binding.value, scope);
        }
        let mut context = Context {
            name: transition.name.text,
            parameters: &parameters,
            guard: guard.as_ref(),
            updated: FxHashMap::default(),
        };
        let updates = all(transition.updates.iter().map(|update| self.update(&mut context, update)));
        let entries = self.scope.leave(&mark);
        self.unused_names(&entries);
        let (Some(guard), Some(updates)) = (guard, updates) else { return };
        self.guard_is_plausible(transition, &parameters, &guard);
        let (name, origin) = (transition.name.text.to_owned(), Origin(span));
        self.system.transitions.push(Transition { name, parameters, guard, updates, origin });
    }

    fn update<'u>(
        &mut self,
        context: &mut Context<'s, 'u>,
        update: &'u syntax::Update<'s>,
    ) -> Option<Update> {
        let symbol = self.target(update, context);
        if let Some(symbol) = symbol {
            self.used_symbols.insert(symbol);
            if let Some(&first) = context.updated.get(&symbol) {
                self.duplicate_update(update, first);
                return None;
            }
            context.updated.insert(symbol, update);
        }
        let mark = self.scope.mark();
        let result = match (&update.value, &update.indices) {
            (UpdateValue::Plain(value), None) => self
                .value(symbol, value, &Place::Variable(update))
                .map(|value| (Vec::new(), Vec::new(), value)),
            (UpdateValue::Plain(value), Some(indices)) => {
                self.cell_update(context, symbol, update, indices, value)
            }
            (UpdateValue::Case(branches), indices) => {
                let names = match indices {
                    Some(indices) => self.index_names(update, indices),
                    None => Some(Vec::new()),
                };
                let cases = self.branches(context, symbol, branches, update);
                names.zip(cases).map(|(indices, (branches, otherwise))| (indices, branches, otherwise))
            }
        };
        self.scope.leave(&mark);
        let (indices, branches, otherwise) = result?;
        Some(Update { symbol: symbol?, indices, branches, otherwise, origin: Origin(update.span) })
    }

    /// What an update changes; none if that is no variable or array with this many indices.
    fn target(&mut self, update: &syntax::Update<'s>, context: &Context<'s, '_>) -> Option<SymbolId> {
        let Name { text, span } = update.target;
        let not_assignable = |what: &str, origin: Option<Span>| {
            let message = format!("`{text}` is {what} and cannot be updated");
            let error = Diagnostic::error(Code::NotAssignable, span, message).label("not a variable");
            match origin {
                Some(origin) => error.also(origin, "declared here"),
                None => error,
            }
        };
        self.note(span, self.globals.get(text).and_then(|declared| declared.span), Role::Updates);
        let id = match self.global(update.target)? {
            Global::Symbol(id) => id,
            Global::Constructor(enumeration, _) => {
                let ty = self.type_name(Type::Enumeration(enumeration));
                let declared = self.globals[text].span;
                let error = not_assignable(&format!("a value of type {ty}"), declared);
                return self
                    .refuse(error.help("on the left of `:=` stands a variable or a cell of an array"));
            }
        };
        let symbol = self.system.symbol(id);
        let origin = symbol.origin.0;
        match (symbol.kind, &update.indices) {
            (SymbolKind::Constant, _) => {
                let help = format!("declare it with `var {text} : ...` if it is to change");
                self.refuse(not_assignable("a constant", Some(origin)).help(help))
            }
            (SymbolKind::Array { dimensions }, None) => {
                let name = context.name;
                let index = context.parameters.first().map_or("i", |parameter| &parameter.name);
                let index = if dimensions == 1 { index.to_owned() } else { vec!["i"; dimensions].join(", ") };
                let names = self.new_names(dimensions).join(", ");
                self.refuse(
                    Diagnostic::error(Code::Arity, span, format!("`{text}` is an array"))
                        .label("which cell?")
                        .also(origin, "declared here")
                        .help(format!(
                            "write `{text}[{index}] := ...` for a parameter of `{name}`, or \
                             `{text}[{names}] := case | ... | _ : ...` for all cells"
                        )),
                )
            }
            (SymbolKind::Array { .. } | SymbolKind::Variable, Some(indices)) => {
                self.array(update.target, indices.len(), span)
            }
            (SymbolKind::Variable, None) => Some(id),
        }
    }

    fn duplicate_update(&mut self, update: &syntax::Update<'s>, first: &syntax::Update<'s>) {
        let text = update.target.text;
        let cells = [first, update].map(|update| match (&update.indices, &update.value) {
            (Some(indices), UpdateValue::Plain(_)) => Some(self.cell_condition(indices)),
            _ => None,
        });
        let help = match cells {
            [Some(one), Some(two)] if one != two => {
                let names = self.new_names(first.indices.as_ref().map_or(1, Vec::len)).join(", ");
                &format!(
                    "use one update for both cells: `{text}[{names}] := case | {one} : ... | {two} : ... | _ : {text}[{names}]`"
                )
            }
            _ => "keep one of them, or join them with `case`",
        };
        self.error(
            Diagnostic::error(
                Code::DuplicateUpdate,
                update.target.span,
                format!("`{text}` is updated twice"),
            )
            .label("again here")
            .also(first.target.span, "first here")
            .note("all updates of a transition happen at once, so the order would not decide")
            .help(help),
        );
    }

    /// Advice: a `case` with new names for the indices, that picks the cell which these indices name.
    fn case_instead(&self, array: &str, indices: &[Expr<'s>]) -> String {
        let new: Vec<Option<&str>> = indices.iter().map(|index| self.new_name(index)).collect();
        let mut free =
            self.new_names(2 * indices.len()).into_iter().filter(|name| !new.contains(&Some(*name)));
        let (mut names, mut here) = (Vec::new(), String::new());
        for (new, index) in new.iter().zip(indices) {
            let name = new.or_else(|| free.next()).unwrap_or("...");
            if new.is_none() {
                here += &format!("{name} = {} && ", self.quote(index.span));
            }
            names.push(name);
        }
        let names = names.join(", ");
        format!("write `{array}[{names}] := case | {here}... : ... | _ : {array}[{names}]`")
    }

    /// An index that is a name without another meaning here.
    fn new_name(&self, index: &Expr<'s>) -> Option<&'s str> {
        let name = index.as_lower_name()?.text;
        self.scope.names().all(|visible| visible != name).then_some(name)
    }

    /// `k = i && l = j`: the condition of a `case` that picks the cell with these indices.
    pub(super) fn cell_condition(&self, indices: &[Expr<'s>]) -> String {
        let equal = |(name, index): (&str, &Expr<'s>)| format!("{name} = {}", self.quote(index.span));
        self.new_names(indices.len()).into_iter().zip(indices).map(equal).collect::<Vec<_>>().join(" && ")
    }

    /// Names for this many indices that mean nothing here, for advice.
    pub(super) fn new_names(&self, count: usize) -> Vec<&'static str> {
        let is_new = |name: &&str| self.scope.names().all(|visible| visible != *name);
        INDEX_NAMES.into_iter().chain(["i", "j", "a", "b"]).filter(is_new).take(count).collect()
    }

    /// `A[i] := e` as `A[k] := case | k = i : e | _ : A[k]`.
    fn cell_update(
        &mut self,
        context: &Context<'s, '_>,
        symbol: Option<SymbolId>,
        update: &syntax::Update<'s>,
        indices: &[Expr<'s>],
        value: &Expr<'s>,
    ) -> Option<Parts> {
        let cell = |index| self.cell_index(context, update.target, indices.len(), index);
        let cell = all(indices.iter().map(cell));
        let value = self.value(symbol, value, &Place::Cell(update, indices));
        let (cell, value, symbol) = (cell?, value?, symbol?);
        let names: Vec<Variable> = indices
            .iter()
            .enumerate()
            .map(|(at, index)| self.scope.anonymous_process(INDEX_NAMES[at.min(3)], index.span))
            .collect();
        let here = names.iter().zip(cell).map(|(name, term)| {
            Formula::compare_processes(Term::Variable(name.id), Relation::Equal, term.term, name.origin)
        });
        let branch = Branch { condition: Formula::and(here), value, origin: Origin(update.span) };
        let unchanged = self.unchanged(symbol, &names);
        Some((names, vec![branch], unchanged))
    }

    fn cell_index(
        &mut self,
        context: &Context<'s, '_>,
        array: Name<'s>,
        dimensions: usize,
        index: &Expr<'s>,
    ) -> Option<Typed> {
        if let Some(Name { text, .. }) = index.as_lower_name()
            && self.scope.look_up(text).is_none()
        {
            let (array, name) = (array.text, context.name);
            let names = if dimensions == 1 { text.to_owned() } else { self.new_names(dimensions).join(", ") };
            let message = format!("`{text}` is not a parameter of `{name}`");
            return self.refuse(
                Diagnostic::error(Code::UpdateIndex, index.span, message)
                    .label("which process is this?")
                    .help(format!(
                        "to update the cell of one process, make it a parameter: `transition {name} (... {text})`"
                    ))
                    .help(format!("to update all cells, write `{array}[{names}] := case | _ : ...`")),
            );
        }
        self.index(index)
    }

    fn unchanged(&self, symbol: SymbolId, indices: &[Variable]) -> Value {
        let indices = indices.iter().map(|index| Term::Variable(index.id)).collect();
        Value::Term(Term::access(Access { symbol, indices }, self.system.symbol(symbol).ty))
    }

    /// The fresh names on the left of `A[k] := case ...`.
    fn index_names(&mut self, update: &syntax::Update<'s>, indices: &[Expr<'s>]) -> Option<Vec<Variable>> {
        let array = update.target.text;
        let mut names: Vec<Name<'s>> = Vec::new();
        let mut wrong = false;
        for index in indices {
            let error = |message: String| Diagnostic::error(Code::UpdateIndex, index.span, message);
            let Some(name @ Name { text, .. }) = index.as_lower_name() else {
                self.error(
                    error("a `case` update names its cells by a new name".to_owned())
                        .label("expected a new lower-case name")
                        .help(self.case_instead(array, indices)),
                );
                wrong = true;
                continue;
            };
            if let Some(first) = names.iter().find(|other| other.text == text) {
                self.error(
                    error(format!("the index `{text}` is used twice"))
                        .label("again here")
                        .also(first.span, "first here")
                        .help(format!(
                            "for the diagonal write `{array}[k, l] := case | k = l : ... | _ : {array}[k, l]`"
                        )),
                );
                wrong = true;
            } else if let Some(hidden) = self.scope.hidden_by(text) {
                let mut error = error(format!("the index `{text}` has another meaning already"))
                    .label("expected a new name")
                    .also(hidden.span, "bound here")
                    .note("a `case` update gives the new value of every cell; its index ranges over all processes")
                    .help(self.case_instead(array, indices));
                if indices.iter().all(|index| self.new_name(index).is_none()) {
                    let cell = self.quote_list(indices);
                    error = error
                        .help(format!("or, without `case`, `{array}[{cell}] := ...` to update one cell"));
                }
                self.error(error);
                wrong = true;
            }
            self.define_local(name, Binder::UpdateIndex, update.span);
            names.push(name);
        }
        let variables =
            names.into_iter().map(|name| self.scope.bind_process(name, Binder::UpdateIndex)).collect();
        if wrong { None } else { Some(variables) }
    }

    fn branches(
        &mut self,
        context: &Context<'s, '_>,
        symbol: Option<SymbolId>,
        branches: &[syntax::Branch<'s>],
        update: &syntax::Update<'s>,
    ) -> Option<(Vec<Branch>, Value)> {
        let mut read: Vec<Option<Branch>> = Vec::with_capacity(branches.len());
        let mut otherwise: Option<Option<Value>> = None;
        for (at, branch) in branches.iter().enumerate() {
            if otherwise.is_some() {
                return self.refuse(
                    Diagnostic::error(Code::Unreachable, branch.span, "this branch is never reached")
                        .label("behind the default")
                        .also(branches[at - 1].span, "the default")
                        .help("put `| _ : ...` last"),
                );
            }
            let condition = branch.condition.as_ref().map(|condition| self.whole_formula(condition));
            let value = self.value(symbol, &branch.value, &Place::Branch);
            match condition {
                None => otherwise = Some(value),
                Some(condition) => {
                    let origin = Origin(branch.span);
                    let branch = |(condition, value)| Branch { condition, value, origin };
                    read.push(condition.zip(value).map(branch));
                }
            }
        }
        let mut read: Vec<Branch> = read.into_iter().collect::<Option<_>>()?;
        self.branches_are_plausible(&read, context.parameters);
        let otherwise = match otherwise {
            Some(otherwise) => otherwise?,
            None => {
                symbol?;
                self.must_be_exhaustive(context, &read, branches, update)?;
                // Some branch applies whenever the guard holds, so the last one needs no condition.
                read.pop()?.value
            }
        };
        Some((read, otherwise))
    }

    /// A `case` without default is fine if one of its conditions always holds where the guard does.
    fn must_be_exhaustive(
        &mut self,
        context: &Context<'s, '_>,
        read: &[Branch],
        branches: &[syntax::Branch<'s>],
        update: &syntax::Update<'s>,
    ) -> Option<()> {
        let guard = context.guard?;
        let negated: Vec<Formula> =
            read.iter().map(|branch| Formula::not(branch.condition.clone())).collect();
        let mut open: Vec<&Formula> = vec![guard];
        open.extend(&negated);
        if never_holds(&self.system, &open, &ids(context.parameters)) {
            return Some(());
        }
        let Name { text, .. } = update.target;
        let unchanged = match &update.indices {
            Some(indices) => format!("{text}[{}]", self.quote_list(indices)),
            None => text.to_owned(),
        };
        let span = update.span;
        // Mark `X := case`, not its branches.
        let start = Span::new(span.start, branches.first().map_or(span.end, |branch| branch.span.start));
        let head = Span::new(span.start, span.start + self.text(start).trim_end().len() as u32);
        self.refuse(
            Diagnostic::error(Code::CaseNotExhaustive, head, "this `case` does not seem to cover everything")
                .label("what is the new value where no condition holds?")
                .help(format!("to leave the value as it is, add `| _ : {unchanged}`")),
        )
    }
}

/// Indices, branches and default of an update.
type Parts = (Vec<Variable>, Vec<Branch>, Value);

struct Context<'s, 'c> {
    name: &'s str,
    parameters: &'c [Variable],
    guard: Option<&'c Formula>,
    /// The symbols updated so far, and how.
    updated: FxHashMap<SymbolId, &'c syntax::Update<'s>>,
}
