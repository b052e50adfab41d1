//! Counting: linear relations between variables and numbers of processes, `X = #{p | Waiting[p]}`.
//!
//! No cube can say such a thing. But each transition changes variables by constants, and moves the processes that
//! it names from one [situation](situations) to another: so relations that hold in the beginning, and that no
//! transition changes, are found by [linear algebra](conserved) (they are the place invariants of Petri nets).
//! They are claims like others: the search proves them before it uses them.

mod conserved;
mod situations;

use std::borrow::Cow;

use polycube_certificate::fact::facts;
use polycube_certificate::{Cell, Clause, State, Step, Trace, Value};
use polycube_language::System;
use polycube_language::formula::{Access, Formula, Variable};
use polycube_language::span::Origin;
use polycube_language::system::{Property, PropertyKind};

/// A system that counts what its relations speak of.
pub(crate) struct Counting<'s> {
    pub system: Cow<'s, System>,
    /// What is claimed never to hold.
    pub relations: Vec<Property>,
}

impl<'s> Counting<'s> {
    /// The system, and no relations.
    pub fn none(system: &'s System) -> Counting<'s> {
        Counting { system: Cow::Borrowed(system), relations: Vec::new() }
    }

    /// The system that counts what is related to its numbers, with these relations.
    pub fn of(system: &'s System) -> Counting<'s> {
        let Some(counting) = situations::counting(system) else { return Counting::none(system) };
        let wanted = conserved::wanted_counts(system, &counting);
        if wanted.is_empty() && system.counts.is_empty() {
            // Relations between variables alone are worth knowing, too.
            let relations = conserved::relations(system);
            return Counting { system: Cow::Borrowed(system), relations };
        }
        let Ok(extended) = system.with_counts(wanted) else { return Counting::none(system) };
        let relations = conserved::relations(&extended);
        Counting { system: Cow::Owned(extended), relations }
    }
}

/// What is known of counts in every state of a system, as what never holds.
pub(crate) fn impossible(system: &System) -> Vec<Property> {
    facts(system).into_iter().map(|Clause { parameters, never }| property(parameters, never)).collect()
}

fn property(parameters: Vec<Variable>, formula: Formula) -> Property {
    Property { kind: PropertyKind::Invariant, parameters, formula, origin: Origin::default() }
}

/// A run of a system, as one of the system that counts less.
pub(crate) fn counting_less(trace: &Trace, more: &System, less: &System) -> Trace {
    let declared = less.declared();
    // The symbol of the same count.
    let number = |cell: &Cell| {
        let at = cell.symbol.0 as usize;
        if at < declared {
            return Some(cell.clone());
        }
        let count = &more.counts[at - declared];
        let (symbol, _) = less.counts().find(|(_, other)| other.formula == count.formula)?;
        Some(Cell { symbol, indices: cell.indices.clone() })
    };
    let kept = |cells: &mut dyn Iterator<Item = (&Cell, &Value)>| -> Vec<(Cell, Value)> {
        cells.filter_map(|(cell, value)| Some((number(cell)?, value.clone()))).collect()
    };
    let initial = kept(&mut trace.initial.iter()).into_iter().collect::<State>();
    let step = |step: &Step| {
        let changes = kept(&mut step.changes.iter().map(|(cell, value)| (cell, value)));
        Step { changes, ..step.clone() }
    };
    Trace { initial, steps: trace.steps.iter().map(step).collect(), ..trace.clone() }
}

/// Whether an access is one of a count.
fn is_count(system: &System, access: &Access) -> bool {
    system.count(access.symbol).is_some()
}
