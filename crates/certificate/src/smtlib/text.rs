//! Formulas, terms and types as SMT-LIB text.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use polycube_language::System;
use polycube_language::formula::{
    Access, Comparison, Formula, Linear, Quantified, Quantifier, Relation, Term, VariableId,
};
use polycube_language::number::Number;
use polycube_language::system::{SymbolId, SymbolKind, Type};

use super::Room;
use crate::cases::add_dependent;

/// The state that a formula is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Now,
    Next,
}

/// Terms for variables.
pub(super) type Names = BTreeMap<VariableId, String>;

/// The formula as it is, but for quantifiers whose variables have a name already: that of a witness, if it is
/// one wherever it stands.
pub(super) fn formula(system: &System, said: &Formula, names: &Names, state: State) -> String {
    let part = |part: &Formula| formula(system, part, names, state);
    match said {
        Formula::Constant(value) => value.to_string(),
        Formula::Compare(said) => comparison(system, said, names, state),
        Formula::Not(inner) => not(&part(inner)),
        Formula::And(parts) => all(parts.iter().map(part)),
        Formula::Or(parts) => any(parts.iter().map(part)),
        Formula::Iff(parts) => format!("(= {} {})", part(&parts[0]), part(&parts[1])),
        Formula::IfThenElse(parts) => {
            format!("(ite {} {} {})", part(&parts[0]), part(&parts[1]), part(&parts[2]))
        }
        Formula::Quantified(Quantified { variable, body, .. }) if names.contains_key(&variable.id) => {
            formula(system, body, names, state)
        }
        Formula::Quantified(Quantified { quantifier, variable, body, .. }) => {
            let keyword = match quantifier {
                Quantifier::Forall => "forall",
                Quantifier::Exists => "exists",
            };
            let name = format!("q.{}.{}", variable.name, variable.id.0);
            let mut names = names.clone();
            names.insert(variable.id, name.clone());
            format!("({keyword} (({name} Proc)) {})", formula(system, body, &names, state))
        }
    }
}

/// A weaker formula that is satisfiable wherever this one is (or its negation, unless `holds`). A universal
/// quantifier is replaced by its instances for `processes`; an existential one by its witness, if `names` has
/// one, and otherwise kept. Every quantifier has to have a variable of its own.
pub(super) fn implied(
    system: &System,
    said: &Formula,
    holds: bool,
    processes: &[String],
    (names, state): (&Names, State),
    room: &Room<'_>,
) -> String {
    let read = |part: &Formula, holds| implied(system, part, holds, processes, (names, state), room);
    let part = |part: &Formula| read(part, holds);
    let word_for_word = || {
        let text = formula(system, said, names, state);
        if holds { text } else { not(&text) }
    };
    match said {
        Formula::Constant(_) | Formula::Compare(_) => word_for_word(),
        Formula::Not(inner) => read(inner, !holds),
        Formula::And(parts) if holds => all(parts.iter().map(part)),
        Formula::Or(parts) if !holds => all(parts.iter().map(part)),
        Formula::And(parts) | Formula::Or(parts) => any(parts.iter().map(part)),
        // The sides of an equivalence, and a condition, are spoken of as what holds and as what fails. If
        // there is no room for both, there will be no script.
        Formula::Iff(_) if !said.has_quantifier() || !room.take(1) => word_for_word(),
        Formula::Iff(sides) => {
            let cases = [true, false].map(|left| (left, left == holds));
            any(cases.map(|(left, right)| all([read(&sides[0], left), read(&sides[1], right)])))
        }
        Formula::IfThenElse(parts) if !parts[0].has_quantifier() || !room.take(1) => {
            let condition = formula(system, &parts[0], names, state);
            format!("(ite {condition} {} {})", part(&parts[1]), part(&parts[2]))
        }
        Formula::IfThenElse(parts) => {
            any([true, false].map(|yes| all([read(&parts[0], yes), part(&parts[if yes { 1 } else { 2 }])])))
        }
        Formula::Quantified(Quantified { quantifier, variable, body, .. }) => {
            let is_for_all = (*quantifier == Quantifier::Forall) == holds;
            let with = |names: &Names, process: &String| {
                let mut names = names.clone();
                names.insert(variable.id, process.clone());
                implied(system, body, holds, processes, (&names, state), room)
            };
            match (is_for_all, names.get(&variable.id)) {
                // A witness is one in the case where it depends on no universal quantifier. In the other
                // case, that of the equivalence that made two of it, every process would need its own.
                (true, _) => {
                    let mut dependent = vec![variable.id];
                    add_dependent(body, &mut dependent);
                    let names = names.iter().filter(|(variable, _)| !dependent.contains(variable));
                    let names: Names = names.map(|(variable, name)| (*variable, name.clone())).collect();
                    // An instance takes at least a byte. If there is not room for all of them, there will be
                    // no script.
                    all(processes.iter().take_while(|_| room.take(1)).map(|process| with(&names, process)))
                }
                (false, Some(witness)) => with(names, witness),
                (false, None) => word_for_word(),
            }
        }
    }
}

/// Whether no two quantifiers bind the same variable, and none binds one that is bound already.
pub(super) fn binds_own_variables(said: &Formula, bound: &mut BTreeSet<VariableId>) -> bool {
    let mut all = |parts: &[Formula]| parts.iter().all(|part| binds_own_variables(part, bound));
    match said {
        Formula::Constant(_) | Formula::Compare(_) => true,
        Formula::Not(part) => binds_own_variables(part, bound),
        Formula::And(parts) | Formula::Or(parts) => all(parts),
        Formula::Iff(parts) => all(&parts[..]),
        Formula::IfThenElse(parts) => all(&parts[..]),
        Formula::Quantified(Quantified { variable, body, .. }) => {
            bound.insert(variable.id) && binds_own_variables(body, bound)
        }
    }
}

/// Whether [`implied`] says more the more processes there are.
pub(super) fn speaks_of_all(said: &Formula, holds: bool) -> bool {
    match said {
        Formula::Constant(_) | Formula::Compare(_) => false,
        // Every quantifier in it is universal in one of the cases that it stands for.
        Formula::Iff(_) => said.has_quantifier(),
        Formula::Not(part) => speaks_of_all(part, !holds),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| speaks_of_all(part, holds)),
        Formula::IfThenElse(parts) => {
            parts[0].has_quantifier() || parts[1..].iter().any(|part| speaks_of_all(part, holds))
        }
        Formula::Quantified(Quantified { quantifier, body, .. }) => {
            (*quantifier == Quantifier::Forall) == holds || speaks_of_all(body, holds)
        }
    }
}

fn comparison(system: &System, said: &Comparison, names: &Names, state: State) -> String {
    let Comparison { left, relation, right, ty, .. } = said;
    let (left, right) = (term(system, left, *ty, names, state), term(system, right, *ty, names, state));
    let operator = match relation {
        Relation::Equal => return format!("(= {left} {right})"),
        Relation::NotEqual => return format!("(not (= {left} {right}))"),
        Relation::Less => "<",
        Relation::LessEqual => "<=",
    };
    if ty.is_numeric() {
        return format!("({operator} {left} {right})");
    }
    let rank = rank(system, *ty);
    format!("({operator} ({rank} {left}) ({rank} {right}))")
}

pub(super) fn term(system: &System, said: &Term, ty: Type, names: &Names, state: State) -> String {
    match said {
        Term::Variable(variable) => names[variable].clone(),
        Term::Process(number) => format!("p.{number}"),
        Term::Constructor(id, index) => match Type::Enumeration(*id) {
            Type::BOOL => (*index == 1).to_string(),
            _ => format!("e.{}", system.enumeration(*id).constructors[*index as usize]),
        },
        Term::Access(said) => access(system, said, names, state),
        Term::Linear(said) => linear(system, said, ty, names, state),
    }
}

fn access(system: &System, said: &Access, names: &Names, state: State) -> String {
    let symbol = system.symbol(said.symbol);
    let indices: Vec<String> =
        said.indices.iter().map(|index| term(system, index, Type::Process, names, state)).collect();
    let prefix = match (state, symbol.kind) {
        (State::Now, _) | (_, SymbolKind::Constant) => "s",
        (State::Next, _) => "n",
    };
    applied(&format!("{prefix}.{}", symbol_name(system, said.symbol)), &indices)
}

/// The name of a symbol. Names of the model have no dot.
pub(super) fn symbol_name(system: &System, symbol: SymbolId) -> Cow<'_, str> {
    match (symbol.0 as usize).checked_sub(system.declared()) {
        None => Cow::Borrowed(&system.symbol(symbol).name),
        Some(at) => Cow::Owned(format!("count.{}", at + 1)),
    }
}

fn linear(system: &System, said: &Linear, ty: Type, names: &Names, state: State) -> String {
    let product = |(factor, cell): &(Number, Access)| {
        let cell = access(system, cell, names, state);
        if *factor == Number::ONE { cell } else { format!("(* {} {cell})", number(factor, ty)) }
    };
    let mut parts: Vec<String> = said.terms.iter().map(product).collect();
    if parts.is_empty() || !said.constant.is_zero() {
        parts.push(number(&said.constant, ty));
    }
    match &parts[..] {
        [one] => one.clone(),
        parts => format!("(+ {})", parts.join(" ")),
    }
}

fn number(said: &Number, ty: Type) -> String {
    let size = said.abs();
    let ratio = size.as_ratio();
    let (numerator, denominator) = (ratio.numerator(), ratio.denominator());
    let text = match ty {
        Type::Real => format!("(/ {numerator}.0 {denominator}.0)"),
        _ => {
            assert!(said.is_integer(), "a number of type `int` is an integer");
            numerator.to_string()
        }
    };
    if said.is_negative() { format!("(- {text})") } else { text }
}

pub(super) fn type_name(system: &System, ty: Type) -> String {
    match ty {
        Type::Process => "Proc".to_owned(),
        Type::Integer => "Int".to_owned(),
        Type::Real => "Real".to_owned(),
        Type::BOOL => "Bool".to_owned(),
        Type::Enumeration(_) | Type::Abstract(_) => format!("t.{}", system.type_name(ty)),
    }
}

/// The name of the function that orders the values of a type.
pub(super) fn rank(system: &System, ty: Type) -> String {
    format!("rank.{}", system.type_name(ty))
}

/// A function with arguments, or a constant.
pub(super) fn applied(name: &str, arguments: &[String]) -> String {
    if arguments.is_empty() { name.to_owned() } else { format!("({name} {})", arguments.join(" ")) }
}

pub(super) fn not(formula: &str) -> String {
    format!("(not {formula})")
}

/// The terms have different values; nothing to say of fewer than two.
pub(super) fn distinct(terms: &[String]) -> Option<String> {
    (terms.len() > 1).then(|| format!("(distinct {})", terms.join(" ")))
}

pub(super) fn all(parts: impl IntoIterator<Item = String>) -> String {
    joined("and", "true", parts)
}

pub(super) fn any(parts: impl IntoIterator<Item = String>) -> String {
    joined("or", "false", parts)
}

fn joined(operator: &str, none: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.into_iter().collect();
    match parts.len() {
        0 => none.to_owned(),
        1 => parts.remove(0),
        _ => format!("({operator} {})", parts.join(" ")),
    }
}
