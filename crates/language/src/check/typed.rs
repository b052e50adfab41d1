//! A term on its way into a system: with its type, and with its size, so that expansion stays bounded.

use crate::formula::{Linear, Term};
use crate::number::Number;
use crate::signature::Type;

#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub term: Term,
    pub ty: Type,
    pub size: usize,
    /// Nesting of its indices.
    pub depth: usize,
}

impl Typed {
    /// A term of one part.
    pub fn leaf(term: Term, ty: Type) -> Self {
        Typed { term, ty, size: 1, depth: 0 }
    }

    pub fn into_linear(self) -> Linear {
        match self.term {
            Term::Linear(linear) => *linear,
            other => unreachable!("numeric terms are linear, this is {other:?}"),
        }
    }

    pub fn scaled_by(self, factor: &Number) -> Typed {
        let (ty, size, depth) = (self.ty, self.size, self.depth);
        Typed { term: self.into_linear().scaled(factor).into(), ty, size, depth }
    }
}
