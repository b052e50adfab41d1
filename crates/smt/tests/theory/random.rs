//! Random relations.

use polycube_smt::rational::Rational;
use polycube_smt::relation::{Comparison, Linear, NumberKind, Ordered, Sort, SortId, Term, Variable};

/// The generator SplitMix64 of Steele, Lea and Flood: every seed is a good one.
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A number between two others, both included.
    pub fn between(&mut self, least: i64, greatest: i64) -> i64 {
        least + self.below((greatest - least + 1) as u64) as i64
    }

    /// Yes, once in this many times.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// The sizes of the numbers of a conjunction.
#[derive(Clone, Copy, Debug)]
pub enum Numbers {
    /// Coefficients -1, 0, 1, small constants.
    Unit,
    Small,
    /// Now and then beyond what fits into a machine word.
    Large,
    /// Not only integers.
    Fractions,
}

pub const COMPARISONS: [Comparison; 4] =
    [Comparison::Equal, Comparison::NotEqual, Comparison::Less, Comparison::LessEqual];

/// A relation over some of these variables.
pub fn linear(
    random: &mut SplitMix64,
    kind: NumberKind,
    variables: &[Variable],
    numbers: Numbers,
    comparisons: &[Comparison],
) -> Linear {
    let mut terms = Vec::new();
    let occurring = random.below(variables.len() as u64) + u64::from(!random.once_in(30));
    for _ in 0..occurring {
        terms.push((random.pick(variables), coefficient(random, numbers)));
    }
    let constant = coefficient(random, numbers);
    Linear::new(kind, terms, constant, random.pick(comparisons))
}

pub fn coefficient(random: &mut SplitMix64, numbers: Numbers) -> Rational {
    match numbers {
        Numbers::Unit => Rational::from(random.between(-1, 1)),
        Numbers::Small => Rational::from(random.between(-9, 9)),
        Numbers::Large => match random.below(4) {
            0 => Rational::from(random.between(-100, 100)),
            1 => Rational::from(random.between(-1_000_000, 1_000_000)),
            2 => Rational::from(random.next() as i64),
            _ => Rational::new(i128::from(random.next() as i64) * i128::from(random.between(-9, 9)), 1),
        },
        Numbers::Fractions => {
            Rational::new(i128::from(random.between(-9, 9)), i128::from(random.between(1, 6)))
        }
    }
}

/// A relation between variables and points of a sort.
pub fn ordered(
    random: &mut SplitMix64,
    id: SortId,
    sort: Sort,
    variables: &[Variable],
    comparisons: &[Comparison],
) -> Ordered {
    let mut term = || {
        if sort.points > 0 && (variables.is_empty() || random.once_in(4)) {
            Term::Point(random.below(u64::from(sort.points)) as u8)
        } else {
            Term::Variable(random.pick(variables))
        }
    };
    let (left, right) = (term(), term());
    Ordered { sort: id, left, comparison: random.pick(comparisons), right }
}
