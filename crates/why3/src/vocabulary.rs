//! Names for everything in a system and its invariant.

use polycube_certificate::fact::facts;
use polycube_certificate::invariant::{Clause, Invariant};
use polycube_language::System;
use polycube_language::system::{Processes, Symbol, Type};

use crate::names::Names;

/// What the states are called that formulas are about: that before a step, or the only one; and that after a
/// step.
pub(crate) const NOW: &str = "s";
pub(crate) const NEXT: &str = "t";

/// The words of a program: its only function, those that it calls, a state of which nothing is known, and a
/// field of states that hold nothing.
pub(crate) const MAIN: &str = "main";
pub(crate) const COIN: &str = "coin";
pub(crate) const ANY_PROCESS: &str = "any_process";
pub(crate) const ANY_STATE: &str = "any_state";
pub(crate) const VALUE_OF: &str = "value_of";
pub(crate) const ANYTHING: &str = "anything";
pub(crate) const NOTHING: &str = "nothing";

/// How it is written what a symbol holds in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    /// A function of the state: `cache s p`.
    Function,
    /// A field of the state: `s.cache p`.
    Field,
}

/// A system with its invariant, and names for everything in them.
pub(crate) struct Vocabulary<'s> {
    pub(crate) system: &'s System,
    pub(crate) invariant: &'s Invariant,
    pub(crate) notation: Notation,
    pub(crate) enumerations: Vec<String>,
    pub(crate) abstract_types: Vec<String>,
    pub(crate) state: String,
    /// The values of each enumeration.
    pub(crate) constructors: Vec<Vec<String>>,
    /// `#1`, `#2` and so on.
    pub(crate) processes: Vec<String>,
    pub(crate) symbols: Vec<String>,
    /// Predicates: a symbol is the same in two states.
    pub(crate) same: Vec<String>,
    /// Variables of a program for what a symbol holds next.
    pub(crate) new: Vec<String>,
    pub(crate) transitions: Vec<String>,
    pub(crate) properties: Vec<String>,
    pub(crate) clauses: Vec<String>,
    /// What is known of numbers of processes.
    pub(crate) facts: Vec<(String, Clause)>,
    /// The orders of types other than numbers that formulas mention.
    pub(crate) orders: Vec<(Type, String)>,
    /// All names but those of types, which are never mistaken for others.
    pub(crate) taken: Names,
}

impl<'s> Vocabulary<'s> {
    pub(crate) fn new(system: &'s System, invariant: &'s Invariant, notation: Notation) -> Vocabulary<'s> {
        let mut types = Names::new(&["proc"]);
        let mut taken = Names::new(&[NOW, NEXT, "initial", "all_clauses"]);
        taken.reserve(&[MAIN, COIN, ANY_PROCESS, ANY_STATE, ANYTHING, VALUE_OF, NOTHING]);
        // The first enumeration is `bool`, which Why3 knows, too.
        let (enumerations, constructors) = (system.enumerations.iter().skip(1))
            .map(|ty| {
                let constructors = ty.constructors.iter().map(|name| taken.capital(name)).collect();
                (types.small(&ty.name), constructors)
            })
            .unzip::<_, _, Vec<_>, Vec<_>>();
        let (bool, truth) = ("bool".to_owned(), vec!["False".to_owned(), "True".to_owned()]);
        let processes = if let Processes::Exactly(count) = system.processes { count } else { 0 };
        let name = |(at, symbol): (usize, &Symbol)| match at.checked_sub(system.declared()) {
            None => taken.small(&symbol.name),
            Some(count) => taken.small(&format!("count_{}", count + 1)),
        };
        let symbols: Vec<String> = system.symbols.iter().enumerate().map(name).collect();
        let facts = facts(system);
        let keywords = system.properties.iter().map(|property| property.kind.keyword());
        Vocabulary {
            system,
            invariant,
            notation,
            enumerations: [bool].into_iter().chain(enumerations).collect(),
            abstract_types: system.abstract_types.iter().map(|ty| types.small(&ty.name)).collect(),
            state: types.small("system_state"),
            constructors: [truth].into_iter().chain(constructors).collect(),
            processes: (1..=processes).map(|number| taken.capital(&format!("Process{number}"))).collect(),
            same: symbols.iter().map(|name| taken.small(&format!("same_{name}"))).collect(),
            new: symbols.iter().map(|name| taken.small(&format!("new_{name}"))).collect(),
            symbols,
            properties: (keywords.zip(1..))
                .map(|(keyword, number)| taken.small(&format!("{keyword}_{number}")))
                .collect(),
            clauses: (1..=invariant.clauses.len())
                .map(|number| taken.small(&format!("clause_{number}")))
                .collect(),
            facts: (1..=facts.len())
                .map(|number| taken.small(&format!("fact_{number}")))
                .zip(facts)
                .collect(),
            transitions: system.transitions.iter().map(|transition| taken.small(&transition.name)).collect(),
            orders: (invariant.ordered_types(system).into_iter())
                .map(|ty| (ty, taken.small(&format!("less_{}", system.type_name(ty)))))
                .collect(),
            taken,
        }
    }

    pub(crate) fn ty(&self, ty: Type) -> &str {
        match ty {
            Type::Process => "proc",
            Type::Integer => "int",
            Type::Real => "real",
            Type::Enumeration(id) => &self.enumerations[id.0 as usize],
            Type::Abstract(id) => &self.abstract_types[id.0 as usize],
        }
    }

    pub(crate) fn less(&self, ty: Type) -> &str {
        let order = self.orders.iter().find(|(ordered, _)| *ordered == ty);
        &order.expect("every order that formulas mention has a name").1
    }

    /// The theories of the numbers that the model computes with.
    pub(crate) fn arithmetic(&self) -> Vec<&'static str> {
        let mut types: Vec<Type> = self.system.symbols.iter().map(|symbol| symbol.ty).collect();
        for formula in self.invariant.formulas(self.system) {
            formula.for_each_comparison(&mut |comparison| types.push(comparison.ty));
        }
        let theories = [(Type::Integer, "int.Int"), (Type::Real, "real.RealInfix")];
        theories.into_iter().filter(|(ty, _)| types.contains(ty)).map(|(_, theory)| theory).collect()
    }
}
