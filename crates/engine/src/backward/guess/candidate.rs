//! The most general parts of a cube that are not rejected: `Approx` of the BRAB paper (FMCAD 2013, section
//! III-B), with the candidates of section IV: parts of the cube, the most general ones first.
//!
//! A cube is a conjunction of atoms. Whoever rejects a candidate, a set of these atoms, says which atoms
//! would have made a difference: candidates without any of them are rejected too. So the candidates that are
//! left are the *hitting sets* of the answers so far, and only the smallest of them are asked about. Few
//! questions decide about a lattice with thousands of elements.
//!
//! What a cube says of all others is one more atom. Where it is needed, processes that the cube names may
//! join the others: without that, each step would name one more.
//!
//! What is found may be larger still if its cells may have more values: `Cache[z] = Exclusive` becomes
//! `Cache[z] in {Shared, Exclusive}`.

use std::collections::{BTreeSet, VecDeque};

use polycube_smt::relation::{Comparison, Linear, Ordered, Relation, SortId, Term, Variable};
use polycube_smt::shape::Field;

use super::numbers;
use super::record::{Guess, Record};
use crate::backward::calls::Calls;
use crate::cube::Cube;
use crate::cube::others::absorbed;
use crate::cube::renaming::canonical;
use crate::cube::vocabulary::{CubeLayout, OTHER, PROCESSES, Vocabulary};
use crate::forward::states::{Cell, Literal, Unnamed};
use crate::oracle::{Atom, Oracle};

/// How many atoms of a cube are looked at.
const MAX_ATOMS: usize = 64;

/// How many sets of atoms are looked at to find them.
const MAX_SETS: usize = 20_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Generalization {
    Reached,
    /// This larger cube may take its place.
    Larger(Cube, Guess),
    /// Nothing better is known than the cube itself.
    None,
}

#[derive(Clone, Debug)]
enum Position {
    Field(Variable),
    Relation(usize),
    /// What follows from its relations.
    Weaker(Relation),
    /// What it says of the processes that it does not name.
    Others,
}

/// A cube that contains the given one, says less, and is not rejected: neither by the oracle, nor by
/// `is_hopeless`, which must reject what contains something it rejects. Of several, one that speaks of the
/// fewest processes, and then one that has the fewest atoms. Their number is not limited: the known reachable
/// states decide how general a cube can be. At most `most` candidates are looked at.
pub fn generalize(
    vocabulary: &Vocabulary<'_>,
    cube: &Cube,
    oracle: &dyn Oracle,
    most: usize,
    record: &Record,
    is_hopeless: &mut dyn FnMut(&Cube) -> bool,
    calls: &mut Calls,
) -> Generalization {
    let Parts { atoms, places, rivals, own } = parts(vocabulary, cube, record.is_trusted(Guess::Numbers));
    // There may be conditions that are no atoms: then nothing is known about the cube as a whole.
    let says_all = own.count_ones() as usize == cube.literals(vocabulary);
    let built = |chosen: u64| build(vocabulary, cube, &places, chosen);
    let all = all_of(&atoms);
    calls.questions += 1;
    if says_all && oracle.rejects(&atoms, all, &mut calls.words).is_some() {
        return Generalization::Reached;
    }
    let mut ask = |chosen: u64| {
        calls.questions += 1;
        if let Some(missing) = oracle.rejects(&atoms, chosen, &mut calls.words) {
            return Some(missing & !chosen);
        }
        is_hopeless(&built(chosen)).then_some(all & !chosen)
    };
    let mut candidates = Candidates {
        atoms: &atoms,
        rivals: &rivals,
        whole: says_all.then_some(own),
        rejections: Vec::new(),
        questions: most,
        sets: MAX_SETS,
        processes: 0,
        ask: &mut ask,
    };
    let mut found = None;
    // What needs no numbers is tried first: of states that differ in their numbers, samples are small.
    let numeric = atoms.iter().enumerate().filter(|(_, atom)| matches!(atom.literal, Literal::Linear { .. }));
    let numeric = numeric.fold(0u64, |all, (at, _)| all | 1 << at);
    let plain = (1..=oracle.processes()).filter(|_| numeric != 0).map(|processes| (processes, numeric));
    let rounds = plain.chain((0..=oracle.processes()).map(|processes| (processes, 0)));
    'sizes: for (processes, banned) in rounds {
        for size in (1..=atoms.len()).filter(|&size| record.is_trusted(Guess::of_size(size))) {
            candidates.processes = processes;
            if let Some(chosen) = candidates.extend(0, banned, size) {
                let larger = built(chosen);
                // Two relations may say together what the cube says.
                if larger == *cube {
                    break 'sizes;
                }
                let weaker = weakened(vocabulary, &larger, oracle, is_hopeless, calls);
                if chosen & !own != 0 || weaker.is_some() {
                    return Generalization::Larger(weaker.unwrap_or(larger), Guess::Numbers);
                }
                if larger.others.is_some() {
                    found = Some(larger);
                    break 'sizes;
                }
                // A sample of the states is no reason to be so bold: with it, FLASH needs five times as long.
                if oracle.knows_all()
                    && record.is_trusted(Guess::Wide)
                    && let Some(wider) = widened(vocabulary, &larger, oracle, is_hopeless, calls)
                {
                    return Generalization::Larger(wider, Guess::Wide);
                }
                return Generalization::Larger(larger, Guess::of_size(size));
            }
        }
    }
    if cube.others.is_some() && says_all && record.is_trusted(Guess::Universal) {
        let larger = universal(vocabulary, found.unwrap_or_else(|| cube.clone()), oracle, is_hopeless, calls);
        if larger != *cube {
            return Generalization::Larger(larger, Guess::Universal);
        }
    }
    Generalization::None
}

/// A larger cube that says something of all others, as large as it can be made step by step without being
/// rejected: processes that it names become some of the others, and it says less of those that are left, and
/// of the others.
fn universal(
    vocabulary: &Vocabulary<'_>,
    mut cube: Cube,
    oracle: &dyn Oracle,
    is_hopeless: &mut dyn FnMut(&Cube) -> bool,
    calls: &mut Calls,
) -> Cube {
    let mut accept = |cube: &mut Cube, larger: Cube| {
        calls.questions += 1;
        let larger = canonical(vocabulary, larger).0;
        let (atoms, _) = atoms(vocabulary, &larger);
        let is_accepted = atoms.len() == larger.literals(vocabulary)
            && oracle.rejects(&atoms, all_of(&atoms), &mut calls.words).is_none()
            && !is_hopeless(&larger);
        if is_accepted {
            *cube = larger;
        }
        is_accepted
    };
    // It may be right for any number of processes.
    let larger = Cube { at_least: cube.named, ..cube.clone() };
    accept(&mut cube, larger);
    let mut process = 0;
    while process < cube.named {
        let Some(larger) = absorbed(vocabulary, &cube, process) else { break };
        process = if accept(&mut cube, larger) { 0 } else { process + 1 };
    }
    // Where others may be in any situation, processes of which nothing is said any more have no names either: so whether there
    // is a field is asked of the cube as it is.
    let free = |cube: &Cube, at: usize| {
        let layout = vocabulary.layout(cube.named);
        let (_, _, field, _) = layout.restricted(&cube.words).nth(at)?;
        let mut larger = cube.clone();
        field.set(&mut larger.words, field.get(&layout.full));
        Some(larger)
    };
    let mut at = 0;
    while let Some(larger) = free(&cube, at) {
        at += usize::from(!accept(&mut cube, larger));
    }
    let layout = vocabulary.layout(cube.named + 1);
    let mut at = 0;
    let wider = |cube: &Cube, at: usize| {
        let others = cube.others.as_ref()?;
        let (situation, field) = others.restricted(layout).nth(at)?;
        Some(others.widened(vocabulary, cube, situation, field))
    };
    while let Some(larger) = wider(&cube, at) {
        at = if accept(&mut cube, larger) { 0 } else { at + 1 };
    }
    cube
}

/// Whether a cube is not rejected.
fn is_open(
    vocabulary: &Vocabulary<'_>,
    cube: &Cube,
    oracle: &dyn Oracle,
    is_hopeless: &mut dyn FnMut(&Cube) -> bool,
    calls: &mut Calls,
) -> bool {
    let (atoms, _) = atoms(vocabulary, cube);
    calls.questions += 1;
    oracle.rejects(&atoms, all_of(&atoms), &mut calls.words).is_none() && !is_hopeless(cube)
}

/// A cube with more values for its cells, as many as are not rejected, if there are any.
pub fn widened(
    vocabulary: &Vocabulary<'_>,
    narrow: &Cube,
    oracle: &dyn Oracle,
    is_hopeless: &mut dyn FnMut(&Cube) -> bool,
    calls: &mut Calls,
) -> Option<Cube> {
    let mut cube = narrow.clone();
    let layout = vocabulary.layout(cube.named);
    let finite = |(_, sort, ..): &(Variable, SortId, Field, u64)| *sort != PROCESSES;
    for (_, _, field, mut values) in layout.restricted(&narrow.words).filter(finite) {
        let all = field.get(&layout.full);
        for value in (0..64u32).filter(|value| all >> value & 1 == 1) {
            if values >> value & 1 == 1 || values | 1 << value == all {
                continue;
            }
            let mut wider = cube.clone();
            field.set(&mut wider.words, values | 1 << value);
            if is_open(vocabulary, &wider, oracle, is_hopeless, calls) {
                values |= 1 << value;
                cube = wider;
            }
        }
    }
    (cube != *narrow).then(|| in_canonical_form(vocabulary, cube))
}

pub fn is_reached(vocabulary: &Vocabulary<'_>, cube: &Cube, oracle: &dyn Oracle) -> bool {
    let (atoms, _) = atoms(vocabulary, cube);
    let says_all = atoms.len() == cube.literals(vocabulary);
    says_all && oracle.rejects(&atoms, all_of(&atoms), &mut 0).is_some()
}

/// Cubes that contain the given one and are not rejected, at most `most`, none of which contains another: what
/// is left of them when an atom is missing is rejected. Those first that speak of few processes and have few
/// atoms. The cube itself may be one of them.
pub fn generalizations(
    vocabulary: &Vocabulary<'_>,
    cube: &Cube,
    oracle: &dyn Oracle,
    most: usize,
    questions: usize,
    is_hopeless: &mut dyn FnMut(&Cube) -> bool,
) -> Vec<Cube> {
    let Parts { atoms, places, rivals, .. } = parts(vocabulary, cube, true);
    let all = all_of(&atoms);
    let mut ask = |chosen: u64| {
        if let Some(missing) = oracle.rejects(&atoms, chosen, &mut 0) {
            return Some(missing & !chosen);
        }
        is_hopeless(&build(vocabulary, cube, &places, chosen)).then_some(all & !chosen)
    };
    let mut candidates = Candidates {
        atoms: &atoms,
        rivals: &rivals,
        whole: None,
        rejections: Vec::new(),
        questions,
        sets: MAX_SETS,
        processes: 0,
        ask: &mut ask,
    };
    let mut found: Vec<u64> = Vec::new();
    // Any other one lacks some atom of each that was found.
    let mut banned = VecDeque::from([0]);
    let mut tried = BTreeSet::new();
    while let Some(without) = banned.pop_front().filter(|_| found.len() < most) {
        let sizes =
            (0..=oracle.processes()).flat_map(|count| (1..=atoms.len()).map(move |size| (count, size)));
        let next = sizes.into_iter().find_map(|(processes, size)| {
            candidates.processes = processes;
            candidates.extend(0, without, size)
        });
        let Some(next) = next else { continue };
        if !found.contains(&next) {
            found.push(next);
        }
        let members = (0..atoms.len()).map(|at| 1 << at).filter(|atom| next & atom != 0);
        banned.extend(members.map(|atom| without | atom).filter(|set| tried.insert(*set)));
    }
    let mut found: Vec<Cube> =
        found.into_iter().map(|chosen| build(vocabulary, cube, &places, chosen)).collect();
    found.dedup();
    found
}

/// The parts of a cube that consist of one or two of its atoms, but not the cube itself; the shortest first.
pub fn small_parts(vocabulary: &Vocabulary<'_>, cube: &Cube) -> impl Iterator<Item = Cube> {
    let (atoms, places) = atoms(vocabulary, cube);
    let count = atoms.len();
    let one = (0..count).map(|at| 1u64 << at);
    let two = (0..count).flat_map(move |at| (0..at).map(move |other| 1u64 << other | 1 << at));
    let literals = cube.literals(vocabulary);
    let parts = one.chain(two).filter(move |chosen| (chosen.count_ones() as usize) < literals);
    parts.map(move |chosen| build(vocabulary, cube, &places, chosen))
}

fn all_of(atoms: &[Atom]) -> u64 {
    if atoms.len() == MAX_ATOMS { u64::MAX } else { (1 << atoms.len()) - 1 }
}

struct Candidates<'c> {
    atoms: &'c [Atom],
    /// For each atom, others that are not chosen beside it: what they say is not independent of it.
    rivals: &'c [u64],
    /// The atoms that are the cube itself, if it consists of atoms: it is no candidate.
    whole: Option<u64>,
    /// Of each of these sets, a candidate has to contain an atom.
    rejections: Vec<u64>,
    questions: usize,
    sets: usize,
    processes: u32,
    /// `None` if a candidate is not rejected; otherwise atoms of which it needs at least one.
    ask: &'c mut dyn FnMut(u64) -> Option<u64>,
}

impl Candidates<'_> {
    /// A candidate that is not rejected, with the chosen atoms and at most `size` others, none banned.
    fn extend(&mut self, chosen: u64, mut banned: u64, size: usize) -> Option<u64> {
        self.sets = self.sets.checked_sub(1)?;
        let missed = |set: &&u64| **set & chosen == 0;
        let needed = match self.rejections.iter().find(missed) {
            Some(&set) => set,
            None if self.whole.is_some_and(|whole| whole & !chosen == 0) => return None,
            None => {
                self.questions = self.questions.checked_sub(1)?;
                match (self.ask)(chosen) {
                    None => return Some(chosen),
                    Some(set) => {
                        self.rejections.push(set);
                        set
                    }
                }
            }
        };
        if size == 0 {
            return None;
        }
        let mut open = needed & !banned;
        while open != 0 {
            let atom = open & open.wrapping_neg();
            open &= !atom;
            let extended = chosen | atom;
            if self.rivals[atom.trailing_zeros() as usize] & chosen == 0
                && self.needed(extended) <= self.processes
                && let Some(found) = self.extend(extended, banned, size - 1)
            {
                return Some(found);
            }
            // Candidates with this atom have been looked at.
            banned |= atom;
        }
        None
    }

    /// How many processes some atoms need: those that they speak of, and one more if a cell may hold another.
    fn needed(&self, chosen: u64) -> u32 {
        let (mut spoken, mut others) = (0u16, false);
        for atom in (0..self.atoms.len()).filter(|&at| chosen >> at & 1 == 1).map(|at| &self.atoms[at]) {
            spoken |= atom.processes;
            others |= matches!(atom.literal, Literal::Processes { others: Unnamed::Allowed, .. });
        }
        spoken.count_ones() + u32::from(others)
    }
}

/// The atoms of a cube, and where they stand there: those first that speak of few processes.
fn atoms(vocabulary: &Vocabulary<'_>, cube: &Cube) -> (Vec<Atom>, Vec<Position>) {
    let layout = vocabulary.layout(cube.named);
    let mut parts: Vec<(Atom, Position)> = Vec::new();
    for (variable, sort, _, values) in layout.restricted(&cube.words) {
        let (cell, mut processes) = cell(layout, variable);
        let literal = if sort == PROCESSES {
            let named = (1u16 << cube.named) - 1;
            let others = values >> OTHER & 1 == 1;
            let held = u16::try_from(values).expect("a set of processes has 16 bits");
            // A literal mentions the processes that it distinguishes from those that are not named.
            processes |= if others { !held & named } else { held & named };
            let variables = (0..u32::from(cube.named)).filter(|process| values >> process & 1 == 1);
            let others = if others { Unnamed::Allowed } else { Unnamed::Excluded };
            Literal::Processes { cell, variables: variables.collect(), others }
        } else {
            Literal::Values(cell, (0..64).filter(|value| values >> value & 1 == 1).collect())
        };
        parts.push((Atom { literal, processes }, Position::Field(variable)));
    }
    for (at, relation) in cube.relations.iter().enumerate() {
        if let Relation::Ordered(Ordered {
            left: Term::Variable(left),
            comparison: comparison @ (Comparison::Equal | Comparison::NotEqual),
            right: Term::Variable(right),
            ..
        }) = relation
        {
            let (left, of_left) = cell(layout, *left);
            let (right, of_right) = cell(layout, *right);
            let same = *comparison == Comparison::Equal;
            let literal = if same { Literal::Same(left, right) } else { Literal::Different(left, right) };
            parts.push((Atom { literal, processes: of_left | of_right }, Position::Relation(at)));
        }
        if let Some(atom) = linear(layout, relation) {
            parts.push((atom, Position::Relation(at)));
        }
    }
    if let Some(literal) = others(vocabulary, cube) {
        parts.push((Atom { literal, processes: (1 << cube.named) - 1 }, Position::Others));
    }
    parts.sort_by_key(|(atom, _)| atom.processes.count_ones());
    parts.truncate(MAX_ATOMS);
    parts.into_iter().unzip()
}

/// The atoms of a cube, and weaker ones.
struct Parts {
    atoms: Vec<Atom>,
    places: Vec<Position>,
    rivals: Vec<u64>,
    /// Which atoms are of the cube itself.
    own: u64,
}

/// The atoms of a cube; and if that is wanted, what follows from its relations between numbers, which come
/// first: `=` is `<=` or `>=`, and from two relations follows one without a cell that both speak of.
fn parts(vocabulary: &Vocabulary<'_>, cube: &Cube, with_weaker: bool) -> Parts {
    let (atoms, places) = atoms(vocabulary, cube);
    let layout = vocabulary.layout(cube.named);
    // Each with the number of what it comes from: of these, one is chosen.
    let source = |place: &Position| match place {
        Position::Relation(at) => Some(*at),
        _ => None,
    };
    let mut all: Vec<(Atom, Position, Option<usize>)> =
        atoms.into_iter().zip(places).map(|(atom, place)| (atom, place.clone(), source(&place))).collect();
    if with_weaker {
        for (relation, source) in numbers::weaker(&cube.relations) {
            if let Some(atom) = linear(layout, &relation) {
                all.push((atom, Position::Weaker(relation), Some(source)));
            }
        }
        let is_own = |place: &Position| !matches!(place, Position::Weaker(_));
        all.sort_by_key(|(atom, place, _)| (atom.processes.count_ones(), is_own(place)));
        all.truncate(MAX_ATOMS);
    }
    let rivals = |at: usize| {
        let is_rival = |other: &usize| *other != at && all[at].2.is_some() && all[*other].2 == all[at].2;
        (0..all.len()).filter(is_rival).fold(0, |rivals, other| rivals | 1 << other)
    };
    let rivals = (0..all.len()).map(rivals).collect();
    let own = all.iter().enumerate().filter(|(_, (_, place, _))| !matches!(place, Position::Weaker(_)));
    let own = own.fold(0, |own, (at, _)| own | 1 << at);
    let (atoms, places) = all.into_iter().map(|(atom, place, _)| (atom, place)).unzip();
    Parts { atoms, places, rivals, own }
}

/// A relation between numbers as an atom, if its coefficients and its constant are small.
fn linear(layout: &CubeLayout, relation: &Relation) -> Option<Atom> {
    let Relation::Linear(Linear { terms, constant, comparison, .. }) = relation else { return None };
    let mut processes = 0;
    let mut sum = Vec::with_capacity(terms.len());
    for (variable, factor) in terms {
        let (cell, of_cell) = cell(layout, *variable);
        processes |= of_cell;
        sum.push((cell, i32::try_from(factor.to_i64()?).ok()?));
    }
    let constant = constant.to_i64().filter(|constant| constant.unsigned_abs() < numbers::FAR)?;
    Some(Atom { literal: Literal::Linear { terms: sum, constant, comparison: *comparison }, processes })
}

/// A cube whose relations between numbers have weaker constants, as weak as are not rejected, if there are
/// any: differences become their sign, and then some more.
fn weakened(
    vocabulary: &Vocabulary<'_>,
    narrow: &Cube,
    oracle: &dyn Oracle,
    is_hopeless: &mut dyn FnMut(&Cube) -> bool,
    calls: &mut Calls,
) -> Option<Cube> {
    let mut cube = narrow.clone();
    for relation in &narrow.relations {
        let mut present = relation.clone();
        for weaker in numbers::constants(relation) {
            let mut larger = cube.clone();
            larger.relations.retain(|one| *one != present);
            larger.relations.push(weaker.clone());
            larger.relations.sort_unstable();
            // A constant that no atom says could not be rejected.
            let is_atom = linear(vocabulary.layout(larger.named), &weaker).is_some();
            if is_atom && is_open(vocabulary, &larger, oracle, is_hopeless, calls) {
                (cube, present) = (larger, weaker);
            }
        }
    }
    (cube != *narrow).then(|| in_canonical_form(vocabulary, cube))
}

/// What a cube says of the processes that it does not name, if it says something and an oracle can judge it.
fn others(vocabulary: &Vocabulary<'_>, cube: &Cube) -> Option<Literal> {
    let situations = cube.others.as_ref()?.situations().iter().map(|situation| {
        let (atoms, _) = atoms(vocabulary, situation);
        let says_all = atoms.len() == situation.literals(vocabulary);
        says_all.then(|| atoms.into_iter().map(|atom| atom.literal).collect())
    });
    let besides = (0..u32::from(cube.named)).collect();
    Some(Literal::Each { besides, situations: situations.collect::<Option<Vec<_>>>()? })
}

fn cell(layout: &CubeLayout, variable: Variable) -> (Cell, u16) {
    let indices = layout.indices(variable).iter();
    let processes = indices.clone().fold(0, |processes, &index| processes | 1 << index);
    let indices = indices.map(|&index| index.into()).collect();
    (Cell { symbol: layout.symbol(variable), indices }, processes)
}

fn build(vocabulary: &Vocabulary<'_>, cube: &Cube, places: &[Position], chosen: u64) -> Cube {
    let layout = vocabulary.layout(cube.named);
    let mut part = Cube::full(vocabulary, cube.named);
    for (_, place) in places.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1) {
        match place {
            Position::Field(variable) => {
                let field = layout.shape.field(*variable).expect("a cell with a field");
                field.set(&mut part.words, field.get(&cube.words));
            }
            Position::Relation(at) => part.relations.push(cube.relations[*at].clone()),
            Position::Weaker(relation) => part.relations.push(relation.clone()),
            Position::Others => part.others.clone_from(&cube.others),
        }
    }
    part.relations.sort_unstable();
    if vocabulary.is_open() {
        part.at_least = 0;
    }
    in_canonical_form(vocabulary, part)
}

/// The canonical form of a cube, with as many processes as it names.
fn in_canonical_form(vocabulary: &Vocabulary<'_>, cube: Cube) -> Cube {
    let (mut cube, _) = canonical(vocabulary, cube);
    cube.at_least = cube.at_least.max(cube.named);
    cube
}

#[cfg(test)]
mod tests {
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random};

    use super::*;
    use crate::samples::{Sample, small_system};

    /// Knows states by which of the atoms hold in each.
    #[derive(Debug)]
    struct Known {
        states: Vec<u64>,
        processes: u32,
    }

    impl Oracle for Known {
        fn processes(&self) -> u32 {
            self.processes
        }

        fn knows_all(&self) -> bool {
            false
        }

        fn rejects(&self, atoms: &[Atom], chosen: u64, _: &mut u64) -> Option<u64> {
            let state = self.states.iter().find(|&state| chosen & !state == 0)?;
            Some(all_of(atoms) & !state)
        }
    }

    /// The answer speaks of as few processes as any set of atoms that is not rejected, and is as short as any
    /// of these.
    #[test]
    fn generalizations_of_random_cubes_are_the_smallest_that_are_left() {
        for_seeds!(5_000, |seed| {
            let mut random = Random::new(seed);
            let system = small_system(&mut random, &Profile::FINITE);
            let Some(sample) = Sample::new(&system, &mut random) else { return };
            let vocabulary = &sample.vocabulary;
            let state = sample.state(&mut random);
            let plain = Cube { others: None, ..sample.cube_around(&state, &mut random) };
            let cube = canonical(vocabulary, plain).0;
            let (atoms, places) = atoms(vocabulary, &cube);
            if atoms.is_empty() || atoms.len() > 8 {
                return;
            }
            let states = (0..random.below(8)).map(|_| random.number() & all_of(&atoms)).collect();
            let oracle = Known { states, processes: random.below(4) as u32 };
            let least = random.below(3);
            let mut is_hopeless = |cube: &Cube| cube.literals(vocabulary) < least;
            let (mut calls, record) = (Calls::default(), Record::default());
            let found = generalize(vocabulary, &cube, &oracle, 10_000, &record, &mut is_hopeless, &mut calls);

            let literals = cube.literals(vocabulary);
            let is_rejected = |chosen: u64| oracle.rejects(&atoms, chosen, &mut 0).is_some();
            if atoms.len() == literals && is_rejected(all_of(&atoms)) {
                assert_eq!(found, Generalization::Reached);
                return;
            }
            let candidates = Candidates {
                atoms: &atoms,
                rivals: &vec![0; atoms.len()],
                whole: None,
                rejections: Vec::new(),
                questions: 0,
                sets: 0,
                processes: 0,
                ask: &mut |_| None,
            };
            let processes = |chosen: u64| candidates.needed(chosen);
            let built = |chosen: u64| build(vocabulary, &cube, &places, chosen);
            let left: Vec<u64> = (0..=all_of(&atoms))
                .filter(|chosen| {
                    chosen.count_ones() as usize != literals && processes(*chosen) <= oracle.processes
                })
                .filter(|&chosen| !is_rejected(chosen) && !is_hopeless(&built(chosen)))
                .collect();
            let weight = |chosen: u64| (processes(chosen), chosen.count_ones());
            let Some(best) = left.iter().map(|&chosen| weight(chosen)).min() else {
                assert_eq!(found, Generalization::None, "{atoms:?}, {oracle:?}");
                return;
            };
            let Generalization::Larger(larger, kind) = found else {
                panic!("{found:?}: {atoms:?}, {oracle:?}")
            };
            let is_best = |chosen: &&u64| weight(**chosen) == best && built(**chosen) == larger;
            assert!(left.iter().any(|chosen| is_best(&chosen)), "{larger:?}: {atoms:?}, {oracle:?}");
            assert_eq!(kind, Guess::of_size(best.1 as usize));
        });
    }

    /// Says no or yes, whatever it is asked.
    #[derive(Debug)]
    struct Moody(std::sync::atomic::AtomicU64);

    impl Oracle for Moody {
        fn processes(&self) -> u32 {
            3
        }

        fn knows_all(&self) -> bool {
            false
        }

        fn rejects(&self, atoms: &[Atom], chosen: u64, _: &mut u64) -> Option<u64> {
            let number = self.0.fetch_add(0x9E37_79B9_7F4A_7C15, std::sync::atomic::Ordering::Relaxed);
            number.count_ones().is_multiple_of(3).then_some(all_of(atoms) & !chosen)
        }
    }

    /// Whatever an oracle says, a guess in which named processes have joined the others has the states of the cube, also where
    /// nothing is said of the others in the end, and processes are without a name then.
    #[test]
    fn universal_guesses_of_random_cubes_have_their_states() {
        let lost = std::sync::atomic::AtomicU64::new(0);
        let tried = for_seeds!(20_000, |seed| {
            let mut random = Random::new(seed);
            let system = small_system(&mut random, &Profile::FINITE);
            let Some(sample) = Sample::new(&system, &mut random) else { return };
            let vocabulary = &sample.vocabulary;
            let state = sample.state(&mut random);
            let cube = canonical(vocabulary, sample.cube_around(&state, &mut random)).0;
            if cube.others.is_none() {
                return;
            }
            let oracle = Moody(random.number().into());
            let mut calls = Calls::default();
            let larger = universal(vocabulary, cube.clone(), &oracle, &mut |_| false, &mut calls);
            if larger.others.is_none() {
                lost.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
            let mut states = vec![state];
            for _ in 0..8 {
                let next = sample.neighbour(random.pick(&states), &mut random);
                states.push(next);
            }
            for state in states.iter().filter(|state| sample.is_in(&cube, state)) {
                assert!(sample.is_in(&larger, state), "{state:?} of {cube:?} is not in {larger:?}");
            }
        });
        if let Some(tried) = tried {
            let lost = lost.into_inner();
            assert!(lost > tried / 200, "{lost} of {tried}");
        }
    }

    /// Whatever an oracle says, a guess has the states of the cube, also where it says something of all
    /// others.
    #[test]
    fn generalizations_of_random_cubes_have_their_states() {
        let of_numbers = std::sync::atomic::AtomicU64::new(0);
        let tried = for_seeds!(10_000, |seed| {
            let mut random = Random::new(seed);
            let profile = if seed % 3 == 0 { &Profile::FINITE } else { &Profile::ALL };
            let system = small_system(&mut random, profile);
            let Some(sample) = Sample::new(&system, &mut random) else { return };
            let vocabulary = &sample.vocabulary;
            let state = sample.state(&mut random);
            let cube = canonical(vocabulary, sample.cube_around(&state, &mut random)).0;
            let oracle = Moody(random.number().into());
            let (mut calls, record) = (Calls::default(), Record::default());
            let mut is_hopeless = |_: &Cube| false;
            let found = generalize(vocabulary, &cube, &oracle, 100, &record, &mut is_hopeless, &mut calls);
            // Each part by itself, and what they become with other constants.
            let Parts { atoms, places, own, .. } = parts(vocabulary, &cube, true);
            let mut all: Vec<Cube> =
                (0..atoms.len()).map(|at| build(vocabulary, &cube, &places, 1 << at)).collect();
            let (mut calls, weaker) = (Calls::default(), (all_of(&atoms) & !own).count_ones());
            of_numbers.fetch_add(weaker.into(), std::sync::atomic::Ordering::Relaxed);
            all.extend(weakened(vocabulary, &cube, &oracle, &mut is_hopeless, &mut calls));
            if let Generalization::Larger(larger, _) = found {
                all.push(larger);
            }
            if cube.others.is_none() {
                all.extend(generalizations(vocabulary, &cube, &oracle, 3, 100, &mut is_hopeless));
            }
            let mut states = vec![state];
            for _ in 0..8 {
                let next = sample.neighbour(random.pick(&states), &mut random);
                states.push(next);
            }
            for state in states.iter().filter(|state| sample.is_in(&cube, state)) {
                for larger in &all {
                    assert!(sample.is_in(larger, state), "{state:?} of {cube:?} is not in {larger:?}");
                }
            }
        });
        if let Some(tried) = tried {
            let of_numbers = of_numbers.into_inner();
            assert!(of_numbers > tried / 100, "{of_numbers} of {tried}");
        }
    }
}
