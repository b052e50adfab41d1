//! Which type becomes the processes.
//!
//! A file fixes all sizes. The one that becomes a parameter is a constant of the file from which the size of a
//! scalarset or range is computed. Of several, a scalarset that indexes arrays is taken before a range that does, and then
//! the one that indexes most.

use crate::model::{Model, TypeId, TypeKind};

/// The types that could be the processes, the best first.
pub fn candidates(model: &Model) -> Vec<TypeId> {
    let sizes = |id: TypeId| match &model.ty(id).kind {
        TypeKind::Scalarset(size) => Some((true, !size.constants.is_empty())),
        TypeKind::Range(low, high) => Some((false, low.constants.is_empty() && !high.constants.is_empty())),
        _ => None,
    };
    let ids = (0..).zip(&model.types).map(|(at, _)| TypeId(at));
    let mut found: Vec<(bool, usize, TypeId)> = ids
        .filter_map(|id| {
            let (is_scalarset, is_computed) = sizes(id)?;
            let is_range_of_others = !is_scalarset && model.ty(id).name.is_none();
            (is_computed && !is_range_of_others).then(|| (!is_scalarset, uses(model, id), id))
        })
        .collect();
    found.sort_by_key(|(is_range, uses, id)| (*uses == 0, *is_range, std::cmp::Reverse(*uses), *id));
    found.into_iter().map(|(_, _, id)| id).collect()
}

/// How many dimensions of arrays it is the index of, in all variables.
fn uses(model: &Model, index: TypeId) -> usize {
    fn of(model: &Model, ty: TypeId, index: TypeId) -> usize {
        match &model.ty(ty).kind {
            TypeKind::Record(fields) => fields.iter().map(|(_, ty)| of(model, *ty, index)).sum(),
            TypeKind::Array { index: at, element } => {
                let is_it = match &model.ty(*at).kind {
                    TypeKind::Union(members) => members.contains(&index),
                    kind => {
                        *at == index || (*kind == model.ty(index).kind && matches!(kind, TypeKind::Range(..)))
                    }
                };
                usize::from(is_it) + of(model, *element, index)
            }
            _ => 0,
        }
    }
    model.globals.iter().map(|variable| of(model, variable.ty, index)).sum()
}
