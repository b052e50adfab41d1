//! `polycube simulate`

use super::Outcome;
use crate::arguments::SimulateArguments;
use crate::console::Console;

pub(super) fn run(_arguments: &SimulateArguments, _console: &mut Console) -> Outcome {
    Outcome::Wrong
}
