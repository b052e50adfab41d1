//! Which values of its enumeration a symbol can ever hold.
//!
//! The least sets such that: a value that some initial state may give to a cell is in the set of its symbol, and so
//! is whatever an update may assign. Guards and conditions are not looked at. In every reachable state, each cell
//! holds a value of the set of its symbol: that is an invariant, and cubes need not speak of other values.
//!
//! What initial states may give is computed from above: `init` is searched for conjuncts that speak of *every*
//! cell of a symbol, and a disjunction allows what any of its parts allows. What is not understood allows
//! everything. (Cubicle takes a symbol that is mentioned in one disjunct, or on one cell, as fully described.)

use polycube_language::System;
use polycube_language::formula::{Access, Formula, Relation, Term, VariableId};
use polycube_language::system::{Init, SymbolId, Type, Value};

/// For each symbol, the set of values as a mask; meaningless where its type is not an enumeration.
pub fn subtypes(system: &System) -> Vec<u64> {
    let mut values: Vec<u64> = (system.symbols.iter().zip(0..))
        .map(|(_, id)| {
            let id = SymbolId(id);
            let whole = whole_type(system, id);
            system.init.iter().fold(whole, |values, init| values & initially(system, init, &init.formula, id))
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

/// The values that a part of an `init` clause allows for the cells of a symbol.
fn initially(system: &System, init: &Init, formula: &Formula, symbol: SymbolId) -> u64 {
    let whole = whole_type(system, symbol);
    match formula {
        Formula::Constant(false) => 0,
        Formula::Compare(comparison) => {
            let ((Term::Access(access), Term::Constructor(_, index))
            | (Term::Constructor(_, index), Term::Access(access))) = (&comparison.left, &comparison.right)
            else {
                return whole;
            };
            if access.symbol != symbol || !is_every_cell(init, access) {
                return whole;
            }
            match comparison.relation {
                Relation::Equal => 1 << index,
                Relation::NotEqual => whole & !(1 << index),
                Relation::Less | Relation::LessEqual => whole,
            }
        }
        Formula::And(parts) => {
            parts.iter().fold(whole, |values, part| values & initially(system, init, part, symbol))
        }
        Formula::Or(parts) => {
            parts.iter().fold(0, |values, part| values | initially(system, init, part, symbol))
        }
        _ => whole,
    }
}

/// Whether an access stands for every cell of its array as the parameters of the clause stand for all
/// processes: its indices are different parameters.
fn is_every_cell(init: &Init, access: &Access) -> bool {
    let parameter = |index: &Term| match index {
        Term::Variable(id) if init.parameters.iter().any(|parameter| parameter.id == *id) => Some(*id),
        _ => None,
    };
    let indices: Option<Vec<VariableId>> = access.indices.iter().map(parameter).collect();
    indices.is_some_and(|mut indices| {
        let count = indices.len();
        indices.sort_unstable();
        indices.dedup();
        indices.len() == count
    })
}
