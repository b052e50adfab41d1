//! `polycube explore`

use super::Outcome;
use crate::arguments::ExploreArguments;
use crate::console::Console;

pub(super) fn run(_arguments: &ExploreArguments, _console: &mut Console) -> Outcome {
    Outcome::Wrong
}
