//! What cubes speak about: the cells of a system, and where each stands in the words of a cube.
//!
//! A cube over k processes speaks of the cells `X`, `A[z]`, `M[z, z']` whose indices are among its processes
//! z0 .. z(k-1). Cells of a finite type have a field of bits, see [`polycube_smt::shape`]. They are laid out
//! in *blocks*: one for the variables, one for each process with the cells that it alone indexes, one for
//! each pair, and so on; so a renaming of processes moves blocks as they are. Only the fields of type `proc`
//! have to be rewritten: their bits are the processes of the cube, and one for "some other process".

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use polycube_language::System;
use polycube_language::system::{Enumeration, SymbolId, Type};
use polycube_smt::relation::{NumberKind, Sort, SortId, Variable};
use polycube_smt::shape::{Field, Kind, MAX_WIDTH, Shape};

use super::limits::{Unsupported, cells_of, check_limits, least_named};
use super::subtype::subtypes;

/// How many processes a cube names at most.
pub const MAX_NAMED: u8 = 15;

/// The bit for "some process that the cube does not name".
pub const OTHER: u8 = 15;

/// The sort of processes: the first.
pub const PROCESSES: SortId = SortId(0);

/// How many values an enumeration may have.
pub const MAX_VALUES: usize = MAX_WIDTH as usize;

/// How many dimensions arrays may have.
pub const MAX_DIMENSIONS: usize = 4;

/// How many cells a cube may speak about: half as many as a [`Variable`] can number. The rest is for values
/// of `?`.
pub const MAX_CELLS: usize = u16::MAX as usize / 2;

/// How many types there may be, `proc` and `bool` included: as many as a [`SortId`] can number.
pub const MAX_TYPES: usize = 1 << u16::BITS;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Universe {
    /// Those that a cube names, and any number of others.
    Open,
    /// Exactly this many; a cube names them all, in their order.
    Closed(u8),
}

#[derive(Debug)]
pub struct Vocabulary<'s> {
    pub system: &'s System,
    pub universe: Universe,
    /// The most processes that a cube can name.
    pub max_named: u8,
    /// The processes that the system names, which no renaming moves: bits. Only in a closed universe.
    pub pinned: u16,
    symbols: Vec<SymbolShape>,
    /// For each number of dimensions.
    pub(super) blocks: Vec<Block>,
    layouts: [OnceLock<CubeLayout>; MAX_NAMED as usize + 1],
    /// Set when whoever works with it has to end.
    pub interrupt: Arc<AtomicBool>,
}

#[derive(Clone, Copy, Debug)]
struct SymbolShape {
    dimensions: usize,
    /// What its cells are; a field stands at this place in each of their blocks.
    kind: Kind,
    /// The values of an enumeration that can ever occur.
    values: u64,
}

/// The words of the cells with the same indices.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub words: usize,
    /// The fields of type `proc`.
    pub pointers: Vec<Field>,
    /// The bits of all other fields.
    pub plain: Vec<u64>,
    /// The guard bits of all other fields.
    pub plain_guards: Vec<u64>,
}

#[derive(Debug)]
pub struct CubeLayout {
    pub named: u8,
    /// What the variables are, for the solver; its variables are the cells.
    pub shape: Shape,
    /// The words of the cube that says nothing.
    pub full: Vec<u64>,
    /// For each number of dimensions, where its blocks begin.
    pub(super) starts: Vec<usize>,
    first_cells: Vec<u16>,
    cells: Vec<CubeCell>,
}

/// A symbol, and the processes that index it: as many as it has dimensions.
#[derive(Clone, Copy, Debug)]
struct CubeCell {
    symbol: SymbolId,
    dimensions: u8,
    indices: [u8; MAX_DIMENSIONS],
}

impl<'s> Vocabulary<'s> {
    pub fn new(system: &'s System, universe: Universe) -> Result<Vocabulary<'s>, Unsupported> {
        check_limits(system, universe)?;
        let mut blocks = vec![Block::default(); MAX_DIMENSIONS + 1];
        let mut used = [64u8; MAX_DIMENSIONS + 1];
        let values = subtypes(system);
        let mut symbols = Vec::new();
        for (symbol, values) in system.symbols.iter().zip(values) {
            let dimensions = symbol.dimensions();
            let mut allocate = |width: u8| {
                let block = &mut blocks[dimensions];
                if used[dimensions] + width + 1 > 64 {
                    block.words += 1;
                    block.plain.push(0);
                    block.plain_guards.push(0);
                    used[dimensions] = 0;
                }
                let field = Field { word: word_number(block.words - 1), shift: used[dimensions], width };
                used[dimensions] += width + 1;
                field
            };
            let kind = match symbol.ty {
                Type::Process => {
                    let field = allocate(OTHER + 1);
                    blocks[dimensions].pointers.push(field);
                    Kind::Finite(PROCESSES, field)
                }
                Type::Enumeration(id) => {
                    let field = allocate(points(system.enumeration(id)));
                    let block = &mut blocks[dimensions];
                    block.plain[field.word as usize] |= field.bits();
                    block.plain_guards[field.word as usize] |= field.guard();
                    Kind::Finite(sort_of(system, symbol.ty), field)
                }
                Type::Abstract(_) => Kind::Unbounded(sort_of(system, symbol.ty)),
                Type::Integer => Kind::Number(NumberKind::Integer),
                Type::Real => Kind::Number(NumberKind::Real),
            };
            symbols.push(SymbolShape { dimensions, kind, values });
        }
        let mut vocabulary = Vocabulary {
            system,
            universe,
            max_named: MAX_NAMED,
            pinned: if universe == Universe::Open { 0 } else { named_processes(system) },
            symbols,
            blocks,
            layouts: Default::default(),
            interrupt: Arc::default(),
        };
        let fits = |named: &u8| cells_of(system, *named) <= MAX_CELLS;
        let least = least_named(universe);
        vocabulary.max_named = (least..=MAX_NAMED).take_while(fits).last().expect("the least number fits");
        Ok(vocabulary)
    }

    /// The same, with a flag that is set when whoever works with it has to end.
    #[must_use]
    pub fn until(self, interrupt: &Arc<AtomicBool>) -> Vocabulary<'s> {
        Vocabulary { interrupt: Arc::clone(interrupt), ..self }
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Whether there are processes that a cube does not name.
    pub fn is_open(&self) -> bool {
        self.universe == Universe::Open
    }

    /// The values that a symbol can ever hold, if its type is an enumeration.
    pub fn values(&self, symbol: SymbolId) -> Option<u64> {
        self.symbols[symbol.0 as usize].values()
    }

    /// Whether some symbol has no value that it can ever hold: then there are no initial states.
    pub fn has_no_states(&self) -> bool {
        self.symbols.iter().any(|symbol| symbol.values() == Some(0))
    }

    pub fn layout(&self, named: u8) -> &CubeLayout {
        self.layouts[usize::from(named)].get_or_init(|| self.make_layout(named))
    }

    fn make_layout(&self, named: u8) -> CubeLayout {
        let system = self.system;
        let mut starts = Vec::new();
        let mut words = 0;
        for (dimensions, block) in self.blocks.iter().enumerate() {
            starts.push(words);
            words += block.words * tuples(named, dimensions);
        }
        let mut sorts = vec![Sort { points: named, other: self.is_open().then_some(OTHER) }];
        let of_enumeration = |enumeration| Sort { points: points(enumeration), other: None };
        sorts.extend(system.enumerations.iter().map(of_enumeration));
        sorts.extend(system.abstract_types.iter().map(|_| Sort { points: 0, other: Some(0) }));
        let mut shape = Shape { bits: vec![0; words], guards: vec![0; words], variables: Vec::new(), sorts };
        let mut full = vec![0; words];
        let (mut first_cells, mut cells) = (Vec::new(), Vec::new());
        for (symbol, id) in self.symbols.iter().zip((0..).map(SymbolId)) {
            let first = u16::try_from(shape.variables.len());
            first_cells.push(first.expect("a cube names no more processes than there is room for"));
            for tuple in 0..tuples(named, symbol.dimensions) {
                cells.push(CubeCell::new(id, symbol.dimensions, tuple, named));
                let start = starts[symbol.dimensions] + tuple * self.blocks[symbol.dimensions].words;
                shape.variables.push(match symbol.kind {
                    Kind::Finite(sort, field) => {
                        let field = Field { word: field.word + word_number(start), ..field };
                        shape.bits[field.word as usize] |= field.bits();
                        shape.guards[field.word as usize] |= field.guard();
                        let is_pointer = sort == PROCESSES;
                        field.set(
                            &mut full,
                            if is_pointer { self.all_processes(named) } else { symbol.values },
                        );
                        Kind::Finite(sort, field)
                    }
                    kind => kind,
                });
            }
        }
        CubeLayout { named, shape, full, starts, first_cells, cells }
    }

    pub fn all_processes(&self, named: u8) -> u64 {
        let others = if self.is_open() { 1 << OTHER } else { 0 };
        ((1 << named) - 1) | others
    }
}

impl SymbolShape {
    fn values(&self) -> Option<u64> {
        matches!(self.kind, Kind::Finite(sort, _) if sort != PROCESSES).then_some(self.values)
    }
}

impl CubeCell {
    /// The cell of a symbol at the tuple of processes with this number.
    fn new(symbol: SymbolId, dimensions: usize, mut tuple: usize, named: u8) -> CubeCell {
        let mut indices = [0; MAX_DIMENSIONS];
        for index in indices[..dimensions].iter_mut().rev() {
            *index = u8::try_from(tuple % usize::from(named)).expect("a rest is below its divisor");
            tuple /= usize::from(named);
        }
        let dimensions = u8::try_from(dimensions).expect("arrays have few dimensions");
        CubeCell { symbol, dimensions, indices }
    }
}

impl CubeLayout {
    /// The cell of a symbol at these processes.
    #[inline]
    pub fn cell(&self, symbol: SymbolId, indices: &[u8]) -> Variable {
        let place =
            indices.iter().fold(0u16, |place, &index| place * u16::from(self.named) + u16::from(index));
        Variable(self.first_cells[symbol.0 as usize] + place)
    }

    #[inline]
    pub fn symbol(&self, cell: Variable) -> SymbolId {
        self.cells[usize::from(cell.0)].symbol
    }

    /// The processes that index a cell.
    #[inline]
    pub fn indices(&self, cell: Variable) -> &[u8] {
        let CubeCell { dimensions, indices, .. } = &self.cells[usize::from(cell.0)];
        &indices[..usize::from(*dimensions)]
    }

    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    /// The cells of which some words exclude a value that can occur: with their sorts, fields and values.
    pub fn restricted<'l>(
        &'l self,
        words: &'l [u64],
    ) -> impl Iterator<Item = (Variable, SortId, Field, u64)> + 'l {
        self.shape.iter().filter_map(|(cell, kind)| {
            let Kind::Finite(sort, field) = kind else { return None };
            let values = field.get(words);
            (values != field.get(&self.full)).then_some((cell, sort, field, values))
        })
    }
}

/// The sort of a type that is no number: processes, then the enumerations, then the abstract types.
pub fn sort_of(system: &System, ty: Type) -> SortId {
    match ty {
        Type::Process => PROCESSES,
        Type::Enumeration(id) => sort(1 + id.0 as usize),
        Type::Abstract(id) => sort(1 + system.enumerations.len() + id.0 as usize),
        Type::Integer | Type::Real => panic!("numbers have no sort"),
    }
}

fn sort(number: usize) -> SortId {
    SortId(u16::try_from(number).expect("a system with too many types has no vocabulary"))
}

fn points(enumeration: &Enumeration) -> u8 {
    u8::try_from(enumeration.constructors.len())
        .expect("an enumeration with too many values has no vocabulary")
}

fn word_number(word: usize) -> u32 {
    u32::try_from(word).expect("there are no more words than cells")
}

/// How many tuples of named processes there are.
pub(super) fn tuples(named: u8, dimensions: usize) -> usize {
    (0..dimensions).map(|_| usize::from(named)).product()
}

pub fn type_of(system: &System, sort: SortId) -> Type {
    use polycube_language::system::{AbstractTypeId, EnumerationId};
    let enumerations = u32::try_from(system.enumerations.len()).expect("ids of types have 32 bits");
    match u32::from(sort.0).checked_sub(1) {
        None => Type::Process,
        Some(id) if id < enumerations => Type::Enumeration(EnumerationId(id)),
        Some(id) => Type::Abstract(AbstractTypeId(id - enumerations)),
    }
}

/// The processes `#1`, `#2`, ... that occur anywhere, as bits.
fn named_processes(system: &System) -> u16 {
    let bit = |process: u32| 1u16.checked_shl(process);
    let bit = |process| bit(process).expect("a cube names all processes of a closed universe");
    system.named_processes().into_iter().fold(0, |named, process| named | bit(process))
}
