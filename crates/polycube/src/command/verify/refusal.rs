//! What to say about a model that the engine does not support, at the place in the model where that is known.

use polycube_engine::cube::Unsupported;
use polycube_language::diagnostic::Label;
use polycube_language::span::Origin;

use crate::arguments::Format;
use crate::command::model::{refuse, refuse_at};
use crate::console::Console;
use crate::model::Model;

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
    let mut message = unsupported.to_string();
    let place = match unsupported {
        Unsupported::Universal(index) => {
            let property = &system.properties[*index];
            message =
                format!("universally quantified `{}` clauses are not supported yet", property.kind.keyword());
            Some((property.origin, "it says something about all processes"))
        }
        Unsupported::Values { name, .. } => {
            let declared = system.enumerations.iter().find(|enumeration| enumeration.name == *name);
            declared.map(|enumeration| (enumeration.origin, ""))
        }
        Unsupported::Dimensions { name, .. } => {
            let declared = system.symbols.iter().find(|symbol| symbol.name == *name);
            declared.map(|symbol| (symbol.origin, ""))
        }
        Unsupported::Types(_) | Unsupported::Processes(_) | Unsupported::Cells { .. } => None,
    };
    match place {
        Some((Origin(span), text)) => {
            let place = Label { span, text: text.to_owned() };
            refuse_at(model, &message, &place, HELP, format, console);
        }
        None => refuse(&message, Some(HELP), format, console),
    }
}
