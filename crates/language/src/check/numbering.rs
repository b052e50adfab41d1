//! Numbers the process variables of each clause and transition without gaps.
//!
//! Where a part of a formula vanishes (`true || exists j. ...`), so do its variables. Numbering the rest
//! again, in the order in which they are bound, makes systems equal that differ only in what vanished.

use crate::formula::{Formula, Variable, VariableId};
use crate::system::{System, Update};

pub(super) fn number_variables(system: &mut System) {
    for init in &mut system.init {
        number(&mut init.parameters, &mut init.formula, &mut []);
    }
    for property in &mut system.properties {
        number(&mut property.parameters, &mut property.formula, &mut []);
    }
    for transition in &mut system.transitions {
        number(&mut transition.parameters, &mut transition.guard, &mut transition.updates);
    }
}

/// Parameters first, then the variables of the formula, then those of the updates.
fn number(parameters: &mut [Variable], formula: &mut Formula, updates: &mut [Update]) {
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
