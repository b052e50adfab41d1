//! Clauses that differ in the values of one cell become one.

use polycube_certificate::Clause;
use polycube_language::System;
use polycube_language::formula::{Access, Formula, Term, VariableId};

use crate::literal::{bound_apart, literals};
use crate::values::Values;

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
    if one.parameters.len() != other.parameters.len() || left.len() != right.len() || left.len() < 2 {
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

/// All orders of so many things. There are few parameters.
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
