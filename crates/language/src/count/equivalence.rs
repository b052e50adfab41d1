//! Whether two formulas without quantifiers say the same, whatever the cells hold; and short ways to say it.

use crate::formula::{Access, Comparison, Formula, Relation, Term};
use crate::system::{EnumerationId, System, Type};

use super::situation::value_of_cell;

/// How many choices of values are tried.
const MAX_CHOICES: usize = 4096;

/// The same in few words.
pub(super) fn shortened(system: &System, formula: Formula) -> Formula {
    let Some(table) = Table::new(system, &[&formula]) else { return formula };
    let truths: Vec<bool> = table.truths(&formula).collect();
    let short = written(&table.unknowns, &truths);
    if short.size() < formula.size() { short } else { formula }
}

/// Whether two formulas are known to say the same.
pub(super) fn are_equivalent(system: &System, one: &Formula, other: &Formula) -> bool {
    one == other
        || Table::new(system, &[one, other]).is_some_and(|table| table.truths(one).eq(table.truths(other)))
}

/// The first of some cases that holds has a value: the same by one case for each value, told apart in few words. The last
/// case is what is left.
pub(super) fn merged<V: PartialEq>(system: &System, cases: Vec<(Formula, V)>) -> Vec<(Formula, V)> {
    let conditions: Vec<&Formula> = cases.iter().map(|(when, _)| when).collect();
    let Some(table) = Table::new(system, &conditions) else { return cases };
    let mut open = vec![true; table.choices];
    let mut merged: Vec<(Vec<bool>, V)> = Vec::new();
    for (when, value) in cases {
        let truths = table.truths(&when).zip(&mut open);
        let first: Vec<bool> = truths.map(|(holds, open)| holds && std::mem::take(open)).collect();
        match merged.iter_mut().find(|(_, known)| *known == value) {
            Some((known, _)) => known.iter_mut().zip(first).for_each(|(known, one)| *known |= one),
            None => merged.push((first, value)),
        }
    }
    // (What cannot be has no truths. One holds, if anything does.)
    merged.retain(|(truths, _)| truths.contains(&true));
    let written = |(truths, value): (Vec<bool>, V)| (written(&table.unknowns, &truths), value);
    let mut cases: Vec<(Formula, V)> = merged.into_iter().map(written).collect();
    cases.sort_by_key(|(when, _)| when.size());
    cases
}

/// What decides about formulas.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Unknown {
    /// The value of a cell: one of so many.
    Cell(Access, EnumerationId, u32),
    /// Whether a comparison holds that is not one of a cell with a value.
    Open(Comparison),
}

impl Unknown {
    fn choices(&self) -> usize {
        match self {
            Unknown::Cell(_, _, values) => *values as usize,
            Unknown::Open(_) => 2,
        }
    }

    /// That it is as one of some choices says, which are not all.
    fn is_one_of(&self, choices: &[usize]) -> Formula {
        match self {
            Unknown::Open(comparison) if choices == [1] => Formula::Compare(comparison.clone()),
            Unknown::Open(comparison) => Formula::Compare(comparison.clone().negated()),
            Unknown::Cell(access, enumeration, values) => {
                // Those that it is, or those that it is not, if they are fewer.
                let is_mostly = choices.len() * 2 > *values as usize;
                let relation = if is_mostly { Relation::NotEqual } else { Relation::Equal };
                let listed = (0..*values).filter(|&value| choices.contains(&(value as usize)) != is_mostly);
                let parts = listed.map(|value| {
                    let (left, right) =
                        (Term::Access(access.clone()), Term::Constructor(*enumeration, value));
                    let (ty, origin) = (Type::Enumeration(*enumeration), Default::default());
                    Formula::Compare(Comparison { left, relation, right, ty, origin })
                });
                if is_mostly { Formula::and(parts) } else { Formula::or(parts) }
            }
        }
    }
}

/// All choices for what decides about some formulas.
struct Table {
    /// In order.
    unknowns: Vec<Unknown>,
    choices: usize,
}

impl Table {
    /// None if there are too many choices.
    fn new(system: &System, formulas: &[&Formula]) -> Option<Table> {
        let mut unknowns: Vec<Unknown> = Vec::new();
        for formula in formulas {
            formula.for_each_comparison(&mut |comparison| {
                let unknown = match value_of_cell(comparison) {
                    Some((access, enumeration, _)) => {
                        let values = system.enumeration(enumeration).constructors.len();
                        let values = u32::try_from(values).expect("values are counted in 32 bits");
                        Unknown::Cell(access.clone(), enumeration, values)
                    }
                    None if unknowns.contains(&Unknown::Open(comparison.clone().negated())) => return,
                    None => Unknown::Open(comparison.clone()),
                };
                unknowns.push(unknown);
            });
        }
        unknowns.sort();
        unknowns.dedup();
        let sizes = unknowns.iter().map(Unknown::choices);
        let choices = sizes.into_iter().try_fold(1usize, usize::checked_mul)?;
        (choices <= MAX_CHOICES).then_some(Table { unknowns, choices })
    }

    /// Whether a formula holds, for all choices; those for the last unknown follow each other.
    fn truths(&self, formula: &Formula) -> impl Iterator<Item = bool> {
        (0..self.choices).map(move |choice| {
            let mut rest = choice;
            let mut digits = vec![0; self.unknowns.len()];
            for (digit, unknown) in digits.iter_mut().zip(&self.unknowns).rev() {
                *digit = rest % unknown.choices();
                rest /= unknown.choices();
            }
            let holds = formula.try_replace(&mut |one| Some(Formula::Constant(self.holds(one, &digits))));
            holds == Some(Formula::TRUE)
        })
    }

    fn holds(&self, comparison: &Comparison, digits: &[usize]) -> bool {
        let negated = comparison.clone().negated();
        let found = self.unknowns.iter().zip(digits).find_map(|(unknown, &digit)| match unknown {
            Unknown::Cell(known, ..) => {
                let (access, _, value) = value_of_cell(comparison)?;
                let is_value = digit == value as usize;
                (access == known).then_some(is_value == (comparison.relation == Relation::Equal))
            }
            Unknown::Open(known) if known == comparison => Some(digit == 1),
            Unknown::Open(known) if *known == negated => Some(digit == 0),
            Unknown::Open(_) => None,
        });
        found.expect("everything in it was collected")
    }
}

/// A formula with these truths: a case for each part of the choices of the first unknown that leave the same.
fn written(unknowns: &[Unknown], truths: &[bool]) -> Formula {
    if truths.iter().all(|truth| *truth == truths[0]) {
        return Formula::Constant(truths[0]);
    }
    let (first, rest) = unknowns.split_first().expect("without unknowns there is one truth");
    let mut parts: Vec<(&[bool], Vec<usize>)> = Vec::new();
    for (choice, left) in truths.chunks(truths.len() / first.choices()).enumerate() {
        match parts.iter_mut().find(|(known, _)| *known == left) {
            Some((_, choices)) => choices.push(choice),
            None => parts.push((left, vec![choice])),
        }
    }
    if let [(left, _)] = parts[..] {
        return written(rest, left);
    }
    let case = |(left, choices): (&[bool], Vec<usize>)| match written(rest, left) {
        Formula::Constant(false) => Formula::FALSE,
        formula => Formula::and([first.is_one_of(&choices), formula]),
    };
    Formula::or(parts.into_iter().map(case).collect::<Vec<_>>())
}
