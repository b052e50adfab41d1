//! The syntax tree: what was written, with its places, before names and types are known.
//!
//! It borrows its texts from the source. Parentheses are kept ([`ExprKind::Group`]), comments are not part of
//! it (see [`Tokens`](crate::token::Tokens)).

use crate::formula::{Quantifier, Relation};
use crate::signature::SymbolKind;
use crate::span::Span;
use crate::system::PropertyKind;

/// A whole file, in the order of the text.
#[derive(Default)]
pub(crate) struct File<'s> {
    pub items: Vec<Item<'s>>,
    /// The words in declarations that could not be read. They may declare names, so uses of these are not
    /// reported as unknown.
    pub unread: Vec<Name<'s>>,
}

/// A word of the text.
#[derive(Clone, Copy)]
pub(crate) struct Name<'s> {
    pub text: &'s str,
    pub span: Span,
}

impl Name<'_> {
    pub fn is_lower(self) -> bool {
        self.text.starts_with(|first: char| first.is_ascii_lowercase())
    }
}

/// A declaration.
pub(crate) struct Item<'s> {
    pub kind: ItemKind<'s>,
    pub span: Span,
}

pub(crate) enum ItemKind<'s> {
    NumberProcs(NumberProcs<'s>),
    Type(TypeDeclaration<'s>),
    Symbol(SymbolDeclaration<'s>),
    Clause(Clause<'s>),
    Predicate(Predicate<'s>),
    Transition(Transition<'s>),
}

/// `number_procs N`
pub(crate) struct NumberProcs<'s> {
    pub count: Name<'s>,
    /// A minus sign before the digits.
    pub negative: bool,
}

/// `type t`, `type t = A | B`
pub(crate) struct TypeDeclaration<'s> {
    pub name: Name<'s>,
    /// Its values; none for an abstract type.
    pub constructors: Option<Vec<Name<'s>>>,
}

/// `const C : t`, `var X : t`, `array A[proc] : t`
pub(crate) struct SymbolDeclaration<'s> {
    pub kind: SymbolKind,
    pub name: Name<'s>,
    /// The index types of an array.
    pub indices: Vec<Name<'s>>,
    pub ty: Name<'s>,
}

/// `init (z) { F }`, `unsafe (z) { F }`, `universal_unsafe (z, y) { F }`, `invariant (z) { F }`
pub(crate) struct Clause<'s> {
    /// None for `init`.
    pub property: Option<PropertyKind>,
    pub keyword: Name<'s>,
    pub parameters: Vec<Name<'s>>,
    /// Of `universal_unsafe`: these stand for all other processes.
    pub others: Vec<Name<'s>>,
    pub formula: Expr<'s>,
}

/// `predicate p(x, y) { F }`
pub(crate) struct Predicate<'s> {
    pub name: Name<'s>,
    pub parameters: Vec<Name<'s>>,
    pub body: Expr<'s>,
}

/// `transition t (i) requires { F } { let v = e in A[i] := e; ... }`
pub(crate) struct Transition<'s> {
    pub name: Name<'s>,
    pub parameters: Vec<Name<'s>>,
    pub guard: Option<Expr<'s>>,
    /// The bindings at the start of the body.
    pub lets: Vec<LetBinding<'s>>,
    pub updates: Vec<Update<'s>>,
    /// The braces around the body.
    pub body: Span,
}

/// `let v = e in`
pub(crate) struct LetBinding<'s> {
    pub name: Name<'s>,
    pub value: Expr<'s>,
    /// From `let` to `in`.
    pub span: Span,
}

/// `X := e`, `A[i] := e`, `A[k] := case ...`
pub(crate) struct Update<'s> {
    pub target: Name<'s>,
    /// What stands between brackets; none without brackets.
    pub indices: Option<Vec<Expr<'s>>>,
    pub value: UpdateValue<'s>,
    /// The whole update, without the semicolon.
    pub span: Span,
}

/// The right side of `:=`.
pub(crate) enum UpdateValue<'s> {
    Plain(Expr<'s>),
    /// `case | c : e | _ : e`
    Case(Vec<Branch<'s>>),
}

/// `| c : e` or `| _ : e`
pub(crate) struct Branch<'s> {
    /// None for the default `_`.
    pub condition: Option<Expr<'s>>,
    pub value: Expr<'s>,
    /// From the bar to the end of the value.
    pub span: Span,
}

/// A formula or term; which of the two is found out later.
pub(crate) struct Expr<'s> {
    pub kind: ExprKind<'s>,
    pub span: Span,
}

impl<'s> Expr<'s> {
    /// The expression without the parentheses around it.
    pub fn ungrouped(&self) -> &Expr<'s> {
        match &self.kind {
            ExprKind::Group(inner) => inner.ungrouped(),
            _ => self,
        }
    }

    /// The lower-case name that it is, parentheses aside.
    pub fn as_lower_name(&self) -> Option<Name<'s>> {
        match self.ungrouped().kind {
            ExprKind::Name(name) if name.is_lower() => Some(name),
            _ => None,
        }
    }

    /// Whether it can only be a formula.
    pub fn is_formula(&self) -> bool {
        match &self.ungrouped().kind {
            ExprKind::Let { value_and_body, .. } => value_and_body[1].is_formula(),
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
            _ => false,
        }
    }
}

/// The kinds of expressions. Chains of `&&`, `||`, `+`, `*` are flat, so that a long one is not a deep one.
pub(crate) enum ExprKind<'s> {
    /// Could not be read; an error was reported.
    Error,
    /// `true`, `false`
    Constant(bool),
    Integer(&'s str),
    Real(&'s str),
    Process(&'s str),
    /// A lower- or upper-case name.
    Name(Name<'s>),
    /// `A[i, j]`
    Access {
        array: Name<'s>,
        indices: Vec<Expr<'s>>,
    },
    /// `p(e, f)`
    Call {
        predicate: Name<'s>,
        arguments: Vec<Expr<'s>>,
    },
    /// `not e`
    Not(Box<Expr<'s>>),
    /// `-e`
    Negate(Box<Expr<'s>>),
    /// `a && b && c`, at least two.
    And(Vec<Expr<'s>>),
    /// `a || b || c`, at least two.
    Or(Vec<Expr<'s>>),
    /// `a => b`
    Implies(Box<[Expr<'s>; 2]>),
    /// `a <=> b`
    Iff(Box<[Expr<'s>; 2]>),
    /// `a < b` and its like.
    Compare(Comparator, Box<[Expr<'s>; 2]>),
    /// `a + b - c`, at least two; the first has the sign `Plus`.
    Sum(Vec<(Sign, Expr<'s>)>),
    /// `a * b`, at least two.
    Product(Vec<Expr<'s>>),
    /// `if c then a else b`
    If(Box<[Expr<'s>; 3]>),
    /// `forall x <> y. e` and its like.
    Quantified {
        keyword: QuantifierKeyword,
        variables: Vec<Name<'s>>,
        body: Box<Expr<'s>>,
    },
    /// `let v = e in f`
    Let {
        name: Name<'s>,
        value_and_body: Box<[Expr<'s>; 2]>,
    },
    /// `#{p | e}`, `#{e}`, `#{p | e : t}`, or `#{e : t}`
    Count {
        variable: Option<Name<'s>>,
        body: Box<Expr<'s>>,
        summand: Option<Box<Expr<'s>>>,
    },
    /// `( e )`
    Group(Box<Expr<'s>>),
    /// `?` or `.`: any value
    Any,
}

/// A comparison as written.
#[derive(Clone, Copy)]
pub(crate) enum Comparator {
    Straight(Relation),
    /// `>` and `>=`: the relation holds between the right side and the left one.
    Reversed(Relation),
}

/// The sign of a summand.
#[derive(Clone, Copy)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

/// A quantifier as written.
#[derive(Clone, Copy)]
pub(crate) struct QuantifierKeyword {
    pub quantifier: Quantifier,
    /// `forall_other`, `exists_other`: the processes that are visible are left out.
    pub other: bool,
}
