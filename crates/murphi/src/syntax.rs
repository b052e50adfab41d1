//! The syntax tree: what was written, with its places, before names and types are known.
//!
//! It borrows its texts from the source. It has one form for what the two tools write differently: `&&` is `&`,
//! `endrule` is `end`, `:` for `do` leaves no trace.

use polycube_language::formula::Quantifier;
use polycube_language::span::Span;

/// A word of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'s> {
    pub text: &'s str,
    pub span: Span,
}

/// A whole file. Declarations, routines and rules may come in any order.
#[derive(Debug, Default)]
pub(crate) struct File<'s> {
    pub declarations: Vec<Declaration<'s>>,
    pub routines: Vec<Routine<'s>>,
    pub rules: Vec<Rule<'s>>,
}

/// One name and what it stands for.
#[derive(Debug)]
pub(crate) enum Declaration<'s> {
    Constant {
        name: Name<'s>,
        value: Expr<'s>,
    },
    Type {
        name: Name<'s>,
        ty: TypeExpr<'s>,
    },
    /// `a, b : T` is one declaration.
    Variables {
        names: Vec<Name<'s>>,
        ty: TypeExpr<'s>,
    },
}

#[derive(Debug)]
pub(crate) struct TypeExpr<'s> {
    pub kind: TypeKind<'s>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum TypeKind<'s> {
    Named(Name<'s>),
    Boolean,
    Range(Box<[Expr<'s>; 2]>),
    Enumeration(Vec<Name<'s>>),
    Record(Vec<Field<'s>>),
    Array {
        index: Box<TypeExpr<'s>>,
        element: Box<TypeExpr<'s>>,
    },
    Scalarset(Box<Expr<'s>>),
    Union(Vec<TypeExpr<'s>>),
    Multiset {
        size: Box<Expr<'s>>,
        element: Box<TypeExpr<'s>>,
    },
    Real,
    /// Something that has been reported.
    Error,
}

/// `a, b : T;` of a record.
#[derive(Debug)]
pub(crate) struct Field<'s> {
    pub names: Vec<Name<'s>>,
    pub ty: TypeExpr<'s>,
}

/// A procedure or a function.
#[derive(Debug)]
pub(crate) struct Routine<'s> {
    pub name: Name<'s>,
    pub formals: Vec<Formal<'s>>,
    /// Of a function.
    pub result: Option<TypeExpr<'s>>,
    pub body: Body<'s>,
}

/// `var a, b : T`
#[derive(Debug)]
pub(crate) struct Formal<'s> {
    pub is_reference: bool,
    pub names: Vec<Name<'s>>,
    pub ty: TypeExpr<'s>,
}

/// Declarations and statements.
#[derive(Debug, Default)]
pub(crate) struct Body<'s> {
    pub declarations: Vec<Declaration<'s>>,
    pub statements: Vec<Statement<'s>>,
}

/// What is written at the place of a rule.
#[derive(Debug)]
pub(crate) struct Rule<'s> {
    pub kind: RuleKind<'s>,
    pub span: Span,
}

/// Names of rules are without their quotes.
#[derive(Debug)]
pub(crate) enum RuleKind<'s> {
    Simple {
        name: Option<Name<'s>>,
        guard: Option<Expr<'s>>,
        body: Body<'s>,
    },
    Start {
        name: Option<Name<'s>>,
        body: Body<'s>,
    },
    Invariant {
        name: Option<Name<'s>>,
        formula: Expr<'s>,
    },
    Ruleset {
        quantifiers: Vec<QuantifierExpr<'s>>,
        rules: Vec<Rule<'s>>,
    },
    Alias {
        aliases: Vec<Alias<'s>>,
        rules: Vec<Rule<'s>>,
    },
    /// `choose i : multiset do ... end`
    Choose {
        name: Name<'s>,
        multiset: Expr<'s>,
        rules: Vec<Rule<'s>>,
    },
    /// `assume`, `cover`, `liveness`: what has no counterpart.
    Unsupported {
        keyword: Name<'s>,
    },
}

/// `name : value`
#[derive(Debug)]
pub(crate) struct Alias<'s> {
    pub name: Name<'s>,
    pub value: Expr<'s>,
}

/// The range of one variable of a ruleset, a loop or a quantifier.
#[derive(Debug)]
pub(crate) struct QuantifierExpr<'s> {
    pub name: Name<'s>,
    pub range: Range<'s>,
}

#[derive(Debug)]
pub(crate) enum Range<'s> {
    /// `i : T`
    Type(TypeExpr<'s>),
    /// `i := a to b by c`
    Steps { from: Box<Expr<'s>>, to: Box<Expr<'s>>, by: Option<Box<Expr<'s>>> },
}

#[derive(Debug)]
pub(crate) struct Statement<'s> {
    pub kind: StatementKind<'s>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum StatementKind<'s> {
    /// `undefined` on the right is [`ExprKind::Undefined`].
    Assign {
        target: Expr<'s>,
        value: Expr<'s>,
    },
    /// The branches in order, each with its condition; then what `else` says.
    If {
        branches: Vec<(Expr<'s>, Vec<Statement<'s>>)>,
        otherwise: Vec<Statement<'s>>,
    },
    Switch {
        value: Expr<'s>,
        cases: Vec<(Vec<Expr<'s>>, Vec<Statement<'s>>)>,
        otherwise: Vec<Statement<'s>>,
    },
    For {
        quantifiers: Vec<QuantifierExpr<'s>>,
        body: Vec<Statement<'s>>,
    },
    While {
        condition: Expr<'s>,
        body: Vec<Statement<'s>>,
    },
    Alias {
        aliases: Vec<Alias<'s>>,
        body: Vec<Statement<'s>>,
    },
    Call {
        name: Name<'s>,
        arguments: Vec<Expr<'s>>,
    },
    Return(Option<Expr<'s>>),
    Undefine(Expr<'s>),
    Clear(Expr<'s>),
    /// `error "text"`; the text is without its quotes.
    Error(Option<Name<'s>>),
    Assert {
        condition: Expr<'s>,
        message: Option<Name<'s>>,
    },
    /// `put value`; the value is none for a text.
    Put(Option<Expr<'s>>),
    /// `multisetadd(value, multiset)`
    MultisetAdd {
        value: Expr<'s>,
        multiset: Expr<'s>,
    },
    /// `multisetremove(index, multiset)`
    MultisetRemove {
        index: Expr<'s>,
        multiset: Expr<'s>,
    },
    /// `multisetremovepred(i : multiset, condition)`
    MultisetRemovePred(Elements<'s>),
}

/// `i : multiset, condition`: the elements for which the condition holds.
#[derive(Debug)]
pub(crate) struct Elements<'s> {
    pub name: Name<'s>,
    pub multiset: Expr<'s>,
    pub condition: Expr<'s>,
}

#[derive(Debug)]
pub(crate) struct Expr<'s> {
    pub kind: ExprKind<'s>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum ExprKind<'s> {
    Name(Name<'s>),
    /// Digits.
    Integer(&'s str),
    Boolean(bool),
    /// `a.f`
    Field(Box<Expr<'s>>, Name<'s>),
    /// `a[i]`
    Index(Box<Expr<'s>>, Box<Expr<'s>>),
    Call {
        name: Name<'s>,
        arguments: Vec<Expr<'s>>,
    },
    Not(Box<Expr<'s>>),
    Negative(Box<Expr<'s>>),
    Binary(Operator, Box<[Expr<'s>; 2]>),
    /// `c ? a : b`
    Conditional(Box<[Expr<'s>; 3]>),
    Quantified {
        quantifier: Quantifier,
        variables: Vec<QuantifierExpr<'s>>,
        body: Box<Expr<'s>>,
    },
    IsUndefined(Box<Expr<'s>>),
    IsMember {
        value: Box<Expr<'s>>,
        ty: Box<TypeExpr<'s>>,
    },
    /// `multisetcount(i : multiset, condition)`
    MultisetCount(Box<Elements<'s>>),
    /// `undefined` as a value that is assigned or passed.
    Undefined,
    /// Something that has been reported.
    Error,
}

/// What stands between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is its own word
pub enum Operator {
    Implies,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
