//! What a model does, with names resolved: where a variable is in memory, and how wide its parts are.
//!
//! Memory is a list of leaves: those of the state, and behind them those of local variables.

use polycube_language::span::Span;

use super::domain::Domain;
use crate::model::{Operator, RoutineId};

/// A model that can be executed.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// What the leaves of the state can hold.
    pub leaves: Vec<Domain>,
    /// The multisets of the state, those within others first.
    pub multisets: Vec<Slots>,
    pub routines: Vec<Routine>,
    pub rules: Vec<Rule>,
    pub starts: Vec<Rule>,
    pub invariants: Vec<Rule>,
    /// What errors say.
    pub texts: Vec<String>,
}

/// A multiset of the state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    /// Where its first slot begins, with the flag that says whether there is an element.
    pub start: usize,
    pub count: usize,
    /// How many leaves a slot has, with its flag.
    pub width: usize,
}

/// A rule, start state or invariant.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub name: Option<String>,
    pub span: Span,
    /// The values of its parameters.
    pub instances: Vec<Instance>,
    /// What is bound besides, in this order.
    pub binders: Vec<Binder>,
    /// When it is possible. An invariant is one that should always be.
    pub guard: Option<Expression>,
    pub variables: Vec<Variable>,
    pub body: Vec<Statement>,
}

/// One choice of the parameters of a rule.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub frame: Vec<Bound>,
    /// The parameters, as they are written.
    pub values: Vec<String>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    Nothing,
    Value(i64),
    /// Where its first leaf is.
    Place(usize),
}

#[derive(Clone, Debug)]
pub(super) enum Binder {
    Alias(usize, Aliased),
    /// The slot is chosen with the parameters.
    Choose(usize, Multiset),
}

/// A local variable: its number among the names, and how many leaves it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub local: usize,
    pub width: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Routine {
    pub formals: Vec<Formal>,
    /// How many names it binds.
    pub names: usize,
    pub variables: Vec<Variable>,
    pub body: Vec<Statement>,
    /// Whether it is a function.
    pub returns: bool,
    /// How deep its statements and expressions nest.
    pub nesting: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Formal {
    Reference,
    Value(Target),
}

/// What is stored into: how many leaves, and what they can hold unless that is known to fit.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub width: usize,
    pub domains: Option<Vec<Domain>>,
}

#[derive(Clone, Debug)]
pub(super) struct Place {
    pub base: Base,
    /// Which leaf of it, as far as that is known.
    pub offset: usize,
    pub steps: Vec<Step>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Base {
    State,
    Local(usize),
}

/// A part of an array or multiset.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub index: Expression,
    /// What the index can be; nothing for a slot of a multiset.
    pub domain: Option<Domain>,
    pub width: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Multiset {
    pub place: Place,
    pub count: usize,
    pub width: usize,
}

/// What an alias or a reference stands for.
#[derive(Clone, Debug)]
pub(super) enum Aliased {
    /// The same as another name.
    Name(usize),
    Place(Place),
    Value(Expression),
    /// A record or array that a function returns.
    Whole(Whole, usize),
}

#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub kind: Kind,
    pub span: Span,
}

/// A simple value.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Constant(i64),
    /// What a leaf holds.
    Leaf(Place),
    /// What a name stands for, or what is there.
    Name(usize),
    Call(Box<Call>),
    Not(Box<Expression>),
    Negative(Box<Expression>),
    Binary(Operator, Box<[Expression; 2]>),
    Conditional(Box<[Expression; 3]>),
    Quantified(Box<Quantified>),
    IsUndefined(Box<Expression>),
    IsMember(Box<Expression>, Domain),
    Count(Box<Elements>),
}

#[derive(Clone, Debug)]
pub(super) struct Quantified {
    /// The value at which it stops: true for `exists`.
    pub stop: bool,
    pub local: usize,
    pub range: Range,
    pub body: Expression,
}

#[derive(Clone, Debug)]
pub(super) struct Elements {
    pub multiset: Multiset,
    pub local: usize,
    pub condition: Expression,
}

#[derive(Clone, Debug)]
pub(super) struct Call {
    pub routine: RoutineId,
    pub arguments: Vec<Argument>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Argument {
    Reference(Aliased),
    Value(Expression),
    Whole(Whole, Span),
}

/// A record or an array.
#[derive(Clone, Debug)]
pub(super) enum Whole {
    Place(Place),
    Call(Box<Call>),
    Conditional(Expression, Box<[Whole; 2]>),
    Undefined,
}

#[derive(Clone, Debug)]
pub(super) enum Range {
    Values(Domain),
    Steps { from: Expression, to: Expression, by: i64 },
}

#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub kind: Act,
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Assign(Place, Domain, Expression),
    Copy(Place, Target, Whole),
    If(Vec<(Expression, Vec<Statement>)>, Vec<Statement>),
    Switch(Expression, Vec<(Vec<Expression>, Vec<Statement>)>, Vec<Statement>),
    For(usize, Range, Vec<Statement>),
    While(Expression, Vec<Statement>),
    Alias(usize, Aliased, Vec<Statement>),
    Call(Call),
    Return,
    ReturnValue(Domain, Expression),
    ReturnWhole(Target, Whole),
    Undefine(Place, usize),
    /// The least values of the leaves.
    Clear(Place, Vec<i64>),
    Error(usize),
    Assert(Expression, usize),
    Evaluate(Expression),
    EvaluateWhole(Whole, usize),
    /// The value is simple, or all of a record or an array.
    Add(Multiset, Target, Added),
    Remove(Multiset, Expression),
    RemoveAll(Elements),
}

#[derive(Clone, Debug)]
pub(super) enum Added {
    Value(Expression),
    Whole(Whole),
}
