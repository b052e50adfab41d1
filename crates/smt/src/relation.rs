//! Relations: what cannot be said as a set of values of one variable.
//!
//! A relation of a type without arithmetic compares two terms of one [`Sort`]. A linear relation compares a
//! sum with zero. The negation of a relation is a relation.

use std::cmp::Ordering;

use crate::rational::Rational;

/// A variable of a problem: its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u16);

/// A type without arithmetic: its index in a list of [`Sort`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortId(pub u16);

/// A type without arithmetic: some values that have names, the *points*, pairwise different; and perhaps
/// infinitely many others, each different from all points. The values are totally ordered, in a way of which
/// nothing is known but that between two values, and on either side of one, there is room for others (where
/// the sort has others).
///
/// A set of values is a mask: bit p stands for point p, and the bit [`Sort::other`] for all the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// How many points there are: their numbers are 0, 1, and so on.
    pub points: u8,
    /// The bit that stands for all other values, if there are others. It is not below `points`.
    pub other: Option<u8>,
}

/// A value or variable of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// The value with this number.
    Point(u8),
    /// The value of this variable.
    Variable(Variable),
}

/// How two terms, or a sum and zero, compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
}

/// `left comparison right`, over one sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ordered {
    /// The sort of both sides.
    pub sort: SortId,
    pub left: Term,
    /// How they compare.
    pub comparison: Comparison,
    pub right: Term,
}

/// Which values the variables of a linear relation have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NumberKind {
    Integer,
    /// Rationals.
    Real,
}

/// `c1 * v1 + ... + cn * vn + constant comparison 0`
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Linear {
    /// Which values the variables have, all of them.
    pub kind: NumberKind,
    /// The variables, strictly increasing, with coefficients that are not zero.
    pub terms: Vec<(Variable, Rational)>,
    pub constant: Rational,
    /// How the sum compares with zero.
    pub comparison: Comparison,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// Between two terms of a sort.
    Ordered(Ordered),
    /// Between a sum and zero.
    Linear(Linear),
}

/// What is left of a relation when all that can be seen at once has been seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Normalized<R> {
    /// It holds whatever the values of its variables are.
    True,
    /// It never holds.
    False,
    /// An equivalent relation, in a form that many equivalent relations share.
    Relation(R),
}

impl<R> Normalized<R> {
    fn decided(holds: bool) -> Normalized<R> {
        if holds { Normalized::True } else { Normalized::False }
    }

    fn map<S>(self, wrap: impl FnOnce(R) -> S) -> Normalized<S> {
        match self {
            Normalized::True => Normalized::True,
            Normalized::False => Normalized::False,
            Normalized::Relation(relation) => Normalized::Relation(wrap(relation)),
        }
    }
}

impl Comparison {
    /// Whether it holds between two values of which the first compares so with the second.
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            Comparison::Equal => ordering.is_eq(),
            Comparison::NotEqual => ordering.is_ne(),
            Comparison::Less => ordering.is_lt(),
            Comparison::LessEqual => ordering.is_le(),
        }
    }

    /// Holds exactly where this does not, with the sides of `<` and `<=` exchanged. (The order is total.)
    fn negated(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::LessEqual,
            Comparison::LessEqual => Comparison::Less,
        }
    }

    fn is_symmetric(self) -> bool {
        matches!(self, Comparison::Equal | Comparison::NotEqual)
    }
}

impl Sort {
    /// The set of all values.
    pub fn values(self) -> u64 {
        let points = if self.points >= 64 { u64::MAX } else { (1 << self.points) - 1 };
        points | self.others()
    }

    /// The set of the values that are not points.
    pub fn others(self) -> u64 {
        self.other.map_or(0, |bit| 1 << bit)
    }
}

impl Term {
    pub fn variable(self) -> Option<Variable> {
        match self {
            Term::Point(_) => None,
            Term::Variable(variable) => Some(variable),
        }
    }
}

impl Ordered {
    /// Holds exactly where this does not.
    #[must_use]
    pub fn negated(self) -> Ordered {
        let Ordered { sort, left, comparison, right } = self;
        let (left, right) = if comparison.is_symmetric() { (left, right) } else { (right, left) };
        Ordered { sort, left, comparison: comparison.negated(), right }
    }

    /// `=` and `<>` have the smaller term on the left. Decided: a term compared with itself; whether two
    /// points are equal.
    pub fn normalized(self) -> Normalized<Ordered> {
        let Ordered { left, comparison, right, .. } = self;
        if left == right {
            return Normalized::decided(comparison.holds(Ordering::Equal));
        }
        if !comparison.is_symmetric() {
            return Normalized::Relation(self);
        }
        if let (Term::Point(_), Term::Point(_)) = (left, right) {
            return Normalized::decided(comparison == Comparison::NotEqual);
        }
        Normalized::Relation(Ordered { left: left.min(right), right: left.max(right), ..self })
    }

    /// The variables: none, one or two; the same one twice in `x < x`.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + use<> {
        self.left.variable().into_iter().chain(self.right.variable())
    }

    /// The same about other terms.
    #[must_use]
    pub fn map(self, term: impl Fn(Term) -> Term) -> Ordered {
        Ordered { left: term(self.left), right: term(self.right), ..self }
    }
}

impl Linear {
    /// The relation of a sum whose terms may stand in any order, with the same variable more than once.
    pub fn new(
        kind: NumberKind,
        terms: impl IntoIterator<Item = (Variable, Rational)>,
        constant: Rational,
        comparison: Comparison,
    ) -> Linear {
        let mut terms: Vec<(Variable, Rational)> = terms.into_iter().collect();
        if !terms.is_sorted_by(|left, right| left.0 < right.0) {
            terms.sort_by_key(|&(variable, _)| variable);
            terms.dedup_by(|next, previous| {
                let is_same = next.0 == previous.0;
                if is_same {
                    previous.1 = &previous.1 + &next.1;
                }
                is_same
            });
        }
        terms.retain(|(_, coefficient)| !coefficient.is_zero());
        Linear { kind, terms, constant, comparison }
    }

    /// Holds exactly where this does not.
    #[must_use]
    pub fn negated(&self) -> Linear {
        let comparison = self.comparison.negated();
        if comparison.is_symmetric() {
            return Linear { comparison, ..self.clone() };
        }
        let mut negated = Linear { comparison, ..self.scaled(&Rational::from(-1)) };
        // A sum of integers is below zero when it is at most -1. (With other coefficients, normalization
        // finds the bound.)
        if comparison == Comparison::Less && self.kind == NumberKind::Integer && self.has_integer_values() {
            negated.constant = &negated.constant + &Rational::ONE;
            negated.comparison = Comparison::LessEqual;
        }
        negated
    }

    fn has_integer_values(&self) -> bool {
        self.constant.is_integer() && self.terms.iter().all(|(_, coefficient)| coefficient.is_integer())
    }

    /// The sum times a number, compared in the same way: equivalent if the number is positive.
    pub(crate) fn scaled(&self, factor: &Rational) -> Linear {
        let terms = self.terms.iter().map(|(variable, coefficient)| (*variable, coefficient * factor));
        Linear { terms: terms.collect(), constant: &self.constant * factor, ..*self }
    }

    /// The coefficients become integers without a common divisor, in `=` and `<>` the first of them positive.
    /// Over integers, `<` becomes `<=`, and the constant is the greatest for which the relation says the
    /// same. Decided: relations without variables; over integers, `=` and `<>` where the divisor of the
    /// coefficients does not divide the constant.
    pub fn normalized(self) -> Normalized<Linear> {
        let Some((_, first)) = self.terms.first() else {
            return Normalized::decided(self.comparison.holds(self.constant.cmp(&Rational::ZERO)));
        };
        let mut divisor = self.divisor();
        if self.comparison.is_symmetric() && first.is_negative() {
            divisor = -divisor;
        }
        let mut normal = if divisor == Rational::ONE { self } else { self.scaled(&divisor.reciprocal()) };
        if normal.kind == NumberKind::Integer {
            match normal.comparison {
                Comparison::Equal | Comparison::NotEqual if normal.constant.is_integer() => {}
                Comparison::Equal => return Normalized::False,
                Comparison::NotEqual => return Normalized::True,
                // sum < -c is sum <= ceil(-c) - 1.
                Comparison::Less => {
                    normal.constant = &normal.constant.floor() + &Rational::ONE;
                    normal.comparison = Comparison::LessEqual;
                }
                // sum <= -c is sum <= floor(-c).
                Comparison::LessEqual => normal.constant = normal.constant.ceil(),
            }
        }
        Normalized::Relation(normal)
    }

    /// The greatest number of which all coefficients are integer multiples; zero if there are none.
    pub fn divisor(&self) -> Rational {
        self.terms.iter().fold(Rational::ZERO, |divisor, (_, coefficient)| divisor.gcd(coefficient))
    }

    /// The coefficient of a variable; `None` if it does not occur.
    pub fn coefficient(&self, variable: Variable) -> Option<&Rational> {
        find(&self.terms, variable)
    }

    /// The value of the sum, with these values of the variables.
    pub fn sum(&self, value: &dyn Fn(Variable) -> Rational) -> Rational {
        let products = self.terms.iter().map(|(variable, coefficient)| coefficient * &value(*variable));
        products.fold(self.constant.clone(), |sum, product| &sum + &product)
    }

    /// Whether it holds with these values of the variables.
    pub fn holds(&self, value: &dyn Fn(Variable) -> Rational) -> bool {
        self.comparison.holds(self.sum(value).cmp(&Rational::ZERO))
    }

    /// The variables, in increasing order.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.terms.iter().map(|&(variable, _)| variable)
    }

    /// The same about other variables. Several may become one.
    #[must_use]
    pub fn renamed(self, rename: &dyn Fn(Variable) -> Variable) -> Linear {
        let terms = self.terms.into_iter().map(|(variable, coefficient)| (rename(variable), coefficient));
        Linear::new(self.kind, terms, self.constant, self.comparison)
    }
}

impl Relation {
    /// Holds exactly where this does not.
    #[must_use]
    pub fn negated(&self) -> Relation {
        match self {
            Relation::Ordered(ordered) => Relation::Ordered(ordered.negated()),
            Relation::Linear(linear) => Relation::Linear(linear.negated()),
        }
    }

    /// See [`Ordered::normalized`] and [`Linear::normalized`].
    pub fn normalized(self) -> Normalized<Relation> {
        match self {
            Relation::Ordered(ordered) => ordered.normalized().map(Relation::Ordered),
            Relation::Linear(linear) => linear.normalized().map(Relation::Linear),
        }
    }

    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        let (ordered, linear) = match self {
            Relation::Ordered(ordered) => (Some(ordered), None),
            Relation::Linear(linear) => (None, Some(linear)),
        };
        let of_ordered = ordered.into_iter().flat_map(Ordered::variables);
        of_ordered.chain(linear.into_iter().flat_map(Linear::variables))
    }
}

/// What a list that is sorted by the variable has for a variable.
pub(crate) fn find<V>(list: &[(Variable, V)], variable: Variable) -> Option<&V> {
    let place = list.binary_search_by_key(&variable, |&(variable, _)| variable).ok()?;
    Some(&list[place].1)
}

impl From<Ordered> for Relation {
    fn from(ordered: Ordered) -> Relation {
        Relation::Ordered(ordered)
    }
}

impl From<Linear> for Relation {
    fn from(linear: Linear) -> Relation {
        Relation::Linear(linear)
    }
}
