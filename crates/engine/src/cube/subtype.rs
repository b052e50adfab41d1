//! Which values a symbol can ever hold: the subtyping invariants of the Cubicle paper (CAV 2012, section 3).
//!
//! The least sets such that: a value that some initial state may give to a cell is in the set of its symbol,
//! and so is whatever an update may assign. Guards and conditions are not looked at. In every reachable
//! state, each cell holds a value of the set of its symbol: cubes need not speak of other values.
//!
//! What initial states may give is computed from above: `init` is searched for what it says of *every* cell
//! of a symbol, and a disjunction allows what any of its parts allows. What is not understood allows
//! everything. (Cubicle takes a symbol that is mentioned in one disjunct, or on one cell, as fully
//! described.)

use polycube_language::System;
use polycube_language::formula::{Access, Formula, Relation, Term, VariableId};
use polycube_language::system::{Init, SymbolId, Type, Value};

/// For each symbol, the set of values as a mask; meaningless where its type is not an enumeration.
pub fn subtypes(system: &System) -> Vec<u64> {
    let mut values: Vec<u64> = (system.symbols.iter().zip(0..))
        .map(|(_, id)| {
            let id = SymbolId(id);
            let whole = whole_type(system, id);
            system.init.iter().fold(whole, |values, init| values & initially(system, init, id))
        })
        .collect();
    // Least fixpoint: every round adds a value or is the last.
    loop {
        let mut changed = false;
        for update in system.updates() {
            let target = update.symbol.0 as usize;
            for value in update.values() {
                let assigned = match value {
                    Value::Term(Term::Constructor(_, index)) => 1 << index,
                    Value::Term(Term::Access(access)) => values[access.symbol.0 as usize],
                    Value::Term(_) => 0,
                    Value::Any => whole_type(system, update.symbol),
                };
                changed |= assigned & !values[target] != 0;
                values[target] |= assigned;
            }
        }
        if !changed {
            return values;
        }
    }
}

fn whole_type(system: &System, symbol: SymbolId) -> u64 {
    match system.symbol(symbol).ty {
        Type::Enumeration(id) => {
            let count = system.enumeration(id).constructors.len();
            if count >= 64 { u64::MAX } else { (1 << count) - 1 }
        }
        _ => 0,
    }
}

/// The values that an `init` clause allows for the cells of a symbol.
///
/// A cell has an index at each position of its array. Whatever they are, the clause holds if each parameter
/// stands for the index at some position: there, an access means the cell if its parameters stand for the
/// indices at their positions. Each choice of positions is right, and what is allowed is what all of them
/// allow. (Two accesses may mean the cell for different choices only, as in `M[p,q] = False || M[q,p] =
/// False`: then the clause does not say that any cell is False.)
fn initially(system: &System, init: &Init, symbol: SymbolId) -> u64 {
    let mut accesses: Vec<Vec<VariableId>> = Vec::new();
    init.formula.for_each_comparison(&mut |comparison| {
        for term in [&comparison.left, &comparison.right] {
            if let Term::Access(access) = term
                && access.symbol == symbol
                && let Some(parameters) = parameters_of(init, access)
                && !accesses.contains(&parameters)
            {
                accesses.push(parameters);
            }
        }
    });
    accesses.iter().fold(whole_type(system, symbol), |values, first| {
        let mut positions: Vec<(VariableId, usize)> = Vec::new();
        for parameters in std::iter::once(first).chain(&accesses) {
            for (position, &parameter) in parameters.iter().enumerate() {
                if !positions.iter().any(|&(other, _)| other == parameter) {
                    positions.push((parameter, position));
                }
            }
        }
        values & AnyCell { system, init, symbol, positions }.allowed(&init.formula)
    })
}

/// Any cell of a symbol, and what the parameters of a clause stand for.
struct AnyCell<'c> {
    system: &'c System,
    init: &'c Init,
    symbol: SymbolId,
    /// The positions of the indices that parameters stand for.
    positions: Vec<(VariableId, usize)>,
}

impl AnyCell<'_> {
    /// The values that a part of the clause allows for it.
    fn allowed(&self, formula: &Formula) -> u64 {
        let whole = whole_type(self.system, self.symbol);
        match formula {
            Formula::Constant(false) => 0,
            Formula::Compare(comparison) => {
                let ((Term::Access(access), Term::Constructor(_, index))
                | (Term::Constructor(_, index), Term::Access(access))) =
                    (&comparison.left, &comparison.right)
                else {
                    return whole;
                };
                match comparison.relation {
                    _ if !self.is_meant(access) => whole,
                    Relation::Equal => 1 << index,
                    Relation::NotEqual => whole & !(1 << index),
                    Relation::Less | Relation::LessEqual => whole,
                }
            }
            Formula::And(parts) => parts.iter().fold(whole, |values, part| values & self.allowed(part)),
            Formula::Or(parts) => parts.iter().fold(0, |values, part| values | self.allowed(part)),
            _ => whole,
        }
    }

    fn is_meant(&self, access: &Access) -> bool {
        access.symbol == self.symbol
            && parameters_of(self.init, access).is_some_and(|parameters| {
                (parameters.iter().enumerate())
                    .all(|(position, &parameter)| self.positions.contains(&(parameter, position)))
            })
    }
}

/// The indices of an access, if they are parameters of the clause.
fn parameters_of(init: &Init, access: &Access) -> Option<Vec<VariableId>> {
    let parameter = |index: &Term| match index {
        Term::Variable(id) if init.parameters.iter().any(|parameter| parameter.id == *id) => Some(*id),
        _ => None,
    };
    access.indices.iter().map(parameter).collect()
}

#[cfg(test)]
mod tests {
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random};

    use super::*;
    use crate::forward::{Limits, Options, Reduction, explore_states, state};
    use crate::samples::small_system;

    fn of(init: &str) -> Vec<u64> {
        let text =
            format!("type t = A | B | C\narray S[proc] : t\narray M[proc, proc] : t\nvar X : t\n{init}");
        subtypes(&polycube_language::check(&text).system.unwrap_or_else(|| panic!("{text}")))
    }

    #[test]
    fn what_init_says_of_every_cell() {
        assert_eq!(of("init (p) { S[p] = A && X <> B }"), [1, 7, 5]);
        assert_eq!(of("init (p q) { S[p] = A || S[q] = B }"), [3, 7, 7]);
        assert_eq!(of("init (p q) { M[p,q] = A || X = B && M[p,q] = C }"), [7, 5, 7]);
        assert_eq!(of("init (p q r) { M[p,q] = A || M[r,q] = B }"), [7, 3, 7]);
    }

    #[test]
    fn what_it_says_of_some_cells() {
        assert_eq!(of("init (p q) { M[p,p] = A }"), [7, 7, 7]);
        assert_eq!(of("init (p q) { M[p,q] = A || M[q,p] = A }"), [7, 7, 7], "one of two is A");
        assert_eq!(of("init (p q r) { M[p,q] = A || M[q,r] = A }"), [7, 7, 7], "or of a path");
        assert_eq!(of("init (p q) { (M[p,q] = A || M[q,p] = A) && M[q,p] <> C }"), [7, 3, 7]);
    }

    #[test]
    fn random_reachable_states_have_no_other_values() {
        for_seeds!(2_000, |seed| {
            let mut random = Random::new(seed);
            let system = small_system(&mut random, &Profile::FINITE);
            let subtypes = subtypes(&system);
            let processes = match system.processes {
                polycube_language::system::Processes::Exactly(count) => count,
                polycube_language::system::Processes::Any => random.between(1, 3) as u32,
            };
            let limits = Limits { depth: Some(3), states: Some(200), ..Limits::default() };
            let options = Options { limits, reduction: Reduction::None, ..Options::new(processes) };
            let _ = explore_states(&system, &options, &mut (), &mut |instance, packed| {
                for (cell, value) in state(instance, packed).iter() {
                    let polycube_certificate::Value::Constructor(_, index) = value else { continue };
                    let values = subtypes[cell.symbol.0 as usize];
                    assert!(values >> index & 1 == 1, "{cell:?} {value:?}\n{}", system.to_source());
                }
            });
        });
    }
}
