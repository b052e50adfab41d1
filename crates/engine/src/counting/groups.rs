//! Counts that are counted together, because relations say the same of them; and what relations say of all that is
//! counted then.

use std::collections::{BTreeMap, BTreeSet};

use polycube_language::System;
use polycube_language::count::Count;
use polycube_language::formula::{Access, Formula, Linear, Term};
use polycube_language::number::Number;
use polycube_language::system::{SymbolId, Type};

use super::row::{Column, R, Row, Span, add_scaled};
use super::value_of;

/// Counts that have the same coefficient in all relations: they are counted together.
pub(super) struct Group {
    pub members: Vec<SymbolId>,
    pub count: Count,
}

/// The counts that relations speak of, those of values of one array together.
pub(super) fn groups(system: &System, rows: &[Row], own: &BTreeSet<SymbolId>) -> Vec<Group> {
    let mut groups: Vec<(Signature<'_>, Group)> = Vec::new();
    for (symbol, count) in system.counts() {
        let indices = vec![Term::Variable(R); count.indices.len()];
        let column = Column::Cell(Access { symbol, indices });
        let coefficient = |row: &Row| row.get(&column).cloned().unwrap_or(Number::ZERO);
        let coefficients: Vec<Number> = rows.iter().map(coefficient).collect();
        if coefficients.iter().all(Number::is_zero) {
            continue;
        }
        // What the model counts itself stays as it is.
        let cell = value_of(count).filter(|_| !own.contains(&symbol));
        let signature = (coefficients, cell, &count.summand, count.indices.len());
        match groups.iter_mut().find(|(known, _)| cell.is_some() && *known == signature) {
            Some((_, group)) => {
                group.members.push(symbol);
                let both = [group.count.formula.clone(), count.formula.clone()];
                group.count.formula = Formula::or(both);
            }
            None => groups.push((signature, Group { members: vec![symbol], count: count.clone() })),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// What counts have in common that are counted together: their coefficients in all relations, the cell that they are about,
/// what is summed up, and how many indices they have.
type Signature<'s> = (Vec<Number>, Option<(&'s Access, Type)>, &'s Linear, usize);

/// A row for the system that counts groups.
pub(super) fn grouped(extended: &System, groups: &[Group], mut row: Row) -> Option<Row> {
    let mut grouped = Row::new();
    while let Some((column, number)) = row.pop_first() {
        let in_group = |group: &Group, column: &Column| match column {
            Column::Cell(access) => group.members.contains(&access.symbol),
            _ => false,
        };
        let column = match (groups.iter().find(|group| in_group(group, &column)), &column) {
            (Some(group), Column::Cell(access)) => {
                // The others of the group have the same coefficient.
                row.retain(|other, _| !in_group(group, other));
                let symbol = extended.symbol_of(&group.count)?;
                Column::Cell(Access { symbol, indices: access.indices.clone() })
            }
            _ => column,
        };
        // All that there are may be a group: it is the number of all processes.
        add_scaled(&mut grouped, &Row::from([(column, Number::ONE)]), &number);
    }
    Some(grouped).filter(|grouped| !grouped.is_empty())
}

/// What all rows say of what is counted anyway, besides what is said. (A count that it takes to follow another one may
/// be the sum of others.)
pub(super) fn between(
    trying: &System,
    extended: &System,
    groups: &[Group],
    said: &[Row],
    all: &[Row],
) -> Vec<Row> {
    // What is not counted is eliminated.
    let place = |column: &Column| {
        let Column::Cell(access) = column else { return (true, column.clone()) };
        match trying.count(access.symbol).map(|count| extended.symbol_of(count)) {
            None => (true, column.clone()),
            Some(None) => (false, column.clone()),
            Some(Some(symbol)) => (true, Column::Cell(Access { symbol, indices: access.indices.clone() })),
        }
    };
    let mut span: Span<(bool, Column)> = Span::default();
    for row in all {
        let mut placed = BTreeMap::new();
        for (column, number) in row {
            add_scaled(&mut placed, &BTreeMap::from([(place(column), Number::ONE)]), number);
        }
        span.add(placed);
    }
    for group in groups {
        let Some(symbol) = extended.symbol_of(&group.count).filter(|_| group.count.indices.is_empty()) else {
            continue;
        };
        let cell = |symbol| Column::Cell(Access { symbol, indices: Vec::new() });
        let mut sum = BTreeMap::from([((true, cell(symbol)), Number::from(-1))]);
        for &member in &group.members {
            add_scaled(&mut sum, &BTreeMap::from([(place(&cell(member)), Number::ONE)]), &Number::ONE);
        }
        span.add(sum);
    }
    let mut known: Span = Span::default();
    said.iter().for_each(|row| known.add(row.clone()));
    let mut found = Vec::new();
    for row in span.rows.into_iter().filter(|row| row.keys().all(|(is_counted, _)| *is_counted)) {
        let row = known.reduced(row.into_iter().map(|((_, column), number)| (column, number)).collect());
        if !row.is_empty() {
            known.add(row.clone());
            found.push(row);
        }
    }
    found
}
