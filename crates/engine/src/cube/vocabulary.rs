//! What cubes speak about: the cells of a system, for a number of named processes, and where each stands in the
//! words of a cube.
//!
//! A cube over k processes speaks of the cells `X`, `A[z]`, `M[z, z']` whose indices are among its processes
//! z0 .. z(k-1). Cells of a finite type have a field of bits, see [`polycube_smt::shape`]. They are laid out in
//! *blocks*: one for the variables, one for each process with the cells that it alone indexes, one for each
//! pair, and so on; so a renaming of processes moves blocks as they are. Only the fields of type `proc` have to
//! be rewritten: their bits are the processes of the cube, and one for "some other process".

use std::fmt::{self, Display, Formatter};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use polycube_language::System;
use polycube_language::formula::Term;
use polycube_language::system::{Enumeration, Processes, SymbolId, Type, Update, Value};
use polycube_smt::relation::{NumberKind, Sort, SortId, Variable};
use polycube_smt::shape::{Field, Kind, MAX_WIDTH, Shape};

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

/// How many cells a cube may speak about: half as many as a [`Variable`] can number. The others are for values that a
/// step chooses.
pub const MAX_CELLS: usize = u16::MAX as usize / 2;

/// How many types there may be, `proc` and `bool` included: as many as a [`SortId`] can number.
pub const MAX_TYPES: usize = 1 << u16::BITS;

/// Which processes there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Universe {
    /// Those that a cube names, and any number of others.
    Open,
    /// Exactly this many; a cube names them all, in their order.
    Closed(u8),
}

/// Why a system cannot be treated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// An enumeration has too many values.
    Values {
        /// Its name.
        name: String,
        /// How many it has.
        given: usize,
    },
    /// There are this many types.
    Types(usize),
    /// An array has too many dimensions.
    Dimensions {
        /// Its name.
        name: String,
        /// How many it has.
        given: usize,
    },
    /// `number_procs` is too large.
    Processes(u32),
    /// There are too many cells.
    Cells {
        /// For this many processes.
        processes: u8,
        /// How many there are.
        given: usize,
    },
    /// An `unsafe` or `invariant` clause has a universal quantifier: the index of the clause.
    Universal(usize),
}

impl std::error::Error for Unsupported {}

impl Display for Unsupported {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Values { name, given } => {
                write!(out, "the type `{name}` has {given} values: at most {MAX_VALUES} are supported")
            }
            Unsupported::Types(given) => {
                write!(out, "the model has {given} types: at most {MAX_TYPES} are supported")
            }
            Unsupported::Dimensions { name, given } => {
                write!(out, "the array `{name}` has {given} indices: at most {MAX_DIMENSIONS} are supported")
            }
            Unsupported::Processes(count) => {
                write!(out, "`number_procs {count}` is too large: at most {MAX_NAMED} are supported")
            }
            Unsupported::Cells { processes, given } => {
                let s = if *processes == 1 { "" } else { "es" };
                let limit = format!("at most {MAX_CELLS} are supported");
                write!(out, "a state of {processes} process{s} has {given} cells: {limit}")
            }
            Unsupported::Universal(_) => {
                write!(out, "universally quantified `unsafe` and `invariant` clauses are not supported yet")
            }
        }
    }
}

/// The cells of a system.
#[derive(Debug)]
pub struct Vocabulary<'s> {
    /// The system.
    pub system: &'s System,
    /// Which processes there are.
    pub universe: Universe,
    /// The most processes that a cube can name.
    pub max_named: u8,
    /// The processes that the system names, which no renaming moves: bits. Only in a closed universe.
    pub pinned: u16,
    symbols: Vec<SymbolShape>,
    /// For each number of dimensions.
    pub(super) blocks: Vec<Block>,
    layouts: [OnceLock<Layout>; MAX_NAMED as usize + 1],
    /// Set when whoever works with it has to end.
    pub interrupt: Arc<AtomicBool>,
}

#[derive(Clone, Debug)]
struct SymbolShape {
    dimensions: usize,
    content: Content,
}

#[derive(Clone, Copy, Debug)]
enum Content {
    /// The place of the field in its block, and the values that can ever occur.
    Finite {
        sort: SortId,
        word: u32,
        shift: u8,
        width: u8,
        values: u64,
    },
    /// The same, for values that are processes.
    Process {
        word: u32,
        shift: u8,
    },
    Unbounded(SortId),
    Number(NumberKind),
}

/// The words of the cells with the same indices.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// How many words.
    pub words: usize,
    /// The fields of type `proc`: word and shift.
    pub pointers: Vec<(u32, u8)>,
    /// The bits of all other fields.
    pub plain: Vec<u64>,
    /// The guard bits of all other fields.
    pub plain_guards: Vec<u64>,
}

/// The cells of cubes over a fixed number of processes.
#[derive(Debug)]
pub struct Layout {
    /// How many processes the cubes name.
    pub named: u8,
    /// What the variables are, for the solver; its variables are the cells.
    pub shape: Shape,
    /// The words of the cube that says nothing.
    pub full: Vec<u64>,
    /// For each number of dimensions, where its blocks begin.
    pub(super) starts: Vec<usize>,
    /// For each symbol, its first cell.
    first_cells: Vec<u16>,
    /// For each cell, the symbol.
    symbols: Vec<SymbolId>,
}

impl<'s> Vocabulary<'s> {
    /// The cells of a system in a universe.
    pub fn new(system: &'s System, universe: Universe) -> Result<Vocabulary<'s>, Unsupported> {
        for enumeration in &system.enumerations {
            let given = enumeration.constructors.len();
            if given > MAX_VALUES {
                return Err(Unsupported::Values { name: enumeration.name.clone(), given });
            }
        }
        let types = 1 + system.enumerations.len() + system.abstract_types.len();
        if types > MAX_TYPES {
            return Err(Unsupported::Types(types));
        }
        let mut blocks = vec![Block::default(); MAX_DIMENSIONS + 1];
        let mut used = [64u8; MAX_DIMENSIONS + 1];
        let values = subtypes(system);
        let mut symbols = Vec::new();
        for (symbol, values) in system.symbols.iter().zip(values) {
            let dimensions = symbol.dimensions();
            if dimensions > MAX_DIMENSIONS {
                return Err(Unsupported::Dimensions { name: symbol.name.clone(), given: dimensions });
            }
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
            let content = match symbol.ty {
                Type::Process => {
                    let field = allocate(OTHER + 1);
                    blocks[dimensions].pointers.push((field.word, field.shift));
                    Content::Process { word: field.word, shift: field.shift }
                }
                Type::Enumeration(id) => {
                    let field = allocate(points(system.enumeration(id)));
                    let block = &mut blocks[dimensions];
                    block.plain[field.word as usize] |= field.bits();
                    block.plain_guards[field.word as usize] |= field.guard();
                    let Field { word, shift, width } = field;
                    Content::Finite { sort: sort_of(system, symbol.ty), word, shift, width, values }
                }
                Type::Abstract(_) => Content::Unbounded(sort_of(system, symbol.ty)),
                Type::Integer => Content::Number(NumberKind::Integer),
                Type::Real => Content::Number(NumberKind::Real),
            };
            symbols.push(SymbolShape { dimensions, content });
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
        // There is always a process: at least one has to fit, or all in a closed universe.
        let least = match universe {
            Universe::Open => 1,
            Universe::Closed(size) if size > MAX_NAMED => return Err(Unsupported::Processes(size.into())),
            Universe::Closed(size) => size.max(1),
        };
        let fits = |named: &u8| vocabulary.cells(*named) <= MAX_CELLS;
        let too_large = Unsupported::Cells { processes: least, given: vocabulary.cells(least) };
        vocabulary.max_named = (least..=MAX_NAMED).take_while(fits).last().ok_or(too_large)?;
        Ok(vocabulary)
    }

    /// The universe of the system.
    pub fn universe_of(system: &System) -> Result<Universe, Unsupported> {
        match system.processes {
            Processes::Any => Ok(Universe::Open),
            Processes::Exactly(size) => match u8::try_from(size) {
                Ok(size) if size <= MAX_NAMED => Ok(Universe::Closed(size)),
                _ => Err(Unsupported::Processes(size)),
            },
        }
    }

    /// The same, with a flag that is set when whoever works with it has to end.
    #[must_use]
    pub fn until(self, interrupt: &Arc<AtomicBool>) -> Vocabulary<'s> {
        Vocabulary { interrupt: Arc::clone(interrupt), ..self }
    }

    /// Whether whoever works with it has to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Whether there are processes that a cube does not name.
    pub fn is_open(&self) -> bool {
        self.universe == Universe::Open
    }

    /// The values that a symbol can ever hold, if its type is an enumeration.
    pub fn values(&self, symbol: SymbolId) -> Option<u64> {
        match self.symbols[symbol.0 as usize].content {
            Content::Finite { values, .. } => Some(values),
            _ => None,
        }
    }

    /// Whether some symbol has no value that it can ever hold: then no state can be reached, because there are no initial
    /// ones.
    pub fn has_no_states(&self) -> bool {
        let no_value = |symbol: &SymbolShape| matches!(symbol.content, Content::Finite { values: 0, .. });
        self.symbols.iter().any(no_value)
    }

    /// The cells of cubes over this many processes.
    pub fn layout(&self, named: u8) -> &Layout {
        self.layouts[usize::from(named)].get_or_init(|| self.make_layout(named))
    }

    fn cells(&self, named: u8) -> usize {
        self.symbols.iter().map(|symbol| tuples(named, symbol.dimensions)).sum()
    }

    fn make_layout(&self, named: u8) -> Layout {
        let system = self.system;
        let mut starts = Vec::new();
        let mut words = 0;
        for (dimensions, block) in self.blocks.iter().enumerate() {
            starts.push(words);
            words += block.words * tuples(named, dimensions);
        }
        let other = if self.is_open() { Some(OTHER) } else { None };
        let processes = self.all_processes(named);
        let mut sorts = vec![Sort { points: named, other }];
        let of_enumeration = |enumeration| Sort { points: points(enumeration), other: None };
        sorts.extend(system.enumerations.iter().map(of_enumeration));
        sorts.extend(system.abstract_types.iter().map(|_| Sort { points: 0, other: Some(0) }));
        let mut shape = Shape { bits: vec![0; words], guards: vec![0; words], variables: Vec::new(), sorts };
        let mut full = vec![0; words];
        let (mut first_cells, mut symbols) = (Vec::new(), Vec::new());
        for (symbol, id) in self.symbols.iter().zip(0..) {
            let first = u16::try_from(shape.variables.len());
            first_cells.push(first.expect("a cube names no more processes than there is room for"));
            for tuple in 0..tuples(named, symbol.dimensions) {
                symbols.push(SymbolId(id));
                let start = starts[symbol.dimensions] + tuple * self.blocks[symbol.dimensions].words;
                let mut field = |sort: SortId, word: u32, shift: u8, width: u8, values: u64| {
                    let field = Field { word: word + word_number(start), shift, width };
                    shape.bits[field.word as usize] |= field.bits();
                    shape.guards[field.word as usize] |= field.guard();
                    field.set(&mut full, values);
                    Kind::Finite(sort, field)
                };
                let kind = match symbol.content {
                    Content::Finite { sort, word, shift, width, values } => {
                        field(sort, word, shift, width, values)
                    }
                    Content::Process { word, shift } => field(PROCESSES, word, shift, OTHER + 1, processes),
                    Content::Unbounded(sort) => Kind::Unbounded(sort),
                    Content::Number(kind) => Kind::Number(kind),
                };
                shape.variables.push(kind);
            }
        }
        Layout { named, shape, full, starts, first_cells, symbols }
    }

    /// The set of all processes, where this many are named.
    pub fn all_processes(&self, named: u8) -> u64 {
        let others = if self.is_open() { 1 << OTHER } else { 0 };
        ((1 << named) - 1) | others
    }

    /// The dimensions of a symbol.
    pub fn dimensions(&self, symbol: usize) -> usize {
        self.symbols[symbol].dimensions
    }
}

impl Layout {
    /// The cell of a symbol at these processes.
    #[inline]
    pub fn cell(&self, symbol: SymbolId, indices: &[u8]) -> Variable {
        let place =
            indices.iter().fold(0u16, |place, &index| place * u16::from(self.named) + u16::from(index));
        Variable(self.first_cells[symbol.0 as usize] + place)
    }

    /// The symbol of a cell.
    #[inline]
    pub fn symbol(&self, cell: Variable) -> SymbolId {
        self.symbols[usize::from(cell.0)]
    }

    /// The processes that index a cell, as many as its symbol has dimensions.
    pub fn indices(&self, cell: Variable, dimensions: usize) -> Indices {
        let mut place = cell.0 - self.first_cells[self.symbol(cell).0 as usize];
        let length = u8::try_from(dimensions).expect("arrays have few dimensions");
        let mut indices = Indices { length, processes: [0; MAX_DIMENSIONS] };
        for index in (0..dimensions).rev() {
            let process = u8::try_from(place % u16::from(self.named));
            indices.processes[index] = process.expect("a rest is below its divisor");
            place /= u16::from(self.named);
        }
        indices
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.symbols.len()
    }
}

/// The indices of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indices {
    length: u8,
    processes: [u8; MAX_DIMENSIONS],
}

impl std::ops::Deref for Indices {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.processes[..usize::from(self.length)]
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

/// How many values an enumeration has.
fn points(enumeration: &Enumeration) -> u8 {
    u8::try_from(enumeration.constructors.len())
        .expect("an enumeration with too many values has no vocabulary")
}

/// The number of a word.
fn word_number(word: usize) -> u32 {
    u32::try_from(word).expect("there are no more words than cells")
}

/// How many tuples of named processes there are.
pub(super) fn tuples(named: u8, dimensions: usize) -> usize {
    (0..dimensions).map(|_| usize::from(named)).product()
}

/// The type of a sort.
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
    let mut named = 0;
    let mut note = |term: &Term| {
        if let Term::Process(number) = term {
            named |= 1u16.checked_shl(number - 1).expect("a cube names all processes of a closed universe");
        }
    };
    for formula in system.formulas() {
        formula.for_each_comparison(&mut |comparison| {
            comparison.left.for_each_part(&mut note);
            comparison.right.for_each_part(&mut note);
        });
    }
    for value in system.updates().flat_map(Update::values) {
        if let Value::Term(term) = value {
            term.for_each_part(&mut note);
        }
    }
    named
}
