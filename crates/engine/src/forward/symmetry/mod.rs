//! One representative for all states that differ only in the names of processes and of abstract values (after
//! the scalarsets of C. N. Ip and D. L. Dill, Better Verification Through Symmetry, Formal Methods in System
//! Design 9, 1996; but here a representative is always canonical).
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
//! is found as in nauty (B. D. McKay and A. Piperno, Practical Graph Isomorphism, II, Journal of Symbolic
//! Computation 60, 2014): colours are refined by the colours of neighbours until nothing changes; if some
//! vertices still have the same colour, each of the first such class is singled out in turn, except those
//! that play the same part as another one; of the results, the least is taken.

mod graph;
mod labelling;
mod naming;
mod sorting;

use polycube_language::System;
use polycube_language::system::Type;

use crate::compile::Instance;
use crate::compile::order::Distinctions;
use graph::{Graph, ValueNames};
use labelling::Labelling;
use naming::Naming;
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
    Sorting(Sorting),
    Labelling(Labelling),
}

impl Symmetry {
    /// The symmetry of an instance; none if there is nothing to rename.
    pub fn new(instance: &Instance<'_>) -> Option<Symmetry> {
        let naming = Naming::new(instance);
        let processes =
            Graph::new(instance, ValueNames::Fixed).map(|graph| match Sorting::new(instance, &graph) {
                Some(sorting) => Processes::Sorting(sorting),
                None => Processes::Labelling(Labelling { graph }),
            });
        let all = Graph::new(instance, ValueNames::Renamed).map(|graph| Labelling { graph });
        (!naming.is_empty() || processes.is_some()).then_some(Symmetry { naming, processes, all })
    }

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
            (false, _, Some(labelling)) => labelling.representative(state, processes, scratch),
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::atomic::AtomicBool;

    use polycube_language::check;
    use polycube_testing::for_seeds;

    use super::*;
    use crate::compile::domain::Bounds;
    use crate::compile::slot::{SlotId, injective_tuples, tuples};
    use crate::forward::hash::mix;

    /// The codes of a state, by slot, when processes and the values of its abstract type get new names.
    fn renamed(instance: &Instance<'_>, codes: &[u64], processes: &[u32], values: &[u32]) -> Vec<u64> {
        let mut result = vec![0; codes.len()];
        for (at, symbol) in instance.system.symbols.iter().enumerate() {
            let id = polycube_language::system::SymbolId(at as u32);
            for tuple in tuples(instance.slots.processes(), symbol.dimensions()) {
                let moved: Vec<u32> = tuple.iter().map(|&process| processes[process as usize]).collect();
                let SlotId(from) = instance.slots.slot(id, &tuple);
                let SlotId(to) = instance.slots.slot(id, &moved);
                let code = codes[from as usize];
                result[to as usize] = match symbol.ty {
                    Type::Process => u64::from(processes[code as usize]),
                    Type::Abstract(_) => u64::from(values[code as usize]),
                    _ => code,
                };
            }
        }
        result
    }

    /// Random states have the same representative if and only if one is a renaming of the other, and processes
    /// get the names that they have in it: compared with all renamings.
    fn compare_with_all_renamings(declarations: &str, processes: u32, rounds: u64, mut seed: u64) {
        let model = format!(
            "type value var X : bool {declarations}
            init {{ X = False }} unsafe {{ X = True }} transition stay (p) {{ X := False; }}"
        );
        let checked = check(&model);
        let system = checked.system.unwrap_or_else(|| panic!("a system: {:?}", checked.diagnostics));
        let bounds = Bounds { values: 3, ..Bounds::default() };
        let (precision, mut orders) = Instance::prepare(&system, processes, &bounds).expect("an instance");
        let interrupt = AtomicBool::new(false);
        let instance =
            Instance::new(&system, processes, &bounds, &precision, orders.remove(0), None, &interrupt)
                .expect("an instance");
        let symmetry = Symmetry::new(&instance).expect("something to rename");
        let fields = &instance.layout.fields;
        let pack = |codes: &[u64]| {
            let mut state = [0u64; 2];
            fields.iter().zip(codes).for_each(|(field, &code)| field.set(&mut state, code));
            state
        };
        let unpack = |state: [u64; 2]| fields.iter().map(|field| field.get(&state)).collect::<Vec<u64>>();
        let names: Vec<Vec<u32>> = injective_tuples(processes, processes as usize).collect();
        let values: Vec<Vec<u32>> = injective_tuples(3, 3).collect();
        let mut scratch = Scratch::default();
        let mut known: HashMap<Vec<u64>, [u64; 2]> = HashMap::new();
        for round in 0..rounds {
            // States have few different codes, every other one mostly 0, so that much looks alike.
            let codes: Vec<u64> = instance
                .slots
                .iter()
                .map(|slot| {
                    seed = mix(seed, round + u64::from(slot.0));
                    let size = instance.slots.domain(slot).size().expect("a finite domain") as u64;
                    let is_zero = round % 2 == 0 && !(seed >> 32).is_multiple_of(12);
                    if is_zero { 0 } else { seed % size.min(2 + round % 4) }
                })
                .collect();
            let all = names.iter().flat_map(|processes| values.iter().map(move |values| (processes, values)));
            let all = all.map(|(processes, values)| renamed(&instance, &codes, processes, values));
            let canonical = all.min().expect("there is one");
            let choice = &names[(mix(seed, 3) % names.len() as u64) as usize];
            let other = renamed(&instance, &codes, choice, &values[(seed % 6) as usize]);
            let mut arguments: Vec<u32> = (0..processes).collect();
            let representative = symmetry.representative(&pack(&codes), &mut arguments, &mut scratch);
            assert_eq!(symmetry.representative(&pack(&other), &mut [], &mut scratch), representative);
            // The new names lead to the representative, up to the names of values.
            let mut by_names = values.iter().map(|values| renamed(&instance, &codes, &arguments, values));
            assert!(by_names.any(|codes| codes == unpack(representative)), "{arguments:?}");
            if let Some(before) = known.insert(canonical, representative) {
                assert_eq!(before, representative);
            }
        }
        let mut representatives: Vec<[u64; 2]> = known.values().copied().collect();
        representatives.sort_unstable();
        representatives.dedup();
        assert_eq!(representatives.len(), known.len(), "different classes have different representatives");
        assert!(known.len() > 5, "only {} classes", known.len());
    }

    #[test]
    fn representatives_of_random_states_are_canonical() {
        const CASES: [(&str, u32, u64); 10] = [
            ("array A[proc] : bool array B[proc] : bool var Y : proc", 5, 200),
            // Enough to meet permutations with cycles of 2 and of 3, in which colours tell nobody apart.
            ("array Next[proc] : proc", 5, 2000),
            ("array Next[proc] : proc array A[proc] : bool var Y : proc", 5, 200),
            ("array Edge[proc, proc] : bool", 4, 200),
            ("array Edge[proc, proc] : bool", 5, 200),
            ("array Next[proc, proc] : proc", 3, 200),
            ("array Three[proc, proc, proc] : bool", 3, 200),
            ("array V[proc] : value array A[proc] : bool var W : value", 5, 200),
            ("array V[proc] : value array U[proc] : value array Next[proc] : proc", 4, 200),
            ("array V[proc, proc] : value", 3, 200),
        ];
        for_seeds!(20, |seed| {
            let (declarations, processes, rounds) = CASES[seed as usize % CASES.len()];
            compare_with_all_renamings(declarations, processes, rounds, seed);
        });
    }
}
