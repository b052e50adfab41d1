//! Transitions: guards and updates.

use rustc_hash::FxHashMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::formula::{Access, Comparison, Formula, Relation, Term, Variable, ids};
use crate::span::{Origin, Span};
use crate::syntax::{self, Expr, ExprKind, Name, UpdateValue};
use crate::system::{Branch, SymbolId, SymbolKind, Transition, Type, Update, Value};

use super::contradiction::never_holds;
use super::formula::is_formula;
use super::scope::{Binder, Scope};
use super::term::ungrouped;
use super::typed::Typed;
use super::{Checker, Global};

/// Names for the indices of an update of one cell.
const INDEX_NAMES: [&str; 4] = ["k", "l", "m", "n"];

impl<'s> Checker<'s, '_> {
    pub(super) fn transition(&mut self, transition: &syntax::Transition<'s>) {
        let mut scope = Scope::default();
        let mark = scope.mark();
        let parameters = self.parameters(&mut scope, &transition.parameters, Binder::TransitionParameter);
        let guard = match &transition.guard {
            Some(guard) => self.whole_formula(&mut scope, guard),
            None => Some(Formula::TRUE),
        };
        for binding in &transition.lets {
            self.bind_let(&mut scope, binding.name, &binding.value);
        }
        let mut context = Context {
            name: transition.name.text,
            parameters: &parameters,
            guard: guard.as_ref(),
            updated: FxHashMap::default(),
        };
        let updates: Vec<Option<Update>> =
            transition.updates.iter().map(|update| self.update(&mut scope, &mut context, update)).collect();
        let entries = scope.leave(&mark);
        self.unused_names(&entries);
        let updates: Option<Vec<Update>> = updates.into_iter().collect();
        let (Some(guard), Some(updates)) = (guard, updates) else { return };
        self.guard_is_plausible(transition, &parameters, &guard);
        let (name, origin) = (transition.name.text.to_owned(), Origin(transition.span));
        self.system.transitions.push(Transition { name, parameters, guard, updates, origin });
    }

    fn update<'u>(
        &mut self,
        scope: &mut Scope<'s>,
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
        let mark = scope.mark();
        let result = match (&update.value, &update.indices) {
            (UpdateValue::Plain(value), None) => self.plain_update(scope, symbol, value),
            (UpdateValue::Plain(value), Some(indices)) => {
                self.cell_update(scope, context, symbol, update, indices, value)
            }
            (UpdateValue::Case(branches), indices) => {
                let names = match indices {
                    Some(indices) => self.index_names(scope, update, indices),
                    None => Some(Vec::new()),
                };
                let cases = self.branches(scope, context, symbol, branches, update.span);
                names.zip(cases).map(|(indices, (branches, otherwise))| (indices, branches, otherwise))
            }
        };
        scope.leave(&mark);
        let (indices, branches, otherwise) = result?;
        Some(Update { symbol: symbol?, indices, branches, otherwise, origin: Origin(update.span) })
    }

    /// What an update changes; none if that is no variable or array with this many indices.
    fn target(&mut self, update: &syntax::Update<'s>, context: &Context<'s, '_>) -> Option<SymbolId> {
        let Name { text, span } = update.target;
        let not_assignable = |what: &str, origin: Option<Span>| {
            let error = Diagnostic::error(
                Code::NotAssignable,
                span,
                format!("`{text}` is {what} and cannot be updated"),
            )
            .label("not a variable");
            match origin {
                Some(origin) => error.also(origin, "declared here"),
                None => error,
            }
        };
        let id = match self.global(update.target)? {
            Global::Symbol(id) => id,
            Global::Constructor(enumeration, _) => {
                let ty = self.type_name(Type::Enumeration(enumeration));
                let declared = self.globals[text].span;
                let error = not_assignable(&format!("a value of type {ty}"), declared)
                    .help("on the left of `:=` stands a variable or a cell of an array");
                self.error(error);
                return None;
            }
        };
        let symbol = self.system.symbol(id);
        let origin = symbol.origin.0;
        match (symbol.kind, &update.indices) {
            (SymbolKind::Constant, _) => {
                let error = not_assignable("a constant", Some(origin))
                    .help(format!("declare it with `var {text} : ...` if it is to change"));
                self.error(error);
                None
            }
            (SymbolKind::Array { dimensions }, None) => {
                let name = context.name;
                let index = context.parameters.first().map_or("i", |parameter| &parameter.name);
                let index = if dimensions == 1 { index.to_owned() } else { vec!["i"; dimensions].join(", ") };
                self.error(
                    Diagnostic::error(Code::Arity, span, format!("`{text}` is an array"))
                        .label("which cell?")
                        .also(origin, "declared here")
                        .help(format!(
                            "write `{text}[{index}] := ...` for a parameter of `{name}`, or \
                             `{text}[{}] := case | ... | _ : ...` for all cells",
                            INDEX_NAMES[..dimensions.min(4)].join(", ")
                        )),
                );
                None
            }
            (SymbolKind::Array { .. } | SymbolKind::Variable, Some(indices)) => {
                self.array(update.target, indices.len(), span)
            }
            (SymbolKind::Variable, None) => Some(id),
        }
    }

    fn duplicate_update(&mut self, update: &syntax::Update<'s>, first: &syntax::Update<'s>) {
        let text = update.target.text;
        let error = Diagnostic::error(
            Code::DuplicateUpdate,
            update.target.span,
            format!("`{text}` is updated twice"),
        )
        .label("again here")
        .also(first.target.span, "first here")
        .note("all updates of a transition happen at once, so the order would not decide");
        let cells = [first, update].map(|update| match (&update.indices, &update.value) {
            (Some(indices), UpdateValue::Plain(_)) => Some(self.cell_condition(indices)),
            _ => None,
        });
        let error = match cells {
            [Some(one), Some(two)] if one != two => {
                let names = INDEX_NAMES[..first.indices.as_ref().map_or(1, Vec::len).min(4)].join(", ");
                error.help(format!(
                    "use one update for both cells: `{text}[{names}] := case | {one} : ... | {two} : ... | _ : {text}[{names}]`"
                ))
            }
            _ => error.help("keep one of them, or join them with `case`"),
        };
        self.error(error);
    }

    /// Advice: a `case` with new names for the indices, that picks the cell which these indices name.
    fn case_instead(&self, array: &str, indices: &[Expr<'s>]) -> String {
        let names = INDEX_NAMES[..indices.len().min(4)].join(", ");
        format!(
            "write `{array}[{names}] := case | {} && ... : ... | _ : {array}[{names}]`",
            self.cell_condition(indices)
        )
    }

    fn quote_list(&self, exprs: &[Expr<'s>]) -> String {
        exprs.iter().map(|expr| self.quote(expr.span)).collect::<Vec<_>>().join(", ")
    }

    /// `k = i && l = j`: the condition of a `case` that picks the cell with these indices.
    fn cell_condition(&self, indices: &[Expr<'s>]) -> String {
        let equal = |(at, index): (usize, &Expr<'s>)| {
            format!("{} = {}", INDEX_NAMES[at.min(3)], self.quote(index.span))
        };
        indices.iter().enumerate().map(equal).collect::<Vec<_>>().join(" && ")
    }

    fn plain_update(
        &mut self,
        scope: &mut Scope<'s>,
        symbol: Option<SymbolId>,
        value: &Expr<'s>,
    ) -> Option<Parts> {
        Some((Vec::new(), Vec::new(), self.value(scope, symbol, value)?))
    }

    /// `A[i] := e` as `A[k] := case | k = i : e | _ : A[k]`.
    fn cell_update(
        &mut self,
        scope: &mut Scope<'s>,
        context: &Context<'s, '_>,
        symbol: Option<SymbolId>,
        update: &syntax::Update<'s>,
        indices: &[Expr<'s>],
        value: &Expr<'s>,
    ) -> Option<Parts> {
        let cell: Vec<Option<Typed>> = indices
            .iter()
            .map(|index| self.cell_index(scope, context, update.target, indices.len(), index))
            .collect();
        let value = self.value(scope, symbol, value);
        let cell: Vec<Typed> = cell.into_iter().collect::<Option<_>>()?;
        let (value, symbol) = (value?, symbol?);
        let names: Vec<Variable> = indices
            .iter()
            .enumerate()
            .map(|(at, index)| scope.anonymous_process(INDEX_NAMES[at.min(3)], index.span))
            .collect();
        let here = names.iter().zip(cell).zip(indices).map(|((name, term), index)| {
            Formula::Compare(Comparison {
                left: Term::Variable(name.id),
                relation: Relation::Equal,
                right: term.term,
                ty: Type::Process,
                origin: Origin(index.span),
            })
        });
        let branch = Branch { condition: Formula::and(here), value, origin: Origin(update.span) };
        let unchanged = self.unchanged(symbol, &names);
        Some((names, vec![branch], unchanged))
    }

    fn cell_index(
        &mut self,
        scope: &mut Scope<'s>,
        context: &Context<'s, '_>,
        array: Name<'s>,
        dimensions: usize,
        index: &Expr<'s>,
    ) -> Option<Typed> {
        if let ExprKind::Name(text) = ungrouped(index).kind
            && text.starts_with(|first: char| first.is_ascii_lowercase())
            && scope.look_up(text).is_none()
        {
            let (array, name) = (array.text, context.name);
            let names =
                if dimensions == 1 { text.to_owned() } else { INDEX_NAMES[..dimensions.min(4)].join(", ") };
            self.error(
                Diagnostic::error(
                    Code::UpdateIndex,
                    index.span,
                    format!("`{text}` is not a parameter of `{name}`"),
                )
                .label("which process is this?")
                .help(format!(
                    "to update the cell of one process, make it a parameter: `transition {name} (... {text})`"
                ))
                .help(format!("to update all cells, write `{array}[{names}] := case | _ : ...`")),
            );
            return None;
        }
        self.index(scope, index)
    }

    fn unchanged(&self, symbol: SymbolId, indices: &[Variable]) -> Value {
        let indices = indices.iter().map(|index| Term::Variable(index.id)).collect();
        Value::Term(Term::access(Access { symbol, indices }, self.system.symbol(symbol).ty))
    }

    /// The fresh names on the left of `A[k] := case ...`.
    fn index_names(
        &mut self,
        scope: &mut Scope<'s>,
        update: &syntax::Update<'s>,
        indices: &[Expr<'s>],
    ) -> Option<Vec<Variable>> {
        let array = update.target.text;
        let mut names: Vec<Name<'s>> = Vec::new();
        let mut wrong = false;
        for index in indices {
            let name = match ungrouped(index).kind {
                ExprKind::Name(text) if text.starts_with(|first: char| first.is_ascii_lowercase()) => {
                    Name { text, span: index.span }
                }
                _ => {
                    self.error(
                        Diagnostic::error(
                            Code::UpdateIndex,
                            index.span,
                            "a `case` update names its cells by a new name",
                        )
                        .label("expected a new lower-case name")
                        .help(self.case_instead(array, indices)),
                    );
                    wrong = true;
                    continue;
                }
            };
            let text = name.text;
            if let Some(first) = names.iter().find(|other| other.text == text) {
                self.error(
                    Diagnostic::error(
                        Code::UpdateIndex,
                        name.span,
                        format!("the index `{text}` is used twice"),
                    )
                    .label("again here")
                    .also(first.span, "first here")
                    .help(format!(
                        "for the diagonal write `{array}[k, l] := case | k = l : ... | _ : {array}[k, l]`"
                    )),
                );
                wrong = true;
            } else if let Some(hidden) = scope.hidden_by(text) {
                let hidden = hidden.span;
                self.error(
                    Diagnostic::error(
                        Code::UpdateIndex,
                        name.span,
                        format!("the index `{text}` has another meaning already"),
                    )
                    .label("expected a new name")
                    .also(hidden, "bound here")
                    .note("a `case` update gives the new value of every cell; its index ranges over all processes")
                    .help(self.case_instead(array, indices))
                    .help(format!("or, without `case`, `{array}[{}] := ...` to update one cell", self.quote_list(indices))),
                );
                wrong = true;
            }
            names.push(name);
        }
        let variables = names.into_iter().map(|name| scope.bind_process(name, Binder::UpdateIndex)).collect();
        if wrong { None } else { Some(variables) }
    }

    fn branches(
        &mut self,
        scope: &mut Scope<'s>,
        context: &Context<'s, '_>,
        symbol: Option<SymbolId>,
        branches: &[syntax::Branch<'s>],
        span: Span,
    ) -> Option<(Vec<Branch>, Value)> {
        let mut read: Vec<Option<Branch>> = Vec::with_capacity(branches.len());
        let mut otherwise: Option<Option<Value>> = None;
        for (at, branch) in branches.iter().enumerate() {
            if otherwise.is_some() {
                self.error(
                    Diagnostic::error(Code::Unreachable, branch.span, "this branch is never reached")
                        .label("behind the default")
                        .also(branches[at - 1].span, "the default")
                        .help("put `| _ : ...` last"),
                );
                return None;
            }
            let condition = branch.condition.as_ref().map(|condition| self.whole_formula(scope, condition));
            let value = self.value(scope, symbol, &branch.value);
            match condition {
                None => otherwise = Some(value),
                Some(condition) => {
                    let origin = Origin(branch.span);
                    read.push(condition.zip(value).map(|(condition, value)| Branch {
                        condition,
                        value,
                        origin,
                    }));
                }
            }
        }
        let mut read: Vec<Branch> = read.into_iter().collect::<Option<_>>()?;
        self.branches_are_plausible(&read, context.parameters);
        let otherwise = match otherwise {
            Some(otherwise) => otherwise?,
            None => {
                self.must_be_exhaustive(context, symbol?, &read, branches, span)?;
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
        symbol: SymbolId,
        read: &[Branch],
        branches: &[syntax::Branch<'s>],
        span: Span,
    ) -> Option<()> {
        let guard = context.guard?;
        let negated: Vec<Formula> =
            read.iter().map(|branch| Formula::not(branch.condition.clone())).collect();
        let mut open: Vec<&Formula> = vec![guard];
        open.extend(&negated);
        if never_holds(&self.system, &open, &ids(context.parameters)) {
            return Some(());
        }
        let symbol = self.system.symbol(symbol);
        let unchanged = match symbol.kind {
            SymbolKind::Array { dimensions } => {
                format!("{}[{}]", symbol.name, INDEX_NAMES[..dimensions.min(4)].join(", "))
            }
            _ => symbol.name.clone(),
        };
        // Mark `X := case`, not its branches.
        let start = Span::new(span.start, branches.first().map_or(span.end, |branch| branch.span.start));
        let head = Span::new(span.start, span.start + self.text(start).trim_end().len() as u32);
        self.error(
            Diagnostic::error(Code::CaseNotExhaustive, head, "this `case` does not seem to cover everything")
                .label("what is the new value where no condition holds?")
                .help(format!("to leave the value as it is, add `| _ : {unchanged}`")),
        );
        None
    }

    /// An error about a formula in place of a new value.
    fn formula_as_value(&mut self, symbol: Option<SymbolId>, expr: &Expr<'s>) {
        let shown = self.quote(expr.span);
        let boolean = symbol.is_none_or(|symbol| self.system.symbol(symbol).ty == Type::BOOL);
        let error =
            Diagnostic::error(Code::TypeMismatch, expr.span, "this is a formula, but a value is expected")
                .label("not a value");
        self.error(match &ungrouped(expr).kind {
            ExprKind::If(_) => error.help("write `case | condition : value | _ : value`"),
            _ if boolean => error.help(format!("write `case | {shown} : True | _ : False`")),
            _ => error,
        });
    }

    /// A new value of the symbol's type.
    fn value(&mut self, scope: &mut Scope<'s>, symbol: Option<SymbolId>, expr: &Expr<'s>) -> Option<Value> {
        if matches!(ungrouped(expr).kind, ExprKind::Any) {
            return Some(Value::Any);
        }
        if is_formula(expr) && !matches!(ungrouped(expr).kind, ExprKind::Constant(_)) {
            self.formula_as_value(symbol, expr);
            return None;
        }
        let typed = self.term(scope, expr)?;
        let symbol = self.system.symbol(symbol?);
        if typed.ty == symbol.ty {
            return Some(Value::Term(typed.term));
        }
        let (expected, found) = (self.type_name(symbol.ty), self.type_name(typed.ty));
        let (name, origin, expected_type) = (symbol.name.clone(), symbol.origin.0, symbol.ty);
        let code = if typed.ty.is_numeric() && symbol.ty.is_numeric() {
            Code::MixedNumbers
        } else {
            Code::TypeMismatch
        };
        let error = Diagnostic::error(
            code,
            expr.span,
            format!("`{name}` has type {expected}, the new value {found}"),
        )
        .label(format!("expected {expected}"))
        .also(origin, "declared here");
        let error = match (&ungrouped(expr).kind, code) {
            (ExprKind::Integer(digits), Code::MixedNumbers) => error.help(format!("write `{digits}.0`")),
            (_, Code::TypeMismatch) => match expected_type {
                Type::Enumeration(id) => error.help(self.values_of(id)),
                _ => error,
            },
            _ => error,
        };
        self.error(error);
        None
    }
}

/// Indices, branches and default of an update.
type Parts = (Vec<Variable>, Vec<Branch>, Value);

/// What the updates of one transition share.
struct Context<'s, 'c> {
    name: &'s str,
    parameters: &'c [Variable],
    guard: Option<&'c Formula>,
    /// The symbols updated so far, and how.
    updated: FxHashMap<SymbolId, &'c syntax::Update<'s>>,
}
