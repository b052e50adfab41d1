//! Clauses that differ in the values of one cell become one.

use polycube_certificate::Clause;
use polycube_language::System;
use polycube_language::formula::{Access, Formula, Term, VariableId};

use crate::literal::{bound_apart, literals};
use crate::values::Values;

/// Clauses with more parameters stay as they are: there are too many ways to match them.
const MAX_PARAMETERS: usize = 4;

/// The same claims with fewer clauses: `never A and X = 1` and `never A and X = 2` are `never A and (X = 1 or
/// X = 2)`, whatever their parameters are called.
pub(crate) fn merged(system: &System, clauses: Vec<Clause>) -> Vec<Clause> {
    let mut done: Vec<Clause> = Vec::new();
    for mut clause in clauses {
        // What was merged may be merged with another one again.
        while let Some((at, both)) =
            done.iter().enumerate().find_map(|(at, known)| Some((at, union(system, known, &clause)?)))
        {
            done.remove(at);
            clause = both;
        }
        done.push(clause);
    }
    done
}

/// One clause that says what two say, if they differ in the values of one cell only.
fn union(system: &System, one: &Clause, other: &Clause) -> Option<Clause> {
    let (left, right) = (literals(one), literals(other));
    let is_alike = one.parameters.len() == other.parameters.len() && left.len() == right.len();
    if !is_alike || left.len() < 2 || one.parameters.len() > MAX_PARAMETERS {
        return None;
    }
    permutations(one.parameters.len()).into_iter().find_map(|order| {
        let mut renamed = right.to_vec();
        for literal in &mut renamed {
            bound_apart(literal);
            literal.rename(&mut |variable: VariableId| {
                let at = other.parameters.iter().position(|parameter| parameter.id == variable);
                at.map_or(variable, |at| one.parameters[order[at]].id)
            });
        }
        let missing: Vec<&Formula> = left.iter().filter(|literal| !renamed.contains(literal)).collect();
        let extra: Vec<&Formula> = renamed.iter().filter(|literal| !left.contains(literal)).collect();
        let ([missing], [extra]) = (&missing[..], &extra[..]) else { return None };
        let (a, b) = (Values::of(system, missing)?, Values::of(system, extra)?);
        let same_cell = same(&a.access, &b.access);
        let both = same_cell.then(|| a.with(&b).to_formula(system))?;
        let literals =
            left.iter().map(|literal| if literal == *missing { both.clone() } else { literal.clone() });
        Some(Clause { parameters: one.parameters.clone(), never: Formula::and(literals) })
    })
}

fn same(one: &Access, other: &Access) -> bool {
    one == other && one.indices.iter().all(|index| matches!(index, Term::Variable(_) | Term::Process(_)))
}

/// All orders of so many things.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..count {
        let longer = |order: Vec<usize>| {
            let rest = (0..count).filter(|at| !order.contains(at)).collect::<Vec<_>>();
            rest.into_iter().map(move |at| [&order[..], &[at]].concat())
        };
        found = found.into_iter().flat_map(longer).collect();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model with these properties, as clauses, and what they become.
    fn merged_clauses(properties: &str) -> Vec<String> {
        let model = format!(
            "type place = A | B | C | D\narray Place[proc] : place\nvar X : bool\n\
             init (p) {{ Place[p] = A && not X }}\n{properties}\ntransition t () {{ X := True; }}\n"
        );
        let system = polycube_language::check(&model).system.expect("a correct model");
        let clauses = (system.properties.iter())
            .map(|one| Clause { parameters: one.parameters.clone(), never: one.formula.clone() });
        let merged = merged(&system, clauses.collect());
        merged.iter().map(|one| system.display_formula(&one.never, &one.parameters).to_string()).collect()
    }

    #[test]
    fn values_of_one_cell_come_together() {
        let same = "unsafe (p q) { Place[p] = B && Place[q] = A && X }\nunsafe (r s) { Place[s] = C && Place[r] = A && X }";
        assert_eq!(merged_clauses(same), ["(Place[p] = B || Place[p] = C) && Place[q] = A && X = True"]);
        let different =
            "unsafe (p q) { Place[p] = B && Place[q] = A }\nunsafe (p q) { Place[p] = C && Place[q] = D }";
        assert_eq!(merged_clauses(different).len(), 2);
    }

    #[test]
    fn many_parameters_are_not_matched() {
        let names: Vec<String> = (1..=15).map(|number| format!("p{number}")).collect();
        let clause = |value: &str| {
            let rest: Vec<String> = names[1..].iter().map(|name| format!("Place[{name}] = A")).collect();
            format!("unsafe ({}) {{ Place[p1] = {value} && {} }}\n", names.join(" "), rest.join(" && "))
        };
        assert_eq!(merged_clauses(&(clause("B") + &clause("C"))).len(), 2);
    }
}
