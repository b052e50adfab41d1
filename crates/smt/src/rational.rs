//! Rational numbers: exact, of any size, and fast while they are small.

use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroI64;
use std::ops::{Add, Div, Mul, Neg, Sub};

use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// An exact rational number. Equal numbers have equal representations.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Representation);

/// Always [`Small`](Representation::Small) where numerator and denominator fit, so that equality and hash can
/// be those of the representation. 16 bytes: the denominator, which is never zero, tells the two apart.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Representation {
    /// In lowest terms, with a positive denominator.
    Small(i64, NonZeroI64),
    Big(Box<RBig>),
}

use Representation::{Big, Small};

/// The denominator of an integer.
const UNIT: NonZeroI64 = NonZeroI64::new(1).expect("one is not zero");

impl Rational {
    pub const ZERO: Rational = Rational::integer(0);
    pub const ONE: Rational = Rational::integer(1);

    const fn integer(value: i64) -> Rational {
        Rational(Small(value, UNIT))
    }

    /// `numerator / denominator`; the denominator is not zero.
    pub fn new(numerator: i128, denominator: i128) -> Rational {
        assert!(denominator != 0, "the denominator of a rational number is zero");
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let top = numerator.unsigned_abs() / divisor;
        let bottom = denominator.unsigned_abs() / divisor;
        let is_negative = (numerator < 0) != (denominator < 0);
        if let (Ok(top), Ok(bottom)) = (i64::try_from(top), i64::try_from(bottom))
            && let Some(bottom) = NonZeroI64::new(bottom)
        {
            return Rational(Small(if is_negative { -top } else { top }, bottom));
        }
        let top = if is_negative { -IBig::from(top) } else { IBig::from(top) };
        Rational::from_big(RBig::from_parts(top, UBig::from(bottom)))
    }

    pub fn from_ratio(ratio: &RBig) -> Rational {
        Rational::small(ratio).unwrap_or_else(|| Rational(Big(Box::new(ratio.clone()))))
    }

    #[cold]
    fn from_big(ratio: RBig) -> Rational {
        Rational::small(&ratio).unwrap_or_else(|| Rational(Big(Box::new(ratio))))
    }

    /// The same number, if numerator and denominator fit.
    fn small(ratio: &RBig) -> Option<Rational> {
        let numerator = i64::try_from(ratio.numerator()).ok()?;
        let denominator = i64::try_from(ratio.denominator()).ok()?;
        Some(Rational(Small(numerator, NonZeroI64::new(denominator)?)))
    }

    pub fn to_ratio(&self) -> RBig {
        match &self.0 {
            Small(numerator, denominator) => {
                RBig::from_parts(IBig::from(*numerator), UBig::from(denominator.get().unsigned_abs()))
            }
            Big(ratio) => RBig::clone(ratio),
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }

    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small(_, denominator) => *denominator == UNIT,
            Big(ratio) => ratio.is_int(),
        }
    }

    /// -1, 0 or 1, as it is below, equal to or above zero.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            // Its range is that of an i32.
            Small(numerator, _) => numerator.signum() as i32,
            Big(ratio) if **ratio < RBig::ZERO => -1,
            Big(_) => 1,
        }
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Whether it is above zero.
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// The denominator, in lowest terms; it is positive.
    #[must_use]
    pub fn denominator(&self) -> Rational {
        match &self.0 {
            Small(_, denominator) => Rational::integer(denominator.get()),
            Big(ratio) => Rational::from_big(RBig::from(ratio.denominator().clone())),
        }
    }

    /// The number as a small integer, if it is one.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small(numerator, UNIT) => Some(*numerator),
            _ => None,
        }
    }

    /// A number near it: for choices where a wrong one does no harm.
    pub(crate) fn to_nearby_f64(&self) -> f64 {
        match &self.0 {
            Small(numerator, denominator) => *numerator as f64 / denominator.get() as f64,
            Big(ratio) => ratio.to_f64().value(),
        }
    }

    /// The largest integer that is not above it.
    #[must_use]
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Small(numerator, denominator) => Rational::integer(numerator.div_euclid(denominator.get())),
            Big(ratio) => Rational::from_big(RBig::from(ratio.floor())),
        }
    }

    /// The smallest integer that is not below it.
    pub(crate) fn ceil(&self) -> Rational {
        match &self.0 {
            Small(_, UNIT) => self.clone(),
            // Above one, a denominator leaves room: the floor is not the largest number there is.
            Small(numerator, denominator) => Rational::integer(numerator.div_euclid(denominator.get()) + 1),
            Big(ratio) => Rational::from_big(RBig::from(ratio.ceil())),
        }
    }

    #[must_use]
    pub fn abs(&self) -> Rational {
        if self.is_negative() { -self } else { self.clone() }
    }

    pub(crate) fn reciprocal(&self) -> Rational {
        &Rational::ONE / self
    }

    /// The largest number of which both are integer multiples; zero where both are zero.
    ///
    /// For integers it is the greatest common divisor. Numbers divided by the `gcd` of them all are integers
    /// without a common divisor.
    pub(crate) fn gcd(&self, other: &Rational) -> Rational {
        match (self.to_i64(), other.to_i64()) {
            (Some(left), Some(right)) => {
                let divisor = gcd_of_words(left.unsigned_abs(), right.unsigned_abs());
                Rational::new(i128::from(divisor), 1)
            }
            _ if self.is_zero() => other.abs(),
            _ if other.is_zero() => self.abs(),
            _ => {
                let (left, right) = (self.to_ratio(), other.to_ratio());
                let top = left.numerator().gcd(right.numerator());
                let divisor = left.denominator().gcd(right.denominator());
                Rational::from_big(RBig::from_parts(
                    IBig::from(top),
                    left.denominator() / divisor * right.denominator(),
                ))
            }
        }
    }
}

fn gcd(left: u128, right: u128) -> u128 {
    let (mut left, mut right) = (left, right);
    while right != 0 {
        if let (Ok(left), Ok(right)) = (u64::try_from(left), u64::try_from(right)) {
            return u128::from(gcd_of_words(left, right));
        }
        (left, right) = (right, left % right);
    }
    left
}

/// The same for numbers that the processor divides in one instruction.
fn gcd_of_words(left: u64, right: u64) -> u64 {
    let (mut left, mut right) = (left, right);
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

impl From<i64> for Rational {
    fn from(value: i64) -> Rational {
        Rational::integer(value)
    }
}

impl Default for Rational {
    fn default() -> Rational {
        Rational::ZERO
    }
}

/// The result of an operation: on small integers, where it is one; on small fractions `a / b` and `c / d`, as
/// numerator and denominator; on any numbers.
#[inline]
fn operate(
    left: &Rational,
    right: &Rational,
    integers: impl Fn(i64, i64) -> Option<i64>,
    fractions: impl Fn([i128; 4]) -> (i128, i128),
    any: impl Fn(RBig, RBig) -> RBig,
) -> Rational {
    let (Small(a, b), Small(c, d)) = (&left.0, &right.0) else {
        return Rational::from_big(any(left.to_ratio(), right.to_ratio()));
    };
    if (*b, *d) == (UNIT, UNIT)
        && let Some(result) = integers(*a, *c)
    {
        return Rational::integer(result);
    }
    // A product of two of them is at most 2^63 * (2^63 - 1) in size, so a sum of two products is below 2^127.
    let (numerator, denominator) = fractions([*a, b.get(), *c, d.get()].map(i128::from));
    Rational::new(numerator, denominator)
}

impl Add for &Rational {
    type Output = Rational;

    fn add(self, other: &Rational) -> Rational {
        operate(self, other, i64::checked_add, |[a, b, c, d]| (a * d + c * b, b * d), Add::add)
    }
}

impl Sub for &Rational {
    type Output = Rational;

    fn sub(self, other: &Rational) -> Rational {
        operate(self, other, i64::checked_sub, |[a, b, c, d]| (a * d - c * b, b * d), Sub::sub)
    }
}

impl Mul for &Rational {
    type Output = Rational;

    fn mul(self, other: &Rational) -> Rational {
        operate(self, other, i64::checked_mul, |[a, b, c, d]| (a * c, b * d), Mul::mul)
    }
}

impl Div for &Rational {
    type Output = Rational;

    fn div(self, other: &Rational) -> Rational {
        match &other.0 {
            Small(0, _) => panic!("a rational number is divided by zero"),
            Small(1, UNIT) => self.clone(),
            _ => operate(self, other, |_, _| None, |[a, b, c, d]| (a * d, b * c), Div::div),
        }
    }
}

impl Neg for &Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        match &self.0 {
            Small(numerator, denominator) if *numerator != i64::MIN => {
                Rational(Small(-numerator, *denominator))
            }
            _ => Rational::from_big(-self.to_ratio()),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        -&self
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (&self.0, &other.0) {
            (Small(left, UNIT), Small(right, UNIT)) => left.cmp(right),
            (Small(a, b), Small(c, d)) => {
                (i128::from(*a) * i128::from(d.get())).cmp(&(i128::from(*c) * i128::from(b.get())))
            }
            _ => self.to_ratio().cmp(&other.to_ratio()),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(numerator, UNIT) => numerator.fmt(formatter),
            Small(numerator, denominator) => write!(formatter, "{numerator}/{denominator}"),
            Big(ratio) => fmt::Display::fmt(ratio, formatter),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::{BuildHasher, RandomState};

    use super::*;

    /// Numbers of all sizes, among them those at the ends of the small ones.
    fn samples() -> Vec<(RBig, Rational)> {
        let mut state = 7u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64 | (state << 31) as i64
        };
        let mut parts = vec![
            0,
            1,
            -1,
            2,
            -3,
            6,
            i128::from(i64::MAX),
            i128::from(i64::MIN),
            i128::from(i64::MAX) + 1,
            i128::from(i64::MIN) - 1,
            i128::from(u64::MAX),
            i128::MAX,
            i128::MIN,
            i128::MIN + 1,
        ];
        for shift in [0, 8, 32, 50, 60] {
            parts.push(i128::from(random() >> shift));
        }
        parts.push(i128::from(random()) * i128::from(random()));
        let mut numbers = Vec::new();
        for &numerator in &parts {
            for &denominator in parts.iter().filter(|&&part| part != 0) {
                let exact = RBig::from_parts_signed(IBig::from(numerator), IBig::from(denominator));
                numbers.push((exact, Rational::new(numerator, denominator)));
            }
        }
        numbers
    }

    #[test]
    fn a_number_is_small() {
        assert_eq!(size_of::<Rational>(), 16);
        assert_eq!(Rational::from(i64::MIN).to_i64(), Some(i64::MIN));
    }

    #[test]
    fn parts_agree_with_large_numbers() {
        for (exact, number) in samples() {
            assert_eq!(number.to_ratio(), exact);
            assert_eq!(Rational::from_ratio(&exact), number);
            assert_eq!(number.to_string(), exact.to_string());
            assert_eq!(number.is_zero(), exact.is_zero());
            assert_eq!(number.is_integer(), exact.is_int());
            assert_eq!(number.signum(), exact.cmp(&RBig::ZERO) as i32);
            assert_eq!(number.floor().to_ratio(), RBig::from(exact.floor()));
            assert_eq!(number.ceil().to_ratio(), RBig::from(exact.ceil()));
            assert_eq!((-&number).to_ratio(), -exact.clone());
            assert_eq!(-(-&number), number);
            assert!(!number.abs().is_negative());
            assert_eq!(number.denominator().to_ratio(), RBig::from(exact.denominator().clone()));
        }
    }

    #[test]
    fn operations_agree_with_large_numbers() {
        let samples = samples();
        for (exact_left, left) in &samples {
            for (exact_right, right) in &samples {
                let results = [
                    (left + right, exact_left + exact_right),
                    (left - right, exact_left - exact_right),
                    (left * right, exact_left * exact_right),
                ];
                for (number, exact) in results {
                    assert_eq!(number, Rational::from_ratio(&exact), "{left} and {right}");
                }
                if !right.is_zero() {
                    assert_eq!(left / right, Rational::from_ratio(&(exact_left / exact_right)));
                }
                assert_eq!(left.cmp(right), exact_left.cmp(exact_right), "{left} and {right}");
                assert_eq!(left == right, exact_left == exact_right);
            }
        }
    }

    #[test]
    fn equal_numbers_have_equal_hashes() {
        let hasher = RandomState::new();
        for (_, number) in samples() {
            let large = Rational::from(i64::MAX);
            let there_and_back = &(&(&number + &large) * &large) / &large;
            let again = &there_and_back - &large;
            assert_eq!(hasher.hash_one(&number), hasher.hash_one(&again));
        }
        assert_eq!(HashSet::from([Rational::new(2, 4), Rational::new(-1, -2)]).len(), 1);
    }

    #[test]
    fn the_gcd_divides_and_leaves_nothing_common() {
        let samples = samples();
        for (_, left) in &samples {
            for (_, right) in samples.iter().step_by(7) {
                let divisor = left.gcd(right);
                if divisor.is_zero() {
                    assert!(left.is_zero() && right.is_zero());
                    continue;
                }
                assert!(divisor.is_positive());
                let (left, right) = (left / &divisor, right / &divisor);
                assert!(left.is_integer() && right.is_integer());
                assert_eq!(left.gcd(&right), Rational::ONE);
            }
        }
    }
}
