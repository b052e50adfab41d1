//! For which sizes of its types a system says what the file says.

use std::collections::BTreeSet;

use polycube_language::System;
use polycube_language::diagnostic::Diagnostic;

use crate::model::{ConstantId, Model, TypeId, TypeKind};
use crate::parameter::candidates;

/// For which sizes of its types a system says what the file says.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// For which: `for every number of NODE; DATA has 2 values, as in the file`.
    pub instances: String,
    /// The type whose values are the processes; none at the sizes of the file.
    pub parameter: Option<Parameter>,
    /// Why there is no such type, if that was not asked for.
    pub refused: Option<Refused>,
}

/// The type whose values are the processes.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// How messages call it.
    pub name: String,
    /// How many values it has in the file.
    pub count: u32,
    /// How many it has at least: the file calls the last of them by its number.
    pub least: u32,
}

/// Why a model is not translated for every number of processes.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The type that would be the processes.
    pub parameter: Option<String>,
    /// What is wrong with it, and where.
    pub diagnostic: Diagnostic,
}

impl Sizes {
    pub(crate) fn for_every_number(model: &Model, processes: TypeId, system: &System) -> Sizes {
        let least = system.words.murphi.as_ref().map_or(1, |murphi| murphi.least);
        let parameter = Parameter {
            name: name(model, processes),
            count: u32::try_from(count(model, processes)).expect("the sizes of types are limited"),
            least,
        };
        let from = if least > 1 { format!(" from {least} on") } else { String::new() };
        let whole = format!("for every number of {}{from}", parameter.name);
        let others = sizes(model, Some(processes));
        let instances =
            if others.is_empty() { whole } else { format!("{whole}; {}, as in the file", others.join(", ")) };
        Sizes { instances, parameter: Some(parameter), refused: None }
    }

    pub(crate) fn of_the_file(model: &Model, refused: Option<Refused>) -> Sizes {
        let whole = "at the sizes of the file";
        let sizes = sizes(model, None);
        let instances =
            if sizes.is_empty() { whole.to_owned() } else { format!("{whole}: {}", sizes.join(", ")) };
        Sizes { instances, parameter: None, refused }
    }
}

/// `NODE has 3 values`, for each type whose size is computed, but for one, and those that grow with it.
fn sizes(model: &Model, but: Option<TypeId>) -> Vec<String> {
    let grows =
        |id: &TypeId| but.is_some_and(|but| !constants(model, but).is_disjoint(&constants(model, *id)));
    let others = candidates(model).into_iter().filter(|id| Some(*id) != but && !grows(id));
    let said = others.map(|id| match count(model, id) {
        1 => format!("{} has 1 value", name(model, id)),
        count => format!("{} has {count} values", name(model, id)),
    });
    said.collect()
}

/// The constants from which the size of a type is computed.
fn constants(model: &Model, id: TypeId) -> BTreeSet<ConstantId> {
    match &model.ty(id).kind {
        TypeKind::Scalarset(size) => size.constants.clone(),
        TypeKind::Range(low, high) => low.constants.union(&high.constants).copied().collect(),
        _ => BTreeSet::new(),
    }
}

pub(crate) fn name(model: &Model, id: TypeId) -> String {
    model.ty(id).name.clone().unwrap_or_else(|| model.type_name(id))
}

fn count(model: &Model, id: TypeId) -> i64 {
    match &model.ty(id).kind {
        TypeKind::Scalarset(size) => size.value,
        TypeKind::Range(low, high) => high.value - low.value + 1,
        _ => 0,
    }
}
