//! The index of visited cubes: finds those that meet, contain, or are contained in a given cube.
//!
//! The redundancy and subset checks of the Cubicle paper (CAV 2012, section 3) are made for all visited cubes
//! and all ways to map their processes; this index makes that cheap. Many cubes say the same about the
//! variables, and many processes of many cubes say the same about themselves. Each such block of words is
//! kept once. A question compares it once with the cube that is asked about, not once for each cube that has
//! it; cubes that differ in the variables are passed over in groups. What remains for a single cube is to
//! match its processes, by table look-up, and only then is it written out over the processes of the other.

use std::ops::ControlFlow;
use std::sync::Arc;

use polycube_smt::shape::{is_subset, least, nonempty};
use rustc_hash::FxHashMap;

use super::others::are_contained;
use super::renaming::{NOWHERE, instantiate};
use super::vocabulary::{Block, MAX_NAMED, Vocabulary};
use super::{Cube, Draft, allocated};

/// The number of a node: its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    pub fn new(index: usize) -> NodeId {
        NodeId(u32::try_from(index).expect("nodes fit into memory"))
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of what a node leads to: a property, or an approximation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TargetId(pub u32);

impl TargetId {
    pub fn new(index: usize) -> TargetId {
        TargetId(u32::try_from(index).expect("targets fit into memory"))
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug)]
pub struct Stored {
    pub node: NodeId,
    pub target: TargetId,
    pub cube: Arc<Cube>,
}

/// The visited cubes.
///
/// Whoever asks says where to count the *looks*: how many instances of visited cubes were tried.
#[derive(Debug)]
pub struct Store<'v, 's> {
    pub vocabulary: &'v Vocabulary<'s>,
    /// By how many processes they name and what they say about the variables; in the order of insertion.
    groups: Vec<Group>,
    group_numbers: FxHashMap<(u8, Box<[u64]>), u32>,
    /// What the cubes of each group say about the variables, fields of type `proc` aside: group after group.
    variables: Vec<u64>,
    /// What processes say about themselves, fields of type `proc` aside: one after the other.
    blocks: Vec<u64>,
    block_numbers: FxHashMap<Box<[u64]>, u32>,
    length: usize,
}

#[derive(Debug)]
struct Group {
    named: u8,
    cubes: Vec<Stored>,
    /// The numbers of the blocks of their processes, cube after cube.
    rows: Vec<u32>,
}

/// How many renamings of one visited cube are looked at. There are more only for cubes over many processes
/// that say much the same; then some are missed, which costs time, but is sound.
const MAX_MAPS: usize = 720;

/// How many steps are taken to find them: most of these may end where two processes do not agree.
const MAX_STEPS: usize = 32 * MAX_MAPS;

/// An instance of a visited cube counts as meeting the cube in question if it restricts at most this many
/// fields. With more, it is rarely part of a cover, and there are many such instances: those of all cubes
/// about other cells. (To leave some out is sound: whatever is not found to be covered is expanded.)
const MAX_RESTRICTED: u32 = 4;

const UNKNOWN: u16 = u16::MAX;

/// How a visited cube relates to the cube in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// Have they states in common, as far as values tell?
    Meets,
    /// Are all states of the cube in question among those of the visited one?
    Contains,
    /// Are all states of the visited cube among those of the one in question?
    Within,
}

impl Question {
    /// The cube that should be the larger one, and the other, given what is visited and what is asked about.
    fn large_and_small<T>(self, visited: T, cube: T) -> (T, T) {
        match self {
            Question::Meets | Question::Contains => (visited, cube),
            Question::Within => (cube, visited),
        }
    }
}

impl Group {
    /// Takes out the cube at a place; the others keep their order.
    fn take(&mut self, at: usize) -> Stored {
        let named = usize::from(self.named);
        self.rows.drain(at * named..(at + 1) * named);
        self.cubes.remove(at)
    }

    fn row(&self, at: usize) -> &[u32] {
        let named = usize::from(self.named);
        &self.rows[at * named..][..named]
    }
}

impl<'v, 's> Store<'v, 's> {
    pub fn new(vocabulary: &'v Vocabulary<'s>) -> Store<'v, 's> {
        Store {
            vocabulary,
            groups: Vec::new(),
            group_numbers: FxHashMap::default(),
            variables: Vec::new(),
            blocks: Vec::new(),
            block_numbers: FxHashMap::default(),
            length: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.length
    }

    /// Roughly how many bytes it takes, apart from the cubes.
    pub fn bytes(&self) -> usize {
        let key = |words: usize| size_of::<(u8, Box<[u64]>, u32)>() + allocated(words * size_of::<u64>());
        let groups = self.groups.len();
        let (variables, blocks) = (self.variables.len(), self.blocks.len());
        let per_group = size_of::<Group>() + key(variables / groups.max(1));
        let per_block = key(blocks / self.block_numbers.len().max(1));
        // Tables and lists have room for more.
        let lists = groups * per_group
            + self.block_numbers.len() * per_block
            + self.length * (size_of::<Stored>() + 2 * size_of::<u32>());
        (variables + blocks) * size_of::<u64>() + lists * 3 / 2
    }

    /// The cubes, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = &Stored> {
        self.groups.iter().flat_map(|group| &group.cubes)
    }

    pub fn insert(&mut self, node: NodeId, target: TargetId, cube: Arc<Cube>) {
        let next = u32::try_from(self.groups.len()).expect("groups fit into memory");
        let key = (cube.named, self.plain_variables(&cube));
        let number = *self.group_numbers.entry(key).or_insert_with_key(|(named, variables)| {
            self.groups.push(Group { named: *named, cubes: Vec::new(), rows: Vec::new() });
            self.variables.extend_from_slice(variables);
            next
        });
        let group = &mut self.groups[number as usize];
        for process in 0..cube.named {
            let words: Box<[u64]> = plain_process(self.vocabulary, &cube, process).collect();
            let next = u32::try_from(self.block_numbers.len()).expect("blocks fit into memory");
            group.rows.push(*self.block_numbers.entry(words).or_insert_with_key(|words| {
                self.blocks.extend_from_slice(words);
                next
            }));
        }
        group.cubes.push(Stored { node, target, cube });
        self.length += 1;
    }

    pub fn remove(&mut self, mut is_removed: impl FnMut(&Stored) -> bool) -> Vec<Stored> {
        let mut removed = Vec::new();
        for group in &mut self.groups {
            for at in (0..group.cubes.len()).rev() {
                if is_removed(&group.cubes[at]) {
                    removed.push(group.take(at));
                }
            }
        }
        self.length -= removed.len();
        removed
    }

    pub fn has(&self, node: NodeId, cube: &Cube) -> bool {
        self.find(node, cube).is_some()
    }

    pub fn take(&mut self, node: NodeId, cube: &Cube) -> Option<Stored> {
        let (group, at) = self.find(node, cube)?;
        self.length -= 1;
        Some(self.groups[group].take(at))
    }

    fn find(&self, node: NodeId, cube: &Cube) -> Option<(usize, usize)> {
        let group = *self.group_numbers.get(&(cube.named, self.plain_variables(cube)))? as usize;
        let at = self.groups[group].cubes.iter().position(|stored| stored.node == node)?;
        Some((group, at))
    }

    /// A cube that contains the given one, among those that are allowed: as far as values and equal relations
    /// tell. An answer is always right; that there is none may not be.
    pub fn subsuming(
        &self,
        cube: &Cube,
        looks: &mut u64,
        allowed: &dyn Fn(&Stored) -> bool,
    ) -> Option<NodeId> {
        let mut instance = Draft::default();
        let found = self.for_each_match(cube, Question::Contains, looks, &mut |stored, map| {
            let is_found = self.has_enough_processes(cube, &stored.cube)
                && allowed(stored)
                && self.is_contained(cube, &stored.cube, map, &mut instance);
            if is_found { ControlFlow::Break(Some(stored.node)) } else { ControlFlow::Continue(()) }
        });
        found.break_value().flatten()
    }

    /// The nodes whose cubes the given one contains, as far as values and equal relations tell.
    pub fn subsumed(&self, cube: &Cube, looks: &mut u64) -> Vec<NodeId> {
        let (mut found, mut instance) = (Vec::new(), Draft::default());
        let _ = self.for_each_match(cube, Question::Within, looks, &mut |stored, map| {
            if self.has_enough_processes(&stored.cube, cube)
                && found.last() != Some(&stored.node)
                && self.is_contained(&stored.cube, cube, map, &mut instance)
            {
                found.push(stored.node);
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// Calls `visit` with all instances of visited cubes, over processes of the given cube, that have states
    /// in common with it, as far as values tell; those that say much more than it does are left out
    /// (`MAX_RESTRICTED`). A cube that needs more processes than the given one has says nothing about it.
    pub fn for_each_meeting(&self, cube: &Cube, looks: &mut u64, visit: &mut dyn FnMut(&Stored, &Draft)) {
        let shape = &self.vocabulary.layout(cube.named).shape;
        let mut instance = Draft::default();
        let _ = self.for_each_match(cube, Question::Meets, looks, &mut |stored, map| {
            // What a cube says of all others is not asked of the solver: all states of the given cube have to
            // satisfy it.
            if self.has_enough_processes(cube, &stored.cube)
                && are_contained(self.vocabulary, cube, &stored.cube, map)
            {
                instantiate(self.vocabulary, &stored.cube, map, cube.named, &mut instance);
                if !shape.are_disjoint(&instance.words, &cube.words) {
                    visit(stored, &instance);
                }
            }
            ControlFlow::Continue(())
        });
    }

    /// Calls `visit` with all visited cubes and all maps, from the processes of the cube that should be the
    /// larger one to different ones of the other, for which the answer is yes as far as variables and single
    /// processes tell, fields of type `proc` aside. Ends with what `visit` breaks with, or with nothing when
    /// cancelled.
    fn for_each_match(
        &self,
        cube: &Cube,
        question: Question,
        looks: &mut u64,
        visit: &mut dyn FnMut(&Stored, &[u8]) -> Matched,
    ) -> Matched {
        let vocabulary = self.vocabulary;
        let variables = self.plain_variables(cube);
        let own: Vec<u64> =
            (0..cube.named).flat_map(|process| plain_process(vocabulary, cube, process)).collect();
        // For each block, the processes of the cube in question with which it agrees, once compared.
        let mut agreeing = vec![UNKNOWN; self.block_numbers.len()];
        // For each block and each process of the cube in question, how many fields are restricted.
        let width = if question == Question::Meets { usize::from(cube.named) } else { 0 };
        let mut restricts = vec![0; self.block_numbers.len() * width];
        let words = variables.len();
        for (number, group) in self.groups.iter().enumerate() {
            let (large, small) = question.large_and_small(group.named, cube.named);
            let said = &self.variables[number * words..][..words];
            if large > small || !agree(question, said, &variables, &vocabulary.blocks[0]) {
                continue;
            }
            let of_variables = match question {
                Question::Meets => restricted(said, &variables, &vocabulary.blocks[0]),
                Question::Contains | Question::Within => 0,
            };
            if of_variables > MAX_RESTRICTED {
                continue;
            }
            'cubes: for (at, stored) in group.cubes.iter().enumerate() {
                // For each process of the larger cube, where it can go.
                let mut targets = [0u16; MAX_NAMED as usize];
                for (process, &number) in group.row(at).iter().enumerate() {
                    let known = &mut agreeing[number as usize];
                    if *known == UNKNOWN {
                        let restricts = &mut restricts[number as usize * width..][..width];
                        *known = self.compare(question, number, cube.named, &own, restricts);
                    }
                    match question {
                        Question::Meets | Question::Contains => {
                            if *known == 0 {
                                continue 'cubes;
                            }
                            targets[process] = *known;
                        }
                        Question::Within => {
                            for (place, target) in targets.iter_mut().enumerate().take(usize::from(large)) {
                                *target |= (*known >> place & 1) << process;
                            }
                        }
                    }
                }
                // The search is cancelled: what is missing does not matter.
                if vocabulary.is_interrupted() {
                    return ControlFlow::Break(None);
                }
                let targets = &mut targets[..usize::from(large)];
                for (process, target) in targets.iter_mut().enumerate() {
                    if vocabulary.pinned >> process & 1 == 1 {
                        *target &= 1 << process;
                    }
                    if *target == 0 {
                        continue 'cubes;
                    }
                }
                let (large, small) = question.large_and_small(&*stored.cube, cube);
                let pairs = |process: usize, map: &[u8]| {
                    let counts = group.row(at).iter().zip(map).map(|(&number, &target)| {
                        u32::from(restricts[number as usize * width + usize::from(target)])
                    });
                    (question != Question::Meets || of_variables + counts.sum::<u32>() <= MAX_RESTRICTED)
                        && pairs_agree(vocabulary, question, large, small, process, map)
                };
                let mut map = [NOWHERE; MAX_NAMED as usize];
                let mut left = Left { maps: MAX_MAPS, steps: MAX_STEPS };
                let outcome =
                    choose(targets, 0, 0, &mut map, &mut left, &pairs, &mut |map| visit(stored, map));
                *looks += (MAX_MAPS - left.maps) as u64;
                outcome?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The processes of the cube in question with which a block agrees. Counts how many fields of each the
    /// block restricts, if that is wanted.
    fn compare(&self, question: Question, number: u32, named: u8, own: &[u64], restricts: &mut [u8]) -> u16 {
        let block = &self.vocabulary.blocks[1];
        if block.words == 0 {
            // Nothing is said about single processes: all agree.
            return (1 << named) - 1;
        }
        let words = &self.blocks[number as usize * block.words..][..block.words];
        for (count, other) in restricts.iter_mut().zip(own.chunks_exact(block.words)) {
            // More than can be counted is too many in any case.
            *count = u8::try_from(restricted(words, other, block)).unwrap_or(u8::MAX);
        }
        let mut processes = 0;
        for (process, other) in own.chunks_exact(block.words).enumerate() {
            if agree(question, words, other, block) {
                processes |= 1 << process;
            }
        }
        processes
    }

    /// Whether all states of the smaller cube have as many processes as the larger one needs.
    fn has_enough_processes(&self, small: &Cube, large: &Cube) -> bool {
        small.at_least >= large.at_least || !self.vocabulary.is_open()
    }

    /// Whether a map sends the larger cube to something that the smaller one implies.
    fn is_contained(&self, small: &Cube, large: &Cube, map: &[u8], instance: &mut Draft) -> bool {
        instantiate(self.vocabulary, large, map, small.named, instance);
        let implied = |relation| small.relations.binary_search(relation).is_ok();
        is_subset(&small.words, &instance.words)
            && instance.relations.iter().all(implied)
            && are_contained(self.vocabulary, small, large, map)
    }

    /// What a cube says about the variables, fields of type `proc` aside.
    fn plain_variables(&self, cube: &Cube) -> Box<[u64]> {
        let block = &self.vocabulary.blocks[0];
        cube.words[..block.words].iter().zip(&block.plain).map(|(&word, &plain)| word & plain).collect()
    }
}

/// Whether to go on with other maps and cubes. If not, perhaps because of this node.
type Matched = ControlFlow<Option<NodeId>>;

/// How many fields of a block of the cube in question a block of a visited cube restricts.
fn restricted(visited: &[u64], cube: &[u64], block: &Block) -> u32 {
    let fields = |at: usize| nonempty(cube[at] & !visited[at], block.plain[at], block.plain_guards[at]);
    (0..visited.len()).map(|at| fields(at).count_ones()).sum()
}

/// Whether the answer is yes for a block of a visited cube and one of the cube in question.
fn agree(question: Question, visited: &[u64], cube: &[u64], block: &Block) -> bool {
    match question {
        Question::Meets => (0..visited.len()).all(|at| {
            let guards = block.plain_guards[at];
            nonempty(visited[at] & cube[at], block.plain[at], guards) == guards
        }),
        Question::Contains => is_subset(cube, visited),
        Question::Within => is_subset(visited, cube),
    }
}

/// Whether the blocks of a process with those before it agree with their images, fields of type `proc` aside.
fn pairs_agree(
    vocabulary: &Vocabulary<'_>,
    question: Question,
    large: &Cube,
    small: &Cube,
    process: usize,
    map: &[u8],
) -> bool {
    let block = &vocabulary.blocks[2];
    if block.words == 0 {
        return true;
    }
    let words = |cube: &Cube, first: usize, second: usize| {
        let place = first * usize::from(cube.named) + second;
        vocabulary.layout(cube.named).starts[2] + place * block.words
    };
    let agree = |first: usize, second: usize| {
        let own = words(large, first, second);
        let other = words(small, usize::from(map[first]), usize::from(map[second]));
        (0..block.words).all(|at| {
            let (own, other) = (large.words[own + at], small.words[other + at]);
            match question {
                Question::Meets => {
                    let guards = block.plain_guards[at];
                    nonempty(own & other & block.plain[at], block.plain[at], guards) == guards
                }
                Question::Contains | Question::Within => other & !own & block.plain[at] == 0,
            }
        })
    };
    (0..=process).all(|other| agree(process, other) && (other == process || agree(other, process)))
}

/// What a process of a cube says about itself, fields of type `proc` aside.
fn plain_process<'c>(
    vocabulary: &'c Vocabulary<'_>,
    cube: &'c Cube,
    process: u8,
) -> impl Iterator<Item = u64> + 'c {
    let block = &vocabulary.blocks[1];
    let start = vocabulary.layout(cube.named).starts[1] + usize::from(process) * block.words;
    cube.words[start..start + block.words].iter().zip(&block.plain).map(|(&word, &plain)| word & plain)
}

/// How many maps may still be visited, and how many steps may be taken to find them.
struct Left {
    maps: usize,
    steps: usize,
}

/// Calls `visit` with ways to choose different targets, process by process: all, unless there are too many.
fn choose(
    targets: &[u16],
    process: usize,
    taken: u16,
    map: &mut [u8; MAX_NAMED as usize],
    left: &mut Left,
    pairs: &dyn Fn(usize, &[u8]) -> bool,
    visit: &mut dyn FnMut(&[u8]) -> Matched,
) -> Matched {
    if process == targets.len() {
        left.maps -= 1;
        return visit(&map[..process]);
    }
    let mut free = targets[process] & !taken;
    while free != 0 && left.maps > 0 && left.steps > 0 {
        left.steps -= 1;
        let target = least(free.into());
        free &= free - 1;
        map[process] = target;
        if pairs(process, &map[..=process]) {
            choose(targets, process + 1, taken | 1 << target, map, left, pairs, visit)?;
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use polycube_smt::relation::Relation;
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random};

    use super::super::renaming::canonical;
    use super::*;
    use crate::compile::slot::injective_tuples;
    use crate::samples::{Sample, small_system};

    /// All ways to write a cube over the processes of another one.
    fn instances(vocabulary: &Vocabulary<'_>, large: &Cube, named: u8) -> Vec<(Vec<u8>, Draft)> {
        let maps = if large.named <= named {
            injective_tuples(named.into(), large.named.into()).collect()
        } else {
            Vec::new()
        };
        let keeps_pinned = |map: &&Vec<u32>| {
            map.iter().zip(0..).all(|(&to, from)| to == from || vocabulary.pinned >> from & 1 == 0)
        };
        let write = |map: &Vec<u32>| {
            let map: Vec<u8> = map.iter().map(|&process| process as u8).collect();
            let mut instance = Draft::default();
            instantiate(vocabulary, large, &map, named, &mut instance);
            (map, instance)
        };
        maps.iter().filter(keeps_pinned).map(write).collect()
    }

    /// Whether a cube contains another: some way to write it says nothing that the other one does not say.
    fn contains(vocabulary: &Vocabulary<'_>, large: &Cube, small: &Cube) -> bool {
        let says = |relation: &Relation| small.relations.contains(relation);
        (large.at_least <= small.at_least || !vocabulary.is_open())
            && instances(vocabulary, large, small.named).iter().any(|(map, instance)| {
                is_subset(&small.words, &instance.words)
                    && instance.relations.iter().all(says)
                    && are_contained(vocabulary, small, large, map)
            })
    }

    /// Everything that a store says, against all ways to write its cubes over the processes of the one in
    /// question.
    #[test]
    fn random_stores_find_what_there_is() {
        for_seeds!(4_000, |seed| {
            let mut random = Random::new(seed);
            let profile = [Profile::ALL, Profile::FINITE, Profile::CUBES][seed as usize % 3].clone();
            let system = small_system(&mut random, &profile);
            let Some(sample) = Sample::new(&system, &mut random) else { return };
            let (vocabulary, mut looks) = (&sample.vocabulary, 0);
            let state = sample.state(&mut random);
            let mut cube = || {
                let state = if random.percent(70) { state.clone() } else { sample.state(&mut random) };
                canonical(vocabulary, sample.cube_around(&state, &mut random)).0
            };
            let mut store = Store::new(vocabulary);
            let mut all: Vec<(NodeId, Arc<Cube>)> = Vec::new();
            for number in 0..12 {
                let (node, cube) = (NodeId(number), Arc::new(cube()));
                store.insert(node, TargetId(number % 3), Arc::clone(&cube));
                all.push((node, cube));
            }
            // One is taken out by its name, and those of a target all at once.
            let (node, taken) = all.remove(4);
            assert!(store.has(node, &taken));
            assert_eq!(store.take(node, &taken).map(|stored| stored.node), Some(node));
            assert!(!store.has(node, &taken));
            if seed.is_multiple_of(2) {
                all.retain(|(node, _)| node.0 % 3 != 2);
                store.remove(|stored| stored.target == TargetId(2));
            }
            assert_eq!(store.len(), all.len());
            for _ in 0..4 {
                let asked = cube();
                let larger: Vec<NodeId> = all
                    .iter()
                    .filter(|(_, cube)| contains(vocabulary, cube, &asked))
                    .map(|(node, _)| *node)
                    .collect();
                let found = store.subsuming(&asked, &mut looks, &|_| true);
                assert_eq!(found.is_some(), !larger.is_empty(), "{asked:?} in {all:?}");
                assert!(found.is_none_or(|found| larger.contains(&found)));
                let mut smaller: Vec<NodeId> = all
                    .iter()
                    .filter(|(_, cube)| contains(vocabulary, &asked, cube))
                    .map(|(node, _)| *node)
                    .collect();
                let mut found = store.subsumed(&asked, &mut looks);
                found.sort_unstable();
                smaller.sort_unstable();
                assert_eq!(found, smaller, "{asked:?} in {all:?}");
                let mut met: Vec<(NodeId, Vec<u64>, Vec<Relation>)> = Vec::new();
                store.for_each_meeting(&asked, &mut looks, &mut |stored, instance| {
                    met.push((stored.node, instance.words.clone(), instance.relations.clone()));
                });
                let layout = vocabulary.layout(asked.named);
                for (node, cube) in &all {
                    let mut expected = instances(vocabulary, cube, asked.named);
                    expected.retain(|(map, one)| {
                        !layout.shape.are_disjoint(&one.words, &asked.words)
                            && are_contained(vocabulary, &asked, cube, map)
                    });
                    if vocabulary.is_open() && cube.at_least > asked.at_least {
                        expected.clear();
                    }
                    let is = |one: &Draft| met.contains(&(*node, one.words.clone(), one.relations.clone()));
                    for (_, one) in &expected {
                        let restricts = |(at, (own, other)): (usize, (&u64, &u64))| {
                            nonempty(own & !other, layout.shape.bits[at], layout.shape.guards[at])
                                .count_ones()
                        };
                        let restricted: u32 =
                            asked.words.iter().zip(&one.words).enumerate().map(restricts).sum();
                        assert!(
                            is(one) || restricted > MAX_RESTRICTED,
                            "{one:?} of {cube:?} meets {asked:?}"
                        );
                    }
                    let mut of_node = met.iter().filter(|(other, ..)| other == node);
                    let is_expected = |one: &(NodeId, Vec<u64>, Vec<Relation>)| {
                        expected.iter().any(|(_, other)| (&other.words, &other.relations) == (&one.1, &one.2))
                    };
                    assert!(of_node.all(is_expected), "{cube:?} is said to meet {asked:?}");
                }
            }
        });
    }
}
