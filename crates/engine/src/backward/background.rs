//! What is known before a search begins: sets of states that are never reached.
//!
//! Some are impossible: where the system counts processes, a count that is less than the number of those that
//! are named. The others violate relations between numbers, which are found [beforehand](crate::counting): those
//! that no step leads to from outside are known.

use std::sync::Arc;

use polycube_language::system::Property;

use super::calls::Calls;
use super::coverage::{Coverage, coverage};
use super::strengthen::Strengthening;
use super::task::Task;
use super::verification::Checks;
use crate::counting::impossible;
use crate::cube::Cube;
use crate::cube::store::{NodeId, Store, TargetId};
use crate::cube::vocabulary::Vocabulary;
use crate::symbolic::root::property_cubes;

/// Cubes of states that are never reached.
pub(super) struct Background<'v, 's> {
    /// No state of an instance is in them.
    facts: Vec<Arc<Cube>>,
    /// They contain no initial state, and their predecessors are in them, or in the facts.
    pub relations: Vec<Arc<Cube>>,
    /// Relations of which that is not known.
    pub open: Vec<Arc<Cube>>,
    /// The facts.
    impossible: Store<'v, 's>,
    /// All that is known.
    store: Store<'v, 's>,
    strengthening: Strengthening,
}

impl<'v, 's> Background<'v, 's> {
    /// Nothing.
    pub fn none(vocabulary: &'v Vocabulary<'s>) -> Background<'v, 's> {
        let (facts, relations, open) = (Vec::new(), Vec::new(), Vec::new());
        let (impossible, store) = (Store::new(vocabulary), Store::new(vocabulary));
        let strengthening = Strengthening::default();
        Background { facts, relations, open, impossible, store, strengthening }
    }

    /// What is impossible, and the relations among those that are claimed that can be proved together, one step
    /// back. A task that is exact.
    pub fn new(task: &Task<'_, 'v, 's>, claimed: &[Property]) -> Background<'v, 's> {
        let cubes = |property: &Property| -> Option<Vec<Arc<Cube>>> {
            Some(property_cubes(task.vocabulary, property).ok()?.into_iter().map(Arc::new).collect())
        };
        let facts = impossible(task.system());
        let facts: Vec<Arc<Cube>> = facts.iter().filter_map(cubes).flatten().collect();
        let mut relations: Vec<Vec<Arc<Cube>>> = claimed.iter().filter_map(cubes).collect();
        let mut open = Vec::new();
        let stored = |cubes: &mut dyn Iterator<Item = &Arc<Cube>>| {
            let mut store = Store::new(task.vocabulary);
            for (number, cube) in cubes.enumerate() {
                store.insert(NodeId::new(number), TargetId::new(0), Arc::clone(cube));
            }
            store
        };
        let impossible = stored(&mut facts.iter());
        loop {
            let store = stored(&mut facts.iter().chain(relations.iter().flatten()));
            let is_closed = |cube: &Arc<Cube>| is_closed(task, &impossible, &store, cube);
            let is_proved = |cubes: &Vec<Arc<Cube>>| cubes.iter().all(is_closed);
            let (proved, rest): (Vec<_>, Vec<_>) = relations.into_iter().partition(is_proved);
            relations = proved;
            let is_done = rest.is_empty();
            open.extend(rest.into_iter().flatten());
            if is_done {
                let relations: Vec<Arc<Cube>> = relations.into_iter().flatten().collect();
                let strengthening = Strengthening::new(task.vocabulary, &relations);
                return Background { facts, relations, open, impossible, store, strengthening };
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.relations.is_empty()
    }

    /// The cube without states that are known not to be reached, if there is something to be said of all
    /// processes that it does not name.
    pub fn strengthened(&self, cube: &Cube) -> Option<Cube> {
        self.strengthening.strengthened(&self.store, cube)
    }

    /// Whether it is a fact that no state is in a cube.
    pub fn is_impossible(&self, cube: &Cube) -> bool {
        is_covered(&self.impossible, cube)
    }

    pub fn has_facts(&self) -> bool {
        !self.facts.is_empty()
    }

    pub fn cubes(&self) -> impl Iterator<Item = &Arc<Cube>> {
        self.facts.iter().chain(&self.relations)
    }
}

fn is_covered(store: &Store<'_, '_>, cube: &Cube) -> bool {
    let found = coverage(store, cube, Checks::default(), &mut Calls::default(), &|_| true);
    !matches!(found, Coverage::None { .. })
}

/// Whether a cube has no initial state, but for those that are impossible, and cubes cover its predecessors.
fn is_closed(
    task: &Task<'_, '_, '_>,
    impossible: &Store<'_, '_>,
    store: &Store<'_, '_>,
    cube: &Cube,
) -> bool {
    if task.initial.meets_possibly(cube, &|part| is_covered(impossible, part)) {
        return false;
    }
    let mut is_closed = true;
    let missing = task.predecessors(cube, |before| is_closed &= is_covered(store, &before.cube));
    is_closed && missing.is_none() && !task.is_interrupted()
}
