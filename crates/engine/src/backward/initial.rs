//! Does a cube meet the initial states? One formula: the cube, and every `init` clause for every choice of its
//! parameters among the named processes.
//!
//! In an open universe a "yes" may be wrong: the processes that are not named have to satisfy `init` too, and
//! quantifiers inside of it are weakened. A "no" is always right.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use polycube_language::formula::Formula;
use polycube_language::system::SymbolId;
use polycube_smt::relation::Variable;
use polycube_smt::shape::Kind;

use super::condition::Conditions;
use super::expansion::{Cases, Draft};
use super::tree::Tree;
use crate::cube::renaming::place;
use crate::cube::simplify::{is_consistent, settle};
use crate::cube::vocabulary::{Indices, MAX_NAMED, OTHER, PROCESSES, Vocabulary};

/// How many cells are followed to the processes that they point at.
const MAX_POINTERS: usize = 4;
use crate::cube::Cube;

/// The initial states.
#[derive(Debug)]
pub struct Initial<'v, 's> {
    vocabulary: &'v Vocabulary<'s>,
    /// For each number of named processes.
    instances: [OnceLock<Instance>; MAX_NAMED as usize + 1],
}

/// Initial states in a cube.
#[derive(Debug)]
pub enum Meeting {
    /// There are none.
    None,
    /// These, as far as cubes tell.
    At(Draft),
    /// It would take too long to find out.
    Unclear,
}

/// `init` for some processes.
#[derive(Debug)]
struct Instance {
    draft: Draft,
    pending: Vec<Tree>,
    possible: bool,
}

impl<'v, 's> Initial<'v, 's> {
    /// The initial states of a system.
    pub fn new(vocabulary: &'v Vocabulary<'s>) -> Initial<'v, 's> {
        Initial { vocabulary, instances: Default::default() }
    }

    /// Whether the cube contains initial states, as far as cubes tell.
    pub fn meets(&self, cube: &Cube) -> bool {
        !matches!(self.meeting(cube), Meeting::None)
    }

    /// A part of the initial states that lies in the cube, over at least one process.
    pub fn meeting(&self, cube: &Cube) -> Meeting {
        // There is always a process, so what `init` says of all processes holds for one at least.
        let named = cube.named.max(1);
        let meeting = self.meets_with(cube, named, &[]);
        if !self.vocabulary.is_open() || matches!(meeting, Meeting::None) {
            return meeting;
        }
        // `init` holds for all processes that there are, and for those that cells point at. So these are named as well,
        // as many as there can be: each choice of cells gives a necessary condition.
        let named = named.max(cube.at_least).min(self.vocabulary.max_named);
        let pointers = self.pointers(cube, named);
        if named == cube.named && pointers.is_empty() {
            return meeting;
        }
        let most = named + pointers.len() as u8;
        let mut meetings = (named..=most).map(|named| self.meets_with(cube, named, &pointers));
        meetings.find(|meeting| !matches!(meeting, Meeting::None)).unwrap_or(Meeting::None)
    }

    /// Some cells that may point at processes that are not among the first so many.
    fn pointers(&self, cube: &Cube, named: u8) -> Vec<(SymbolId, Indices)> {
        let layout = self.vocabulary.layout(named);
        let identity: Vec<u8> = (0..cube.named).collect();
        let mut words = Vec::new();
        place(self.vocabulary, cube, &identity, named, &mut words, &mut Vec::new());
        let mut pointers: Vec<(SymbolId, Indices)> = Vec::new();
        for (at, kind) in layout.shape.variables.iter().enumerate() {
            if let Kind::Finite(PROCESSES, field) = kind
                && field.get(&words) >> OTHER & 1 == 1
            {
                let cell = Variable(at as u16);
                let symbol = layout.symbol(cell);
                pointers.push((symbol, layout.indices(cell, self.vocabulary.dimensions(symbol.0 as usize))));
            }
        }
        pointers.sort_by_key(|(_, indices)| indices.len());
        // There has to be room for all the processes that they can be.
        let room = self.vocabulary.max_named.saturating_sub(named);
        pointers.truncate(MAX_POINTERS.min(room.into()));
        pointers
    }

    /// The same, over so many processes, to which these cells point.
    fn meets_with(&self, cube: &Cube, named: u8, pointers: &[(SymbolId, Indices)]) -> Meeting {
        let layout = self.vocabulary.layout(named);
        let own;
        let instance = if pointers.is_empty() {
            self.instances[usize::from(named)].get_or_init(|| self.instance(named, &[]))
        } else {
            own = self.instance(named, pointers);
            &own
        };
        let identity: Vec<u8> = (0..cube.named).collect();
        let (mut words, mut relations) = (Vec::new(), Vec::new());
        let mut words: Vec<u64> = if named == cube.named {
            relations.clone_from(&cube.relations);
            cube.words.to_vec()
        } else {
            place(self.vocabulary, cube, &identity, named, &mut words, &mut relations);
            words
        };
        words.iter_mut().zip(&instance.draft.words).for_each(|(word, initial)| *word &= initial);
        if !instance.possible || layout.shape.has_empty(&words) {
            return Meeting::None;
        }
        relations.extend(instance.draft.relations.iter().cloned());
        let mut found = Meeting::None;
        let start = Draft { words, relations };
        let cases = Cases::of(&layout.shape, start, instance.pending.clone(), &mut |mut draft| {
            if settle(&layout.shape, &mut draft.words, &mut draft.relations)
                && is_consistent(&layout.shape, &draft.words, &draft.relations)
            {
                found = Meeting::At(draft);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        if cases.is_err() { Meeting::Unclear } else { found }
    }

    /// `init` for so many processes, to which these cells point.
    fn instance(&self, named: u8, pointers: &[(SymbolId, Indices)]) -> Instance {
        let mut conditions = Conditions::new(self.vocabulary, named);
        for (symbol, indices) in pointers {
            let cell = conditions.layout.cell(*symbol, indices);
            let field = conditions.layout.shape.field(cell).expect("a process has a field");
            field.restrict(&mut conditions.draft, !(1 << OTHER));
        }
        let mut draft = Draft { words: conditions.draft.clone(), relations: Vec::new() };
        let mut pending = Vec::new();
        let shape = &self.vocabulary.layout(named).shape;
        let mut possible = !shape.has_empty(&draft.words);
        for init in &self.vocabulary.system.init {
            let mut parts = Vec::new();
            conjuncts(&init.formula, true, &mut parts);
            let mut processes = vec![0; init.parameters.len()];
            while possible {
                for (parameter, &process) in init.parameters.iter().zip(&processes) {
                    conditions.bind(parameter.id, process);
                }
                for &(part, holds) in &parts {
                    let tree = conditions.weak(part, holds);
                    possible = possible && draft.assert(shape, tree, &mut pending);
                    conditions.draft.clone_from(&draft.words);
                }
                if !advance(&mut processes, named) {
                    break;
                }
            }
        }
        Instance { draft, pending, possible }
    }
}

/// Collects what has to hold, or to fail, for a formula to hold or to fail.
fn conjuncts<'f>(formula: &'f Formula, holds: bool, found: &mut Vec<(&'f Formula, bool)>) {
    match formula {
        Formula::Not(part) => conjuncts(part, !holds, found),
        Formula::And(parts) if holds => parts.iter().for_each(|part| conjuncts(part, true, found)),
        Formula::Or(parts) if !holds => parts.iter().for_each(|part| conjuncts(part, false, found)),
        _ => found.push((formula, holds)),
    }
}

/// The next tuple; whether there is one.
fn advance(processes: &mut [u8], named: u8) -> bool {
    for process in processes.iter_mut().rev() {
        *process += 1;
        if *process < named {
            return true;
        }
        *process = 0;
    }
    false
}
