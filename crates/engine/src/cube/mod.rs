//! Cubes: the sets of states that the symbolic engines work with.
//!
//! A `Cube` stands for the states in which there are at least `at_least` processes, and among them
//! pairwise different ones z0 .. z(k-1) such that every cell that they index has one of the values that its
//! field allows, and all relations hold. In a *universal cube*, all processes that it does not name are in
//! some of these situations: its `others`.
//!
//! - `vocabulary`: the cells that a cube speaks about, and where they stand;
//! - `subtype`: which values can occur at all;
//! - `others`: what it says of the processes that it does not name;
//! - `renaming`: moving a cube to other processes, and its canonical form;
//! - `store`: the visited cubes, and which of them meet or contain a given one;
//! - `simplify`: a cube without what is redundant or impossible;
//! - `show`: a cube as a formula of the language.

pub(crate) mod limits;
pub(crate) mod others;
pub(crate) mod renaming;
pub(crate) mod show;
pub(crate) mod simplify;
pub(crate) mod store;
pub(crate) mod subtype;
pub(crate) mod vocabulary;

use polycube_smt::relation::Relation;

pub use limits::{Unsupported, check_supported};
use others::Others;
use renaming::instantiate;
use vocabulary::Vocabulary;
pub use vocabulary::{MAX_CELLS, MAX_NAMED, MAX_TYPES, MAX_VALUES};

/// A set of states. See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cube {
    /// How many processes it names.
    pub named: u8,
    /// How many processes there are at least: never less than it names.
    pub at_least: u8,
    /// The values that each cell can have, laid out as [`Vocabulary::layout`] says. No field is empty.
    pub words: Box<[u64]>,
    /// What cannot be said by values of single cells: sorted, without duplicates, in normal form.
    pub relations: Vec<Relation>,
    /// The situations that all processes are in which it does not name. Without it, they may be in any.
    pub others: Option<Box<Others>>,
}

/// What a cube says, over processes that the context knows: a cube in the making, or an instance of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    pub words: Vec<u64>,
    pub relations: Vec<Relation>,
    /// What holds for every process that is not named: numbers of conditions that the context knows, as bits.
    pub others: u64,
}

impl Draft {
    pub fn new(words: Vec<u64>, relations: Vec<Relation>) -> Draft {
        Draft { words, relations, others: 0 }
    }

    /// The cube, but for what it says of others.
    pub fn into_cube(self, named: u8, at_least: u8) -> Cube {
        let words = self.words.into_boxed_slice();
        Cube { named, at_least, words, relations: self.relations, others: None }
    }
}

impl Cube {
    /// The cube over this many processes that says nothing else about them.
    pub fn full(vocabulary: &Vocabulary<'_>, named: u8) -> Cube {
        let words = vocabulary.layout(named).full.clone();
        Draft::new(words, Vec::new()).into_cube(named, named)
    }

    /// What it says of the processes that it names, over these and others behind them: this many in all.
    pub fn over(&self, vocabulary: &Vocabulary<'_>, named: u8) -> Draft {
        if named == self.named {
            return Draft::new(self.words.to_vec(), self.relations.clone());
        }
        let (own, mut draft): (Vec<u8>, Draft) = ((0..self.named).collect(), Draft::default());
        instantiate(vocabulary, self, &own, named, &mut draft);
        draft
    }

    /// Whether it says something of numbers.
    pub fn has_numbers(&self) -> bool {
        let here = self.relations.iter().any(|relation| matches!(relation, Relation::Linear(_)));
        here || self.others.iter().flat_map(|others| others.situations()).any(Cube::has_numbers)
    }

    /// How many cells it restricts, how many relations it has, and one for what it says of others: the more,
    /// the fewer states.
    pub fn literals(&self, vocabulary: &Vocabulary<'_>) -> usize {
        let layout = vocabulary.layout(self.named);
        let restricted: u32 = (self.words.iter().zip(&layout.full).enumerate())
            .map(|(at, (&word, &full))| {
                let (bits, guards) = (layout.shape.bits[at], layout.shape.guards[at]);
                polycube_smt::shape::nonempty(full & !word, bits, guards).count_ones()
            })
            .sum();
        restricted as usize + self.relations.len() + usize::from(self.others.is_some())
    }

    /// Roughly how many bytes it takes on the heap, apart from its own size.
    pub fn heap_bytes(&self) -> usize {
        let of_relation = |relation: &Relation| match relation {
            Relation::Ordered(_) => 0,
            Relation::Linear(linear) => allocated(linear.terms.capacity() * size_of_val(&linear.terms[0])),
        };
        allocated(size_of_val(&*self.words))
            + allocated(self.relations.capacity() * size_of::<Relation>())
            + self.relations.iter().map(of_relation).sum::<usize>()
            + self.others.as_ref().map_or(0, |others| others.heap_bytes())
    }
}

/// How many bytes an allocation of some bytes takes with a common allocator: a header, and rounding.
pub(crate) fn allocated(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { (bytes + 8).next_multiple_of(16).max(32) }
}
