//! One representative for all states that differ only in the names of processes and of abstract values.
//!
//! **Sound** because a system treats them alike: renaming the processes of a run gives a run. That fails for
//! processes that the model names (`#1`), which are never renamed; and where processes are compared by `<`,
//! where no two are. Likewise for the values of an abstract type. The properties are symmetric, too, and so
//! are initial states and deadlocks.
//!
//! **Exact**: two states have the same representative if and only if one is a renaming of the other. So the
//! number of representatives is the number of classes, whatever the order in which they are found.
//!
//! Abstract values are named first, as far as global slots decide it ([`Naming`]). Then there are two ways
//! for processes. If everything a state says about processes is one block of bits for each and global
//! pointers to them, the blocks are sorted, with a bit for each pointer ([`Sorting`]). Otherwise
//! ([`Labelling`]) processes and values are the vertices of a coloured graph, of which a canonical labelling
//! is found as usual: colours are refined by the colours of neighbours until nothing changes; if some
//! vertices still have the same colour, each of the first such class is singled out in turn, except those
//! that play the same part as another one; of the results, the least is taken.

mod labelling;
mod naming;
mod sorting;

use polycube_language::System;
use polycube_language::system::Type;

use crate::compile::Instance;
use crate::compile::order::Distinctions;
use labelling::{Labelling, ValueNames};
use naming::{Named, Naming};
use sorting::Sorting;

pub use labelling::Scratch;

/// How representatives are found.
#[derive(Clone, Debug)]
pub struct Symmetry {
    naming: Naming,
    /// For states whose values have their names; none if processes cannot be renamed.
    processes: Option<Processes>,
    /// For the other states.
    all: Option<Labelling>,
}

#[derive(Clone, Debug)]
enum Processes {
    /// By sorting blocks.
    Sorting(Sorting),
    /// By labelling a graph.
    Labelling(Labelling),
}

impl Symmetry {
    /// The symmetry of an instance; none if there is nothing to rename.
    pub fn new(instance: &Instance<'_>) -> Option<Symmetry> {
        let naming = Naming::new(instance);
        let processes = Labelling::new(instance, ValueNames::Fixed).map(|labelling| {
            match Sorting::new(instance, &labelling) {
                Some(sorting) => Processes::Sorting(sorting),
                None => Processes::Labelling(labelling),
            }
        });
        if naming.is_empty() && processes.is_none() {
            return None;
        }
        Some(Symmetry { naming, processes, all: Labelling::new(instance, ValueNames::Renamed) })
    }

    /// Whether processes are renamed.
    pub fn renames_processes(&self) -> bool {
        self.processes.is_some()
    }

    /// The representative of a state. Some processes get the names that they have in it.
    #[inline]
    pub fn representative<const W: usize>(
        &self,
        state: &[u64; W],
        processes: &mut [u32],
        scratch: &mut Scratch,
    ) -> [u64; W] {
        let mut named = *state;
        // Renamings of a state are treated alike: how many values have no name yet does not depend on names.
        match (self.naming.name(&mut named), &self.processes, &self.all) {
            (Named::Some, _, Some(labelling)) => labelling.representative(state, processes, scratch),
            (_, Some(Processes::Sorting(sorting)), _) => sorting.representative(&named, processes),
            (_, Some(Processes::Labelling(labelling)), _) => {
                labelling.representative(&named, processes, scratch)
            }
            (_, None, _) => named,
        }
    }
}

/// The abstract types whose values may be renamed, in the order of the symbols.
fn renamed_types(system: &System) -> Vec<Type> {
    let distinctions = Distinctions::of(system);
    let mut types = Vec::new();
    for ty in system.symbols.iter().map(|symbol| symbol.ty) {
        if matches!(ty, Type::Abstract(_)) && !distinctions.is_ordered(ty) && !types.contains(&ty) {
            types.push(ty);
        }
    }
    types
}
