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
                let conditions = update.branches.iter().flat_map(|branch| self.accesses(&branch.condition));
                let mut read = conditions.chain(update.values().flat_map(|value| self.value_accesses(value)));
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
            matter.extend(self.accesses(&transition.guard));
        }
        for property in &system.properties {
            matter.extend(self.accesses(&property.formula));
        }
        loop {
            let before = matter.len();
            for update in system.updates() {
                if matter.contains(&update.symbol) {
                    let conditions = update.branches.iter().map(|branch| &branch.condition);
                    conditions.for_each(|condition| matter.extend(self.accesses(condition)));
                    update.values().for_each(|value| matter.extend(self.value_accesses(value)));
                }
            }
            if matter.len() == before {
                return matter;
            }
        }
    }

    fn accesses(&self, formula: &Formula) -> BTreeSet<SymbolId> {
        let mut found = BTreeSet::new();
        formula.for_each_access(&mut |access| self.add_access(access.symbol, &mut found));
        found
    }

    fn value_accesses(&self, value: &Value) -> BTreeSet<SymbolId> {
        let mut found = BTreeSet::new();
        if let Value::Term(term) = value {
            term.for_each_access(&mut |access| self.add_access(access.symbol, &mut found));
        }
        found
    }

    /// A number of processes depends on what is asked of them.
    fn add_access(&self, symbol: SymbolId, found: &mut BTreeSet<SymbolId>) {
        found.insert(symbol);
        if let Some(count) = self.count_of(symbol) {
            count.formula.for_each_access(&mut |access| _ = found.insert(access.symbol));
        }
    }
}

fn symbols(leaf: &Leaf) -> Vec<SymbolId> {
    match leaf.symbols {
        Symbols::Local | Symbols::Ghost => Vec::new(),
        Symbols::Finite(symbol, _) | Symbols::Counter(symbol, None) | Symbols::Process(symbol, None) => {
            vec![symbol]
        }
        Symbols::Counter(symbol, Some((kind, _))) | Symbols::Process(symbol, Some((kind, _))) => {
            vec![symbol, kind]
        }
    }
}
