//! The symbols, rules and invariants of a file at its sizes, without what they mean.
//!
//! What is [executed](crate::execute) is not translated, but reports speak of it in the words of the file. So this is what a
//! translation would begin with: a symbol for each leaf, any of which can be undefined.

use std::collections::BTreeMap;
use std::sync::Arc;

use polycube_language::System;
use polycube_language::diagnostic::Diagnostic;
use polycube_language::formula::Formula;
use polycube_language::span::{Origin, Span};
use polycube_language::system::{
    EnumerationId, Init, Processes, Property, PropertyKind, SymbolId, Transition, Update,
};
use polycube_language::words::Claim;

use super::layout::{Role, Symbols};
use super::names::Names;
use super::{Known, Refused, Result, Translator, effects};
use crate::model::{Model, TypeId};

/// A system that has no run, and where the leaves of the file are in it.
#[derive(Clone, Debug)]
pub(crate) struct Skeleton {
    pub system: System,
    /// The leaves of the state, in order.
    pub leaves: Vec<Keeper>,
    names: Names,
}

/// What keeps a leaf.
#[derive(Clone, Debug)]
pub(crate) struct Keeper {
    pub symbol: SymbolId,
    pub enumeration: EnumerationId,
    /// The constructor of each value.
    values: Arc<Vec<u32>>,
    undefined: Option<u32>,
}

/// The symbols, rules and invariants of a file.
///
/// # Errors
///
/// Where the order of evaluation matters, on which tools do not agree.
pub(crate) fn skeleton(model: &Model) -> Result<Skeleton, Box<Diagnostic>> {
    skeleton_of(model).map_err(|Refused(diagnostic)| diagnostic)
}

fn skeleton_of(model: &Model) -> Result<Skeleton> {
    effects::expect_order(model)?;
    let roles = {
        let known = Known::default();
        let mut translator = Translator::new(model, None, &known);
        translator.declare()?;
        translator.leaves.iter().map(|leaf| leaf.role).collect::<Vec<Role>>()
    };
    let undefinable = (0..).zip(&roles).filter(|(_, role)| **role != Role::Flag).map(|(at, _)| at);
    let known = Known { undefinable: undefinable.collect(), ..Known::default() };
    let mut translator = Translator::new(model, None, &known);
    translator.declare()?;
    let leaves = translator.keepers();
    let mut skeleton = Skeleton { system: translator.system, leaves, names: translator.names };
    let system = &mut skeleton.system;
    system.processes = Processes::Exactly(1);
    system.words.instance = Some("the sizes of the file".to_owned());
    for invariant in &model.invariants {
        let name = invariant.name.as_deref().unwrap_or_default();
        let called = if name.is_empty() { "invariant".to_owned() } else { format!("invariant \"{name}\"") };
        skeleton.property(Claim::Holds(called), Formula::FALSE, invariant.span);
    }
    for rule in &model.rules {
        skeleton.transition(rule.name.as_deref(), &[], rule.span);
    }
    Ok(skeleton)
}

impl Translator<'_> {
    fn keepers(&self) -> Vec<Keeper> {
        let mut known: BTreeMap<TypeId, Arc<Vec<u32>>> = BTreeMap::new();
        let mut keepers = Vec::new();
        for leaf in &self.leaves {
            let Symbols::Finite(symbol, coding) = leaf.symbols else {
                unreachable!("at the sizes of the file, all values are listed")
            };
            let coding = self.coding(coding);
            let values = known.entry(leaf.ty).or_insert_with(|| {
                let place = |value| coding.values.binary_search(value).expect("a value of the coding");
                Arc::new(leaf.values.iter().map(|value| place(value) as u32).collect())
            });
            let (values, enumeration) = (values.clone(), coding.enumeration);
            keepers.push(Keeper { symbol, enumeration, values, undefined: coding.undefined });
        }
        keepers
    }
}

impl Keeper {
    /// The constructor of the value at this place among all of its type; of no value, the one that says so.
    pub fn constructor(&self, position: Option<usize>) -> u32 {
        match position {
            Some(position) => self.values[position],
            None => self.undefined.expect("this can be undefined"),
        }
    }
}

impl Skeleton {
    /// Adds a property. Its place among all.
    pub fn property(&mut self, claim: Claim, formula: Formula, span: Span) -> usize {
        let at = self.system.properties.len();
        self.system.words.properties.insert(at, claim);
        let (kind, origin) = (PropertyKind::Unsafe, Origin(span));
        self.system.properties.push(Property { kind, parameters: Vec::new(), formula, origin });
        at
    }

    /// Adds a transition that is never possible, for a rule with these parameters. Its place among all.
    pub fn transition(&mut self, name: Option<&str>, values: &[String], span: Span) -> usize {
        let named = name.unwrap_or("rule");
        let name = [&[named.to_owned()], values].concat().join("_");
        let called =
            if values.is_empty() { named.to_owned() } else { format!("{named} [{}]", values.join(", ")) };
        let name = self.names.transition(&name);
        self.system.words.transitions.insert(name.clone(), called);
        self.add_step(name, Formula::FALSE, Vec::new(), span);
        self.system.transitions.len() - 1
    }

    /// Adds a transition that is a step of a run.
    pub fn add_step(&mut self, name: String, guard: Formula, updates: Vec<Update>, span: Span) {
        let (parameters, origin) = (Vec::new(), Origin(span));
        self.system.transitions.push(Transition { name, parameters, guard, updates, origin });
    }

    /// Says how runs begin.
    pub fn begin(&mut self, formula: Formula) {
        self.system.init = vec![Init { parameters: Vec::new(), formula, origin: Origin::default() }];
    }
}
