//! Linear combinations of quantities, exactly.

use std::collections::BTreeMap;

use polycube_language::formula::{Access, Formula, Linear, Relation, Term, VariableId};
use polycube_language::number::Number;

/// The process that stands for any.
pub(super) const R: VariableId = VariableId(u32::MAX);

/// Which quantities there are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Variables, and counts without an index.
    Whole,
    /// These, and the cells of the process R.
    OfOne,
}

/// What a row has coefficients for. Variables come before counts: so they are what a reduced row is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Column {
    Cell(Access),
    One,
    /// Something of which nothing is known.
    Anything(usize),
}

/// A linear combination: no coefficient is zero.
pub(super) type Row = BTreeMap<Column, Number>;

pub(super) fn is_quantity(column: &Column, scope: Scope) -> bool {
    match column {
        Column::Cell(access) => match &access.indices[..] {
            [] => true,
            [index] => scope == Scope::OfOne && *index == Term::Variable(R),
            _ => false,
        },
        Column::One => true,
        Column::Anything(_) => false,
    }
}

pub(super) fn row_of(linear: &Linear) -> Row {
    let cells = linear.terms.iter().map(|(number, access)| (Column::Cell(access.clone()), number.clone()));
    let one = (!linear.constant.is_zero()).then(|| (Column::One, linear.constant.clone()));
    cells.chain(one).collect()
}

/// That a relation does not hold: with integers without a common divisor.
pub(super) fn never(row: &Row) -> Option<Formula> {
    let divisor = Number::common_divisor(row.values());
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (column, number) in row {
        let number = number.divided_by(&divisor);
        let side = if number.is_negative() { &mut right } else { &mut left };
        let size = number.abs();
        side.push(match column {
            Column::Cell(access) => Linear::access(access.clone()).scaled(&size),
            Column::One => Linear::constant(size),
            Column::Anything(_) => return None,
        });
    }
    Some(Formula::compare_integers(Linear::sum(left), Relation::NotEqual, Linear::sum(right)))
}

/// What is left of a row, by cases.
type Left = BTreeMap<(usize, Column), Number>;

/// The linear combinations of rows for which what is left vanishes, in each case.
pub(super) fn combinations(rows: &[Row], left: &[Vec<Row>]) -> Vec<Row> {
    // Each row with what is left of it, side by side; then elimination from left to right.
    let mut open: Vec<(Left, Row)> = (rows.iter().zip(left))
        .map(|(row, left)| {
            let entries = left.iter().enumerate().flat_map(|(case, rest)| {
                rest.iter().map(move |(column, number)| ((case, column.clone()), number.clone()))
            });
            (entries.collect(), row.clone())
        })
        .collect();
    let mut kept = Vec::new();
    while let Some((rest, row)) = open.pop() {
        let Some((pivot, number)) = rest.iter().next().map(|(key, number)| (key.clone(), number.clone()))
        else {
            kept.push(row);
            continue;
        };
        // It is used up to make the entry of the others vanish.
        for (other_rest, other_row) in &mut open {
            if let Some(entry) = other_rest.get(&pivot) {
                let factor = -entry.divided_by(&number);
                add_scaled(other_rest, &rest, &factor);
                add_scaled(other_row, &row, &factor);
            }
        }
    }
    kept
}

pub(super) fn add_scaled<K: Ord + Clone>(
    to: &mut BTreeMap<K, Number>,
    from: &BTreeMap<K, Number>,
    factor: &Number,
) {
    for (key, number) in from {
        let more = number.clone() * factor;
        let sum = to.remove(key).map_or(more.clone(), |old| old + &more);
        if !sum.is_zero() {
            to.insert(key.clone(), sum);
        }
    }
}

/// Rows in reduced form: the first column of each is in no other row.
#[derive(Clone, Debug)]
pub(super) struct Span<K = Column> {
    pub rows: Vec<BTreeMap<K, Number>>,
}

impl<K> Default for Span<K> {
    fn default() -> Span<K> {
        Span { rows: Vec::new() }
    }
}

impl<K: Ord + Clone> Span<K> {
    /// What is left of a row when multiples of those of the span are taken away.
    pub fn reduced(&self, mut row: BTreeMap<K, Number>) -> BTreeMap<K, Number> {
        for known in &self.rows {
            let (pivot, number) = known.iter().next().expect("no row is empty");
            if let Some(entry) = row.get(pivot) {
                let factor = -entry.divided_by(number);
                add_scaled(&mut row, known, &factor);
            }
        }
        row
    }

    pub fn add(&mut self, row: BTreeMap<K, Number>) {
        let row = self.reduced(row);
        let Some((pivot, number)) =
            row.iter().next().map(|(column, number)| (column.clone(), number.clone()))
        else {
            return;
        };
        for known in &mut self.rows {
            if let Some(entry) = known.get(&pivot) {
                let factor = -entry.divided_by(&number);
                add_scaled(known, &row, &factor);
            }
        }
        self.rows.push(row);
        self.rows.sort_by(|left, right| left.keys().next().cmp(&right.keys().next()));
    }
}
