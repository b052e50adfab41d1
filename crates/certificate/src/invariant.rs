//! A claimed inductive invariant, and what has to be proved of it.

use polycube_language::System;
use polycube_language::formula::{Formula, Variable};
use polycube_language::system::{SymbolId, Transition, Type};

use crate::cases::plain_witnesses;

/// A formula that is claimed never to hold for any pairwise distinct processes in place of the parameters. A
/// state in which it holds for some *violates* the clause; every other state *satisfies* it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// They stand for pairwise distinct processes.
    pub parameters: Vec<Variable>,
    /// What is never true of them.
    pub never: Formula,
}

impl Clause {
    /// Whether the transition updates no symbol that the clause mentions. Then each of its steps preserves
    /// the clause: it says the same of the state after the step as of the state before.
    pub fn is_untouched_by(&self, transition: &Transition) -> bool {
        let changes = |symbol: SymbolId| transition.updates.iter().any(|update| update.symbol == symbol);
        let mut is_untouched = true;
        self.never.for_each_access(&mut |access| is_untouched &= !changes(access.symbol));
        is_untouched
    }

    /// The processes of which the clause says that they exist, as variables of its formula: for its
    /// parameters, one of them is not as the formula says of all. (`forall z. C(z) => exists j. not D(j)`,
    /// written as: never `C(z) and forall j. D(j)`.)
    pub fn promised(&self) -> Vec<&Variable> {
        plain_witnesses(&self.never, false)
    }
}

/// The claim that every reachable state satisfies all clauses. A *state of the invariant* is one that does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invariant {
    /// The clauses.
    pub clauses: Vec<Clause>,
}

impl Invariant {
    /// All formulas of a system and of its invariant.
    pub fn formulas<'f>(&'f self, system: &'f System) -> impl Iterator<Item = &'f Formula> {
        system.formulas().chain(self.clauses.iter().map(|clause| &clause.never))
    }

    /// The types, other than numbers, whose values are compared by an order somewhere in the system or the
    /// invariant.
    pub fn ordered_types(&self, system: &System) -> Vec<Type> {
        let mut types = Vec::new();
        for formula in self.formulas(system) {
            formula.for_each_comparison(&mut |comparison| {
                let ty = comparison.ty;
                if comparison.relation.is_order() && !ty.is_numeric() && !types.contains(&ty) {
                    types.push(ty);
                }
            });
        }
        types
    }
}

/// What has to be proved. If all obligations hold, then no run of the system reaches a state of a property:
/// the first state of a run satisfies the invariant, each step preserves it, and it excludes the properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obligation {
    /// Every initial state satisfies this clause.
    Initially {
        /// The number of the clause.
        clause: usize,
    },
    /// Every step of this transition from a state that satisfies the invariant leads to one that satisfies
    /// this clause.
    Preserved {
        /// The number of the transition.
        transition: usize,
        /// The number of the clause.
        clause: usize,
    },
    /// No state of the invariant is one of this property.
    Excludes {
        /// The number of the property.
        property: usize,
    },
}

impl Obligation {
    /// All that has to be proved of an invariant.
    pub fn all(system: &System, invariant: &Invariant) -> Vec<Obligation> {
        let clauses = 0..invariant.clauses.len();
        let initially = clauses.clone().map(|clause| Obligation::Initially { clause });
        let preserved = (0..system.transitions.len()).flat_map(|transition| {
            clauses.clone().map(move |clause| Obligation::Preserved { transition, clause })
        });
        let excludes = (0..system.properties.len()).map(|property| Obligation::Excludes { property });
        initially.chain(preserved).chain(excludes).collect()
    }

    /// How many there are.
    pub fn count(system: &System, invariant: &Invariant) -> usize {
        invariant.clauses.len() * (1 + system.transitions.len()) + system.properties.len()
    }

    /// What has to be proved, in words; clauses and properties have numbers from 1.
    pub fn describe(self, system: &System) -> String {
        match self {
            Obligation::Initially { clause } => {
                format!("every initial state satisfies clause {}", clause + 1)
            }
            Obligation::Preserved { transition, clause } => {
                let name = &system.transitions[transition].name;
                format!("transition `{name}` preserves clause {}", clause + 1)
            }
            Obligation::Excludes { property } => {
                let keyword = system.properties[property].kind.keyword();
                format!("the invariant excludes property {} (`{keyword}`)", property + 1)
            }
        }
    }
}
