//! What is left of a cube when visited cubes are taken away, as far as its numbers are concerned.
//!
//! In both cases a part of the cube is left, visited cubes cover the rest, and a guess is made about what is left. Sound: the guess
//! takes the place of the cube together with the nodes that cover the rest, and depends on them.
//!
//! Where `f <= c` can be made stricter without anything new, because the part of the cube with `f <= c - 1` is covered,
//! what is left has `f = c`. Equations are what guesses about numbers can be made from: of `Ticket[p] <= Served + 1` and
//! `Ticket[q] <= Served + 1`, nothing follows; of the equations it does that the tickets are the same.
//!
//! Where numbers say in which situations a named process is not, because the part of the cube with `Message[p] = Asked` is
//! covered (no acknowledgement is missing, and one is for each who is asked), what is left says so by values. Then a guess can
//! do without the numbers.

use polycube_smt::rational::Rational;
use polycube_smt::relation::{Comparison, Linear, Normalized, NumberKind, Relation};
use polycube_smt::shape::Kind;

use super::calls::Calls;
use super::coverage::coverage;
use super::verification::Checks;
use crate::cube::Cube;
use crate::cube::renaming::canonical;
use crate::cube::store::{NodeId, Store, Stored};

/// How many relations are tried.
const MOST: usize = 6;

/// How many values of cells are tried.
const MOST_VALUES: usize = 32;

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

/// The part of a cube that visited cubes do not cover, by values of the cells of processes that it names, with the nodes that
/// cover the rest; none if nothing is found, or if the cube says nothing about numbers.
pub(super) fn narrowed(
    visited: &Store<'_, '_>,
    cube: &Cube,
    calls: &mut Calls,
    allowed: &dyn Fn(&Stored) -> bool,
) -> Option<(Cube, Vec<NodeId>)> {
    if !cube.has_numbers() {
        return None;
    }
    let mut narrow = cube.clone();
    let (mut nodes, mut tried) = (Vec::new(), 0);
    for (_, kind) in visited.vocabulary.layout(cube.named).shape.iter() {
        let Kind::Finite(_, field) = kind else { continue };
        let values = field.get(&cube.words);
        if values.is_power_of_two() {
            continue;
        }
        for value in (0..u64::BITS).map(|bit| 1 << bit).filter(|value| values & value != 0) {
            let left = field.get(&narrow.words) & !value;
            if left == 0 || tried == MOST_VALUES {
                break;
            }
            tried += 1;
            let mut part = narrow.clone();
            field.set(&mut part.words, value);
            let covered = coverage(visited, &part, Checks::default(), calls, allowed);
            if !covered.nodes().is_empty() {
                nodes.extend_from_slice(covered.nodes());
                field.set(&mut narrow.words, left);
            }
        }
    }
    (!nodes.is_empty()).then(|| (canonical(visited.vocabulary, narrow).0, nodes))
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random};

    use super::*;
    use crate::samples::{Sample, small_system};

    /// Each state of a cube is in what is left of it, or in a cube that covers the rest.
    #[test]
    fn nothing_is_lost_of_random_cubes() {
        let (tight, narrow) = (AtomicU64::new(0), AtomicU64::new(0));
        let tried = for_seeds!(12_000, |seed| {
            let mut random = Random::new(seed);
            let system = small_system(&mut random, &Profile::ALL);
            let Some(sample) = Sample::new(&system, &mut random) else { return };
            let vocabulary = &sample.vocabulary;
            let start = sample.state(&mut random);
            let cube = canonical(vocabulary, sample.cube_around(&start, &mut random)).0;
            let (visited, cubes) = sample.visited_around(&start, &mut random);
            let mut states = vec![start];
            for _ in 0..20 {
                let next = sample.neighbour(random.pick(&states), &mut random);
                states.push(next);
            }
            let (mut calls, all) = (Calls::default(), |_: &Stored| true);
            let parts = [
                (&tight, tightened(&visited, &cube, &mut calls, &all)),
                (&narrow, narrowed(&visited, &cube, &mut calls, &all)),
            ];
            for (found, part) in parts {
                let Some((left, nodes)) = part else { continue };
                found.fetch_add(1, Ordering::Relaxed);
                for state in states.iter().filter(|state| sample.is_in(&cube, state)) {
                    let is_covered = nodes.iter().any(|node| sample.is_in(&cubes[node.index()], state));
                    assert!(is_covered || sample.is_in(&left, state), "{state:?}\n{cube:?}\n{left:?}");
                }
            }
        });
        for found in [tight, narrow] {
            let found = found.into_inner();
            assert!(tried.is_none_or(|tried| found > tried / 200), "only {found}");
        }
    }
}
