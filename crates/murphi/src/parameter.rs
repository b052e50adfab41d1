//! Which type becomes the processes.
//!
//! A file fixes all sizes. The one that becomes a parameter is a constant of the file from which the size of a
//! scalarset or range is computed. Of several, a scalarset that indexes arrays is taken before a range that does, one whose
//! constant says nothing else before one from whose constant other types are computed, too, and then the one that most
//! parts of the state are indexed by. A scalarset whose size is a number in its declaration comes last: another size that
//! is the same number may be meant to be the same, and stays.

use std::collections::BTreeSet;

use crate::model::{ConstantId, Model, TypeId, TypeKind};

/// The types that could be the processes, the best first.
pub fn candidates(model: &Model) -> Vec<TypeId> {
    let is_open = |id: &TypeId| match &model.ty(*id).kind {
        TypeKind::Scalarset(size) => !size.constants.is_empty() || model.ty(*id).name.is_some(),
        TypeKind::Range(low, high) => {
            low.constants.is_empty() && !high.constants.is_empty() && model.ty(*id).name.is_some()
        }
        _ => false,
    };
    let mut found: Vec<TypeId> = (0..).zip(&model.types).map(|(at, _)| TypeId(at)).filter(is_open).collect();
    let shared = shared(model);
    found.sort_by_cached_key(|&id| {
        let uses = uses(model, id);
        let is_range = !matches!(model.ty(id).kind, TypeKind::Scalarset(_));
        let constants = constants(&model.ty(id).kind);
        (
            uses == 0,
            constants.is_empty(),
            is_range,
            !constants.is_disjoint(&shared),
            std::cmp::Reverse(uses),
            id,
        )
    });
    found
}

/// The ranges that are taken for the processes only if they are asked for: their ends are numbers in their declaration, as
/// those of most ranges of other values are.
pub fn ranges_of_numbers(model: &Model) -> Vec<TypeId> {
    let is_fixed = |id: &TypeId| match &model.ty(*id).kind {
        TypeKind::Range(low, high) => {
            low.constants.is_empty() && high.constants.is_empty() && model.ty(*id).name.is_some()
        }
        _ => false,
    };
    (0..).zip(&model.types).map(|(at, _)| TypeId(at)).filter(is_fixed).collect()
}

/// A range that the state is indexed by and that could be the processes, had it a name.
pub fn without_name(model: &Model) -> Option<TypeId> {
    let is_nameless = |id: &TypeId| match &model.ty(*id).kind {
        TypeKind::Range(low, high) => {
            low.constants.is_empty() && !high.constants.is_empty() && model.ty(*id).name.is_none()
        }
        _ => false,
    };
    let nameless = (0..).zip(&model.types).map(|(at, _)| TypeId(at)).filter(is_nameless);
    nameless.max_by_key(|id| (uses(model, *id), std::cmp::Reverse(*id))).filter(|id| uses(model, *id) > 0)
}

/// The constants from which the size of a type is computed.
fn constants(kind: &TypeKind) -> BTreeSet<ConstantId> {
    match kind {
        TypeKind::Scalarset(size) | TypeKind::Multiset { size, .. } => size.constants.clone(),
        TypeKind::Range(low, high) => low.constants.union(&high.constants).copied().collect(),
        _ => BTreeSet::new(),
    }
}

/// The constants from which the sizes of several types are computed. A range that is written twice is one type. One from 0
/// or 1 that indexes nothing may be that of a number of processes.
fn shared(model: &Model) -> BTreeSet<ConstantId> {
    let (mut ranges, mut seen, mut shared) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let range = |kind: &TypeKind| match kind {
        TypeKind::Range(low, high) => Some((low.value, high.value, constants(kind))),
        _ => None,
    };
    let indices = model.types.iter().filter_map(|ty| match &ty.kind {
        TypeKind::Array { index, .. } => range(&model.ty(*index).kind),
        _ => None,
    });
    let indices: BTreeSet<_> = indices.collect();
    for ty in &model.types {
        let is_known = range(&ty.kind).is_some_and(|range| {
            let may_count =
                matches!(&ty.kind, TypeKind::Range(low, _) if low.constants.is_empty() && low.value <= 1);
            may_count && !indices.contains(&range) || !ranges.insert(range)
        });
        for constant in constants(&ty.kind).into_iter().filter(|_| !is_known) {
            if !seen.insert(constant) {
                shared.insert(constant);
            }
        }
    }
    shared
}

/// How many indices of parts of the state it is.
fn uses(model: &Model, index: TypeId) -> usize {
    let is_it = |at: TypeId| match &model.ty(at).kind {
        TypeKind::Union(members) => members.contains(&index),
        kind => at == index || (*kind == model.ty(index).kind && matches!(kind, TypeKind::Range(..))),
    };
    let add = |one: (usize, usize), other: (usize, usize)| {
        (one.0.saturating_add(other.0), one.1.saturating_add(other.1))
    };
    // That, and how many parts there are.
    let of = |ty| {
        model.measured(ty, |kind, of| match kind {
            TypeKind::Record(fields) => fields.iter().map(|(_, ty)| of(*ty)).fold((0, 0), add),
            TypeKind::Array { index, element } => {
                let (uses, parts) = of(*element);
                (if is_it(*index) { uses.saturating_add(parts) } else { uses }, parts)
            }
            TypeKind::Multiset { element, .. } => of(*element),
            _ => (0, 1),
        })
    };
    model.globals.iter().map(|variable| of(variable.ty)).fold((0, 0), add).0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the candidates, the best first.
    fn order(text: &str) -> Vec<String> {
        let model = crate::check::check(text, &[]).model.expect("a model");
        candidates(&model).into_iter().map(|id| model.ty(id).name.clone().expect("a name")).collect()
    }

    #[test]
    fn scalarsets_come_first_then_what_most_parts_are_indexed_by() {
        let rest = "startstate end; rule end;";
        let declared = "const A: 2; B: 2; C: 2; type Few: 1..A; Many: 1..B; Set: scalarset(C);";
        let used = "var x: array [Few] of array [Few] of boolean;
                    y: array [Many] of record a: boolean; b: boolean; c: 0..1 end;";
        assert_eq!(order(&format!("{declared} {used} {rest}")), ["Many", "Few", "Set"]);
        let used = format!("{used} z: array [Set] of boolean;");
        assert_eq!(order(&format!("{declared} {used} {rest}")), ["Set", "Many", "Few"]);
    }

    #[test]
    fn a_size_that_is_a_number_comes_last() {
        let text = "const A: 3; type Four: scalarset(4); Node: 1..A; Rest: 0..3;
                    var x: array [Four] of array [Four] of boolean; y: array [Node] of Rest;
                    startstate end; rule end;";
        assert_eq!(order(text), ["Node", "Four"]);
    }

    #[test]
    fn a_number_of_processes_is_no_other_type() {
        let text = "const A: 3; B: 2; type Node: scalarset(A); Count: 0..A; Branch: scalarset(B);
                    var x: array [Node] of record a: boolean; b: boolean end; y: array [Branch] of Count;
                    startstate end; rule end;";
        assert_eq!(order(text), ["Node", "Branch", "Count"]);
    }

    #[test]
    fn a_constant_that_says_nothing_else_comes_first() {
        let text = "const A: 3; B: 2; type Node: 1..A; Rest: 2..A; Branch: 1..B;
                    var x: array [Node] of record a: boolean; b: boolean end; y: array [Branch] of boolean;
                    startstate end; rule end;";
        assert_eq!(order(text), ["Branch", "Node", "Rest"]);
    }
}
