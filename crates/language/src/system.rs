//! The meaning of a model: a transition system over arrays indexed by processes.
//!
//! A [`System`] describes one finite-or-infinite transition system for every number N >= 1 of processes (or
//! for the one number that [`Processes::Exactly`] fixes). Everything is resolved and typed: names are ids,
//! predicates and `let`s are expanded, quantifiers are explicit. Nothing here depends on how the model was
//! written, except the names and the [`Origin`]s, which are kept for people.
//!
//! **State.** A state gives a value to every [`Symbol`]: one value to a constant or variable, one to each
//! cell of an array. Values of type `proc` are processes, of `int` integers, of `real` rationals, of an
//! enumeration its constructors, of an abstract type elements of an infinite set that can only be compared
//! for equality. Constants keep their value along a run.
//!
//! **Runs.** A run starts in a state in which all [`System::init`] clauses hold. A step takes a transition
//! and pairwise distinct processes for its parameters such that the guard holds, and changes the state by the
//! transition's updates, all computed from the old state at once. What has no update keeps its value.
//!
//! **Counts.** A symbol may be a [`Count`]: its value is the number of processes that satisfy a formula, in
//! every state of a run. Transitions update it like a variable; that this gives the right number is what
//! [`count`](crate::count) is about.
//!
//! **Order.** `<` on processes is a strict total order of which nothing else is known: not how many processes
//! lie between two, and not how `#1` and `#2` compare. It is fixed along a run. A system is safe if it is
//! safe for every such order. The same holds for `<` on an enumeration, on Booleans and on an abstract type:
//! some unknown, fixed total order of its values. On `int` and `real` it is the usual one.

use crate::count::Count;
use crate::formula::{Formula, Term, Variable, VariableId};
use crate::span::Origin;
use crate::words::Words;

pub use crate::signature::{
    AbstractType, AbstractTypeId, Enumeration, EnumerationId, Symbol, SymbolId, SymbolKind, Type,
};

/// A typed, resolved model. See the [module](self) for what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// How many processes there are.
    pub processes: Processes,
    /// The enumerations; the first one is `bool`.
    pub enumerations: Vec<Enumeration>,
    /// The abstract types.
    pub abstract_types: Vec<AbstractType>,
    /// Constants, variables and arrays, in the order of their declaration; then one for each count.
    pub symbols: Vec<Symbol>,
    /// What the last symbols count. Their updates come last in each transition, and what they are in the
    /// beginning, where that is clear, in the last `init` clauses.
    pub counts: Vec<Count>,
    /// The initial states: those in which every clause holds. At least one clause.
    pub init: Vec<Init>,
    /// The `unsafe` and `invariant` clauses, in the order of the text.
    pub properties: Vec<Property>,
    /// The transitions, in the order of the text. Names may repeat.
    pub transitions: Vec<Transition>,
    /// How people speak of it.
    pub words: Words,
}

/// How many processes a system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processes {
    /// Any number, at least one: the system stands for the family of all these instances.
    Any,
    /// Exactly this many: `#1`, `#2`, ... name all of them, and differ pairwise.
    Exactly(u32),
}

/// An `init` clause: the formula holds for all processes in place of the parameters. Other than everywhere
/// else, the parameters may stand for the *same* process: `init (x y) { M[x, y] = A }` says something about
/// the diagonal too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Init {
    /// The universally quantified parameters, not necessarily distinct.
    pub parameters: Vec<Variable>,
    /// What holds for them.
    pub formula: Formula,
    /// The clause.
    pub origin: Origin,
}

/// What is claimed of a property's states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// `unsafe`: the question put to the verifier is whether these states can be reached.
    Unsafe,
    /// `invariant`: the author claims that these states cannot be reached (the formula is the *negation* of
    /// the invariant). A claim, to be proved like the others, not an assumption.
    Invariant,
}

impl PropertyKind {
    /// The word with which such a clause begins.
    pub fn keyword(self) -> &'static str {
        match self {
            PropertyKind::Unsafe => "unsafe",
            PropertyKind::Invariant => "invariant",
        }
    }
}

/// An `unsafe` or `invariant` clause: a set of states that must not be reached, those in which there are
/// pairwise distinct processes for the parameters that satisfy the formula. A parameter that the formula does
/// not mention still says that there are this many processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// `unsafe` or `invariant`.
    pub kind: PropertyKind,
    /// The existentially quantified, pairwise distinct parameters.
    pub parameters: Vec<Variable>,
    /// What holds for them in the states that must not be reached.
    pub formula: Formula,
    /// The clause.
    pub origin: Origin,
}

/// A transition: possible for pairwise distinct processes in place of the parameters for which the guard
/// holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Its name; need not be unique.
    pub name: String,
    /// The existentially quantified, pairwise distinct parameters.
    pub parameters: Vec<Variable>,
    /// When it is possible. `true` where the text has no `requires`.
    pub guard: Formula,
    /// What it changes, in the order of the text; at most one update per symbol.
    pub updates: Vec<Update>,
    /// The whole transition.
    pub origin: Origin,
}

/// The new value of a variable, or of every cell of an array.
///
/// `X := case | c1 : e1 | c2 : e2 | _ : e`: the value of the first branch whose condition holds in the old
/// state, else `otherwise`. For an array the same is said of each cell, with `indices` standing for the
/// cell's tuple of processes, which may coincide with each other and with the parameters. An update of one
/// cell, `A[i] := e`, is `A[k] := case | k = i : e | _ : A[k]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The variable or array that changes.
    pub symbol: SymbolId,
    /// Names for the indices of a cell: as many as the symbol has dimensions.
    pub indices: Vec<Variable>,
    /// The branches, in order.
    pub branches: Vec<Branch>,
    /// The value where no branch applies.
    pub otherwise: Value,
    /// The update.
    pub origin: Origin,
}

/// One branch of an [`Update`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// When it applies, in the old state.
    pub condition: Formula,
    /// The new value.
    pub value: Value,
    /// The branch.
    pub origin: Origin,
}

/// A new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// The value of a term in the old state.
    Term(Term),
    /// Any value of the type: each choice is a different step. Each cell of an array chooses for itself.
    Any,
}

impl Update {
    /// The new values that it can give.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.branches.iter().map(|branch| &branch.value).chain([&self.otherwise])
    }

    /// Gives every variable, bound or free, another number, in the order of the text.
    pub fn rename(&mut self, rename: &mut dyn FnMut(VariableId) -> VariableId) {
        self.indices.iter_mut().for_each(|index| index.id = rename(index.id));
        for branch in &mut self.branches {
            branch.condition.rename(rename);
            branch.value.rename(rename);
        }
        self.otherwise.rename(rename);
    }
}

impl Value {
    /// Gives every variable another number.
    pub fn rename(&mut self, rename: &mut dyn FnMut(VariableId) -> VariableId) {
        if let Value::Term(term) = self {
            term.rename(rename);
        }
    }
}

impl Default for System {
    /// Nothing but the predefined types. It lacks an `init` clause.
    fn default() -> System {
        System {
            processes: Processes::Any,
            enumerations: vec![Enumeration::bool()],
            abstract_types: Vec::new(),
            symbols: Vec::new(),
            counts: Vec::new(),
            init: Vec::new(),
            properties: Vec::new(),
            transitions: Vec::new(),
            words: Words::default(),
        }
    }
}

impl System {
    /// The symbol with this id.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    /// The enumeration with this id.
    pub fn enumeration(&self, id: EnumerationId) -> &Enumeration {
        &self.enumerations[id.0 as usize]
    }

    /// The abstract type with this id.
    pub fn abstract_type(&self, id: AbstractTypeId) -> &AbstractType {
        &self.abstract_types[id.0 as usize]
    }

    /// The name of a type, as it is written.
    pub fn type_name(&self, ty: Type) -> &str {
        match ty {
            Type::Process => "proc",
            Type::Integer => "int",
            Type::Real => "real",
            Type::Enumeration(id) => &self.enumeration(id).name,
            Type::Abstract(id) => &self.abstract_type(id).name,
        }
    }

    /// Every formula: of `init`, of the properties, guards, and the conditions of updates; and what is counted.
    pub fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let init = self.init.iter().map(|init| &init.formula);
        let properties = self.properties.iter().map(|property| &property.formula);
        let guards = self.transitions.iter().map(|transition| &transition.guard);
        let branches = self.updates().flat_map(|update| &update.branches);
        let counted = self.counts.iter().map(|count| &count.formula);
        init.chain(properties).chain(guards).chain(branches.map(|branch| &branch.condition)).chain(counted)
    }

    /// Both sides of every comparison, and every value that is assigned.
    pub fn for_each_term<'s>(&'s self, visit: &mut dyn FnMut(&'s Term)) {
        for formula in self.formulas() {
            formula.for_each_comparison(&mut |comparison| {
                visit(&comparison.left);
                visit(&comparison.right);
            });
        }
        for value in self.updates().flat_map(Update::values) {
            if let Value::Term(term) = value {
                visit(term);
            }
        }
    }

    /// The processes `#1`, `#2`, ... that occur anywhere, from 0, in their order.
    pub fn named_processes(&self) -> Vec<u32> {
        let mut named = Vec::new();
        self.for_each_term(&mut |term| {
            term.for_each_part(&mut |part| {
                if let Term::Process(number) = part {
                    named.push(number - 1);
                }
            });
        });
        named.sort_unstable();
        named.dedup();
        named
    }

    /// Every update of every transition.
    pub fn updates(&self) -> impl Iterator<Item = &Update> {
        self.transitions.iter().flat_map(|transition| &transition.updates)
    }

    /// Whether the property with this index is what the model is about: an `unsafe` clause, or an `invariant` where
    /// there is none. The others are helpers.
    pub fn is_main(&self, property: usize) -> bool {
        self.properties[property].kind == PropertyKind::Unsafe || self.unsafe_clauses().next().is_none()
    }

    /// The `unsafe` clauses.
    pub fn unsafe_clauses(&self) -> impl Iterator<Item = &Property> {
        self.properties.iter().filter(|property| property.kind == PropertyKind::Unsafe)
    }

    /// The `invariant` clauses.
    pub fn invariant_clauses(&self) -> impl Iterator<Item = &Property> {
        self.properties.iter().filter(|property| property.kind == PropertyKind::Invariant)
    }
}
