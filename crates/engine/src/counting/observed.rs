//! Linear relations that hold in all states of small instances that were looked at.
//!
//! They may hold because of what is true of processes one by one: so that a step does not change them, where it is
//! possible. They may also hold by accident: then the search finds that out.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use polycube_certificate::{Cell, Value};
use polycube_language::System;
use polycube_language::formula::{Access, Term};
use polycube_language::number::Number;
use polycube_language::system::{Processes, SymbolId, Type};

use super::row::{Column, R, Row, Scope, Span};
use crate::forward::{Limits, Options, explore_states, state};

/// How many processes the instances have.
const SIZES: [u32; 2] = [2, 3];

/// How many states of each are looked at.
const STATES: u64 = 1_000;

/// How much memory that may take.
const BYTES: usize = 16 << 20;

/// How many parts the formulas of an instance may have.
const PARTS: u64 = 100_000;

/// The largest coefficient, and the most terms, of a relation that is worth a try.
const MAX_COEFFICIENT: i64 = 3;
const MAX_TERMS: usize = 12;

/// The relations that are observed, apart from what is known.
pub(super) fn observed(system: &System, scope: Scope, known: &Span, interrupt: &Arc<AtomicBool>) -> Vec<Row> {
    let columns: Vec<(SymbolId, usize)> = (system.symbols.iter().zip((0..).map(SymbolId)))
        .filter(|(symbol, _)| {
            let most = usize::from(scope == Scope::OfOne);
            symbol.ty == Type::Integer && symbol.dimensions() <= most
        })
        .map(|(symbol, id)| (id, symbol.dimensions()))
        .collect();
    if scope == Scope::OfOne && columns.iter().all(|(_, dimensions)| *dimensions == 0) {
        return Vec::new();
    }
    let sizes: &[u32] = match &system.processes {
        Processes::Any => &SIZES,
        Processes::Exactly(count) => std::slice::from_ref(count),
    };
    let mut hull = Hull::default();
    for &processes in sizes {
        let limits = Limits {
            depth: None,
            states: Some(STATES),
            bytes: Some(BYTES),
            parts: Some(PARTS),
            choices: Some(8 * STATES),
        };
        let options = Options { limits, interrupt: Arc::clone(interrupt), ..Options::new(processes) };
        let explored = explore_states(system, &options, &mut (), &mut |instance, packed| {
            let state = state(instance, packed);
            let values = |process: u32| -> Option<Vec<Number>> {
                let value = |&(symbol, dimensions): &(SymbolId, usize)| match state
                    .get(&Cell { symbol, indices: vec![process; dimensions] })
                {
                    Some(Value::Number(number)) => Some(number.clone()),
                    _ => None,
                };
                columns.iter().map(value).collect()
            };
            let processes = if scope == Scope::OfOne { 1..=processes } else { 1..=1 };
            processes.filter_map(values).for_each(|point| hull.add(&point));
        });
        if explored.is_err() {
            return Vec::new();
        }
    }
    let column = |&(symbol, dimensions): &(SymbolId, usize)| {
        Column::Cell(Access { symbol, indices: vec![Term::Variable(R); dimensions] })
    };
    let columns: Vec<Column> = columns.iter().map(column).collect();
    let mut span = Span::default();
    hull.equations(&columns).into_iter().for_each(|row| span.add(known.reduced(row)));
    // A relation is known as far as its first quantity is: so what is known and what is new do not mix.
    span.rows.retain(is_simple);
    span.rows
}

fn is_simple(row: &Row) -> bool {
    let most = Number::from(MAX_COEFFICIENT);
    let is_small = |(column, number): (&Column, &Number)| {
        *column == Column::One || number.is_integer() && number.abs() <= most
    };
    row.len() <= MAX_TERMS && row.iter().all(is_small)
}

/// The affine hull of points.
#[derive(Default)]
struct Hull {
    first: Option<Vec<Number>>,
    /// Directions, in reduced form: by the number of their first coordinate.
    directions: BTreeMap<usize, Vec<Number>>,
}

impl Hull {
    fn add(&mut self, point: &[Number]) {
        let Some(first) = &self.first else {
            self.first = Some(point.to_vec());
            return;
        };
        let mut direction: Vec<Number> =
            point.iter().zip(first).map(|(one, other)| one.clone() - other).collect();
        for (&at, known) in &self.directions {
            subtract(&mut direction, known, at);
        }
        let Some(at) = direction.iter().position(|number| !number.is_zero()) else { return };
        let scale = Number::ONE.divided_by(&direction[at]);
        direction.iter_mut().for_each(|number| *number = number.clone() * &scale);
        self.directions.values_mut().for_each(|known| subtract(known, &direction, at));
        self.directions.insert(at, direction);
    }

    /// Linear combinations that are zero for all points.
    fn equations(&self, columns: &[Column]) -> Vec<Row> {
        let Some(first) = &self.first else { return Vec::new() };
        let is_free = |at: &usize| !self.directions.contains_key(at);
        let equation = |free: usize| {
            let mut row = Row::new();
            let mut constant = first[free].clone();
            row.insert(columns[free].clone(), Number::ONE);
            for (&at, direction) in &self.directions {
                if !direction[free].is_zero() {
                    let factor = -direction[free].clone();
                    constant = constant + &(first[at].clone() * &factor);
                    row.insert(columns[at].clone(), factor);
                }
            }
            if !constant.is_zero() {
                row.insert(Column::One, -constant);
            }
            row
        };
        (0..columns.len()).filter(is_free).map(equation).collect()
    }
}

/// Takes a multiple of a direction away, so that a coordinate vanishes.
fn subtract(from: &mut [Number], direction: &[Number], at: usize) {
    if from[at].is_zero() {
        return;
    }
    let factor = -from[at].clone();
    for (number, other) in from.iter_mut().zip(direction) {
        *number = number.clone() + &(other.clone() * &factor);
    }
}
