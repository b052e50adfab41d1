//! The unknown total orders of a system: which there are, and one choice of them.
//!
//! `<` on processes, on an enumeration or on an abstract type is some total order, fixed along a run; a
//! system stands for its runs under all of them. An instance is compiled for one choice. Where nothing but
//! the order tells the values apart (processes that the model does not name, abstract values), all choices
//! give the same runs up to renaming, so the natural order stands for all.

use polycube_language::System;
use polycube_language::formula::Term;
use polycube_language::system::{EnumerationId, Type, Update, Value};

/// One choice of the orders of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    /// The rank of each process; none if it is the natural order.
    processes: Option<Vec<u32>>,
    /// The rank of each constructor, for the enumerations that are not in their natural order.
    enumerations: Vec<(EnumerationId, Vec<u32>)>,
}

/// What a system says about particular values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distinctions {
    /// The types whose values are compared by `<` or `<=`, numbers aside.
    pub ordered: Vec<Type>,
    /// The processes that are named, from 0.
    pub named: Vec<u32>,
}

impl Distinctions {
    /// Collects them.
    pub fn of(system: &System) -> Distinctions {
        let mut distinctions = Distinctions::default();
        let mut named = |term: &Term| {
            if let Term::Process(number) = term {
                distinctions.named.push(number - 1);
            }
        };
        let mut ordered = Vec::new();
        for formula in system.formulas() {
            formula.for_each_comparison(&mut |comparison| {
                comparison.left.for_each_part(&mut named);
                comparison.right.for_each_part(&mut named);
                if comparison.relation.is_order() && !comparison.ty.is_numeric() {
                    ordered.push(comparison.ty);
                }
            });
        }
        for value in system.updates().flat_map(Update::values) {
            if let Value::Term(term) = value {
                term.for_each_part(&mut named);
            }
        }
        distinctions.named.sort_unstable();
        distinctions.named.dedup();
        ordered.sort_unstable();
        ordered.dedup();
        distinctions.ordered = ordered;
        distinctions
    }

    /// Whether values of this type are compared by `<` or `<=`.
    pub fn is_ordered(&self, ty: Type) -> bool {
        self.ordered.contains(&ty)
    }
}

impl Orders {
    /// The most choices that are explored.
    pub const MAX_CHOICES: u64 = 5040;

    /// Every value in its natural order.
    pub fn natural() -> Orders {
        Orders { processes: None, enumerations: Vec::new() }
    }

    /// All choices that can differ in more than names, the natural one first; or how many there are, if that
    /// is too many.
    pub fn choices(system: &System, distinctions: &Distinctions, processes: u32) -> Result<Vec<Orders>, u64> {
        let mut sizes = Vec::new();
        for &ty in &distinctions.ordered {
            match ty {
                Type::Process if !distinctions.named.is_empty() => sizes.push((ty, processes)),
                Type::Enumeration(id) => {
                    let size = u32::try_from(system.enumeration(id).constructors.len());
                    sizes.push((ty, size.expect("constructors are counted in 32 bits")));
                }
                _ => {}
            }
        }
        let factorial = |size: u32| (1..=u64::from(size)).fold(1, u64::saturating_mul);
        let count = sizes.iter().fold(1, |count: u64, &(_, size)| count.saturating_mul(factorial(size)));
        if count > Orders::MAX_CHOICES {
            return Err(count);
        }
        let mut choices = vec![Orders::natural()];
        for (ty, size) in sizes {
            let rankings: Vec<Vec<u32>> = super::slot::injective_tuples(size, size as usize).collect();
            choices = choices
                .iter()
                .flat_map(|choice| rankings.iter().map(|ranking| choice.clone().with(ty, ranking.clone())))
                .collect();
        }
        Ok(choices)
    }

    fn with(mut self, ty: Type, ranking: Vec<u32>) -> Orders {
        if ranking.iter().zip(0..).any(|(&rank, value)| rank != value) {
            match ty {
                Type::Process => self.processes = Some(ranking),
                Type::Enumeration(id) => self.enumerations.push((id, ranking)),
                Type::Integer | Type::Real | Type::Abstract(_) => {}
            }
        }
        self
    }

    /// The rank of each value of a type, unless the type is in its natural order.
    pub fn ranking(&self, ty: Type) -> Option<&[u32]> {
        match ty {
            Type::Process => self.processes.as_deref(),
            Type::Enumeration(id) => {
                let found = self.enumerations.iter().find(|(other, _)| *other == id);
                found.map(|(_, ranking)| &ranking[..])
            }
            Type::Integer | Type::Real | Type::Abstract(_) => None,
        }
    }

    /// Whether the values of a type are in their natural order.
    pub fn is_natural(&self, ty: Type) -> bool {
        self.ranking(ty).is_none()
    }

    /// Whether one value is below another.
    pub fn less(&self, ty: Type, left: u32, right: u32) -> bool {
        match self.ranking(ty) {
            None => left < right,
            Some(ranking) => ranking[left as usize] < ranking[right as usize],
        }
    }
}
