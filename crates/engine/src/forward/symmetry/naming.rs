//! New names for abstract values, from the global slots that hold them.
//!
//! Renaming processes does not change what global slots hold. So a value can be named by the first global
//! slot that holds it, before anything is done about processes: then it is as good as a constructor. Only
//! where several values occur in cells of processes and in no global slot has the choice of their names to
//! wait.

use polycube_language::System;
use polycube_language::system::SymbolId;

use super::renamed_types;
use crate::compile::Instance;
use crate::compile::layout::Field;

/// Names the values of all abstract types that may be renamed.
#[derive(Clone, Debug)]
pub(super) struct Naming {
    types: Vec<Names>,
}

#[derive(Clone, Debug)]
struct Names {
    count: usize,
    /// The slots that hold a value: global ones, and cells of processes.
    globals: Vec<Field>,
    cells: Vec<Field>,
    /// For a type with two values, the bits of each word that hold one: exchanging the values is inverting
    /// these.
    bits: Vec<u64>,
}

impl Naming {
    pub(super) fn new(instance: &Instance<'_>) -> Naming {
        let system: &System = instance.system;
        let types = renamed_types(system).into_iter().map(|ty| {
            let mut names = Names { count: 0, globals: Vec::new(), cells: Vec::new(), bits: Vec::new() };
            names.bits.resize(instance.layout.words, 0);
            for (symbol, at) in system.symbols.iter().zip((0..).map(SymbolId)) {
                if symbol.ty != ty {
                    continue;
                }
                names.count = instance.slots.domains[at.0 as usize].size().unwrap_or(0);
                let fields = instance.slots.of_symbol(at).map(|slot| instance.layout.field(slot));
                for field in fields {
                    names.bits[usize::from(field.word)] |= field.mask();
                    let list = if symbol.dimensions() == 0 { &mut names.globals } else { &mut names.cells };
                    list.push(field);
                }
            }
            names
        });
        Naming { types: types.filter(|names| names.count > 1).collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Names the values of a state, as far as global slots decide. Whether all that are used have their final
    /// names.
    #[inline]
    pub(super) fn name<const W: usize>(&self, state: &mut [u64; W]) -> bool {
        self.types.iter().fold(true, |all, names| names.name(state) & all)
    }
}

impl Names {
    #[inline]
    fn name<const W: usize>(&self, state: &mut [u64; W]) -> bool {
        match self.globals.first() {
            // Of two values, the one in the first global slot is the first; the other is the other.
            Some(first) if self.count == 2 => {
                if first.get(state) == 1 {
                    state.iter_mut().zip(&self.bits).for_each(|(word, bits)| *word ^= bits);
                }
                true
            }
            _ => self.name_many(state),
        }
    }

    fn name_many<const W: usize>(&self, state: &mut [u64; W]) -> bool {
        const NONE: u32 = u32::MAX;
        let (mut names, mut next) = ([NONE; 64], 0);
        let mut name_all = |fields: &[Field]| {
            for field in fields {
                let name = &mut names[field.index(state)];
                if *name == NONE {
                    *name = next;
                    next += 1;
                }
            }
            next
        };
        let in_globals = name_all(&self.globals);
        if name_all(&self.cells) > in_globals + 1 {
            return false;
        }
        for field in self.globals.iter().chain(&self.cells) {
            let name = names[field.index(state)];
            field.set(state, u64::from(name));
        }
        true
    }
}
