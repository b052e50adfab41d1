//! Leaves that nothing reads.
//!
//! What the order of iterations decides about has no exact counterpart here. Where nothing that matters depends on
//! such a leaf, it is left out, and the rest is exact.

use std::collections::BTreeSet;

use polycube_language::formula::Formula;
use polycube_language::system::{SymbolId, Value};

use super::layout::{Leaf, Symbols};
use super::{Refused, Result, Translator};

impl Translator<'_> {
    pub(super) fn find_ghosts(&mut self) -> Result<()> {
        if self.last.is_empty() {
            return Ok(());
        }
        let matter = self.what_matters();
        let mut ghosts: BTreeSet<SymbolId> = BTreeSet::new();
        for (leaf, diagnostic) in &self.last {
            let symbols = symbols(self.leaf(*leaf));
            if symbols.iter().any(|symbol| matter.contains(symbol)) {
                return Err(Refused(Box::new(diagnostic.clone())));
            }
            ghosts.extend(symbols);
        }
        // What depends on a ghost is one, too. It does not matter either: what it depends on would.
        loop {
            let before = ghosts.len();
            for update in self.system.updates() {
                let conditions = update.branches.iter().flat_map(|branch| accesses(&branch.condition));
                let mut read = conditions.chain(update.values().flat_map(value_accesses));
                if read.any(|symbol| ghosts.contains(&symbol)) {
                    ghosts.insert(update.symbol);
                }
            }
            if ghosts.len() == before {
                break;
            }
        }
        let leaves = (0..).zip(&self.leaves);
        let found = leaves.filter(|(_, leaf)| symbols(leaf).iter().any(|symbol| ghosts.contains(symbol)));
        self.found.ghosts = found.map(|(at, _)| at).collect();
        Ok(())
    }

    /// The symbols that guards and properties depend on.
    fn what_matters(&self) -> BTreeSet<SymbolId> {
        let system = &self.system;
        let mut matter: BTreeSet<SymbolId> = BTreeSet::new();
        for transition in &system.transitions {
            matter.extend(accesses(&transition.guard));
        }
        for property in &system.properties {
            matter.extend(accesses(&property.formula));
        }
        loop {
            let before = matter.len();
            for update in system.updates() {
                if matter.contains(&update.symbol) {
                    update.branches.iter().for_each(|branch| matter.extend(accesses(&branch.condition)));
                    update.values().for_each(|value| matter.extend(value_accesses(value)));
                }
            }
            if matter.len() == before {
                return matter;
            }
        }
    }
}

fn symbols(leaf: &Leaf) -> Vec<SymbolId> {
    match leaf.symbols {
        Symbols::Local | Symbols::Ghost => Vec::new(),
        Symbols::Finite(symbol, _) | Symbols::Process(symbol, None) => vec![symbol],
        Symbols::Process(symbol, Some((kind, _))) => vec![symbol, kind],
    }
}

fn accesses(formula: &Formula) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    formula.for_each_access(&mut |access| {
        found.insert(access.symbol);
    });
    found
}

fn value_accesses(value: &Value) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    if let Value::Term(term) = value {
        term.for_each_access(&mut |access| {
            found.insert(access.symbol);
        });
    }
    found
}
