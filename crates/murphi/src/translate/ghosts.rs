//! Leaves that nothing reads.
//!
//! What the order of iterations decides about has no exact counterpart here. Where nothing that matters depends on
//! such a leaf, it is left out, and the rest is exact.

use std::collections::BTreeSet;

use polycube_language::formula::{Formula, Term};
use polycube_language::system::{SymbolId, Value};

use super::layout::Symbols;
use super::{Refused, Result, Translator};

impl Translator<'_> {
    pub(super) fn drop_ghosts(&mut self) -> Result<()> {
        if self.last.is_empty() {
            return Ok(());
        }
        let matter = self.what_matters();
        let mut ghosts = BTreeSet::new();
        for (leaf, diagnostic) in &self.last {
            let symbols = match self.leaf(*leaf).symbols {
                Symbols::Local => Vec::new(),
                Symbols::Finite(symbol, _) | Symbols::Process(symbol, None) => vec![symbol],
                Symbols::Process(symbol, Some((kind, _))) => vec![symbol, kind],
            };
            if symbols.iter().any(|symbol| matter.contains(symbol)) {
                return Err(Refused(Box::new(diagnostic.clone())));
            }
            ghosts.extend(symbols);
        }
        // What depends on a ghost is one, too.
        loop {
            let mut added = false;
            for update in self.system.transitions.iter().flat_map(|transition| &transition.updates) {
                let mut reads = |formula: &Formula| accesses(formula).iter().any(|symbol| ghosts.contains(symbol));
                let is_tainted = update.branches.iter().any(|branch| reads(&branch.condition))
                    || update.values().any(|value| value_accesses(value).iter().any(|symbol| ghosts.contains(symbol)));
                if is_tainted && !ghosts.contains(&update.symbol) {
                    ghosts.insert(update.symbol);
                    added = true;
                }
            }
            if !added {
                break;
            }
        }
        for transition in &mut self.system.transitions {
            transition.updates.retain(|update| !ghosts.contains(&update.symbol));
        }
        self.system.init.retain(|init| accesses(&init.formula).is_disjoint(&ghosts));
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
        let term: &Term = term;
        term.for_each_access(&mut |access| {
            found.insert(access.symbol);
        });
    }
    found
}
