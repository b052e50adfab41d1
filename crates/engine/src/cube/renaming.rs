//! Moving a cube to other processes, and its canonical form.
//!
//! The Cubicle paper (CAV 2012, section 3) renames the variables of a cube to a normal form. Here the form is
//! the same for all orders of the processes, so that equal cubes are found by their hashes.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use polycube_smt::relation::{Normalized, Ordered, Relation, Term, Variable};
use polycube_smt::shape::Field;
use rustc_hash::FxHasher;

use super::vocabulary::{Block, CubeLayout, MAX_DIMENSIONS, OTHER, PROCESSES, Vocabulary, tuples};
use super::{Cube, Draft};

/// Where a process goes that the cube says nothing about.
pub const NOWHERE: u8 = u8::MAX;

/// The most arrangements that are tried for a canonical form; where there are more, duplicates may be missed.
const MAX_ARRANGEMENTS: usize = 120;

/// Instantiates `cube` with the processes that `map` sends its own to, and writes the result into a draft
/// over `named` processes. Different processes go to different ones; none that is mentioned goes [`NOWHERE`].
pub fn instantiate(vocabulary: &Vocabulary<'_>, cube: &Cube, map: &[u8], named: u8, draft: &mut Draft) {
    let (from, to) = (vocabulary.layout(cube.named), vocabulary.layout(named));
    let Draft { words, relations, .. } = draft;
    words.clear();
    words.extend_from_slice(&to.full);
    let pointers = PointerMap::new(vocabulary, cube.named, map, named);
    for (dimensions, block) in vocabulary.blocks.iter().enumerate() {
        if block.words == 0 {
            continue;
        }
        let (source, target) = (from.starts[dimensions], to.starts[dimensions]);
        let mut copy = |from_place: usize, to_place: usize| {
            let (source, target) = (source + from_place * block.words, target + to_place * block.words);
            let copied = &cube.words[source..source + block.words];
            pointers.copy(block, copied, &mut words[target..target + block.words]);
        };
        match dimensions {
            0 => copy(0, 0),
            1 => {
                for (process, &target) in map.iter().enumerate() {
                    if target != NOWHERE {
                        copy(process, usize::from(target));
                    }
                }
            }
            _ => for_each_tuple(map, dimensions, usize::from(named), &mut copy),
        }
    }
    relations.clear();
    if !cube.relations.is_empty() {
        relations.extend(cube.relations.iter().map(|relation| rename_relation(from, to, map, relation)));
        relations.sort_unstable();
    }
}

/// Calls `visit` with the places of corresponding blocks: those of all tuples of processes that go somewhere.
fn for_each_tuple(map: &[u8], dimensions: usize, named: usize, visit: &mut dyn FnMut(usize, usize)) {
    let count = (0..dimensions).map(|_| map.len()).product();
    'tuples: for place in 0..count {
        let (mut rest, mut target, mut factor) = (place, 0, 1);
        for _ in 0..dimensions {
            let image = map[rest % map.len()];
            if image == NOWHERE {
                continue 'tuples;
            }
            target += usize::from(image) * factor;
            factor *= named;
            rest /= map.len();
        }
        visit(place, target);
    }
}

struct PointerMap<'m> {
    map: &'m [u8],
    identity: bool,
    /// The processes that "some other process" becomes.
    other: u64,
}

impl<'m> PointerMap<'m> {
    fn new(vocabulary: &Vocabulary<'_>, from: u8, map: &'m [u8], to: u8) -> PointerMap<'m> {
        let named = map.iter().filter(|&&image| image != NOWHERE);
        let images = named.fold(0, |images: u64, &image| images | 1 << image);
        let identity = from == to && map.iter().zip(0..).all(|(&image, process)| image == process);
        PointerMap { map, identity, other: vocabulary.all_processes(to) & !images }
    }

    fn set(&self, processes: u64) -> u64 {
        let mut image = if processes >> OTHER & 1 == 1 { self.other } else { 0 };
        let mut rest = processes & ((1 << OTHER) - 1);
        while rest != 0 {
            let process = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if self.map[process] != NOWHERE {
                image |= 1 << self.map[process];
            }
        }
        image
    }

    fn copy(&self, block: &Block, source: &[u64], target: &mut [u64]) {
        target.copy_from_slice(source);
        if self.identity {
            return;
        }
        for pointer in &block.pointers {
            pointer.set(target, self.set(pointer.get(source)));
        }
    }
}

fn rename_relation(from: &CubeLayout, to: &CubeLayout, map: &[u8], relation: &Relation) -> Relation {
    let cell = |cell: Variable| {
        let indices = from.indices(cell);
        let mut images = [0; MAX_DIMENSIONS];
        for (image, &index) in images.iter_mut().zip(indices) {
            *image = map[usize::from(index)];
            debug_assert_ne!(*image, NOWHERE, "a process that is mentioned goes somewhere");
        }
        to.cell(from.symbol(cell), &images[..indices.len()])
    };
    let renamed = match relation {
        Relation::Ordered(ordered) => Relation::Ordered(ordered.map(|term| match term {
            Term::Variable(variable) => Term::Variable(cell(variable)),
            Term::Point(process) if ordered.sort == PROCESSES => Term::Point(map[usize::from(process)]),
            Term::Point(value) => Term::Point(value),
        })),
        Relation::Linear(linear) => Relation::Linear(linear.clone().renamed(&cell)),
    };
    // The normal form depends on the order of the cells.
    match renamed.normalized() {
        Normalized::Relation(relation) => relation,
        Normalized::True | Normalized::False => panic!("a renaming keeps different cells different"),
    }
}

/// The processes that a cube mentions, as bits: those it says anything about.
pub fn mentioned(vocabulary: &Vocabulary<'_>, cube: &Cube) -> u16 {
    let layout = vocabulary.layout(cube.named);
    let count = usize::from(cube.named);
    let mut mentioned = 0u16;
    for (dimensions, block) in vocabulary.blocks.iter().enumerate() {
        if block.words == 0 {
            continue;
        }
        for place in 0..tuples(cube.named, dimensions) {
            let start = layout.starts[dimensions] + place * block.words;
            let words = &cube.words[start..start + block.words];
            if words == &layout.full[start..start + block.words] {
                continue;
            }
            let mut rest = place;
            for _ in 0..dimensions {
                mentioned |= 1 << (rest % count);
                rest /= count;
            }
            for pointer in &block.pointers {
                let processes = pointer.get(words);
                // A cell mentions a process if it may point at it but not at unnamed ones, or the reverse.
                let others = if processes >> OTHER & 1 == 1 { u64::MAX } else { 0 };
                let told_apart = (processes ^ others) & ((1 << cube.named) - 1);
                mentioned |= u16::try_from(told_apart).expect("a set of processes has 16 bits");
            }
        }
    }
    for relation in &cube.relations {
        for variable in relation.variables() {
            layout.indices(variable).iter().for_each(|&process| mentioned |= 1 << process);
        }
        if let Relation::Ordered(Ordered { sort: PROCESSES, left, right, .. }) = relation {
            for term in [left, right] {
                if let Term::Point(process) = term {
                    mentioned |= 1 << process;
                }
            }
        }
    }
    mentioned
}

/// The canonical form of a cube, and the map from its processes to those of the form. In an open universe,
/// processes that the cube does not mention are dropped. The others are sorted by colour; the least result
/// breaks ties.
pub fn canonical(vocabulary: &Vocabulary<'_>, mut cube: Cube) -> (Cube, Vec<u8>) {
    if vocabulary.is_open() && points_elsewhere(vocabulary, &cube) {
        cube.at_least = cube.at_least.max(cube.named + 1);
    }
    // What is said of all others does not apply to a process that is named, whatever is said of it.
    let keeps_all = !vocabulary.is_open() || cube.others.is_some();
    let kept = if keeps_all { (1 << cube.named) - 1 } else { mentioned(vocabulary, &cube) };
    let named = u8::try_from(kept.count_ones()).expect("a set of processes has 16 bits");
    let processes: Vec<u8> = (0..cube.named).filter(|process| kept >> process & 1 == 1).collect();
    if named == cube.named && named <= 1 {
        return (cube, processes);
    }
    // Sort the processes by colour, and try all orders of those with the same colour.
    let movable = |process: u8| vocabulary.pinned >> process & 1 == 0;
    let (pinned, mut free): (Vec<u8>, Vec<u8>) = processes.iter().partition(|&&process| !movable(process));
    let colours = colours(vocabulary, &cube, &processes);
    let colour = |process: u8| &colours[usize::from(process)];
    free.sort_by_key(|&process| colour(process));
    let mut end = 0;
    let tie = |tie: &[u8]| {
        end += tie.len();
        end - tie.len()..end
    };
    let ties: Vec<Range<usize>> = free.chunk_by(|&one, &next| colour(one) == colour(next)).map(tie).collect();
    // In a closed universe the pinned processes keep their places, and the others fill the rest.
    let places: Vec<u8> = (0..named).filter(|&place| movable(place)).collect();
    let mut map = vec![NOWHERE; usize::from(cube.named)];
    pinned.iter().for_each(|&process| map[usize::from(process)] = process);
    let arrange = |order: &[u8], map: &mut Vec<u8>| {
        order.iter().zip(&places).for_each(|(&process, &place)| map[usize::from(process)] = place);
    };

    let arrangements: usize = ties.iter().map(|tie| (1..=tie.len()).product::<usize>()).product();
    let mut least = Draft::default();
    let moved =
        |map: &[u8]| cube.others.as_ref().map(|others| Box::new(others.moved(vocabulary, map, named)));
    arrange(&free, &mut map);
    instantiate(vocabulary, &cube, &map, named, &mut least);
    let mut others = moved(&map);
    if arrangements > 1 && arrangements <= MAX_ARRANGEMENTS {
        let (mut best, mut other) = (map.clone(), Draft::default());
        for_each_arrangement(&mut free, &ties, &mut |order| {
            arrange(order, &mut map);
            instantiate(vocabulary, &cube, &map, named, &mut other);
            let of_others = moved(&map);
            if (&other.words, &other.relations, &of_others) < (&least.words, &least.relations, &others) {
                std::mem::swap(&mut least, &mut other);
                others = of_others;
                best.clone_from(&map);
            }
        });
        map = best;
    }
    (Cube { others, ..least.into_cube(named, cube.at_least) }, map)
}

/// Whether some cell can only be a process that is not named. Then there is one more process than is named:
/// that has to be said, since it stays true when the cell gets another value.
fn points_elsewhere(vocabulary: &Vocabulary<'_>, cube: &Cube) -> bool {
    let layout = vocabulary.layout(cube.named);
    vocabulary.blocks.iter().zip(&layout.starts).enumerate().any(|(dimensions, (block, &start))| {
        !block.pointers.is_empty()
            && (0..tuples(cube.named, dimensions)).any(|place| {
                let words = &cube.words[start + place * block.words..][..block.words];
                block.pointers.iter().any(|pointer| pointer.get(words) == 1 << OTHER)
            })
    })
}

/// A colour for each process, invariant under renaming: what the cube says about the process alone; where
/// that leaves ties, also what it says about each pair with another process.
fn colours(vocabulary: &Vocabulary<'_>, cube: &Cube, processes: &[u8]) -> Vec<Vec<u64>> {
    let mut colours = vec![Vec::new(); usize::from(cube.named)];
    for &process in processes {
        colours[usize::from(process)] = own_colour(vocabulary, cube, process);
    }
    // Each round refines the partition of the one before.
    for _ in 0..2 {
        let mut sorted: Vec<&Vec<u64>> =
            processes.iter().map(|&process| &colours[usize::from(process)]).collect();
        sorted.sort_unstable();
        if sorted.windows(2).all(|pair| pair[0] != pair[1]) {
            break;
        }
        let refine = |&process: &u8| {
            let others = processes.iter().filter(|&&other| other != process);
            let mut seen: Vec<u64> = others
                .map(|&other| {
                    let mut hasher = FxHasher::default();
                    colours[usize::from(other)].hash(&mut hasher);
                    hash_pair(vocabulary, cube, process, other, &mut hasher);
                    hash_pair(vocabulary, cube, other, process, &mut hasher);
                    hasher.finish()
                })
                .collect();
            seen.sort_unstable();
            let mut colour = colours[usize::from(process)].clone();
            colour.extend(seen);
            colour
        };
        let refined: Vec<Vec<u64>> = processes.iter().map(refine).collect();
        for (&process, colour) in processes.iter().zip(refined) {
            colours[usize::from(process)] = colour;
        }
    }
    colours
}

fn hash_pair(vocabulary: &Vocabulary<'_>, cube: &Cube, first: u8, second: u8, hasher: &mut FxHasher) {
    let layout = vocabulary.layout(cube.named);
    let count = usize::from(cube.named);
    let block = &vocabulary.blocks[1];
    let words = &cube.words[layout.starts[1] + usize::from(first) * block.words..][..block.words];
    for pointer in &block.pointers {
        (pointer.get(words) >> second & 1).hash(hasher);
    }
    let block = &vocabulary.blocks[2];
    let place = usize::from(first) * count + usize::from(second);
    let words = &cube.words[layout.starts[2] + place * block.words..][..block.words];
    words.iter().zip(&block.plain).for_each(|(word, plain)| (word & plain).hash(hasher));
    for relation in &cube.relations {
        if let Relation::Ordered(Ordered { sort: PROCESSES, left, comparison, right }) = relation
            && *left == Term::Point(first)
            && *right == Term::Point(second)
        {
            comparison.hash(hasher);
        }
    }
}

/// What the cube says about one process: its own block, that of the pair of it and itself, and whether cells
/// of these blocks or variables point at it or at a process without a name.
fn own_colour(vocabulary: &Vocabulary<'_>, cube: &Cube, process: u8) -> Vec<u64> {
    let layout = vocabulary.layout(cube.named);
    let count = usize::from(cube.named);
    let mut colour = Vec::with_capacity(8);
    for (dimensions, block) in vocabulary.blocks.iter().enumerate() {
        if block.words == 0 {
            continue;
        }
        let place = (0..dimensions).fold(0, |place, _| place * count + usize::from(process));
        let start = layout.starts[dimensions] + place * block.words;
        let words = &cube.words[start..start + block.words];
        if dimensions > 0 {
            colour.extend(words.iter().zip(&block.plain).map(|(&word, &plain)| word & plain));
        }
        let points = |pointer: &Field| {
            let processes = pointer.get(words);
            (processes >> process & 1) << 1 | (processes >> OTHER & 1)
        };
        colour.extend(block.pointers.iter().map(points));
    }
    colour
}

/// Calls `visit` with all arrangements that permute within the ranges.
fn for_each_arrangement(order: &mut [u8], ranges: &[Range<usize>], visit: &mut dyn FnMut(&[u8])) {
    let Some((range, rest)) = ranges.split_first() else {
        visit(order);
        return;
    };
    permute(order, range.start, range.end, &mut |order| for_each_arrangement(order, rest, visit));
}

fn permute(order: &mut [u8], start: usize, end: usize, visit: &mut dyn FnMut(&mut [u8])) {
    if start + 1 >= end {
        visit(order);
        return;
    }
    for chosen in start..end {
        order.swap(start, chosen);
        permute(order, start + 1, end, visit);
        order.swap(start, chosen);
    }
}

#[cfg(test)]
mod tests {
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random};

    use super::*;
    use crate::compile::slot::injective_tuples;
    use crate::samples::{Sample, small_system};

    /// A cube under a map of its processes.
    fn moved(vocabulary: &Vocabulary<'_>, cube: &Cube, map: &[u8], named: u8) -> Cube {
        let mut draft = Draft::default();
        instantiate(vocabulary, cube, map, named, &mut draft);
        let others = cube.others.as_ref().map(|others| Box::new(others.moved(vocabulary, map, named)));
        Cube { others, ..draft.into_cube(named, cube.at_least) }
    }

    /// All renamings of a cube have the same canonical form, with the same states; the map leads to it.
    #[test]
    fn random_cubes_have_one_canonical_form() {
        for_seeds!(6_000, |seed| {
            let mut random = Random::new(seed);
            let profile = [Profile::ALL, Profile::FINITE, Profile::CUBES][seed as usize % 3].clone();
            let system = small_system(&mut random, &profile);
            let Some(sample) = Sample::new(&system, &mut random) else { return };
            let vocabulary = &sample.vocabulary;
            let state = sample.state(&mut random);
            let cube = sample.cube_around(&state, &mut random);
            let (form, map) = canonical(vocabulary, cube.clone());
            let again = moved(vocabulary, &cube, &map, form.named);
            assert_eq!((&again.words, &again.relations), (&form.words, &form.relations));
            assert!(form.at_least >= cube.at_least);
            let keeps_pinned = |order: &Vec<u32>| {
                order.iter().zip(0..).all(|(&to, from)| to == from || vocabulary.pinned >> from & 1 == 0)
            };
            let orders = injective_tuples(cube.named.into(), cube.named.into());
            for order in orders.filter(|order| keeps_pinned(order)) {
                let order: Vec<u8> = order.iter().map(|&process| process as u8).collect();
                let other = moved(vocabulary, &cube, &order, cube.named);
                assert_eq!(canonical(vocabulary, other).0, form, "{order:?} of {cube:?}");
            }
            for state in [sample.state(&mut random), sample.neighbour(&state, &mut random), state] {
                assert_eq!(sample.is_in(&form, &state), sample.is_in(&cube, &state), "{state:?}, {cube:?}");
            }
        });
    }
}
