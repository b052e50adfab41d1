//! The commands that a client may have executed.

use lsp_types::ExecuteCommandParams;
use serde::Deserialize;

use crate::host::Task;
use crate::refusal::Refusal;

pub(crate) const VERIFY: &str = "polycube.verify";
pub(crate) const EXPLORE: &str = "polycube.explore";

/// The document, and the task.
pub(crate) fn read(parameters: &ExecuteCommandParams) -> Result<(String, Task), Refusal> {
    let ExecuteCommandParams { command, arguments, .. } = parameters;
    let argument = arguments.first().map(Argument::deserialize);
    let Some(Ok(argument)) = argument else {
        let expected = "expected the address of a document, or `{ \"uri\": ..., \"processes\": ... }`";
        return Err(Refusal::wrong_parameters(format!("`{command}`: {expected}")));
    };
    let (uri, processes) = match argument {
        Argument::Uri(uri) => (uri, None),
        Argument::Given { uri, processes } => (uri, processes),
    };
    match command.as_str() {
        VERIFY => Ok((uri, Task::Verify)),
        EXPLORE => Ok((uri, Task::Explore { processes })),
        _ => Err(Refusal::wrong_parameters(format!(
            "there is no command `{command}`: the commands are `{VERIFY}` and `{EXPLORE}`"
        ))),
    }
}

/// What a command is about.
#[derive(Deserialize)]
#[serde(untagged)]
enum Argument {
    Uri(String),
    Given { uri: String, processes: Option<u32> },
}
