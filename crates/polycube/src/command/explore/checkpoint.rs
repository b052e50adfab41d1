//! What an exploration keeps, and goes on from.

use polycube_checkpoint::{Checkpoint, Identity, Model as ModelText};

use crate::arguments::{CheckpointArguments, ExploreArguments};
use crate::input::Impossible;
use crate::model::Model;

use super::settings;

impl CheckpointArguments {
    /// Whether anything is kept.
    pub(super) fn is_wanted(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }
}

/// Opens the part of this process: which one it is, and of how many.
pub(super) fn open(
    arguments: &ExploreArguments,
    model: &Model,
    count: u32,
    (process, processes): (usize, usize),
) -> Result<Option<Checkpoint>, Impossible> {
    let CheckpointArguments { checkpoint, every, resume } = &arguments.checkpoint;
    let mut settings = settings::of_states(arguments);
    // The default is as good as the same number.
    settings.retain(|(name, _)| name != "-n");
    settings.push(("-n".to_owned(), count.to_string()));
    let identity = Identity {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        model: ModelText::new(&model.input.name, &model.input.text),
        settings,
        process,
        processes,
    };
    let opened = match (checkpoint, resume) {
        (None, None) => return Ok(None),
        (Some(dir), _) => Checkpoint::create(dir, &identity, *every),
        (None, Some(dir)) => Checkpoint::resume(dir, &identity, *every),
    };
    opened.map(Some).map_err(|refused| Impossible::new(refused.to_string()))
}
