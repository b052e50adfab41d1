//! What is left of a cube when visited cubes are taken away, as far as its numbers are concerned.
//!
//! Where `f <= c` can be made stricter without anything new, because the part of the cube with `f <= c - 1` is covered,
//! what is left has `f = c`. Equations are what guesses about numbers can be made from: of `Ticket[p] <= Served + 1` and
//! `Ticket[q] <= Served + 1`, nothing follows; of the equations it does that the tickets are the same.

use polycube_smt::rational::Rational;
use polycube_smt::relation::{Comparison, Linear, Normalized, NumberKind, Relation};

use super::calls::Calls;
use super::coverage::coverage;
use super::verification::Checks;
use crate::cube::Cube;
use crate::cube::renaming::canonical;
use crate::cube::store::{NodeId, Store, Stored};

/// How many relations are tried.
const MOST: usize = 6;

/// The part of a cube that visited cubes do not cover, with the nodes that cover the rest; none if nothing is found.
pub(super) fn tightened(
    visited: &Store<'_, '_>,
    cube: &Cube,
    calls: &mut Calls,
    allowed: &dyn Fn(&Stored) -> bool,
) -> Option<(Cube, Vec<NodeId>)> {
    let mut tight = cube.clone();
    let mut nodes = Vec::new();
    let bounds = cube.relations.iter().filter_map(|relation| match relation {
        Relation::Linear(linear)
            if linear.comparison == Comparison::LessEqual && linear.kind == NumberKind::Integer =>
        {
            Some(linear)
        }
        _ => None,
    });
    for bound in bounds.take(MOST) {
        let stricter = Linear { constant: &bound.constant + &Rational::ONE, ..bound.clone() };
        let part = with_instead(&tight, bound, stricter)?;
        let covered = coverage(visited, &part, Checks::default(), calls, allowed);
        if covered.nodes().is_empty() {
            continue;
        }
        nodes.extend_from_slice(covered.nodes());
        tight = with_instead(&tight, bound, Linear { comparison: Comparison::Equal, ..bound.clone() })?;
    }
    (!nodes.is_empty()).then(|| (canonical(visited.vocabulary, tight).0, nodes))
}

/// A cube with another relation in place of one of its own; none if that can be decided, which is not worth the trouble.
fn with_instead(cube: &Cube, old: &Linear, new: Linear) -> Option<Cube> {
    let Normalized::Relation(new) = Relation::Linear(new).normalized() else { return None };
    let is_other = |relation: &&Relation| !matches!(relation, Relation::Linear(one) if one == old);
    let mut relations: Vec<Relation> = cube.relations.iter().filter(is_other).cloned().collect();
    relations.push(new);
    relations.sort_unstable();
    relations.dedup();
    Some(Cube { relations, ..cube.clone() })
}
