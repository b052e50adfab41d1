//! What an exploration is: only the same one can go on with what another has kept.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Why a checkpoint cannot be made or continued, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// The text that is explored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// What it is called. Nothing depends on it.
    pub name: String,
    /// The SHA-256 of its text, in hexadecimal digits.
    pub sha256: String,
}

impl Model {
    /// The model of this name with this text.
    pub fn new(name: &str, text: &str) -> Model {
        Model { name: name.to_owned(), sha256: format!("{:x}", Sha256::digest(text)) }
    }
}

/// What has to be the same when an exploration is continued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The version of the program.
    pub version: String,
    /// The model.
    pub model: Model,
    /// The options that states depend on, each with a name of its own, and a value or nothing: as people write them.
    pub settings: Vec<(String, String)>,
    /// Which process this is, from 0.
    pub process: usize,
    /// How many processes share the exploration.
    pub processes: usize,
}

impl Identity {
    /// Why this exploration cannot continue what another one has kept.
    pub(crate) fn refuses(&self, there: &Identity) -> Option<String> {
        if there.version != self.version {
            return Some(format!(
                "was made by version {} of the program, and this is version {}",
                there.version, self.version
            ));
        }
        if there.model.sha256 != self.model.sha256 {
            return Some(if there.model.name == self.model.name {
                format!("was made for another text of {}", self.model.name)
            } else {
                format!("was made for {}, and this is {}", there.model.name, self.model.name)
            });
        }
        let differences = differences(&there.settings, &self.settings);
        if !differences.is_empty() {
            return Some(format!("was made with other settings: {}", differences.join("; ")));
        }
        if there.processes != self.processes {
            return Some(match there.processes {
                1 => "was made by one process; start with one".to_owned(),
                many => format!("has the parts of {many} processes; start with as many"),
            });
        }
        (there.process != self.process)
            .then(|| format!("has the part of process {} as that of process {}", there.process, self.process))
    }
}

/// Settings that differ, as people write them.
fn differences(there: &[(String, String)], here: &[(String, String)]) -> Vec<String> {
    let mut settings: BTreeMap<&str, [Option<&str>; 2]> = BTreeMap::new();
    for (side, list) in [there, here].into_iter().enumerate() {
        for (name, value) in list {
            settings.entry(name).or_default()[side] = Some(value);
        }
    }
    let differing = settings.into_iter().filter(|(_, [there, here])| there != here);
    let written = |name: &str, value: Option<&str>| match value {
        None => format!("no {name}"),
        Some("") => name.to_owned(),
        Some(value) => format!("{name} {value}"),
    };
    differing
        .map(|(name, [there, here])| format!("{} there, {} here", written(name, there), written(name, here)))
        .collect()
}
