//! A state that a solver proposes: values for some cells, and what that says about formulas.

use std::collections::BTreeMap;

use polycube_language::formula::{Access, Comparison, Formula, Relation, Term};
use polycube_language::number::Number;
use polycube_language::system::{EnumerationId, Type};
use rustc_hash::FxHashMap;

use crate::ground::{Atom, Operand};
use crate::meaning::Meaning;
use crate::universe::{CellId, Names, PlaceId, id};

/// Values for cells. Of the others, the question does not say anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    /// By cell: the constructor or place.
    pub(crate) finite: Vec<Option<u32>>,
    /// Numbers and values of abstract types.
    pub(crate) numbers: BTreeMap<CellId, Number>,
    pub(crate) places: Vec<PlaceId>,
    /// For each place, how many come before it; the same for the constructors of enumerations. Only of what
    /// is compared.
    pub(crate) ranks: BTreeMap<Type, Vec<usize>>,
    /// What is said of processes that have no place: see [`Atom::Same`] and [`Atom::Below`].
    pub(crate) compared: FxHashMap<Atom, bool>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Finite(u32),
    Number(Number),
}

impl Model {
    /// The same, with a value for each cell: the state that follows from what is known, and the first values
    /// for the rest.
    pub(crate) fn completed(&self, meaning: &Meaning<'_>) -> Model {
        let mut model = self.clone();
        for cell in 0..id(model.finite.len()) {
            if meaning.values(cell).is_some() {
                // A place that exists, if there is one.
                let first = match meaning.ty(cell) {
                    Type::Process => self.places.first().copied().unwrap_or(meaning.universe.len()),
                    _ => 0,
                };
                model.finite[cell as usize].get_or_insert(first);
            } else {
                model.numbers.entry(cell).or_insert(Number::ZERO);
            }
        }
        let enumerations = (0..id(meaning.system.enumerations.len())).map(EnumerationId);
        for ty in [Type::Process].into_iter().chain(enumerations.map(Type::Enumeration)) {
            model.ranks.entry(ty).or_insert_with(|| (0..meaning.named(ty) as usize).collect());
        }
        model
    }

    /// Whether a formula holds now, if that is known.
    pub(crate) fn holds(&self, meaning: &Meaning<'_>, formula: &Formula, names: &Names) -> Option<bool> {
        let part = |part: &Formula| self.holds(meaning, part, names);
        match formula {
            Formula::Constant(value) => Some(*value),
            Formula::Compare(comparison) => self.comparison(meaning, comparison, names),
            Formula::Not(inner) => part(inner).map(|holds| !holds),
            Formula::And(parts) => every(parts.iter().map(part)),
            Formula::Or(parts) => {
                every(parts.iter().map(|inner| part(inner).map(|holds| !holds))).map(|none| !none)
            }
            Formula::Iff(parts) => Some(part(&parts[0])? == part(&parts[1])?),
            Formula::IfThenElse(parts) => part(if part(&parts[0])? { &parts[1] } else { &parts[2] }),
            Formula::Quantified(_) => None,
        }
    }

    fn comparison(&self, meaning: &Meaning<'_>, comparison: &Comparison, names: &Names) -> Option<bool> {
        let Comparison { left: first, relation, right: second, ty, .. } = comparison;
        let (left, right) = (self.term(meaning, first, names)?, self.term(meaning, second, names)?);
        // Of a process that has no place, it is known that it is none of the others, and what was said of it.
        if *ty == Type::Process && !meaning.universe.complete {
            let far = Value::Finite(meaning.universe.len());
            if left == far && right == far || (relation.is_order() && (left == far || right == far)) {
                let operand = |term, value: &Value| self.operand(meaning, term, names, value);
                let (left, right) = (operand(first, &left)?, operand(second, &right)?);
                if left == right {
                    return Some(matches!(relation, Relation::Equal | Relation::LessEqual));
                }
                let said = |atom| self.compared.get(&atom).copied();
                let same = || said(Atom::Same(left.min(right), left.max(right)));
                return match relation {
                    Relation::Equal => same(),
                    Relation::NotEqual => same().map(|same| !same),
                    Relation::Less => said(Atom::Below(left, right)),
                    Relation::LessEqual => said(Atom::Below(right, left)).map(|below| !below),
                };
            }
        }
        Some(match relation {
            Relation::Equal => left == right,
            Relation::NotEqual => left != right,
            Relation::Less => self.is_less(*ty, &left, &right)?,
            Relation::LessEqual => !self.is_less(*ty, &right, &left)?,
        })
    }

    fn is_less(&self, ty: Type, left: &Value, right: &Value) -> Option<bool> {
        match (left, right) {
            (Value::Number(left), Value::Number(right)) => Some(left < right),
            (Value::Finite(left), Value::Finite(right)) if left == right => Some(false),
            (Value::Finite(left), Value::Finite(right)) => {
                let ranks = self.ranks.get(&ty)?;
                Some(ranks.get(*left as usize)? < ranks.get(*right as usize)?)
            }
            _ => None,
        }
    }

    fn term(&self, meaning: &Meaning<'_>, term: &Term, names: &Names) -> Option<Value> {
        Some(match term {
            Term::Variable(variable) => Value::Finite(names.get(*variable)?),
            Term::Process(number) => Value::Finite(meaning.universe.place_of(*number)),
            Term::Constructor(_, index) => Value::Finite(*index),
            Term::Access(access) => self.access(meaning, access, names)?,
            Term::Linear(linear) => {
                let mut total = linear.constant.clone();
                for (factor, access) in &linear.terms {
                    let Value::Number(number) = self.access(meaning, access, names)? else { return None };
                    total = total + &(number * factor);
                }
                Value::Number(total)
            }
        })
    }

    /// The process that a term stands for: its place, or else the cell that holds it.
    fn operand(&self, meaning: &Meaning<'_>, term: &Term, names: &Names, value: &Value) -> Option<Operand> {
        match (value, term) {
            (Value::Finite(place), _) if *place < meaning.universe.len() => Some(Operand::Role(*place)),
            (_, Term::Access(access)) => self.cell(meaning, access, names).map(Operand::Cell),
            _ => None,
        }
    }

    fn access(&self, meaning: &Meaning<'_>, access: &Access, names: &Names) -> Option<Value> {
        let cell = self.cell(meaning, access, names)?;
        match self.finite[cell as usize] {
            Some(value) => Some(Value::Finite(value)),
            None => self.numbers.get(&cell).cloned().map(Value::Number),
        }
    }

    /// The cell that an access means, if its indices have places.
    fn cell(&self, meaning: &Meaning<'_>, access: &Access, names: &Names) -> Option<CellId> {
        let mut places = [0; 8];
        for (place, index) in places.iter_mut().zip(&access.indices) {
            *place = match self.term(meaning, index, names)? {
                Value::Finite(at) if at < meaning.universe.len() => at,
                _ => return None,
            };
        }
        Some(meaning.universe.cell(access.symbol, places.get(..access.indices.len())?))
    }
}

/// Whether all of these are true; one that is false is enough to know.
fn every(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = false,
        }
    }
    known.then_some(true)
}
