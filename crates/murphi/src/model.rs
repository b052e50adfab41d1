//! A Murphi model whose names and types are known: what the translation works on.
//!
//! Constant expressions are numbers here. Each number knows the constants of the file that it was computed from,
//! so that it can be told what depends on the number of processes.

use std::collections::{BTreeMap, BTreeSet};

use polycube_language::formula::Quantifier;
use polycube_language::span::Span;

pub use crate::syntax::Operator;

/// A model without mistakes.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The constants that are given by a number, not computed from others.
    pub constants: Vec<Constant>,
    /// All types, named or not.
    pub types: Vec<Type>,
    /// The variables that make up the state.
    pub globals: Vec<Variable>,
    /// Functions and procedures.
    pub routines: Vec<Routine>,
    /// The rules, one by one: what stood around them is part of each.
    pub rules: Vec<Rule>,
    /// The start states.
    pub starts: Vec<Rule>,
    /// The invariants.
    pub invariants: Vec<Invariant>,
}

/// A constant that is a number in the file.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value: that of the file, or the one that was asked for.
    pub value: i64,
    /// Its declaration.
    pub span: Span,
}

/// A constant that is given by a number: its place in [`Model::constants`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstantId(pub u32);

/// A type: its place in [`Model::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// A function or procedure: its place in [`Model::routines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoutineId(pub u32);

/// A name that is bound inside a rule or routine: its place in [`Frame::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub u32);

/// A number, and the constants that it was computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number.
    pub value: i64,
    /// Where it comes from.
    pub constants: BTreeSet<ConstantId>,
    /// By how much it grows with each of these, if that is always the same.
    pub growth: Option<BTreeMap<ConstantId, i64>>,
}

/// A type.
#[derive(Clone, Debug)]
pub struct Type {
    /// The name under which it was first declared; none for a type that is written where it is used.
    pub name: Option<String>,
    /// What its values are.
    pub kind: TypeKind,
    /// Where it is written.
    pub span: Span,
}

/// What the values of a type are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `boolean`
    Boolean,
    /// Numbers without bounds: what arithmetic gives. No variable has this type.
    Integer,
    /// `low..high`
    Range(Size, Size),
    /// The names of its values.
    Enumeration(Vec<String>),
    /// `scalarset(n)`
    Scalarset(Size),
    /// Scalarsets, ranges and enumerations.
    Union(Vec<TypeId>),
    /// Names and types of its fields.
    Record(Vec<(String, TypeId)>),
    /// `array [index] of element`
    Array {
        /// A simple type.
        index: TypeId,
        /// The type of each cell.
        element: TypeId,
    },
    /// `multiset [size] of element`
    Multiset {
        /// How many there are at most.
        size: Size,
        /// The type of each.
        element: TypeId,
    },
    /// The index of an element of a multiset of this type. No variable has this type.
    Slot(TypeId),
    /// Something that has been reported.
    Error,
}

/// A variable of the state.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Its declaration.
    pub span: Span,
}

/// The names that a rule or routine binds.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// All of them, in the order of the text.
    pub locals: Vec<Local>,
}

/// A name that a rule or routine binds.
#[derive(Clone, Debug)]
pub struct Local {
    /// The name.
    pub name: String,
    /// The type of what it stands for.
    pub ty: TypeId,
    /// Where it is bound.
    pub span: Span,
}

/// A function or procedure.
#[derive(Clone, Debug)]
pub struct Routine {
    /// Its name.
    pub name: String,
    /// Its parameters, which are the first of its locals, and whether they are references.
    pub formals: Vec<Formal>,
    /// The type of its result, if it is a function.
    pub result: Option<TypeId>,
    /// What its body binds.
    pub frame: Frame,
    /// Its local variables, which start undefined.
    pub variables: Vec<LocalId>,
    /// What it does.
    pub body: Vec<Statement>,
    /// Its name in its declaration.
    pub span: Span,
}

/// A parameter of a routine.
#[derive(Clone, Debug)]
pub struct Formal {
    /// What the body calls it.
    pub local: LocalId,
    /// `var`: it is another name for the argument.
    pub is_reference: bool,
}

/// A rule or a start state.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name, if it has one.
    pub name: Option<String>,
    /// What the rulesets and aliases around it bind, from the outside in.
    pub binders: Vec<Binder>,
    /// When it is possible.
    pub guard: Option<Expr>,
    /// What it and what is around it binds.
    pub frame: Frame,
    /// Its local variables, which start undefined.
    pub variables: Vec<LocalId>,
    /// What it does.
    pub body: Vec<Statement>,
    /// The whole rule.
    pub span: Span,
}

/// A property of all states.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The name, if it has one.
    pub name: Option<String>,
    /// What the rulesets and aliases around it bind, from the outside in.
    pub binders: Vec<Binder>,
    /// What it and what is around it binds.
    pub frame: Frame,
    /// What holds.
    pub formula: Expr,
    /// The whole clause.
    pub span: Span,
}

/// What a ruleset or alias around a rule binds.
#[derive(Clone, Debug)]
pub enum Binder {
    /// Each value of a range.
    Each(LocalId, Range),
    /// A place or a value.
    Alias(LocalId, Expr),
    /// Each of the different elements of a multiset, by its index.
    Choose(LocalId, Place),
}

/// What a bound name ranges over.
#[derive(Clone, Debug)]
pub enum Range {
    /// All values of a type.
    Type(TypeId),
    /// From one number to another.
    Steps {
        /// The first.
        from: Expr,
        /// The last, unless steps miss it.
        to: Expr,
        /// From each to the next; not zero.
        by: Box<Size>,
    },
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it is written.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `target := value`
    Assign(Place, Expr),
    /// The first branch whose condition holds, else the last part.
    If(Vec<(Expr, Vec<Statement>)>, Vec<Statement>),
    /// The first case with an equal value, else the last part.
    Switch(Expr, Vec<(Vec<Expr>, Vec<Statement>)>, Vec<Statement>),
    /// The body, for each value in turn.
    For(LocalId, Range, Vec<Statement>),
    /// The body, as long as the condition holds.
    While(Expr, Vec<Statement>),
    /// The body, in which a name stands for a place or value.
    Alias(LocalId, Expr, Vec<Statement>),
    /// A procedure, or a function whose result is not used.
    Call(RoutineId, Vec<Expr>),
    /// Ends the routine, or the rule.
    Return(Option<Expr>),
    /// All parts become undefined.
    Undefine(Place),
    /// All parts get their least value.
    Clear(Place),
    /// An error, with its text.
    Error(Option<String>),
    /// An error unless the condition holds.
    Assert(Expr, Option<String>),
    /// A value is shown: nothing happens, but finding it may go wrong.
    Put(Expr),
    /// A multiset gets one more element.
    MultisetAdd(Place, Expr),
    /// A multiset loses the element with this index.
    MultisetRemove(Place, Expr),
    /// A multiset loses the elements for which the condition holds.
    MultisetRemovePred(Elements),
}

/// The elements of a multiset for which a condition holds.
#[derive(Clone, Debug)]
pub struct Elements {
    /// The multiset.
    pub multiset: Place,
    /// What the condition calls the index of an element.
    pub index: LocalId,
    /// What holds for these elements.
    pub condition: Expr,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: TypeId,
    /// Where it is written.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Integer(Size),
    /// `true` or `false`
    Boolean(bool),
    /// A value of an enumeration.
    Constant(TypeId, u32),
    /// The value at a place.
    Place(Place),
    /// The result of a function.
    Call(RoutineId, Vec<Expr>),
    /// `!a`
    Not(Box<Expr>),
    /// `-a`
    Negative(Box<Expr>),
    /// `a op b`
    Binary(Operator, Box<[Expr; 2]>),
    /// `c ? a : b`
    Conditional(Box<[Expr; 3]>),
    /// For all or some values of a range.
    Quantified(Quantifier, LocalId, Box<Range>, Box<Expr>),
    /// Whether there is no value.
    IsUndefined(Place),
    /// Whether a value of a union is one of a member of it.
    IsMember(Box<Expr>, TypeId),
    /// No value.
    Undefined,
    /// How many elements of a multiset there are for which a condition holds.
    MultisetCount(Box<Elements>),
    /// Something that has been reported.
    Error,
}

/// A variable, or a part of it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub base: Base,
    /// Which part of it.
    pub selectors: Vec<Selector>,
    /// The type of the part.
    pub ty: TypeId,
    /// Where it is written.
    pub span: Span,
}

/// What a place is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// A variable of the state: its place in [`Model::globals`].
    Global(u32),
    /// A local variable, parameter, alias, or bound name.
    Local(LocalId),
}

/// A step from a variable to a part of it.
#[derive(Clone, Debug)]
pub enum Selector {
    /// A field of a record, by its number.
    Field(usize),
    /// A cell of an array.
    Index(Expr),
}

impl TypeId {
    /// `boolean`
    pub const BOOLEAN: TypeId = TypeId(0);
    /// Numbers without bounds.
    pub const INTEGER: TypeId = TypeId(1);
    /// Of something that has been reported.
    pub const ERROR: TypeId = TypeId(2);
}

impl Model {
    /// The type with this number.
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// The routine with this number.
    pub fn routine(&self, id: RoutineId) -> &Routine {
        &self.routines[id.0 as usize]
    }

    /// What is said of a type, given what is said of the types of its parts. Each type is looked at once: it may be a part
    /// of others in more ways than can be counted.
    pub fn measured<T: Copy>(&self, id: TypeId, said: impl Fn(&TypeKind, &dyn Fn(TypeId) -> T) -> T) -> T {
        let parts = |id: TypeId| match &self.ty(id).kind {
            TypeKind::Record(fields) => fields.iter().map(|(_, ty)| *ty).collect(),
            TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. } => vec![*element],
            _ => Vec::new(),
        };
        let (mut all, mut next) = (BTreeSet::from([id]), vec![id]);
        while let Some(id) = next.pop() {
            next.extend(parts(id).into_iter().filter(|part| all.insert(*part)));
        }
        // A type is declared after those of its parts, so it has a larger number.
        let mut known: BTreeMap<TypeId, T> = BTreeMap::new();
        for id in all {
            let one = said(&self.ty(id).kind, &|part| known[&part]);
            known.insert(id, one);
        }
        known[&id]
    }

    /// Whether a type is a multiset, or has parts that are.
    pub fn has_multiset(&self, id: TypeId) -> bool {
        self.measured(id, |kind, of| match kind {
            TypeKind::Multiset { .. } => true,
            TypeKind::Record(fields) => fields.iter().any(|(_, ty)| of(*ty)),
            TypeKind::Array { element, .. } => of(*element),
            _ => false,
        })
    }

    /// How messages call a type.
    pub fn type_name(&self, id: TypeId) -> String {
        let ty = self.ty(id);
        if let Some(name) = &ty.name {
            return format!("`{name}`");
        }
        match &ty.kind {
            TypeKind::Boolean => "`boolean`".to_owned(),
            TypeKind::Integer => "a number".to_owned(),
            TypeKind::Range(low, high) => format!("`{}..{}`", low.value, high.value),
            TypeKind::Enumeration(_) => "an enumeration".to_owned(),
            TypeKind::Scalarset(size) => format!("`scalarset({})`", size.value),
            TypeKind::Union(_) => "a union".to_owned(),
            TypeKind::Record(_) => "a record".to_owned(),
            TypeKind::Array { .. } => "an array".to_owned(),
            TypeKind::Multiset { .. } => "a multiset".to_owned(),
            TypeKind::Slot(_) => "the index of an element".to_owned(),
            TypeKind::Error => "something unknown".to_owned(),
        }
    }
}

impl Size {
    /// A number that depends on nothing.
    pub fn fixed(value: i64) -> Size {
        Size { value, constants: BTreeSet::new(), growth: Some(BTreeMap::new()) }
    }

    /// The value of a constant of the file.
    pub fn of_constant(id: ConstantId, value: i64) -> Size {
        Size { value, constants: [id].into(), growth: Some([(id, 1)].into()) }
    }

    /// What is computed from two numbers.
    pub fn computed(operator: Operator, value: i64, left: &Size, right: &Size) -> Size {
        let constants = left.constants.union(&right.constants).copied().collect();
        Size { value, constants, growth: Size::growth(operator, left, right) }
    }

    fn growth(operator: Operator, left: &Size, right: &Size) -> Option<BTreeMap<ConstantId, i64>> {
        let (one, other) = (left.growth.as_ref()?, right.growth.as_ref()?);
        let (left_factor, right_factor) = match operator {
            Operator::Add => (1, 1),
            Operator::Subtract => (1, -1),
            Operator::Multiply if right.constants.is_empty() => (right.value, 0),
            Operator::Multiply if left.constants.is_empty() => (0, left.value),
            _ if left.constants.is_empty() && right.constants.is_empty() => (0, 0),
            _ => return None,
        };
        let mut sum: BTreeMap<ConstantId, i64> = BTreeMap::new();
        for (growth, factor) in [(one, left_factor), (other, right_factor)] {
            for (constant, by) in growth {
                let known = sum.entry(*constant).or_default();
                *known = known.checked_add(by.checked_mul(factor)?)?;
            }
        }
        Some(sum)
    }
}
