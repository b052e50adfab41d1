//! Syntax tree to [`System`]: resolves names, finds types, expands predicates and `let`s, and reports what
//! has no meaning.
//!
//! Mistakes do not stop the checker. What is wrong becomes `None`, and whatever contains it becomes `None`
//! without a further word, so each mistake is reported once.

mod apart;
mod clause;
mod contradiction;
mod count;
mod declaration;
mod formula;
mod numbering;
mod plausibility;
mod predicate;
mod scope;
mod term;
mod transition;
mod typed;
mod uses;
mod value;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{Code, Diagnostic, Diagnostics, shortened};
use crate::parse::{Parsed, parse};
use crate::span::Span;
use crate::suggest::nearest;
use crate::syntax::{Expr, File, Item, ItemKind, Name, Predicate};
use crate::system::{Enumeration, EnumerationId, SymbolId, System, Type};
use crate::uses::UnsortedUses;

use scope::Scope;

/// How many parts all expanded predicates and `let`s of a file may have together.
const MAX_EXPANSION: usize = 250_000;

/// How deep formulas may nest, counting through the predicates they call, while they are read.
const MAX_RECURSION: usize = crate::parse::MAX_NESTING + 64;

/// The outcome of [`check`].
#[derive(Clone, Debug)]
pub struct Checked {
    /// The meaning; none where there is an error.
    pub system: Option<System>,
    /// All errors and warnings, in the order of the text.
    pub diagnostics: Diagnostics,
    /// What the names in the text refer to, as far as they were resolved.
    pub uses: UnsortedUses,
}

/// Reads a model and finds its meaning.
pub fn check(source: &str) -> Checked {
    let Parsed { file, diagnostics, .. } = parse(source);
    let mut checker = Checker::new(source, diagnostics);
    checker.file(&file);
    let Checker { diagnostics, system, uses, .. } = checker;
    let diagnostics = diagnostics.finish();
    Checked { system: (!diagnostics.has_errors()).then_some(system), diagnostics, uses }
}

/// Gives a system the form that [`check`] gives it, wherever its clauses and transitions come from.
pub fn normalize(system: &mut System) {
    numbering::number_variables(system);
    apart::leave_out_processes_apart(system);
}

/// What an upper-case name stands for.
#[derive(Clone, Copy, Debug)]
enum Global {
    Symbol(SymbolId),
    Constructor(EnumerationId, u32),
}

/// A name of the file with its declaration.
#[derive(Clone, Copy, Debug)]
struct Declared<T> {
    what: T,
    /// The name in its declaration; none for a predefined one.
    span: Option<Span>,
}

#[derive(Default)]
struct Checker<'s, 'f> {
    source: &'s str,
    diagnostics: Diagnostics,
    uses: UnsortedUses,
    system: System,
    types: FxHashMap<&'s str, Declared<Type>>,
    globals: FxHashMap<&'s str, Declared<Global>>,
    predicates: FxHashMap<&'s str, usize>,
    predicate_list: Vec<PredicateEntry<'s, 'f>>,
    /// Names of declarations that could not be read, or declare something unknown, in lower case: a wrong
    /// first letter is one of the reasons why a declaration cannot be read.
    unread: FxHashSet<String>,
    used_types: FxHashSet<Type>,
    used_symbols: FxHashSet<SymbolId>,
    ordered_types: FxHashSet<Type>,
    number_procs: Option<Span>,
    /// Where the formulas of the `init` clauses stand.
    init_formulas: Vec<Span>,
    /// The predicate that is being read by itself, see [`Checker::predicates_by_themselves`].
    reading_predicate: Option<usize>,
    /// Who calls whom, and where.
    calls_between_predicates: Vec<(usize, usize, Span)>,
    /// The calls that are being expanded here, outermost first: the predicate, and the call.
    calls: Vec<(usize, Span)>,
    /// Parts of expanded predicates and `let`s so far.
    expanded: usize,
    /// Nesting of the formula that is being read, through the predicates it calls.
    depth: usize,
    /// The names that are visible in it.
    scope: Scope<'s>,
}

struct PredicateEntry<'s, 'f> {
    declaration: &'f Predicate<'s>,
    used: bool,
    /// An error inside was reported: calls are not read again.
    broken: bool,
}

impl<'s, 'f> Checker<'s, 'f> {
    fn new(source: &'s str, diagnostics: Diagnostics) -> Self {
        let predefined = [
            ("proc", Type::Process),
            ("int", Type::Integer),
            ("real", Type::Real),
            ("bool", Type::BOOL),
            ("mbool", Type::BOOL),
        ];
        let types =
            predefined.map(|(name, what)| (name, Declared { what, span: None })).into_iter().collect();
        let values = [("False", Enumeration::FALSE), ("True", Enumeration::TRUE)];
        let value = |index| Declared { what: Global::Constructor(EnumerationId::BOOL, index), span: None };
        Checker {
            source,
            diagnostics,
            types,
            globals: values.map(|(name, index)| (name, value(index))).into_iter().collect(),
            ..Checker::default()
        }
    }

    /// Declarations first, whatever their order in the text, so that names may be used before they are
    /// declared.
    fn file(&mut self, file: &'f File<'s>) {
        let syntax_errors = self.diagnostics.has_errors();
        self.unread.extend(file.unread.iter().map(|name| without_case(name.text)));
        self.declarations(&file.items);
        self.predicates_by_themselves();
        for item in &file.items {
            match &item.kind {
                ItemKind::Clause(clause) => self.clause(clause, item.span),
                ItemKind::Transition(transition) => self.transition(transition, item.span),
                _ => {}
            }
        }
        if !syntax_errors {
            self.missing_parts(&file.items);
        }
        if !self.diagnostics.has_errors() {
            let formulas = std::mem::take(&mut self.init_formulas);
            self.initial_states_exist(&formulas);
            self.unused_declarations(&file.items);
            normalize(&mut self.system);
            self.follow_counts();
            numbering::number_variables(&mut self.system);
        }
    }

    /// What no model can do without.
    fn missing_parts(&mut self, items: &[Item<'s>]) {
        let clause = |item: &Item<'_>| match &item.kind {
            ItemKind::Clause(clause) => Some(clause.property),
            _ => None,
        };
        let mut clauses = items.iter().filter_map(clause);
        let whole = Span::new(0, self.source.trim_end().len() as u32);
        let place = items.last().map_or(whole, |item| item.span).last_character(self.source);
        if items.is_empty() {
            let error = Diagnostic::error(Code::Missing, place, "this file contains no model");
            self.error(error.help("a model needs at least an `init` clause; see docs/language.md"));
        } else if !clauses.clone().any(|property| property.is_none()) {
            let error = Diagnostic::error(Code::Missing, place, "this model has no `init` clause");
            self.error(error.label("the model ends here").help(
                "say in which states runs start: `init (p) { State[p] = Idle }`, or `init { true }` for all states",
            ));
        } else if !clauses.any(|property| property.is_some()) {
            let message = "this model has no `unsafe` clause: there is nothing to verify";
            let warning = Diagnostic::warning(Code::Missing, place, message);
            self.warning(warning.label("the model ends here").help(
                "say which states must not be reached: `unsafe (p q) { State[p] = Crit && State[q] = Crit }`",
            ));
        }
    }

    /// Reports an error. Inside a predicate, the call that led here is shown too.
    fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(match self.calls.last() {
            Some(&(predicate, call)) => {
                let name = self.predicate_list[predicate].declaration.name.text;
                diagnostic.also(call, format!("in this call of `{name}`"))
            }
            None => diagnostic,
        });
    }

    /// Reports an error, and gives no meaning.
    fn refuse<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.error(diagnostic);
        None
    }

    /// Reads a formula or term, unless it is too deep inside others, or the predicates around it are too
    /// large.
    fn inside<T>(&mut self, span: Span, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth > MAX_RECURSION {
            return self.too_deep(span);
        }
        if !self.calls.is_empty() && !self.spend(1, span) {
            return None;
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn warning(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn text(&self, span: Span) -> &'s str {
        span.text(self.source)
    }

    /// A stretch of the model to quote in a message: in one line, and not too long.
    fn quote(&self, span: Span) -> String {
        let text: Vec<&str> = self.text(span).split_whitespace().collect();
        let text = text.join(" ");
        if text.chars().count() > 60 { "...".to_owned() } else { text }
    }

    fn quote_list(&self, exprs: &[Expr<'s>]) -> String {
        exprs.iter().map(|expr| self.quote(expr.span)).collect::<Vec<_>>().join(", ")
    }

    fn type_name(&self, ty: Type) -> String {
        format!("`{}`", self.system.type_name(ty))
    }

    /// An error about a name that nothing declares. `advice` is given where no known name is near.
    fn unknown_name(&mut self, what: &str, name: Name<'s>, known: &[&'s str], advice: Option<&str>) {
        if self.unread.contains(&without_case(name.text)) {
            return;
        }
        let message = format!("unknown {what} `{}`", shortened(name.text));
        let error = Diagnostic::error(Code::UnknownName, name.span, message).label("not declared");
        self.error(match (nearest(name.text, known.iter().copied()), advice) {
            (Some(near), _) if near.eq_ignore_ascii_case(name.text) && name.is_lower() => error
                .note("variables, arrays, constants and values begin with an upper-case letter")
                .did_you_mean(near),
            (Some(near), _) => error.did_you_mean(near),
            (None, Some(advice)) => error.help(advice),
            (None, None) => error,
        });
    }

    /// Known names to suggest one from; none in a file of rubbish, where it would not be worth looking at all
    /// of them.
    fn suggestions<T>(&self, names: &FxHashMap<&'s str, T>) -> Vec<&'s str> {
        if self.diagnostics.errors() < 100 { names.keys().copied().collect() } else { Vec::new() }
    }
}

/// All of them, or none; each is looked at, so that the mistakes in all of them are reported.
fn all<T>(parts: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    let parts: Vec<Option<T>> = parts.collect();
    parts.into_iter().collect()
}

/// A name as [`Checker::unread`] keeps it.
fn without_case(name: &str) -> String {
    name.to_ascii_lowercase()
}
