//! Linear relations that hold in all states of small instances that were looked at.
//!
//! They may hold because of what is true of processes one by one: so that a step does not change them, where it is
//! possible. They may also hold by accident: then the search finds that out.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use polycube_language::System;
use polycube_language::formula::{Access, Term};
use polycube_language::number::Number;
use polycube_language::system::{Processes, SymbolId, Type};

use super::row::{Column, R, Row, Scope, Span};
use crate::compile::Instance;
use crate::compile::domain::Domain;
use crate::forward::{Limits, Options, explore_states};

/// How many processes the instances have.
const SIZES: [u32; 2] = [2, 3];

/// How many states of each are looked at.
const STATES: u64 = 300;

/// How much memory that may take.
const BYTES: usize = 16 << 20;

/// How many parts the formulas of an instance may have.
const PARTS: u64 = 100_000;

/// The largest coefficient, and the most terms, of a relation that is worth a try.
const MAX_COEFFICIENT: i64 = 3;
const MAX_TERMS: usize = 12;

/// The relations that are observed in each scope, apart from what is known there.
pub(super) fn observed(
    system: &System,
    known: &[(Scope, Span)],
    interrupt: &Arc<AtomicBool>,
) -> Vec<Vec<Row>> {
    let mut views: Vec<View> = known.iter().map(|(scope, _)| View::new(system, *scope)).collect();
    let nothing = vec![Vec::new(); known.len()];
    let sizes: &[u32] = match &system.processes {
        Processes::Any => &SIZES,
        Processes::Exactly(count) => std::slice::from_ref(count),
    };
    for &processes in sizes {
        // Where no equation is left, more states do not bring one back.
        if views.iter().all(View::is_everything) {
            return nothing;
        }
        let limits = Limits {
            depth: None,
            states: Some(STATES),
            bytes: Some(BYTES),
            parts: Some(PARTS),
            choices: Some(8 * STATES),
            instructions: None,
        };
        let options = Options { limits, interrupt: Arc::clone(interrupt), ..Options::new(processes) };
        let explored = explore_states(system, &options, &mut (), &mut |instance, packed| {
            views.iter_mut().for_each(|view| view.look(instance, packed, processes));
        });
        if explored.is_err() {
            return nothing;
        }
    }
    views.iter().zip(known).map(|(view, (_, known))| view.relations(known)).collect()
}

/// What is looked at in each state, and what was seen.
struct View {
    scope: Scope,
    /// Integers, each with its number of dimensions.
    columns: Vec<(SymbolId, usize)>,
    hull: Hull,
}

impl View {
    fn new(system: &System, scope: Scope) -> View {
        let most = usize::from(scope == Scope::OfOne);
        let columns = (system.symbols.iter().zip((0..).map(SymbolId)))
            .filter(|(symbol, _)| symbol.ty == Type::Integer && symbol.dimensions() <= most)
            .map(|(symbol, id)| (id, symbol.dimensions()));
        let mut columns: Vec<(SymbolId, usize)> = columns.collect();
        // Of one process, nothing is said but what is said of all.
        if columns.iter().all(|(_, dimensions)| *dimensions < most) {
            columns.clear();
        }
        View { scope, columns, hull: Hull::default() }
    }

    /// Whether no equation holds for all that was seen.
    fn is_everything(&self) -> bool {
        self.hull.directions.len() == self.columns.len()
    }

    fn look(&mut self, instance: &Instance<'_>, packed: &[u64], processes: u32) {
        if self.is_everything() {
            return;
        }
        let value = |&(symbol, dimensions): &(SymbolId, usize), process: u32| {
            let slot = instance.slots.slot(symbol, &[process; 1][..dimensions]);
            let Domain::Numbers(format) = instance.slots.domain(slot) else { return None };
            let code = instance.layout.fields[slot.0 as usize].get_from(packed);
            format.number(code).to_ratio().map(|(number, _)| number)
        };
        let processes = if self.scope == Scope::OfOne { processes } else { 1 };
        for process in 0..processes {
            let point: Option<Vec<i128>> = self.columns.iter().map(|column| value(column, process)).collect();
            point.into_iter().for_each(|point| self.hull.add(point));
        }
    }

    fn relations(&self, known: &Span) -> Vec<Row> {
        let column = |&(symbol, dimensions): &(SymbolId, usize)| {
            Column::Cell(Access { symbol, indices: vec![Term::Variable(R); dimensions] })
        };
        let columns: Vec<Column> = self.columns.iter().map(column).collect();
        let mut span = Span::default();
        self.hull.equations(&columns).into_iter().for_each(|row| span.add(known.reduced(row)));
        // A relation is known as far as its first quantity is: so what is known and what is new do not mix.
        span.rows.retain(is_simple);
        span.rows
    }
}

fn is_simple(row: &Row) -> bool {
    let most = Number::from(MAX_COEFFICIENT);
    let is_small = |(column, number): (&Column, &Number)| {
        *column == Column::One || number.is_integer() && number.abs() <= most
    };
    row.len() <= MAX_TERMS && row.iter().all(is_small)
}

/// The affine hull of points with integers as coordinates.
#[derive(Default)]
struct Hull {
    /// Points that span it.
    points: Vec<Vec<i128>>,
    /// Directions from the first of them to the others, modulo a prime, in reduced form: with the number of the first
    /// coordinate that is not zero, which is 1.
    directions: Vec<(usize, Vec<u64>)>,
}

impl Hull {
    /// Adds a point, unless it lies in the hull already. (That is found out modulo a prime. If that is wrong, then a relation
    /// is tried that does not hold.)
    fn add(&mut self, point: Vec<i128>) {
        let Some(first) = self.points.first() else { return self.points.push(point) };
        let difference = |(one, other): (&i128, &i128)| residue(one.wrapping_sub(*other));
        let mut direction: Vec<u64> = point.iter().zip(first).map(difference).collect();
        for (at, known) in &self.directions {
            let factor = PRIME - direction[*at];
            if direction[*at] != 0 {
                add_multiple(&mut direction, known, factor);
            }
        }
        let Some(at) = direction.iter().position(|number| *number != 0) else { return };
        let scale = inverse(direction[at]);
        direction.iter_mut().for_each(|number| *number = times(*number, scale));
        self.directions.push((at, direction));
        self.points.push(point);
    }

    /// Linear combinations that are zero for all points.
    fn equations(&self, columns: &[Column]) -> Vec<Row> {
        let Some((first, others)) = self.points.split_first() else { return Vec::new() };
        let number = |number: i128| i64::try_from(number).ok().map(Number::from);
        // The directions, exactly, and in reduced form.
        let mut span = Span::default();
        for point in others {
            let mut row = Row::new();
            for (column, (one, other)) in columns.iter().zip(point.iter().zip(first)) {
                let Some(entry) = one.checked_sub(*other).and_then(number) else { return Vec::new() };
                if !entry.is_zero() {
                    row.insert(column.clone(), entry);
                }
            }
            span.add(row);
        }
        let pivots: Vec<&Column> = span.rows.iter().filter_map(|row| row.keys().next()).collect();
        let mut equations = Vec::new();
        for free in columns.iter().filter(|column| !pivots.contains(column)) {
            let mut row = Row::from([(free.clone(), Number::ONE)]);
            for direction in &span.rows {
                let (pivot, leading) = direction.iter().next().expect("no row is empty");
                if let Some(entry) = direction.get(free) {
                    row.insert(pivot.clone(), -entry.divided_by(leading));
                }
            }
            let mut constant = Number::ZERO;
            for (column, value) in columns.iter().zip(first) {
                if let Some(factor) = row.get(column) {
                    let Some(value) = number(*value) else { return Vec::new() };
                    constant = constant + &(value * factor);
                }
            }
            if !constant.is_zero() {
                row.insert(Column::One, -constant);
            }
            equations.push(row);
        }
        equations
    }
}

/// A prime below 2^61.
const PRIME: u64 = (1 << 61) - 1;

fn residue(number: i128) -> u64 {
    u64::try_from(number.rem_euclid(i128::from(PRIME))).expect("a residue is smaller")
}

fn times(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right) % u128::from(PRIME);
    u64::try_from(product).expect("a residue is smaller")
}

/// By Fermat's little theorem.
fn inverse(number: u64) -> u64 {
    let (mut result, mut power, mut exponent) = (1, number, PRIME - 2);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = times(result, power);
        }
        power = times(power, power);
        exponent /= 2;
    }
    result
}

fn add_multiple(to: &mut [u64], direction: &[u64], factor: u64) {
    for (number, other) in to.iter_mut().zip(direction) {
        *number = (*number + times(*other, factor)) % PRIME;
    }
}

#[cfg(test)]
mod tests {
    use polycube_language::system::SymbolId;
    use polycube_testing::for_seeds;
    use polycube_testing::generate::Random;

    use super::*;

    /// Equations of random points hold for these points, and there are as many as the points leave room for.
    #[test]
    fn equations_of_random_points_hold() {
        for_seeds!(3_000, |seed| {
            let mut random = Random::new(seed);
            let coordinates = random.between(1, 6);
            let column =
                |at: usize| Column::Cell(Access { symbol: SymbolId(at as u32), indices: Vec::new() });
            let columns: Vec<Column> = (0..coordinates).map(column).collect();
            let mut hull = Hull::default();
            let points: Vec<Vec<i128>> = (0..random.between(1, 8))
                .map(|_| (0..coordinates).map(|_| random.below(4) as i128 - 1).collect())
                .collect();
            points.iter().for_each(|point| hull.add(point.clone()));
            let equations = hull.equations(&columns);
            assert_eq!(equations.len() + hull.directions.len(), coordinates);
            for (point, row) in points.iter().flat_map(|point| equations.iter().map(move |row| (point, row)))
            {
                let mut sum = row.get(&Column::One).cloned().unwrap_or(Number::ZERO);
                for (column, value) in columns.iter().zip(point) {
                    if let Some(factor) = row.get(column) {
                        sum = sum + &(Number::from(*value as i64) * factor);
                    }
                }
                assert!(sum.is_zero(), "{row:?} for {point:?}");
            }
        });
    }
}
