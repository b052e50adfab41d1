//! The syntax tree: what was written, with its places, before names and types are known.
//!
//! It borrows its texts from the source. Parentheses are kept ([`ExprKind::Group`]), comments are not part of
//! it (see [`Tokens`](crate::token::Tokens)).

use crate::span::Span;

/// A whole file, in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct File<'s> {
    /// Its declarations.
    pub items: Vec<Item<'s>>,
    /// Words of declarations that could not be read: what they declare is unknown, and is not complained
    /// about again.
    pub unread: Vec<Name<'s>>,
}

/// A word of the text.
#[derive(Clone, Copy, Debug)]
pub struct Name<'s> {
    /// The word.
    pub text: &'s str,
    /// Where it stands.
    pub span: Span,
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Item<'s> {
    /// `number_procs N`
    NumberProcs(NumberProcs<'s>),
    /// `type t`, `type t = A | B`
    Type(TypeDeclaration<'s>),
    /// `const`, `var`, `array`
    Symbol(SymbolDeclaration<'s>),
    /// `init`, `unsafe`, `invariant`
    Clause(Clause<'s>),
    /// `predicate p(x) { F }`
    Predicate(Predicate<'s>),
    /// `transition t (i) requires { F } { updates }`
    Transition(Transition<'s>),
}

impl Item<'_> {
    /// The text of the whole declaration.
    pub fn span(&self) -> Span {
        match self {
            Item::NumberProcs(item) => item.span,
            Item::Type(item) => item.span,
            Item::Symbol(item) => item.span,
            Item::Clause(item) => item.span,
            Item::Predicate(item) => item.span,
            Item::Transition(item) => item.span,
        }
    }
}

/// `number_procs N`
#[derive(Clone, Debug)]
pub struct NumberProcs<'s> {
    /// The digits.
    pub count: Name<'s>,
    /// A minus sign before them.
    pub negative: bool,
    /// The whole declaration.
    pub span: Span,
}

/// `type t`, `type t = A | B`
#[derive(Clone, Debug)]
pub struct TypeDeclaration<'s> {
    /// The name of the type.
    pub name: Name<'s>,
    /// Its values; none for an abstract type.
    pub constructors: Option<Vec<Name<'s>>>,
    /// The whole declaration.
    pub span: Span,
}

/// What a symbol declaration declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKeyword {
    /// `const`
    Const,
    /// `var`
    Var,
    /// `array`
    Array,
}

/// `const C : t`, `var X : t`, `array A[proc] : t`
#[derive(Clone, Debug)]
pub struct SymbolDeclaration<'s> {
    /// Which of the three.
    pub keyword: SymbolKeyword,
    /// The name declared.
    pub name: Name<'s>,
    /// The index types of an array.
    pub indices: Vec<Name<'s>>,
    /// The type of its values.
    pub ty: Name<'s>,
    /// The whole declaration.
    pub span: Span,
}

/// What a clause says of its formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseKeyword {
    /// `init`
    Init,
    /// `unsafe`
    Unsafe,
    /// `invariant`
    Invariant,
}

/// `init (z) { F }`, `unsafe (z) { F }`, `invariant (z) { F }`
#[derive(Clone, Debug)]
pub struct Clause<'s> {
    /// Which of the three.
    pub keyword: ClauseKeyword,
    /// The keyword's place.
    pub keyword_span: Span,
    /// The process variables in parentheses.
    pub parameters: Vec<Name<'s>>,
    /// The formula in braces.
    pub formula: Expr<'s>,
    /// The whole declaration.
    pub span: Span,
}

/// `predicate p(x, y) { F }`
#[derive(Clone, Debug)]
pub struct Predicate<'s> {
    /// Its name.
    pub name: Name<'s>,
    /// Its parameters.
    pub parameters: Vec<Name<'s>>,
    /// The formula in braces.
    pub body: Expr<'s>,
    /// The whole declaration.
    pub span: Span,
}

/// `transition t (i) requires { F } { let v = e in A[i] := e; ... }`
#[derive(Clone, Debug)]
pub struct Transition<'s> {
    /// Its name.
    pub name: Name<'s>,
    /// The process variables in parentheses.
    pub parameters: Vec<Name<'s>>,
    /// The formula behind `requires`.
    pub guard: Option<Expr<'s>>,
    /// The bindings at the start of the body.
    pub lets: Vec<LetBinding<'s>>,
    /// The updates.
    pub updates: Vec<Update<'s>>,
    /// The braces around the body.
    pub body: Span,
    /// The whole declaration.
    pub span: Span,
}

/// `let v = e in`
#[derive(Clone, Debug)]
pub struct LetBinding<'s> {
    /// The name bound.
    pub name: Name<'s>,
    /// What it stands for.
    pub value: Expr<'s>,
    /// From `let` to `in`.
    pub span: Span,
}

/// `X := e`, `A[i] := e`, `A[k] := case ...`
#[derive(Clone, Debug)]
pub struct Update<'s> {
    /// The variable or array.
    pub target: Name<'s>,
    /// What stands between brackets; none without brackets.
    pub indices: Option<Vec<Expr<'s>>>,
    /// The new value.
    pub value: UpdateValue<'s>,
    /// The whole update, without the semicolon.
    pub span: Span,
}

/// The right side of `:=`.
#[derive(Clone, Debug)]
pub enum UpdateValue<'s> {
    /// One value.
    Plain(Expr<'s>),
    /// `case | c : e | _ : e`
    Case(Vec<Branch<'s>>),
}

/// `| c : e` or `| _ : e`
#[derive(Clone, Debug)]
pub struct Branch<'s> {
    /// The condition; none for the default `_`.
    pub condition: Option<Expr<'s>>,
    /// The value.
    pub value: Expr<'s>,
    /// From the bar to the end of the value.
    pub span: Span,
}

/// A formula or term; which of the two is found out later.
#[derive(Clone, Debug)]
pub struct Expr<'s> {
    /// What it is.
    pub kind: ExprKind<'s>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions. Chains of `&&`, `||`, `+`, `*` are flat, so that a long one is not a deep one.
#[derive(Clone, Debug)]
pub enum ExprKind<'s> {
    /// Could not be read; an error was reported.
    Error,
    /// `true`, `false`
    Constant(bool),
    /// `12`
    Integer(&'s str),
    /// `1.5`
    Real(&'s str),
    /// `#2`
    Process(&'s str),
    /// A lower- or upper-case name.
    Name(&'s str),
    /// `A[i, j]`
    Access {
        /// The array.
        array: Name<'s>,
        /// Its indices.
        indices: Vec<Expr<'s>>,
    },
    /// `p(e, f)`
    Call {
        /// The predicate.
        predicate: Name<'s>,
        /// Its arguments.
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
        /// Which quantifier.
        quantifier: QuantifierKeyword,
        /// Its variables.
        variables: Vec<Name<'s>>,
        /// Its scope.
        body: Box<Expr<'s>>,
    },
    /// `let v = e in f`
    Let {
        /// The name bound.
        name: Name<'s>,
        /// The value and the scope.
        value_and_body: Box<[Expr<'s>; 2]>,
    },
    /// `( e )`
    Group(Box<Expr<'s>>),
    /// `?` or `.`: any value
    Any,
}

/// The comparisons as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparator {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// The sign of a summand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `+`
    Plus,
    /// `-`
    Minus,
}

/// The quantifiers as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantifierKeyword {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `forall_other`
    ForallOther,
    /// `exists_other`
    ExistsOther,
}
