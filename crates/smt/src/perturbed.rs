//! Numbers plus a multiple of an infinitesimal: `x < 3` is `x <= 3 - ε` for some positive ε that is small
//! enough. (What Dutertre and de Moura, see [`crate::simplex`], write as δ.)

use crate::rational::Rational;

/// `number + epsilon * ε`, where ε is positive and smaller than every positive rational. The order is that of
/// the fields.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Perturbed {
    pub(crate) number: Rational,
    pub(crate) epsilon: Rational,
}

impl Perturbed {
    pub(crate) const ZERO: Perturbed = Perturbed { number: Rational::ZERO, epsilon: Rational::ZERO };

    /// A number that is met exactly.
    pub(crate) fn exact(number: Rational) -> Perturbed {
        Perturbed { number, epsilon: Rational::ZERO }
    }

    pub(crate) fn minus(&self, other: &Perturbed) -> Perturbed {
        Perturbed { number: &self.number - &other.number, epsilon: &self.epsilon - &other.epsilon }
    }

    pub(crate) fn divided_by(&self, divisor: &Rational) -> Perturbed {
        // Most numbers have no infinitesimal part: over integers, none has.
        let has_none = self.epsilon.is_zero();
        let epsilon = if has_none { Rational::ZERO } else { &self.epsilon / divisor };
        Perturbed { number: &self.number / divisor, epsilon }
    }

    pub(crate) fn add_multiple(&mut self, factor: &Rational, other: &Perturbed) {
        if !other.number.is_zero() {
            self.number = &self.number + &(factor * &other.number);
        }
        if !other.epsilon.is_zero() {
            self.epsilon = &self.epsilon + &(factor * &other.epsilon);
        }
    }

    /// Its value, once ε is a number.
    pub(crate) fn at(&self, epsilon: &Rational) -> Rational {
        if self.epsilon.is_zero() { self.number.clone() } else { &self.number + &(&self.epsilon * epsilon) }
    }

    /// For `self < other`, the ε below which `self.at(ε) < other.at(ε)`; `None` if it is so for all of them.
    pub(crate) fn stays_below(&self, other: &Perturbed) -> Option<Rational> {
        let (gap, closing) = (&other.number - &self.number, &self.epsilon - &other.epsilon);
        (closing.is_positive() && gap.is_positive()).then(|| &gap / &closing)
    }
}
