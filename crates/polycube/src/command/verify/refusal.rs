//! What to say about a model that the engine does not support, at the place in the model where that is known.

use polycube_engine::cube::vocabulary::{MAX_NAMED, Unsupported};
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
            let message = format!("the type `{name}` has {given} values: these are too many");
            (message, declared.map(|enumeration| (enumeration.origin, "")))
        }
        Unsupported::Dimensions { name, given } => {
            let declared = system.symbols.iter().find(|symbol| symbol.name == *name);
            let message = format!("the array `{name}` has {given} indices: these are too many");
            (message, declared.map(|symbol| (symbol.origin, "")))
        }
        Unsupported::Processes(count) => {
            (format!("`number_procs {count}` is too large: at most {MAX_NAMED} are supported"), None)
        }
        Unsupported::Cells => ("the arrays have too many cells".to_owned(), None),
    };
    match place {
        Some((Origin(span), text)) => {
            let place = Label { span, text: text.to_owned() };
            refuse_at(model, &message, &place, HELP, format, console);
        }
        None => refuse(&message, Some(HELP), format, console),
    }
}
