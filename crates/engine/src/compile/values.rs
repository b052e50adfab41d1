//! Which constructors a symbol of enumeration type can ever hold. A channel that only ever carries requests
//! needs fewer bits.
//!
//! A set per symbol, closed under everything that can put a value there: what `init` allows, the constructors
//! that updates write, everything if an update chooses freely. Symbols whose values are copied into each
//! other or compared with each other share one set, so that one code means the same value in both. Guards are
//! not looked at: the sets are too large at worst, which costs bits and nothing else.

use polycube_language::System;
use polycube_language::formula::{Access, Formula, Relation, Term, VariableId};
use polycube_language::system::{Init, Type, Value};

/// The constructors that each symbol can hold.
#[derive(Clone, Debug)]
pub struct ValueSets {
    /// The representative of the symbols that share a set, for each symbol.
    class: Vec<usize>,
    /// The set of each representative, by constructor.
    members: Vec<Vec<bool>>,
}

impl ValueSets {
    /// Collects what every part of the system can put into a symbol.
    pub fn new(system: &System) -> ValueSets {
        let members = system.symbols.iter().map(|symbol| match symbol.ty {
            Type::Enumeration(id) => vec![false; system.enumeration(id).constructors.len()],
            _ => Vec::new(),
        });
        let mut sets = ValueSets { class: (0..system.symbols.len()).collect(), members: members.collect() };
        sets.init(system);
        for formula in system.formulas() {
            formula.for_each_comparison(&mut |comparison| {
                if let (Term::Access(left), Term::Access(right)) = (&comparison.left, &comparison.right) {
                    sets.join(left.symbol.0 as usize, right.symbol.0 as usize);
                }
            });
        }
        for update in system.updates() {
            update.values().for_each(|value| sets.write(update.symbol.0 as usize, value));
        }
        sets
    }

    /// The constructors that a symbol can hold, in increasing order; not empty.
    pub fn of_symbol(&self, symbol: usize) -> Vec<u32> {
        let members = &self.members[self.representative(symbol)];
        let held = (0..).zip(members).filter(|(_, is_member)| **is_member);
        let set: Vec<u32> = held.map(|(value, _)| value).collect();
        // `init` may say that a symbol differs from its only value; then there is no initial state, and the
        // set does not matter.
        if set.is_empty() { vec![0] } else { set }
    }

    /// A symbol starts with what a conjunct of `init` says of all its cells; if there is none, with anything.
    fn init(&mut self, system: &System) {
        for symbol in 0..system.symbols.len() {
            let pinned = system.init.iter().find_map(|init| {
                let conjuncts = match &init.formula {
                    Formula::And(parts) => &parts[..],
                    other => std::slice::from_ref(other),
                };
                conjuncts.iter().find_map(|conjunct| pinned(init, conjunct, symbol))
            });
            match pinned {
                Some((Relation::Equal, value)) => self.members[symbol][value as usize] = true,
                Some((Relation::NotEqual, value)) => {
                    self.members[symbol].fill(true);
                    self.members[symbol][value as usize] = false;
                }
                _ => self.members[symbol].fill(true),
            }
        }
    }

    fn write(&mut self, symbol: usize, value: &Value) {
        let class = self.representative(symbol);
        match value {
            Value::Any => self.members[class].fill(true),
            Value::Term(Term::Constructor(_, value)) => self.members[class][*value as usize] = true,
            Value::Term(Term::Access(access)) => self.join(symbol, access.symbol.0 as usize),
            Value::Term(_) => {}
        }
    }

    fn representative(&self, mut symbol: usize) -> usize {
        while self.class[symbol] != symbol {
            symbol = self.class[symbol];
        }
        symbol
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.representative(left), self.representative(right));
        if left != right {
            self.class[right] = left;
            let joined = std::mem::take(&mut self.members[right]);
            for (member, other) in self.members[left].iter_mut().zip(joined) {
                *member |= other;
            }
        }
    }
}

/// The constructor that a conjunct of `init` says all cells of a symbol to be equal to, or to differ from.
///
/// Sound: the parameters stand for all processes, coinciding or not, so pairwise different parameters as
/// indices reach every cell.
fn pinned(init: &Init, conjunct: &Formula, symbol: usize) -> Option<(Relation, u32)> {
    let Formula::Compare(comparison) = conjunct else { return None };
    let (access, value) = match (&comparison.left, &comparison.right) {
        (Term::Access(access), Term::Constructor(_, value))
        | (Term::Constructor(_, value), Term::Access(access)) => (access, *value),
        _ => return None,
    };
    let all_cells = access.symbol.0 as usize == symbol
        && !comparison.relation.is_order()
        && reaches_all_cells(access, &|variable| init.parameters.iter().any(|other| other.id == variable));
    all_cells.then_some((comparison.relation, value))
}

fn reaches_all_cells(access: &Access, is_parameter: &dyn Fn(VariableId) -> bool) -> bool {
    access.indices.iter().enumerate().all(|(at, index)| match index {
        Term::Variable(variable) => is_parameter(*variable) && !access.indices[..at].contains(index),
        _ => false,
    })
}
