//! Exact numbers: the constants and coefficients of a model.

use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use dashu_int::ops::{Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// An exact rational number of any size. In terms of type `int` it is always an integer.
///
/// Every number of a model is a finite decimal, and sums and products keep that: so each can be written down
/// exactly.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(RBig);

impl Number {
    /// Zero.
    pub const ZERO: Number = Number(RBig::ZERO);
    /// One.
    pub const ONE: Number = Number(RBig::ONE);

    /// Reads `12` or `1.50`: digits, and perhaps a point among or behind them.
    pub fn parse(digits: &str) -> Option<Number> {
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let numerator = UBig::from_str_radix(&format!("{whole}{fraction}"), 10).ok()?;
        let denominator = UBig::from(10u8).pow(fraction.len());
        Some(Number(RBig::from_parts(IBig::from(numerator), denominator)))
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == RBig::ZERO
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.0 < RBig::ZERO
    }

    /// Whether it has no fractional part.
    pub fn is_integer(&self) -> bool {
        self.0.is_int()
    }

    /// The largest integer that is not above it.
    #[must_use]
    pub(crate) fn floor(&self) -> Number {
        Number(RBig::from(self.0.floor()))
    }

    /// Its absolute value.
    #[must_use]
    pub fn abs(&self) -> Number {
        if self.is_negative() { -self.clone() } else { self.clone() }
    }

    /// Numerator and denominator in lowest terms (the denominator is positive), where both fit.
    pub fn to_ratio(&self) -> Option<(i128, i128)> {
        Some((self.0.numerator().try_into().ok()?, self.0.denominator().try_into().ok()?))
    }

    /// As a number of the crate that does the arithmetic.
    pub fn as_ratio(&self) -> &RBig {
        &self.0
    }

    /// From a number of the crate that does the arithmetic.
    pub fn from_ratio(ratio: RBig) -> Number {
        Number(ratio)
    }

    /// How much room it takes: the number of bits of numerator and denominator.
    pub fn size(&self) -> usize {
        use dashu_int::ops::BitTest;
        self.0.numerator().bit_len() + self.0.denominator().bit_len()
    }

    /// Roughly how many digits it takes to write it down.
    pub(crate) fn digits(&self) -> usize {
        self.size() * 3 / 10
    }

    /// `self / other`; `other` is not zero. The quotient need not be a finite decimal.
    #[must_use]
    pub fn divided_by(&self, other: &Number) -> Number {
        Number(&self.0 / &other.0)
    }

    /// The largest number of which all these are integer multiples; one if there is none but zero.
    pub fn common_divisor<'n>(numbers: impl IntoIterator<Item = &'n Number>) -> Number {
        let (mut above, mut below) = (UBig::ZERO, UBig::ONE);
        for Number(ratio) in numbers {
            let (numerator, denominator) =
                (ratio.numerator().clone().unsigned_abs(), ratio.denominator().clone());
            // Of a/b and c/d it is gcd(a*d, c*b) / (b*d), in lowest terms.
            above = match above == UBig::ZERO {
                true => numerator * &below,
                false if numerator == UBig::ZERO => above * &denominator,
                false => (above * &denominator).gcd(&(numerator * &below)),
            };
            below *= denominator;
            let ratio = RBig::from_parts(IBig::from(above), below);
            (above, below) = (ratio.numerator().clone().unsigned_abs(), ratio.denominator().clone());
        }
        if above == UBig::ZERO { Number::ONE } else { Number(RBig::from_parts(IBig::from(above), below)) }
    }

    /// As a decimal with a point, for terms of type `real`. Every number of a model is one; what is none is
    /// written as a fraction.
    pub fn to_decimal(&self) -> String {
        use dashu_int::ops::BitTest;
        let (mut digits, mut places) = (self.0.clone(), 0usize);
        // A decimal has a denominator of twos and fives, and no more places than these.
        let most = self.0.denominator().bit_len();
        while !digits.is_int() {
            if places == most {
                return self.to_string();
            }
            digits *= RBig::from(10u8);
            places += 1;
        }
        let text = digits.numerator().to_string();
        let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |text| ("-", text));
        let padded = format!("{text:0>width$}", width = places + 1);
        let (whole, fraction) = padded.split_at(padded.len() - places);
        format!("{sign}{whole}.{}", if fraction.is_empty() { "0" } else { fraction })
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number(RBig::from(value))
    }
}

impl Add<&Number> for Number {
    type Output = Number;

    fn add(self, other: &Number) -> Number {
        Number(self.0 + &other.0)
    }
}

impl Sub<&Number> for Number {
    type Output = Number;

    fn sub(self, other: &Number) -> Number {
        Number(self.0 - &other.0)
    }
}

impl Mul<&Number> for Number {
    type Output = Number;

    fn mul(self, other: &Number) -> Number {
        Number(self.0 * &other.0)
    }
}

impl Neg for Number {
    type Output = Number;

    fn neg(self) -> Number {
        Number(-self.0)
    }
}

impl fmt::Display for Number {
    /// As an integer where it is one, as a fraction otherwise.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_divisors() {
        let number = |above: i64, below: i64| Number::from(above).divided_by(&Number::from(below));
        let divisor = |numbers: &[Number]| Number::common_divisor(numbers);
        assert_eq!(divisor(&[]), Number::ONE);
        assert_eq!(divisor(&[Number::ZERO]), Number::ONE);
        assert_eq!(divisor(&[Number::from(4), Number::ZERO, Number::from(-6)]), Number::from(2));
        assert_eq!(divisor(&[number(1, 2), number(1, 3)]), number(1, 6));
        assert_eq!(divisor(&[Number::ZERO, number(3, 2), number(9, 4)]), number(3, 4));
    }

    #[test]
    fn decimals_are_exact() {
        for (digits, decimal) in
            [("1.", "1.0"), ("0.50", "0.5"), ("007", "7.0"), ("0.001", "0.001"), ("12.25", "12.25")]
        {
            assert_eq!(Number::parse(digits).unwrap().to_decimal(), decimal);
        }
        let third = Number::parse("0.1").unwrap() * &Number::from(3);
        assert_eq!((-third).to_decimal(), "-0.3");
        assert_eq!(Number::from(-5).divided_by(&Number::from(3)).to_decimal(), "-5/3");
        assert_eq!(Number::ONE.divided_by(&Number::from(1 << 40)).to_decimal().len(), 42);
        let large = Number::parse("123456789012345678901234567890123456789012345").unwrap();
        assert_eq!(large.to_string(), "123456789012345678901234567890123456789012345");
        assert_eq!(large.to_ratio(), None);
        assert_eq!(Number::parse("2.5").unwrap().to_ratio(), Some((5, 2)));
    }
}
