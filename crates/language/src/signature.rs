//! What a [`System`](crate::System) speaks of: types, and the symbols that make up its state.

use crate::span::Origin;

/// An enumeration of a [`System`](crate::System).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnumerationId(pub u32);

impl EnumerationId {
    /// The predefined type `bool`.
    pub const BOOL: EnumerationId = EnumerationId(0);
}

/// An abstract type of a [`System`](crate::System).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AbstractTypeId(pub u32);

/// A constant, variable or array of a [`System`](crate::System).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// `proc`: the processes.
    Process,
    /// `int`: the integers.
    Integer,
    /// `real`: the rationals (formulas are linear, so these and the reals satisfy the same ones).
    Real,
    /// An enumeration, `bool` included.
    Enumeration(EnumerationId),
    /// An abstract type.
    Abstract(AbstractTypeId),
}

impl Type {
    /// `bool`, an enumeration like the others.
    pub const BOOL: Type = Type::Enumeration(EnumerationId::BOOL);

    /// Whether values are added and multiplied.
    pub fn is_numeric(self) -> bool {
        matches!(self, Type::Integer | Type::Real)
    }
}

/// An enumerated type: its constructors are its values, all different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// Its name.
    pub name: String,
    /// Its values, in the order of the declaration. At least one.
    pub constructors: Vec<String>,
    /// Its declaration.
    pub origin: Origin,
}

impl Enumeration {
    /// Index of `False` in `bool`.
    pub const FALSE: u32 = 0;
    /// Index of `True` in `bool`.
    pub const TRUE: u32 = 1;

    /// The predefined type `bool`.
    pub(crate) fn bool() -> Enumeration {
        let constructors = vec!["False".to_owned(), "True".to_owned()];
        Enumeration { name: "bool".to_owned(), constructors, origin: Origin::default() }
    }
}

/// A type of which nothing is known but that it has infinitely many values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbstractType {
    /// Its name.
    pub name: String,
    /// Its declaration.
    pub origin: Origin,
}

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// One value, unknown but fixed along a run.
    Constant,
    /// One value, which transitions may change.
    Variable,
    /// One value for every tuple of processes, which transitions may change. The processes of a tuple may
    /// coincide.
    Array {
        /// Length of the tuples, at least 1.
        dimensions: usize,
    },
}

/// A part of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The type of its value, or of each of its cells.
    pub ty: Type,
    /// Its name in its declaration.
    pub origin: Origin,
}

impl Symbol {
    /// Number of indices: 0 unless it is an array.
    pub fn dimensions(&self) -> usize {
        match self.kind {
            SymbolKind::Constant | SymbolKind::Variable => 0,
            SymbolKind::Array { dimensions } => dimensions,
        }
    }
}
