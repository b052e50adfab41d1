//! What to say about a model that the engine does not support, at the place in the model where that is known.

use polycube_engine::cube::vocabulary::{
    MAX_CELLS, MAX_DIMENSIONS, MAX_NAMED, MAX_TYPES, MAX_VALUES, Unsupported,
};
use polycube_language::diagnostic::Label;
use polycube_language::span::Origin;

use crate::arguments::Format;
use crate::command::model::{Model, refuse, refuse_at};
use crate::console::Console;

/// What can be done instead.
const HELP: &str = "`polycube explore` checks such models, for one number of processes at a time";

/// Reports why a model cannot be verified.
pub(in crate::command) fn report(
    model: &Model,
    unsupported: &Unsupported,
    format: Format,
    console: &mut Console,
) {
    let system = &model.system;
    let (message, place) = match unsupported {
        Unsupported::Universal(index) => {
            let property = &system.properties[*index];
            let kind = property.kind.keyword();
            let message = format!("universally quantified `{kind}` clauses are not supported yet");
            (message, Some((property.origin, "it says something about all processes")))
        }
        Unsupported::Values { name, given } => {
            let declared = system.enumerations.iter().find(|enumeration| enumeration.name == *name);
            let message = format!("the type `{name}` has {given} values: at most {MAX_VALUES} are supported");
            (message, declared.map(|enumeration| (enumeration.origin, "")))
        }
        Unsupported::Types(given) => {
            (format!("the model has {given} types: at most {MAX_TYPES} are supported"), None)
        }
        Unsupported::Dimensions { name, given } => {
            let declared = system.symbols.iter().find(|symbol| symbol.name == *name);
            let message =
                format!("the array `{name}` has {given} indices: at most {MAX_DIMENSIONS} are supported");
            (message, declared.map(|symbol| (symbol.origin, "")))
        }
        Unsupported::Processes(count) => {
            (format!("`number_procs {count}` is too large: at most {MAX_NAMED} are supported"), None)
        }
        Unsupported::Cells { processes, given } => {
            let processes = if *processes == 1 { "1 process" } else { &format!("{processes} processes") };
            let limit = format!("at most {MAX_CELLS} are supported");
            (format!("a state of {processes} has {given} cells: {limit}"), None)
        }
    };
    match place {
        Some((Origin(span), text)) => {
            let place = Label { span, text: text.to_owned() };
            refuse_at(model, &message, &place, HELP, format, console);
        }
        None => refuse(&message, Some(HELP), format, console),
    }
}
