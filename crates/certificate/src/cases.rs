//! Which processes a question about an obligation has to speak of, so that no case is left out.

use polycube_language::formula::{Formula, Quantified, Quantifier, Variable};

/// The variables of which a formula says that such processes exist, if it holds, unless that depends on processes
/// for which it is said: in the order of the formula.
pub fn witnesses(formula: &Formula) -> Vec<&Variable> {
    fn collect<'f>(formula: &'f Formula, holds: bool, found: &mut Vec<&'f Variable>) {
        match formula {
            // Either part of an equivalence may hold or fail.
            Formula::Constant(_) | Formula::Compare(_) | Formula::Iff(_) => {}
            Formula::Not(part) => collect(part, !holds, found),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| collect(part, holds, found));
            }
            // So may the condition.
            Formula::IfThenElse(parts) => parts[1..].iter().for_each(|part| collect(part, holds, found)),
            Formula::Quantified(Quantified { quantifier, variable, body, .. }) => {
                if (*quantifier == Quantifier::Exists) == holds {
                    found.push(variable);
                    collect(body, holds, found);
                }
            }
        }
    }
    let mut found = Vec::new();
    collect(formula, true, &mut found);
    found
}

/// The ways in which the parameters of a clause can be the first `named` places, or exactly `others` of those that
/// follow. Which of the others does not matter, so they are taken in order.
pub fn arrangements(parameters: usize, named: u32, others: u32) -> Vec<Vec<u32>> {
    fn extend(
        parameters: usize,
        named: u32,
        others: u32,
        next: u32,
        tuple: &mut Vec<u32>,
        found: &mut Vec<Vec<u32>>,
    ) {
        if tuple.len() == parameters {
            if next == named + others {
                found.push(tuple.clone());
            }
            return;
        }
        for place in (0..named).chain((next < named + others).then_some(next)) {
            if !tuple.contains(&place) {
                tuple.push(place);
                extend(parameters, named, others, next + u32::from(place == next), tuple, found);
                tuple.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend(parameters, named, others, named, &mut Vec::new(), &mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_of_parameters() {
        assert_eq!(arrangements(0, 2, 0), [[0; 0]]);
        assert_eq!(arrangements(1, 2, 0), [[0], [1]]);
        assert_eq!(arrangements(1, 2, 1), [[2]]);
        assert_eq!(arrangements(2, 2, 0), [[0, 1], [1, 0]]);
        assert_eq!(arrangements(2, 2, 1), [[0, 2], [1, 2], [2, 0], [2, 1]]);
        assert_eq!(arrangements(2, 2, 2), [[2, 3]]);
        assert!(arrangements(2, 1, 0).is_empty());
        // Every way to identify 3 parameters with 2 others: 1 + 6 + 6 in all.
        assert_eq!((0..=3).map(|others| arrangements(3, 2, others).len()).sum::<usize>(), 13);
    }
}
