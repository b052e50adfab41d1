//! What is asked of a translation: which type becomes the processes, and what if none can.

use polycube_language::diagnostic::{Code, Diagnostic};
use polycube_language::span::Span;

use crate::model::{Model, TypeId, TypeKind};
use crate::parameter::{candidates, ranges_of_numbers, without_name};

/// What is asked of a translation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'r> {
    /// The type whose values become the processes, or the constant from which its size is computed; `none` for the
    /// sizes of the file. If nothing is asked for, the type that most parts of the state are indexed by.
    pub parameter: Option<&'r str>,
    /// What becomes of a model that cannot be said for every number of processes.
    pub otherwise: Otherwise,
}

/// What becomes of a model that cannot be said for every number of processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Otherwise {
    /// It is refused.
    #[default]
    Refused,
    /// It has the sizes of the file.
    SizesOfTheFile,
    /// It has the sizes of the file; where it has too many cases to be translated, it is executed as it is written.
    Executed,
}

/// The word that asks for the sizes of the file.
const NONE: &str = "none";

impl Request<'_> {
    /// The type whose values become the processes; none if the sizes of the file are asked for.
    pub(crate) fn processes(&self, model: &Model) -> Result<Option<TypeId>, Box<Diagnostic>> {
        let all = candidates(model);
        let Some(name) = self.parameter else {
            return match all.first() {
                Some(first) => Ok(Some(*first)),
                None => Err(Box::new(nothing_suits(model))),
            };
        };
        let is_called = |id: &&TypeId| model.ty(**id).name.as_deref() == Some(name);
        let is_computed = |id: &&TypeId| constants(model, **id).any(|constant| constant == name);
        let asked_for = ranges_of_numbers(model);
        let named = all.iter().chain(&asked_for).find(is_called);
        match named.or_else(|| all.iter().find(is_computed)) {
            Some(id) => Ok(Some(*id)),
            None if name == NONE => Ok(None),
            None => Err(Box::new(unknown(model, name, &all))),
        }
    }
}

/// The constants from which the size of a type is computed.
fn constants(model: &Model, id: TypeId) -> impl Iterator<Item = &str> {
    let sizes = match &model.ty(id).kind {
        TypeKind::Scalarset(size) => vec![size],
        TypeKind::Range(low, high) => vec![low, high],
        _ => Vec::new(),
    };
    let ids = sizes.into_iter().flat_map(|size| &size.constants);
    ids.map(|constant| model.constants[constant.0 as usize].name.as_str())
}

fn nothing_suits(model: &Model) -> Diagnostic {
    let message = "no scalarset or range that could be the processes";
    if let Some(id) = without_name(model) {
        return Diagnostic::error(Code::Unsupported, model.ty(id).span, message)
            .label("a range of that many, without a name")
            .help("give it one, and use that everywhere: `type Node: ...;`");
    }
    if let [first, ..] = ranges_of_numbers(model)[..] {
        let name = crate::sizes::name(model, first);
        return Diagnostic::error(Code::Unsupported, model.ty(first).span, message)
            .label("a range of numbers")
            .help(format!("if its values are the processes: `--parameter {name}`"));
    }
    Diagnostic::error(Code::Unsupported, Span::default(), message)
        .help("declare their number as a constant, and a type of that size: `Node: scalarset(NodeCount);`")
}

fn unknown(model: &Model, name: &str, all: &[TypeId]) -> Diagnostic {
    let message = format!("`{name}` is no type whose values could be the processes");
    let names: Vec<String> = all.iter().map(|id| model.type_name(*id)).collect();
    let help = match &names[..] {
        [] => format!("no type could; `{NONE}` stands for the sizes of the file"),
        names => format!("candidates: {}; `{NONE}` stands for the sizes of the file", names.join(", ")),
    };
    Diagnostic::error(Code::UnknownName, Span::default(), message).help(help)
}
