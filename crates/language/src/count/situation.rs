//! What is known where a formula is evaluated: which processes are different, and what a guard says.

use crate::formula::{Access, Comparison, Formula, Relation, Term, VariableId};
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
                        self.allow(&all[0].0, all[0].1, allowed);
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
