//! Counting: linear relations between variables and numbers of processes, `X = #{p | Waiting[p]}`.
//!
//! No cube can say such a thing. But each transition changes variables by constants, and moves the processes that
//! it names from one situation (`situations.rs`) to another: so relations that hold in the beginning, and that no
//! transition changes, are found by linear algebra (`conserved.rs`; they are the place invariants of Petri nets).
//! Others hold because of something else, and are only observed in small instances (`observed.rs`). They are claims like
//! others: the search proves them.

mod conserved;
mod groups;
mod observed;
mod preference;
mod row;
mod situations;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use polycube_certificate::fact::facts;
use polycube_certificate::{self as judge, Cell, Clause, State, Step, Trace};
use polycube_language::System;
use polycube_language::count::Count;
use polycube_language::formula::{Access, Formula, Relation, Term, Variable, VariableId};
use polycube_language::span::Origin;
use polycube_language::system::{Property, PropertyKind, SymbolId, Type, Update, Value};

use conserved::conserved;
use groups::{between, grouped, groups};
use observed::observed;
use preference::Preference;
use row::{Column, R, Row, Scope, never};
pub(crate) use situations::has_integers;

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
    pub fn of(system: &'s System, interrupt: &Arc<AtomicBool>) -> Counting<'s> {
        let Some(trying) = situations::counting(system) else { return Counting::none(system) };
        let own = own_counts(&trying);
        let is_own = |access: &Access| !is_count(&trying, access) || own.contains(&access.symbol);
        let is_about_own =
            |row: &Row| row.keys().any(|column| matches!(column, Column::Cell(access) if is_own(access)));
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        let preference = Preference { system: &trying, own: &own };
        let conserved = [Scope::Whole, Scope::OfOne].map(|scope| (scope, conserved(&trying, scope)));
        let observed = observed(&trying, &conserved, interrupt);
        for ((scope, conserved), observed) in conserved.into_iter().zip(observed) {
            let is_useful = |row: &Row| {
                is_about_own(row)
                    && (scope == Scope::Whole || row.keys().any(mentions_one))
                    && !preference.is_definition(row)
            };
            let (holding, seeming) = preference.said(&conserved.rows, &observed);
            rows.extend(holding.into_iter().chain(seeming).filter(is_useful));
            if scope == Scope::Whole {
                all.extend(conserved.rows.into_iter().chain(observed));
            }
        }
        rows.extend(preference.exclusions(&rows).into_iter().filter(is_about_own));
        let groups = groups(&trying, &rows, &own);
        let Ok(extended) = system.with_counts(groups.iter().map(|group| group.count.clone())) else {
            return Counting::none(system);
        };
        let rows: Vec<Row> = rows.into_iter().filter_map(|row| grouped(&extended, &groups, row)).collect();
        let between = between(&trying, &extended, &groups, &rows, &all);
        let mut relations: Vec<Property> = Vec::new();
        for relation in rows.iter().chain(&between).filter_map(relation) {
            if !relations.iter().any(|known| known.formula == relation.formula) {
                relations.push(relation);
            }
        }
        let is_larger = extended.counts.len() > system.counts.len();
        let system = if is_larger { Cow::Owned(extended) } else { Cow::Borrowed(system) };
        Counting { system, relations }
    }
}

/// The cell whose value a count is about.
fn value_of(count: &Count) -> Option<(&Access, Type)> {
    match &count.formula {
        Formula::Compare(one) if one.relation == Relation::Equal => match (&one.left, &one.right) {
            (Term::Access(access), Term::Constructor(..)) => Some((access, one.ty)),
            _ => None,
        },
        _ => None,
    }
}

/// A relation as what never holds.
fn relation(row: &Row) -> Option<Property> {
    let formula = never(row)?;
    let is_about_one = row.keys().any(mentions_one);
    let process = Variable { id: VariableId(0), name: "z1".to_owned(), origin: Origin::default() };
    let parameters = if is_about_one { vec![process] } else { Vec::new() };
    let name = |variable: VariableId| (variable == R).then_some(Term::Variable(VariableId(0)));
    Some(property(parameters, formula.substituted(&name)))
}

/// The counts that the model mentions, and not only what is said of other counts.
fn own_counts(system: &System) -> BTreeSet<SymbolId> {
    let mut own = BTreeSet::new();
    let mut note_all =
        |formula: &Formula| formula.for_each_access(&mut |access| _ = own.insert(access.symbol));
    system.written_init().iter().for_each(|init| note_all(&init.formula));
    system.properties.iter().for_each(|property| note_all(&property.formula));
    system.transitions.iter().for_each(|transition| note_all(&transition.guard));
    let is_written = |update: &&Update| system.count(update.symbol).is_none();
    system
        .updates()
        .filter(is_written)
        .flat_map(|update| &update.branches)
        .for_each(|one| note_all(&one.condition));
    for value in system.updates().filter(is_written).flat_map(Update::values) {
        if let Value::Term(term) = value {
            term.for_each_access(&mut |access| _ = own.insert(access.symbol));
        }
    }
    own
}

fn mentions_one(column: &Column) -> bool {
    matches!(column, Column::Cell(access) if !access.indices.is_empty())
}

/// The system that counts all that may have to do with its numbers; none if it has none. (For tests: what is not
/// related to a number is not counted in the end.)
pub fn everything(system: &System) -> Option<System> {
    situations::counting(system)
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
        Some(Cell { symbol: less.symbol_of(count)?, indices: cell.indices.clone() })
    };
    let kept = |cells: &mut dyn Iterator<Item = (&Cell, &judge::Value)>| -> Vec<(Cell, judge::Value)> {
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
