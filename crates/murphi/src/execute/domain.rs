//! The values of a simple type, as numbers.
//!
//! Numbers and Booleans are themselves. An element of a scalarset or enumeration says of which type it is, so that a
//! union is no special case.

use crate::model::{Model, TypeId, TypeKind};

/// What stands for no value.
pub(super) const UNDEFINED: i64 = i64::MIN;

/// What keeps the elements of different types apart.
const TYPE: i64 = 1 << 32;

/// The values of a simple type, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Domain {
    /// The first value of each piece, and how many there are: one piece, unless it is a union.
    pieces: Vec<(i64, i64)>,
}

/// An element of an enumeration, from 0, or of a scalarset, from 1.
pub(super) fn element(ty: TypeId, at: i64) -> i64 {
    (i64::from(ty.0) + 1) * TYPE + at
}

impl Domain {
    /// The values of a type, if it is simple and they can be listed.
    pub fn of(model: &Model, id: TypeId) -> Option<Domain> {
        let one = |first, count| Some(Domain { pieces: vec![(first, count)] });
        match &model.ty(id).kind {
            TypeKind::Boolean => one(0, 2),
            TypeKind::Range(low, high) => one(low.value, (high.value - low.value + 1).max(0)),
            TypeKind::Enumeration(names) => one(element(id, 0), names.len() as i64),
            TypeKind::Scalarset(size) => one(element(id, 1), size.value),
            TypeKind::Union(members) => {
                let pieces = members.iter().map(|member| Some(Domain::of(model, *member)?.pieces));
                Some(Domain { pieces: pieces.collect::<Option<Vec<_>>>()?.concat() })
            }
            _ => None,
        }
    }

    /// So many numbers.
    #[cfg(test)]
    pub fn numbers(first: i64, count: i64) -> Domain {
        Domain { pieces: vec![(first, count)] }
    }

    /// How many values there are.
    pub fn count(&self) -> i64 {
        self.pieces.iter().map(|(_, count)| count).sum()
    }

    /// Which of them a value is, from 0.
    #[inline]
    pub fn position(&self, value: i64) -> Option<i64> {
        let mut before = 0;
        for &(first, count) in &self.pieces {
            if value >= first && value - first < count {
                return Some(before + value - first);
            }
            before += count;
        }
        None
    }

    /// The value at this place.
    #[inline]
    pub fn value(&self, position: i64) -> i64 {
        let mut left = position;
        for &(first, count) in &self.pieces {
            if left < count {
                return first + left;
            }
            left -= count;
        }
        panic!("there is no value {position} of {self:?}")
    }
}

/// A value of a type as Murphi writes it.
pub(super) fn written(model: &Model, id: TypeId, value: i64) -> String {
    match &model.ty(id).kind {
        TypeKind::Boolean => (value == 1).to_string(),
        TypeKind::Enumeration(names) => names[(value - element(id, 0)) as usize].clone(),
        TypeKind::Scalarset(_) => {
            let name = model.ty(id).name.as_deref().unwrap_or("element");
            format!("{name}_{}", value - element(id, 0))
        }
        TypeKind::Union(members) => {
            let has = |member: &&TypeId| {
                Domain::of(model, **member).is_some_and(|domain| domain.position(value).is_some())
            };
            let member = members.iter().find(has).expect("a value of one of the members");
            written(model, *member, value)
        }
        _ => value.to_string(),
    }
}
