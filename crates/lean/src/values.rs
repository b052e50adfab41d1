//! Literals that say which values a cell has.

use std::collections::BTreeSet;

use polycube_language::System;
use polycube_language::formula::{Access, Comparison, Formula, Relation, Term};
use polycube_language::span::Origin;
use polycube_language::system::{EnumerationId, Type};

/// That a cell has one of some values of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The cell.
    pub access: Access,
    /// Its type.
    pub ty: EnumerationId,
    /// The numbers of the values.
    pub values: BTreeSet<u32>,
}

impl Values {
    /// What a formula says, if it says which values a cell has, and nothing else.
    pub fn of(system: &System, formula: &Formula) -> Option<Values> {
        match formula {
            Formula::Compare(Comparison { left: Term::Access(access), relation, right, .. }) => {
                let Term::Constructor(ty, value) = right else { return None };
                let values = match relation {
                    Relation::Equal => BTreeSet::from([*value]),
                    Relation::NotEqual => all(system, *ty).filter(|other| other != value).collect(),
                    Relation::Less | Relation::LessEqual => return None,
                };
                Some(Values { access: access.clone(), ty: *ty, values })
            }
            Formula::Or(parts) => {
                let mut parts = parts.iter().map(|part| Values::of(system, part));
                let first = parts.next()??;
                parts.try_fold(first, |all, part| {
                    let part = part?;
                    (all.access == part.access).then(|| all.with(&part))
                })
            }
            _ => None,
        }
    }

    /// The same formulas, all of which hold, with one for each cell.
    pub fn combined(system: &System, formulas: impl IntoIterator<Item = Formula>) -> Vec<Formula> {
        let mut cells: Vec<Values> = Vec::new();
        // The place of each cell is where it is first mentioned.
        let mut found: Vec<Result<usize, Formula>> = Vec::new();
        for formula in formulas {
            let Some(values) = Values::of(system, &formula) else {
                found.push(Err(formula));
                continue;
            };
            match cells.iter().position(|known| known.access == values.access) {
                Some(at) => cells[at].values.retain(|value| values.values.contains(value)),
                None => {
                    found.push(Ok(cells.len()));
                    cells.push(values);
                }
            }
        }
        found
            .into_iter()
            .map(|one| one.map_or_else(|formula| formula, |at| cells[at].to_formula(system)))
            .collect()
    }

    /// These values, and others of the same cell.
    #[must_use]
    pub fn with(&self, others: &Values) -> Values {
        Values { values: self.values.union(&others.values).copied().collect(), ..self.clone() }
    }

    /// All values but these.
    #[must_use]
    pub fn complement(&self, system: &System) -> Values {
        let values = all(system, self.ty).filter(|value| !self.values.contains(value)).collect();
        Values { values, ..self.clone() }
    }

    /// The formula, as it is written in the language.
    pub fn to_formula(&self, system: &System) -> Formula {
        let count = all(system, self.ty).count();
        let is = |relation: Relation| {
            move |value: u32| {
                let (left, right) = (Term::Access(self.access.clone()), Term::Constructor(self.ty, value));
                let (ty, origin) = (Type::Enumeration(self.ty), Origin::default());
                Formula::Compare(Comparison { left, relation, right, ty, origin })
            }
        };
        let others = self.complement(system).values;
        match (self.values.len(), others.len()) {
            (_, 0) => Formula::TRUE,
            (_, 1) if count > 2 => Formula::and(others.into_iter().map(is(Relation::NotEqual))),
            _ => Formula::or(self.values.iter().copied().map(is(Relation::Equal))),
        }
    }
}

fn all(system: &System, ty: EnumerationId) -> impl Iterator<Item = u32> + use<> {
    let count = system.enumeration(ty).constructors.len();
    (0..).take(count)
}
