//! What is known where a formula is evaluated: which processes are different, and what a guard says.

use crate::formula::{Access, Comparison, Formula, Linear, Relation, Term, VariableId};
use crate::number::Number;
use crate::system::{EnumerationId, System, Type};

/// What is known. Everything that follows from it here is true wherever it holds; not everything that is true
/// follows.
#[derive(Clone, Debug, Default)]
pub struct Situation {
    /// They stand for pairwise different processes.
    distinct: Vec<VariableId>,
    /// The values that a cell can have: a cell, its type, and the numbers of these values.
    values: Vec<(Access, EnumerationId, Vec<u32>)>,
    /// Comparisons that hold.
    true_ones: Vec<Comparison>,
}

impl Situation {
    /// Nothing but that these stand for pairwise different processes.
    pub fn of_distinct(distinct: Vec<VariableId>) -> Situation {
        Situation { distinct, ..Situation::default() }
    }

    /// What the conjuncts of a formula say, which holds.
    pub fn assume(&mut self, system: &System, formula: &Formula) {
        for conjunct in formula.conjuncts() {
            match conjunct {
                Formula::Compare(comparison) => self.assume_comparison(system, comparison),
                // Several values of one cell.
                Formula::Or(parts) => {
                    let all: Option<Vec<_>> = parts.iter().map(one_value).collect();
                    if let Some(all) = all
                        && all.iter().all(|(access, ..)| access == &all[0].0)
                    {
                        let allowed = all.iter().map(|&(_, _, value)| value).collect();
                        self.allow(all[0].0, all[0].1, allowed);
                    }
                }
                _ => {}
            }
        }
    }

    fn assume_comparison(&mut self, system: &System, comparison: &Comparison) {
        if let Some((access, enumeration, value)) = value_of_cell(comparison) {
            let count = system.enumeration(enumeration).constructors.len();
            let all = 0..u32::try_from(count).expect("values are counted in 32 bits");
            let is_equal = comparison.relation == Relation::Equal;
            self.allow(access, enumeration, all.filter(|&other| (other == value) == is_equal).collect());
        }
        self.true_ones.push(comparison.clone());
    }

    fn allow(&mut self, access: &Access, enumeration: EnumerationId, values: Vec<u32>) {
        match self.values.iter_mut().find(|(known, ..)| known == access) {
            Some((_, _, known)) => known.retain(|value| values.contains(value)),
            None => self.values.push((access.clone(), enumeration, values)),
        }
    }

    /// Whether it contradicts itself: some cell can have no value.
    pub fn is_impossible(&self) -> bool {
        self.values.iter().any(|(.., values)| values.is_empty())
    }

    /// The formula without what is decided here.
    pub fn simplified(&self, formula: &Formula) -> Formula {
        let simple = formula.try_replace(&mut |comparison| {
            let decided = self.decide(comparison).map(Formula::Constant);
            Some(decided.unwrap_or_else(|| Formula::Compare(comparison.clone())))
        });
        simple.expect("each comparison is replaced")
    }

    /// The value of a sum, if an equation says so.
    pub(super) fn value(&self, sum: &Linear) -> Option<Number> {
        let said = |comparison: &Comparison| {
            let (Term::Linear(left), Term::Linear(right)) = (&comparison.left, &comparison.right) else {
                return None;
            };
            let zero = difference(left, right);
            let is_equation = comparison.relation == Relation::Equal;
            let less = Linear::sum([sum.clone(), zero.clone()]);
            let rest =
                [difference(sum, &zero), less].into_iter().find_map(|rest| rest.as_constant().cloned());
            rest.filter(|_| is_equation)
        };
        sum.as_constant().cloned().or_else(|| self.true_ones.iter().find_map(said))
    }

    fn decide(&self, comparison: &Comparison) -> Option<bool> {
        let Comparison { left, relation, right, ty, .. } = comparison;
        if left == right {
            return Some(matches!(relation, Relation::Equal | Relation::LessEqual));
        }
        if self.true_ones.contains(comparison) {
            return Some(true);
        }
        if self.true_ones.contains(&comparison.clone().negated()) {
            return Some(false);
        }
        if *ty == Type::Integer
            && let Some((form, least)) = lower_bound(comparison)
        {
            let is_known = |form: &Linear, least: &Number| {
                let bounds = self.true_ones.iter().flat_map(lower_bounds);
                bounds.into_iter().any(|(known, bound)| {
                    let difference = Linear::sum([form.clone(), known.scaled(&Number::from(-1))]);
                    difference.as_constant().is_some_and(|more| bound + more >= *least)
                })
            };
            if is_known(&form, &least) {
                return Some(true);
            }
            // Otherwise it is less, by one at least.
            if is_known(&form.scaled(&Number::from(-1)), &(Number::ONE - &least)) {
                return Some(false);
            }
        }
        let is_equality = !relation.is_order();
        let differ = Some(*relation == Relation::NotEqual).filter(|_| is_equality);
        match (left, right) {
            (Term::Variable(one), Term::Variable(other))
                if self.distinct.contains(one) && self.distinct.contains(other) =>
            {
                return differ;
            }
            (Term::Constructor(..), Term::Constructor(..)) | (Term::Process(_), Term::Process(_)) => {
                return differ;
            }
            (Term::Linear(one), Term::Linear(other)) if ty.is_numeric() => {
                let (one, other) = (one.as_constant()?, other.as_constant()?);
                return Some(match relation {
                    Relation::Equal => one == other,
                    Relation::NotEqual => one != other,
                    Relation::Less => one < other,
                    Relation::LessEqual => one <= other,
                });
            }
            _ => {}
        }
        let (access, _, value) = value_of_cell(comparison)?;
        let (.., values) = self.values.iter().find(|(known, ..)| known == access)?;
        match (values.contains(&value), values.len()) {
            (false, _) => differ,
            (true, 1) => differ.map(|differ| !differ),
            (true, _) => None,
        }
    }
}

/// A sum, and a number that it is at least, for a comparison of integers by an order.
fn lower_bound(comparison: &Comparison) -> Option<(Linear, Number)> {
    let (Term::Linear(left), Term::Linear(right)) = (&comparison.left, &comparison.right) else {
        return None;
    };
    let least = match comparison.relation {
        Relation::Less => Number::ONE,
        Relation::LessEqual => Number::ZERO,
        Relation::Equal | Relation::NotEqual => return None,
    };
    Some((difference(right, left), least))
}

/// All that a comparison of integers says of this kind.
fn lower_bounds(comparison: &Comparison) -> Vec<(Linear, Number)> {
    match (&comparison.left, comparison.relation, &comparison.right) {
        (Term::Linear(left), Relation::Equal, Term::Linear(right)) if comparison.ty == Type::Integer => {
            vec![(difference(right, left), Number::ZERO), (difference(left, right), Number::ZERO)]
        }
        _ => lower_bound(comparison).filter(|_| comparison.ty == Type::Integer).into_iter().collect(),
    }
}

fn difference(left: &Linear, right: &Linear) -> Linear {
    Linear::sum([left.clone(), right.clone().scaled(&Number::from(-1))])
}

/// The cell and the value that it has, if that is what a formula says.
fn one_value(formula: &Formula) -> Option<(&Access, EnumerationId, u32)> {
    match formula {
        Formula::Compare(one) if one.relation == Relation::Equal => value_of_cell(one),
        _ => None,
    }
}

/// The cell and the value that are compared for equality.
pub(super) fn value_of_cell(comparison: &Comparison) -> Option<(&Access, EnumerationId, u32)> {
    if comparison.relation.is_order() || !matches!(comparison.ty, Type::Enumeration(_)) {
        return None;
    }
    match (&comparison.left, &comparison.right) {
        (Term::Access(access), Term::Constructor(enumeration, value))
        | (Term::Constructor(enumeration, value), Term::Access(access)) => {
            Some((access, *enumeration, *value))
        }
        _ => None,
    }
}
