//! `polycube translate`: a model that was written in another language, in Polycube's own.

use super::model::read_model;
use super::{Outcome, Refusal};
use crate::arguments::{Format, TranslateArguments};
use crate::console::Console;

pub(super) fn run(arguments: &TranslateArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let model = read_model(&arguments.model, arguments.murphi.for_every_number(), Format::Human, console)?;
    console.pass_on(&model.own_text());
    Ok(Outcome::Success)
}
