//! `polycube replay`

use super::Outcome;
use crate::arguments::ReplayArguments;
use crate::console::Console;

pub(super) fn run(_arguments: &ReplayArguments, _console: &mut Console) -> Outcome {
    Outcome::Wrong
}
