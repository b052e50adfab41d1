//! Numbers the process variables of a clause or transition without gaps.
//!
//! Where a part of a formula vanishes (`true || exists j. ...`), so do its variables. Numbering the rest
//! again, in the order in which they are bound, makes systems equal that differ only in what vanished.

use crate::formula::{Formula, Variable, VariableId};
use crate::system::Update;

/// Numbers the variables of a clause or transition: parameters first, then those of the formula, then those
/// of the updates.
pub(crate) fn number_variables(parameters: &mut [Variable], formula: &mut Formula, updates: &mut [Update]) {
    // Numbers are small: the scope gave them out one after the other.
    let mut numbers: Vec<Option<VariableId>> = Vec::new();
    let mut next = 0;
    // A variable is visited first where it is bound.
    let mut number = |variable: VariableId| {
        let at = variable.0 as usize;
        if numbers.len() <= at {
            numbers.resize(at + 1, None);
        }
        *numbers[at].get_or_insert_with(|| {
            next += 1;
            VariableId(next - 1)
        })
    };
    parameters.iter_mut().for_each(|parameter| parameter.id = number(parameter.id));
    formula.rename(&mut number);
    updates.iter_mut().for_each(|update| update.rename(&mut number));
}
