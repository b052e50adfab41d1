//! What a question may assume, as conjunctions of parts that many of them share.
//!
//! The clauses of one invariant say the same few things of different processes again and again. What such a
//! part means, and whether it holds in a state, is found out once for each choice of processes.

use std::borrow::Cow;
use std::collections::BTreeSet;

use polycube_certificate::fact::facts;
use polycube_certificate::invariant::{Clause, Invariant};
use polycube_language::System;
use polycube_language::formula::{Formula, Variable, VariableId};
use polycube_language::system::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) type PartId = usize;

/// A formula of some processes, which it calls by the variables 0, 1, ..
pub(crate) struct Part {
    pub(crate) formula: Formula,
    /// How many processes it is about.
    pub(crate) arity: usize,
    pub(crate) has_quantifier: bool,
    /// What it speaks of.
    pub(crate) symbols: Vec<SymbolId>,
}

/// A part, said of some of the parameters of a claim.
pub(crate) struct Conjunct {
    pub(crate) part: PartId,
    /// Which parameters its variables stand for.
    pub(crate) arguments: Vec<usize>,
}

/// States that are known not to occur: those with processes for the parameters for which all conjuncts hold.
pub(crate) struct Claim {
    pub(crate) parameters: usize,
    /// Whether the processes have to be different.
    pub(crate) distinct: bool,
    pub(crate) conjuncts: Vec<Conjunct>,
    /// The conjuncts about the first parameters that are about the last of these: entry `n` can be judged
    /// when `n` parameters have a process, and not before.
    pub(crate) judged: Vec<Vec<usize>>,
    /// Of how many processes it says that they exist: see
    /// [`Clause::promised`](polycube_certificate::invariant::Clause::promised).
    pub(crate) promised: usize,
}

/// All that may be assumed: the clauses of the invariant first, in their order, then facts, then what holds
/// initially. (Of initial states, facts and what is behind them.)
pub(crate) struct Claims {
    pub(crate) parts: Vec<Part>,
    pub(crate) claims: Vec<Claim>,
    /// How many of them hold in every state of the invariant: its clauses, and the facts.
    pub(crate) known: usize,
    /// What each clause of the invariant speaks of.
    pub(crate) symbols: Vec<BTreeSet<SymbolId>>,
}

impl Claims {
    pub(crate) fn new(system: &System, invariant: &Invariant) -> Claims {
        let mut builder = Builder::default();
        for clause in invariant.clauses.iter().chain(&facts(system)) {
            let conjuncts = conjuncts(&clause.never, true);
            builder.claim(&clause.parameters, true, &conjuncts, clause.promised().len());
        }
        let known = builder.claims.len();
        // What is said of all processes: the conjuncts one by one, each of as few processes as possible.
        for init in system.init.iter().filter(|init| !init.parameters.is_empty()) {
            for said in conjuncts(&init.formula, true) {
                let negation = conjuncts(&said, false);
                let mentioned = mentioned(&negation);
                let parameters = init.parameters.iter().filter(|parameter| mentioned.contains(&parameter.id));
                builder.claim(&parameters.cloned().collect::<Vec<_>>(), false, &negation, 0);
            }
        }
        let symbols = |clause: &Clause| {
            let mut symbols = BTreeSet::new();
            clause.never.for_each_access(&mut |access| {
                symbols.insert(access.symbol);
            });
            symbols
        };
        let symbols = invariant.clauses.iter().map(symbols).collect();
        Claims { parts: builder.parts, claims: builder.claims, known, symbols }
    }
}

#[derive(Default)]
struct Builder {
    parts: Vec<Part>,
    claims: Vec<Claim>,
    known: FxHashMap<Formula, PartId>,
}

impl Builder {
    fn claim(
        &mut self,
        parameters: &[Variable],
        distinct: bool,
        conjuncts: &[Cow<'_, Formula>],
        promised: usize,
    ) {
        let positions = parameters.iter().enumerate().map(|(at, parameter)| (parameter.id, at)).collect();
        let conjuncts: Vec<Conjunct> = conjuncts.iter().map(|part| self.conjunct(&positions, part)).collect();
        let mut judged = vec![Vec::new(); parameters.len() + 1];
        for (at, conjunct) in conjuncts.iter().enumerate() {
            let needed = conjunct.arguments.iter().map(|&argument| argument + 1).max().unwrap_or(0);
            judged[needed].push(at);
        }
        self.claims.push(Claim { parameters: parameters.len(), distinct, conjuncts, judged, promised });
    }

    fn conjunct(&mut self, parameters: &FxHashMap<VariableId, usize>, formula: &Formula) -> Conjunct {
        let mut formula = formula.clone();
        let mut arguments: Vec<usize> = Vec::new();
        let mut bound: Vec<VariableId> = Vec::new();
        formula.rename(&mut |variable| {
            if let Some(&parameter) = parameters.get(&variable) {
                let at = position_or_push(&mut arguments, parameter);
                return VariableId(u32::try_from(at).expect("a formula has fewer variables"));
            }
            // Variables that are bound inside come from the other end.
            let at = position_or_push(&mut bound, variable);
            VariableId(u32::MAX - u32::try_from(at).expect("a formula has fewer variables"))
        });
        let part = *self.known.entry(formula).or_insert_with_key(|formula| {
            let has_quantifier = formula.has_quantifier();
            let mut symbols = Vec::new();
            formula.for_each_access(&mut |access| symbols.push(access.symbol));
            self.parts.push(Part {
                formula: formula.clone(),
                arity: arguments.len(),
                has_quantifier,
                symbols,
            });
            self.parts.len() - 1
        });
        Conjunct { part, arguments }
    }
}

fn position_or_push<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|other| *other == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

/// Formulas that all hold if and only if this one does, or does not.
fn conjuncts(formula: &Formula, holds: bool) -> Vec<Cow<'_, Formula>> {
    match (formula, holds) {
        (Formula::And(parts), true) | (Formula::Or(parts), false) => {
            parts.iter().flat_map(|part| conjuncts(part, holds)).collect()
        }
        (Formula::Not(part), _) => conjuncts(part, !holds),
        (Formula::Constant(value), _) if *value == holds => Vec::new(),
        (_, true) => vec![Cow::Borrowed(formula)],
        (_, false) => vec![Cow::Owned(Formula::not(formula.clone()))],
    }
}

fn mentioned(formulas: &[Cow<'_, Formula>]) -> FxHashSet<VariableId> {
    let mut found = FxHashSet::default();
    for formula in formulas {
        formula.clone().into_owned().rename(&mut |variable| {
            found.insert(variable);
            variable
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_share_what_they_say_of_different_processes() {
        let text = "array A[proc] : bool
             array B[proc] : int
             init (p q r) { A[p] && (A[q] || not A[r]) }
             unsafe (p q) { A[p] && B[p] < B[q] }
             unsafe (p q r) { A[r] && B[r] < B[p] && (forall s. A[s] || B[q] < B[s]) }";
        let system = polycube_language::check(text).system.expect("a model");
        let clauses = (system.properties.iter()).map(|property| Clause {
            parameters: property.parameters.clone(),
            never: property.formula.clone(),
        });
        let claims = Claims::new(&system, &Invariant { clauses: clauses.collect() });
        // A[.], B[.] < B[.], forall s. .., not A[.]
        assert_eq!(claims.parts.len(), 4);
        assert_eq!(claims.known, 2);
        let arguments: Vec<_> = claims.claims[1].conjuncts.iter().map(|one| &one.arguments[..]).collect();
        assert_eq!(arguments, [&[2][..], &[2, 0], &[1]]);
        assert_eq!(claims.claims[1].judged, [vec![], vec![], vec![2], vec![0, 1]]);
        // `init` is taken apart, and each conjunct is said of the processes that it mentions.
        let parameters: Vec<_> = claims.claims[2..].iter().map(|claim| claim.parameters).collect();
        assert_eq!(parameters, [1, 2]);
        assert!(claims.claims[2..].iter().all(|claim| !claim.distinct));
    }
}
