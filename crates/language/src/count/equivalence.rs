//! Whether two formulas without quantifiers say the same, whatever the cells hold.

use crate::formula::{Access, Comparison, Formula, Relation, Term};
use crate::system::System;

use super::situation::value_of_cell;

/// How many choices of values are tried.
const MAX_CHOICES: usize = 4096;

/// The same in few words: a constant, or the values of the only cell that it is about.
pub(super) fn shortened(system: &System, formula: Formula) -> Formula {
    let Some(truths) = truths(system, &[&formula]) else { return formula };
    let holds: Vec<bool> = truths.into_iter().map(|truth| truth[0]).collect();
    if holds.iter().all(|one| *one == holds[0]) {
        return Formula::Constant(holds[0]);
    }
    let mut cell: Option<Comparison> = None;
    let mut is_only = true;
    formula.for_each_comparison(&mut |comparison| match (value_of_cell(comparison), &cell) {
        (None, _) => is_only = false,
        (Some(_), None) => cell = Some(comparison.clone()),
        (Some((access, ..)), Some(first)) => {
            is_only &= value_of_cell(first).is_some_and(|(known, ..)| known == access);
        }
    });
    let Some(first) = cell.filter(|_| is_only) else { return formula };
    let Some((access, enumeration, _)) = value_of_cell(&first) else { return formula };
    // The values for which it holds, or those for which it does not, if they are fewer.
    let is_mostly = holds.iter().filter(|one| **one).count() * 2 > holds.len();
    let relation = if is_mostly { Relation::NotEqual } else { Relation::Equal };
    let values = (0..).zip(&holds).filter(|(_, holds)| **holds != is_mostly).map(|(value, _)| value);
    let parts = values.map(|value| {
        let (left, right) = (Term::Access(access.clone()), Term::Constructor(enumeration, value));
        Formula::Compare(Comparison { left, relation, right, ty: first.ty, origin: first.origin })
    });
    if is_mostly { Formula::and(parts) } else { Formula::or(parts) }
}

/// Whether two formulas are known to say the same.
pub(super) fn are_equivalent(system: &System, one: &Formula, other: &Formula) -> bool {
    let agree = |truths: Vec<Vec<bool>>| truths.iter().all(|truth| truth[0] == truth[1]);
    one == other || truths(system, &[one, other]).is_some_and(agree)
}

/// The truth of some formulas, for all values of the cells in them; each comparison that is not one of a cell
/// with a value may hold or not.
fn truths(system: &System, formulas: &[&Formula]) -> Option<Vec<Vec<bool>>> {
    let (mut cells, mut open): (Vec<(&Access, u32)>, Vec<Comparison>) = (Vec::new(), Vec::new());
    for formula in formulas {
        formula.for_each_comparison(&mut |comparison| match value_of_cell(comparison) {
            Some((access, enumeration, _)) => {
                let values = system.enumeration(enumeration).constructors.len();
                if !cells.iter().any(|(known, _)| *known == access) {
                    cells.push((access, u32::try_from(values).expect("values are counted in 32 bits")));
                }
            }
            None => {
                if !open.contains(comparison) && !open.contains(&comparison.clone().negated()) {
                    open.push(comparison.clone());
                }
            }
        });
    }
    let sizes: Vec<u32> = cells.iter().map(|&(_, size)| size).chain(open.iter().map(|_| 2)).collect();
    let choices = sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size as usize))?;
    if choices > MAX_CHOICES {
        return None;
    }
    let truth = |mut choice: usize| {
        let mut digits = Vec::with_capacity(sizes.len());
        for &size in &sizes {
            digits.push(u32::try_from(choice % size as usize).expect("a digit"));
            choice /= size as usize;
        }
        let decide = |comparison: &Comparison| match value_of_cell(comparison) {
            Some((access, _, value)) => {
                let at = cells.iter().position(|(known, _)| *known == access).expect("it was collected");
                (digits[at] == value) == (comparison.relation == Relation::Equal)
            }
            None => {
                let at = open.iter().position(|known| known == comparison);
                let negated = || open.iter().position(|known| *known == comparison.clone().negated());
                let is_it = at.is_some();
                let at = at.or_else(negated).expect("it was collected");
                (digits[cells.len() + at] == 1) == is_it
            }
        };
        let evaluate = |formula: &Formula| {
            let constant = formula.try_replace(&mut |one| Some(Formula::Constant(decide(one))));
            constant == Some(Formula::TRUE)
        };
        formulas.iter().map(|formula| evaluate(formula)).collect()
    };
    Some((0..choices).map(truth).collect())
}
