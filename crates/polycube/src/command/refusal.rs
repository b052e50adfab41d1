//! What a command says that cannot do what it was asked for.

use polycube_engine::cube::Unsupported;
use polycube_language::diagnostic::Label;
use polycube_language::span::{Lines, Origin};

use super::Outcome;
use crate::arguments::Format;
use crate::console::Console;
use crate::input::{Impossible, Unreadable};
use crate::model::{Mistakes, Model, NoModel};
use crate::report::{self, json};

/// Why a command has no result.
pub(super) enum Refusal {
    Impossible(Impossible),
    NoModel(NoModel),
    /// Because of what stands at a place of the model.
    At {
        name: String,
        text: String,
        reason: String,
        place: Label,
    },
}

/// What can be done instead with a model that is not supported.
const EXPLORE: &str = "`polycube explore` checks such models, for one number of processes at a time";

impl Refusal {
    /// A model that cannot be verified, at the place in the model where that is known.
    pub(super) fn unsupported(model: &Model, unsupported: &Unsupported) -> Refusal {
        let system = &model.system;
        let reason = unsupported.to_string();
        let place = match unsupported {
            Unsupported::Values { name, .. } => {
                let declared = system.enumerations.iter().find(|enumeration| enumeration.name == *name);
                declared.map(|enumeration| enumeration.origin)
            }
            Unsupported::Dimensions { name, .. } => {
                let declared = system.symbols.iter().find(|symbol| symbol.name == *name);
                declared.map(|symbol| symbol.origin)
            }
            Unsupported::Types(_) | Unsupported::Processes(_) | Unsupported::Cells { .. } => None,
        };
        let Some(Origin(span)) = place else { return Impossible::new(reason).or(EXPLORE).into() };
        let place = Label { span, text: String::new() };
        Refusal::At { name: model.input.name.clone(), text: model.input.text.clone(), reason, place }
    }

    pub(super) fn report(&self, format: Format, console: &mut Console) -> Outcome {
        match format {
            Format::Human => console.remark(&self.to_text()),
            Format::Json => console.pass_on(&self.to_json()),
        }
        Outcome::Wrong
    }

    fn to_text(&self) -> String {
        match self {
            Refusal::Impossible(impossible) => report::impossible(impossible),
            Refusal::NoModel(NoModel::Wrong(mistakes)) => {
                let Mistakes { input, diagnostics } = &**mistakes;
                let text = report::diagnostics(diagnostics, &input.name, &Lines::new(&input.text));
                text + &report::totals(diagnostics.errors(), diagnostics.warnings())
            }
            Refusal::NoModel(NoModel::Unreadable(error)) => report::unreadable(error),
            Refusal::At { name, text, reason, place } => {
                report::error_at(reason, place, EXPLORE, name, &Lines::new(text))
            }
        }
    }

    fn to_json(&self) -> String {
        match self {
            Refusal::Impossible(impossible) => json::refused(impossible),
            Refusal::NoModel(NoModel::Wrong(mistakes)) => {
                let Mistakes { input, diagnostics } = &**mistakes;
                json::failed(json::File::checked(&input.name, &Lines::new(&input.text), None, diagnostics))
            }
            Refusal::NoModel(NoModel::Unreadable(error)) => json::failed(json::File::unreadable(error)),
            Refusal::At { text, reason, place, .. } => {
                json::refused_at(reason, place, EXPLORE, &Lines::new(text))
            }
        }
    }
}

impl From<Impossible> for Refusal {
    fn from(impossible: Impossible) -> Refusal {
        Refusal::Impossible(impossible)
    }
}

impl From<NoModel> for Refusal {
    fn from(none: NoModel) -> Refusal {
        Refusal::NoModel(none)
    }
}

impl From<Unreadable> for Refusal {
    fn from(unreadable: Unreadable) -> Refusal {
        Refusal::NoModel(NoModel::Unreadable(unreadable))
    }
}
