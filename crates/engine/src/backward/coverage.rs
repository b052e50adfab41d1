//! Whether cubes cover another one: cheapest checks first.
//!
//! This is the subsumption check of the Cubicle paper (CAV 2012, section 3). An instance that subsumes the
//! cube decides the question. Otherwise the solver is asked once, about all instances that do not contradict
//! the cube. (The paper calls the solver after each instance that it adds.)

use polycube_smt::budget::Budget;
use polycube_smt::cover::{Cover, Covered};

use super::calls::Calls;
use super::verification::Checks;
use crate::cube::Cube;
use crate::cube::store::{NodeId, Store, Stored};

/// How much work the solver may do for one cover.
const STEPS: u64 = 20_000;

/// How a cube is covered: by one node, by several together, or not at all, as far as is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Coverage {
    One(NodeId),
    Several(Vec<NodeId>),
    None { gave_up: bool },
}

impl Coverage {
    pub fn nodes(&self) -> &[NodeId] {
        match self {
            Coverage::One(node) => std::slice::from_ref(node),
            Coverage::Several(nodes) => nodes,
            Coverage::None { .. } => &[],
        }
    }
}

/// Whether visited cubes, among those that are allowed, cover another one.
pub(super) fn coverage(
    visited: &Store<'_, '_>,
    cube: &Cube,
    checks: Checks,
    calls: &mut Calls,
    allowed: &dyn Fn(&Stored) -> bool,
) -> Coverage {
    if checks.contained
        && let Some(node) = visited.subsuming(cube, &mut calls.looks, allowed)
    {
        return Coverage::One(node);
    }
    if !checks.union {
        return Coverage::None { gave_up: false };
    }
    let shape = &visited.vocabulary.layout(cube.named).shape;
    let mut cover = Cover::new(shape, &cube.words, &cube.relations);
    let mut nodes = Vec::new();
    visited.for_each_meeting(cube, &mut calls.looks, &mut |stored, instance| {
        if allowed(stored) {
            cover.exclude(&instance.words, &instance.relations);
            nodes.push(stored.node);
        }
    });
    if nodes.is_empty() {
        return Coverage::None { gave_up: false };
    }
    calls.covers += 1;
    let covered = cover.check(&mut Budget::new(STEPS).until(&visited.vocabulary.interrupt));
    calls.theory += cover.theory_calls();
    match covered {
        Covered::Yes(numbers) => {
            let mut used: Vec<NodeId> = numbers.into_iter().map(|number| nodes[number]).collect();
            used.sort_unstable();
            used.dedup();
            Coverage::Several(used)
        }
        Covered::No => Coverage::None { gave_up: false },
        Covered::GaveUp => Coverage::None { gave_up: true },
    }
}

#[cfg(test)]
mod tests {
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random};

    use super::*;
    use crate::cube::renaming::canonical;
    use crate::samples::{Sample, small_system};

    /// All states of a covered cube are in one of the cubes that cover it.
    #[test]
    fn random_covers_have_the_states_of_what_they_cover() {
        for_seeds!(8_000, |seed| {
            let mut random = Random::new(seed);
            let system = small_system(&mut random, &Profile::ALL);
            let Some(sample) = Sample::new(&system, &mut random) else { return };
            let vocabulary = &sample.vocabulary;
            let start = sample.state(&mut random);
            let cube = canonical(vocabulary, sample.cube_around(&start, &mut random)).0;
            let (visited, cubes) = sample.visited_around(&start, &mut random);
            let checks = Checks { contained: seed.is_multiple_of(2), ..Checks::default() };
            let allowed = |stored: &Stored| stored.node.0 != 3;
            let coverage = coverage(&visited, &cube, checks, &mut Calls::default(), &allowed);
            if coverage.nodes().is_empty() {
                return;
            }
            assert!(!coverage.nodes().contains(&NodeId(3)), "it is not allowed");
            let mut states = vec![start];
            for _ in 0..20 {
                let next = sample.neighbour(random.pick(&states), &mut random);
                states.push(next);
            }
            for state in states.iter().filter(|state| sample.is_in(&cube, state)) {
                let is_covered =
                    coverage.nodes().iter().any(|node| sample.is_in(&cubes[node.index()], state));
                assert!(
                    is_covered,
                    "{state:?} of {cube:?} is in none of {:?} in {cubes:?}",
                    coverage.nodes()
                );
            }
        });
    }
}
