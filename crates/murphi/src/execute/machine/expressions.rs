//! Values, from left to right and no more than is needed; and places.

use super::{MAX_LISTED, Machine, Outcome, What, fail};
use crate::execute::domain::UNDEFINED;
use crate::execute::program::{Base, Bound, Expression, Kind, Multiset, Place, Range};
use crate::model::Operator;

impl Machine<'_> {
    /// The values of a range, while names stand for this; nothing is known of the state.
    pub fn listed(&mut self, range: &Range, frame: &[Bound]) -> Outcome<Vec<i64>> {
        self.memory.truncate(self.size);
        self.names.clear();
        self.names.extend_from_slice(frame);
        (self.base, self.nesting) = (0, 0);
        let mut values = self.values(range)?;
        Ok(std::iter::from_fn(|| values.next(range)).take(MAX_LISTED).collect())
    }

    /// Where the first leaf is.
    pub(super) fn place(&mut self, place: &Place) -> Outcome<usize> {
        let mut at = place.offset;
        if let Base::Local(local) = place.base {
            match self.bound(local) {
                Bound::Place(start) => at += start,
                _ => return fail(What::NoVariable, place.span),
            }
        }
        for step in &place.steps {
            let value = self.used(&step.index)?;
            let position = match &step.domain {
                Some(domain) => match domain.position(value) {
                    Some(position) => position,
                    None => return fail(What::Index, step.index.span),
                },
                None => value,
            };
            at += position as usize * step.width;
        }
        Ok(at)
    }

    /// A simple value, which may be undefined.
    pub(super) fn value(&mut self, expression: &Expression) -> Outcome<i64> {
        Ok(match &expression.kind {
            Kind::Constant(value) => *value,
            Kind::Leaf(place) => {
                let at = self.place(place)?;
                self.load(at)
            }
            Kind::Name(local) => match self.bound(*local) {
                Bound::Value(value) => value,
                Bound::Place(at) => self.load(at),
                Bound::Nothing => unreachable!("a name is bound before it is used"),
            },
            Kind::Call(call) => {
                self.call(call)?;
                self.result
            }
            Kind::Not(inner) => i64::from(!self.condition(inner)?),
            Kind::Negative(inner) => match self.used(inner)?.checked_neg() {
                Some(value) => value,
                None => return fail(What::TooLarge, expression.span),
            },
            Kind::Binary(operator, sides) => self.binary(*operator, &sides[0], &sides[1])?,
            Kind::Conditional(parts) => {
                let [condition, one, other] = &**parts;
                let chosen = if self.condition(condition)? { one } else { other };
                self.value(chosen)?
            }
            Kind::Quantified(quantified) => {
                let mut values = self.values(&quantified.range)?;
                while let Some(value) = values.next(&quantified.range) {
                    self.look()?;
                    self.bind(quantified.local, value);
                    if self.condition(&quantified.body)? == quantified.stop {
                        return Ok(i64::from(quantified.stop));
                    }
                }
                i64::from(!quantified.stop)
            }
            Kind::IsUndefined(inner) => i64::from(self.value(inner)? == UNDEFINED),
            Kind::IsMember(inner, domain) => i64::from(domain.position(self.used(inner)?).is_some()),
            Kind::Count(elements) => {
                let Multiset { place, count, width } = &elements.multiset;
                let (start, mut found) = (self.place(place)?, 0);
                for slot in 0..*count {
                    found += i64::from(self.satisfies(elements, slot, start + slot * width)?);
                }
                found
            }
        })
    }

    pub(super) fn binary(
        &mut self,
        operator: Operator,
        left: &Expression,
        right: &Expression,
    ) -> Outcome<i64> {
        let one = self.used(left)?;
        match operator {
            Operator::And if one == 0 => return Ok(0),
            Operator::Or if one == 1 => return Ok(1),
            Operator::Implies if one == 0 => return Ok(1),
            _ => {}
        }
        let other = self.used(right)?;
        let computed = match operator {
            Operator::And | Operator::Or | Operator::Implies => return Ok(other),
            Operator::Equal => return Ok(i64::from(one == other)),
            Operator::NotEqual => return Ok(i64::from(one != other)),
            Operator::Less => return Ok(i64::from(one < other)),
            Operator::LessEqual => return Ok(i64::from(one <= other)),
            Operator::Greater => return Ok(i64::from(one > other)),
            Operator::GreaterEqual => return Ok(i64::from(one >= other)),
            Operator::Divide | Operator::Remainder if other == 0 => {
                return fail(What::Division, left.span.to(right.span));
            }
            Operator::Add => one.checked_add(other),
            Operator::Subtract => one.checked_sub(other),
            Operator::Multiply => one.checked_mul(other),
            Operator::Divide => one.checked_div(other),
            Operator::Remainder => one.checked_rem(other),
        };
        match computed {
            Some(value) if value != UNDEFINED => Ok(value),
            _ => fail(What::TooLarge, left.span.to(right.span)),
        }
    }

    /// A simple value that is used: to be undefined is an error.
    pub(super) fn used(&mut self, expression: &Expression) -> Outcome<i64> {
        match self.value(expression)? {
            UNDEFINED => fail(What::Undefined, expression.span),
            value => Ok(value),
        }
    }

    pub(super) fn condition(&mut self, expression: &Expression) -> Outcome<bool> {
        Ok(self.used(expression)? == 1)
    }

    pub(super) fn values(&mut self, range: &Range) -> Outcome<Values> {
        Ok(match range {
            Range::Values(domain) => Values { next: 0, last: domain.count() - 1 },
            Range::Steps { from, to, .. } => Values { next: self.used(from)?, last: self.used(to)? },
        })
    }
}

/// The values of a range that are still to come.
pub(super) struct Values {
    next: i64,
    last: i64,
}

impl Values {
    pub(super) fn next(&mut self, range: &Range) -> Option<i64> {
        let by = match range {
            Range::Values(_) => 1,
            Range::Steps { by, .. } => *by,
        };
        if if by > 0 { self.next > self.last } else { self.next < self.last } {
            return None;
        }
        let value = self.next;
        self.next = self.next.saturating_add(by);
        // A range that ends with the largest number would not end.
        if self.next == value {
            self.last = if by > 0 { i64::MIN } else { i64::MAX };
        }
        Some(match range {
            Range::Values(domain) => domain.value(value),
            Range::Steps { .. } => value,
        })
    }
}
