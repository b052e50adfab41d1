//! What relations are about, where they can be said in several ways: sums of relations hold as well.
//!
//! Each relation is about one quantity, which occurs in no other relation. The variables of the model are the first that
//! relations are about, and then the counts, the most complicated ones first: so simple ones are left to say it with. Of
//! `Acks = #{p | Inv[p] <> None}` and `Acks + #{p | Sharer[p]} = #{p | Sharer[p] || Inv[p] <> None}`, which say the same
//! where who is invalidated shares no more, it takes the first. All of this is about what to try: the search proves what is
//! claimed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use polycube_language::System;
use polycube_language::count::Count;
use polycube_language::formula::{Access, Formula};
use polycube_language::number::Number;
use polycube_language::system::{SymbolId, Type};

use super::row::{Column, Row, Span};
use super::value_of;

/// What comes first is what relations are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// A variable.
    Variable,
    /// The number of all processes, where it is the sum of other counts.
    All,
    /// Counts are in order of what they count.
    Situation(Reverse<SymbolId>),
    Value(Reverse<SymbolId>),
    /// What the model counts.
    Own,
    /// The number of all processes, and constants.
    Last,
}

/// A span whose rows are about what comes first.
type Ranked = Span<(Rank, Column)>;

pub(super) struct Preference<'s> {
    pub system: &'s System,
    /// What the model counts.
    pub own: &'s BTreeSet<SymbolId>,
}

impl Preference<'_> {
    /// What relations say that hold, and those that seem to besides; what arrays say anyway is left out (`exclusions`).
    pub fn said(&self, conserved: &[Row], observed: &[Row]) -> (Vec<Row>, Vec<Row>) {
        let known = self.span(conserved, Rank::All);
        let mut seen = Ranked::default();
        observed.iter().for_each(|row| seen.add(known.reduced(self.ranked(row, Rank::All))));
        let alone = unranked(self.span(conserved, Rank::Last));
        let mut identities = Span::default();
        self.identities().into_iter().for_each(|row| identities.add(row));
        let shorter = |rows: &[Row], about_variables: Vec<Row>, alone: Vec<Row>| {
            let (mut rows, rest): (Vec<Row>, Vec<Row>) =
                rows.iter().cloned().partition(|row| self.variable(row).is_some());
            for row in &mut rows {
                let same = about_variables.iter().find(|other| self.variable(other) == self.variable(row));
                if let Some(other) = same.filter(|other| self.size(other) < self.size(row)) {
                    row.clone_from(other);
                }
            }
            let is_open =
                |row: &Row| self.variable(row).is_none() && !identities.reduced(row.clone()).is_empty();
            let alone: Vec<Row> = alone.into_iter().filter(&is_open).collect();
            let rest: Vec<Row> = rest.into_iter().filter(&is_open).collect();
            let size = |rows: &[Row]| rows.iter().map(|row| self.size(row)).sum::<usize>();
            rows.extend(if size(&alone) < size(&rest) { alone } else { rest });
            rows
        };
        let seen = unranked(seen);
        (shorter(conserved, unranked(known), alone), shorter(observed, seen.clone(), seen))
    }

    /// What arrays say of what is counted: two counts of their values exclude each other, and where the model counts a
    /// value itself, the others are the rest.
    pub fn exclusions(&self, rows: &[Row]) -> Vec<Row> {
        let coefficients = |column: &Column| -> Vec<_> { rows.iter().map(|row| row.get(column)).collect() };
        let is_needed = |identity: &Row| {
            let values = identity.iter().filter(|(_, number)| !number.is_negative()).map(|(value, _)| value);
            let counted = |column: &&Column| rows.iter().any(|row| row.contains_key(*column));
            let groups: BTreeSet<Vec<_>> = values.clone().filter(counted).map(coefficients).collect();
            let is_own =
                |column| matches!(column, &Column::Cell(Access { symbol, .. }) if self.own.contains(&symbol));
            groups.len() > 1 || values.clone().any(is_own)
        };
        self.identities().into_iter().filter(is_needed).collect()
    }

    /// That each process has some value, for each array all of whose values are counted: what holds anyway.
    fn identities(&self) -> Vec<Row> {
        let column = |symbol: SymbolId| Column::Cell(Access { symbol, indices: Vec::new() });
        let mut sums: BTreeMap<&Access, (usize, Row)> = BTreeMap::new();
        let is_all = |count: &Count| count.formula == Formula::TRUE && count.is_number();
        let Some((all, _)) = self.system.counts().find(|(_, count)| is_all(count)) else { return Vec::new() };
        let is_plain = |count: &Count| count.indices.is_empty() && count.is_number();
        for (symbol, count) in self.system.counts().filter(|(_, count)| is_plain(count)) {
            if let Some((cell, ty)) = value_of(count)
                && let Type::Enumeration(enumeration) = ty
            {
                let values = self.system.enumeration(enumeration).constructors.len();
                let (missing, row) =
                    sums.entry(cell).or_insert((values, Row::from([(column(all), Number::from(-1))])));
                *missing -= 1;
                row.insert(column(symbol), Number::ONE);
            }
        }
        sums.into_values().filter(|(missing, _)| *missing == 0).map(|(_, row)| row).collect()
    }

    fn span(&self, rows: &[Row], all: Rank) -> Ranked {
        let mut span = Ranked::default();
        rows.iter().for_each(|row| span.add(self.ranked(row, all)));
        span
    }

    /// How many quantities a row speaks of: values of one cell that are counted together are one.
    fn size(&self, row: &Row) -> usize {
        let together = |(column, number): (&Column, &Number)| match column {
            Column::Cell(access) => {
                let count = self.system.count(access.symbol);
                count.and_then(value_of).map(|(cell, _)| (cell.clone(), number.clone()))
            }
            _ => None,
        };
        let cells: BTreeSet<_> = row.iter().filter_map(together).collect();
        cells.len() + row.iter().filter(|entry| together(*entry).is_none()).count()
    }

    /// The variable that a row is about.
    fn variable<'r>(&self, row: &'r Row) -> Option<&'r Column> {
        row.keys().next().filter(|column| self.rank(column, Rank::All) == Rank::Variable)
    }

    /// Whether all that a row says is how a count of the most complicated kind can be said with simpler ones.
    pub fn is_definition(&self, row: &Row) -> bool {
        let first = row.keys().map(|column| self.rank(column, Rank::Last)).min();
        matches!(first, Some(Rank::Situation(_)))
    }

    fn ranked(&self, row: &Row, all: Rank) -> BTreeMap<(Rank, Column), Number> {
        row.iter()
            .map(|(column, number)| ((self.rank(column, all), column.clone()), number.clone()))
            .collect()
    }

    fn rank(&self, column: &Column, all: Rank) -> Rank {
        let Column::Cell(access) = column else { return Rank::Last };
        match self.system.count(access.symbol) {
            None => Rank::Variable,
            Some(count) if count.formula == Formula::TRUE && count.is_number() => all,
            Some(_) if self.own.contains(&access.symbol) => Rank::Own,
            Some(count) if value_of(count).is_some() => Rank::Value(Reverse(access.symbol)),
            Some(_) => Rank::Situation(Reverse(access.symbol)),
        }
    }
}

fn unranked(span: Ranked) -> Vec<Row> {
    let row = |row: BTreeMap<(Rank, Column), Number>| {
        row.into_iter().map(|((_, column), number)| (column, number)).collect()
    };
    span.rows.into_iter().map(row).collect()
}
