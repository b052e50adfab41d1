//! What a system says of all processes.

use polycube_language::System;
use polycube_language::formula::{Formula, Quantifier};

/// Whether a universal quantifier, or an existential one in a place where it may be negated, occurs anywhere.
pub fn has_universals(system: &System) -> bool {
    fn anywhere(formula: &Formula, positive: bool) -> bool {
        match formula {
            Formula::Constant(_) | Formula::Compare(_) => false,
            Formula::Not(part) => anywhere(part, !positive),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| anywhere(part, positive)),
            Formula::Iff(parts) => parts.iter().any(|part| anywhere(part, true) || anywhere(part, false)),
            Formula::IfThenElse(parts) => {
                parts.iter().any(|part| anywhere(part, true) || anywhere(part, false))
            }
            Formula::Quantified(quantified) => {
                (quantified.quantifier == Quantifier::Forall) == positive
                    || anywhere(&quantified.body, positive)
            }
        }
    }
    let properties = system.properties.iter().any(|property| anywhere(&property.formula, true));
    let guards = system.transitions.iter().any(|transition| anywhere(&transition.guard, true));
    let branches = system.updates().flat_map(|update| &update.branches);
    guards
        || properties
        || branches
            .into_iter()
            .any(|branch| anywhere(&branch.condition, true) || anywhere(&branch.condition, false))
}
