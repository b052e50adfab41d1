//! What a command says that cannot do what it was asked for.

use polycube_engine::cube::Unsupported;
use polycube_language::System;
use polycube_language::diagnostic::{Code, Diagnostic, Diagnostics, Label};
use polycube_language::span::{Lines, Origin, Span};
use polycube_language::token::{TokenKind, tokenize};

use super::Outcome;
use crate::arguments::Format;
use crate::console::Console;
use crate::input::{Impossible, Input, Unreadable};
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

/// What `check` says of a model that cannot be verified.
pub(super) fn warning(system: &System, text: &str, unsupported: &Unsupported) -> Diagnostic {
    let message = format!("`verify` cannot treat this model: {unsupported}");
    Diagnostic::warning(Code::Unsupported, place(system, text, unsupported), message).help(EXPLORE)
}

/// Where a model goes beyond a limit.
fn place(system: &System, text: &str, unsupported: &Unsupported) -> Span {
    let enumerations = || system.enumerations.iter();
    let symbols = || system.symbols.iter();
    let origin = match unsupported {
        Unsupported::Values { name, .. } => {
            enumerations().find(|enumeration| enumeration.name == *name).map(|enumeration| enumeration.origin)
        }
        Unsupported::Dimensions { name, .. } => {
            symbols().find(|symbol| symbol.name == *name).map(|symbol| symbol.origin)
        }
        Unsupported::Types(_) => {
            let types = enumerations().map(|enumeration| enumeration.origin);
            types.chain(system.abstract_types.iter().map(|ty| ty.origin)).max_by_key(|origin| origin.0.start)
        }
        Unsupported::Cells { .. } => symbols().last().map(|symbol| symbol.origin),
        Unsupported::Processes(_) => {
            let tokens = tokenize(text, &mut Diagnostics::default()).tokens;
            let word = tokens.iter().find(|token| token.kind == TokenKind::NumberProcs);
            word.map(|token| Origin(token.span))
        }
    };
    origin.unwrap_or_default().0
}

/// What can be done instead with a model that is not supported.
const EXPLORE: &str = "`polycube explore` checks such models, for one number of processes at a time";

impl Refusal {
    /// A model that cannot be verified.
    pub(super) fn unsupported(model: &Model, unsupported: &Unsupported) -> Refusal {
        let Input { name, text, .. } = &model.input;
        let place = Label { span: place(&model.system, text, unsupported), text: String::new() };
        Refusal::At { name: name.clone(), text: text.clone(), reason: unsupported.to_string(), place }
    }

    pub(super) fn report(&self, format: Format, console: &mut Console) -> Outcome {
        match format {
            Format::Human => console.remark(&self.to_text()),
            Format::Json => console.pass_on(&self.to_json()),
        }
        Outcome::Wrong
    }

    /// Why, in a sentence: for a conversation, in which it is no error.
    pub(super) fn in_words(&self) -> String {
        let (reason, help) = match self {
            Refusal::Impossible(Impossible { reason, help }) => (reason.clone(), help.as_ref()),
            Refusal::NoModel(NoModel::Unreadable(Unreadable { name, reason, help })) => {
                (format!("`{name}` cannot be read: {reason}"), help.as_ref())
            }
            Refusal::At { reason, .. } => (reason.clone(), None),
            Refusal::NoModel(NoModel::Wrong(_)) => ("the model has mistakes".to_owned(), None),
        };
        let help = help.map_or_else(String::new, |help| format!(" ({help})"));
        format!("{reason}{help}.")
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
