//! Code lenses: "verify" and "explore", above the first `init` and the first property.

use lsp_types::{CodeLens, Command};
use polycube_language::outline::{PartKind, outline};
use serde_json::json;

use crate::command;
use crate::document::Open;

pub(crate) fn lenses(open: &Open<'_>) -> Vec<CodeLens> {
    let parts = outline(open.source());
    let property = parts.iter().find(|part| matches!(part.kind, PartKind::Property(_)));
    let init = parts.iter().find(|part| part.kind == PartKind::Init);
    let mut lenses = Vec::new();
    for part in [init, property].into_iter().flatten() {
        let lens = |title: &str, command: &str| CodeLens {
            range: open.range(part.name),
            command: Some(Command {
                title: title.to_owned(),
                command: command.to_owned(),
                arguments: Some(vec![json!(open.uri)]),
            }),
            data: None,
        };
        if property.is_some() {
            lenses.push(lens("verify", command::VERIFY));
        }
        lenses.push(lens("explore", command::EXPLORE));
    }
    lenses
}
