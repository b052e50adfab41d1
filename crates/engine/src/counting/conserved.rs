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

use std::collections::BTreeMap;

use polycube_language::System;
use polycube_language::count::Situation;
use polycube_language::formula::{Access, Formula, Linear, Relation, Term, VariableId, ids};
use polycube_language::number::Number;
use polycube_language::system::{Transition, Type, Value};

use super::row::{Column, R, Row, Scope, Span, add_scaled, combinations, is_quantity, row_of};

/// How many cases of one transition are told apart.
const MAX_CASES: usize = 200;

/// All relations of a system.
pub(super) fn conserved(system: &System, scope: Scope) -> Span {
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
            return relations;
        }
    }
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
        split(system, &updates, &situation, &mut own);
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
        let at =
            |variable: VariableId| if is_index(variable) { Some(Term::Variable(R)) } else { name(variable) };
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
    situation: &Situation,
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
                        changes.insert(
                            update.access.clone(),
                            Row::from([(Column::Anything(number), Number::ONE)]),
                        );
                        break;
                    };
                    for comparison in [first.clone(), first.negated()] {
                        let mut case = situation.clone();
                        case.assume(system, &Formula::Compare(comparison));
                        split(system, updates, &case, found);
                    }
                    return;
                }
            }
        }
    }
    found.push(changes);
}
