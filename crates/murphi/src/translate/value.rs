//! Values as the translation knows them: by cases.
//!
//! A body is run symbolically: the value of an expression is a list of cases, each with a
//! condition on the state before the step. The conditions exclude each other, and wherever the expression is
//! evaluated one of them holds.

use polycube_language::System;
use polycube_language::formula::{Access, Comparison, Formula, Linear, Relation, Term};
use polycube_language::span::Origin;
use polycube_language::system::{EnumerationId, SymbolId, Type as SystemType};

use super::layout::NodeId;
use crate::model::TypeId;

/// What a known value is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Domain {
    Boolean,
    Number,
    /// An enumeration, or a scalarset at its size.
    Type(TypeId),
    /// The slots of a multiset, from 0.
    Slot(NodeId),
}

/// A known value: the number itself; the place among the constants of an enumeration, or the elements of a
/// scalarset; 0 and 1 for `false` and `true`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Constant {
    pub domain: Domain,
    pub number: i64,
}

impl Constant {
    pub const FALSE: Constant = Constant { domain: Domain::Boolean, number: 0 };
    pub const TRUE: Constant = Constant { domain: Domain::Boolean, number: 1 };

    pub fn number(number: i64) -> Constant {
        Constant { domain: Domain::Number, number }
    }
}

/// How values are said in a [`System`](polycube_language::System): an enumeration with one constructor for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Coding {
    pub enumeration: EnumerationId,
    /// In the order of the constructors.
    pub values: Vec<Constant>,
    /// The constructor that says that there is no value.
    pub undefined: Option<u32>,
    /// The constructor that says that the value is a process, which stands elsewhere.
    pub process: Option<u32>,
}

/// A coding: its place in the list of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct CodingId(pub u32);

impl Coding {
    pub fn ty(&self) -> SystemType {
        SystemType::Enumeration(self.enumeration)
    }

    pub fn constructor(&self, index: u32) -> Term {
        Term::Constructor(self.enumeration, index)
    }

    /// The constructor of a value, if it has one here.
    pub fn code(&self, value: Constant) -> Option<Term> {
        let index = self.values.iter().position(|known| *known == value)?;
        Some(self.constructor(u32::try_from(index).expect("few values")))
    }

    pub fn is(&self, term: &Term, constructor: Term) -> Formula {
        compare(term.clone(), Relation::Equal, constructor, self.ty())
    }
}

/// What a value is in one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    Known(Constant),
    /// What a cell of the state holds. Of numbers, it is known in which range they are.
    Cell(CellAtom),
    /// A number that grows with the number of processes, or is computed from one that does: `counter.rs`.
    Number(Linear),
    Process(Term),
    Undefined,
    /// What the last of several iterations has written: not known, and so only good for what nothing reads.
    Last,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellAtom {
    pub term: Term,
    pub coding: CodingId,
    pub range: Option<(i64, i64)>,
    /// Whether it may hold nothing: then it has the constructor for that.
    pub can_be_undefined: bool,
}

/// A value by cases.
pub(super) type Cases = Vec<(Formula, Atom)>;

pub(super) fn known(value: Constant) -> Cases {
    vec![(Formula::TRUE, Atom::Known(value))]
}

/// A condition as a value.
pub(super) fn truth(formula: Formula) -> Cases {
    let cases = [(formula.clone(), Constant::TRUE), (Formula::not(formula), Constant::FALSE)];
    let possible = cases.into_iter().filter(|(condition, _)| *condition != Formula::FALSE);
    possible.map(|(condition, value)| (condition, Atom::Known(value))).collect()
}

/// Joins cases with the same value.
pub(super) fn merged(cases: Cases) -> Cases {
    let mut merged: Cases = Vec::new();
    for (condition, atom) in cases {
        if condition == Formula::FALSE {
            continue;
        }
        match merged.iter_mut().find(|(_, other)| *other == atom) {
            Some((known, _)) => *known = Formula::or([std::mem::replace(known, Formula::FALSE), condition]),
            None => merged.push((condition, atom)),
        }
    }
    merged
}

pub(crate) fn compare(left: Term, relation: Relation, right: Term, ty: SystemType) -> Formula {
    match (&left, &right) {
        _ if left == right => Formula::Constant(matches!(relation, Relation::Equal | Relation::LessEqual)),
        (Term::Constructor(_, one), Term::Constructor(_, other)) if !relation.is_order() => {
            Formula::Constant((one == other) == (relation == Relation::Equal))
        }
        _ => Formula::Compare(Comparison { left, relation, right, ty, origin: Origin::default() }),
    }
}

pub(crate) fn cell(symbol: SymbolId, indices: &[Term]) -> Term {
    Term::Access(Access { symbol, indices: indices.to_vec() })
}

/// The same, whatever its type.
pub(super) fn cell_of(system: &System, symbol: SymbolId, indices: &[Term]) -> Term {
    Term::access(Access { symbol, indices: indices.to_vec() }, system.symbol(symbol).ty)
}
