//! Counts the states of a model with one process, two, three and so on.
#![allow(clippy::print_stdout, reason = "it is a program")]

use polycube::Model;
use polycube::engines::forward::{End, Options, Reduction};

const MODEL: &str = "
    type place = Outside | Waiting | Inside
    var Locked : bool
    array Place[proc] : place
    init (p) { not Locked && Place[p] = Outside }
    unsafe (p q) { Place[p] = Inside && Place[q] = Inside }
    transition ask (p) requires { Place[p] = Outside } { Place[p] := Waiting }
    transition enter (p) requires { Place[p] = Waiting && not Locked } { Locked := True; Place[p] := Inside }
    transition leave (p) requires { Place[p] = Inside } { Locked := False; Place[p] := Outside }";

/// How many states there are, up to renaming of processes, and without.
pub fn count(model: &Model, processes: u32) -> Result<(u64, u64), Box<dyn std::error::Error>> {
    let up_to_renaming = model.explore(processes)?;
    let each = Options { reduction: Reduction::None, ..Options::new(processes) };
    let each = model.explore_with(&each, &mut ())?;
    for exploration in [&up_to_renaming, &each] {
        if exploration.end != End::Complete || !exploration.violations.is_empty() {
            return Err(format!("with {processes} processes, it ended early or found a bad state").into());
        }
    }
    Ok((up_to_renaming.states, each.states))
}

/// The model that is explored.
pub fn model() -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_text(MODEL)?)
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = model()?;
    println!("processes  states  without renaming");
    for processes in 1..=6 {
        let (states, each) = count(&model, processes)?;
        println!("{processes:>9}  {states:>6}  {each:>16}");
    }
    Ok(())
}
