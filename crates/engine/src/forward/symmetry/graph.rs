//! What a state says about processes and abstract values, as a coloured graph: they are its vertices, and its
//! edges are the slots that relate them.

use polycube_language::system::{SymbolId, Type};

use super::renamed_types;
use crate::compile::Instance;
use crate::compile::layout::{Field, word_of};
use crate::compile::order::Distinctions;
use crate::compile::slot::tuples;
use crate::forward::hash::mix;

/// A process or a value that may be renamed. Vertices of different kinds (0 for processes, then a number for
/// each type) are never confused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Vertex {
    pub(super) kind: u32,
    /// What is known about it that does not depend on names.
    pub(super) colour: u64,
    pub(super) number: u32,
}

impl Vertex {
    /// Whether nothing tells it from another one of its kind.
    pub(super) fn looks_like(&self, other: &Vertex) -> bool {
        (self.kind, self.colour) == (other.kind, other.colour)
    }
}

/// Two vertices of a kind that exchange their names.
#[derive(Clone, Copy, Debug)]
struct Exchange {
    left: usize,
    right: usize,
}

impl Exchange {
    fn of(self, number: usize) -> usize {
        match number {
            number if number == self.left => self.right,
            number if number == self.right => self.left,
            number => number,
        }
    }
}

/// What a slot holds, as far as renaming is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Plain,
    Pointer,
    /// A value of the abstract type with this number in [`Graph::values`].
    Value(usize),
}

/// The cells of an array of two or more dimensions.
#[derive(Clone, Debug)]
struct Wide {
    symbol: u64,
    content: Content,
    cells: Vec<(Vec<u32>, Field)>,
    /// The position of a tuple among the cells: the sum of process times weight.
    weights: Vec<usize>,
    /// For each process, the positions of the tuples in which it is.
    of_process: Vec<Vec<u32>>,
}

impl Wide {
    /// The position of a tuple whose processes get other names.
    fn position(&self, tuple: &[u32], name: impl Fn(usize) -> usize) -> usize {
        tuple.iter().zip(&self.weights).map(|(&process, weight)| name(process as usize) * weight).sum()
    }
}

/// The cells of a one-dimensional array that hold processes or values.
#[derive(Clone, Debug)]
struct Array {
    symbol: u64,
    content: Content,
    cells: Vec<Field>,
    /// What a cell adds to the colour of what it holds; the second, of the process at which it lies.
    colours: [u64; 2],
}

/// An abstract type whose values may be renamed.
#[derive(Clone, Debug)]
struct Values {
    count: u32,
    /// The global slots that hold one, with what they add to its colour.
    globals: Vec<(u64, Field)>,
    /// All slots that hold one.
    fields: Vec<Field>,
}

/// Whether abstract values are renamed together with processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueNames {
    /// They have their final names: they are bits like others.
    Fixed,
    Renamed,
}

/// What a state of an instance says about processes and values that may be renamed.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    processes: usize,
    /// The processes that may be renamed, in increasing order.
    pub(super) free: Vec<u32>,
    /// The global slots that hold a process.
    pub(super) pointers: Vec<Field>,
    /// What each of them adds to the colour of the process that it holds.
    pointer_colours: Vec<u64>,
    /// The blocks of bits of the processes, with the bits that renaming does not touch.
    blocks: Vec<(u64, Vec<Field>)>,
    arrays: Vec<Array>,
    wide: Vec<Wide>,
    values: Vec<Values>,
    /// The bits of each word that belong to no process.
    globals: Vec<u64>,
    /// The vertices are numbered: processes first, then the values of each type, from here on.
    pub(super) first_values: Vec<usize>,
}

/// New names: for processes, and for the values of each type, one behind the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Renaming {
    pub(super) processes: Vec<u32>,
    pub(super) values: Vec<Vec<u32>>,
}

impl Graph {
    /// The graph of an instance; none if there is nothing to rename.
    pub(super) fn new(instance: &Instance<'_>, names: ValueNames) -> Option<Graph> {
        let (system, slots, layout) = (instance.system, &instance.slots, &instance.layout);
        let processes = slots.processes();
        let distinctions = Distinctions::of(system);
        let free: Vec<u32> = if distinctions.is_ordered(Type::Process) {
            Vec::new()
        } else {
            (0..processes).filter(|process| !distinctions.named.contains(process)).collect()
        };
        let free = if free.len() < 2 { Vec::new() } else { free };

        let renamed_types = match names {
            ValueNames::Fixed => Vec::new(),
            ValueNames::Renamed => renamed_types(system),
        };
        let content = |symbol: SymbolId| match system.symbol(symbol).ty {
            Type::Process => Content::Pointer,
            ty => renamed_types.iter().position(|&other| other == ty).map_or(Content::Plain, Content::Value),
        };
        let mut values: Vec<Values> = renamed_types
            .iter()
            .map(|&ty| {
                let symbol = system.symbols.iter().position(|symbol| symbol.ty == ty);
                let count = symbol.and_then(|symbol| instance.slots.domains[symbol].size()).unwrap_or(0);
                let count = u32::try_from(count).expect("abstract types have few values");
                Values { count, globals: Vec::new(), fields: Vec::new() }
            })
            .collect();
        if free.is_empty() && values.iter().all(|values| values.count < 2) {
            return None;
        }

        let mut graph = Graph {
            processes: processes as usize,
            free,
            pointers: Vec::new(),
            pointer_colours: Vec::new(),
            blocks: Vec::new(),
            arrays: Vec::new(),
            wide: Vec::new(),
            values: Vec::new(),
            globals: vec![0; layout.words],
            first_values: Vec::new(),
        };
        for (declared, id) in system.symbols.iter().zip(0..) {
            // What tells symbols apart in colours.
            let symbol = u64::from(id);
            let id = SymbolId(id);
            if instance.slots.domains[id.0 as usize].bits() == 0 {
                continue;
            }
            let content = content(id);
            let fields: Vec<Field> = slots.of_symbol(id).map(|slot| layout.field(slot)).collect();
            if let Content::Value(ty) = content {
                values[ty].fields.extend(&fields);
            }
            match (declared.dimensions(), content) {
                (0, _) => {
                    graph.globals[usize::from(fields[0].word)] |= fields[0].mask();
                    match content {
                        Content::Pointer => {
                            graph.pointers.push(fields[0]);
                            graph.pointer_colours.push(mix(symbol, 3));
                        }
                        Content::Value(ty) => values[ty].globals.push((mix(symbol, 4), fields[0])),
                        Content::Plain => {}
                    }
                }
                (1, Content::Plain) => {}
                (1, _) => {
                    let colours = [mix(symbol, 5), mix(symbol, 6)];
                    graph.arrays.push(Array { symbol, content, cells: fields, colours });
                }
                (dimensions, _) => {
                    let cells: Vec<(Vec<u32>, Field)> = tuples(processes, dimensions).zip(fields).collect();
                    let mut of_process = vec![Vec::new(); processes as usize];
                    for (position, (tuple, _)) in (0..).zip(&cells) {
                        for (at, &process) in tuple.iter().enumerate() {
                            if !tuple[..at].contains(&process) {
                                of_process[process as usize].push(position);
                            }
                        }
                    }
                    let weight = |at: usize| (at + 1..dimensions).map(|_| processes as usize).product();
                    let weights = (0..dimensions).map(weight).collect();
                    graph.wide.push(Wide { symbol, content, cells, weights, of_process });
                }
            }
        }
        for block in &layout.blocks {
            let plain = block.symbols.iter().filter(|(symbol, _)| content(*symbol) == Content::Plain);
            let bits = plain.map(|&(symbol, offset)| {
                ((1u64 << instance.slots.domains[symbol.0 as usize].bits()) - 1) << offset
            });
            graph.blocks.push((bits.fold(0, |all, bits| all | bits), block.places.clone()));
        }
        let mut first = graph.processes;
        for values in &values {
            graph.first_values.push(first);
            first += values.count as usize;
        }
        graph.values = values;
        Some(graph)
    }

    /// Whether there is nothing to rename but processes, and nothing that relates them to each other.
    pub(super) fn has_only_blocks_and_pointers(&self) -> bool {
        self.values.is_empty() && !self.has_edges()
    }

    /// Whether some slots relate processes or values to each other.
    pub(super) fn has_edges(&self) -> bool {
        !self.arrays.is_empty() || !self.wide.is_empty()
    }

    /// How many vertices there are: processes, then the values of each type.
    pub(super) fn vertices(&self) -> usize {
        self.processes + self.values.iter().map(|values| values.count as usize).sum::<usize>()
    }

    /// The position of the first vertex of a kind.
    pub(super) fn first_vertex(&self, kind: u32) -> usize {
        if kind == 0 { 0 } else { self.first_values[kind as usize - 1] }
    }

    /// Whether exchanging two vertices of a kind changes nothing.
    pub(super) fn are_exchangeable<const W: usize>(
        &self,
        state: &[u64; W],
        left: Vertex,
        right: Vertex,
    ) -> bool {
        if left.kind != 0 {
            // Some slot holds one, and would hold the other.
            return false;
        }
        let (left, right) = (left.number as usize, right.number as usize);
        let exchange = Exchange { left, right };
        let same_blocks = |(plain, places): &(u64, Vec<Field>)| {
            (places[left].get(state) ^ places[right].get(state)) & plain == 0
        };
        let points_to_neither = |pointer: &Field| {
            let target = pointer.index(state);
            exchange.of(target) == target
        };
        let same_cells = |array: &Array| {
            let holds = |process: usize| array.cells[process].index(state);
            match array.content {
                Content::Pointer => (0..self.processes)
                    .all(|process| holds(exchange.of(process)) == exchange.of(holds(process))),
                _ => holds(left) == holds(right),
            }
        };
        let same_wide_cells = |wide: &Wide| {
            let same = |position: usize| {
                let (tuple, here) = &wide.cells[position];
                let (_, there) = &wide.cells[wide.position(tuple, |process| exchange.of(process))];
                match wide.content {
                    Content::Pointer => there.index(state) == exchange.of(here.index(state)),
                    _ => there.get(state) == here.get(state),
                }
            };
            match wide.content {
                Content::Pointer => (0..wide.cells.len()).all(same),
                // Cells without the two processes stay where they are; those with the other one come in pairs
                // with these.
                _ => wide.of_process[left].iter().all(|&position| same(position as usize)),
            }
        };
        self.blocks.iter().all(same_blocks)
            && self.pointers.iter().all(points_to_neither)
            && self.arrays.iter().all(same_cells)
            && self.wide.iter().all(same_wide_cells)
    }

    /// Colours that say what a vertex is, without regard to its name; and which values are used.
    pub(super) fn first_colours<const W: usize>(
        &self,
        state: &[u64; W],
        colours: &mut Vec<u64>,
        used: &mut Vec<u64>,
    ) {
        colours.resize(self.vertices(), 0);
        used.clear();
        used.resize(self.values.len(), 0);
        // A process that keeps its name has a colour of its own.
        let mut free = self.free.iter().peekable();
        for (process, colour) in colours[..self.processes].iter_mut().enumerate() {
            if free.next_if(|&&other| other as usize == process).is_none() {
                *colour = mix(process as u64, 1);
                continue;
            }
            for (plain, places) in &self.blocks {
                *colour = mix(*colour ^ (places[process].get(state) & plain), 2);
            }
        }
        let mut add = |vertex: usize, value: u64| colours[vertex] = colours[vertex].wrapping_add(value);
        for (pointer, colour) in self.pointers.iter().zip(&self.pointer_colours) {
            add(pointer.index(state), *colour);
        }
        for (kind, values) in self.values.iter().enumerate() {
            for &(colour, field) in &values.globals {
                let code = field.index(state);
                used[kind] |= 1 << code;
                add(self.first_values[kind] + code, colour);
            }
        }
        for array in &self.arrays {
            for (process, cell) in array.cells.iter().enumerate() {
                let code = cell.index(state);
                match array.content {
                    Content::Value(kind) => {
                        used[kind] |= 1 << code;
                        add(self.first_values[kind] + code, array.colours[0]);
                    }
                    _ => add(code, array.colours[usize::from(code == process)]),
                }
            }
        }
        for wide in &self.wide {
            if let Content::Value(kind) = wide.content {
                wide.cells.iter().for_each(|(_, cell)| used[kind] |= 1 << cell.get(state));
            }
        }
    }

    /// Colours that also say what the neighbours are. Adds to the colour of each vertex a sum over its edges,
    /// so the order of edges does not matter.
    pub(super) fn refine<const W: usize>(&self, state: &[u64; W], colours: &[u64], next: &mut [u64]) {
        let target = |content: Content, cell: Field| match content {
            Content::Plain => None,
            Content::Pointer => Some(cell.index(state)),
            Content::Value(ty) => Some(self.first_values[ty] + cell.index(state)),
        };
        let add =
            |next: &mut [u64], vertex: usize, value: u64| next[vertex] = next[vertex].wrapping_add(value);
        next.copy_from_slice(colours);
        for array in &self.arrays {
            for (process, cell) in array.cells.iter().enumerate() {
                if let Some(target) = target(array.content, *cell) {
                    add(next, process, mix(colours[target], array.symbol * 2 + 32));
                    add(next, target, mix(colours[process], array.symbol * 2 + 33));
                }
            }
        }
        for wide in &self.wide {
            for (tuple, cell) in &wide.cells {
                let target = target(wide.content, *cell);
                // The colour of the whole edge, then what it means to each of its ends.
                let mut edge =
                    mix(wide.symbol, target.map_or_else(|| cell.get(state) + 1, |target| colours[target]));
                for (at, &process) in tuple.iter().enumerate() {
                    let repeated = tuple.iter().position(|&other| other == process).unwrap_or(at);
                    edge = mix(edge ^ colours[process as usize], 16 + repeated as u64);
                }
                if let Some(target) = target {
                    let repeated = tuple.iter().position(|&other| other as usize == target);
                    if wide.content == Content::Pointer {
                        edge = mix(edge, 64 + repeated.map_or(0, |at| at as u64 + 1));
                    }
                    add(next, target, mix(edge, 5));
                }
                for (at, &process) in tuple.iter().enumerate() {
                    add(next, process as usize, mix(edge, 6 + at as u64));
                }
            }
        }
    }

    /// Every vertex keeps its name.
    pub(super) fn identity(&self, renaming: &mut Renaming) {
        renaming.processes.clear();
        renaming.processes.extend((0..).take(self.processes));
        renaming.values.resize(self.values.len(), Vec::new());
        for (renaming, values) in renaming.values.iter_mut().zip(&self.values) {
            renaming.clear();
            renaming.extend(0..values.count);
        }
    }

    /// The state with new names.
    pub(super) fn renamed<const W: usize>(&self, state: &[u64; W], renaming: &Renaming) -> [u64; W] {
        let mut result = *state;
        if renaming.processes.iter().zip(0..).any(|(&name, process)| name != process) {
            self.rename_processes(state, &mut result, &renaming.processes);
        }
        for (values, names) in self.values.iter().zip(&renaming.values) {
            if names.iter().zip(0..).any(|(&name, value)| name != value) {
                for field in &values.fields {
                    let name = names[field.index(&result)];
                    field.set(&mut result, u64::from(name));
                }
            }
        }
        result
    }

    fn rename_processes<const W: usize>(&self, state: &[u64; W], result: &mut [u64; W], names: &[u32]) {
        result.iter_mut().zip(&self.globals).for_each(|(word, mask)| *word &= mask);
        let name = |process: usize| names[process] as usize;
        for (_, places) in &self.blocks {
            for (place, &name) in places.iter().zip(names) {
                let target = places[name as usize];
                result[word_of::<W>(target.word)] |= place.get(state) << target.shift;
            }
        }
        for array in self.arrays.iter().filter(|array| array.content == Content::Pointer) {
            for (process, cell) in array.cells.iter().enumerate() {
                array.cells[name(process)].set(result, name(cell.index(state)) as u64);
            }
        }
        for wide in &self.wide {
            for (tuple, cell) in &wide.cells {
                let target = wide.position(tuple, name);
                let code = match wide.content {
                    Content::Pointer => name(cell.index(state)) as u64,
                    _ => cell.get(state),
                };
                wide.cells[target].1.set(result, code);
            }
        }
        for pointer in &self.pointers {
            pointer.set(result, name(pointer.index(state)) as u64);
        }
    }
}
