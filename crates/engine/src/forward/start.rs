//! One initial state, for those who want to walk through an instance rather than explore it.

use std::sync::atomic::AtomicBool;

use polycube_certificate::{Orders, State};
use polycube_language::System;

use super::trace::{codes_to_state, orders_of};
use crate::compile::domain::Bounds;
use crate::compile::{Initial, Instance, Next, TooLarge};

/// An initial state, and the orders that go with it; none if there is none. `below` chooses a number below
/// its argument: every initial state can be the answer.
pub fn initial_state(
    system: &System,
    processes: u32,
    bounds: &Bounds,
    below: &mut dyn FnMut(usize) -> usize,
) -> Result<Option<(State, Orders)>, TooLarge> {
    let (mut precision, mut choices) = Instance::prepare(system, processes, bounds)?;
    while !choices.is_empty() {
        let orders = choices.swap_remove(below(choices.len()));
        loop {
            let instance = Instance::new(
                system,
                processes,
                bounds,
                &precision,
                orders.clone(),
                None,
                &AtomicBool::new(false),
            )?;
            let found = Initial::new(&instance, bounds).and_then(|mut initial| {
                initial.shuffle(&mut *below);
                loop {
                    match initial.next_state()? {
                        Next::Working => {}
                        Next::End => return Ok(None),
                        Next::State(codes) => return Ok(Some(codes_to_state(&instance, |slot| codes[slot]))),
                    }
                }
            });
            match found {
                Ok(None) => break,
                Ok(Some(state)) => return Ok(Some((state, orders_of(&instance)))),
                Err(unfit) => match precision.widened(system.symbol(unfit.symbol).ty, unfit.why) {
                    Some(wider) => precision = wider,
                    None => break,
                },
            }
        }
    }
    Ok(None)
}
