//! Searches that do not seem to end: families of cubes that differ in numbers, or name more and more processes.
//!
//! A backward search over numbers may find `Ticket[z1] = Dispenser + 1`, `+ 2`, `+ 3` and so on, each of them
//! unreachable for the same reason, which it does not guess. Nothing depends on what is found here but what people are
//! told.

use rustc_hash::FxHashMap;

use polycube_smt::relation::{Comparison, Ordered, Relation, Variable};

use super::node::Node;
use crate::cube::Cube;
use crate::cube::others::Others;
use crate::cube::show::{self, CubeFormula};
use crate::cube::vocabulary::Vocabulary;

/// How many nodes are looked at: the latest.
const LATEST: usize = 1_000;

/// How many members a family has at least.
const MEMBERS: usize = 8;

/// How many of them are shown.
const SHOWN: usize = 3;

/// A family of cubes that a search has found because of one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The number of the property.
    pub property: usize,
    /// What they differ in.
    pub growth: Growth,
    /// How many there are among those that were looked at.
    pub members: usize,
    /// The first of them.
    pub examples: Vec<CubeFormula>,
}

/// What the members of a family differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// Numbers: they say the same of sums with other constants or coefficients.
    Numbers,
    /// How many processes they name.
    Processes,
}

/// What a cube says, but for the numbers in it.
#[derive(PartialEq, Eq, Hash)]
struct Shape<'c> {
    named: u8,
    words: &'c [u64],
    others: Option<&'c Others>,
    ordered: Vec<&'c Ordered>,
    linear: Vec<(Comparison, Vec<Variable>)>,
}

impl<'c> Shape<'c> {
    fn of(cube: &'c Cube) -> Shape<'c> {
        let (mut ordered, mut linear) = (Vec::new(), Vec::new());
        for relation in &cube.relations {
            match relation {
                Relation::Ordered(one) => ordered.push(one),
                Relation::Linear(one) => {
                    linear.push((one.comparison, one.terms.iter().map(|(variable, _)| *variable).collect()));
                }
            }
        }
        Shape { named: cube.named, words: &cube.words, others: cube.others.as_deref(), ordered, linear }
    }
}

/// The largest family among the nodes of a property, which come in the order in which they were found.
pub(super) fn divergence(
    vocabulary: &Vocabulary<'_>,
    property: usize,
    nodes: &[&Node],
) -> Option<Divergence> {
    let nodes = &nodes[nodes.len().saturating_sub(LATEST)..];
    let found = |growth, cubes: &[&Cube]| {
        let shown = |cube: &&Cube| show::orbit(vocabulary, cube);
        let examples = cubes.iter().take(SHOWN).map(shown).collect();
        Divergence { property, growth, members: cubes.len(), examples }
    };
    let mut families: FxHashMap<Shape<'_>, Vec<&Cube>> = FxHashMap::default();
    for node in nodes.iter().filter(|node| !node.cube.relations.is_empty()) {
        let family = families.entry(Shape::of(&node.cube)).or_default();
        if !family.contains(&&*node.cube) {
            family.push(&node.cube);
        }
    }
    // Of equally large ones, that with the simplest cubes: so it does not depend on the order of the table.
    let largest = families.into_values().max_by_key(|family| {
        (family.len(), std::cmp::Reverse((family[0].literals(vocabulary), family[0].clone())))
    });
    if let Some(family) = largest.filter(|family| family.len() >= MEMBERS) {
        return Some(found(Growth::Numbers, &family));
    }
    // The first that names so many processes, for each number of them.
    let mut records: Vec<&Cube> = Vec::new();
    for node in nodes {
        if records.last().is_none_or(|record| node.cube.named > record.named) {
            records.push(&node.cube);
        }
    }
    (records.len() >= MEMBERS).then(|| found(Growth::Processes, &records))
}
