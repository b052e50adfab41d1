//! What a universal cube says of the processes that it does not name: each of them is in one of some
//! *situations*.
//!
//! That is the second part of `exists z. forall j. C(z, j)` of Conchon and Roux ("Reasoning about Universal
//! Cubes in MCMT"), with a union of conjunctions instead of one. A situation is a cube over one more process,
//! the last one, which stands for any process that is not named. It restricts the cells of that process, its
//! pairs with the named ones, whether cells point at it; and it does not repeat what the cube says without
//! it. No situation contains another. Without any situation, there are no others.

use polycube_smt::relation::{Ordered, Relation, Term};
use polycube_smt::shape::{Field, Kind, is_subset};

use super::renaming::{NOWHERE, instantiate};
use super::vocabulary::{CubeLayout, OTHER, PROCESSES, Vocabulary};
use super::{Cube, Draft, allocated};

/// The situations that all processes which a cube does not name are in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Others(Vec<Cube>);

impl Others {
    /// How many situations there may be: with more, it is better to say nothing.
    pub const MOST: usize = 12;

    /// The union of conjunctions over the processes of a cube and one more.
    pub fn of(vocabulary: &Vocabulary<'_>, cube: &Cube, conjunctions: Vec<Cube>) -> Others {
        let around = extended(vocabulary, cube);
        let layout = vocabulary.layout(cube.named + 1);
        let mut kept: Vec<Cube> = Vec::new();
        'situations: for mut situation in conjunctions {
            // What the cube says already is not repeated.
            for (_, kind) in layout.shape.iter() {
                let Kind::Finite(_, field) = kind else { continue };
                let known = field.get(&around.words);
                let values = field.get(&situation.words) & known;
                // It is impossible: no process is in it.
                if values == 0 {
                    continue 'situations;
                }
                let said = if values == known { field.get(&layout.full) } else { values };
                field.set(&mut situation.words, said);
            }
            situation.relations.retain(|relation| around.relations.binary_search(relation).is_err());
            if !kept.iter().any(|other| contains(other, &situation)) {
                kept.retain(|other| !contains(&situation, other));
                kept.push(situation);
            }
        }
        kept.sort_unstable();
        Others(kept)
    }

    /// The same, unless they may be in any situation, or there are too many.
    pub fn if_useful(self, vocabulary: &Vocabulary<'_>) -> Option<Box<Others>> {
        let is_useful = self.0.len() <= Others::MOST && !self.allow_all(vocabulary);
        is_useful.then(|| Box::new(self))
    }

    /// Whether they may be in any situation.
    pub fn allow_all(&self, vocabulary: &Vocabulary<'_>) -> bool {
        let is_full =
            |one: &Cube| one.relations.is_empty() && *one.words == *vocabulary.layout(one.named).full;
        self.0.iter().any(is_full)
    }

    /// There are none.
    pub fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    pub fn situations(&self) -> &[Cube] {
        &self.0
    }

    /// What the situations say of values: their numbers, with the fields that they restrict.
    pub fn restricted<'o>(&'o self, layout: &'o CubeLayout) -> impl Iterator<Item = (usize, Field)> + 'o {
        let situations = self.0.iter().enumerate();
        situations.flat_map(|(number, situation)| {
            layout.restricted(&situation.words).map(move |(_, _, field, _)| (number, field))
        })
    }

    /// The cube that says nothing of one field of a situation.
    pub fn widened(&self, vocabulary: &Vocabulary<'_>, cube: &Cube, number: usize, field: Field) -> Cube {
        let mut situations = self.0.clone();
        let full = field.get(&vocabulary.layout(cube.named + 1).full);
        field.set(&mut situations[number].words, full);
        let others = Others::of(vocabulary, cube, situations).if_useful(vocabulary);
        Cube { others, ..cube.clone() }
    }

    /// The same, where the processes of the cube go to others, of a cube over `named` processes.
    pub fn moved(&self, vocabulary: &Vocabulary<'_>, map: &[u8], named: u8) -> Others {
        let map: Vec<u8> = map.iter().copied().chain([named]).collect();
        let mut moved: Vec<Cube> =
            self.0.iter().map(|situation| instantiated(vocabulary, situation, &map, named + 1)).collect();
        moved.sort_unstable();
        Others(moved)
    }

    /// What it means for a process to be in one of the situations, where the processes of the cube go to
    /// others: cubes over `named` processes.
    pub fn at<'o>(
        &'o self,
        vocabulary: &'o Vocabulary<'_>,
        map: &[u8],
        process: u8,
        named: u8,
    ) -> impl Iterator<Item = Cube> + 'o {
        let map: Vec<u8> = map.iter().copied().chain([process]).collect();
        self.0.iter().map(move |situation| instantiated(vocabulary, situation, &map, named))
    }

    pub fn heap_bytes(&self) -> usize {
        allocated(self.0.capacity() * size_of::<Cube>()) + self.0.iter().map(Cube::heap_bytes).sum::<usize>()
    }
}

/// A cube whose processes go to others.
fn instantiated(vocabulary: &Vocabulary<'_>, cube: &Cube, map: &[u8], named: u8) -> Cube {
    let mut draft = Draft::default();
    instantiate(vocabulary, cube, map, named, &mut draft);
    draft.into_cube(named, named)
}

/// A cube, said of its processes and one more, of which it says nothing.
fn extended(vocabulary: &Vocabulary<'_>, cube: &Cube) -> Cube {
    cube.over(vocabulary, cube.named + 1).into_cube(cube.named + 1, cube.named + 1)
}

/// Both of two cubes over the same processes.
fn both(left: &Cube, right: &Cube) -> Cube {
    let words = left.words.iter().zip(&right.words).map(|(left, right)| left & right).collect();
    let mut relations: Vec<Relation> = left.relations.iter().chain(&right.relations).cloned().collect();
    relations.sort_unstable();
    relations.dedup();
    Cube { words, relations, ..left.clone() }
}

fn contains(large: &Cube, small: &Cube) -> bool {
    is_subset(&small.words, &large.words)
        && large.relations.iter().all(|relation| small.relations.binary_search(relation).is_ok())
}

/// Whether all states of the smaller cube are such that the processes which the larger one does not name are
/// in its situations, where a map sends its processes to those of the smaller one. Sound: the smaller cube
/// names some of these processes, and what it says of each has to lie in one situation; so does what it says
/// of all others.
pub fn are_contained(vocabulary: &Vocabulary<'_>, small: &Cube, large: &Cube, map: &[u8]) -> bool {
    let Some(wanted) = &large.others else { return true };
    let Some(given) = &small.others else { return false };
    let is_in = |cube: &Cube, mut wanted: Box<dyn Iterator<Item = Cube> + '_>| {
        wanted.any(|situation| contains(&situation, cube))
    };
    let named = (0..small.named).filter(|process| !map.contains(process));
    let mut named = named.map(|process| wanted.at(vocabulary, map, process, small.named));
    if !named.all(|situations| is_in(small, Box::new(situations))) {
        return false;
    }
    if given.are_none() {
        return true;
    }
    let around = extended(vocabulary, small);
    given.0.iter().all(|situation| {
        let wanted = wanted.at(vocabulary, map, small.named, small.named + 1);
        is_in(&both(&around, situation), Box::new(wanted))
    })
}

/// The larger cube in which a process is one of the others: they are also in its situation.
pub fn absorbed(vocabulary: &Vocabulary<'_>, cube: &Cube, process: u8) -> Option<Cube> {
    let others = cube.others.as_ref()?;
    let around = extended(vocabulary, cube);
    // The others keep their order, and the process comes last; or goes nowhere.
    let place = |to: u8| -> Vec<u8> {
        let before = |other: u8| other - u8::from(other > process);
        (0..cube.named).map(|other| if other == process { to } else { before(other) }).collect()
    };
    let own =
        instantiated(vocabulary, &Cube { others: None, ..cube.clone() }, &place(cube.named - 1), cube.named);
    let nowhere = place(NOWHERE);
    let mut situations = vec![own];
    for situation in &others.0 {
        let forgotten = without(vocabulary, &both(&around, situation), process);
        let map: Vec<u8> = nowhere.iter().copied().chain([cube.named - 1]).collect();
        situations.push(instantiated(vocabulary, &forgotten, &map, cube.named));
    }
    let plain = without(vocabulary, &Cube { others: None, ..cube.clone() }, process);
    let mut rest = instantiated(vocabulary, &plain, &nowhere, cube.named - 1);
    rest.at_least = cube.at_least;
    rest.others = Others::of(vocabulary, &rest, situations).if_useful(vocabulary);
    Some(rest)
}

/// A cube that says nothing of a process, and tells it apart from no other that is not named.
fn without(vocabulary: &Vocabulary<'_>, cube: &Cube, process: u8) -> Cube {
    let layout = vocabulary.layout(cube.named);
    let mut cube = cube.clone();
    for (cell, kind) in layout.shape.iter() {
        let Kind::Finite(sort, field) = kind else { continue };
        let values = field.get(&cube.words);
        if layout.indices(cell).contains(&process) {
            field.set(&mut cube.words, field.get(&layout.full));
        } else if sort == PROCESSES {
            let some_other = 1 << process | 1 << OTHER;
            if values & some_other != 0 {
                field.set(&mut cube.words, values | some_other);
            }
        }
    }
    cube.relations.retain(|relation| {
        let is_point = |term: Term| term == Term::Point(process);
        let names = match relation {
            Relation::Ordered(Ordered { sort: PROCESSES, left, right, .. }) => {
                is_point(*left) || is_point(*right)
            }
            Relation::Ordered(_) | Relation::Linear(_) => false,
        };
        !names && !relation.variables().any(|cell| layout.indices(cell).contains(&process))
    });
    cube
}

#[cfg(test)]
mod tests {
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random};

    use super::super::renaming::canonical;
    use super::*;
    use crate::compile::slot::injective_tuples;
    use crate::samples::{Sample, small_system};

    /// What lies in a cube as far as the others are concerned, and otherwise, has no states outside; and a
    /// cube from which a process was absorbed has all its states.
    #[test]
    fn random_larger_cubes_have_the_states_of_smaller_ones() {
        for_seeds!(6_000, |seed| {
            let mut random = Random::new(seed);
            let system = small_system(&mut random, &Profile { process_constants: false, ..Profile::ALL });
            let Some(sample) = Sample::new(&system, &mut random) else { return };
            let vocabulary = &sample.vocabulary;
            let state = sample.state(&mut random);
            let small = canonical(vocabulary, sample.cube_around(&state, &mut random)).0;
            let mut larger: Vec<Cube> =
                (0..small.named).filter_map(|one| absorbed(vocabulary, &small, one)).collect();
            for _ in 0..4 {
                let large = canonical(vocabulary, sample.cube_around(&state, &mut random)).0;
                if large.named > small.named || large.at_least > small.at_least {
                    continue;
                }
                let is_in = injective_tuples(small.named.into(), large.named.into()).any(|map| {
                    let map: Vec<u8> = map.iter().map(|&process| process as u8).collect();
                    contains(&instantiated(vocabulary, &large, &map, small.named), &small)
                        && are_contained(vocabulary, &small, &large, &map)
                });
                if is_in && large.others.is_some() {
                    larger.push(large);
                }
            }
            let mut states = vec![state];
            for _ in 0..12 {
                let next = sample.neighbour(random.pick(&states), &mut random);
                states.push(next);
            }
            for state in states.iter().filter(|state| sample.is_in(&small, state)) {
                for large in &larger {
                    assert!(sample.is_in(large, state), "{state:?} of {small:?} is not in {large:?}");
                }
            }
        });
    }
}
