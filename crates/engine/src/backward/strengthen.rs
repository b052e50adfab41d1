//! What counting says of the processes that a cube does not name.
//!
//! Where a cube names k processes in a situation that is counted, and what is known leaves no room for more of
//! them, all others are in other situations. The cube that says so leaves out only states that are known not to
//! be reached.

use std::collections::BTreeSet;
use std::sync::Arc;

use polycube_language::count::Count;
use polycube_language::formula::{Access, Formula, Linear, Relation as Compared, Variable};
use polycube_language::number::Number;
use polycube_language::span::Origin;
use polycube_language::system::{Property, PropertyKind, SymbolId};
use polycube_smt::relation::Relation;

use super::calls::Calls;
use super::coverage::{Coverage, coverage};
use super::verification::Checks;
use crate::cube::others::Others;
use crate::cube::renaming::instantiate;
use crate::cube::store::Store;
use crate::cube::vocabulary::Vocabulary;
use crate::cube::{Cube, Draft};
use crate::symbolic::root::property_cubes;

/// How many processes in one situation are counted.
const MOST: usize = 3;

/// A situation that is counted.
#[derive(Debug)]
struct Situation {
    /// For each number k: that more than k processes are in it.
    more: Vec<Cube>,
    /// Situations of one process that is not in it: every such process is in one of these.
    outside: Vec<Cube>,
    /// The symbols that relations connect with the count.
    related: BTreeSet<SymbolId>,
}

/// The situations that are counted.
#[derive(Debug, Default)]
pub(super) struct Strengthening {
    situations: Vec<Situation>,
}

impl Strengthening {
    /// Those of a system, where these relations are known.
    pub fn new(vocabulary: &Vocabulary<'_>, relations: &[Arc<Cube>]) -> Strengthening {
        let situation = |(symbol, count): (SymbolId, &Count)| {
            // Of all processes there are no others.
            if !vocabulary.is_open()
                || !count.indices.is_empty()
                || count.formula == Formula::TRUE
                || !count.is_number()
            {
                return None;
            }
            let more = (0..=MOST).map(|number| only_cube(vocabulary, Vec::new(), more_than(symbol, number)));
            let more = more.collect::<Option<_>>()?;
            let outside = Formula::not(count.formula.clone());
            let outside = cubes(vocabulary, vec![count.variable.clone()], outside)?;
            let is_plain = |cube: &Cube| cube.named == 1 && cube.at_least == 1 && cube.others.is_none();
            let mut related = BTreeSet::from([symbol]);
            for relation in relations {
                let symbols = symbols(vocabulary, relation);
                if symbols.contains(&symbol) {
                    related.extend(symbols);
                }
            }
            outside.iter().all(is_plain).then_some(Situation { more, outside, related })
        };
        Strengthening { situations: vocabulary.system.counts().filter_map(situation).collect() }
    }

    /// The cube that says what counting says of all others, if it is another one. It is covered where the given
    /// one is not only by what is known.
    pub fn strengthened(&self, known: &Store<'_, '_>, cube: &Cube) -> Option<Cube> {
        let vocabulary = known.vocabulary;
        if self.situations.is_empty() || cube.relations.is_empty() || cube.named >= vocabulary.max_named {
            return None;
        }
        let mentioned = symbols(vocabulary, cube);
        let mut stronger: Option<Cube> = None;
        for situation in &self.situations {
            let cube = stronger.as_ref().unwrap_or(cube);
            if situation.related.is_disjoint(&mentioned) {
                continue;
            }
            let inside =
                (0..cube.named).filter(|&process| situation.is_certain(vocabulary, cube, process)).count();
            let Some(more) = situation.more.get(inside) else { continue };
            let Some(others) = situation.others(vocabulary, cube) else { continue };
            if cube.others.as_ref() == Some(&others) {
                continue;
            }
            let case = both(vocabulary, cube, more, &[], cube.named);
            let covered = coverage(known, &case, Checks::default(), &mut Calls::default(), &|_| true);
            if !matches!(covered, Coverage::None { .. }) {
                stronger = Some(Cube { others: Some(others), ..cube.clone() });
            }
        }
        stronger
    }
}

impl Situation {
    /// Whether a process that a cube names is in the situation, whatever else holds.
    fn is_certain(&self, vocabulary: &Vocabulary<'_>, cube: &Cube, process: u8) -> bool {
        let shape = &vocabulary.layout(cube.named).shape;
        let is_impossible =
            |outside: &Cube| shape.has_empty(&both(vocabulary, cube, outside, &[process], cube.named).words);
        self.outside.iter().all(is_impossible)
    }

    /// What a cube says of all others, and that none of them is in the situation.
    fn others(&self, vocabulary: &Vocabulary<'_>, cube: &Cube) -> Option<Box<Others>> {
        let named = cube.named + 1;
        let full = Cube::full(vocabulary, named);
        let known = cube.others.as_ref().map_or(std::slice::from_ref(&full), |others| others.situations());
        let situations = known.iter().flat_map(|one| {
            self.outside.iter().map(move |outside| both(vocabulary, one, outside, &[cube.named], named))
        });
        let plain = Cube { others: None, ..cube.clone() };
        Others::of(vocabulary, &plain, situations.collect()).if_useful(vocabulary)
    }
}

/// Two cubes, where the processes of the second go to some of the first.
fn both(vocabulary: &Vocabulary<'_>, first: &Cube, second: &Cube, map: &[u8], named: u8) -> Cube {
    let mut draft = Draft::default();
    instantiate(vocabulary, second, map, named, &mut draft);
    let words = first.words.iter().zip(&draft.words).map(|(first, second)| first & second).collect();
    let mut relations = [&first.relations[..], &draft.relations].concat();
    relations.sort_unstable();
    relations.dedup();
    Cube { words, relations, ..first.clone() }
}

/// The symbols that the relations of a cube speak of.
fn symbols(vocabulary: &Vocabulary<'_>, cube: &Cube) -> BTreeSet<SymbolId> {
    let layout = vocabulary.layout(cube.named);
    let cells = cube.relations.iter().flat_map(Relation::variables);
    cells.map(|cell| layout.symbol(cell)).collect()
}

/// That a count is more than a number.
fn more_than(symbol: SymbolId, number: usize) -> Formula {
    let number = Number::from(i64::try_from(number).expect("a small number"));
    let count = Linear::access(Access { symbol, indices: Vec::new() });
    Formula::compare_integers(Linear::constant(number), Compared::Less, count)
}

fn cubes(vocabulary: &Vocabulary<'_>, parameters: Vec<Variable>, formula: Formula) -> Option<Vec<Cube>> {
    let (kind, origin) = (PropertyKind::Invariant, Origin::default());
    property_cubes(vocabulary, &Property { kind, parameters, formula, origin }).ok()
}

fn only_cube(vocabulary: &Vocabulary<'_>, parameters: Vec<Variable>, formula: Formula) -> Option<Cube> {
    let [cube] = <[Cube; 1]>::try_from(cubes(vocabulary, parameters, formula)?).ok()?;
    Some(cube)
}
