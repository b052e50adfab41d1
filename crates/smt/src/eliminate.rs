//! Elimination of a variable: what a conjunction says about the others.
//!
//! For rationals and for orders without arithmetic it is the method of Fourier and Motzkin (Schrijver,
//! *Theory of Linear and Integer Programming*, section 12.2). For integers it is the part of that which is
//! exact there: all lower or all upper bounds have coefficient 1 (Pugh, *The Omega test*, 1992, where the
//! real and the dark shadow are the same). Where disequalities are in the way, values at the bounds are tried
//! one by one, as Cooper does for integers (*Theorem proving in arithmetic without multiplication*, 1972) and
//! Loos and Weispfenning for rationals (*Applying linear quantifier elimination*, 1993).

use crate::rational::Rational;
use crate::relation::{Comparison, Linear, Normalized, NumberKind, Ordered, Relation, Term, Variable};

/// Conjunctions that do not mention the variable, one of which holds if and only if all relations hold with
/// some value of the variable. An empty list never holds, an empty conjunction always.
///
/// A variable of a sort without arithmetic may have any value of the sort, and the sort has others besides
/// its points.
///
/// `None` if there are no such conjunctions, or they were not found: only for integers with coefficients
/// other than 1 and -1.
pub fn eliminate(variable: Variable, relations: &[Relation]) -> Option<Vec<Vec<Relation>>> {
    let Some(relations) = normalized(relations.iter().cloned()) else { return Some(Vec::new()) };
    let mut parts = Parts::new(variable);
    relations.into_iter().for_each(|relation| parts.add(relation));
    let mut disjunction: Vec<Vec<Relation>> =
        parts.disjunction()?.into_iter().filter_map(normalized).collect();
    for conjunction in &mut disjunction {
        conjunction.sort();
        conjunction.dedup();
    }
    disjunction.sort();
    disjunction.dedup();
    if disjunction.first().is_some_and(Vec::is_empty) {
        disjunction.truncate(1);
    }
    Some(disjunction)
}

/// A conjunction without what always holds; `None` if a part of it never holds.
fn normalized(relations: impl IntoIterator<Item = Relation>) -> Option<Vec<Relation>> {
    let mut conjunction = Vec::new();
    for relation in relations {
        match relation.normalized() {
            Normalized::True => {}
            Normalized::False => return None,
            Normalized::Relation(relation) => conjunction.push(relation),
        }
    }
    Some(conjunction)
}

/// Relations, by what they say about the variable.
#[derive(Clone)]
struct Parts {
    variable: Variable,
    /// Nothing.
    rest: Vec<Relation>,
    equalities: Vec<Relation>,
    disequalities: Vec<Relation>,
    lower: Vec<Relation>,
    upper: Vec<Relation>,
}

impl Parts {
    fn new(variable: Variable) -> Parts {
        Parts {
            variable,
            rest: Vec::new(),
            equalities: Vec::new(),
            disequalities: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
        }
    }

    /// Adds a normalized relation.
    fn add(&mut self, relation: Relation) {
        if !relation.variables().any(|variable| variable == self.variable) {
            self.rest.push(relation);
            return;
        }
        let part = match comparison(&relation) {
            Comparison::Equal => &mut self.equalities,
            Comparison::NotEqual => &mut self.disequalities,
            Comparison::Less | Comparison::LessEqual if is_upper(&relation, self.variable) => &mut self.upper,
            Comparison::Less | Comparison::LessEqual => &mut self.lower,
        };
        part.push(relation);
    }

    fn disjunction(mut self) -> Option<Vec<Vec<Relation>>> {
        let has_unit = |relation: &Relation| has_unit_coefficient(relation, self.variable);
        if let Some(place) = self.equalities.iter().position(has_unit) {
            let equality = self.equalities.remove(place);
            return Some(vec![self.with_value_of(&equality)]);
        }
        if !self.equalities.is_empty() {
            return None;
        }
        // Where one side is open, all large or all small enough values are possible, and these are infinitely
        // many.
        if self.lower.is_empty() || self.upper.is_empty() {
            return Some(vec![self.rest]);
        }
        match &self.lower[0] {
            Relation::Linear(Linear { kind: NumberKind::Integer, .. }) => self.integer_disjunction(),
            _ => Some(self.dense_disjunction()),
        }
    }

    /// The conjunction with the value that an equality, or a bound taken as one, gives the variable.
    fn with_value_of(mut self, equality: &Relation) -> Vec<Relation> {
        let parts = [self.equalities, self.disequalities, self.lower, self.upper];
        let substituted =
            parts.into_iter().flatten().map(|relation| substituted(relation, self.variable, equality));
        self.rest.extend(substituted);
        self.rest
    }

    /// Every lower bound is compatible with every upper bound; for `<`, none may be equal. The disequalities
    /// are left out.
    fn combined(&self, loosest: Comparison) -> Vec<Relation> {
        let mut conjunction = self.rest.clone();
        for lower in &self.lower {
            for upper in &self.upper {
                conjunction.push(combination(lower, upper, self.variable, loosest));
            }
        }
        conjunction
    }

    /// Values are dense: between two different ones there are infinitely many. So if the greatest lower bound
    /// is below the least upper bound, disequalities, which exclude finitely many values, do not matter. They
    /// do only where both bounds are the same value, and none of the two is strict.
    fn dense_disjunction(self) -> Vec<Vec<Relation>> {
        let allows_equality = |relation: &&Relation| comparison(relation) == Comparison::LessEqual;
        let lower: Vec<&Relation> = self.lower.iter().filter(allows_equality).collect();
        let upper: Vec<&Relation> = self.upper.iter().filter(allows_equality).collect();
        if self.disequalities.is_empty() || lower.is_empty() || upper.is_empty() {
            return vec![self.combined(Comparison::LessEqual)];
        }
        if self.disequalities.len() == 1 {
            let sides = self.split().into_iter().map(Parts::dense_disjunction);
            return sides.flatten().collect();
        }
        // Either there is room, or the value is the greatest of the lower and the least of the upper bounds:
        // one of either kind.
        let candidates = if lower.len() <= upper.len() { lower } else { upper };
        let mut disjunction = vec![self.combined(Comparison::Less)];
        disjunction.extend(candidates.into_iter().map(|bound| self.clone().with_value_of(bound)));
        disjunction
    }

    /// Where all lower bounds have coefficient 1, the greatest of them is an integer, and is the value if any
    /// is; likewise for the upper bounds. Without disequalities, comparing each lower with each upper bound
    /// says just that.
    ///
    /// With n disequalities, it is one of the n + 1 values from there on: of those that the bounds allow,
    /// only n can be excluded.
    fn integer_disjunction(self) -> Option<Vec<Vec<Relation>>> {
        let has_unit = |relation: &Relation| has_unit_coefficient(relation, self.variable);
        let exact = [&self.lower, &self.upper].into_iter().filter(|bounds| bounds.iter().all(has_unit));
        let candidates = exact.min_by_key(|bounds| bounds.len())?;
        if self.disequalities.is_empty() {
            return Some(vec![self.combined(Comparison::LessEqual)]);
        }
        if self.disequalities.len() == 1 && self.disequalities.iter().all(has_unit) {
            let [left, right] = self.split().map(Parts::integer_disjunction);
            return Some([left?, right?].concat());
        }
        let mut disjunction = Vec::new();
        for bound in candidates {
            for distance in 0..=self.disequalities.len() {
                // Below an upper bound, above a lower one: in both cases the sum is that much less than zero.
                let Relation::Linear(bound) = bound else { unreachable!("integers have linear bounds") };
                let constant = &bound.constant + &Rational::new(distance as i128, 1);
                let equality = Relation::Linear(Linear { constant, ..bound.clone() });
                disjunction.push(self.clone().with_value_of(&equality));
            }
        }
        Some(disjunction)
    }

    /// The first disequality, as `<` and as `>`.
    fn split(&self) -> [Parts; 2] {
        let below = with_comparison(self.disequalities[0].clone(), Comparison::Less);
        let not_above = with_comparison(self.disequalities[0].clone(), Comparison::LessEqual);
        [below, not_above.negated()].map(|side| {
            let mut parts = self.clone();
            parts.disequalities.remove(0);
            match side.normalized() {
                Normalized::Relation(relation) => parts.add(relation),
                Normalized::True | Normalized::False => {
                    unreachable!("a relation with a variable is not decided by its order")
                }
            }
            parts
        })
    }
}

fn comparison(relation: &Relation) -> Comparison {
    match relation {
        Relation::Ordered(ordered) => ordered.comparison,
        Relation::Linear(linear) => linear.comparison,
    }
}

/// Whether an inequality bounds the variable from above.
fn is_upper(relation: &Relation, variable: Variable) -> bool {
    match relation {
        Relation::Ordered(ordered) => ordered.left == Term::Variable(variable),
        Relation::Linear(linear) => coefficient(linear, variable).is_positive(),
    }
}

/// Whether the relation, as an equality, gives the variable a value for all values of the others.
fn has_unit_coefficient(relation: &Relation, variable: Variable) -> bool {
    match relation {
        Relation::Linear(linear) if linear.kind == NumberKind::Integer => {
            coefficient(linear, variable).abs() == Rational::ONE
        }
        _ => true,
    }
}

fn coefficient(linear: &Linear, variable: Variable) -> &Rational {
    linear.coefficient(variable).expect("the variable occurs in the relation")
}

/// A relation with the value that an equality gives the variable. Of the equality, only the two sides matter.
fn substituted(relation: Relation, variable: Variable, equality: &Relation) -> Relation {
    match (relation, equality) {
        (Relation::Ordered(relation), Relation::Ordered(equality)) => {
            let (left, right) = (equality.left, equality.right);
            let value = if left == Term::Variable(variable) { right } else { left };
            let replace = |term| if term == Term::Variable(variable) { value } else { term };
            Relation::Ordered(relation.map(replace))
        }
        (Relation::Linear(relation), Relation::Linear(equality)) => {
            let factor = -(coefficient(&relation, variable) / coefficient(equality, variable));
            let comparison = relation.comparison;
            Relation::Linear(sum(relation, equality.scaled(&factor), comparison))
        }
        _ => panic!("a variable occurs in relations with and without arithmetic"),
    }
}

/// The lower bound is below the upper one; they may be equal if all three comparisons allow it.
fn combination(lower: &Relation, upper: &Relation, variable: Variable, loosest: Comparison) -> Relation {
    let is_strict = [comparison(lower), comparison(upper), loosest].contains(&Comparison::Less);
    let comparison = if is_strict { Comparison::Less } else { Comparison::LessEqual };
    match (lower, upper) {
        (Relation::Ordered(lower), Relation::Ordered(upper)) => {
            Relation::Ordered(Ordered { sort: lower.sort, left: lower.left, comparison, right: upper.right })
        }
        (Relation::Linear(lower), Relation::Linear(upper)) => {
            let lower_factor = coefficient(upper, variable).abs();
            let upper_factor = coefficient(lower, variable).abs();
            Relation::Linear(sum(lower.scaled(&lower_factor), upper.scaled(&upper_factor), comparison))
        }
        _ => panic!("a variable occurs in relations with and without arithmetic"),
    }
}

fn sum(left: Linear, right: Linear, comparison: Comparison) -> Linear {
    let constant = &left.constant + &right.constant;
    Linear::new(left.kind, left.terms.into_iter().chain(right.terms), constant, comparison)
}

fn with_comparison(relation: Relation, comparison: Comparison) -> Relation {
    match relation {
        Relation::Ordered(ordered) => Relation::Ordered(Ordered { comparison, ..ordered }),
        Relation::Linear(linear) => Relation::Linear(Linear { comparison, ..linear }),
    }
}
