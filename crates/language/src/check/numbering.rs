//! Numbers the process variables of a clause or transition without gaps.
//!
//! Where a part of a formula vanishes (`true || exists j. ...`), so do its variables. Numbering the rest again, in the order in which they
//! are bound, makes systems equal that differ only in what vanished.

use crate::formula::{Formula, Variable, VariableId};
use crate::system::Update;
use rustc_hash::FxHashMap;

/// Numbers the variables of a clause or transition: parameters first, then those of the formula, then those of the updates.
pub(crate) fn number_variables(parameters: &mut [Variable], formula: &mut Formula, updates: &mut [Update]) {
    let mut numbers: FxHashMap<VariableId, VariableId> = FxHashMap::default();
    // A variable is visited first where it is bound.
    let mut number = |variable| {
        let next = VariableId(numbers.len() as u32);
        *numbers.entry(variable).or_insert(next)
    };
    parameters.iter_mut().for_each(|parameter| parameter.id = number(parameter.id));
    formula.rename(&mut number);
    updates.iter_mut().for_each(|update| update.rename(&mut number));
}
