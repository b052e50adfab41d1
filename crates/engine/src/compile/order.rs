//! The unknown total orders of a system: which there are, and one choice of them.
//!
//! `<` on processes, on an enumeration or on an abstract type is some total order, fixed along a run; a
//! system stands for its runs under all of them. An instance is compiled for one choice. Where nothing but
//! the order tells the values apart (processes that the model does not name, abstract values), all choices
//! give the same runs up to renaming, so the natural order stands for all.

use polycube_language::System;
use polycube_language::system::Type;

use super::slot::injective_tuples;

/// One choice of the orders of an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// The rank of each value, for the types that are not in their natural order.
    rankings: Vec<(Type, Vec<u32>)>,
}

/// What a system says about particular values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinctions {
    /// The types whose values are compared by `<` or `<=`, numbers aside.
    pub ordered: Vec<Type>,
    /// The processes that are named, from 0.
    pub named: Vec<u32>,
}

impl Distinctions {
    pub fn of(system: &System) -> Distinctions {
        let mut ordered = Vec::new();
        for formula in system.formulas() {
            formula.for_each_comparison(&mut |comparison| {
                if comparison.relation.is_order() && !comparison.ty.is_numeric() {
                    ordered.push(comparison.ty);
                }
            });
        }
        ordered.sort_unstable();
        ordered.dedup();
        Distinctions { ordered, named: system.named_processes() }
    }

    pub fn is_ordered(&self, ty: Type) -> bool {
        self.ordered.contains(&ty)
    }
}

impl Orders {
    /// The most choices that are explored.
    pub const MAX_CHOICES: u64 = 5040;

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
        let mut choices = vec![Orders::default()];
        for (ty, size) in sizes {
            let mut longer = Vec::new();
            for choice in &choices {
                for ranking in injective_tuples(size, size as usize) {
                    let mut choice = choice.clone();
                    if !ranking.iter().copied().eq(0..size) {
                        choice.rankings.push((ty, ranking));
                    }
                    longer.push(choice);
                }
            }
            choices = longer;
        }
        Ok(choices)
    }

    /// The rank of each value of a type, unless the type is in its natural order.
    pub fn ranking(&self, ty: Type) -> Option<&[u32]> {
        self.rankings.iter().find(|(other, _)| *other == ty).map(|(_, ranking)| &ranking[..])
    }

    pub fn less(&self, ty: Type, left: u32, right: u32) -> bool {
        match self.ranking(ty) {
            None => left < right,
            Some(ranking) => ranking[left as usize] < ranking[right as usize],
        }
    }
}
