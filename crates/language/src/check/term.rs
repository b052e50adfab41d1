//! Terms: their values and types.

use crate::diagnostic::{Code, Diagnostic};
use crate::formula::{Access, Linear, Term};
use crate::number::Number;
use crate::span::Span;
use crate::syntax::{Expr, ExprKind, Name, Sign};
use crate::system::{Processes, SymbolId, SymbolKind, Type};
use crate::uses::Role;

use super::scope::Binding;
use super::typed::Typed;
use super::{Checker, Declared, Global, MAX_EXPANSION, all, without_case};

/// How deep accesses may nest (`A[B[...]]`), counting through `let`s.
const MAX_INDEX_DEPTH: usize = 64;

/// How many digits a computed number may have.
const MAX_NUMBER: usize = 4_000;

impl<'s> Checker<'s, '_> {
    /// The meaning of a term; none if an error was reported.
    pub(super) fn term(&mut self, expr: &Expr<'s>) -> Option<Typed> {
        self.inside(expr.span, |checker| checker.term_inside(expr))
    }

    fn term_inside(&mut self, expr: &Expr<'s>) -> Option<Typed> {
        match &expr.kind {
            ExprKind::Error => None,
            ExprKind::Group(inner) => self.term(inner),
            ExprKind::Integer(digits) => number(digits, Type::Integer),
            ExprKind::Real(digits) => number(digits, Type::Real),
            ExprKind::Process(text) => self.process_constant(text, expr.span),
            ExprKind::Name(name) => self.named_term(*name),
            ExprKind::Access { array, indices } => self.access(*array, indices, expr.span),
            ExprKind::Negate(inner) => Some(self.numeric(inner)?.scaled_by(&Number::from(-1))),
            ExprKind::Count { variable, body, summand } => {
                self.count(*variable, body, summand.as_deref(), expr.span)
            }
            ExprKind::Sum(parts) => self.sum(parts),
            ExprKind::Product(factors) => self.product(factors),
            ExprKind::Any => self.refuse(
                Diagnostic::error(Code::Choice, expr.span, "a value cannot be chosen here")
                    .label("expected a term")
                    .help("`?` stands only alone as the new value in an update: `X := ?` or `| c : ?`")
                    .help("in `init`, leave out what may have any value"),
            ),
            ExprKind::Constant(value) => {
                let (lower, upper) = if *value { ("true", "True") } else { ("false", "False") };
                let message = format!("`{lower}` is a formula, not a value");
                self.refuse(
                    Diagnostic::error(Code::TypeMismatch, expr.span, message)
                        .label("expected a value")
                        .help(format!("write `{upper}`, the value of type `bool`")),
                )
            }
            ExprKind::Let { name, value_and_body } => {
                let [value, body] = &**value_and_body;
                self.in_let(*name, value, body, Self::term)
            }
            ExprKind::Call { predicate, arguments } if !self.predicates.contains_key(predicate.text) => {
                self.unknown_predicate(*predicate, arguments);
                None
            }
            _ => {
                let help = match &expr.kind {
                    ExprKind::Call { .. } => &format!("it stands alone: write `{}`", self.quote(expr.span)),
                    ExprKind::Or(_) | ExprKind::And(_) => {
                        "write out both comparisons: `X = A || X = B`; to compare formulas write `<=>`"
                    }
                    _ => "to say that two formulas agree, write `<=>`",
                };
                self.refuse(formula_as_value(expr).help(help))
            }
        }
    }

    fn process_constant(&mut self, text: &'s str, span: Span) -> Option<Typed> {
        let number = text[1..].parse::<u32>().ok();
        match (self.system.processes, number) {
            (Processes::Exactly(count), Some(number)) if number <= count => {
                Some(Typed::leaf(Term::Process(number), Type::Process))
            }
            (Processes::Exactly(count), _) => {
                let declared = self.number_procs.unwrap_or(span);
                self.refuse(
                    Diagnostic::error(Code::ProcessConstant, span, format!("there is no process `{text}`"))
                        .label(format!("the processes are `#1` to `#{count}`"))
                        .also(declared, "the number of processes"),
                )
            }
            (Processes::Any, _) => {
                let message = format!("`{text}` needs a number of processes");
                let error = Diagnostic::error(Code::ProcessConstant, span, message)
                    .label("which processes there are is left open");
                self.refuse(error.help(
                    "begin the model with `number_procs 2` (or another number), or use a parameter instead",
                ))
            }
        }
    }

    fn named_term(&mut self, name: Name<'s>) -> Option<Typed> {
        let text = name.text;
        if name.is_lower() {
            return match self.look_up(name)? {
                Binding::Process(id) => Some(Typed::leaf(Term::Variable(id), Type::Process)),
                Binding::Term(typed) => Some(typed),
                Binding::Formula(..) => {
                    let message = format!("`{text}` stands for a formula here");
                    let error = Diagnostic::error(Code::TypeMismatch, name.span, message);
                    self.refuse(error.label("expected a value"))
                }
                Binding::Unknown => None,
            };
        }
        match self.global(name)? {
            Global::Constructor(enumeration, index) => {
                let ty = Type::Enumeration(enumeration);
                self.used_types.insert(ty);
                Some(Typed::leaf(Term::Constructor(enumeration, index), ty))
            }
            Global::Symbol(id) => match self.system.symbol(id).kind {
                SymbolKind::Array { dimensions } => self.refuse(
                    Diagnostic::error(Code::Arity, name.span, format!("`{text}` is an array"))
                        .label("which cell?")
                        .help(format!("write `{text}[{}]`", self.scope.example_indices(dimensions))),
                ),
                _ => Some(self.symbol_term(id, Vec::new(), 0, 1)),
            },
        }
    }

    fn access(&mut self, array: Name<'s>, indices: &[Expr<'s>], span: Span) -> Option<Typed> {
        let terms = all(indices.iter().map(|index| self.index(index)));
        let id = self.array(array, indices.len(), span)?;
        let terms = terms?;
        let size = 1 + terms.iter().map(|term| term.size).sum::<usize>();
        let depth = 1 + terms.iter().map(|term| term.depth).max().unwrap_or(0);
        if depth > MAX_INDEX_DEPTH {
            return self.too_deep(span);
        }
        Some(self.symbol_term(id, terms.into_iter().map(|term| term.term).collect(), depth, size))
    }

    /// The array of this name, indexed `count` times.
    pub(super) fn array(&mut self, array: Name<'s>, count: usize, span: Span) -> Option<SymbolId> {
        let text = array.text;
        if array.is_lower() {
            self.unknown_name("array", array, &self.suggestions(&self.globals), None);
            return None;
        }
        let Global::Symbol(id) = self.global(array)? else {
            let message = format!("`{text}` is a value, not an array");
            return self.refuse(Diagnostic::error(Code::Arity, array.span, message).label("has no cells"));
        };
        let (kind, origin) = (self.system.symbol(id).kind, self.system.symbol(id).origin.0);
        match kind {
            SymbolKind::Array { dimensions } if dimensions == count => Some(id),
            SymbolKind::Array { dimensions } => {
                let plural = |count: usize| if count == 1 { "index" } else { "indices" };
                let message = format!("`{text}` takes {dimensions} {}, not {count}", plural(dimensions));
                self.refuse(
                    Diagnostic::error(Code::Arity, span, message)
                        .label(format!("{count} {} given", plural(count)))
                        .also(origin, "declared here")
                        .help(format!("write `{text}[{}]`", vec!["..."; dimensions.min(4)].join(", "))),
                )
            }
            SymbolKind::Constant | SymbolKind::Variable => self.refuse(
                Diagnostic::error(Code::Arity, span, format!("`{text}` is not an array"))
                    .label("it has no cells")
                    .also(origin, "declared here")
                    .help(format!("write `{text}`, or declare it with `array {text}[proc] : ...`")),
            ),
        }
    }

    /// An index: any term of type `proc`.
    pub(super) fn index(&mut self, expr: &Expr<'s>) -> Option<Typed> {
        let typed = self.term(expr)?;
        if typed.ty == Type::Process {
            return Some(typed);
        }
        let error = Diagnostic::error(Code::TypeMismatch, expr.span, "an index must be a process");
        self.refuse(error.label(format!("has type {}, expected `proc`", self.type_name(typed.ty))))
    }

    fn symbol_term(&mut self, id: SymbolId, indices: Vec<Term>, depth: usize, size: usize) -> Typed {
        self.used_symbols.insert(id);
        let ty = self.system.symbol(id).ty;
        Typed { term: Term::access(Access { symbol: id, indices }, ty), ty, size, depth }
    }

    /// What an upper-case name stands for.
    pub(super) fn global(&mut self, name: Name<'s>) -> Option<Global> {
        if let Some(&Declared { what, span }) = self.globals.get(name.text) {
            self.note(name.span, span, Role::Reads);
            return Some(what);
        }
        self.unknown_name("name", name, &self.suggestions(&self.globals), None);
        None
    }

    /// What a lower-case name stands for.
    pub(super) fn look_up(&mut self, name: Name<'s>) -> Option<Binding> {
        if let Some(at) = self.scope.look_up(name.text) {
            // Pay before copying: what cannot be afforded is not copied either.
            let size = self.scope.entry(at).binding.size();
            self.note_local(name.span, at);
            return self.spend(size, name.span).then(|| self.scope.entry(at).binding.clone());
        }
        let text = name.text;
        if let Some(predicate) = self.reading_predicate {
            let predicate = self.predicate_list[predicate].declaration.name.text;
            if !self.unread.contains(&without_case(text)) {
                let message = format!("`{text}` is not a parameter of the predicate `{predicate}`");
                self.warning(
                    Diagnostic::warning(Code::Captured, name.span, message)
                        .label("taken from the place of each call")
                        .help(format!("make it a parameter: `{predicate}(..., {text})`")),
                );
            }
            return Some(Binding::Unknown);
        }
        if self.predicates.contains_key(text) {
            let error = Diagnostic::error(Code::Arity, name.span, format!("`{text}` is a predicate"));
            let error = error.label("its arguments are missing");
            return self.refuse(error.help(format!("write `{text}(...)`")));
        }
        let mut known = self.suggestions(&self.globals);
        known.extend(self.scope.names());
        let advice = match text {
            "default" | "otherwise" => "the default of a `case` is `| _ : value`",
            _ => "make it a parameter, as in `unsafe (p q) { ... }`, or bind it by a quantifier",
        };
        self.unknown_name("name", name, &known, Some(advice));
        None
    }

    /// A term of type `int` or `real`.
    pub(super) fn numeric(&mut self, expr: &Expr<'s>) -> Option<Typed> {
        let typed = self.term(expr)?;
        if typed.ty.is_numeric() {
            return Some(typed);
        }
        let error = Diagnostic::error(Code::TypeMismatch, expr.span, "arithmetic needs numbers");
        self.refuse(error.label(format!("has type {}, expected `int` or `real`", self.type_name(typed.ty))))
    }

    fn sum(&mut self, parts: &[(Sign, Expr<'s>)]) -> Option<Typed> {
        let typed = all(parts.iter().map(|(_, part)| self.numeric(part)))?;
        let ty = typed[0].ty;
        if let Some(other) = typed.iter().position(|part| part.ty != ty) {
            self.mixed_numbers((&parts[0].1, ty), (&parts[other].1, typed[other].ty));
            return None;
        }
        let size = 1 + typed.iter().map(|part| part.size).sum::<usize>();
        let depth = typed.iter().map(|part| part.depth).max().unwrap_or(0);
        let signed = typed.into_iter().zip(parts).map(|(part, (sign, _))| match sign {
            Sign::Plus => part.into_linear(),
            Sign::Minus => part.into_linear().scaled(&Number::from(-1)),
        });
        Some(Typed { term: Linear::sum(signed).into(), ty, size, depth })
    }

    /// A product in which at most one factor is not a number. An integer may multiply a real term.
    fn product(&mut self, factors: &[Expr<'s>]) -> Option<Typed> {
        let typed = all(factors.iter().map(|factor| self.numeric(factor)))?;
        let mut coefficient = Number::ONE;
        let mut variable: Option<usize> = None;
        for (at, factor) in typed.iter().enumerate() {
            let Term::Linear(linear) = &factor.term else { unreachable!("numeric terms are linear") };
            match (linear.as_constant(), variable) {
                (Some(number), _) => coefficient = coefficient * number,
                (None, None) => variable = Some(at),
                (None, Some(first)) => {
                    let (left, right) = (self.quote(factors[first].span), self.quote(factors[at].span));
                    return self.refuse(
                        Diagnostic::error(Code::NonLinear, factors[at].span, "a product of two unknown values")
                            .label(format!("`{right}` is not a number"))
                            .also(factors[first].span, format!("nor is `{left}`"))
                            .note("terms are linear: all factors but one are numbers, as in `2 * X`; a `const` is no number")
                            .help("write a number in place of one of them"),
                    );
                }
            }
            if coefficient.digits() > MAX_NUMBER {
                return self.number_too_large(factors[at].span);
            }
        }
        let real = typed.iter().position(|factor| factor.ty == Type::Real);
        let ty = match (variable, real) {
            (Some(at), Some(real)) if typed[at].ty == Type::Integer => {
                self.mixed_numbers((&factors[at], Type::Integer), (&factors[real], Type::Real));
                return None;
            }
            (_, Some(_)) => Type::Real,
            (_, None) => Type::Integer,
        };
        let depth = typed.iter().map(|factor| factor.depth).max().unwrap_or(0);
        let mut size = 1 + typed.iter().map(|factor| factor.size).sum::<usize>();
        let linear = match variable {
            Some(at) => {
                typed.into_iter().nth(at).expect("a position in this list").into_linear().scaled(&coefficient)
            }
            None => Linear::constant(coefficient),
        };
        let numbers = linear.terms.iter().map(|(number, _)| number).chain([&linear.constant]);
        let digits = numbers.map(Number::digits).max().unwrap_or(0);
        if digits > MAX_NUMBER {
            return self.number_too_large(factors[0].span.to(factors[factors.len() - 1].span));
        }
        // Long numbers cost as much as long terms.
        size += digits / 16;
        Some(Typed { term: linear.into(), ty, size, depth })
    }

    fn number_too_large(&mut self, span: Span) -> Option<Typed> {
        let error = Diagnostic::error(Code::TooLarge, span, "this product is too large");
        self.refuse(error.label(format!("more than {MAX_NUMBER} digits")))
    }

    /// An error about `int` and `real` in one place.
    pub(super) fn mixed_numbers(&mut self, left: (&Expr<'s>, Type), right: (&Expr<'s>, Type)) {
        let (real, integer) = if left.1 == Type::Real { (left.0, right.0) } else { (right.0, left.0) };
        let shown = self.quote(integer.span);
        let help = match (&integer.ungrouped().kind, &real.ungrouped().kind) {
            (ExprKind::Integer(digits), _) => format!("write `{digits}.0` for the real number"),
            (_, ExprKind::Real(digits)) => match digits.split_once('.') {
                Some((whole, fraction)) if fraction.bytes().all(|digit| digit == b'0') => {
                    format!("write `{whole}` for the integer, or declare `{shown}` as `real`")
                }
                _ => format!("declare `{shown}` as `real`"),
            },
            _ => "declare both with the same type".to_owned(),
        };
        self.error(
            Diagnostic::error(Code::MixedNumbers, integer.span, "`int` and `real` do not mix")
                .label("this is an `int`")
                .also(real.span, "this is a `real`")
                .help(help),
        );
    }

    /// Counts parts of expanded names; false, and an error, when there are too many.
    pub(super) fn spend(&mut self, size: usize, span: Span) -> bool {
        let before = self.expanded;
        self.expanded = self.expanded.saturating_add(size);
        if self.expanded <= MAX_EXPANSION {
            return true;
        }
        if before <= MAX_EXPANSION {
            // The outermost call is what its author can change.
            let place = self.calls.first().map_or(span, |&(_, call)| call);
            let message = "the model grows too large when its names are expanded";
            self.diagnostics.push(
                Diagnostic::error(Code::TooLarge, place, message)
                    .label(format!("more than {MAX_EXPANSION} parts"))
                    .note(
                        "predicates and `let`s are replaced by what they stand for, each time they are used",
                    )
                    .help("use fewer or smaller predicates inside each other"),
            );
        }
        false
    }

    pub(super) fn too_deep<T>(&mut self, span: Span) -> Option<T> {
        self.refuse(
            Diagnostic::error(Code::TooDeep, span, "this is nested too deeply")
                .label("with the predicates and `let`s around it replaced by what they stand for")
                .help("write long chains of `&&` or `||` without parentheses, in one predicate"),
        )
    }
}

fn number(digits: &str, ty: Type) -> Option<Typed> {
    Some(Typed::leaf(Linear::constant(Number::parse(digits)?).into(), ty))
}

/// An error about a formula in place of a value.
pub(super) fn formula_as_value(expr: &Expr<'_>) -> Diagnostic {
    let message = "this is a formula, but a value is expected";
    Diagnostic::error(Code::TypeMismatch, expr.span, message).label("not a value")
}
