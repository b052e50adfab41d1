//! Domains: which values a slot can hold in an instance, and the codes that stand for them in a packed state.

use std::ops::RangeInclusive;

use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::system::{Symbol, Type};

use super::values::ValueSets;

/// The values that the slots of a symbol can hold. A packed state stores codes from 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    /// Constructors of an enumeration, processes, or abstract values: code `c` stands for `values[c]`.
    /// Strictly increasing, not empty.
    Finite(Vec<u32>),
    /// Numbers: code `c` stands for `(c + low) / scale`.
    Numbers(NumberFormat),
}

/// How numbers of a type are stored: as multiples of `1 / scale` from `low / scale` on, in this many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberFormat {
    /// Width of a slot, 1 to [`NumberFormat::MAX_BITS`].
    pub(crate) bits: u32,
    /// The number of steps between 0 and 1; 1 for integers.
    pub(crate) scale: i64,
}

impl NumberFormat {
    /// The widest slot: sums of products of codes and coefficients stay far within 128 bits.
    pub(crate) const MAX_BITS: u32 = 62;
    pub(crate) const MAX_SCALE: i64 = 1 << 40;

    /// The smallest number of steps that can be stored.
    pub(crate) fn low(self) -> i64 {
        -(1 << (self.bits - 1))
    }

    /// The code of a number of steps, if it can be stored.
    pub(crate) fn code(self, steps: i128) -> Option<u64> {
        let code = steps - i128::from(self.low());
        u64::try_from(code).ok().filter(|code| code >> self.bits == 0)
    }

    pub(crate) fn number(self, code: u64) -> Number {
        let code = i64::try_from(code).expect("a code takes at most 62 bits");
        let steps = Number::from(code + self.low());
        if self.scale == 1 { steps } else { steps.divided_by(&Number::from(self.scale)) }
    }

    /// A number in steps; none if it lies between two of them, or far away.
    pub(crate) fn steps(self, number: &Number) -> Option<i128> {
        let (numerator, denominator) = number.to_ratio()?;
        let scaled = numerator.checked_mul(i128::from(self.scale))?;
        (scaled % denominator == 0).then(|| scaled / denominator)
    }
}

/// How numbers are stored in one attempt at an exploration. What does not fit ends the attempt; the next one
/// stores them wider. So small numbers take little room, and none is ever wrapped or rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Precision {
    pub(crate) integer: NumberFormat,
    pub(crate) real: NumberFormat,
}

/// Why a number cannot be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unstorable {
    Far,
    /// It is not a multiple of `1 / scale`: the scale would have to be this many times finer.
    Between(i64),
}

impl Precision {
    /// A first guess for numbers like these: room for their sums.
    pub(crate) fn for_numbers(numbers: &[Number]) -> Option<Precision> {
        let scale = numbers
            .iter()
            .try_fold(1, |scale, number| finer(scale, i64::try_from(number.to_ratio()?.1).ok()?))?;
        let mut precision =
            Precision { integer: NumberFormat { bits: 5, scale: 1 }, real: NumberFormat { bits: 5, scale } };
        for number in numbers {
            let (numerator, denominator) = number.to_ratio()?;
            let steps = numerator.checked_mul(2)?.checked_mul(i128::from(scale))?;
            for (format, steps) in [
                (&mut precision.integer, numerator / denominator * 2),
                (&mut precision.real, steps / denominator),
            ] {
                while format.code(steps).is_none() {
                    format.bits += 1;
                    if format.bits > NumberFormat::MAX_BITS {
                        return None;
                    }
                }
            }
        }
        Some(precision)
    }

    /// The next attempt, after a number of this type could not be stored; none if nothing wider is left.
    #[must_use]
    pub(crate) fn widened(mut self, ty: Type, why: Unstorable) -> Option<Precision> {
        let format = if ty == Type::Real { &mut self.real } else { &mut self.integer };
        match why {
            Unstorable::Far if format.bits == NumberFormat::MAX_BITS => return None,
            Unstorable::Far => format.bits = (format.bits * 2).min(NumberFormat::MAX_BITS),
            Unstorable::Between(factor) => {
                format.scale =
                    format.scale.checked_mul(factor).filter(|&scale| scale <= NumberFormat::MAX_SCALE)?;
                format.bits = (format.bits + 64 - factor.leading_zeros()).min(NumberFormat::MAX_BITS);
            }
        }
        Some(self)
    }

    pub(crate) fn format(&self, ty: Type) -> NumberFormat {
        if ty == Type::Real { self.real } else { self.integer }
    }
}

/// The least common multiple, as far as scales go.
fn finer(scale: i64, denominator: i64) -> Option<i64> {
    let product = scale.checked_mul(denominator / gcd(scale, denominator))?;
    (product <= NumberFormat::MAX_SCALE).then_some(product)
}

/// The greatest common divisor of positive numbers.
pub(crate) fn gcd(left: i64, right: i64) -> i64 {
    if right == 0 { left } else { gcd(right, left % right) }
}

/// What bounds the types that have infinitely many values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The values of an `int` or `real` that may be anything.
    pub numbers: RangeInclusive<i64>,
    /// How many values an abstract type has.
    pub values: u32,
}

impl Bounds {
    /// The most values an abstract type may have.
    pub const MAX_VALUES: u32 = 64;
    /// The most values that [`Bounds::numbers`] may have.
    pub const MAX_RANGE: u64 = 1 << 16;
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { numbers: 0..=3, values: 2 }
    }
}

impl Domain {
    pub(crate) fn of_symbols(
        system: &System,
        processes: u32,
        bounds: &Bounds,
        precision: &Precision,
    ) -> Vec<Domain> {
        let sets = ValueSets::new(system);
        let of_symbol = |(at, symbol): (usize, &Symbol)| match symbol.ty {
            Type::Process => Domain::Finite((0..processes).collect()),
            Type::Abstract(_) => Domain::Finite((0..bounds.values).collect()),
            Type::Enumeration(_) => Domain::Finite(sets.of_symbol(at)),
            Type::Integer | Type::Real => Domain::Numbers(precision.format(symbol.ty)),
        };
        system.symbols.iter().enumerate().map(of_symbol).collect()
    }

    /// The width of a slot in bits; 0 if there is only one value.
    pub(crate) fn bits(&self) -> u32 {
        match self {
            Domain::Finite(values) => usize::BITS - (values.len() - 1).leading_zeros(),
            Domain::Numbers(format) => format.bits,
        }
    }

    /// The code of a value of a finite domain; none if it is not in the domain.
    pub(crate) fn code(&self, value: u32) -> Option<u64> {
        let Domain::Finite(values) = self else { return None };
        values.binary_search(&value).ok().map(|code| code as u64)
    }

    /// The number of steps that code 0 stands for; 0 if it is not about numbers.
    pub(crate) fn low(&self) -> i64 {
        match self {
            Domain::Finite(_) => 0,
            Domain::Numbers(format) => format.low(),
        }
    }

    /// The number of values of a finite domain.
    pub(crate) fn size(&self) -> Option<usize> {
        match self {
            Domain::Finite(values) => Some(values.len()),
            Domain::Numbers(_) => None,
        }
    }
}
