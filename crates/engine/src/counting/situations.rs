//! Which processes to count: those in the situations that the transitions and properties speak of.

use polycube_language::System;
use polycube_language::count::Count;
use polycube_language::formula::{Access, Comparison, Formula, Linear, Relation, Term, Variable, VariableId};
use polycube_language::number::Number;
use polycube_language::span::Origin;
use polycube_language::system::{Symbol, SymbolId, Transition, Type, Update, Value};

/// How many situations are tried.
const MOST: usize = 40;

/// How many counts it may take to follow one.
const MOST_NEEDED: usize = 6;

/// The system that counts the processes in all situations that may have to do with its integers; none if it has
/// no integer that changes, and counts nothing.
pub(super) fn counting(system: &System) -> Option<System> {
    let declared = system.declared();
    let changes = |update: &Update| changes_integer(system, update);
    if system.counts.is_empty() && !has_integers(system) {
        return None;
    }
    let mut found: Vec<Count> = Vec::new();
    let add = |found: &mut Vec<Count>, count: Count| {
        if found.len() < MOST && !found.iter().any(|other| other.formula == count.formula) {
            found.push(count);
        }
    };
    // What one transition says of a process, where it also changes a number.
    for transition in system.transitions.iter().filter(|one| one.updates.iter().any(changes)) {
        for parameter in &transition.parameters {
            let before = cells_of(&transition.guard, parameter.id);
            let after = after(transition, &before, parameter.id);
            for said in [before, after] {
                let several = (2..=3).contains(&said.len());
                if several {
                    let all = said
                        .into_iter()
                        .map(|(access, relation, value)| of_value(system, access, relation, value));
                    add(&mut found, count(&Formula::and(all.collect::<Vec<_>>()), parameter));
                }
            }
        }
    }
    // The values of arrays that change together with numbers, or whose values are counted.
    for (symbol, id) in system.symbols[..declared].iter().zip((0..).map(SymbolId)) {
        let Type::Enumeration(enumeration) = symbol.ty else { continue };
        let is_related = |one: &&Transition| {
            one.updates.iter().any(|update| update.symbol == id) && one.updates.iter().any(changes)
        };
        if !system.transitions.iter().any(|one| is_related(&one)) && !is_counted(system, id) {
            continue;
        }
        let values = 0..u32::try_from(system.enumeration(enumeration).constructors.len()).ok()?;
        for value in values {
            for count in of_symbol(id, symbol, &Term::Constructor(enumeration, value)) {
                add(&mut found, count);
            }
        }
    }
    // What the cells of an array add up to, if none is negative.
    for (symbol, id) in system.symbols[..declared].iter().zip((0..).map(SymbolId)) {
        let is_changed = system.updates().any(|update| update.symbol == id);
        if symbol.ty == Type::Integer && symbol.dimensions() == 1 && is_changed {
            add(&mut found, sum_of(id));
        }
    }
    // Those that cannot be followed are of no use.
    let is_simple = |extended: System| extended.counts.len() <= system.counts.len() + MOST_NEEDED;
    found.retain(|count| system.with_counts([count.clone()]).is_ok_and(is_simple));
    system.with_counts(found).ok()
}

/// Whether an integer changes, counts apart.
pub(crate) fn has_integers(system: &System) -> bool {
    system.updates().any(|update| changes_integer(system, update))
}

fn changes_integer(system: &System, update: &Update) -> bool {
    (update.symbol.0 as usize) < system.declared() && system.symbol(update.symbol).ty == Type::Integer
}

/// Whether some count speaks of a symbol.
fn is_counted(system: &System, symbol: SymbolId) -> bool {
    let mut is_counted = false;
    for count in &system.counts {
        count.formula.for_each_access(&mut |access| is_counted |= access.symbol == symbol);
    }
    is_counted
}

/// A cell of a process, how it compares with a value, and that value.
type Said = (Access, Relation, Term);

/// What a conjunction says of the cells of a process.
fn cells_of(guard: &Formula, process: VariableId) -> Vec<Said> {
    let conjuncts = match guard {
        Formula::And(parts) => parts,
        one => std::slice::from_ref(one),
    };
    let said = conjuncts.iter().filter_map(|conjunct| {
        let Formula::Compare(Comparison { left, relation, right, .. }) = conjunct else { return None };
        let ((Term::Access(access), value) | (value, Term::Access(access))) = (left, right) else {
            return None;
        };
        let is_own = access.indices[..] == [Term::Variable(process)];
        (is_own && !relation.is_order() && matches!(value, Term::Constructor(..)))
            .then(|| (access.clone(), *relation, value.clone()))
    });
    said.collect()
}

/// The same after the transition.
fn after(transition: &Transition, before: &[Said], process: VariableId) -> Vec<Said> {
    let new_value = |symbol: SymbolId| {
        let update = transition.updates.iter().find(|update| update.symbol == symbol)?;
        // `A[k] := case | k = p : V | _ : A[k]`
        let own = update.branches.iter().find(|branch| match &branch.condition {
            Formula::Compare(one) => [&one.left, &one.right].contains(&&Term::Variable(process)),
            _ => false,
        });
        match own.map(|branch| &branch.value) {
            Some(Value::Term(value @ Term::Constructor(..))) => Some(value.clone()),
            _ => None,
        }
    };
    let said = |(access, relation, value): &Said| match new_value(access.symbol) {
        Some(new) => (access.clone(), Relation::Equal, new),
        None => (access.clone(), *relation, value.clone()),
    };
    before.iter().map(said).collect()
}

fn of_value(system: &System, access: Access, relation: Relation, right: Term) -> Formula {
    let ty = system.symbol(access.symbol).ty;
    Formula::Compare(Comparison {
        left: Term::Access(access),
        relation,
        right,
        ty,
        origin: Origin::default(),
    })
}

fn count(formula: &Formula, process: &Variable) -> Count {
    let variable = Variable { name: "p".to_owned(), ..process.clone() };
    Count::new(formula, &[], &variable, Origin::default())
}

/// The sum of the cells of an array that are not negative.
fn sum_of(symbol: SymbolId) -> Count {
    let process = Variable { id: VariableId(0), name: "p".to_owned(), origin: Origin::default() };
    let cell = Linear::access(Access { symbol, indices: vec![Term::Variable(process.id)] });
    let zero = Linear::constant(Number::ZERO);
    let formula = Formula::compare_integers(zero, Relation::LessEqual, cell.clone());
    Count::sum(&formula, &cell, &[], &process, Origin::default())
}

/// The processes whose cell has a value; of a table, in each row and in each column.
fn of_symbol(id: SymbolId, symbol: &Symbol, value: &Term) -> Vec<Count> {
    let variable = |id: u32, name: &str| Variable {
        id: VariableId(id),
        name: name.to_owned(),
        origin: Origin::default(),
    };
    let (process, other) = (variable(0, "p"), variable(1, "i"));
    let of = |indices: &[&Variable], others: &[VariableId]| {
        let indices = indices.iter().map(|index| Term::Variable(index.id)).collect();
        let left = Term::Access(Access { symbol: id, indices });
        let (right, ty, origin) = (value.clone(), symbol.ty, Origin::default());
        let formula = Formula::Compare(Comparison { left, relation: Relation::Equal, right, ty, origin });
        Count::new(&formula, others, &process, Origin::default())
    };
    match symbol.dimensions() {
        1 => vec![of(&[&process], &[])],
        2 => vec![of(&[&process, &other], &[other.id]), of(&[&other, &process], &[other.id])],
        _ => Vec::new(),
    }
}
