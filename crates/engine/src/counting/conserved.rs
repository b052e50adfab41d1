//! Linear relations that hold in the beginning, and that no transition changes.
//!
//! A *quantity* is an integer variable, a count, or the cell of an array or the count of one process R that stands
//! for any. A relation is a linear combination of quantities, and a constant, that is zero. In each case of a
//! transition, the quantities after it are linear combinations of quantities before it, and of other cells, about
//! which nothing is known. The relations are the largest set that is spanned by equations of `init` and closed
//! under all cases: what a relation says after a step has to follow from the relations before it, and from the
//! equations of the guard. (Karr's analysis, with counts among the variables.)
//!
//! That is only a way to find them. The search proves what is found.

use std::collections::{BTreeMap, BTreeSet};

use polycube_language::System;
use polycube_language::count::{Count, Situation};
use polycube_language::formula::{
    Access, Comparison, Formula, Linear, Relation, Term, Variable, VariableId, ids,
};
use polycube_language::number::Number;
use polycube_language::span::Origin;
use polycube_language::system::{Property, SymbolId, Transition, Type, Value};

use super::{is_count, property};

/// How many cases of one transition are told apart.
const MAX_CASES: usize = 200;

/// The process that stands for any.
const R: VariableId = VariableId(u32::MAX);

/// What a row has coefficients for. Variables come before counts: so they are what a reduced row is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Cell(Access),
    One,
    /// Something of which nothing is known.
    Anything(usize),
}

/// A linear combination: no coefficient is zero.
type Row = BTreeMap<Column, Number>;

/// Which quantities there are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Variables, and counts without an index.
    Whole,
    /// These, and the cells of the process R.
    OfOne,
}

/// The relations of a system, each as what never holds.
pub(super) fn relations(system: &System) -> Vec<Property> {
    let mut found: Vec<Property> = Vec::new();
    for scope in [Scope::Whole, Scope::OfOne] {
        for row in useful_rows(system, scope) {
            let Some(formula) = never(&row) else { continue };
            let is_about_one = row.keys().any(mentions_one);
            let parameters = Variable { id: VariableId(0), name: "z1".to_owned(), origin: Origin::default() };
            let parameters = if is_about_one { vec![parameters] } else { Vec::new() };
            let formula = formula.substituted(&|variable| (variable == R).then_some(Term::Variable(VariableId(0))));
            if !found.iter().any(|other| other.formula == formula) {
                found.push(property(parameters, formula));
            }
        }
    }
    found
}

/// The counts of a system that its useful relations speak of, without those of another one, which it extends.
pub(super) fn wanted_counts(system: &System, counting: &System) -> Vec<Count> {
    let mut wanted: Vec<Count> = Vec::new();
    for scope in [Scope::Whole, Scope::OfOne] {
        for row in useful_rows(counting, scope) {
            for column in row.keys() {
                if let Column::Cell(access) = column
                    && let Some(count) = counting.count(access.symbol)
                    && !wanted.contains(count)
                    && !system.counts.iter().any(|known| known.formula == count.formula)
                {
                    wanted.push(count.clone());
                }
            }
        }
    }
    wanted
}

/// The relations that have to do with integers of the model, or with numbers that it counts itself.
fn useful_rows(system: &System, scope: Scope) -> Vec<Row> {
    let own = own_counts(system);
    let is_useful = |row: &Row| {
        let is_own = |access: &Access| !is_count(system, access) || own.contains(&access.symbol);
        let is_about = |column: &Column| matches!(column, Column::Cell(access) if is_own(access));
        row.keys().any(is_about) && (scope == Scope::Whole || row.keys().any(mentions_one))
    };
    conserved(system, scope).into_iter().filter(is_useful).collect()
}

/// The counts that the model mentions, and not only what is said of other counts.
fn own_counts(system: &System) -> BTreeSet<SymbolId> {
    let mut own = BTreeSet::new();
    let mut note = |term: &Term| term.for_each_access(&mut |access| _ = own.insert(access.symbol));
    let mut note_all = |formula: &Formula| {
        formula.for_each_comparison(&mut |comparison| {
            note(&comparison.left);
            note(&comparison.right);
        });
    };
    system.written_init().iter().for_each(|init| note_all(&init.formula));
    system.properties.iter().for_each(|property| note_all(&property.formula));
    system.transitions.iter().for_each(|transition| note_all(&transition.guard));
    for update in system.updates().filter(|update| system.count(update.symbol).is_none()) {
        update.branches.iter().for_each(|branch| note_all(&branch.condition));
    }
    for update in system.updates().filter(|update| system.count(update.symbol).is_none()) {
        for value in update.values() {
            if let Value::Term(term) = value {
                note(term);
            }
        }
    }
    own
}

fn mentions_one(column: &Column) -> bool {
    matches!(column, Column::Cell(access) if !access.indices.is_empty())
}

/// That a relation does not hold, if its coefficients are not too large.
fn never(row: &Row) -> Option<Formula> {
    // Integers without a common divisor.
    let ratios: Vec<(i128, i128)> = row.values().map(Number::to_ratio).collect::<Option<_>>()?;
    let scale = ratios.iter().try_fold(1i128, |scale, &(_, below)| (scale / gcd(scale, below)).checked_mul(below))?;
    let whole: Vec<i128> =
        ratios.iter().map(|&(above, below)| above.checked_mul(scale / below)).collect::<Option<_>>()?;
    let divisor = whole.iter().fold(0, |divisor, &number| gcd(divisor, number));
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (column, number) in row.keys().zip(whole) {
        let number = Number::from(i64::try_from(number / divisor).ok()?);
        let side = if number.is_negative() { &mut right } else { &mut left };
        let size = number.abs();
        side.push(match column {
            Column::Cell(access) => Linear::access(access.clone()).scaled(&size),
            Column::One => Linear::constant(size),
            Column::Anything(_) => return None,
        });
    }
    let (left, right) = (Linear::sum(left).into(), Linear::sum(right).into());
    let (relation, origin) = (Relation::NotEqual, Origin::default());
    Some(Formula::Compare(Comparison { left, relation, right, ty: Type::Integer, origin }))
}

fn gcd(left: i128, right: i128) -> i128 {
    if right == 0 { left.abs() } else { gcd(right, left % right) }
}

/// All relations, in reduced form.
fn conserved(system: &System, scope: Scope) -> Vec<Row> {
    let cases: Vec<Case> = system.transitions.iter().flat_map(|one| cases(system, one, scope)).collect();
    let mut relations = Span::default();
    initial_rows(system, scope).into_iter().for_each(|row| relations.add(row));
    loop {
        // What is left of a relation after a step, where it does not follow from the relations.
        let mut left: Vec<Vec<Row>> = Vec::new();
        for row in &relations.rows {
            left.push(Vec::new());
            for case in &cases {
                let mut known = relations.clone();
                case.guard.iter().for_each(|row| known.add(row.clone()));
                let after = known.reduced(case.after(row));
                left.last_mut().expect("one was pushed").push(after);
            }
        }
        let kept = combinations(&relations.rows, &left);
        let is_done = kept.len() == relations.rows.len();
        relations = Span::default();
        kept.into_iter().for_each(|row| relations.add(row));
        if is_done {
            return relations.rows;
        }
    }
}

/// The linear combinations of rows for which what is left vanishes, in each case.
fn combinations(rows: &[Row], left: &[Vec<Row>]) -> Vec<Row> {
    // Each row with what is left of it, side by side; then elimination from left to right.
    let mut open: Vec<(BTreeMap<(usize, Column), Number>, Row)> = (rows.iter().zip(left))
        .map(|(row, left)| {
            let entries = left.iter().enumerate().flat_map(|(case, rest)| {
                rest.iter().map(move |(column, number)| ((case, column.clone()), number.clone()))
            });
            (entries.collect(), row.clone())
        })
        .collect();
    let mut kept = Vec::new();
    while let Some((rest, row)) = open.pop() {
        let Some((pivot, number)) = rest.iter().next().map(|(key, number)| (key.clone(), number.clone())) else {
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

fn add_scaled<K: Ord + Clone>(to: &mut BTreeMap<K, Number>, from: &BTreeMap<K, Number>, factor: &Number) {
    for (key, number) in from {
        let more = number.clone() * factor;
        let sum = to.remove(key).map_or(more.clone(), |old| old + &more);
        if !sum.is_zero() {
            to.insert(key.clone(), sum);
        }
    }
}

/// Rows in reduced form: the first column of each is in no other row.
#[derive(Clone, Default)]
struct Span {
    rows: Vec<Row>,
}

impl Span {
    /// What is left of a row when multiples of those of the span are taken away.
    fn reduced(&self, mut row: Row) -> Row {
        for known in &self.rows {
            let (pivot, number) = known.iter().next().expect("no row is empty");
            if let Some(entry) = row.get(pivot) {
                let factor = -entry.divided_by(number);
                add_scaled(&mut row, known, &factor);
            }
        }
        row
    }

    fn add(&mut self, row: Row) {
        let row = self.reduced(row);
        let Some((pivot, number)) = row.iter().next().map(|(column, number)| (column.clone(), number.clone()))
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

fn row_of(linear: &Linear) -> Row {
    let cells = linear.terms.iter().map(|(number, access)| (Column::Cell(access.clone()), number.clone()));
    let one = (!linear.constant.is_zero()).then(|| (Column::One, linear.constant.clone()));
    cells.chain(one).collect()
}

/// The equations of a conjunction between integers.
fn equations(formula: &Formula) -> Vec<Row> {
    let conjuncts = match formula {
        Formula::And(parts) => parts,
        one => std::slice::from_ref(one),
    };
    let equation = |formula: &Formula| match formula {
        Formula::Compare(one) if one.relation == Relation::Equal && one.ty == Type::Integer => {
            let (Term::Linear(left), Term::Linear(right)) = (&one.left, &one.right) else { return None };
            let difference = [(**left).clone(), (**right).clone().scaled(&Number::from(-1))];
            Some(row_of(&Linear::sum(difference)))
        }
        _ => None,
    };
    conjuncts.iter().filter_map(equation).collect()
}

/// What is known of quantities in the beginning.
fn initial_rows(system: &System, scope: Scope) -> Vec<Row> {
    let mut rows = Vec::new();
    for init in &system.init {
        let is_parameter = |variable| init.parameters.iter().any(|parameter| parameter.id == variable);
        let said = init.formula.substituted(&|variable| is_parameter(variable).then_some(Term::Variable(R)));
        let is_quantity = |row: &Row| row.keys().all(|column| is_quantity(column, scope));
        rows.extend(equations(&said).into_iter().filter(is_quantity));
    }
    rows
}

fn is_quantity(column: &Column, scope: Scope) -> bool {
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

/// One case of a transition.
struct Case {
    /// What is zero where it is possible.
    guard: Vec<Row>,
    /// The quantities that it changes, with what they are afterwards.
    changes: BTreeMap<Access, Row>,
}

impl Case {
    /// What a row is after the step, in terms of the state before it.
    fn after(&self, row: &Row) -> Row {
        let mut after = Row::new();
        for (column, number) in row {
            match column {
                Column::Cell(access) if self.changes.contains_key(access) => {
                    add_scaled(&mut after, &self.changes[access], number);
                }
                _ => add_scaled(&mut after, &Row::from([(column.clone(), Number::ONE)]), number),
            }
        }
        after
    }
}

/// The cases of a transition. The process R may be one that it names, or another one.
fn cases(system: &System, transition: &Transition, scope: Scope) -> Vec<Case> {
    let parameters = ids(&transition.parameters);
    let mut choices: Vec<Option<VariableId>> = vec![None];
    if scope == Scope::OfOne {
        choices.extend(parameters.iter().copied().map(Some));
    }
    let mut cases = Vec::new();
    for same in choices {
        // The parameter that is R is called so.
        let name = |variable: VariableId| (Some(variable) == same).then_some(Term::Variable(R));
        let distinct = parameters.iter().copied().filter(|one| Some(*one) != same).chain([R]).collect();
        let guard = transition.guard.substituted(&name);
        let mut situation = Situation::of_distinct(distinct);
        situation.assume(system, &guard);
        let updates = changes(system, transition, scope, &name);
        let mut own = Vec::new();
        split(system, &updates, situation, &mut own);
        if own.len() > MAX_CASES {
            // Nothing is known of what changes.
            let anything = |(at, update): (usize, &NewValue)| {
                (update.access.clone(), Row::from([(Column::Anything(at), Number::ONE)]))
            };
            own = vec![updates.iter().enumerate().map(anything).collect()];
        }
        let guard = equations(&guard);
        cases.extend(own.into_iter().map(|changes| Case { guard: guard.clone(), changes }));
    }
    cases
}

/// What becomes of a quantity: the value of the first branch that applies.
struct NewValue {
    access: Access,
    branches: Vec<(Formula, Value)>,
}

/// What a transition does to quantities.
fn changes(
    system: &System,
    transition: &Transition,
    scope: Scope,
    name: &dyn Fn(VariableId) -> Option<Term>,
) -> Vec<NewValue> {
    let mut changes = Vec::new();
    for update in &transition.updates {
        let is_integer = system.symbol(update.symbol).ty == Type::Integer;
        let dimensions = update.indices.len();
        if !is_integer || dimensions > usize::from(scope == Scope::OfOne) {
            continue;
        }
        let is_index = |variable| update.indices.iter().any(|index| index.id == variable);
        let at = |variable: VariableId| if is_index(variable) { Some(Term::Variable(R)) } else { name(variable) };
        let value = |value: &Value| match value {
            Value::Any => Value::Any,
            Value::Term(term) => Value::Term(term.substituted(&at)),
        };
        let branches = update.branches.iter().map(|one| (one.condition.substituted(&at), value(&one.value)));
        let branches = branches.chain([(Formula::TRUE, value(&update.otherwise))]).collect();
        let access = Access { symbol: update.symbol, indices: vec![Term::Variable(R); dimensions] };
        changes.push(NewValue { access, branches });
    }
    changes
}

/// Tells cases apart until it is clear in each what becomes of all quantities.
fn split(
    system: &System,
    updates: &[NewValue],
    situation: Situation,
    found: &mut Vec<BTreeMap<Access, Row>>,
) {
    if situation.is_impossible() || found.len() > MAX_CASES {
        return;
    }
    let mut changes = BTreeMap::new();
    for (number, update) in updates.iter().enumerate() {
        for (condition, value) in &update.branches {
            match situation.simplified(condition) {
                Formula::Constant(false) => continue,
                Formula::Constant(true) => {
                    let row = match value {
                        Value::Term(Term::Linear(linear)) => row_of(linear),
                        _ => Row::from([(Column::Anything(number), Number::ONE)]),
                    };
                    changes.insert(update.access.clone(), row);
                    break;
                }
                open => {
                    let mut first = None;
                    open.for_each_comparison(&mut |comparison| {
                        first.get_or_insert_with(|| comparison.clone());
                    });
                    // A quantifier may be left without a comparison: then nothing is known.
                    let Some(first) = first.filter(|_| !open.has_quantifier()) else {
                        changes.insert(update.access.clone(), Row::from([(Column::Anything(number), Number::ONE)]));
                        break;
                    };
                    for comparison in [first.clone(), first.negated()] {
                        let mut case = situation.clone();
                        case.assume(system, &Formula::Compare(comparison));
                        split(system, updates, case, found);
                    }
                    return;
                }
            }
        }
    }
    found.push(changes);
}
